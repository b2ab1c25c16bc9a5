"""Blocks of points are laid out in threads: the line is right, and one for all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree
from disco_cvi._compute import sorting
from disco_cvi._spanning_tree.boruvka import Edges, SpanningTree
from disco_cvi.density_tree import build, leaf_order
from disco_cvi.density_tree.build import broken_rule, lay_out
from helpers import zoo

pytestmark = pytest.mark.small
JOBS = (1, 2, 3, 8)


def force_blocks(monkeypatch: pytest.MonkeyPatch, size: int, leaving: float = 2.0) -> None:
    """Let few points be many blocks."""
    monkeypatch.setattr(leaf_order, "_LEAST_BLOCK", size)
    monkeypatch.setattr(leaf_order, "_MOST_LEAVING", leaving)
    monkeypatch.setattr(build, "LEAVES_PER_RANGE", 3)
    monkeypatch.setattr(sorting, "_MANY_VALUES", 8)
    monkeypatch.setattr(sorting, "_LEAST_RANGE", 4)


@st.composite
def spanning_trees(draw: st.DrawFn) -> SpanningTree:
    """Generate spanning edges between near points, with ties, and points of several rows."""
    n_points = draw(st.integers(1, 40))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    reach = draw(st.sampled_from([1, 3, 40]))
    second = np.arange(1, n_points)
    first = np.maximum(0, second - random.integers(1, reach + 1, n_points - 1))
    turned = random.random(n_points - 1) < 0.5
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    n_heights = draw(st.sampled_from([1, 3, 10, 1000]))
    heights = random.integers(0, n_heights, n_points - 1) * 2.0 ** draw(st.sampled_from([-1060, 3]))
    core = np.full(n_points, np.inf)
    for ends in (first, second):
        np.minimum.at(core, ends, heights)
    core = np.where(np.isfinite(core), core, 0.0) * random.choice([0.0, 0.5, 1.0], n_points)
    multiplicity = random.integers(1, draw(st.sampled_from([2, 4])), n_points).astype(np.int32)
    rows = random.permutation(int(multiplicity.sum())).astype(np.int32)
    shuffled = random.permutation(n_points - 1)
    chosen = [values[shuffled].astype(np.int32) for values in (first, second)]
    edges = Edges(chosen[0], chosen[1], np.asarray(heights[shuffled], np.float64))
    return SpanningTree(rows, multiplicity, core, edges)


def meeting_heights(spanning: SpanningTree) -> zoo.Points:
    """The height at which two rows meet: the highest edge between them, or the core of copies."""
    rows, multiplicity, core, edges = spanning
    lowest = np.full((len(core), len(core)), np.inf)
    np.fill_diagonal(lowest, core)
    lowest[edges.first, edges.second] = lowest[edges.second, edges.first] = edges.heights
    for via in range(len(core)):
        np.minimum(lowest, np.maximum(lowest[:, [via]], lowest[[via]]), out=lowest)
    np.fill_diagonal(lowest, core)
    point = np.empty(len(rows), np.int64)
    point[rows] = np.repeat(np.arange(len(core)), multiplicity)
    return lowest[np.ix_(point, point)]


@zoo.examples(100)
@given(spanning_trees(), st.sampled_from([1, 2, 3, 7]), st.sampled_from([0.25, 2.0]))
def test_blocks_make_the_tree_of_the_edges(
    spanning: SpanningTree, size: int, leaving: float
) -> None:
    assert broken_rule(spanning) is None
    with pytest.MonkeyPatch.context() as patch:
        force_blocks(patch, size, leaving)
        found = [lay_out(spanning, n_jobs) for n_jobs in JOBS]
    line, shift = found[0]
    for other, other_shift in found:
        assert other_shift == shift
        assert [array.tobytes() for array in other] == [array.tobytes() for array in line]
    n_rows = len(spanning.rows)
    assert sorted(line.leaves.tolist()) == list(range(n_rows))
    expected = np.ldexp(meeting_heights(spanning), -shift)
    for leaf in range(n_rows):
        highest = np.maximum.accumulate(line.joins[leaf + 1 :])
        assert highest.tolist() == expected[line.leaves[leaf], line.leaves[leaf + 1 :]].tolist()
    assert line.core.tolist() == [
        float(np.ldexp(spanning.core, -shift)[i]) for i in _points_of_rows(spanning)
    ]
    _check_larger_parts_come_first(line.ends)


def _points_of_rows(spanning: SpanningTree) -> list[int]:
    points = np.repeat(np.arange(len(spanning.core)), spanning.multiplicity)
    return [int(point) for point in points[np.argsort(spanning.rows)]]


def _check_larger_parts_come_first(ends: np.ndarray) -> None:
    for begin in range(len(ends)):
        part = begin + 1
        while part < ends[begin]:
            assert ends[part] - part <= part - begin
            part = ends[part]


@zoo.examples(40)
@given(zoo.cases(least=2))
def test_blocks_do_not_change_the_tree_of_points(case: zoo.Case) -> None:
    expected = DensityTree(case.points, min_points=case.min_points)
    with pytest.MonkeyPatch.context() as patch:
        force_blocks(patch, 4)
        found = DensityTree(case.points, min_points=case.min_points, n_jobs=2)
    assert found.heights.tobytes() == expected.heights.tobytes()
    assert found.core_distances.tobytes() == expected.core_distances.tobytes()
    assert found.distance_matrix().tobytes() == expected.distance_matrix().tobytes()


def test_blocks_are_joined_as_far_as_that_is_final(monkeypatch: pytest.MonkeyPatch) -> None:
    # In two blocks of four points, the edges at 1 and 2 are final; that at 5 is not: its list is
    # joined to the other block at 3.
    heights = np.array([1.0, 5.0, 1.0, 3.0, 1.0, 2.0, 1.0])
    ends = np.arange(8, dtype=np.int32)
    force_blocks(monkeypatch, 4)
    lists = leaf_order.join_points(Edges(ends[:-1], ends[1:], heights), np.ones(8, np.int32), 1)
    assert np.diff(lists.begins).tolist() == [2, 2, 4]
    assert np.sort(lists.heights).tolist() == [0.0, 3.0, 5.0]
