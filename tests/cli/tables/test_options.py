"""What may be said about files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from disco_cvi.cli.tables import ReadOptions, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        *(
            ({"separator": separator}, r"--sep must be one character that no number holds.*got")
            for separator in ["", ",,", "1", "e", ".", "-", '"', "\n"]
        ),
        ({"decimal": "·"}, "--decimal must be . or ,; got '·'."),
        ({"decimal": ",", "separator": ","}, "--sep and --decimal cannot both be a comma"),
        (
            {"encoding": "latin-99"},
            "--encoding must name an encoding .* latin-1 .*; got 'latin-99'",
        ),
        ({"encoding": "hex"}, "--encoding must name an encoding"),
        ({"encoding": "a\0b"}, "--encoding must name an encoding"),
        ({"columns": ("x", "y"), "drop": ("y",)}, "--columns names 'y' as a feature, and --drop"),
        ({"columns": ("x",), "id_column": "x"}, "--columns names 'x' as a feature"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        ReadOptions(**options)


def test_columns_are_the_features(write: Write) -> None:
    name = write("id,x,note,y\n7,1,good,2\n9,3,bad,4\n")
    file = read_points(name, ReadOptions(columns=("y", "2", "x")))
    assert file.features == ("y", "x")
    assert file.points.tolist() == [[2, 1], [4, 3]]
    with pytest.raises(InvalidInputError, match="no column 'z'"):
        read_points(name, ReadOptions(columns=("z",)))
    with pytest.raises(InvalidInputError, match=r"column 'y' cannot be a feature \(--columns\)"):
        read_points(name, ReadOptions(columns=("y",)), label_columns=["4"])


def test_a_name_among_columns_makes_a_header(write: Write) -> None:
    file = read_points(write("2019,2020,group\n1,2,a\n3,4,b\n"), ReadOptions(drop=("group",)))
    assert file.points.tolist() == [[1, 2], [3, 4]]
