"""The minimum spanning tree of parts that no single machine holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.metric import Metric
from disco_cvi._input.points import Points
from disco_cvi._spanning_tree.mutual_reachability import SpanningTree, spanning_tree_of
from disco_cvi.distributed.parts import as_rows, check_parts, describe
from disco_cvi.distributed.runner import Runner

# Rows of the sample that the blocks are cut by: of every part, and of all parts.
_SAMPLED_PER_PART = 500
_SAMPLED = 1 << 17


class SpannedParts(NamedTuple):
    """A spanning tree whose heights and core distances are to be multiplied by ``2**exponent``."""

    spanning: SpanningTree
    exponent: int


def span(
    parts: Sequence[Any],
    min_points: int,
    n_blocks: int | Callable[[int, int], int],
    runner: Runner,
    metric: Metric,
    caller: str,
) -> SpannedParts:
    """Span all rows of all parts, which are futures of the runner.

    `n_blocks`: into how many blocks the points are cut, or a function that says so from the numbers
    of rows and of columns.
    """
    runner.told("looking at the points", len(parts))
    size = _SAMPLED_PER_PART + _SAMPLED // max(1, len(parts))
    facts = runner.gather(
        [runner.submit(describe, part, seed, size, caller) for seed, part in enumerate(parts)]
    )
    min_points = check_parts(facts, min_points, metric, caller)
    if callable(n_blocks):
        n_blocks = n_blocks(sum(fact.rows for fact in facts), facts[0].width)
    runner.told("spanning tree", 1)
    spanned = runner.submit(_span_all, list(parts), min_points, metric, caller)
    return SpannedParts(*runner.gather([spanned])[0])


def _span_all(
    parts: list[NDArray[Any]], min_points: int, metric: Metric, caller: str
) -> tuple[SpanningTree, int]:
    rows = np.concatenate([as_rows(part, caller).astype(np.float64) for part in parts if len(part)])
    points = Points(rows, metric, has_own_metric=True, n_jobs=1, caller=caller)
    spanning, exponent, _ = spanning_tree_of(points, min_points)
    return spanning, exponent
