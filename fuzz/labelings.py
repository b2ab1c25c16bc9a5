"""Labels of every kind: which points belong together, what clusters are called, what holds them."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.draws import Draws

Codes = NDArray[np.int64]


# --- partitions ---------------------------------------------------------------------------------


def some_clusters(draws: Draws) -> Codes:
    """Return a few clusters and noise."""
    return draws.random.integers(-1, draws.whole(1, 5), draws.n_points)


def one_outside(draws: Draws) -> Codes:
    """Return one cluster, and one point that is noise or alone."""
    codes = np.zeros(draws.n_points, dtype=np.int64)
    codes[draws.whole(0, draws.n_points - 1)] = draws.one_of([-1, 1])
    return codes


def without_noise(draws: Draws) -> Codes:
    """Return a few clusters."""
    return draws.random.integers(0, draws.whole(1, 4), draws.n_points)


PARTITIONS: list[Callable[[Draws], Codes]] = [some_clusters, some_clusters, some_clusters]
PARTITIONS += [some_clusters, without_noise, without_noise, one_outside]
PARTITIONS += [
    lambda draws: np.arange(draws.n_points) * draws.whole(1, 4) // draws.n_points,  # runs
    lambda draws: np.full(draws.n_points, -1),
    lambda draws: np.full(draws.n_points, draws.one_of([0, 7])),
    lambda draws: draws.random.permutation(draws.n_points),  # every point alone
]


# --- names and containers -----------------------------------------------------------------------

WORDS = ["ant", "bee", "-1", "noise", "", " ", "\x1b[31mred", "=1+1", "a" * 300, "\u202e", "ä"]
WORDS += ["NaN", "<script>alert(1)</script>", "$x$", "None", "\n", "\ud800", "0", "1.0", "nul\0"]


def as_words(draws: Draws, codes: Codes) -> Any:
    """Name clusters by words."""
    words = np.array(draws.random.permutation(np.array(WORDS, dtype=object)))
    named = np.array([words[code % len(words)] for code in codes], dtype=object)
    return named if draws.chance(0.3) else named.astype(str) if draws.chance(0.5) else list(named)


def as_numbers(draws: Draws, codes: Codes) -> Any:
    """Name clusters by numbers of another type."""
    kind = draws.one_of(["i1", "i2", "i4", ">i8", "f2", "f4", "f8", "g", "O", "?", "u1", "u8"])
    return codes.astype(kind)


def as_large_numbers(draws: Draws, codes: Codes) -> Any:
    """Name clusters by numbers at and beyond the end of 64 bits."""
    start = draws.one_of([2**31, 2**53, 2**62, 2**63 - 3, 2**64 - 3, 2**70, 10**400])
    return [start + int(code) if code >= 0 else -1 for code in codes]


def as_container(draws: Draws, codes: Codes) -> Any:
    """Hold labels in something else than an array."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    makers: list[Callable[[Codes], Any]] = [list, tuple, pd.Series, pl.Series, pa.array]
    makers += [lambda codes: codes[::-1].copy()[::-1], lambda codes: codes.tolist()]
    makers += [lambda codes: pd.Series(codes).astype("category"), pd.Index]
    makers += [lambda codes: pd.Series(codes.astype(str)).astype("category")]
    makers += [lambda codes: pl.Series(codes.astype(str)).cast(pl.Categorical)]
    makers += [lambda codes: pa.chunked_array([codes[:1], codes[1:]])]
    makers += [lambda codes: pa.array(codes.astype(str)).dictionary_encode()]
    return draws.one_of(makers)(codes)


# --- what are no labels -------------------------------------------------------------------------


def with_label(value: Any) -> Callable[[Draws], Any]:
    """Return a maker of labels among which one value stands."""

    def make(draws: Draws) -> Any:
        labels = some_clusters(draws).tolist()
        labels[draws.whole(0, len(labels) - 1)] = value
        return np.array(labels) if isinstance(value, float) and draws.chance(0.5) else labels

    return make


def of_other_length(draws: Draws) -> Any:
    """Return too few labels or too many."""
    count = draws.one_of([0, draws.n_points - 1, draws.n_points + 1, 2 * draws.n_points])
    return np.arange(count) % 3


def of_odd_type(draws: Draws) -> Any:
    """Return labels of types that are none, or few would use."""
    codes = some_clusters(draws)
    kind = draws.one_of(["S2", "M8[s]", "m8[s]", "c16", "V8", "masked", "records", "column"])
    if kind == "masked":
        return np.ma.MaskedArray(codes, mask=codes == 0)
    if kind == "records":
        return np.zeros(draws.n_points, dtype=[("a", "i4"), ("b", "U2")])
    return (
        codes[:, np.newaxis]
        if kind == "column"
        else codes.astype("i8").view("V8")
        if (kind == "V8")
        else codes.astype(kind)
    )


def no_labels(draws: Draws) -> Any:
    """Return something else altogether."""
    codes = some_clusters(draws).tolist()
    others = [None, 0, "labels", b"labels", {}, dict(enumerate(codes)), set(codes), object(), [[]]]
    return draws.one_of([*others, iter(codes), [codes], np.array(3), range(draws.n_points), type])


_VALUES = (None, np.nan, 0.5, np.inf, "a", b"a", 2**70, True, (1, 2), decimal.Decimal("NaN"), 1j)
WILD = (*map(with_label, _VALUES), of_other_length, of_other_length, of_odd_type, of_odd_type)
WILD = (*WILD, no_labels, no_labels)


# --- all together -------------------------------------------------------------------------------


def plain_labels(draws: Draws) -> Codes:
    """Return labels as most programs give them."""
    return draws.call(PARTITIONS)


def labels(draws: Draws, *, wild: bool) -> Any:
    """Return labels of any kind; wild ones are mostly none."""
    if wild:
        return draws.call(WILD)
    codes = plain_labels(draws)
    dress = draws.weighted(6, 2, 1, 1, 2)
    if dress == 0:
        return codes
    return (as_words, as_numbers, as_large_numbers, as_container)[dress - 1](draws, codes)
