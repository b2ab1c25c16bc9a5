"""MMJ-SC as the DISCO paper's program computes it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.points import Points
from disco_cvi.density_tree.leaf_order import LeafLine, make_line
from disco_cvi.density_tree.tree import density_tree_of
from disco_cvi.exceptions import UndefinedScoreError
from disco_cvi.indices.mmj_sc import Groups, judge_leaves, make_groups

_DECIMALS = 15

# What the program does otherwise than the definition of the index: "it ...".
DEVIATIONS = {
    "copies": "ignores edges of length 0, so that copies of a point are not at distance 0",
    "rounding": "rounds distances to 15 decimals",
}


def evaluate_published_mmj_sc(clustering: Clustering) -> float:
    """MMJ-SC as the paper's program computes it; noise is a cluster."""
    codes, sizes = make_groups(clustering.labels, "cluster")
    line = clustering.points.once(_rounded_line)
    return exact_mean(judge_leaves(Groups(line, codes, sizes, np.arange(len(codes)), len(codes))))


def _rounded_line(points: Points) -> LeafLine:
    tree = density_tree_of(points, 1)
    line = tree.parts.line
    return _without_empty_steps(line, np.round(tree.parts.in_units(line.joins), _DECIMALS))


def _without_empty_steps(line: LeafLine, joins: NDArray[np.float64]) -> LeafLine:
    """Let copies join where their place joins the nearest other one, the lower of its two ends."""
    begins = np.flatnonzero(np.append(True, joins[1:] > 0))
    if len(begins) == 1:
        message = "The published MMJ-SC needs points that are not all identical."
        raise UndefinedScoreError(message)
    at_begin = joins[begins]
    at_begin[0] = np.inf
    lowest = np.minimum(at_begin, np.append(at_begin[1:], np.inf))
    run_lengths = np.diff(np.append(begins, len(joins)))
    raised = np.repeat(lowest, run_lengths)
    raised[begins] = joins[begins]
    return make_line(line.leaves, raised, line.core)
