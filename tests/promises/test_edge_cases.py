"""The table of edge cases in docs/edge_cases.md is what the indices answer, row by row.

``python tests/test_edge_cases.py`` writes the table anew; read the difference before you keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from disco_cvi import available_indices
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.registry import IndexInfo

PAGE = Path(__file__).parents[2] / "docs" / "edge_cases.md"
MARK = "<!-- table -->"
INDICES = available_indices()

_RANDOM = np.random.default_rng(0)
_CENTERS = np.repeat([[0.0, 0.0], [5.0, 5.0]], 20, axis=0)
POINTS = np.concatenate([_CENTERS + _RANDOM.normal(size=(40, 2)), _RANDOM.uniform(-4, 9, (8, 2))])
LABELS = np.repeat([0, 1, -1], [20, 20, 8])
BLOBS, HALVES = POINTS[:40], LABELS[:40]


def _with(values: Any, where: Any, base: Any) -> Any:
    changed = np.array(base)
    changed[where] = values
    return changed


def _wide() -> np.ndarray[Any, Any]:
    return np.asarray(np.random.default_rng(1).normal(size=(48, 200)) + 4 * (LABELS == 1)[:, None])


CASES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "two clusters and noise": lambda: (POINTS, LABELS),
    "two clusters, no noise": lambda: (BLOBS, HALVES),
    "all noise": lambda: (POINTS, np.full(48, -1)),
    "one cluster, no noise": lambda: (BLOBS, np.zeros(40, int)),
    "one cluster and noise": lambda: (POINTS, np.where(LABELS < 0, -1, 0)),
    "two clusters and a lone point": lambda: (POINTS, _with(7, 47, LABELS)),
    "every point alone": lambda: (BLOBS, np.arange(40)),
    "every point alone, and noise": lambda: (POINTS, np.where(LABELS < 0, -1, np.arange(48))),
    "six copies of a point": lambda: (_with(POINTS[0], slice(0, 6), POINTS), LABELS),
    "a cluster of one repeated point": lambda: (_with(POINTS[0], slice(0, 20), POINTS), LABELS),
    "all points identical": lambda: (np.ones((40, 2)), HALVES),
    "cluster names 0 and 7": lambda: (POINTS, np.where(LABELS == 1, 7, LABELS)),
    "text labels, noise unknown": lambda: (POINTS, np.array(["noise", "a", "b"])[LABELS + 1]),
    "labels in a list": lambda: (POINTS.tolist(), LABELS.tolist()),
    "32-bit points": lambda: (POINTS.astype(np.float32), LABELS),
    "pandas": lambda: (pd.DataFrame(POINTS, columns=["x", "y"]), pd.Series(LABELS)),
    "polars": lambda: (pl.DataFrame(POINTS, ["x", "y"]), pl.Series(LABELS)),
    "sparse points": lambda: (csr_array(POINTS), LABELS),
    "a missing value": lambda: (_with(np.nan, (3, 1), POINTS), LABELS),
    "three points": lambda: (POINTS[[0, 1, 20]], [0, 0, 1]),
    "one point": lambda: (POINTS[:1], [0]),
    "200 features": lambda: (_wide(), LABELS),
    "one feature": lambda: (POINTS[:, :1], LABELS),
    "a constant feature": lambda: (_with(1.0, (slice(None), 1), POINTS), LABELS),
}


def answer(info: IndexInfo, case: str) -> str:
    """What an index says in one case, as the table shows it."""
    X, labels = CASES[case]()
    try:
        return f"{info.function(X, labels):.3g}"
    except UndefinedScoreError:
        return "undefined"
    except (InvalidInputError, TypeError):
        return "error"


def documented() -> dict[str, dict[str, str]]:
    """The table of the page: case, index, answer."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.read_text().split(MARK)[1].strip().splitlines()
    ]
    return {row[0]: dict(zip(rows[0][1:], row[1:], strict=True)) for row in rows[2:]}


def test_the_page_has_every_case_and_index() -> None:
    table = documented()
    assert list(table) == list(CASES)
    assert all(list(row) == [info.title for info in INDICES] for row in table.values())


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("info", INDICES, ids=lambda info: info.name)
def test_the_answer_is_the_documented_one(info: IndexInfo, case: str) -> None:
    assert answer(info, case) == documented()[case][info.title]


def _write() -> None:
    lines = [
        "| case | " + " | ".join(info.title for info in INDICES) + " |",
        "|---" * (1 + len(INDICES)) + "|",
    ]
    for case in CASES:
        cells = " | ".join(answer(info, case) for info in INDICES)
        lines.append(f"| {case} | {cells} |")
    before, _, after = PAGE.read_text().split(MARK)
    PAGE.write_text(f"{before}{MARK}\n" + "\n".join(lines) + f"\n{MARK}{after}")


if __name__ == "__main__":
    _write()
