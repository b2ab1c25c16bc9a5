"""The tables of docs/evidence/peers.md, from what ``python -m benchmarks compare --write`` kept."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import NamedTuple

from disco_cvi._output.tables import markdown_table

MEASURED = Path(__file__).resolve().parents[1] / "benchmarks" / "peers" / "measured.csv"
# Shorter times say more of the start of a call than of its growth.
_LEAST_SECONDS = 0.005
_NEARLY = 1.1
# Some programs compute in 32 bits.
_SAME_HEIGHT = 1e-5


class Cell(NamedTuple):
    """A program on some data: seconds and GB, or why there are none."""

    title: str
    kind: str
    version: str
    case: tuple[int, int, int, float]
    seconds: float | None
    memory: float
    value: float
    said: str

    @property
    def shown(self) -> str:
        """Seconds and memory for the table."""
        if self.seconds is None:
            return "-" if self.said.startswith("not tried") else self.said.partition(":")[0]
        memory = f"{self.memory:.2g} GB" if self.memory >= 0.1 else f"{self.memory * 1e3:.0f} MB"
        return f"{self.seconds:.2g} s · {memory}"


def read_cells() -> list[Cell]:
    """Return all cells, in the order in which they were measured."""
    with MEASURED.open(newline="") as file:
        return [_as_cell(row) for row in csv.DictReader(file)]


def _as_cell(row: dict[str, str]) -> Cell:
    case = (
        int(row["n_points"]),
        int(row["n_features"]),
        int(row["n_clusters"]),
        float(row["noise"]),
    )
    seconds = float(row["seconds"]) if row["seconds"] else None
    memory = float(row["memory"] or "nan")
    value = float(row["value"] or "nan")
    name = row["title"], row["kind"], row["version"]
    return Cell(*name, case, seconds, memory, value, row["said"])


def size_table() -> str:
    """Every program at every size, and how it grows."""
    cells = [cell for cell in read_cells() if cell.case[1:] == (2, 20, 0.1)]
    sizes = sorted({cell.case[0] for cell in cells})
    header = ("program", *(f"{size:,}" for size in sizes), "growth")
    rows = [
        (_named(cells, title), *_row(cells, title, [(n, 2, 20, 0.1) for n in sizes]), growth)
        for title in _titles(cells)
        for growth in [shown_growth(cells, title)]
    ]
    return markdown_table([header, *rows])


def other_table() -> str:
    """Every program at other numbers of features and clusters, and without noise."""
    cells = read_cells()
    cases = [case for case in _cases(cells) if case[0] == 10_000]
    header = ("program", *map(_case_name, cases))
    rows = [(title, *_row(cells, title, cases)) for title in _titles(cells)]
    return markdown_table([header, *rows])


def losses() -> str:
    """Where another program of the same kind is quicker than ours, in words."""
    cells = read_cells()
    ours = {(cell.kind, cell.case): cell for cell in cells if cell.title.startswith("disco_cvi")}
    lines = [
        f"- {cell.kind}, {_case_name(cell.case, full=True)}: {cell.title} takes "
        f"{cell.seconds:.2g} s, ours {own.seconds:.2g} s, "
        f"{own.seconds / cell.seconds:.2g} times as long.{_not_exact(cell, own)}"
        for cell in cells
        for own in [ours.get((cell.kind, cell.case))]
        if own is not None
        and cell is not own
        and cell.seconds is not None
        and own.seconds is not None
        and own.seconds > _NEARLY * cell.seconds
    ]
    gaps = [
        f"- {own.title}, {_case_name(own.case, full=True)}: {own.said}."
        for own in ours.values()
        if own.seconds is None and not own.said.startswith("not tried")
    ]
    return "\n".join([*lines, *gaps]) or "Nowhere in this run."


def _not_exact(cell: Cell, own: Cell) -> str:
    """Say so where another program's tree is another one: its last join is not at our height."""
    if cell.kind != "tree" or math.isclose(cell.value, own.value, rel_tol=_SAME_HEIGHT):
        return ""
    return (
        f" But its tree is not the exact one: the last join is at {cell.value:.5g}, "
        f"not at {own.value:.5g}."
    )


def shown_growth(cells: list[Cell], title: str) -> str:
    """The exponent of n that fits the times best, from those that are long enough."""
    timed = [
        (math.log(cell.case[0]), math.log(cell.seconds))
        for cell in cells
        if cell.title == title and cell.seconds is not None and cell.seconds >= _LEAST_SECONDS
    ]
    if len(timed) < 2:
        return "-"
    mean_x, mean_y = (sum(values) / len(timed) for values in zip(*timed, strict=True))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in timed)
    return f"n^{slope / sum((x - mean_x) ** 2 for x, _ in timed):.2f}"


def _titles(cells: list[Cell]) -> list[str]:
    return list(dict.fromkeys(cell.title for cell in cells))


def _cases(cells: list[Cell]) -> list[tuple[int, int, int, float]]:
    return list(dict.fromkeys(cell.case for cell in cells))


def _named(cells: list[Cell], title: str) -> str:
    version = next(cell.version for cell in cells if cell.title == title)
    return f"{title} ({version})" if version else title


def _row(cells: list[Cell], title: str, cases: list[tuple[int, int, int, float]]) -> list[str]:
    found = {cell.case: cell.shown for cell in cells if cell.title == title}
    return [found.get(case, "-") for case in cases]


def _case_name(case: tuple[int, int, int, float], *, full: bool = False) -> str:
    n_points, n_features, n_clusters, noise = case
    parts = [f"{n_points:,} points"] if full else []
    if n_features != 2 or full:
        parts.append(f"{n_features} features")
    if n_clusters != 20:
        parts.append(f"{n_clusters:,} clusters")
    if noise == 0:
        parts.append("no noise")
    return ", ".join(parts) or "2 features, 20 clusters"
