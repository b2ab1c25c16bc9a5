"""Data without clusters, of the same size and shape: what a search finds where nothing is."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.safe_scale import scale_points
from disco_cvi._compute.threads import for_ranges
from disco_cvi._output.tables import FieldsDisplay
from disco_cvi.density_tree.tree import DensityTree

# What structureless data reach hardly depends on their number: as many as these say it well, and
# if anything somewhat too high, which makes the comparison strict.
MOST_POINTS = 10_000
# A p-value needs some hundred.
MOST_SAMPLES = 1_000_000
_CLEARLY = 1.5


@dataclass(frozen=True)
class Structureless(FieldsDisplay):
    """How far DBSCAN gets on data without clusters, by the pair score of the best eps.

    Attributes
    ----------
    found : float
        What it reaches on the points themselves; border points are left out, there and here.
    gaussian, uniform : tuple of float
        What it reaches on each sample. A sample has the mean square, or the range, of the points
        along each of their principal axes.
    n_points : int
        Points of a sample: as many as there are, but at most 10,000.
    random_state : int
        Seed of the samples.
    """

    found: float
    gaussian: tuple[float, ...]
    uniform: tuple[float, ...]
    n_points: int
    random_state: int

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return asdict(self) | {"reach": self.reach, "verdict": self.verdict}

    @property
    def reach(self) -> float:
        """The best of all samples."""
        return max(self.gaussian + self.uniform)

    @property
    def verdict(self) -> Literal["clearly more", "more", "no more"]:
        """What the points reach, against the best sample; "clearly" means half as much again."""
        if self.found <= self.reach:
            return "no more"
        return "clearly more" if self.found > _CLEARLY * self.reach else "more"


class _Shape(NamedTuple):
    """Deviation and range of points along their principal axes, in any unit."""

    deviation: FloatArray
    low: FloatArray
    high: FloatArray


def draw_structureless(
    points: FloatArray, tree: DensityTree, n_samples: int, random_state: int, n_jobs: int
) -> Structureless | None:
    """Search in so many Gaussian and as many uniform samples; None if all points are the same."""
    shape = _find_shape(points)
    if shape is None:
        return None
    n_points = max(tree.min_points, min(len(points), MOST_POINTS))

    scores = np.empty(2 * n_samples)

    def search(begin: int, _stop: int) -> None:
        rng = np.random.default_rng([random_state, begin])
        size = (n_points, len(shape.deviation))
        if begin < n_samples:
            sample = rng.normal(size=size) * shape.deviation
        else:
            sample = rng.uniform(shape.low, shape.high, size)
        found = DensityTree(sample, min_points=tree.min_points).eps_path().best
        scores[begin] = found.score

    for_ranges(search, 2 * n_samples, 1, n_jobs, "Searching in data without clusters")
    return Structureless(
        found=tree.eps_path().best.score,
        gaussian=tuple(scores[:n_samples].tolist()),
        uniform=tuple(scores[n_samples:].tolist()),
        n_points=n_points,
        random_state=random_state,
    )


def _find_shape(points: FloatArray) -> _Shape | None:
    """Measure the points along their principal axes; those along which they are equal are left out.

    The same bits for any order of the rows: they are brought into one order before they are added.
    The unit does not matter, as no score depends on it, so that nothing can overflow.
    """
    middle = points.min(axis=0) / 2 + points.max(axis=0) / 2
    centered, _ = scale_points(points - middle, 0)
    rows = centered[np.lexsort(centered.T[::-1])]
    rows -= rows.mean(axis=0)
    left, lengths, _ = np.linalg.svd(rows, full_matrices=False)
    kept = lengths > max(rows.shape) * np.finfo(np.float64).eps
    if not kept.any():
        return None
    along = left[:, kept] * lengths[kept]
    deviation = lengths[kept] / math.sqrt(len(rows))
    return _Shape(deviation, along.min(axis=0), along.max(axis=0))
