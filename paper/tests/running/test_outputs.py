"""Errors are no results: what hangs on them is not judged."""

from __future__ import annotations

import pytest

from disco_paper import open_experiment
from disco_paper.cells.cell import Cell, Outcome, Outcomes, Scope, spec
from disco_paper.judging.catalogue import INFOS
from disco_paper.judging.rows import Report, Row, claim
from disco_paper.running.outputs import _withhold_verdicts

QUICK = Scope(quick=True)
ERROR = Outcome(None, "ValueError: no file", is_error=True)
CELL = Cell(spec("3-spiral"), spec("ground truth"), spec("disco"))
# Its rows need no cells.
WITHOUT_CELLS = "tab-implementation"


@pytest.mark.parametrize("name", [name for name in INFOS if name != WITHOUT_CELLS])
def test_errors_alone_are_not_judged(name: str) -> None:
    experiment = open_experiment(name)
    found = Outcomes(dict.fromkeys(experiment.cells(QUICK), ERROR))
    assert found
    report = _withhold_verdicts(experiment.report(found, QUICK), found)
    assert [row for row in report.rows if row.verdict != "not judged"] == []


def test_only_what_may_hang_on_an_error_is_excused() -> None:
    rows = (
        Row("a", "value", 0.5, "0.5", "passes"),
        Row("a", "missing", None, "0.5", "fails"),
        claim("a", "b", "c", holds=True),
    )
    with_error = _withhold_verdicts(Report(rows), Outcomes({CELL: ERROR}))
    assert [row.verdict for row in with_error.rows] == ["passes", "not judged", "not judged"]
    undefined = Outcomes({CELL: Outcome(None, "undefined")})
    assert _withhold_verdicts(Report(rows), undefined).rows == rows
