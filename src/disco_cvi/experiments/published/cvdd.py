"""CVDD as the DISCO paper's program computes it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import Labels
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cvdd import involved_line_of, path_moments, separations

_N_NEIGHBORS = 7


def published_cvdd(X: ArrayLike, labels: ArrayLike) -> float:
    """Return CVDD with the deviations of the published program.

    The standard deviation inside a cluster of m points divides by m - 1 instead of m * m - 1. Noise
    is removed from the labels, but not from the points: the labels that are left are taken for
    those of the first rows, and the last rows, as many as there is noise, belong to no cluster but
    are stepping stones and count for the density.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The points, in the order of their file.
    labels : array-like of int of shape (n,)
        Cluster of each point; -1 is noise.

    Returns
    -------
    float
        NaN if there is only noise, or if all points are identical.

    Raises
    ------
    ValueError
        If there is one cluster, or a cluster of one point.
    """
    caller = "published_cvdd"
    clustering = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller=caller)
    return evaluate_published_cvdd(clustering)


def evaluate_published_cvdd(given: Clustering) -> float:
    """`published_cvdd` of a clustering."""
    if given.labels.n_clusters == 0:
        return math.nan
    sizes = given.labels.sizes
    if len(sizes) == 1 or (sizes == 1).any():
        message = "The published CVDD needs two clusters or more, of two points or more."
        raise UndefinedScoreError(message)
    codes = np.full(given.n_points, -1, np.int32)
    kept = given.labels.codes[given.labels.codes >= 0]
    codes[: len(kept)] = kept
    clustering = given.relabeled(Labels(codes, given.labels.names, sizes))
    # Without noise it is the tree of CVDD itself.
    line = involved_line_of(clustering.points, _N_NEIGHBORS)
    sep = separations(line, codes, len(sizes))
    mean, squares = path_moments(clustering.array, clustering.members, clustering.n_jobs)
    com = np.sqrt(squares / (sizes - 1)) * mean / sizes
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.divide(math.ldexp(math.fsum(sep), line.exponent), math.fsum(com)))
