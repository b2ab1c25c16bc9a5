"""The minimum spanning tree of parts that no single machine holds, conducted by the client.

The points are cut in space into blocks, which ask each other for core distances (`block`), span
themselves and certify most of their edges (`local_tree`), and join what is left in rounds
(`rounds`, `joining`). All tasks are pure. What moves between blocks is small: boxes, and questions
and answers about points near their borders.

The heights and core distances are the same bits as those of a tree of all points at once: the cost
of an edge is a fixed function of the bits of its points, which every block scales by the same power
of two, and the sorted costs are the same for every minimum spanning tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.safe_scale import exponent_for, top_for_squares
from disco_cvi._input.metric import Metric
from disco_cvi._neighbors.distances import euclidean_points, from_squares
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree
from disco_cvi.distributed.block import (
    answer_core_distances,
    ask_core_distances,
    asked_blocks,
    find_core_distances,
    outline,
    settle,
)
from disco_cvi.distributed.boxes import Boxes, chosen, joined, merge_boxes
from disco_cvi.distributed.joining import Joining, farthest_corners, joined_edges, near_blocks
from disco_cvi.distributed.local_tree import least_cores, list_fragments, span_block, surrender
from disco_cvi.distributed.parts import PartFacts, check_parts, describe, first_rows
from disco_cvi.distributed.rounds import answer_edges, ask_edges
from disco_cvi.distributed.runner import Runner
from disco_cvi.distributed.splits import MOST_BLOCKS, ON_SPHERE, Scale, cut, plan_splits, scale_rows
from disco_cvi.exceptions import InvalidInputError

# Rows of the sample that the blocks are cut by: of every part, and of all parts.
_SAMPLED_PER_PART = 500
_SAMPLED = 1 << 16
# In more dimensions than this most points are near the border of their block.
MOST_DIMENSIONS = 5
# So many of the nearest blocks are looked at closely when edges are certified.
_BLOCKS_SEEN = 8
# Every component has an edge to another, so every round joins some, unless something is wrong.
_NOTHING_JOINED = (
    "{} found no edge between the {:,} components that are left. X must hold the same numbers "
    "whenever it is read; if it does, this is an error of disco-cvi."
)


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
    runner.told("points", len(parts))
    size = _SAMPLED_PER_PART + _SAMPLED // max(1, len(parts))
    facts = runner.gather(
        [runner.submit(describe, part, seed, size, caller) for seed, part in enumerate(parts)]
    )
    min_points = check_parts(facts, min_points, metric, caller)
    _check_reach(_width(facts), metric, caller)
    if callable(n_blocks):
        n_blocks = n_blocks(sum(fact.rows for fact in facts), _width(facts))
    n_blocks = min(n_blocks, MOST_BLOCKS)
    scale = _scale_of(facts, metric, caller)
    blocks = _settle(parts, facts, n_blocks, scale, min_points, runner)
    _find_cores(blocks, min_points, runner)
    _span_blocks(blocks, runner)
    joining = _join(blocks, runner, caller)
    spanning = _collect(blocks, joining, runner)
    heights, unit = from_squares(spanning.edges.heights, scale.exponent, metric)
    core, _ = from_squares(spanning.core, scale.exponent, metric)
    measured = spanning._replace(core=core, edges=spanning.edges._replace(heights=heights))
    return SpannedParts(measured, unit)


class _Blocks:
    """Futures of what is known of each block, and what the client knows of all of them."""

    def __init__(self, block: list[Any], boxes: list[Any], outlines: list[Boxes]) -> None:
        self.block = block
        self.boxes = boxes
        self.outlines = outlines
        self.core: list[Any] = []
        self.least: list[Any] = []
        self.local: list[Any] = []
        self.fragments: list[Any] = []

    def __len__(self) -> int:
        return len(self.block)

    def whole(self, least: Sequence[FloatArray] | None = None) -> Boxes:
        """One box for each block."""
        boxes = joined(self.outlines)
        if least is not None:
            boxes = boxes._replace(least=np.concatenate(least))
        number = np.repeat(np.arange(len(self)), [len(part.group) for part in self.outlines])
        return merge_boxes(boxes, number, len(self))


def _check_reach(width: int, metric: Metric, caller: str) -> None:
    """Raise unless blocks can be cut in space so that few points concern other blocks."""
    if not metric.is_euclidean:
        rule = "be 'euclidean', 'sqeuclidean', 'cosine' or 'haversine' for points in parts"
        remedy = "Build a DensityTree on one machine for any other metric."
        raise InvalidInputError(
            argument="metric", caller=caller, rule=rule, got=metric.shown, remedy=remedy
        )
    if width > MOST_DIMENSIONS:
        raise InvalidInputError(
            argument="X",
            caller=caller,
            rule=f"have at most {MOST_DIMENSIONS} columns, as blocks of points in more dimensions "
            "are all neighbors of each other",
            got=str(width),
            remedy="Reduce the dimensions, or build a DensityTree on one machine, with "
            "algorithm='approximate' if the points are very many.",
        )


def _width(facts: Sequence[PartFacts]) -> int:
    return next(fact.width for fact in facts if fact.rows)


def _scale_of(facts: Sequence[PartFacts], metric: Metric, caller: str) -> Scale:
    """One exponent for all parts, from the largest coordinate of all."""
    if metric.name in ON_SPHERE:
        sample = next(fact.sample for fact in facts if fact.rows)
        return Scale(metric, euclidean_points(sample, metric, caller)[1], caller)
    largest = max(fact.largest for fact in facts)
    return Scale(metric, exponent_for(largest, top_for_squares(_width(facts))), caller)


def _sample(facts: Sequence[PartFacts], scale: Scale) -> FloatArray:
    """Rows of all parts, as many of each as is its share."""
    share = min(len(fact.sample) / fact.rows for fact in facts if fact.rows)
    rows = [fact.sample[: int(np.ceil(share * fact.rows))] for fact in facts if fact.rows]
    return scale_rows(np.concatenate(rows), scale)


def _settle(
    parts: Sequence[Any],
    facts: Sequence[PartFacts],
    n_blocks: int,
    scale: Scale,
    min_points: int,
    runner: Runner,
) -> _Blocks:
    """Cut the parts into blocks; those that got no points are left out."""
    runner.told("blocks", len(parts) + 2 * n_blocks)
    splits = plan_splits(_sample(facts, scale), n_blocks)
    cuts = [
        runner.spread(cut, n_blocks, part, first, splits, scale)
        for part, fact, first in zip(parts, facts, first_rows(facts), strict=False)
        if fact.rows
    ]
    settled = [
        runner.submit(settle, [pieces[block] for pieces in cuts], min_points)
        for block in range(n_blocks)
    ]
    boxes = [runner.submit(outline, block) for block in settled]
    outlines = runner.gather(boxes)
    runner.release([piece for pieces in cuts for piece in pieces])
    kept = [block for block in range(n_blocks) if outlines[block] is not None]
    return _Blocks(*([values[block] for block in kept] for values in (settled, boxes, outlines)))


def _find_cores(blocks: _Blocks, min_points: int, runner: Runner) -> None:
    """Core distances over all blocks."""
    runner.told("core distances", 4 * len(blocks))
    whole = blocks.whole()
    farthest = np.minimum(whole.most, farthest_corners(whole, min_points))
    near = [numbers.tolist() for numbers in near_blocks(whole, farthest)]
    questions = [
        runner.submit(
            ask_core_distances, block, near[me], [blocks.boxes[o] for o in near[me]], min_points
        )
        for me, block in enumerate(blocks.block)
    ]
    asked = runner.gather([runner.submit(asked_blocks, each) for each in questions])
    answers = {}
    for me, block in enumerate(blocks.block):
        askers = [other for other in range(len(blocks)) if me in asked[other]]
        if askers:
            theirs = [questions[other] for other in askers]
            answers[me] = runner.submit(
                answer_core_distances, block, me, askers, theirs, min_points
            )
    for me, block in enumerate(blocks.block):
        theirs = [answers[other] for other in asked[me]]
        core = runner.submit(find_core_distances, block, me, questions[me], theirs, min_points)
        blocks.core.append(core)
        blocks.least.append(runner.submit(least_cores, block, core))
    runner.release([*questions, *answers.values()])


def _span_blocks(blocks: _Blocks, runner: Runner) -> None:
    """Every block's own tree, and its fragments."""
    runner.told("trees of blocks", 2 * len(blocks))
    whole = blocks.whole(runner.gather(blocks.least))
    # A core distance over all blocks is no larger than one within a block.
    near = near_blocks(whole, whole.most, _BLOCKS_SEEN)
    for me, block in enumerate(blocks.block):
        seen = near[me].tolist()
        others = np.setdiff1d(np.arange(len(blocks)), [me, *seen])
        elsewhere = chosen(whole, others)
        boxes, least = [blocks.boxes[o] for o in seen], [blocks.least[o] for o in seen]
        local = runner.submit(span_block, block, blocks.core[me], boxes, least, elsewhere)
        blocks.local.append(local)
        blocks.fragments.append(runner.submit(list_fragments, block, blocks.core[me], local))


def _join(blocks: _Blocks, runner: Runner, caller: str) -> Joining:
    """Rounds, until all fragments are joined."""
    fragments = runner.gather(blocks.fragments)
    runner.release([*blocks.boxes, *blocks.least])
    joining = Joining(fragments)
    while joining.n_components > 1:
        runner.told(f"round with {joining.n_components:,} components", 3 * len(blocks))
        limits = joining.limits()
        near = joining.near(limits)
        questions = {}
        for me in range(len(blocks)):
            if len(near[me]):
                questions[me] = runner.submit(
                    ask_edges,
                    blocks.block[me],
                    blocks.core[me],
                    blocks.local[me],
                    blocks.fragments[me],
                    near[me].tolist(),
                    [blocks.fragments[o] for o in near[me]],
                    joining.seen(me, near[me], limits),
                )
        asked = runner.gather([runner.submit(asked_blocks, each) for each in questions.values()])
        if joining.join(limits, _answers(blocks, joining, questions, asked, runner)) == 0:
            raise RuntimeError(_NOTHING_JOINED.format(caller, joining.n_components))
    return joining


def _answers(
    blocks: _Blocks,
    joining: Joining,
    questions: dict[int, Any],
    asked: Sequence[Sequence[int]],
    runner: Runner,
) -> list[Any]:
    askers: dict[int, list[int]] = {}
    for asker, others in zip(questions, asked, strict=True):
        for other in others:
            askers.setdefault(other, []).append(asker)
    answers = [
        runner.submit(
            answer_edges,
            blocks.block[me],
            blocks.core[me],
            blocks.local[me],
            me,
            joining.names(me),
            theirs,
            [questions[asker] for asker in theirs],
        )
        for me, theirs in askers.items()
    ]
    found = list(zip(askers, runner.gather(answers), strict=True))
    runner.release([*questions.values(), *answers])
    return found


def _collect(blocks: _Blocks, joining: Joining, runner: Runner) -> SpanningTree:
    """All edges, core distances and rows."""
    runner.told("result", len(blocks))
    results = runner.gather(
        [
            runner.submit(surrender, *of_block)
            for of_block in zip(blocks.block, blocks.core, blocks.local, strict=True)
        ]
    )
    rows, multiplicity, core, sure = zip(*results, strict=True)
    edges = [
        Edges(part.first + first, part.second + first, part.heights)
        for first, part in zip(joining.first_point[:-1], sure, strict=True)
    ]
    return SpanningTree(
        np.concatenate(rows),
        np.concatenate(multiplicity),
        np.concatenate(core),
        joined_edges([*edges, *joining.edges]),
    )
