"""HDBSCAN from the tree: against its definition, scikit-learn's kernel, for any order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import HDBSCAN
from sklearn.cluster._hdbscan._tree import tree_to_labels

from definitions import hdbscan as definition
from disco_cvi import DensityTree
from helpers import zoo
from helpers.partitions import assert_same_partition

# scikit-learn's kernel takes a structured array.
LINKAGE = np.dtype(
    [
        ("left_node", np.int64),
        ("right_node", np.int64),
        ("value", np.float64),
        ("cluster_size", np.int64),
    ]
)


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "method": draw(st.sampled_from(["eom", "leaf"])),
        "epsilon": draw(st.sampled_from([0.0, 0.15, 0.4, 0.7, 1.1])),
        "allow_single_cluster": draw(st.booleans()),
    }


def in_units(tree: DensityTree, chosen: dict[str, Any]) -> dict[str, Any]:
    """The options for a tree: epsilon between two heights, where no rounding decides."""
    heights = np.unique(np.append(tree.heights, 0.0))
    epsilon = chosen["epsilon"]
    if epsilon > 0:
        place = min(int(epsilon * len(heights)), len(heights) - 1)
        above = heights[place + 1] if place + 1 < len(heights) else 2 * heights[place] + 1
        epsilon = float((heights[place] + above) / 2)
    return {**chosen, "epsilon": epsilon if np.isfinite(epsilon) else 0.0}


@pytest.mark.small
@zoo.examples(400)
@given(zoo.cases(most=30), options(), st.integers(2, 9))
def test_labels_are_those_of_the_definition(
    case: zoo.Case, chosen: dict[str, Any], size: int
) -> None:
    tree = DensityTree(case.points, min_points=case.min_points)
    chosen = in_units(tree, chosen)
    expected = definition.hdbscan(tree.distance_matrix(), size, **chosen)
    assert tree.hdbscan(size, **chosen).tolist() == expected


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(), options(), st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_clusters_are_blind_to_the_order_of_rows(
    case: zoo.Case, chosen: dict[str, Any], size: int, seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(case.points))
    tree = DensityTree(case.points, min_points=case.min_points)
    shuffled = DensityTree(case.points[order], min_points=case.min_points)
    chosen = in_units(tree, chosen)
    assert_same_partition(shuffled.hdbscan(size, **chosen), tree.hdbscan(size, **chosen)[order])


@pytest.mark.small
def test_trees_of_few_heights() -> None:
    """Whole heights make ties everywhere: of stabilities, and of epsilon and births."""
    for seed in range(18):
        random = np.random.default_rng(seed)
        n_points = int(random.integers(20, 45))
        # Groups of groups: the more often a number can be halved, the higher its join.
        levels = [(p & -p).bit_length() for p in range(1, n_points)]
        heights = np.array(levels) + random.integers(0, 3, n_points - 1)
        rows = random.permutation(n_points)
        edges = (rows[:-1], rows[1:], heights, np.zeros(n_points))
        tree = DensityTree.from_spanning_tree(*edges, min_points=1)
        distances = tree.distance_matrix()
        for method in ("eom", "leaf"):
            for single in (False, True):
                for epsilon in (0.0, float(random.integers(1, 4)), float(random.integers(4, 7))):
                    size = int(random.integers(2, 6))
                    chosen: dict[str, Any] = {"method": method, "epsilon": epsilon}
                    chosen["allow_single_cluster"] = single
                    expected = definition.hdbscan(distances, size, **chosen)
                    assert tree.hdbscan(size, **chosen).tolist() == expected


def scikit_learn(tree: DensityTree, size: int, **chosen: Any) -> Any:
    """Labels by scikit-learn's own condensation of the tree's linkage; None where it breaks down.

    With an epsilon, some versions fail for some trees by an error about array conversion.
    """
    linkage = np.empty(tree.n_points - 1, LINKAGE)
    for column, name in enumerate(LINKAGE.names or ()):
        linkage[name] = tree.linkage()[:, column]
    try:
        return tree_to_labels(
            linkage,
            min_cluster_size=size,
            cluster_selection_method=chosen["method"],
            cluster_selection_epsilon=chosen["epsilon"],
            allow_single_cluster=chosen["allow_single_cluster"],
        )[0]
    except TypeError:
        return None


def test_scikit_learn_condenses_distinct_heights_alike() -> None:
    """On a tree without ties, all joins of one height are one join: nothing is left to choose."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        n_points = int(random.integers(5, 150))
        first, second = (
            np.arange(1, n_points),
            [int(random.integers(i)) for i in range(1, n_points)],
        )
        heights = random.permutation(n_points - 1) / n_points + 0.5
        core = np.zeros(n_points)
        tree = DensityTree.from_spanning_tree(first, second, heights, core, min_points=1)
        n_compared = 0
        for size in (2, 3, 5, 12):
            for method in ("eom", "leaf"):
                for epsilon in (0.0, 0.51, 0.8123, 1.2001):
                    for single in (False, True):
                        chosen: dict[str, Any] = {"method": method, "epsilon": epsilon}
                        chosen["allow_single_cluster"] = single
                        theirs = scikit_learn(tree, size, **chosen)
                        if theirs is not None:
                            assert_same_partition(tree.hdbscan(size, **chosen), theirs)
                            n_compared += 1
        assert n_compared >= 16


def test_scikit_learn_fits_alike_where_heights_are_distinct() -> None:
    for seed in range(5):
        random = np.random.default_rng(seed)
        points = random.normal(size=(150, 2)) + 4 * random.integers(3, size=(150, 1))
        for min_points in (1, 2):
            tree = DensityTree(points, min_points=min_points)
            assert (np.diff(tree.heights) > 0).all()
            for size in (3, 5, 10):
                theirs = HDBSCAN(min_cluster_size=size, min_samples=min_points, copy=True).fit(
                    points
                )
                assert_same_partition(tree.hdbscan(size), theirs.labels_)


def test_the_hdbscan_package_does_not_count_the_point_itself() -> None:
    package = pytest.importorskip("hdbscan")
    for seed in range(2):
        random = np.random.default_rng(seed)
        points = random.normal(size=(150, 2)) + 4 * random.integers(3, size=(150, 1))
        tree = DensityTree(points, min_points=2)
        assert (np.diff(tree.heights) > 0).all()
        for size in (3, 5, 10):
            for method in ("eom", "leaf"):
                theirs = package.HDBSCAN(
                    min_cluster_size=size, min_samples=1, cluster_selection_method=method
                ).fit_predict(points)
                assert_same_partition(tree.hdbscan(size, method=method), theirs)


# --- edges and errors ---------------------------------------------------------------------------


@pytest.mark.small
def test_edges() -> None:
    assert DensityTree([[1.0]], min_points=1).hdbscan(2).tolist() == [-1]
    assert DensityTree(zoo.column(1.0, 2.0), min_points=1).hdbscan(2).tolist() == [-1, -1]
    same = DensityTree([[1.0]] * 6, min_points=3)
    assert same.hdbscan(2).tolist() == [-1] * 6
    assert same.hdbscan(2, allow_single_cluster=True).tolist() == [0] * 6
    two = DensityTree([[0.0]] * 4 + [[1.0]] * 4, min_points=2)
    assert two.hdbscan(3).tolist() == [0] * 4 + [1] * 4
    assert two.hdbscan(10**9).tolist() == [-1] * 8
    assert two.hdbscan(3, "leaf", 0.5, True).tolist() == [0] * 4 + [1] * 4
    assert two.hdbscan(10**30).tolist() == [-1] * 8


@pytest.mark.small
@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_groups_of_all_sizes_that_join_at_one_height(method: str) -> None:
    """From left to right 5, 2, 6, 4 and 1 points with a gap of 9 between the groups."""
    sizes = [5, 2, 6, 4, 1]
    starts = np.cumsum([0, *(size + 8 for size in sizes[:-1])])
    points = zoo.column(
        *(float(x) for a, n in zip(starts, sizes, strict=True) for x in a + np.arange(n))
    )
    tree = DensityTree(points, min_points=1)
    for least in range(2, 9):
        large = [size >= least for size in sizes]
        names = np.where(large, np.cumsum(large) - 1, -1) if sum(large) > 1 else [-1] * 5
        found = tree.hdbscan(least, method=method)
        assert found.tolist() == np.repeat(names, sizes).tolist()


@pytest.mark.small
def test_a_cluster_that_lives_longer_than_its_two_halves() -> None:
    """Its halves of four points live from height 2 to 1.5, it lives from 10 to 2.

    Its stability is 8 * (1/2 - 1/10) = 3.2, theirs are 4 * (2/3 - 1/2) each, 1.3 together.
    """
    four = np.arange(4) * 1.5
    tree = DensityTree(zoo.column(*four, *(6.5 + four), *(21 + four)), min_points=1)
    assert tree.hdbscan(3).tolist() == [0] * 8 + [1] * 4
    assert tree.hdbscan(3, method="leaf").tolist() == [0] * 4 + [1] * 4 + [2] * 4


@pytest.mark.small
def test_a_point_very_far_away_changes_nothing() -> None:
    near = zoo.column(0, 1, 2.5, 10, 11, 12.5, 12.5, 12.5)
    points = np.vstack([1e-7 * near, [[1e300]]])
    tree = DensityTree(points, min_points=2, metric="manhattan")
    assert tree.hdbscan(3).tolist() == [0] * 3 + [1] * 5 + [-1]
    assert tree.hdbscan(2).tolist() == [0] * 3 + [1] * 2 + [2] * 3 + [-1]
    assert tree.hdbscan(3, epsilon=1e-6).tolist() == [0] * 3 + [1] * 5 + [-1]


@pytest.mark.small
@pytest.mark.parametrize(
    ("chosen", "kind", "words"),
    [
        ({"min_cluster_size": 1}, ValueError, "min_cluster_size of hdbscan must be an integer of"),
        ({"min_cluster_size": 2.5}, TypeError, "min_cluster_size of hdbscan must be an integer"),
        ({"method": "mean"}, ValueError, "method of hdbscan must be one of 'eom', 'leaf'"),
        ({"epsilon": -1}, ValueError, "epsilon of hdbscan must be a finite number of at least 0"),
        ({"allow_single_cluster": 1}, TypeError, "allow_single_cluster of hdbscan must be True or"),
    ],
)
def test_errors(chosen: dict[str, Any], kind: type[Exception], words: str) -> None:
    tree = DensityTree(zoo.column(0.0, 1, 2), min_points=2)
    with pytest.raises(kind, match=words):
        tree.hdbscan(**chosen)
