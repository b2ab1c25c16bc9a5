"""Labels: every accepted form gives the same codes, everything else one clear message."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from disco_cvi import InvalidInputError
from disco_cvi._input.labels import NOISE, Labels, check_labels
from helpers.messages import says

pytestmark = pytest.mark.small


def check(labels: Any, noise_label: Any = -1, n_points: int | None = None) -> Labels:
    n = len(labels) if n_points is None else n_points
    return check_labels(labels, n, noise_label, "disco_score")


# --- forms --------------------------------------------------------------------------------------

NUMBERS = [7, -1, 3, 7, 7, -1]
NUMBER_FORMS: list[Any] = [
    *(
        NUMBERS,
        tuple(NUMBERS),
        [float(v) for v in NUMBERS],
        [float(v) if v > 3 else v for v in NUMBERS],
    ),
    list(np.array(NUMBERS, dtype=np.int16)),
    *(np.array(NUMBERS, dtype) for dtype in ("i1", "i4", "i8", ">i4", "f2", "f8", "g", object)),
    np.repeat(NUMBERS, 2)[::2],
    np.ma.MaskedArray(NUMBERS),
    pd.Series(NUMBERS, index=range(10, 16)),
    pd.Index(NUMBERS),
    *(pd.Series(NUMBERS, dtype=dtype) for dtype in ("Int64", "int64[pyarrow]", "category")),
    pd.Categorical(NUMBERS, categories=[7, 3, -1, 99]),
    pl.Series(NUMBERS),
    nw.from_native(pl.Series(NUMBERS), series_only=True),
    pa.array(NUMBERS),
    pa.chunked_array([NUMBERS[:2], NUMBERS[2:]]),
]
TEXTS = ["b", "noise", "a", "b", "b", "noise"]
TEXT_FORMS: list[Any] = [
    *(TEXTS, np.array(TEXTS), np.array(TEXTS, dtype=object), list(np.array(TEXTS))),
    *([text.encode() for text in TEXTS], np.array([text.encode() for text in TEXTS])),
    pd.Series(TEXTS),
    pd.Categorical(TEXTS, categories=["noise", "b", "a"]),
    *(pl.Series(TEXTS, dtype=dtype) for dtype in (pl.String, pl.Categorical)),
    pl.Series(TEXTS, dtype=pl.Enum(["noise", "b", "a"])),
    *(pa.array(TEXTS), pa.array(TEXTS).dictionary_encode()),
]
TRUTHS = [True, False, False, True, True, False]
TRUTH_FORMS: list[Any] = [
    *(TRUTHS, np.array(TRUTHS), np.array(TRUTHS, dtype=object), list(np.array(TRUTHS))),
    np.repeat(TRUTHS, 2)[::2],
    *(pd.Series(TRUTHS), pd.Series(TRUTHS, dtype="boolean"), pl.Series(TRUTHS)),
]


def kind(labels: Any) -> str:
    return f"{type(labels).__module__}.{type(labels).__name__}-{getattr(labels, 'dtype', '')}"


def _agree(labels: Labels, codes: list[int], names: tuple[Any, ...]) -> None:
    assert labels.codes.dtype == np.int32
    assert labels.sizes.dtype == np.int64
    assert labels.codes.tolist() == codes
    assert labels.names == names
    assert [type(name) for name in labels.names] == [type(name) for name in names]
    assert labels.sizes.tolist() == [codes.count(code) for code in range(len(names))]
    assert labels.n_points == len(codes)
    assert labels.n_clusters == len(names)
    assert labels.n_noise == codes.count(NOISE)


@pytest.mark.parametrize("labels", NUMBER_FORMS, ids=kind)
def test_numbers_of_every_form(labels: Any) -> None:
    _agree(check(labels), [1, -1, 0, 1, 1, -1], (3, 7))


@pytest.mark.parametrize("labels", TEXT_FORMS, ids=kind)
def test_texts_of_every_form(labels: Any) -> None:
    _agree(check(labels, "noise"), [1, -1, 0, 1, 1, -1], ("a", "b"))


@pytest.mark.parametrize("labels", TRUTH_FORMS, ids=kind)
def test_truths_of_every_form(labels: Any) -> None:
    _agree(check(labels), [1, 0, 0, 1, 1, 0], (False, True))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32, np.uint64])
def test_unsigned_labels_have_no_noise(dtype: type) -> None:
    _agree(check(np.array([9, 0, 9, 255], dtype=dtype)), [1, 0, 1, 2], (0, 9, 255))


@pytest.mark.parametrize(
    "values",
    [
        [2**63 - 1, -(2**63), 2**63 - 1],
        [2**63 - 2, 2**63 - 1, 2**63 - 2],
        [-(2**63), -(2**63) + 1, -1],
        [2**64 - 1, 0, 2**63],
        [2**64 - 1, 2**64 - 2],
        [2**70, -(2**70), -1],
        [2**63, -1],
        [127, -128, 0],
    ],
)
def test_large_integers_and_gaps(values: list[int]) -> None:
    names = tuple(sorted(set(values) - {-1}))
    codes = [names.index(value) if value != -1 else NOISE for value in values]
    _agree(check(values), codes, names)
    _agree(check(np.array(values, dtype=object)), codes, names)


def test_the_full_range_of_small_dtypes() -> None:
    labels = check(np.repeat(np.arange(-128, 128, dtype=np.int8), 3))
    assert labels.names == tuple(name for name in range(-128, 128) if name != -1)
    assert labels.n_noise == 3
    largest = np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)
    assert check(largest).names == (2**64 - 2, 2**64 - 1)
    _agree(check([1e300, -1.0, 1e300]), [0, -1, 0], (int(1e300),))


@given(st.lists(st.integers(-(2**65), 2**65) | st.integers(-3, 3), min_size=1))
def test_integers_against_the_definition(values: list[int]) -> None:
    names = tuple(sorted(set(values) - {-1}))
    codes = [names.index(value) if value != -1 else NOISE for value in values]
    _agree(check(values), codes, names)


@given(st.lists(st.text(), min_size=1))
def test_texts_against_the_definition(values: list[str]) -> None:
    names = tuple(sorted(set(values) - {"-1"}))
    codes = [names.index(value) if value != "-1" else NOISE for value in values]
    _agree(check(values, "-1"), codes, names)


@pytest.mark.parametrize(
    "labels", [np.array([5, -1]), np.array([5.0, -1.0]), np.array(["a", "b"]), [1, 2]]
)
def test_labels_are_never_modified(labels: Any) -> None:
    before = list(labels)
    checked = check(labels)
    checked.codes[:] = 99
    assert list(labels) == before


# --- noise --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "noise_label", "n_noise"),
    [
        ([0, -1, -1], -1, 2),
        ([0, -1, -1], -1.0, 2),
        ([0, -1, -1], np.int8(-1), 2),
        ([0.0, -1.0], np.float32(-1), 1),
        ([0, -1, -1], None, 0),
        ([0, -1, -1], 0, 1),
        ([0, 1, 1], 99, 0),
        ([0, 1, 1], True, 0),
        ([0, 1, 1], "1", 0),
        (["0", "-1"], -1, 0),
        (["0", "-1"], "-1", 1),
        (["0", "-1"], b"-1", 1),
        ([b"0", b"-1"], np.str_("-1"), 1),
        ([True, False], -1, 0),
        ([True, False], 1, 0),
        ([True, False], 0, 0),
        ([True, False], True, 1),
        ([True, False, False], np.bool_(False), 2),
        (["", "a"], "", 1),
        ([2**63, 1], 2**63, 1),
        ([-1, -1], -1, 2),
    ],
)
def test_noise_is_matched_by_kind_and_value(labels: Any, noise_label: Any, n_noise: int) -> None:
    assert check(labels, noise_label).n_noise == n_noise


def test_only_noise_has_no_clusters() -> None:
    labels = check([-1, -1])
    _agree(labels, [-1, -1], ())


NOT_A_LABEL = "be one label (an integer, a string or a boolean) or None; got "
NOT_WHOLE = "be a whole number, a string or a boolean, as labels are; got "


@pytest.mark.parametrize(
    ("noise_label", "error", "words"),
    [
        ([-1], TypeError, f"{NOT_A_LABEL}[-1] (list)"),
        (np.array([-1]), TypeError, f"{NOT_A_LABEL}array([-1]) (ndarray)"),
        (1j, TypeError, f"{NOT_A_LABEL}1j (complex)"),
        (pd.NA, TypeError, f"{NOT_A_LABEL}<NA> (NAType)"),
        (np.nan, InvalidInputError, f"{NOT_WHOLE}nan"),
        (np.inf, InvalidInputError, f"{NOT_WHOLE}inf"),
        (0.5, InvalidInputError, f"{NOT_WHOLE}0.5"),
    ],
)
def test_bad_noise_label(noise_label: Any, error: type[Exception], words: str) -> None:
    message = f"noise_label of disco_score must {words}. Pass None if no point is noise."
    with pytest.raises(error, match=says(message)):
        check([0, 1], noise_label)


# --- messages -----------------------------------------------------------------------------------

LENGTH = "hold one label per point: 3 points,"
FLAT = "be one-dimensional; got one column (shape (3, 1)). Pass that column alone, for example "
ONE = "be one-dimensional, one label per point; got shape"
KINDS = "be integers, integral floats, strings or booleans; got"
ONE_KIND = "be of one kind; got"
CONVERT = "Convert all of them to strings or all to integers."
WHOLE = "be whole where they are numbers; got"
MEASURED = "Pass cluster labels, not measurements."


def _missing(number: str, first: int) -> str:
    remedy = "Give every point a label; the label of noise is noise_label."
    return f"be complete; {number} missing (first: position {first}). {remedy}"


BAD_VALUES: list[tuple[Any, str]] = [
    ([0] * 2, f"{LENGTH} 2 labels."),
    (np.zeros(1200, dtype=int), f"{LENGTH} 1,200 labels."),
    ([], f"{LENGTH} 0 labels."),
    (np.zeros((3, 1)), f"{FLAT}labels.ravel()."),
    (pd.DataFrame({"labels": [0, 1, 2]}), f"{FLAT}labels.ravel()."),
    ([[0, 1, 2]], f"{ONE} (1, 3)."),
    (1, f"{ONE} ()."),
    (None, f"{ONE} ()."),
    ([0.0, np.nan, np.nan], _missing("2 labels are", 1)),
    ([0, 1, None], _missing("1 label is", 2)),
    (["a", None, "b"], _missing("1 label is", 1)),
    (pd.Series([0, None, 1], dtype="Int64"), _missing("1 label is", 1)),
    (pd.Series(["a", None, "b"]), _missing("1 label is", 1)),
    (pd.Series([True, None, False], dtype="boolean"), _missing("1 label is", 1)),
    (pd.Categorical(["a", None, "b"]), _missing("1 label is", 1)),
    (pl.Series([None, 0, 1]), _missing("1 label is", 0)),
    (pl.Series([None, True, False]), _missing("1 label is", 0)),
    (np.ma.MaskedArray([0, 1, 2], mask=[False, True, True]), _missing("2 labels are", 1)),
    (np.ma.MaskedArray(["a", "b", "c"], mask=[False, True, False]), _missing("1 label is", 1)),
    (np.array([0, 1.5, 2.5]), f"{WHOLE} 1.5 at position 1. {MEASURED}"),
    ([0, 1, 2.5], f"{WHOLE} 2.5 at position 2. {MEASURED}"),
    ([0.0, np.inf, 1.0], f"{WHOLE} inf at position 1. {MEASURED}"),
    ([10**5000, 1, 2], "be integers that Python can write. Number the clusters 0, 1, 2."),
]
BAD_TYPES: list[tuple[Any, str]] = [
    ([1, 2, "a"], f"{ONE_KIND} 1 (int) at position 0 and 'a' (str) at position 2. {CONVERT}"),
    (
        np.array(["a", 1, 2], dtype=object),
        f"{ONE_KIND} 'a' (str) at position 0 and 1 (int) at position 1. {CONVERT}",
    ),
    ([True, 1, 0], f"{ONE_KIND} True (bool) at position 0 and 1 (int) at position 1. {CONVERT}"),
    ([[1], [2, 3], [4]], f"{KINDS} [1] (list) at position 0."),
    ([Decimal(1), Decimal(2), Decimal(3)], f"{KINDS} Decimal('1') (Decimal) at position 0."),
    (pl.Series([date(2026, 1, 1)] * 3).to_numpy(), f"{KINDS} an array of datetime64[D]."),
    (np.array([1j, 2, 3]), f"{KINDS} an array of complex128."),
    (sparse.csr_array((1, 3)), "be dense; got a sparse csr_array. Pass labels.toarray()."),
]


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [(labels, InvalidInputError, words) for labels, words in BAD_VALUES]
    + [(labels, TypeError, words) for labels, words in BAD_TYPES],
)
def test_bad_labels(labels: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=says(f"labels of disco_score must {words}")):
        check(labels, n_points=3)


def test_text_that_is_none_is_refused() -> None:
    text = np.array([0x110000, 97, 98], np.uint32).view("U1")  # as a file may hold
    with pytest.raises(InvalidInputError, match="labels of disco_score must hold text of Unicode"):
        check(text)


def test_checked_labels_pass_through() -> None:
    labels = check_labels(["a", "b", "x"], 3, "x", "f")
    assert check_labels(labels, 3, -1, "f") is labels
    with pytest.raises(
        InvalidInputError,
        match=says(f"labels of f must {LENGTH} 3 labels.".replace("3 points", "1 point")),
    ):
        check_labels(labels, 1, -1, "f")
