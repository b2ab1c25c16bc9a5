"""Labels: every accepted form gives the same codes, everything else one clear message."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from collections.abc import Callable
from helpers.messages import says

pytestmark = pytest.mark.small


def check(labels: Any, noise_label: Any = -1, n_points: int | None = None) -> Labels:
    n = len(labels) if n_points is None else n_points
    return check_labels(labels, n, noise_label, "disco_score")


# --- forms --------------------------------------------------------------------------------------

NUMBERS = [7, -1, 3, 7, 7, -1]

NUMBER_FORMS: dict[str, Callable[[], Any]] = {
    "list": lambda: NUMBERS,
    "tuple": lambda: tuple(NUMBERS),
    "list of floats": lambda: [float(v) for v in NUMBERS],
    "list of both": lambda: [float(v) if v > 3 else v for v in NUMBERS],
    "list of numpy integers": lambda: list(np.array(NUMBERS, dtype=np.int16)),
    "int8": lambda: np.array(NUMBERS, dtype=np.int8),
    "int32": lambda: np.array(NUMBERS, dtype=np.int32),
    "int64": lambda: np.array(NUMBERS),
    "other byte order": lambda: np.array(NUMBERS, dtype=">i4"),
    "float16": lambda: np.array(NUMBERS, dtype=np.float16),
    "float64": lambda: np.array(NUMBERS, dtype=np.float64),
    "long double": lambda: np.array(NUMBERS, dtype=np.longdouble),
    "objects": lambda: np.array(NUMBERS, dtype=object),
    "strided": lambda: np.repeat(NUMBERS, 2)[::2],
    "unmasked": lambda: np.ma.MaskedArray(NUMBERS),
    "pandas series": lambda: pd.Series(NUMBERS, index=range(10, 16)),
    "pandas index": lambda: pd.Index(NUMBERS),
    "pandas nullable": lambda: pd.Series(NUMBERS, dtype="Int64"),
    "pandas arrow": lambda: pd.Series(NUMBERS, dtype="int64[pyarrow]"),
    "pandas categorical": lambda: pd.Categorical(NUMBERS, categories=[7, 3, -1, 99]),
    "pandas categorical series": lambda: pd.Series(NUMBERS).astype("category"),
    "polars": lambda: pl.Series(NUMBERS),
    "narwhals": lambda: nw.from_native(pl.Series(NUMBERS), series_only=True),
    "arrow": lambda: pa.array(NUMBERS),
    "arrow chunks": lambda: pa.chunked_array([NUMBERS[:2], NUMBERS[2:]]),
}

TEXTS = ["b", "noise", "a", "b", "b", "noise"]

TEXT_FORMS: dict[str, Callable[[], Any]] = {
    "list": lambda: TEXTS,
    "array": lambda: np.array(TEXTS),
    "bytes": lambda: np.array([text.encode() for text in TEXTS]),
    "list of bytes": lambda: [text.encode() for text in TEXTS],
    "list of numpy strings": lambda: list(np.array(TEXTS)),
    "objects": lambda: np.array(TEXTS, dtype=object),
    "pandas": lambda: pd.Series(TEXTS),
    "pandas categorical": lambda: pd.Categorical(TEXTS, categories=["noise", "b", "a"]),
    "polars": lambda: pl.Series(TEXTS),
    "polars categorical": lambda: pl.Series(TEXTS, dtype=pl.Categorical),
    "polars enum": lambda: pl.Series(TEXTS, dtype=pl.Enum(["noise", "b", "a"])),
    "arrow": lambda: pa.array(TEXTS),
    "arrow dictionary": lambda: pa.array(TEXTS).dictionary_encode(),
}

TRUTHS = [True, False, False, True, True, False]

TRUTH_FORMS: dict[str, Callable[[], Any]] = {
    "list": lambda: TRUTHS,
    "array": lambda: np.array(TRUTHS),
    "strided": lambda: np.repeat(TRUTHS, 2)[::2],
    "objects": lambda: np.array(TRUTHS, dtype=object),
    "list of numpy booleans": lambda: list(np.array(TRUTHS)),
    "pandas": lambda: pd.Series(TRUTHS),
    "pandas nullable": lambda: pd.Series(TRUTHS, dtype="boolean"),
    "polars": lambda: pl.Series(TRUTHS),
}


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


@pytest.mark.parametrize("form", NUMBER_FORMS)
def test_numbers_of_every_form(form: str) -> None:
    _agree(check(NUMBER_FORMS[form]()), [1, -1, 0, 1, 1, -1], (3, 7))


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_texts_of_every_form(form: str) -> None:
    _agree(check(TEXT_FORMS[form](), "noise"), [1, -1, 0, 1, 1, -1], ("a", "b"))


@pytest.mark.parametrize("form", TRUTH_FORMS)
def test_truths_of_every_form(form: str) -> None:
    _agree(check(TRUTH_FORMS[form]()), [1, 0, 0, 1, 1, 0], (False, True))


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
    values = np.arange(-128, 128, dtype=np.int8)
    labels = check(np.repeat(values, 3))
    assert labels.names == tuple(name for name in range(-128, 128) if name != -1)
    assert labels.n_noise == 3
    largest = np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64)
    assert check(largest).names == (2**64 - 2, 2**64 - 1)


def test_floats_beyond_64_bit_integers() -> None:
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


def test_labels_are_frozen() -> None:
    labels = check([1, 2])
    with pytest.raises(AttributeError):
        labels.names = ()  # type: ignore[misc]


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


NOT_A_LABEL = (
    "noise_label of disco_score must be one label (an integer, a string or a boolean) or None; got "
)
NOT_WHOLE = (
    "noise_label of disco_score must be a whole number, a string or a boolean, as labels are; got "
)
NO_NOISE = " Pass None if no point is noise."


@pytest.mark.parametrize(
    ("noise_label", "error", "message"),
    [
        ([-1], TypeError, f"{NOT_A_LABEL}[-1] (list).{NO_NOISE}"),
        (np.array([-1]), TypeError, f"{NOT_A_LABEL}array([-1]) (ndarray).{NO_NOISE}"),
        (1j, TypeError, f"{NOT_A_LABEL}1j (complex).{NO_NOISE}"),
        (pd.NA, TypeError, f"{NOT_A_LABEL}<NA> (NAType).{NO_NOISE}"),
        (np.nan, InvalidInputError, f"{NOT_WHOLE}nan.{NO_NOISE}"),
        (np.inf, InvalidInputError, f"{NOT_WHOLE}inf.{NO_NOISE}"),
        (0.5, InvalidInputError, f"{NOT_WHOLE}0.5.{NO_NOISE}"),
    ],
)
def test_bad_noise_label(noise_label: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=says(message)):
        check([0, 1], noise_label)


# --- messages -----------------------------------------------------------------------------------

MISSING = "Give every point a label; the label of noise is noise_label."
KINDS = "labels of disco_score must be integers, integral floats, strings or booleans; got "
ONE_KIND = "labels of disco_score must be of one kind; got "
CONVERT = "Convert all of them to strings or all to integers."
WHOLE = "labels of disco_score must be whole where they are numbers; got "
MEASURED = "Pass cluster labels, not measurements."


def _missing(number: str, first: int) -> str:
    return (
        f"labels of disco_score must be complete; {number} missing (first: position {first}). "
        f"{MISSING}"
    )


BAD_LABELS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "too few": (
        lambda: [0] * 2,
        InvalidInputError,
        "labels of disco_score must hold one label per point: 3 points, 2 labels.",
    ),
    "too many": (
        lambda: np.zeros(1200, dtype=int),
        InvalidInputError,
        "labels of disco_score must hold one label per point: 3 points, 1,200 labels.",
    ),
    "empty": (
        list,
        InvalidInputError,
        "labels of disco_score must hold one label per point: 3 points, 0 labels.",
    ),
    "one column": (
        lambda: np.zeros((3, 1)),
        InvalidInputError,
        "labels of disco_score must be one-dimensional; got one column (shape (3, 1)). "
        "Pass that column alone, for example labels.ravel().",
    ),
    "frame of one column": (
        lambda: pd.DataFrame({"labels": [0, 1, 2]}),
        InvalidInputError,
        "labels of disco_score must be one-dimensional; got one column (shape (3, 1)). "
        "Pass that column alone, for example labels.ravel().",
    ),
    "two-dimensional": (
        lambda: [[0, 1, 2]],
        InvalidInputError,
        "labels of disco_score must be one-dimensional, one label per point; got shape (1, 3).",
    ),
    "a number": (
        lambda: 1,
        InvalidInputError,
        "labels of disco_score must be one-dimensional, one label per point; got shape ().",
    ),
    "none": (
        lambda: None,
        InvalidInputError,
        "labels of disco_score must be one-dimensional, one label per point; got shape ().",
    ),
    "missing float": (
        lambda: [0.0, np.nan, np.nan],
        InvalidInputError,
        _missing("2 labels are", 1),
    ),
    "missing in list": (lambda: [0, 1, None], InvalidInputError, _missing("1 label is", 2)),
    "missing text": (lambda: ["a", None, "b"], InvalidInputError, _missing("1 label is", 1)),
    "missing pandas": (
        lambda: pd.Series([0, None, 1], dtype="Int64"),
        InvalidInputError,
        _missing("1 label is", 1),
    ),
    "missing pandas text": (
        lambda: pd.Series(["a", None, "b"]),
        InvalidInputError,
        _missing("1 label is", 1),
    ),
    "missing pandas boolean": (
        lambda: pd.Series([True, None, False], dtype="boolean"),
        InvalidInputError,
        _missing("1 label is", 1),
    ),
    "missing category": (
        lambda: pd.Categorical(["a", None, "b"]),
        InvalidInputError,
        _missing("1 label is", 1),
    ),
    "missing polars": (
        lambda: pl.Series([None, 0, 1]),
        InvalidInputError,
        _missing("1 label is", 0),
    ),
    "missing polars boolean": (
        lambda: pl.Series([None, True, False]),
        InvalidInputError,
        _missing("1 label is", 0),
    ),
    "masked": (
        lambda: np.ma.MaskedArray([0, 1, 2], mask=[False, True, True]),
        InvalidInputError,
        _missing("2 labels are", 1),
    ),
    "masked text": (
        lambda: np.ma.MaskedArray(["a", "b", "c"], mask=[False, True, False]),
        InvalidInputError,
        _missing("1 label is", 1),
    ),
    "fractions": (
        lambda: np.array([0, 1.5, 2.5]),
        InvalidInputError,
        f"{WHOLE}1.5 at position 1. {MEASURED}",
    ),
    "fractions among objects": (
        lambda: [0, 1, 2.5],
        InvalidInputError,
        f"{WHOLE}2.5 at position 2. {MEASURED}",
    ),
    "infinity": (
        lambda: [0.0, np.inf, 1.0],
        InvalidInputError,
        f"{WHOLE}inf at position 1. {MEASURED}",
    ),
    "number and text": (
        lambda: [1, 2, "a"],
        TypeError,
        f"{ONE_KIND}1 (int) at position 0 and 'a' (str) at position 2. {CONVERT}",
    ),
    "objects of two kinds": (
        lambda: np.array(["a", 1, 2], dtype=object),
        TypeError,
        f"{ONE_KIND}'a' (str) at position 0 and 1 (int) at position 1. {CONVERT}",
    ),
    "boolean and number": (
        lambda: [True, 1, 0],
        TypeError,
        f"{ONE_KIND}True (bool) at position 0 and 1 (int) at position 1. {CONVERT}",
    ),
    "lists": (lambda: [[1], [2, 3], [4]], TypeError, f"{KINDS}[1] (list) at position 0."),
    "decimals": (
        lambda: [Decimal(1), Decimal(2), Decimal(3)],
        TypeError,
        f"{KINDS}Decimal('1') (Decimal) at position 0.",
    ),
    "dates": (
        lambda: pl.Series([date(2026, 1, 1)] * 3).to_numpy(),
        TypeError,
        f"{KINDS}an array of datetime64[D].",
    ),
    "complex": (lambda: np.array([1j, 2, 3]), TypeError, f"{KINDS}an array of complex128."),
    "sparse": (
        lambda: sparse.csr_array((1, 3)),
        TypeError,
        "labels of disco_score must be dense; got a sparse csr_array. Pass labels.toarray().",
    ),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_bad_labels(case: str) -> None:
    make, error, message = BAD_LABELS[case]
    with pytest.raises(error, match=says(message)):
        check(make(), n_points=3)


def test_a_single_point_in_the_message() -> None:
    message = "labels of explain must hold one label per point: 1 point, 2 labels."
    with pytest.raises(InvalidInputError, match=says(message)):
        check_labels([0, 1], 1, -1, "explain")


def test_checked_labels_pass_through() -> None:
    labels = check_labels(["a", "b", "x"], 3, "x", "f")
    assert check_labels(labels, 3, -1, "f") is labels
    message = r"^labels of f must hold one label per point: 4 points, 3 labels\.$"
    with pytest.raises(InvalidInputError, match=message):
        check_labels(labels, 4, -1, "f")
