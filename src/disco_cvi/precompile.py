"""`python -m disco_cvi.precompile` compiles the kernels of common calls, so that none waits later.

It calls public functions on a few points; numba keeps what it compiles for the processor at hand.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

import numpy as np

from disco_cvi import DensityTree, evaluate, explain, suggest
from disco_cvi._compute.kernels import kept_in
from disco_cvi.density_tree.walks import meeting_heights

# Points, features, metric, indices: few points, many features, searches in k-d trees that are
# easy, hard or shared by threads, and other metrics.
_CASES = (
    (90, 2, "euclidean", "all"),
    (90, 40, "euclidean", "all"),
    (1_000, 2, "euclidean", "all"),
    (1_200, 8, "euclidean", "all"),
    (40_000, 2, "euclidean", ["disco", "pair"]),
    (90, 2, "manhattan", ["disco", "dbcv"]),
    (90, 2, "cosine", ["disco", "dbcv"]),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compile, say where kernels are kept, and return the exit code."""
    argparse.ArgumentParser("python -m disco_cvi.precompile", description=__doc__).parse_args(
        arguments
    )
    folder = kept_in(meeting_heights)
    if folder is None:
        print(
            "disco-cvi: no folder for compiled kernels is writable. Let NUMBA_CACHE_DIR name one.",
            file=sys.stderr,
        )
        return 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n_points, n_features, metric, indices in _CASES:
            points = np.random.default_rng(0).normal(size=(n_points, n_features))
            labels = np.arange(n_points) % 3 - 1
            points[labels == 1] += 8.0
            tree = DensityTree(points, metric=metric, n_jobs=2)
            evaluate(tree, labels, indices=indices, n_jobs=2)
            tree.eps_path()
            tree.size_path()
            if n_points < 1_000:
                explain(tree, labels)
                suggest(tree, n_null=1)
                tree.dbscan(1.0)
                tree.hdbscan(epsilon=0.1)
        DensityTree(points, algorithm="approximate", metric="cosine")
    print(f"The kernels of disco-cvi are kept in {os.environ.get('NUMBA_CACHE_DIR') or folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
