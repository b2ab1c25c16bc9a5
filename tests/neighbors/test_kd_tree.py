"""The k-d tree: invariants, however points are dealt into ranges; one tree for all threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.core_distances import neighbors_by_kd_tree
from disco_cvi._neighbors.kd_growth import DEPTH_LIMIT, _even_pivot, room_for_sample
from disco_cvi._neighbors.kd_tree import KDTree, _grow_range, _room_for, build_kd_tree
from helpers import zoo
from helpers.row_orders import order_against_samples

RANDOM = np.random.default_rng(0)
KINDS = {
    "blobs": RANDOM.normal(size=(400, 2)) + 9.0 * RANDOM.integers(0, 3, (400, 1)),
    "uniform": RANDOM.random((400, 3)),
    "skewed": np.exp(4.0 * RANDOM.normal(size=(400, 2))),
    "lattice": RANDOM.integers(0, 6, (400, 2)) / 10,
    "copies": np.repeat(RANDOM.random((9, 5)), 45, axis=0)[RANDOM.permutation(405)],
    "one value in most rows": np.where(RANDOM.random((400, 1)) < 0.7, 0.5, RANDOM.random((400, 2))),
    "one point": np.full((300, 2), 0.1),
    "signs of zero": np.where(RANDOM.random((300, 2)) < 0.5, 0.0, -0.0),
}


@pytest.fixture
def few_points_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    place = "disco_cvi._neighbors.kd_tree"
    for name, value in (("RANGE_SIZE", 20), ("FEW_RANGES", 2), ("SAMPLES_PER_RANGE", 4)):
        monkeypatch.setattr(f"{place}._{name}", value)
    monkeypatch.setattr(f"{place}._POINTS_PER_CALL", 50)


def assert_holds(tree: KDTree, points: zoo.Points) -> None:
    """Check rows and copies, then nodes: preorder, parents, ranges, tight boxes that are apart."""
    assert sorted(tree.rows.tolist()) == list(range(len(points)))
    whose = np.repeat(np.arange(len(tree.points)), tree.multiplicity)
    np.testing.assert_array_equal(points[tree.rows], tree.points[whose])
    assert len(tree.points) == len(np.unique(points, axis=0))
    assert (tree.parent[0], tree.start[0], tree.end[0]) == (0, 0, len(tree.points))
    waiting, n_seen = [0], 0
    while waiting:
        node = waiting.pop()
        assert node == n_seen
        n_seen += 1
        start, end, right = tree.start[node], tree.end[node], tree.right[node]
        held = tree.points[start:end]
        np.testing.assert_array_equal(tree.lower[node], held.min(axis=0))
        np.testing.assert_array_equal(tree.upper[node], held.max(axis=0))
        if right == 0:
            assert (tree.leaf[start:end] == node).all()
            assert end - start <= 16
            continue
        assert tree.parent[node + 1] == tree.parent[right] == node
        assert (tree.start[node + 1], tree.end[right]) == (start, end)
        assert tree.end[node + 1] == tree.start[right]
        assert (tree.upper[node + 1] < tree.lower[right]).any()
        waiting += [right, node + 1]
    assert n_seen == len(tree.start)


@pytest.mark.small
def test_a_tree_that_grows_as_a_whole_holds() -> None:
    for points in KINDS.values():
        assert_holds(build_kd_tree(points.copy()), points)


@pytest.mark.small
@pytest.mark.usefixtures("few_points_are_dealt")
def test_a_tree_of_ranges_holds() -> None:
    for points in [*KINDS.values(), *(KINDS["lattice"][:n] for n in (1, 2, 39, 40, 41, 60, 100))]:
        assert_holds(build_kd_tree(points.copy()), points)


@pytest.mark.usefixtures("few_points_are_dealt")
def test_threads_build_the_same_tree() -> None:
    for points in KINDS.values():
        expected = build_kd_tree(points.copy())
        for n_jobs in (2, 3, 8):
            found = build_kd_tree(points.copy(), n_jobs)
            for values, same in zip(expected, found, strict=True):
                np.testing.assert_array_equal(values, same)


def test_many_points_are_dealt_without_being_asked() -> None:
    points = np.random.default_rng(1).random((40_000, 2))
    given = points.copy()
    tree = build_kd_tree(given, 2)
    assert not np.shares_memory(tree.points, given)
    assert_holds(tree, points)


@pytest.mark.parametrize("dimension", range(1, 10))
def test_distances_are_added_in_one_order_in_every_dimension(dimension: int) -> None:
    tree = build_kd_tree(RANDOM.normal(size=(200, dimension)))
    squares = (tree.points[:, None] - tree.points) ** 2
    sums = np.zeros((4, 200, 200))
    whole = dimension - dimension % 4
    for c in range(dimension):
        sums[c % 4 if c < whole else 0] += squares[:, :, c]
    expected = np.sort((sums[0] + sums[1]) + (sums[2] + sums[3]), axis=1)
    found = neighbors_by_kd_tree(tree, 5, 1)
    assert found.core.tobytes() == expected[:, 4].tobytes()


def deepest(tree: KDTree) -> int:
    depths = np.zeros(len(tree.start), int)
    for node in range(1, len(depths)):
        depths[node] = depths[tree.parent[node]] + 1
    return int(depths.max())


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("n_points", [pytest.param(300, marks=pytest.mark.small), 5000])
def test_no_order_of_rows_makes_a_deep_tree(n_points: int, sign: int) -> None:
    points = sign * order_against_samples(n_points)
    tree = build_kd_tree(points.copy())
    shuffled = build_kd_tree(np.random.default_rng(0).permutation(points))
    assert deepest(tree) <= 2 * deepest(shuffled)
    assert_holds(tree, points)


@pytest.mark.small
@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.97, 0.999])
def test_one_value_of_any_share_and_far_others(share: float) -> None:
    generator = np.random.default_rng(1)
    points = np.exp(30 * generator.normal(size=(1000, 2))) * generator.choice([-1, 1], (1000, 2))
    points[generator.random(1000) < share, 0] = 0.25
    assert_holds(build_kd_tree(points.copy()), points)


@pytest.mark.small
@pytest.mark.parametrize("levels", [0, 1, 2, 3])
def test_no_node_lies_below_the_depth_limit(levels: int) -> None:
    # A leaf at the limit holds whatever is left.
    tree = _room_for(KINDS["uniform"].copy(), np.arange(400, dtype=np.int32))
    n_nodes = _grow_range(tree, 0, 400, DEPTH_LIMIT - levels, 16)
    assert n_nodes == 2 ** (levels + 1) - 1
    assert deepest(tree._replace(start=tree.start[:n_nodes])) == levels


@kernel
def even_pivot(points: zoo.Points, room: Any, low: float, high: float) -> Any:
    return _even_pivot(points, room, 0, points.shape[0], 0, low, high)


@pytest.mark.small
@pytest.mark.parametrize("first", [1.0, -1.0, -5e-324, 0.1, -3.5e300])
def test_an_even_pivot_has_a_quarter_of_the_points_on_either_side(first: float) -> None:
    random = np.random.default_rng(5)
    # Floats next to each other: only the last of all bits tell them apart.
    floats = [first]
    for _ in range(5):
        floats.append(float(np.nextafter(floats[-1], np.inf)))
    for _ in range(40):
        shares = random.dirichlet(np.full(6, 0.3))
        points = random.choice(floats, (random.integers(17, 40), 1), p=shares)
        values = np.unique(points)
        if len(values) == 1:
            continue
        pivot = even_pivot(points, room_for_sample(), values[0], values[-1])
        n_below = {value: int((points < value).sum()) for value in values[1:]}
        even = {count for count in n_below.values() if 1 / 4 <= count / len(points) <= 3 / 4}
        assert values[0] < pivot <= values[-1]
        if even:
            assert int((points < pivot).sum()) in even
        else:
            # Half of the points have one value, and it stands beside the pivot.
            common = max(values, key=lambda value: int((points == value).sum()))
            after = values[values > common]
            assert int((points < pivot).sum()) in (
                int((points < common).sum()),
                int((points < min(after, default=common)).sum()),
            )
