"""Columns by name or number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from disco_cvi.cli.tables import ReadOptions, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


# --- label columns --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["0", "1", "-1"], [0, 1, -1]),
        (["0.0", "1.0", "-1.0"], [0, 1, -1]),
        (["red", "blue", "-1"], ["red", "blue", "-1"]),
        (["C#", "C", "#ff"], ["C#", "C", "#ff"]),
        (["True", "False", "True"], ["True", "False", "True"]),
        (['"a, b"', '"a"', '"a, b"'], ["a, b", "a", "a, b"]),
        (["a", "None", "b"], ["a", "None", "b"]),
        ([str(2**63 - 1), "0", "-1"], [2**63 - 1, 0, -1]),
        (
            ["18446744073709551617", "18446744073709551618", "0"],
            ["18446744073709551617", "18446744073709551618", "0"],
        ),
        (["1.5", "2", "3"], [1.5, 2.0, 3.0]),
    ],
)
def test_label_columns_become_integers_or_text(
    write: Write, cells: list[str], expected: list[Any]
) -> None:
    rows = "".join(f"{i}.5,{i},{cell}\n" for i, cell in enumerate(cells))
    for column, header in [("group", "x,y,group\n"), ("3", ""), ("-1", "x,y,group\n")]:
        file = read_points(write(header + rows), label_columns=[column])
        assert file.labelings[column].tolist() == expected
        assert file.points.tolist() == [[0.5, 0], [1.5, 1], [2.5, 2]]


def test_name_goes_before_number(write: Write) -> None:
    file = read_points(write("2,y,x\n7,8,9\n5,6,1\n"), label_columns=["2"])
    assert file.labelings["2"].tolist() == [7, 5]


def test_drop_leaves_columns_out(write: Write) -> None:
    name = write("id,x,note,y\n7,1,good,2\n9,3,bad,4\n")
    file = read_points(
        name,
        ReadOptions(
            drop=(
                "id",
                "3",
            )
        ),
    )
    assert file.points.tolist() == [[1, 2], [3, 4]]
    assert file.features == ("x", "y")


@pytest.mark.parametrize(
    ("content", "column", "expected"),
    [
        ("x,y,label\n1,2,3\n4,5,6\n", "lable", "no column 'lable'. Did you mean 'label'"),
        ("x,y,label\n1,2,3\n4,5,6\n", "team", "Its columns: x, y, label"),
        ("x,y,label\n1,2,3\n4,5,6\n", "4", "no column '4'"),
        ("x,y,label\n1,2,3\n4,5,6\n", "0", "no column '0'"),
        ("1,2,3\n4,5,6\n", "label", r"have no names\. Give a number from 1 to 3"),
        ("x,x,y\n1,2,3\n4,5,6\n", "x", r"2 columns named 'x'.*\(the first is 1\)"),
        ("x\n1\n2\n", "x", "no column of features"),
    ],
)
def test_columns_that_cannot_be_found(
    write: Write, content: str | bytes, column: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content), label_columns=[column])
