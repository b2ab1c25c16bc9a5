"""`python -m disco_cvi.precompile` compiles all kernels now, so that no later call waits for them.

Each step calls a public function on a few points; what it compiles is kept by numba. Steps run side
by side in processes of their own, those first on which others build: a process finds on disk what
another has compiled meanwhile.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from disco_cvi import DensityTree, available_indices, evaluate, explain
from disco_cvi._compute.kernels import kept_in
from disco_cvi._input.metric import check_metric
from disco_cvi._output.words import visible
from disco_cvi.density_tree.walks import meeting_heights
from disco_cvi.distributed.runner import ImmediateRunner
from disco_cvi.distributed.spanning_tree import span
from disco_cvi.selection import suggest

Step = Callable[[], object]
_N_POINTS = 90
# Few enough points for products of all pairs, and enough features that they are used.
_MANY_FEATURES = 40
_HARD_POINTS, _HARD_FEATURES = 1200, 8
# Enough for a search in a k-d tree; so many are too far from a hub to be met one by one.
_SOME_POINTS, _POINTS_AROUND = 1000, 5000
# So often is one point of as many again that steps between points are not listed.
_UNLISTED_POINTS = 3000
# Enough to grow a k-d tree by ranges.
_MANY_POINTS = 40_000
# Enough that components of an approximate tree are too large to ask for all their partners.
_UNSURE_POINTS, _UNSURE_FEATURES = 8_000, 20
_UNWRITABLE = """\
disco-cvi: no folder for compiled kernels can be written. Set NUMBA_CACHE_DIR to one that can be,
here and wherever the kernels are to be used."""

_ENDED = """\
disco-cvi: a process that compiled was ended before its time. What is compiled is kept: call this
again, with --jobs 1 to see which step it was."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile everything, say what took how long, and where it is kept; return the exit code."""
    parser = argparse.ArgumentParser("python -m disco_cvi.precompile", description=_about())
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes side by side (all cores)"
    )
    jobs = parser.parse_args(arguments).jobs
    if jobs < 1:
        parser.error(f"--jobs must be at least 1, got {jobs}")
    folder = kernel_folder()
    if folder is None:
        print(_UNWRITABLE, file=sys.stderr)
        return 1
    print(
        f"Compiling the kernels of disco-cvi, {jobs} at a time, into {visible(str(folder))}",
        flush=True,
    )
    begin = time.perf_counter()
    try:
        _run(jobs)
    except BrokenProcessPool:
        print(_ENDED, file=sys.stderr)
        return 1
    print(f"Done in {time.perf_counter() - begin:.0f} s.")
    return 0


def _about() -> str:
    return (
        "Compile all kernels of disco-cvi and keep them on disk, for instance while an image of a "
        "container is built. Kernels serve the kind of processor that compiled them."
    )


def kernel_folder() -> Path | None:
    """Return the folder above all that is kept, None if none can be written."""
    folder = kept_in(meeting_heights)
    if folder is None or not os.environ.get("NUMBA_CACHE_DIR"):
        return folder
    return Path(os.environ["NUMBA_CACHE_DIR"])


def steps() -> dict[str, Step]:
    """Return what is called, by what it is called for; others build on the first."""
    points, labels = _example(_N_POINTS, 2)
    alone = {
        info.name: partial(evaluate, points, labels, indices=[info.name])
        for info in available_indices()
    }
    one_way = {"lccv": {"paths": "one way"}}
    return {
        "disco": alone.pop("disco"),
        **alone,
        "one way": partial(
            evaluate, *_example(_SOME_POINTS, 2), indices=["lccv"], parameters=one_way
        ),
        "clusterings": partial(_cut_trees, points),
        "many points": _score_many_points,
        "many features": _score_many_features,
        "hub": _score_hub,
        "many min_points": partial(DensityTree, _example(_SOME_POINTS, 2)[0], min_points=300),
        "copies": _score_copies,
        "approximate": _approximate,
        "metrics": partial(_score_by_metrics, points, labels),
        "explain": partial(explain, points, labels),
        "every min_points": partial(DensityTree.for_min_points, points, range(1, 6)),
        "suggest": partial(suggest, points, n_null=1),
        "distributed": partial(_span_blocks, points),
    }


def _example(n_points: int, n_features: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Two clusters, some points twice, and some noise."""
    points = np.random.default_rng(0).normal(size=(n_points, n_features))
    labels = np.arange(n_points) % 3 - 1
    points[labels == 1] += 8.0
    points[-2:] = points[:2]
    return points, labels


def _cut_trees(points: NDArray[np.float64]) -> None:
    tree = DensityTree(points)
    tree.dbscan(tree.eps_path().best.eps)
    tree.hdbscan(epsilon=0.1)
    # One cluster of all points.
    tree.hdbscan(min_cluster_size=len(points) // 2, allow_single_cluster=True)
    tree.size_path()
    tree.linkage()
    tree.distance(0, 1)
    edges = np.arange(3)
    DensityTree.from_spanning_tree(edges, edges + 1, np.ones(3), np.ones(4), min_points=2)


def _score_hub() -> None:
    """Points of a circle around others that are all as far away."""
    angles = np.linspace(0, 2 * np.pi, _POINTS_AROUND)
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    points[::2] *= 1e-9
    DensityTree(points)


def _score_copies() -> None:
    """One point very often, and one that is near to nobody; and so often that nothing is listed."""
    points, labels = _example(_SOME_POINTS, 2)
    points[:100] = points[0]
    points[-1] = 1e6
    evaluate(points, labels, indices=["lccv"])
    # Equally dense points on both sides.
    rows = np.arange(_UNLISTED_POINTS)
    side = np.column_stack([rows % 1000 / 1000 + 4.0, rows % 7])
    side[: len(rows) // 2] = side[0]
    points = np.vstack([side, -side, side * [1, -1] - [0, 40]])
    evaluate(points, np.arange(len(points)) % 2, indices=["lccv"])


def _score_many_points() -> None:
    """Threads share out what they would not with few points."""
    tree = DensityTree(_example(_MANY_POINTS, 2)[0], n_jobs=2)
    tree.eps_path()


def _score_many_features() -> None:
    """By products of all pairs; also where they take over from the search in a tree."""
    wide = _example(_N_POINTS, _MANY_FEATURES)
    evaluate(*wide, indices=["disco", "dbcv"])
    # As hard to search as can be: all points are about as far from each other.
    DensityTree(_example(_HARD_POINTS, _HARD_FEATURES)[0])
    evaluate(*_example(_HARD_POINTS, _MANY_FEATURES), indices=["lccv", "disco"])


def _approximate() -> None:
    """By a graph of neighbors, our own or a given one."""
    points = _example(_UNSURE_POINTS, _UNSURE_FEATURES)[0]
    DensityTree(points, algorithm="approximate")
    few = points[:_N_POINTS]
    everybody = np.tile(np.arange(_N_POINTS), (_N_POINTS, 1))
    _ = DensityTree(few, algorithm="approximate", graph=everybody).quality


def _score_by_metrics(points: NDArray[np.float64], labels: NDArray[np.int64]) -> None:
    for metric in ("cosine", "haversine", "manhattan", "minkowski"):
        scale = 0.01 if metric == "haversine" else 1.0
        evaluate(points * scale, labels, indices=["disco", "dbcv"], metric=metric)


def _span_blocks(points: NDArray[np.float64]) -> None:
    """What the workers of a cluster compute, in this process."""
    runner = ImmediateRunner()
    parts = [runner.submit(np.asarray, part) for part in np.array_split(points, 2)]
    span(parts, 5, 2, runner, check_metric("euclidean", None, "precompile"), "precompile")


def run_step(name: str) -> float:
    """Call one step and return the seconds that it took; what it says of its data is not asked."""
    begin = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        steps()[name]()
    return time.perf_counter() - begin


def _run(jobs: int) -> None:
    # New processes, not copies of this one: on all systems alike, whatever threads run here.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = {pool.submit(run_step, name): name for name in steps()}
        for done in as_completed(waiting):
            print(f"  {waiting[done]:20s} {done.result():6.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
