"""The parts of a path are walked in threads, and not a bit depends on that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from disco_cvi import DensityTree, disco_samples, disco_score, mmj_sc_score
from disco_cvi._compute.threads import for_tasks
from disco_cvi.density_tree import walks
from helpers import zoo

pytestmark = pytest.mark.small
JOBS = (1, 2, 3, 8)


def force_tasks(patch: pytest.MonkeyPatch, size: int) -> None:
    """Let few leaves be many tasks."""
    patch.setattr(walks, "_MANY_LEAVES", 1)
    patch.setattr(walks, "_LEAST_TASK", size)
    patch.setattr(walks, "_MOST_TASKS", 1000)


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
