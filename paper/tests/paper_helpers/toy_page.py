"""Sections of a page with every verdict, a figure and claims.

Tests say: from paper_helpers.toy_page import toy_sections
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from disco_cvi.plots import score_curve
from disco_paper.judging import Report, Row, judge
from disco_paper.page import Picture, Section
from disco_paper.paper import ExperimentInfo

VERSIONS = {"disco-cvi": "0.1.0", "numpy": "2.4.6"}
AUDIT = "By its definition the index says no: the program drops <noise> & rows."


def toy_sections(folder: Path) -> list[Section]:
    """A table with every verdict, and a figure with claims."""
    png = folder / "fig-eps.png"
    score_curve([1, 2], {"disco": [0.1, 0.2]}).figure.savefig(png)  # type: ignore[union-attr]
    table = Report(
        (
            judge("DISCO", "rings", 0.5057, "0.50", note="The recipe gives another number."),
            judge("DISCO", "moons", 0.3621, "0.36"),
            replace(judge("DBCV", "rings", -0.2, "-0.20", note=AUDIT), original=0.4),
            judge("DBCV", "moons", 0.31, "0.30", within=0.02, note="No seed is known."),
            judge("CVDD", "rings", None, "", note="No seed is known."),
            judge("CVDD", "moons", 0.0, "0.00", note="It is 0 by definition."),
            Row("CVDD", "spread", 0.25, table="Spread"),
        ),
        notes=("Greater is better.",),
    )
    figure = Report(
        (
            Row("DISCO is best", "claim", "at k = 3", "at k = 3", "passes"),
            Row("CDbw is best", "claim", "earlier", "later", "fails", None, "Its program is flat."),
            Row("1", "DISCO", 0.1, table="Curve"),
            Row("1", "DBCV", 0.2, table="Curve"),
        )
    )
    pictures = (Picture("Scores <over> eps.", png, "fig-eps.svg"),)
    first = info("tab-a", "A & B", "Table 2, tab:a", "what a table shows")
    second = info("fig-eps", "Curves", "Figure 3, fig:eps", "what a figure shows")
    return [Section(first, table, csv="tab-a.csv"), Section(second, figure, pictures)]


def info(name: str, title: str, paper: str, summary: str) -> ExperimentInfo:
    return ExperimentInfo(name, title, paper, summary, seconds=1, topic="toys")
