"""The numbers that the paper prints, as text with their digits: one file per table."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def read_printed(experiment: str) -> tuple[dict[str, str], ...]:
    """The rows of the paper's table, by column; an empty text is a dash in the paper.

    >>> read_printed("fig-rings")[0]["DISCO"]
    '0.52'
    """
    text = files("disco_paper").joinpath("printed", f"{experiment}.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def read_printed_cells(experiment: str, key: str) -> dict[tuple[str, str], str]:
    """The same by row (named in the column `key`) and column.

    >>> read_printed_cells("tab-shapes", "cvi")["DBCV", "complex9_DBSCAN"]
    '-0.15'
    """
    rows = read_printed(experiment)
    return {(row[key], column): row[column] for row in rows for column in row if column != key}
