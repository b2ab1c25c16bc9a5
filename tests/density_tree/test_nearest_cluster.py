"""The parts of a path are walked in threads, and not a bit depends on that."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

from disco_cvi import DensityTree, disco_samples, disco_score, mmj_sc_score
from disco_cvi._compute.threads import for_tasks
from disco_cvi.density_tree import walks
from disco_cvi.density_tree.nearest_cluster import nearest_clusters
from helpers import zoo

pytestmark = pytest.mark.small
JOBS = (1, 2, 3, 8)


def force_tasks(patch: pytest.MonkeyPatch, size: int) -> None:
    """Let few leaves be many tasks."""
    patch.setattr(walks, "_MANY_LEAVES", 1)
    patch.setattr(walks, "_LEAST_TASK", size)
    patch.setattr(walks, "_MOST_TASKS", 1000)


@pytest.mark.parametrize("kind", ["runs", "mixed", "ties", "one height"])
@pytest.mark.parametrize("seed", range(4))
def test_mean_distances_are_rounded_once_and_the_first_of_the_nearest_is_told(
    kind: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    n_points = 40
    second = [int(random.integers(i)) for i in range(1, n_points)]
    heights = random.random(n_points - 1)
    if kind == "ties":
        heights = np.ceil(2 * heights)
    if kind == "one height":
        heights[:] = 1.0
    edges = np.arange(1, n_points), second, heights, np.zeros(n_points)
    line = DensityTree.from_spanning_tree(*edges, min_points=1).parts.line
    codes = random.integers(0, 3, n_points).astype(np.int32)
    if kind == "runs":
        codes.sort()
    codes[random.permutation(n_points)[:4]] = -1
    sizes = np.bincount(codes[codes >= 0])
    found = nearest_clusters(codes, line.joins, line.ends, sizes, 1)
    for p in np.flatnonzero(codes >= 0):
        means = []
        for c, size in enumerate(sizes.tolist()):
            others = [sorted((p, q)) for q in np.flatnonzero(codes == c) if q != p]
            total = sum(Fraction(line.joins[a + 1 : b + 1].max()) for a, b in others)
            means.append(float(total / (size - (c == codes[p]))))
        assert found.compactness[p] == means[codes[p]]
        means[codes[p]] = np.inf
        assert found.separation[p] == min(means)
        assert found.cluster[p] == np.argmin(means)


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_of_clusters_that_are_equally_far_the_first_is_told(order: tuple[int, ...]) -> None:
    # From each of the four pairs the other pairs on the same side are 1 away, the others 5.
    tree = DensityTree(zoo.column(0, 1, 2, 3, 8, 9, 10, 11), min_points=1)
    line = tree.parts.line
    labels = np.repeat(order, 2)
    codes = labels[line.leaves].astype(np.int32)
    found = nearest_clusters(codes, line.joins, line.ends, np.full(4, 2), 1)
    beside = {order[0]: order[1], order[1]: order[0], order[2]: order[3], order[3]: order[2]}
    assert found.cluster.tolist() == [beside[c] for c in codes.tolist()]
    # Without the pair beside it, the two on the other side are equally far.
    codes[codes == order[1]] = -1
    found = nearest_clusters(codes, line.joins, line.ends, np.array([2] * 4), 1)
    own = codes == order[0]
    assert found.cluster[own].tolist() == [min(order[2:])] * 2


def test_tasks_are_about_as_large_as_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # A balanced tree of 16 leaves: the path of leaf p ends where its lowest bit leads.
    ends = np.array([16, *(p + (p & -p) for p in range(1, 16))], np.int32)
    walked = []

    def walk(_room: None, begin: int, stop: int) -> NDArray[np.int32]:
        walked.append((begin, stop))
        parts, place = [], begin + 1
        while place < ends[begin]:
            parts.append(place)
            place = int(ends[place])
        return np.array(parts, np.int32)

    force_tasks(monkeypatch, 2)
    monkeypatch.setattr(walks, "_MOST_TASKS", 4)
    walks.walk_in_tasks(walk, [None], ends)
    assert sorted(walked) == [(0, 1), (1, 4), (4, 8), (8, 9), (9, 12), (12, 16)]
    walked.clear()
    monkeypatch.setattr(walks, "_MANY_LEAVES", 16)
    walks.walk_in_tasks(walk, [None], ends)
    assert walked == [(0, 16)]


@pytest.mark.parametrize("size", [1, 2, 5])
@zoo.examples(60)
@given(zoo.cases(most=60))
def test_tasks_do_not_change_a_bit(size: int, case: zoo.Case) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    expected = disco_samples(tree, case.labels)
    with pytest.MonkeyPatch.context() as patch:
        force_tasks(patch, size)
        for n_jobs in JOBS:
            found = disco_samples(tree, case.labels, n_jobs=n_jobs)
            assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize("seed", range(5))
def test_tasks_do_not_change_near_ties(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = DensityTree(zoo.near_ties(seed), min_points=1, metric="precomputed")
    labels = zoo.many_labels(tree.n_points, seed)
    expected = disco_score(tree, labels), mmj_sc_score(tree, labels)
    force_tasks(monkeypatch, 2)
    for n_jobs in JOBS:
        assert disco_score(tree, labels, n_jobs=n_jobs) == expected[0]
        assert mmj_sc_score(tree, labels, n_jobs=n_jobs) == expected[1]


def test_short_parts_of_a_path_make_one_task() -> None:
    # Parts of one leaf each, but for one of 10.
    parts = np.array([1, 2, 3, 4, 14, 15, 16], np.int32)
    ends = np.zeros(17, np.int32)
    ends[parts] = [*parts[1:], 17]
    assert walks._tasks(parts, ends, 4) == [(4, 14), (1, 4), (14, 16), (16, 17)]
    assert walks._tasks(parts[:0], ends, 4) == []


def test_tasks_name_further_tasks() -> None:
    done = []

    def work(number: int) -> list[int]:
        done.append(number)
        return [2 * number, 2 * number + 1] if number < 8 else []

    for_tasks(work, [1], 3)
    assert sorted(done) == list(range(1, 16))


def test_what_a_task_raises_is_raised() -> None:
    def work(number: int) -> list[int]:
        return [number // (number - 3), number + 1]

    with pytest.raises(ZeroDivisionError):
        for_tasks(work, [1], 2)
