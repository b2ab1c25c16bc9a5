"""Rows of facts become columns, and the best row is found."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import FitFailedWarning

from disco_cvi._output.rich_display import Card, CardTable, RichDisplay
from disco_cvi._output.words import count, percent, shorten
from disco_cvi.selection.candidates import Params
from disco_cvi.selection.labelings import Judgement
from disco_cvi.selection.settings import Settings

_SHOWN = 10  # candidates in a notebook


class Row(NamedTuple):
    """One candidate."""

    params: Params
    fit_time: float
    judged: Judgement


class Order(NamedTuple):
    """What comes first: see `order_of`."""

    has_no_score: bool
    cost: float
    only_noise: bool
    n_clusters: int
    noise_share: float
    position: int


def order_of(judged: Judgement, settings: Settings, position: int) -> Order:
    """Return what candidates are sorted by.

    The better score, then fewer clusters (noise alone last), less noise, the order of candidates.
    """
    value = judged.values[settings.decisive]
    has_no_score = math.isnan(value) or judged.failed
    return Order(
        has_no_score,
        0.0 if has_no_score else -settings.criterion.sign * value,
        judged.n_clusters == 0,
        judged.n_clusters,
        0.0 if has_no_score else judged.noise_share,
        position,
    )


class SearchResults(dict[str, Any], RichDisplay):
    """Columns with one value for each candidate; notebooks show the best of them."""

    def __repr__(self) -> str:
        best = int(self["rank"].argmin())
        found = f"{shorten(self['params'][best])}, score {self['score'][best]:.4g}"
        return f"SearchResults({count(len(self['params']), 'candidate')}; best: {found})"

    def _card(self) -> Card:
        rows = [("rank", "parameters", "score", "clusters", "noise")]
        for row in self["rank"].argsort()[:_SHOWN].tolist():
            params = ", ".join(f"{name}={value!r}" for name, value in self["params"][row].items())
            share = self["noise_share"][row]
            noise = "-" if math.isnan(share) else percent(share)
            score, n_clusters = f"{self['score'][row]:.4g}", str(self["n_clusters"][row])
            rows.append((str(self["rank"][row]), params, score, n_clusters, noise))
        n_rows = len(self["params"])
        caption = count(n_rows, "candidate")
        if n_rows > _SHOWN:
            caption += f", the best {_SHOWN} of them"
        return Card("SearchResults", tables=[CardTable(rows, frozenset([2, 3, 4]), caption)])


def make_columns(rows: Sequence[Row], settings: Settings, *, has_truth: bool) -> SearchResults:
    """Return the columns, one value for each candidate."""
    judged = [row.judged for row in rows]
    orders = sorted(order_of(one, settings, i) for i, one in enumerate(judged))
    ranks = np.empty(len(rows), np.int32)
    ranks[[order.position for order in orders]] = np.arange(1, len(rows) + 1)
    columns: dict[str, Any] = {"params": [row.params for row in rows]}
    columns |= _columns_of_params(columns["params"])
    values = np.array([one.values for one in judged])
    columns |= {"score": values[:, settings.decisive], "rank": ranks}
    if len(settings.criteria) > 1:
        columns |= {one.name: values[:, i] for i, one in enumerate(settings.criteria)}
    facts = ["disco", "n_clusters", "noise_share", "largest_share"]
    for name in facts + ["adjusted_rand"] * has_truth:
        # DISCO with options of its own may have been asked for.
        columns.setdefault(name, np.array([getattr(one, name) for one in judged]))
    columns["fit_time"] = np.array([row.fit_time for row in rows])
    columns["score_time"] = np.array([one.seconds for one in judged])
    columns["error"] = np.array([one.error for one in judged], dtype=object)
    return SearchResults(columns)


def _columns_of_params(params: Sequence[Params]) -> dict[str, Any]:
    """Return one column per parameter, masked where a candidate does not have it."""
    names = dict.fromkeys(name for one in params for name in one)
    return {f"param_{name}": _masked(name, params) for name in names}


def _masked(name: str, params: Sequence[Params]) -> np.ma.MaskedArray[Any, Any]:
    rows = [i for i, one in enumerate(params) if name in one]
    values: NDArray[Any] = np.empty(len(rows), dtype=object)
    values[:] = [params[i][name] for i in rows]
    # Numbers stay numbers; all else, among it numbers beside None or booleans, stays as it is.
    are_bool = {isinstance(value, bool | np.bool_) for value in values}
    if len(are_bool) == 1 and all(isinstance(value, Real | np.bool_) for value in values):
        values = np.array(values.tolist())
    column: np.ma.MaskedArray[Any, Any] = np.ma.MaskedArray(
        np.zeros(len(params), dtype=values.dtype), mask=True
    )
    column[rows] = values
    return column


def report_failures(rows: Sequence[Row], error_score: float, caller: str) -> None:
    """Warn once if fits failed; raise if all did."""
    failed = [row.judged.error for row in rows if row.judged.failed]
    if not failed:
        return
    told = "\n".join(f"{times} x {error}" for error, times in Counter(failed).most_common())
    if len(failed) == len(rows):
        message = f"All {count(len(rows), 'fit')} of {caller} failed:\n{told}"
        raise ValueError(message)
    warnings.warn(
        f"{len(failed):,} of {count(len(rows), 'fit')} of {caller} failed; their score is "
        f"{error_score}, and they are never chosen:\n{told}",
        FitFailedWarning,
        stacklevel=3,
    )


def no_score(rows: Sequence[Row], name: str, caller: str) -> str:
    """Say why nothing can be chosen."""
    reason = next(row.judged.error for row in rows if not row.judged.failed)
    return f"No candidate of {caller} has a value of {name}. Of the first it is said: {reason}"
