"""Files that a run leaves: a table per experiment, and its figures; same facts, same bytes."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from disco_cvi._output.files import write_columns, write_file
from disco_cvi.report.pictures import PICTURE_FORMS, default_style, picture_bytes
from disco_paper.cells.cell import Outcomes, Scope, Value
from disco_paper.judging.experiment import Experiment
from disco_paper.judging.rows import Report, Row
from disco_paper.page import Picture, Section
from disco_paper.running.summary import Failure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

COLUMNS = ("cell", "ours", "paper", "difference", "verdict", "original", "note")


def check_packages() -> None:
    """Raise before the work begins if nothing could be drawn or shown after it."""
    for package in ("matplotlib", "jinja2"):
        if importlib.util.find_spec(package) is None:
            message = (
                f"reproduce needs {package}, which is not installed. Run 'pip install disco-paper'."
            )
            raise ImportError(message)


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
    errors = []
    try:
        report = _withhold_verdicts(experiment.report(found, scope), found)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        errors.append(Failure(experiment.name, "the report", _reason(error)))
        report = Report(())
    table = folder / f"{experiment.name}.csv"
    write_rows(table, report.rows)
    pictures = []
    for figure in report.figures:
        stem = f"{experiment.name}-{figure.name}" if figure.name else experiment.name
        with default_style(stem):
            try:
                drawing = figure.draw()
            except Exception as error:  # noqa: BLE001 - as above
                what = f"the figure {figure.name}".rstrip()
                errors.append(Failure(experiment.name, what, _reason(error)))
                continue
            pictures.append(_save(folder / stem, drawing, figure.caption))
    section = Section(experiment.info, report, tuple(pictures), table.name)
    return section, tuple(errors)


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


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write one line per row: ours, the paper's, their difference and the verdict."""
    import numpy as np

    lines = [
        (
            ", ".join(filter(None, [row.table, row.row, row.column])),
            _text(row.ours),
            row.paper,
            row.difference,
            row.verdict,
            row.original,
            row.note,
        )
        for row in rows
    ]
    columns = {name: np.empty(len(lines), dtype=object) for name in COLUMNS}
    for place, line in enumerate(lines):
        for name, cell in zip(COLUMNS, line, strict=True):
            columns[name][place] = cell
    write_columns(str(path), columns)


def _text(value: Value) -> float | str | None:
    """A value for a table; lists and the like as JSON."""
    return json.dumps(value) if isinstance(value, list | dict | bool) else value


def _save(stem: Path, drawing: Drawing, caption: str) -> Picture:
    """Write a drawing into a PNG and an SVG file, and return what the page needs of it."""
    for form in PICTURE_FORMS:
        image = picture_bytes(drawing, form)

        def write(stream: IO[bytes], image: bytes = image) -> None:
            stream.write(image)

        write_file(f"{stem}.{form}", write)
    return Picture(caption, Path(f"{stem}.png"), f"{stem.name}.svg")
