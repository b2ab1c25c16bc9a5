"""Cells computed in this process: what is shared, and what a failure costs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_paper.cells import GROUND_TRUTH, Cell, Outcome, cross, spec
from disco_paper.running.batch import compute_batch, make_plain
from paper_helpers import toy_experiment as toy

LINE = spec("line", size=4)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def outcomes(*cells: Cell) -> dict[Cell, Outcome]:
    return dict(compute_batch(toy.EXPERIMENT, cells))


def test_data_and_labels_are_made_once(log: Path) -> None:
    data = [LINE, spec("line", size=6)]
    labelings = [spec("odd", step=2), spec("odd", step=3)]
    numbers = [spec("number", number=0), spec("number", number=1)]
    cells = cross(data, labelings, numbers)
    mixed = cells[::3] + cells[1::3] + cells[2::3] + cells[:2]
    found = outcomes(*mixed)
    assert set(found) == set(cells)
    lines = toy.logged(log)
    assert sorted(line for line in lines if line[0] != "cell") == [
        ["data", "4"],
        ["data", "6"],
        ["labels", "4", "2"],
        ["labels", "4", "3"],
        ["labels", "6", "2"],
        ["labels", "6", "3"],
    ]
    assert sum(line[0] == "cell" for line in lines) == len(cells)
    assert found[Cell(LINE, labelings[0], numbers[1])].value == 28 / 3 + 1


def test_of_equal_labels_nothing_is_computed_twice(log: Path) -> None:
    first, same, other = (spec("odd", step=step) for step in (4, 5, 2))  # 5 is no step of 4 points
    found = outcomes(*cross([LINE], [first, same, other], [spec("number", number=1)]))
    assert sum(line[0] == "cell" for line in toy.logged(log)) == 2
    values = [outcome.value for outcome in found.values()]
    assert values[0] == values[1] is not None
    assert [outcome.seconds == 0.0 for outcome in found.values()] == [False, True, False]


def test_a_failure_costs_its_cells_alone(log: Path) -> None:
    numbers = [spec("number", number=number) for number in range(2)]
    names = ["failing", "undefined", "nothing", "unheard of"]
    right = Cell(LINE, GROUND_TRUTH, numbers[1])
    odd = [Cell(LINE, GROUND_TRUTH, spec(name)) for name in names]
    no_labels = cross([LINE], [spec("wrong")], numbers)
    no_data = cross([spec("no data", size=2)], [GROUND_TRUTH], numbers)
    found = outcomes(odd[0], *no_data, *no_labels, right, *odd[1:])
    assert found.pop(right).value == 28 / 3 + 1
    assert {outcome.value for outcome in found.values()} == {None}
    assert {cell for cell in found if not found[cell].is_error} == {odd[1], odd[2]}
    assert [found[cell].reason for cell in odd[:3]] == [
        "RuntimeError: the toy is broken",
        "The toy has no score here.",
        "The value is nan.",
    ]
    assert "'unheard of'" in found[odd[3]].reason
    reason = "The labels could not be made: ValueError: these labels cannot be made"
    assert {found[cell].reason for cell in no_labels} == {reason}
    (reason,) = {found[cell].reason for cell in no_data}
    assert reason.startswith("The data could not be made: FileNotFoundError: ")
    assert "toy-2.csv" in reason


def test_outcomes_come_one_by_one(log: Path) -> None:
    cells = cross([LINE], [GROUND_TRUTH], [spec("number", number=n) for n in range(3)])
    next(compute_batch(toy.EXPERIMENT, cells))
    assert toy.logged(log) == [["data", "4"], ["cell", "4", "0"]]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.float64(0.5), 0.5),
        (np.int32(3), 3),
        (np.bool_(True), True),
        (np.array([[1.0, np.inf], [np.nan, 2.0]]), [[1.0, None], [None, 2.0]]),
        ((1, 2), [1, 2]),
        ({1: np.float64("nan"), "a": (np.int64(1), None)}, {"1": None, "a": [1, None]}),
        ("text", "text"),
        (None, None),
    ],
    ids=repr,
)
def test_values_become_plain(value: Any, expected: Any) -> None:
    found = make_plain(value)
    assert found == expected
    assert type(found) is type(expected)


def test_values_that_json_does_not_have() -> None:
    with pytest.raises(TypeError, match="A cell cannot hold a value of type set"):
        make_plain({1, 2})


def test_trees_for_several_min_points_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    indices = [spec("disco", min_points=mu) for mu in (2, 3, 100)] + [spec("pair"), spec("disco")]
    cells = cross([spec("two_moons")], [GROUND_TRUTH], indices)
    alone = [found for cell in cells for found in compute_batch(toy.EXPERIMENT, [cell])]
    with monkeypatch.context() as patch:
        patch.setattr("disco_cvi.density_tree.tree.spanning_tree_of", None)  # none is built alone
        together = list(compute_batch(toy.EXPERIMENT, cells))
    assert [(cell, found.value) for cell, found in together] == [
        (cell, found.value) for cell, found in alone
    ]
