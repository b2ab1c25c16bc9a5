"""Names of cells, and what became of them."""

from __future__ import annotations

from disco_paper.cells.cell import GROUND_TRUTH, Cell, Outcome, Outcomes, cross, spec

DATA, OTHER = spec("line", size=3), spec("line", size=4)
SCORE, COUNT, FLAG, WORD = spec("score"), spec("count"), spec("flag"), spec("word")
FOUND = Outcomes(
    {
        Cell(DATA, GROUND_TRUTH, SCORE): Outcome(0.5),
        Cell(DATA, GROUND_TRUTH, COUNT): Outcome(3),
        Cell(DATA, GROUND_TRUTH, FLAG): Outcome(True),
        Cell(DATA, GROUND_TRUTH, WORD): Outcome(None, "There is none."),
    }
)


def test_numbers_are_those_values_that_are_numbers() -> None:
    cells = cross([OTHER, DATA], [GROUND_TRUTH], [COUNT, WORD, FLAG, SCORE])
    assert FOUND.numbers(cells) == [3, 0.5]
    assert FOUND.number(DATA, GROUND_TRUTH, FLAG) is None
    assert FOUND.value(DATA, GROUND_TRUTH, FLAG) is True


def test_what_is_missing_has_a_reason() -> None:
    assert FOUND.reason(DATA, GROUND_TRUTH, WORD) == "There is none."
    assert FOUND.reason(OTHER, GROUND_TRUTH, WORD) == "not part of this run"
    assert FOUND.reason(DATA, GROUND_TRUTH, SCORE) == ""
