"""CVDD as the DISCO paper's program computes it."""

from __future__ import annotations

import math

import numpy as np

from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.cvdd import involved_line_of, path_moments, separations

_N_NEIGHBORS = 7

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "count": "divides squares by the number of points less one instead of that of pairs less one",
    "noise": "takes noise out of the labels but not out of the points, so that labels meet other "
    "rows",
}


def evaluate_published_cvdd(given: Clustering) -> float:
    """CVDD as the paper's program computes it; it depends on the order of the rows.

    The labels that are left without noise are taken for those of the first rows; the last rows, as
    many as there is noise, belong to no cluster but are stepping stones and count for the density.
    NaN if there is only noise, or if all points are identical.
    """
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
