"""Rows that have names: labels of another file are joined by them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from disco_cvi.cli.tables import PointsFile, ReadOptions, read_labels, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


BY_ID = ReadOptions(id_column="id")
POINTS = "id,x\na,1\nb,2.5\nc,3\n"


@pytest.fixture
def named(write: Write) -> PointsFile:
    """Three points that have names."""
    return read_points(write(POINTS), BY_ID)


def test_an_id_is_no_feature(named: PointsFile) -> None:
    assert named.row_names == ("a", "b", "c")
    assert named.features == ("x",)
    assert read_points("points.csv", ReadOptions(drop=("id",))).row_names is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("id,k\na,1\nb,2\nc,3\n", [1, 2, 3], id="same order"),
        pytest.param("id,k\nc,3\na,1\nb,2\n", [1, 2, 3], id="other order"),
        pytest.param("k;id\nz;c\nx;a\ny;b\n", ["x", "y", "z"], id="other layout"),
    ],
)
def test_labels_are_joined_by_id(
    write: Write, named: PointsFile, content: str, expected: list[int | str]
) -> None:
    for columns in ([], ["k"]):
        labels = read_labels(write(content, "labels.csv"), named, BY_ID, columns=columns)
        assert labels.labels.tolist() == expected
        assert labels.notes == ()


def test_numbers_are_the_same_ids_in_all_types(write: Write) -> None:
    file = read_points(write("id,x\n7,1\n8,2\n-9,4\n"), BY_ID)
    assert file.row_names == ("7", "8", "-9")
    rows = '{"id": 8.0, "k": "b"}\n{"id": "7", "k": "a"}\n{"id": -9, "k": "c"}\n'
    labels = read_labels(write(rows, "labels.jsonl"), file, BY_ID)
    assert labels.labels.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (
            "id,k\na,1\nb,2\nb,2\nc,3\n",
            r"labels.csv: column 'id' holds 1 id more than once \(first: 'b', line 3 and line 4\)",
        ),
        (
            "id,k\nc,3\n",
            r"labels.csv has no label for 2 ids of points.csv \('a', 'b'\)\. Add their rows",
        ),
        (
            "id,k\na,1\nb,2\nc,3\nd,4\ne,5\nf,6\ng,7\n",
            r"has labels for 4 ids that points.csv does not have \('d', 'e', 'f', ...\)\. Leave",
        ),
        ("id,k\na,1\n,2\nc,3\n", r"column 'id' holds no id in 1 row \(first: line 3\)"),
        ("id,k,l\na,1,1\nb,2,1\nc,3,1\n", "holds 3 columns .*Choose it with --label-column"),
    ],
)
def test_ids_that_do_not_fit_are_refused(
    write: Write, named: PointsFile, content: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_labels(write(content, "labels.csv"), named, BY_ID)


def test_ids_of_points_must_be_there_and_differ(write: Write) -> None:
    with pytest.raises(InvalidInputError, match=r"'7', line 2 and line 4\)\. Ids must be unique"):
        read_points(write("id,x\n7,1\n8,2\n7.0,3\n"), BY_ID)
    with pytest.raises(InvalidInputError, match=r"holds no id in 2 rows \(first: line 3\)"):
        read_points(write("id,x\na,1\n,2\n,3\n"), BY_ID)
    with pytest.raises(InvalidInputError, match=r"no column 'idd'. Did you mean 'id'"):
        read_points("points.csv", ReadOptions(id_column="idd"))


def test_labels_without_ids_stand_in_the_order_of_the_points(
    write: Write, named: PointsFile
) -> None:
    labels = read_labels(write("k\n1\n2\n3\n", "labels.csv"), named, BY_ID)
    assert labels.labels.tolist() == [1, 2, 3]
    assert labels.notes == (
        "labels.csv does not have column 'id': its labels were taken in the order of points.csv.",
    )
    np.save("labels.npy", [1, 2, 3])
    assert read_labels("labels.npy", named, BY_ID).labels.tolist() == [1, 2, 3]


def test_ids_by_number(write: Write) -> None:
    first = ReadOptions(id_column="1")
    file = read_points(write("7,1.5\n8,2.5\n"), first)
    assert read_labels(write("8,1\n7,0\n", "labels.csv"), file, first).labels.tolist() == [0, 1]
    file = read_points(write(POINTS), first)
    labels = read_labels(write("k,id\n3,c\n1,a\n2,b\n", "labels.csv"), file, first)
    assert labels.labels.tolist() == [1, 2, 3]


def test_arrays_write_ids_as_whole_numbers(write: Write) -> None:
    np.save("points.npy", [[7, 0.5], [8, 1.5]])
    assert read_points("points.npy", ReadOptions(id_column="1")).row_names == ("7", "8")


def test_the_option_for_ids_is_named(write: Write) -> None:
    name = write("id,k\n1,0\n3,1\n2,1\n", "labels.csv")
    file = read_points(write("id,x\n1,1\n2,2.5\n3,3\n"))
    with pytest.raises(
        InvalidInputError, match=r"--label-column\. If 'id' names the rows, say --id"
    ):
        read_labels(name, file)
    name = write("name,x\nann,1\nbob,2\ncyd,3\n")
    with pytest.raises(InvalidInputError, match=r"--drop name, or, if it names the rows, say --id"):
        read_points(name)


@pytest.mark.parametrize(
    "said",
    [
        {"separator": ";", "decimal": ","},
        {"separator": ";", "encoding": "latin-1"},
        {"encoding": "utf-16"},
    ],
)
def test_files_of_labels_may_be_written_otherwise(write: Write, said: dict[str, Any]) -> None:
    options = ReadOptions(id_column="id", **said)
    text = "id;x\nä;1,5\nb;2,5\n".replace(",", said.get("decimal", "."))
    file = read_points(write(text.encode(said.get("encoding", "utf-8"))), options)
    for content in ("id,k\nb,1\nä,0\n", "k;id\n1;b\n0;ä\n"):
        labels = read_labels(write(content, "labels.csv"), file, options)
        assert labels.labels.tolist() == [0, 1]
    other = ReadOptions(id_column="id", encoding="latin-1")
    labels = read_labels(write("id,k\nb,1\nä,0\n".encode("latin-1"), "labels.csv"), file, other)
    assert labels.labels.tolist() == [0, 1]


# --- without an id --------------------------------------------------------------------------------


@pytest.mark.parametrize("drop", [("id",), ()])
def test_a_shared_column_in_another_order_is_refused(write: Write, drop: tuple[str, ...]) -> None:
    options = ReadOptions(drop=drop)
    file = read_points(write("id,x\n1,1\n2,2.5\n3,3\n"), options)
    name = write("id,k\n1,0\n3,1\n2,1\n", "labels.csv")
    with pytest.raises(InvalidInputError) as raised:
        read_labels(name, file, options, columns=["k"])
    assert str(raised.value) == (
        "points.csv and labels.csv both have column 'id', in another order: '3' is in line 3 of "
        "labels.csv and in line 4 of points.csv. Join them with --id id."
    )


def test_shifted_ids_are_refused(write: Write) -> None:
    file = read_points(write("id,x\n1,1\n2,2.5\n3,3\n"))
    with pytest.raises(InvalidInputError, match=r"'2' is in line 2 of labels.csv and in line 3 of"):
        read_labels(write("id,k\n2,0\n3,1\n4,1\n", "labels.csv"), file, columns=["k"])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("id,k\n1.0,0\n2,1\n3,1\n", id="same order"),
        pytest.param("ID,k\n3,0\n2,1\n1,1\n", id="other name"),
        pytest.param("id,k\n3,0\n3,1\n1,1\n", id="not unique"),
        pytest.param("x,k\n1.01,0\n2.51,1\n3.01,1\n", id="other values"),
        pytest.param("k,id\n0,1\n1,2\n1,3\n", id="other place"),
    ],
)
def test_other_columns_of_label_files_do_not_matter(write: Write, content: str) -> None:
    file = read_points(write("id,x\n1,1\n2,2.5\n3,3\n"))
    labels = read_labels(write(content, "labels.csv"), file, columns=["k"])
    assert labels.labels.tolist() == [0, 1, 1]


def test_the_label_column_itself_is_no_id(write: Write) -> None:
    file = read_points(write("k,x\n1,1\n2,2.5\n3,3\n"))
    labels = read_labels(write("k,l\n3,1\n2,1\n1,1\n", "labels.csv"), file, columns=["k"])
    assert labels.labels.tolist() == [3, 2, 1]
