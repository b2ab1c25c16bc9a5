"""What a page says, as plain dictionaries and lists; how it looks is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from disco_cvi.report.pictures import embed_png
from disco_paper.cells.cell import Scope
from disco_paper.judging.catalogue import ExperimentInfo
from disco_paper.judging.rows import VERDICTS, Report, Row, as_number

Facts: TypeAlias = dict[str, Any]

_CLAIM = "claim"
# Characters of a cell that do not stay in one line.
_LONG_TEXT = 40
# Notes speak of a program, or of the definition of an index, only where the two differ.
_AUDIT = re.compile(r"\bprograms?\b|\b(its|the|original) definitions?\b")


@dataclass(frozen=True)
class Picture:
    """A drawn figure.

    Attributes
    ----------
    caption : str
        What it shows.
    png : Path
        Its file, which becomes part of the page.
    svg : str
        Name of the drawing beside the page, for a closer look; empty if there is none.
    """

    caption: str
    png: Path
    svg: str = ""


@dataclass(frozen=True)
class Section:
    """One experiment on the page.

    Attributes
    ----------
    info : ExperimentInfo
    report : Report
        What it found. Its figures are not drawn again: `pictures` has them.
    pictures : tuple of Picture
    csv : str
        Name of the file beside the page that has all rows; empty if there is none.
    """

    info: ExperimentInfo
    report: Report
    pictures: tuple[Picture, ...] = ()
    csv: str = ""


def page_facts(sections: Sequence[Section], *, versions: Mapping[str, str], scope: Scope) -> Facts:
    """Everything that the page of a run says."""
    told = [_section(section) for section in sections]
    return {
        "versions": dict(versions),
        "quick": scope.quick,
        "runs": scope.runs,
        "counts": {
            verdict: sum(section["counts"][verdict] for section in told) for verdict in VERDICTS
        },
        "sections": told,
    }


def _section(section: Section) -> Facts:
    report = section.report
    footnotes: dict[str, int] = {}
    # Their notes are numbered on the way.
    tables = [_table(title, rows, footnotes) for title, rows in _by_table(report.rows)]
    return {
        "name": section.info.name,
        "title": section.info.title,
        "paper": section.info.origin,
        "is_ours": section.info.is_ours,
        "summary": section.info.summary,
        "csv": section.csv,
        "counts": {verdict: report.count(verdict) for verdict in VERDICTS},
        "tables": tables,
        "footnotes": list(footnotes),
        "notes": list(report.notes),
        "pictures": [
            _picture(section, number, picture) for number, picture in enumerate(section.pictures)
        ],
        "differing": [_cell(row) for row in report.rows if row.verdict == "fails"],
        "audits": _audits(report.rows),
    }


def _by_table(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Rows by the title of their table; claims are tables of their own."""
    groups: dict[tuple[str, bool], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.table, row.column == _CLAIM), []).append(row)
    return [(title, group) for (title, _), group in groups.items()]


def _table(title: str, rows: list[Row], footnotes: dict[str, int]) -> Facts:
    """A grid as in the paper; or a list where the grid would have one column."""
    columns = list(dict.fromkeys(row.column for row in rows))
    kind = "claims" if columns == [_CLAIM] else "list" if len(columns) == 1 else "grid"
    is_compared = any(map(_is_compared, rows))
    if kind != "grid":
        return {
            "title": title,
            "kind": kind,
            "columns": columns,
            "is_compared": is_compared,
            "rows": [_cell(row) for row in rows],
        }
    lines: dict[str, dict[str, list[Facts]]] = {}
    for row in rows:
        footnote = footnotes.setdefault(row.note, len(footnotes) + 1) if row.note else None
        cell = {**_cell(row), "footnote": footnote}
        lines.setdefault(row.row, {}).setdefault(row.column, []).append(cell)
    return {
        "title": title,
        "kind": kind,
        "columns": columns,
        "is_compared": is_compared,
        "rows": [
            {"name": name, "cells": [cells.get(column, []) for column in columns]}
            for name, cells in lines.items()
        ],
    }


def _is_compared(row: Row) -> bool:
    """Whether the paper says something on it, or leaves it out where we expect nothing."""
    return bool(row.paper) or row.verdict != "not judged"


def _cell(row: Row) -> Facts:
    is_number = as_number(row.paper) is not None
    return {
        "row": row.row,
        "column": row.column,
        "table": row.table,
        "ours": row.ours,
        "paper": row.paper,
        "decimals": len(row.paper.partition(".")[2]) if is_number else None,
        "is_compared": _is_compared(row),
        "is_long": len(f"{row.ours}{row.paper}") > _LONG_TEXT,
        "difference": row.difference,
        "verdict": row.verdict,
        "original": row.original,
        "note": row.note,
    }


def _picture(section: Section, number: int, picture: Picture) -> Facts:
    part = f", part {number + 1} of {len(section.pictures)}" if len(section.pictures) > 1 else ""
    return {
        "name": f"Plot of {section.info.name}{part}",
        # The caption tells the rest, and is read out after this.
        "alt": f"Plot of {section.info.name}{part}, described below it.",
        "caption": picture.caption,
        "svg": picture.svg,
        **embed_png(picture.png.read_bytes()),
    }


def _audits(rows: Iterable[Row]) -> list[Facts]:
    """What depends on how a program departs from a definition, together by the note that says so.

    Rows that differ are shown with their notes anyway.
    """
    groups: dict[str, list[Facts]] = {}
    for row in rows:
        if row.verdict != "fails" and _AUDIT.search(row.note):
            groups.setdefault(row.note, []).append(_cell(row))
    return [{"note": note, "cells": cells} for note, cells in groups.items()]
