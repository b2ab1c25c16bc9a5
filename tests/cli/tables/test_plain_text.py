"""Large plain text is read by pyarrow, and nobody sees a difference."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi.cli.tables import plain_text
from disco_cvi.cli.tables.options import ReadOptions
from disco_cvi.cli.tables.text import TextTable
from disco_cvi.exceptions import InvalidInputError
from helpers.zoo import examples

pytestmark = pytest.mark.small

NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr)
OTHERS = st.sampled_from(
    ["0", "-1", "1,5", ".5", "5.", "+5", " 7 ", "1_0", "0x1A", "1e999", "nan", "inf", "", " "]
    + ["NA", "a", "é", '"a"', "'a'", "\0", "\xa0", "#", "1d5", "infinity", "1\u2003", "1.5.2"]
)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Tables of numbers, most of them plain."""
    separator, end = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    cells = st.one_of(NUMBERS, NUMBERS, OTHERS) if draw(st.booleans()) else NUMBERS
    width = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width), max_size=5))
    if draw(st.booleans()):
        rows.insert(0, draw(st.lists(st.sampled_from(["x", '"y"', "a b", "", "0"]), min_size=1)))
    if rows and draw(st.integers(0, 3)) == 0:
        draw(st.sampled_from(rows)).append("7")
    text = end.join(separator.join(row) for row in rows) + draw(st.sampled_from(["", "\n", "\r"]))
    return (draw(st.sampled_from(["", "\ufeff", "\n", " \n"])) + text).encode()


def everything(raw: bytes, options: ReadOptions) -> list[Any]:
    """All that a table says, or the words in which it is refused."""
    try:
        table = TextTable(raw, "file", options)
        columns = [table.texts(j) for j in range(table.width)]
    except InvalidInputError as error:
        return [str(error)]
    numbers = [matrix_of(table, j) for j in range(table.width)]
    return [table.names, table.width, table.n_rows, table.notes, columns, numbers]


def matrix_of(table: TextTable, position: int) -> Any:
    try:
        return table.matrix([position]).tobytes()
    except InvalidInputError as error:
        return str(error)


@examples(1000)
@given(texts(), st.sampled_from([None, True, False]), st.sampled_from([None, ".", ","]))
def test_pyarrow_reads_what_python_reads(
    raw: bytes, header: bool | None, decimal: str | None
) -> None:
    options = ReadOptions(header=header, decimal=decimal)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_text, "LEAST_BYTES", 0)
        fast = everything(raw, options)
        patch.setitem(sys.modules, "pyarrow.csv", None)
        without = everything(raw, options)
        patch.setattr(plain_text, "LEAST_BYTES", 1 << 40)
        assert fast == without == everything(raw, options)


@pytest.mark.parametrize("decimal", [".", ","])
def test_plain_numbers_are_those_of_python_to_the_last_bit(
    monkeypatch: pytest.MonkeyPatch, decimal: str
) -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(1000, 2)) * 10.0 ** rng.integers(-300, 300, (1000, 2))
    lines = ["x;y", *(f"{x!r};{y!r}".replace(".", decimal) for x, y in numbers.tolist())]
    raw = "\n".join(lines).encode()
    monkeypatch.setattr(plain_text, "LEAST_BYTES", 0)
    table = TextTable(raw, "file")
    assert table.decimal == decimal
    monkeypatch.setattr(TextTable, "_rows", None)  # Python does not look at the rows
    assert np.array_equal(table.matrix([0, 1]), numbers)
    assert np.array_equal(table.matrix([1]), numbers[:, 1:])
    assert table.texts(0)[-1] == lines[-1].split(";")[0]


def test_pyarrow_is_not_imported_for_small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.csv", None)
    assert TextTable(b"1,2\n3,4\n", "file").matrix([1]).tolist() == [[2], [4]]


@pytest.mark.parametrize(
    ("text", "n_rows"),
    [
        (b"x,y\n1,2\n3,4\n", 3),
        (b'"x",y\r\n1,2', 2),
        (b"x,y\n#,2\n3,4\n", None),
        (b'x,y\n"1",2\n', None),
        (b"x,y\n1,2\r3,4\n", None),
        (b"\n1,2\n", None),
        (b"x,y\n1,2\n\n", None),
        (b"x,y\n1\n", None),
    ],
)
def test_what_is_plain(monkeypatch: pytest.MonkeyPatch, text: bytes, n_rows: int | None) -> None:
    monkeypatch.setattr(plain_text, "LEAST_BYTES", 0)
    assert plain_text.PlainText(text, ",", ".", 2).count_rows() == n_rows


@pytest.mark.parametrize(("width", "n_rows"), [(1000, 2), (1001, None)])
def test_wide_text_is_left_to_python(
    monkeypatch: pytest.MonkeyPatch, width: int, n_rows: int | None
) -> None:
    """A hundred thousand columns, each with its own buffers, took pyarrow half a gigabyte."""
    monkeypatch.setattr(plain_text, "LEAST_BYTES", 0)
    text = (b"1," * (width - 1) + b"1\n") * 2
    assert plain_text.PlainText(text, ",", ".", width).count_rows() == n_rows
