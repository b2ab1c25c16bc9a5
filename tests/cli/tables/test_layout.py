"""Separators, decimal commas and encodings: found by looking, or said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from disco_cvi.cli.tables import ReadOptions, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


EXPECTED = [[1.5, 2.0], [-3.0, 4e2], [5.0, 0.25]]


# --- decimal commas -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "example"),
    [
        pytest.param("x;y\n1,5;2\n-3;4e2\n5;,25\n", "1,5", id="semicolon"),
        pytest.param("1,5;2\n-3,0;4e2\n5,0;,25\n", "-3,0", id="no header"),
        pytest.param("x\ty\n1,5\t2,0\n-3,0\t400,0\n5,0\t0,25\n", "1,5", id="tab"),
        pytest.param('x,y\n"1,5",2\n-3,4e2\n5,"0,25"\n', "1,5", id="quotes"),
        pytest.param("x;y\n 1,5 ; 2,0 \n-3,0;4e2\n5;0,25\n", "1,5", id="padded"),
    ],
)
def test_decimal_commas_are_read_and_noted(write: Write, content: str, example: str) -> None:
    file = read_points(write(content))
    assert file.points.tolist() == EXPECTED
    (note,) = file.notes
    assert note == (
        f"points.csv: numbers have a decimal comma ({example}) and were read so; if the comma "
        "separates thousands, write them without it."
    )
    assert file.table.decimal == ","
    assert read_points("points.csv", ReadOptions(decimal=",")).points.tolist() == EXPECTED
    assert read_points("points.csv", ReadOptions(decimal=",")).notes == ()


def test_a_decimal_comma_that_is_said_separates_nothing(write: Write) -> None:
    options = ReadOptions(decimal=",")
    assert read_points(write("x\n1,5\n2,5\n"), options).points.tolist() == [[1.5], [2.5]]
    blanks = read_points(write("1,5 2\n-3 4e2\n5,0 0,25\n", "a.txt"), options)
    assert blanks.points.tolist() == EXPECTED
    with pytest.raises(InvalidInputError, match=r"decimal comma \(1,5, line 2\)\. Say --decimal ,"):
        read_points(write("x;y\n1,5;2\n"), ReadOptions(decimal="."))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x;y\n1,5;2\n1.234,5;2\n", r"number with a point \(1\.234,5, line 3\)"),
        ("x;y\n1,5;2\n2.5;2\n", r"number with a point \(2\.5, line 3\)"),
        ("x;y\n1,5;2\n1,2,3;2\n", r"column 'x' is not numeric \(line 3 holds '1,2,3'\)"),
        ("x;y\n1,5;2\n;2\n", r"missing or infinite values in 1 row \(first: line 3"),
    ],
)
def test_what_decimal_commas_do_not_allow(write: Write, content: str, expected: str) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content), ReadOptions(decimal=","))


def test_a_late_decimal_comma_names_the_remedy(write: Write) -> None:
    name = write("x;y\n" + "1;2\n" * 60 + "1,5;2\n")
    with pytest.raises(InvalidInputError, match=r"\(1,5, line 62\)\. Say --decimal ,"):
        read_points(name)


def test_labels_with_decimal_commas_are_numbers(write: Write) -> None:
    file = read_points(write("x;k\n1,5;1,0\n2,5;2,0\n"), label_columns=["k"])
    assert file.labelings["k"].tolist() == [1, 2]


# --- separators -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "separator"),
    [
        ("1.5|2\n-3|4e2\n5|.25\n", "|"),
        ("a,b;y\n1.5;2\n-3;4e2\n5;.25\n", ";"),
        ("1.5\t2\n-3\t4e2\n5\t.25\n", "tab"),
        ("1.5\t2\n-3\t4e2\n5\t.25\n", r"\t"),
        ("1.5\t2\n-3   4e2\n5 .25\n", "space"),
        ("x y\n1.5 2\n-3 4e2\n5 .25\n", " "),
    ],
)
def test_a_separator_may_be_said(write: Write, content: str, separator: str) -> None:
    options = ReadOptions(separator=separator)
    for name in ("a.csv", "a.tsv"):
        assert read_points(write(content, name), options).points.tolist() == EXPECTED


# --- encodings ------------------------------------------------------------------------------------

WORDS = "größe,Länge\n1.5,2\n-3,4e2\n5,.25\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks_and_utf_8_are_known(write: Write, encoding: str) -> None:
    file = read_points(write(WORDS.encode(encoding)))
    assert file.features == ("größe", "Länge")
    assert file.points.tolist() == EXPECTED
    assert file.notes == ()


def test_latin_1_is_guessed_and_noted(write: Write) -> None:
    file = read_points(write(WORDS.encode("latin-1")))
    assert file.features == ("größe", "Länge")
    (note,) = file.notes
    assert note == (
        "points.csv is not UTF-8 text and was read as Windows-1252 (Latin-1); if its words look "
        "wrong, name its encoding with --encoding."
    )


@pytest.mark.parametrize(
    "encoding", ["latin-1", "utf-16-le", "utf-16-be", "cp437", "utf-8", "UTF8"]
)
def test_an_encoding_may_be_said(write: Write, encoding: str) -> None:
    file = read_points(write(WORDS.encode(encoding)), ReadOptions(encoding=encoding))
    assert file.features == ("größe", "Länge")
    assert file.points.tolist() == EXPECTED
    assert file.notes == ()


def test_a_mark_is_no_part_of_a_name_where_utf_8_is_said(write: Write) -> None:
    file = read_points(write(WORDS.encode("utf-8-sig")), ReadOptions(encoding="utf-8"))
    assert file.features == ("größe", "Länge")


@pytest.mark.parametrize(
    ("raw", "encoding", "expected"),
    [
        (b"x\n\xff\n", "utf-8", "points.csv is not utf-8 text. Save it as UTF-8, or name"),
        (b"\xff\xfex\0\n\0\x31", None, "points.csv is not UTF-16 text"),
        (b"\x89PNG\r\n\x1a\n\xff\x01", None, "points.csv is not UTF-8 text"),
        (b"x\0y\0", None, "points.csv is not a text file. Files may be .csv, .*--encoding"),
    ],
)
def test_text_that_cannot_be_decoded(
    write: Write, raw: bytes, encoding: str | None, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(raw), ReadOptions(encoding=encoding))
