"""Features that are perhaps none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike

from disco_cvi.cli.tables import doubtful_features, read_points

pytestmark = pytest.mark.small


Write = Callable[..., str]


def table(**columns: ArrayLike) -> str:
    """A CSV file of columns, each a number or one value per row."""
    values = np.column_stack([np.broadcast_to(column, 60) for column in columns.values()])
    rows = [",".join(map(str, row)) for row in values.tolist()]
    return "\n".join([",".join(columns), *rows])


X = np.linspace(0, 1, 60) ** 2
CODES = np.arange(60) % 3


@pytest.mark.parametrize(
    ("columns", "doubted"),
    [
        pytest.param({"x": X, "y": X}, [], id="coordinates"),
        pytest.param({"x": X, "Cluster": X}, ["Cluster"], id="name"),
        pytest.param({"x": X, "class": 1}, ["class"], id="constant with a name"),
        pytest.param({"x": X, "k": CODES}, ["k"], id="codes"),
        pytest.param({"x": X, "k": CODES - 1}, ["k"], id="codes with noise"),
        pytest.param({"x": X, "k": 1}, [], id="constant"),
        pytest.param({"x": X, "k": CODES + 7}, [], id="numbers that are no codes"),
        pytest.param({"x": X, "k": CODES + 0.5}, [], id="fractions"),
        pytest.param({"x": X, "k": np.arange(60) % 20}, [], id="many whole numbers"),
        pytest.param({"a": CODES, "b": 2 - CODES}, [], id="nothing else"),
        pytest.param({"x": X, **dict.fromkeys("abcd", CODES)}, [], id="many of them"),
    ],
)
def test_features_like_labels_are_doubted(
    write: Write, columns: dict[str, ArrayLike], doubted: list[str]
) -> None:
    file = read_points(write(table(**columns)))
    assert doubtful_features(file) == [
        f"points.csv: column {name!r} looks like labels and is scored as a feature; if it holds "
        f"labels, leave it out with --drop {name}."
        for name in doubted
    ]
    assert file.features == tuple(columns)


@pytest.mark.parametrize("name", ["id", "ID", "row_id", "index"])
def test_ids_are_doubted(write: Write, name: str) -> None:
    file = read_points(write(table(**{"x": X, name: np.arange(60)[::-1] * 3})))
    assert doubtful_features(file) == [
        f"points.csv: column {name!r} looks like ids and is scored as a feature; if it names the "
        f"rows, say --id {name}."
    ]
    assert doubtful_features(read_points(write(table(**{"x": X, name: X})))) == []


def test_labels_themselves_are_doubted_as_such(write: Write) -> None:
    file = read_points(write(table(x=X, cluster=CODES, truth=2 - CODES)))
    doubts = doubtful_features(file, [CODES, np.array(["a", "b"] * 30)])
    assert [doubt.split("column ")[1].split(" and")[0] for doubt in doubts] == [
        "'cluster' equals the labels",
        "'truth' looks like labels",
    ]
    assert "equals" not in " ".join(doubtful_features(file, [np.zeros(60)]))
