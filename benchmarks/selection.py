"""Benchmarks of choosing parameters: what many clusterings cost once there is a tree.

All on one thread, as cuts and paths have one; the regret is of the adjusted Rand index.
"""

from __future__ import annotations

import copy
import statistics
import sys
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN, HDBSCAN

from benchmarks.data import blobs
from benchmarks.measure import Row, best_times
from disco_cvi import DensityTree, disco_score
from disco_cvi._input.points import open_points
from disco_cvi.density_tree.tree import density_tree_of
from disco_cvi.selection import suggest
from disco_paper.choosing import benchmark_regrets


def _middle_eps(tree: DensityTree, n_values: int) -> list[float]:
    """Eps spread over the rows of the path where clusters are to be found."""
    path = tree.eps_path()
    rows = np.flatnonzero((path.n_clusters > 1) & (path.noise_share < 0.5))
    return [path[int(row)].eps for row in np.quantile(rows, np.linspace(0, 1, n_values)).round()]


def dbscan_labelings() -> Iterator[Row]:
    """Ten labelings with border points, against the tree and against DBSCAN run ten times."""
    points, _ = blobs(100_000, 2)
    tree = DensityTree(points)
    values = _middle_eps(tree, 10)

    def label(tree: DensityTree) -> list[NDArray[np.int64]]:
        fresh = copy.copy(tree)
        return [fresh.dbscan(eps) for eps in values]

    labels, build, both = best_times(
        lambda: label(tree), lambda: DensityTree(points), lambda: label(DensityTree(points))
    )
    (theirs,) = best_times(
        lambda: [DBSCAN(eps=eps, min_samples=5).fit_predict(points) for eps in values], repeats=1
    )
    yield Row("10 DBSCAN labelings with borders / building the tree", labels, build, 0.2)
    yield Row("tree and 10 labelings / 10 runs of scikit-learn's DBSCAN", both, theirs, 0.05)


def eps_paths() -> Iterator[Row]:
    """Scores at every eps, against the tree and against labelings scored one by one."""
    for n_points, floor in ((100_000, 0.3), (1_000_000, 0.5)):
        points, _ = blobs(n_points, 2)
        tree = DensityTree(points)
        path, build = best_times(
            lambda tree=tree: copy.copy(tree).eps_path(),  # type: ignore[misc]
            lambda points=points: DensityTree(points),  # type: ignore[misc]
        )
        yield Row(f"scores at every eps / building the tree, n = {n_points:,}", path, build, floor)
        if n_points == 100_000:
            labelings = [tree.dbscan(eps) for eps in _middle_eps(tree, 20)]
            begin = time.perf_counter()
            for labels in labelings * 10:
                disco_score(tree, labels)
            single = time.perf_counter() - begin
            yield Row("scores at every eps / disco_score of 200 labelings", path, single, 0.03)


def hdbscan_labelings() -> Iterator[Row]:
    """Ten sizes, against the tree and against one fit of scikit-learn; then all sizes."""
    points, _ = blobs(100_000, 2)
    tree = DensityTree(points)
    sizes = np.unique(np.geomspace(5, len(points) / 10, 10).round().astype(int)).tolist()

    def label() -> list[NDArray[np.int64]]:
        fresh = copy.copy(tree)
        return [fresh.hdbscan(size) for size in sizes]

    labels, path, build = best_times(
        label, lambda: copy.copy(tree).size_path(), lambda: DensityTree(points)
    )
    (theirs,) = best_times(lambda: HDBSCAN(min_samples=5, copy=True).fit(points), repeats=1)
    yield Row("10 HDBSCAN labelings / building the tree", labels, build, 0.3)
    yield Row("10 HDBSCAN labelings / 1 fit of scikit-learn's HDBSCAN", labels, theirs, 0.01)
    yield Row("scores at every min_cluster_size / building the tree", path, build, 0.5)


def kept_neighbors() -> Iterator[Row]:
    """A tree that keeps who is near whom, against one that does not."""
    points, _ = blobs(100_000, 2)
    kept, dropped = best_times(
        lambda: DensityTree(points),
        lambda: density_tree_of(open_points(points, "benchmark", n_jobs=None)),
        repeats=7,
    )
    yield Row("building a tree that keeps neighbors / that does not", kept, dropped, 1.05)


def suggestion() -> Iterator[Row]:
    """All that is looked at before something is suggested, but for data without structure."""
    points, _ = blobs(100_000, 2)
    ours, build = best_times(lambda: suggest(points, n_null=0), lambda: DensityTree(points))
    yield Row("suggest without the null / building the tree", ours, build, 2)


def automatic_eps() -> Iterator[Row]:
    """What the automatic eps loses against the best eps of a grid, on the benchmark sets."""
    try:
        lost = statistics.mean(benchmark_regrets().values())
    except (ImportError, OSError) as error:
        print(f"no benchmark sets, a row is left out: {error}", file=sys.stderr)
        return
    yield Row("adjusted Rand index lost by the automatic eps, 13 sets", lost, 1.0, 0.08, "")
