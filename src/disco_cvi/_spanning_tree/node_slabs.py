"""How flat the nodes of a k-d tree are, and what that says of the distance between two of them.

Points on two surfaces that face each other are about as far apart everywhere, and boxes do not tell
by how much, unless the surfaces lie along the axes: a box around a piece of a tilted plane is as
deep as it is wide. So a node is also put between two parallel planes, square to the direction in
which its points spread the least, and into a ball. Seen along a direction at an angle a to that one
it reaches no farther from its center than t cos a + r sin a, where t is half the distance of the
planes and r the radius of the ball.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel, kernel
from disco_cvi._compute.threads import for_ranges
from disco_cvi._neighbors.kd_tree import KDTree

# The direction is found from so many points of a node, and by so many steps of inverse iteration.
_SAMPLE_SIZE = 64
_STEPS = 4
# Added to the spread in every direction, so that flat nodes have an inverse, too.
_LEAST_SPREAD = 1e-14
# What is measured is enlarged, what is concluded lessened by more than rounding can do.
_ROUNDING = 1e-12
_NODES_PER_RANGE = 1 << 10


class NodeSlabs(NamedTuple):
    """By node: its center, the direction in which it is thin, half its thickness, its radius."""

    center: FloatArray
    direction: FloatArray
    thickness: FloatArray
    radius: FloatArray


def find_slabs(tree: KDTree, n_jobs: int) -> NodeSlabs:
    """Return how flat all nodes are; O(n log n * d)."""
    n_nodes, dimension = tree.lower.shape
    centers, directions = (np.empty((n_nodes, dimension)) for _ in range(2))
    slabs = NodeSlabs(centers, directions, np.empty(n_nodes), np.empty(n_nodes))

    def find(begin: int, stop: int) -> None:
        _find(tree, slabs, begin, stop)

    for_ranges(find, n_nodes, _NODES_PER_RANGE, n_jobs)
    return slabs


@kernel
def _find(tree, slabs, begin, stop):
    points, dimension = tree.points, tree.points.shape[1]
    means = np.empty(dimension)
    spread = np.empty((dimension, dimension))
    for node in range(begin, stop):
        center, direction = slabs.center[node], slabs.direction[node]
        width = 0.0
        for c in range(dimension):
            width = max(width, tree.upper[node, c] - tree.lower[node, c])
        width = width if width > 0.0 else 1.0
        _measure_spread(points, tree.start[node], tree.end[node], width, means, spread)
        for c in range(dimension):
            center[c] = points[tree.start[node], c] + means[c]
        _find_thin_direction(spread, direction)
        thickness = 0.0
        square = 0.0
        for i in range(tree.start[node], tree.end[node]):
            along = 0.0
            away = 0.0
            for c in range(dimension):
                difference = points[i, c] - center[c]
                along += difference * direction[c]
                away += difference * difference
            thickness = max(thickness, abs(along))
            square = max(square, away)
        slabs.radius[node] = np.sqrt(square) * (1.0 + _ROUNDING)
        slabs.thickness[node] = thickness + slabs.radius[node] * _ROUNDING


@inline_kernel
def _measure_spread(points, begin, stop, width, means, spread):
    """Fill in the means of a sample of points, counted from the first, and their covariances.

    These are in units of the width, so that squares neither overflow nor vanish.
    """
    dimension = points.shape[1]
    step = max(1, (stop - begin) // _SAMPLE_SIZE)
    size = (stop - begin + step - 1) // step
    means[:] = 0.0
    for i in range(begin, stop, step):
        for c in range(dimension):
            means[c] += (points[i, c] - points[begin, c]) / size
    spread[:] = 0.0
    for i in range(begin, stop, step):
        for a in range(dimension):
            difference = (points[i, a] - points[begin, a] - means[a]) / width
            for b in range(a + 1):
                other = (points[i, b] - points[begin, b] - means[b]) / width
                spread[a, b] += difference * other / size


@inline_kernel
def _find_thin_direction(spread, direction):
    """Find the direction of the least spread by inverse iteration; the matrix is overwritten.

    Any direction gives bounds that are true, so nothing depends on how well this converges.
    """
    dimension = direction.shape[0]
    for a in range(dimension):
        direction[a] = 1.0 / np.sqrt(dimension + a)
        for b in range(a + 1):
            value = spread[a, b] + (_LEAST_SPREAD if a == b else 0.0)
            for c in range(b):
                value -= spread[a, c] * spread[b, c]
            spread[a, b] = np.sqrt(max(value, 1e-17)) if a == b else value / spread[b, b]
    for _ in range(_STEPS):
        norm = 0.0
        for a in range(dimension):
            for b in range(a):
                direction[a] -= spread[a, b] * direction[b]
            direction[a] /= spread[a, a]
        for a in range(dimension - 1, -1, -1):
            for b in range(a + 1, dimension):
                direction[a] -= spread[b, a] * direction[b]
            direction[a] /= spread[a, a]
            norm += direction[a] * direction[a]
        for c in range(dimension):
            direction[c] /= np.sqrt(norm)


@inline_kernel
def squared_distance_of_slabs(slabs, a, b):
    """No squared distance between points of two nodes is smaller."""
    centers = slabs.center
    dimension = centers.shape[1]
    square = 0.0
    along_a = 0.0
    along_b = 0.0
    for c in range(dimension):
        difference = centers[a, c] - centers[b, c]
        square += difference * difference
        along_a += difference * slabs.direction[a, c]
        along_b += difference * slabs.direction[b, c]
    aside_a = 0.0
    aside_b = 0.0
    for c in range(dimension):
        difference = centers[a, c] - centers[b, c]
        x = difference - along_a * slabs.direction[a, c]
        y = difference - along_b * slabs.direction[b, c]
        aside_a += x * x
        aside_b += y * y
    if square == 0.0:
        return 0.0
    reach = slabs.thickness[a] * abs(along_a) + slabs.radius[a] * np.sqrt(aside_a)
    reach += slabs.thickness[b] * abs(along_b) + slabs.radius[b] * np.sqrt(aside_b)
    # Roots first: squares of squares would overflow.
    gap = (square * (1.0 - _ROUNDING) - reach * (1.0 + _ROUNDING)) / np.sqrt(square)
    return gap * gap * (1.0 - _ROUNDING) if gap > 0.0 else 0.0
