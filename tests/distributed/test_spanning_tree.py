"""The tree of parts: the same bits as the tree of all points at once."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from disco_cvi import DensityTree, disco_score
from disco_cvi._compute.kernels import kernel
from disco_cvi._input.metric import check_metric
from disco_cvi._neighbors.kd_tree import squared_distance
from disco_cvi.density_tree.build import broken_rule, tree_from_edges
from disco_cvi.density_tree.tree import assemble_tree
from disco_cvi.distributed.boxes import gap, reach
from disco_cvi.distributed.joining import Joining
from disco_cvi.distributed.runner import ImmediateRunner, _resolve
from disco_cvi.distributed.spanning_tree import MOST_DIMENSIONS, span
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


def parts_of(points: NDArray[Any], n_parts: int, runner: ImmediateRunner) -> list[Any]:
    return [runner.submit(np.asarray, part) for part in np.array_split(points, n_parts)]


def tree_of_parts(
    points: NDArray[Any],
    min_points: int,
    n_blocks: int,
    n_parts: int = 3,
    metric: str = "euclidean",
) -> DensityTree:
    runner = ImmediateRunner()
    parts = parts_of(points, n_parts, runner)
    checked = check_metric(metric, None, "test")
    spanning, exponent = span(parts, min_points, n_blocks, runner, checked, "test")
    assert broken_rule(spanning) is None
    return assemble_tree(tree_from_edges(spanning, exponent, min_points, checked))


def assert_same_bits(one: DensityTree, other: DensityTree) -> None:
    assert np.array_equal(one.heights, other.heights)
    assert np.array_equal(one.core_distances, other.core_distances)
    labels = np.arange(one.n_points) * 7 % 4 - 1
    assert disco_score(one, labels) == disco_score(other, labels)


@st.composite
def nasty_points(draw: st.DrawFn) -> NDArray[np.float64]:
    """Ties, lattices, copies, heavy tails and groups, of any scale, in 1 to 7 dimensions."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = draw(st.sampled_from([40, 150, 1, 3, 12])), draw(st.integers(1, 7))
    kind = draw(st.sampled_from(["lattice", "copies", "rounded", "groups", "tails", "even"]))
    if kind == "lattice":
        points = random.integers(0, 4, shape).astype(np.float64)
    elif kind == "copies":
        points = random.random((max(1, shape[0] // 8), shape[1]))[
            random.integers(0, max(1, shape[0] // 8), shape[0])
        ]
    elif kind == "rounded":
        points = random.standard_normal(shape).round(1)
    elif kind == "groups":
        centers = 50 * random.random((4, shape[1]))
        points = centers[random.integers(0, 4, shape[0])] + random.standard_normal(shape)
    else:
        points = random.standard_t(1, shape) if kind == "tails" else random.random(shape)
    return np.asarray(points * 10.0 ** draw(st.sampled_from([0, 150, -150])))


@pytest.mark.small
@settings(max_examples=25)
@given(nasty_points(), st.integers(1, 12), st.integers(1, 20), st.integers(1, 4))
def test_the_same_bits(
    points: NDArray[np.float64], min_points: int, n_blocks: int, n_parts: int
) -> None:
    min_points = min(min_points, len(points))
    if points.shape[1] > MOST_DIMENSIONS:
        with pytest.raises(InvalidInputError, match="at most 5 columns"):
            tree_of_parts(points, min_points, n_blocks, n_parts)
        return
    tree = DensityTree(points, min_points=min_points)
    assert_same_bits(tree_of_parts(points, min_points, n_blocks, n_parts), tree)


class TwiceRunner(ImmediateRunner):
    """Runs every task twice, as Dask may, and sees that it gives the same and changes nothing."""

    def submit(self, function: Any, *arguments: Any) -> Any:
        given = list(map(_resolve, arguments))
        before = copy.deepcopy(given)
        done = super().submit(function, *arguments)
        assert same(given, before)
        assert same(function(*given), done.value)
        return done


def same(one: Any, other: Any) -> bool:
    """Whether two values are alike, to the last bit and type of their arrays."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


@pytest.mark.small
def test_tasks_can_be_run_again() -> None:
    points = np.random.default_rng(0).integers(0, 9, (90, 2)).astype(np.float64)
    runner = TwiceRunner()
    metric = check_metric("euclidean", None, "f")
    span(parts_of(points, 3, runner), 4, 5, runner, metric, "f")
    assert {"cut", "settle", "span_block", "ask_edges", "answer_edges"} <= runner.tasks.keys()


@pytest.mark.small
@pytest.mark.parametrize("dimension", range(1, 8))
def test_distances_of_boxes_are_those_of_points_to_the_last_bit(dimension: int) -> None:
    """A point is a box, too; another order of additions rounds otherwise."""
    points = np.random.default_rng(dimension).standard_normal((60, dimension))
    found = np.empty((60, 60)), np.empty((60, 60)), np.empty((60, 60))
    measure_boxes(points, *found)
    assert np.array_equal(found[0], found[2])
    assert np.array_equal(found[1], found[2])


@kernel
def measure_boxes(points: Any, gaps: Any, reaches: Any, distances: Any) -> None:
    for a in range(points.shape[0]):
        for b in range(points.shape[0]):
            gaps[a, b] = gap(points, points, a, points, points, b)
            reaches[a, b] = reach(points, points, a, points, points, b)
            distances[a, b] = squared_distance(points, a, b)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_bits_with_ties_between_blocks(seed: int) -> None:
    """Ties are everywhere: one point of many decides the core distances of its neighbors."""
    random = np.random.default_rng(seed)
    points = random.integers(0, 12, (400, 2)).astype(np.float64)
    points[::3] = random.standard_normal((134, 2)).round(1) * 5
    for min_points in (2, 5, 11):
        tree = DensityTree(points, min_points=min_points)
        assert_same_bits(tree_of_parts(points, min_points, 8), tree)


@pytest.mark.small
def test_parts_of_very_different_scales() -> None:
    points = np.random.default_rng(0).standard_normal((60, 2))
    points[:20] *= 1e-200
    points[40:] *= 1e200
    tree = DensityTree(points, min_points=3)
    assert_same_bits(tree_of_parts(points, 3, 4), tree)


@pytest.mark.small
@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, np.bool_, np.longdouble])
def test_numbers_of_any_kind(dtype: type) -> None:
    points: NDArray[Any] = np.random.default_rng(0).integers(0, 9, (50, 2)).astype(dtype)
    tree = DensityTree(points, min_points=3)
    assert_same_bits(tree_of_parts(points, 3, 4), tree)


@pytest.mark.parametrize("kind", ["even", "groups"])
def test_counts(kind: str) -> None:
    """Most edges are certified; tasks and messages are few, and small."""
    random = np.random.default_rng(0)
    n_points, n_blocks = 40_000, 16
    points = random.random((n_points, 2))
    if kind == "groups":
        points = 50 * random.random((9, 2))[random.integers(0, 9, n_points)] + points
    runner = ImmediateRunner()
    parts = parts_of(points, n_blocks, runner)
    runner.tasks.clear()
    runner.messages.clear()
    span(parts, 5, n_blocks, runner, check_metric("euclidean", None, "f"), "f")
    rounds = [step for step in runner.steps if step.startswith("round")]
    n_fragments = int(rounds[0].split()[2].replace(",", ""))
    assert 1 - n_fragments / n_points > 0.98
    assert sum(runner.tasks.values()) <= 40 * n_blocks
    for step in rounds:
        asked = [m for m in runner.messages if m[0] == step and m[1] == "answer_edges"]
        assert len(asked) <= 8 * n_blocks
    assert len(rounds) <= 8
    moved = sum(size for step, name, size in runner.messages if (step, name) not in UNCOUNTED)
    assert moved <= 60 * n_points


# The points on their way to their blocks, and what the tree is made of; and the sample, whose size
# does not depend on the number of points.
UNCOUNTED = {("blocks", "settle"), ("result", "gather"), ("points", "gather")}


@pytest.mark.small
def test_a_result_moves_to_a_worker_once() -> None:
    runner = ImmediateRunner()
    here, there = runner.submit(np.zeros, 3), runner.submit(np.ones, 5)
    for _ in range(2):
        runner.submit(np.append, here, there)
    assert [message[1:] for message in runner.messages] == [("append", 40)]
    assert runner.tasks == {"zeros": 1, "ones": 1, "append": 2}
    assert runner.gather([here])[0].tolist() == [0, 0, 0]


@pytest.mark.small
def test_metrics_and_dimensions_that_blocks_cannot_be_cut_for() -> None:
    assert "'cosine' or 'haversine' for points in parts; got 'manhattan'" in message_of(
        [[[0.0]]], metric="manhattan"
    )
    assert "at most 5 columns" in message_of([np.zeros((1, 6))])
    assert "in its first column for the metric 'haversine'; got -90 in row 3" in message_of(
        [[[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [-90.0, 0.0]]], metric="haversine"
    )


@pytest.mark.small
@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cosine"])
def test_metrics(metric: str) -> None:
    points = np.random.default_rng(0).standard_normal((60, 3))
    tree = DensityTree(points, min_points=4, metric=metric)
    assert_same_bits(tree_of_parts(points, 4, 4, metric=metric), tree)


def message_of(parts: list[ArrayLike], min_points: int = 1, metric: str = "euclidean") -> str:
    runner = ImmediateRunner()
    futures = [runner.submit(np.asarray, part) for part in parts]
    with pytest.raises((InvalidInputError, InvalidTypeError)) as raised:
        span(futures, min_points, 2, runner, check_metric(metric, None, "f"), "f")
    return str(raised.value)


@pytest.mark.small
def test_messages_name_rows_of_all_parts() -> None:
    good, bad = [[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [np.nan, 1.0], [1.0, np.inf]]
    assert message_of([good, bad, bad]) == (
        "X of f holds NaN or infinity in 4 rows (first: row 3). "
        "Drop or fill them; density is not defined with missing values."
    )
    assert "holds infinity in 1 row (first: row 1)" in message_of([[[1.0], [np.inf]]])
    assert "row 2 is one" in message_of([good, [[0.0, 0.0]]], metric="cosine")
    assert "got parts of 2 and of 1 columns" in message_of([good, [[1.0]]])
    assert "at least one point and one column" in message_of([np.empty((0, 2))])
    assert "from 1 to the number of points (2); got 3" in message_of([good], 3)
    assert "a part of shape (2,) of <U1" in message_of([["a", "b"]])


@pytest.mark.small
def test_places_at_the_poles_and_across_the_date_line() -> None:
    latitudes = np.append(np.random.default_rng(0).uniform(-1.57, 1.57, 120), [np.pi / 2] * 3)
    longitudes = np.random.default_rng(1).uniform(-np.pi, np.pi, 123)
    longitudes[60:120] = np.pi * (1 - longitudes[60:120] / 50)
    points = np.column_stack([latitudes, longitudes])
    tree = DensityTree(points, min_points=4, metric="haversine")
    assert_same_bits(tree_of_parts(points, 4, 8, metric="haversine"), tree)


@pytest.mark.small
def test_a_round_that_joins_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Joining, "join", lambda *_: 0)
    with pytest.raises(RuntimeError, match="X must hold the same numbers whenever it is"):
        tree_of_parts(np.random.default_rng(0).random((60, 2)), 4, 4)


@pytest.mark.small
def test_empty_parts_are_allowed() -> None:
    runner = ImmediateRunner()
    parts = [np.empty((0, 2)), np.eye(2), np.empty((0, 5)), np.eye(2) + 1]
    futures = [runner.submit(np.asarray, part) for part in parts]
    spanning, _ = span(futures, 2, 2, runner, check_metric("euclidean", None, "f"), "f")
    assert len(spanning.rows) == 4
