"""Text of every layout: separators, quotes, headers, gaps."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi.cli.tables import ReadOptions, plain_text, read_points, text
from disco_cvi.cli.tables.text import TextTable
from disco_cvi.exceptions import InvalidInputError
from helpers.zoo import examples

pytestmark = pytest.mark.small


Write = Callable[..., str]


EXPECTED = np.array([[1.5, 2.0], [-3.0, 4e2], [5.0, 0.25]])


# --- layouts of text ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name"),
    [
        pytest.param("x,y\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="comma"),
        pytest.param("1.5,2\n-3,4e2\n5,.25", "a.csv", id="no header, no last line end"),
        pytest.param("x;y\n1.5;2\n-3;4e2\n5;.25\n", "a.csv", id="semicolon"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n", "a.tsv", id="tab"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n", "a.csv", id="tab in csv"),
        pytest.param("1.5 2\n-3   4e2\n  5 .25 \n", "a.txt", id="blanks"),
        pytest.param("x y\n1.5 2\n-3 4e2\n5 .25\n", "a.dat", id="blanks with header"),
        pytest.param("# made by hand\n\n1.5, 2\n\n-3, 4e2\n5, .25\n\n", "a.csv", id="comments"),
        pytest.param("x,y\r\n1.5,2\r\n-3,4e2\r\n5,.25\r\n", "a.csv", id="crlf"),
        pytest.param("x,y\r1.5,2\r-3,4e2\r5,.25\r", "a.csv", id="cr"),
        pytest.param("\ufeffx,y\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="byte order mark"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n".encode("utf-16"), "a.txt", id="utf-16"),
        pytest.param('"x, cm",y\n"1.5",2\n"-3","4e2"\n5,.25\n', "a.csv", id="quotes"),
        pytest.param("x,y\n 1.5 , 2 \n -3 ,4e2\n5,.25 \n", "a.csv", id="padded"),
        pytest.param(gzip.compress(b"x,y\n1.5,2\n-3,4e2\n5,.25\n"), "a.csv.gz", id="gzip"),
        pytest.param("x,y\n1.5,2\n-3,4e2\n5,.25\n", "no_ending", id="no ending"),
        pytest.param("x,1\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="half a header"),
    ],
)
def test_points_are_read_from_every_layout(write: Write, content: str | bytes, name: str) -> None:
    file = read_points(write(content, name))
    assert file.points.dtype == np.float64
    assert file.points.flags.c_contiguous
    assert file.points.tolist() == EXPECTED.tolist()
    assert file.labelings == {}
    assert file.notes == ()


def test_names_become_features(write: Write) -> None:
    assert read_points(write('"a b",y\n1,2\n3,4\n')).features == ("a b", "y")
    assert read_points(write("1,2\n3,4\n")).features == ("1", "2")


def test_one_column_is_one_feature(write: Write) -> None:
    assert read_points(write("0\n1\n5\n")).points.tolist() == [[0.0], [1.0], [5.0]]
    assert read_points(write("height\n0\n1\n")).points.tolist() == [[0.0], [1.0]]


def test_one_row_is_a_point(write: Write) -> None:
    assert read_points(write("1,2\n")).points.tolist() == [[1.0, 2.0]]


def test_points_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x,y\n1,2\n3,4\n")))
    file = read_points("-")
    assert file.points.tolist() == [[1, 2], [3, 4]]
    assert file.source == "standard input"


# --- header ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["0,1\n0.5,1.5\n2.5,3.5\n", "0,1\n0.5,7\n2.5,8\n"])
def test_names_that_pandas_gives_are_a_header_and_noted(write: Write, content: str) -> None:
    file = read_points(write(content))
    assert file.points[:, 0].tolist() == [0.5, 2.5]
    assert "say --header no" in file.notes[0]


@pytest.mark.parametrize("content", ["0,1\n2,3\n4,5\n", "0\n0.5\n1.5\n", "1,2\n1.5,2.5\n"])
def test_other_rows_of_numbers_are_points(write: Write, content: str | bytes) -> None:
    file = read_points(write(content))
    assert len(file.points) == len(content.splitlines())


def test_header_may_be_said(write: Write) -> None:
    name = write("0,1\n0.5,1.5\n2.5,3.5\n")
    assert len(read_points(name, ReadOptions(header=False)).points) == 3
    assert read_points(name, ReadOptions(header=False)).notes == ()
    assert read_points(write("7,8\n1,2\n"), ReadOptions(header=True)).features == ("7", "8")


def test_a_wanted_name_makes_a_header(write: Write) -> None:
    file = read_points(write("2019,2020,group\n1,2,a\n3,4,b\n"), label_columns=["group"])
    assert file.points.tolist() == [[1, 2], [3, 4]]


def test_missing_values_do_not_hide_a_header(write: Write) -> None:
    with pytest.raises(InvalidInputError, match=r"1 row \(first: line 2, column 'y'\)"):
        read_points(write("x,y\n1,\n3,4\n"))


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("", "a.csv", r"a\.csv holds no data"),
        ("# nothing\n\n", "a.csv", "holds no data"),
        ("x,y\n", "a.csv", "column names but no points"),
        ("x,y\n1,2\n3\n", "a.csv", "line 3 holds 1 value, but line 1 holds 2"),
        ("# hm\nx,y\n\n1,2\n3,4,5\n", "a.csv", "line 5 holds 3 values, but line 2 holds 2"),
        ("1 2\n3 4 5\n", "a.txt", "line 2 holds 3 values, but line 1 holds 2"),
        ("x,y\n1,2\n3,four\n", "a.csv", r"'y' is not numeric \(line 3 holds 'four'\).*--drop y"),
        ("x,my col\n1,2\n3,four\n", "a.csv", r"--drop 'my col'"),
        ("1,a\n2,b\n", "a.csv", r"column 2 is not numeric \(line 1 holds 'a'\).*--drop 2"),
        ("x;y\n1,5;2\n3.5;4\n", "a.csv", r"decimal comma \(1,5, line 2\)\. Say --decimal , or"),
        ("x,y\n1,2\n3,nan\n4,\n", "a.csv", r"in 2 rows \(first: line 3, column 'y'\)"),
        ("x,y\n1,2\n3,1e999\n", "a.csv", "missing or infinite values in 1 row"),
        (b"x,y\n\xe9\x01,1\n", "a.csv", "is not UTF-8 text.*--encoding"),
        (b"PK\x00\x01\x00", "a.csv", "is not a text file"),
        (b"not packed", "a.csv.gz", "cannot be unpacked"),
        (gzip.compress(b"x,y\n1,2\n" * 99, mtime=0)[:-9], "a.csv.gz", "cannot be unpacked"),
        ("x,y\n1,1_000\n2,3\n", "a.csv", "line 2 holds '1_000'"),
        ('x,"y\ncm"\n1,2\n3,"no"\n', "a.csv", r"column 'y\\ncm' is not numeric \(line 4 holds"),
        ('x,y\n1,2\n3,"4\n5,6\n', "a.csv", "line 4 holds '4"),
        ('x,y\n1,"' + "2" * 200_000, "a.csv", "cannot be read as CSV: field larger"),
        (b"", "a.npz", r"\.npz files are not read.*numpy\.save"),
        (b"", "a.xlsx", "Save the sheet as CSV"),
    ],
)
def test_unusable_files_are_refused_with_reason_and_place(
    write: Write, content: str | bytes, name: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content, name))


@examples(1000)
@given(st.text(alphabet='01.,;\t \n"#-ax', max_size=30))
def test_any_text_is_a_table_or_refused(text: str) -> None:
    try:
        table = TextTable(text.encode(), "file")
        numbers = table.matrix(range(table.width)) if table.n_rows else np.empty((0, table.width))
    except InvalidInputError:
        return
    assert numbers.shape == (table.n_rows, table.width)


def test_wide_files(write: Write) -> None:
    names = ",".join(f'"feature {j}"' for j in range(20_000))
    row = ",".join(map(str, range(20_000)))
    for header in ("", names + "\n"):
        file = read_points(write(header + row + "\n" + row + "\n"))
        assert file.points.shape == (2, 20_000)


def test_many_rows_with_text_labels_match(write: Write) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(2000, 3))
    labels = rng.choice(["a b", "c", "-1"], 2000)
    rows = "".join(
        f"{x!r},{label},{y!r},{z!r}\n"
        for (x, y, z), label in zip(points.tolist(), labels, strict=True)
    )
    file = read_points(write("x,who,y,z\n" + rows), label_columns=["who"])
    assert np.array_equal(file.points, points)
    assert np.array_equal(file.labelings["who"], labels)


# --- no more than is allowed ----------------------------------------------------------------------


@pytest.mark.parametrize("least_bytes", [0, 1 << 20], ids=["pyarrow", "Python"])
@pytest.mark.parametrize("header", ["", "x,y\n"])
def test_values_are_counted_as_the_numbers_that_they_become(
    write: Write, monkeypatch: pytest.MonkeyPatch, header: str, least_bytes: int
) -> None:
    monkeypatch.setattr(plain_text, "LEAST_BYTES", least_bytes)
    name = write(header + "0,1\n" * 1000)
    enough = 8 * 1000 * 2
    assert len(read_points(name, ReadOptions(most_bytes=enough)).points) == 1000
    with pytest.raises(InvalidInputError, match=r"points\.csv holds more than 15999 bytes"):
        read_points(name, ReadOptions(most_bytes=enough - 1))


def test_rows_beyond_the_limit_are_not_cut(write: Write) -> None:
    name = write("0,1\n" * 10_000 + "a row of one value\n")
    with pytest.raises(InvalidInputError, match="line 10001 holds 1 value"):
        read_points(name)
    with pytest.raises(InvalidInputError, match="holds more than 48 KiB"):
        read_points(name, ReadOptions(most_bytes=48 << 10))


def test_missing_values_are_not_tried_as_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five million empty cells took half a minute, most of it in refusals of `float`."""
    table = TextTable(b"1,\n,2\nNA,?\n", "file")
    monkeypatch.setattr(text, "as_number", lambda cell, _: {"1": 1.0, "2": 2.0}[cell])
    expected = [[1, np.nan], [np.nan, 2], [np.nan, np.nan]]
    assert np.array_equal(table.matrix([0, 1]), expected, equal_nan=True)
