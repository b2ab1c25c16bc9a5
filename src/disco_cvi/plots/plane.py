"""Where points stand in a picture: two coordinates each, what these mean, and pixels of them."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_numbers
from disco_cvi._output.words import count, percent
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

# Multiples of it, taken modulo 1, fill a stretch more evenly than those of any other number.
_GOLDEN = (5**0.5 - 1) / 2


class Plane(NamedTuple):
    """Points in the plane.

    Attributes
    ----------
    xy : ndarray of shape (n, 2)
        The coordinates.
    axis_names : tuple of two str
        What they are; empty where there is nothing to say.
    note : str
        How the plane was made and what must not be read from it, for the caption; empty where the
        points have two features.
    """

    xy: FloatArray
    axis_names: tuple[str, str]
    note: str


def plane_of(
    points: FloatArray | None,
    embedding: object = None,
    caller: str = "plane_of",
    n_points: int | None = None,
) -> Plane:
    """Find the places of points in the plane.

    Points with two features stand where they are. Of more features, the two principal components
    are taken; their signs do not depend on the program that computes them. One feature becomes a
    strip.

    Parameters
    ----------
    points : ndarray of shape (n, d), or None
        Checked points; None where they are not known, as with a tree or a matrix of distances:
        then the embedding must be given.
    embedding : array-like of shape (n, 2), optional
        The places of the points, for example of UMAP; used as given.
    caller : str, default "plane_of"
        Name of the public function, for messages.
    n_points : int, optional
        How many places there must be, where points are not known.

    Returns
    -------
    Plane
        Coordinates, names of the axes, and a note for the caption.

    Raises
    ------
    InvalidInputError, TypeError
        If the embedding is not one place per point, or is missing where points are not known.

    Examples
    --------
    >>> import numpy as np
    >>> from disco_cvi.plots.plane import plane_of
    >>> plane = plane_of(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 1], [3, 2, 0]]))
    >>> plane.axis_names
    ('PC 1 (82%)', 'PC 2 (17%)')
    """
    if embedding is not None:
        places = _check_embedding(embedding, n_points if points is None else len(points), caller)
        note = "Places are those of the embedding given; scores are not."
        return Plane(of_usual_size(places), ("", ""), note)
    if points is None:
        raise InvalidTypeError(
            argument="X",
            caller=caller,
            rule="be points, whose features say where they stand",
            got="a DensityTree or distances",
            remedy="Pass the places as embedding=, an array of two columns.",
        )
    points = of_usual_size(points)
    n_features = points.shape[1]
    if n_features == 2:
        return Plane(points, ("", ""), "")
    if n_features == 1:
        note = "1 feature, shown as a strip: up and down mean nothing."
        return Plane(_strip(points[:, 0]), ("feature", ""), note)
    xy, shares = principal_plane(points)
    first, second, both = (percent(float(share)) for share in (*shares, shares.sum()))
    note = (
        f"{count(n_features, 'feature')} shown as 2: PCA keeps {both} of the variance, "
        "so points that overlap here need not be near."
    )
    return Plane(xy, (f"PC 1 ({first})", f"PC 2 ({second})"), note)


def of_usual_size(points: FloatArray) -> FloatArray:
    """Points whose differences and sums are floats: very large or small ones times a power of 2.

    A map shows no numbers along its axes.
    """
    largest = float(np.abs(points).max())
    if 1e-300 <= largest <= 1e300 or largest == 0:
        return points
    return np.ldexp(points, -math.frexp(largest)[1])


def principal_plane(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The first two principal components, and their shares of the variance (1, if there is none).

    The feature that counts most in a component counts positively.
    """
    largest = float(np.abs(points).max()) or 1.0
    centered = points / largest
    centered -= centered.mean(axis=0)
    # Of the two matrices of products the smaller one: both have the same values.
    by_features = points.shape[1] <= len(points)
    products = centered.T @ centered if by_features else centered @ centered.T
    values, vectors = np.linalg.eigh(products)
    axes = vectors[:, -1:-3:-1]
    if not by_features:
        axes = centered.T @ np.pad(axes, [(0, 0), (0, 2 - axes.shape[1])])
        lengths = np.linalg.norm(axes, axis=0)
        axes = axes / np.where(lengths > 0, lengths, 1.0)
    strongest = np.abs(axes).argmax(axis=0)
    signs = np.where(np.take_along_axis(axes, strongest[None], axis=0)[0] < 0, -1.0, 1.0)
    total = float(values.sum())
    shares = np.zeros(2)
    some = np.maximum(values[-1:-3:-1], 0.0)
    shares[: len(some)] = some / total if total > 0 else [1.0, 0.0][: len(some)]
    return centered @ (axes * signs) * largest, shares


def _strip(values: FloatArray) -> FloatArray:
    """Points along their only feature, spread across so that they do not hide each other."""
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values))
    height = 0.12 * (float(np.ptp(values)) or 1.0)
    return np.column_stack([values, (ranks * _GOLDEN % 1.0 - 0.5) * height])


def _check_embedding(embedding: object, n_points: int | None, caller: str) -> FloatArray:
    places = check_numbers(embedding, "embedding", caller, ndim=2)
    if places.shape[1] != 2 or np.isnan(places).any() or len(places) == 0:
        got = "missing values" if np.isnan(places).any() else f"shape {places.shape}"
        rule = "hold two numbers per point"
        raise InvalidInputError(argument="embedding", caller=caller, rule=rule, got=got)
    if n_points is not None and len(places) != n_points:
        known, rows = count(n_points, "point"), count(len(places), "row")
        problem = f"must hold one row per point: {known}, {rows}"
        raise InvalidInputError(argument="embedding", caller=caller, problem=problem)
    return places


class Pixels(NamedTuple):
    """Points counted in pixels, the first row of which is the lowest.

    Attributes
    ----------
    places : ndarray of int of shape (n,)
        The pixel of each point, counted row after row.
    counts : ndarray of int of shape (rows, columns)
        Number of points in each pixel.
    extent : tuple of four float
        Left, right, bottom and top in the coordinates of the points.
    """

    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    extent: tuple[float, float, float, float]

    @property
    def n_used(self) -> int:
        """Number of pixels that hold points."""
        return int(np.count_nonzero(self.counts))

    @property
    def n_shared(self) -> int:
        """Number of pixels that hold several points."""
        return int(np.count_nonzero(self.counts > 1))

    def means(self, values: FloatArray) -> FloatArray:
        """The mean value of the points of each pixel, 0 where there are none."""
        sums = np.bincount(self.places, weights=values, minlength=self.counts.size)
        return sums.reshape(self.counts.shape) / np.maximum(self.counts, 1)

    def usual(self, codes: NDArray[Any]) -> NDArray[np.int64]:
        """The most frequent code of each pixel, the first of equals; 0 where there are none."""
        found = np.zeros(self.counts.size, np.int64)
        pixels, usual = usual_codes(self.places, codes)
        found[pixels] = usual
        return found.reshape(self.counts.shape)


def usual_codes(
    groups: NDArray[Any], codes: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of the groups that there are, and the most frequent code of each."""
    low = int(codes.min())
    n_codes = int(codes.max()) - low + 1
    pairs, counts = np.unique(groups * n_codes + (codes - low), return_counts=True)
    # By group, the most frequent code last; of equals the first code.
    order = np.lexsort((-pairs, counts, pairs // n_codes))
    last = pairs[order[np.flatnonzero(np.diff(pairs[order] // n_codes, append=-1))]]
    return last // n_codes, last % n_codes + low


def find_pixels(xy: FloatArray, width: int, height: int) -> Pixels:
    """Count points in an image, which has equal scales and a narrow margin."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    shape = np.array([width, height])
    side = float(((high - low) / (0.97 * shape)).max()) or 1.0
    corner = (low + high) / 2 - side * shape / 2
    columns, rows = np.clip(((xy - corner) / side).astype(np.int64), 0, shape - 1).T
    places = rows * width + columns
    counts = np.bincount(places, minlength=width * height).reshape(height, width)
    left, bottom = corner.tolist()
    return Pixels(places, counts, (left, left + side * width, bottom, bottom + side * height))
