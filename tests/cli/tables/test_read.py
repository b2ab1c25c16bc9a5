"""Points and labels from files: missing labels, label files, what is noted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from disco_cvi.cli.tables import (
    PointsFile,
    ReadOptions,
    doubtful_features,
    read_labels,
    read_points,
)
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


def points_file(n_points: int) -> PointsFile:
    """So many points, whose columns have no names."""
    np.save("points.npy", np.arange(n_points) ** 2)
    return read_points("points.npy")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["0", "", "1"], r"column 'group' holds no label in 1 row \(first: line 3\)"),
        (["0", "NaN", "NA"], r"in 2 rows \(first: line 3\)"),
        (["a", "", "NA"], r"in 1 row \(first: line 3\)"),
    ],
)
def test_missing_labels_are_refused(write: Write, cells: list[str], expected: str) -> None:
    rows = "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write("x,group\n" + rows), label_columns=["group"])


# --- label files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        pytest.param("0\n0\n-1\n", "l.csv", [0, 0, -1], id="numbers"),
        pytest.param("label\n0\n0\n-1\n", "l.csv", [0, 0, -1], id="named numbers"),
        pytest.param("0\n1\n0\n-1\n", "l.csv", [1, 0, -1], id="name that pandas gives"),
        pytest.param("red\nred\nblue\n", "l.txt", ["red", "red", "blue"], id="text"),
        pytest.param("color\nred\nred\nblue\n", "l.txt", ["red", "red", "blue"], id="named text"),
        pytest.param("group 1\ngroup 2\ngroup 1\n", "l.txt", ["group 1", "group 2", "group 1"]),
        pytest.param("1.0\n2.0\n1.0\n", "l.csv", [1, 2, 1], id="floats"),
        pytest.param("5.000000000000000000e+00\n-1.0e+00\n0\n", "l.txt", [5, -1, 0], id="savetxt"),
    ],
)
def test_label_files(write: Write, content: str | bytes, name: str, expected: list[Any]) -> None:
    labels = read_labels(write(content, name), points_file(3)).labels
    assert labels.tolist() == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("0\n" * 4, "the first line, 0, was taken for the column name that pandas gives; if it is"),
        ("0\na\na\nb\n", "the first line, 0, was taken for the column name that pandas gives"),
        ("0,1\n0,1\n0,1\n2,3\n", "the first line, 0 to 1, was taken for the column names that"),
        ("a\na\nb\nb\n", "the first line, 'a', was taken for the column name though another line"),
    ],
)
def test_one_label_too_many_is_not_taken_for_a_name_without_a_word(
    write: Write, content: str, expected: str
) -> None:
    name, columns = write(content, "labels.csv"), ["1"] if "," in content else []
    file = read_labels(name, points_file(3), columns=columns)
    assert len(file.labels) == 3
    assert expected in "".join(file.notes)
    assert "say --header no" in "".join(file.notes)
    with pytest.raises(InvalidInputError, match=r"3 points, 4 labels in labels\.csv"):
        read_labels(name, points_file(3), ReadOptions(header=False), columns=columns)


def test_names_of_labels_are_not_noted(write: Write) -> None:
    for content in ("color\nred\nred\nblue\n", "label\n0\n0\n1\n"):
        assert read_labels(write(content, "labels.csv"), points_file(3)).notes == ()


def test_label_file_with_several_columns_needs_a_choice(write: Write) -> None:
    name = write("id,group\n1,a\n2,b\n", "labels.csv")
    with pytest.raises(InvalidInputError, match=r"holds 2 columns \(id, group\).*--label-column"):
        read_labels(name, points_file(2))
    assert read_labels(name, points_file(2), columns=["group"]).labels.tolist() == ["a", "b"]


def test_wrong_number_of_labels(write: Write) -> None:
    name = write("0\n1\n", "labels.csv")
    with pytest.raises(InvalidInputError, match=r"3 points, 2 labels in labels\.csv"):
        read_labels(name, points_file(3))


def test_label_arrays(write: Write) -> None:
    for labels in ([0, 1, -1], ["a", "b", "c"], [True, False, True]):
        np.save("labels.npy", np.array(labels))
        assert read_labels("labels.npy", points_file(3)).labels.tolist() == labels
    np.save("labels.npy", np.array([[0], [1], [2]]))
    assert read_labels("labels.npy", points_file(3)).labels.tolist() == [0, 1, 2]


def test_missing_file_is_an_os_error(write: Write) -> None:
    with pytest.raises(FileNotFoundError):
        read_points("nowhere.csv")


def test_row_numbers_are_noted(write: Write) -> None:
    (doubt,) = doubtful_features(read_points(write(",x\n0,5.5\n1,6.5\n2,1.5\n")))
    assert "column 1 counts the rows" in doubt
    assert "--drop 1" in doubt
    assert doubtful_features(read_points("points.csv", ReadOptions(drop=("1",)))) == []
