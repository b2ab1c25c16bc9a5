"""Squared distances by matrix products, as a filter: which pairs are near enough to be computed.

A product gives the squared distances of a block of points to all points, many times faster than
differences do, but with rounding. So nothing is ever read off it: it only bounds each squared
distance from both sides, and whatever may matter is computed again from differences, in double
precision. Therefore single precision is enough for the products, and no bit depends on them.

The bound. All is in units of the largest centered coordinate, rounded up to a power of two: points
x and y become c and e with coordinates between -1 and 1. Let u be half a unit in the last place
(2^-24 in single precision, 2^-53 in double), d the dimension, and ``scale = |c|^2 + |e|^2``. Then
|c|^2 + |e|^2 - 2 p, where p is the product as computed, differs from the squared distance by

- (d + 2) u scale and a little more: the rounding of both factors to single precision is at most
  2 u sum |c_k e_k|, and the d products and additions in whatever order err by at most
  d u / (1 - d u) times that sum, which twice is no more than `scale`. As d u <= 2^-8 here, 1.01 d
  covers the quotient and terms in u^2;
- d 2^-123: a factor or a product that vanishes below 2^-126 errs by no more than that, at most
  four times for each coordinate;
- (d + 16) 2^-52 scale: the roundings of the centered points, which move each by 2^-53 of its
  distance from the center; of both norms and of the sums here; and of the squared distance from
  differences, whose d / 4 + 5 roundings err by 2^-53 of |c - e|^2 <= 2 scale each;
- d 2^-1075 unit^2: the squares of differences that fall below 2^-1022 before they are in units.

Altogether less than ``slack * scale + least`` with slack = (1.25 d + 16) u + (4 d + 64) 2^-53 and
least = d 2^-120 + d 2^-1074 unit^2. Slack has 8 u left, for comparing in single precision
(`least_difference`).

In more dimensions than 2^16, or where points are so far from their center that the filter of single
precision would let too many pairs through, the same is done in double precision.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.kernels import inline_kernel

# Rows of a block that one call of a kernel looks at.
BLOCK_RANGE = 64
# So many columns are compared at once.
STRIP = 64
_BLOCK_ENTRIES = 1 << 24
_SINGLE_DIMENSIONS = 1 << 16
_CENTERED_AT_ONCE = 1 << 20
_SAMPLED_ROWS = 16
_LEAST = 2.0**-120
_SMALLEST_ROOT = 2.0**-537


class Blocks(NamedTuple):
    """Points for searches by matrix products.

    `centered` and `half_norms` are in the precision of the products, `norms` (squared) in double;
    all of them in units of the largest centered coordinate, rounded up to a power of two. A squared
    distance of `points` times `unit` twice is in these units. `whole` holds all products if they
    fill no more than one block, and nothing otherwise.
    """

    points: FloatArray
    centered: NDArray[Any]
    norms: FloatArray
    half_norms: NDArray[Any]
    whole: NDArray[Any]
    unit: float
    slack: float
    least: float


def make_blocks(points: FloatArray, n_near: int) -> Blocks:
    """Center the points, in single precision if it tells the `n_near` nearest from the others."""
    dimension = points.shape[1]
    if dimension <= _SINGLE_DIMENSIONS:
        blocks = _center(points, np.float32)
        if _is_sharp(blocks, n_near):
            return _multiply_few(blocks)
    return _multiply_few(_center(points, np.float64))


def _center(points: FloatArray, precision: Any) -> Blocks:
    """Center the points, some rows at a time, so that no copy in double precision is made."""
    n_points, dimension = points.shape
    center = points.mean(axis=0)
    farthest = float(np.maximum(points.max(axis=0) - center, center - points.min(axis=0)).max())
    unit = 2.0 ** -max(-1000, int(np.frexp(farthest)[1])) if farthest > 0 else 1.0
    centered = np.empty(points.shape, precision)
    norms = np.empty(n_points)
    size = max(1, _CENTERED_AT_ONCE // dimension)
    with np.errstate(under="ignore"):
        for begin in range(0, n_points, size):
            part = (points[begin : begin + size] - center) * unit
            norms[begin : begin + size] = np.einsum("ij,ij->i", part, part)
            centered[begin : begin + size] = part
        half_norms = (norms / 2).astype(precision)
    slack = (1.25 * dimension + 16) * float(np.finfo(precision).eps) / 2
    slack += (4 * dimension + 64) * 2.0**-53
    least = dimension * (_LEAST + (_SMALLEST_ROOT * unit) ** 2)
    none = np.empty((0, 0), precision)
    return Blocks(points, centered, norms, half_norms, none, unit, slack, least)


def _multiply_few(blocks: Blocks) -> Blocks:
    if not n_at_once(len(blocks.points)):
        return blocks
    with np.errstate(under="ignore"):
        return blocks._replace(whole=blocks.centered @ blocks.centered.T)


def n_at_once(n_points: int) -> int:
    """How many products are made at once, and kept: all of few points."""
    return n_points * n_points if n_points * n_points <= _BLOCK_ENTRIES else 0


def _is_sharp(blocks: Blocks, n_near: int) -> bool:
    """Whether few pairs pass the filter, by a sample of rows.

    A pair that passes costs as much as many that do not. The sample is spread over the norms, so
    that the order of the rows does not choose it.
    """
    n_points = len(blocks.points)
    by_norm = np.argsort(blocks.norms, kind="stable").astype(np.int32)
    sample = by_norm[:: -(-n_points // _SAMPLED_ROWS)]
    scale = blocks.norms[sample, None] + blocks.norms
    error = blocks.slack * scale + blocks.least
    squares = scale - 2.0 * products(blocks, sample)
    last = min(4 * n_near, n_points) - 1
    limit = np.partition(squares + error, last, axis=1)[:, last : last + 1]
    passing = np.count_nonzero(squares - error <= limit) / len(sample)
    return bool(passing <= 8 * n_near + n_points / 50)


def products(blocks: Blocks, chosen: slice | NDArray[np.int32]) -> NDArray[Any]:
    """Products of the chosen points with all points."""
    if len(blocks.whole):
        return blocks.whole[chosen]
    with np.errstate(under="ignore"):
        product: NDArray[Any] = blocks.centered[chosen] @ blocks.centered.T
    return product


def block_size(n_points: int) -> int:
    """How many points make one block: 64 MB of products in single precision."""
    return max(1, _BLOCK_ENTRIES // n_points)


@inline_kernel
def at_least(blocks, scale, product):
    """The squared distance that a product and the sum of both norms stand for is not smaller."""
    return scale - 2.0 * product - (blocks.slack * scale + blocks.least)


@inline_kernel
def at_most(blocks, scale, product):
    """The squared distance that a product and the sum of both norms stand for is not larger."""
    return scale - 2.0 * product + (blocks.slack * scale + blocks.least)


@inline_kernel
def least_difference(blocks, i, limit):
    """What product less half norm is at least, for every point within `limit` of point i.

    With D <= limit, p - |e|^2 / 2 >= (|c|^2 - limit) / 2 - slack / 2 scale - least by the bound
    above, and scale <= 3 |c|^2 + 2 limit, as |e| <= |c| + |c - e|. Half a norm, the difference and
    this very number are each rounded to the precision of the products, which moves them by less
    than 4 u scale together: half of the 8 u that slack has left.
    """
    norm = blocks.norms[i]
    return (norm - limit) / 2 - blocks.slack * (1.5 * norm + limit) - blocks.least


@inline_kernel
def has_near(strip, half_norms, least):
    """Whether any product of a strip exceeds its half norm by `least`; no branch, so in vectors."""
    near = False
    for j in range(strip.shape[0]):
        near = near | (strip[j] - half_norms[j] >= least)
    return near
