"""One page that shows a run: every number beside the paper's, every figure, and what was found."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from disco_cvi._for_paper import (
    count,
    difference_text,
    embed_png,
    printed_text,
    sentence,
    slug,
    value_text,
    write_file,
)
from disco_paper.cells import Scope
from disco_paper.judging import VERDICTS, Report, Row, as_number
from disco_paper.paper import ExperimentInfo

__all__ = ["Picture", "Section", "write_page"]

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


def write_page(
    path: str | os.PathLike[str],
    sections: Sequence[Section],
    *,
    versions: Mapping[str, str],
    scope: Scope | None = None,
) -> None:
    """Write the page of a run; same sections, same bytes.

    The page holds its style and its pictures, and links to the files beside it. It appears only
    when it is complete.

    Parameters
    ----------
    path : path-like
        The page, in the folder of the tables and figures that it links to.
    sections : sequence of Section
        One per experiment, in the order of the paper.
    versions : mapping of str to str
        What computed the numbers, by name.
    scope : Scope, optional
        How much was run, if not everything: the page says so.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        # The frame of a page and its style are those of the library's reports.
        loader=ChoiceLoader([PackageLoader("disco_paper.page"), PackageLoader("disco_cvi.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (difference_text, printed_text, sentence, slug, value_text)
    environment.filters |= {function.__name__: function for function in words}
    environment.filters |= {"counted": count, "decimals": _decimals}
    environment.tests.update(compared=_is_compared, long=_is_long)
    scope = scope or Scope()
    text = environment.get_template("paper.html").render(
        sections=[_section_facts(section) for section in sections],
        counts={name: sum(each.report.count(name) for each in sections) for name in VERDICTS},
        versions=versions,
        quick=scope.quick,
        runs=scope.runs,
    )
    write_file(path, lambda stream: stream.write(text.encode()))


def _section_facts(section: Section) -> dict[str, Any]:
    """What the template says of an experiment, beside its pictures and its rows."""
    info, rows = section.info, section.report.rows
    groups: dict[tuple[str, bool], list[Row]] = {}  # claims are tables of their own
    for row in rows:
        groups.setdefault((row.table, row.column == _CLAIM), []).append(row)
    tables = [_table_facts(title, group) for (title, _), group in groups.items()]
    audits: dict[str, list[Row]] = {}  # rows that differ are shown with their notes anyway
    for row in rows:
        if row.verdict != "fails" and _AUDIT.search(row.note):
            audits.setdefault(row.note, []).append(row)
    in_grids = (row for table in tables if table["kind"] == "grid" for row in table["all"])
    return {
        "info": info,
        "csv": section.csv,
        "counts": {verdict: section.report.count(verdict) for verdict in VERDICTS},
        "tables": tables,
        "footnotes": list(dict.fromkeys(row.note for row in in_grids if row.note)),
        "notes": section.report.notes,
        "pictures": [_picture_facts(section, picture) for picture in section.pictures],
        "differing": [row for row in rows if row.verdict == "fails"],
        "audits": audits,
    }


def _table_facts(title: str, rows: list[Row]) -> dict[str, Any]:
    """A grid as in the paper; or a list where the grid would have one column."""
    columns = list(dict.fromkeys(row.column for row in rows))
    grid: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        of_row = grid.setdefault(row.row, {column: [] for column in columns})
        of_row[row.column].append(row)
    return {
        "title": title,
        "kind": "claims" if columns == [_CLAIM] else "list" if len(columns) == 1 else "grid",
        "columns": columns,
        "is_compared": any(map(_is_compared, rows)),
        "all": rows,
        "grid": grid,
    }


def _is_compared(row: Row) -> bool:
    """Whether the paper says something on it, or leaves it out where we expect nothing."""
    return bool(row.paper) or row.verdict != "not judged"


def _is_long(row: Row) -> bool:
    return len(f"{row.ours}{row.paper}") > _LONG_TEXT


def _decimals(row: Row) -> int | None:
    """The decimals that the paper prints."""
    return None if as_number(row.paper) is None else len(row.paper.partition(".")[2])


def _picture_facts(section: Section, picture: Picture) -> dict[str, Any]:
    n_pictures = len(section.pictures)
    part = f", part {section.pictures.index(picture) + 1} of {n_pictures}" if n_pictures > 1 else ""
    name = f"Plot of {section.info.name}{part}"
    # The caption tells the rest, and is read out after this.
    told = {"name": name, "alt": f"{name}, described below it.", "caption": picture.caption}
    return {**told, "svg": picture.svg, **embed_png(picture.png.read_bytes())}
