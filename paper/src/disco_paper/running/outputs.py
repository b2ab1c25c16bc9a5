"""Files that a run leaves: a table per experiment, and its figures; same facts, same bytes."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from disco_cvi._for_paper import PICTURE_FORMS, default_style, picture_bytes, write_file
from disco_paper.cells import Outcomes, Scope
from disco_paper.judging import Experiment, Report, Row
from disco_paper.page import Picture, Section
from disco_paper.running.batch import describe

COLUMNS = ("cell", "ours", "paper", "difference", "verdict", "original", "note")


class Failure(NamedTuple):
    """Something that went wrong.

    Attributes
    ----------
    experiment : str
        Its name.
    what : str
        A cell, or what else could not be made.
    reason : str
        Why, in a sentence.
    """

    experiment: str
    what: str
    reason: str


def write_outputs(
    experiment: Experiment, found: Outcomes, scope: Scope, folder: Path
) -> tuple[Section, tuple[Failure, ...]]:
    """Write an experiment's table and figures.

    What goes wrong in a report or in a figure must not cost the others theirs.

    Returns
    -------
    (Section, tuple of Failure)
        Its part of the page, and what went wrong.
    """
    name, errors = experiment.name, []
    try:
        report = _withhold_verdicts(experiment.report(found, scope), found)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        errors.append(Failure(name, "the report", describe(error)))
        report = Report(())
    table = [COLUMNS, *map(_line, report.rows)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    _write(folder / f"{name}.csv", text.getvalue().encode())
    pictures = []
    for figure in report.figures:
        stem = f"{name}-{figure.name}" if figure.name else name
        with default_style(stem):
            try:
                drawing = figure.draw()
            except Exception as error:  # noqa: BLE001 - as above
                what = f"the figure {figure.name}".rstrip()
                errors.append(Failure(name, what, describe(error)))
                continue
            for form in PICTURE_FORMS:
                _write(folder / f"{stem}.{form}", picture_bytes(drawing, form))
        pictures.append(Picture(figure.caption, folder / f"{stem}.png", f"{stem}.svg"))
    return Section(experiment.info, report, tuple(pictures), f"{name}.csv"), tuple(errors)


def _write(path: Path, content: bytes) -> None:
    write_file(path, lambda stream: stream.write(content))


def _withhold_verdicts(report: Report, found: Outcomes) -> Report:
    """Leave unjudged what may hang on errors: they are neither a difference nor an agreement.

    A row without a value may have lost it to an error; a claim sums up many cells.
    """
    if not any(outcome.is_error for outcome in found.values()):
        return report
    rows = [
        replace(row, verdict="not judged") if row.ours is None or row.column == "claim" else row
        for row in report.rows
    ]
    return replace(report, rows=tuple(rows))


def _line(row: Row) -> tuple[object, ...]:
    """A row of the table: ours, the paper's, their difference and the verdict."""
    cell = ", ".join(filter(None, [row.table, row.row, row.column]))
    ours = json.dumps(row.ours) if isinstance(row.ours, list | dict | bool) else row.ours
    return (cell, ours, row.paper, row.difference, row.verdict, row.original, row.note)
