"""The points that benchmarks measure on."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_paper.datasets import load


class Data(NamedTuple):
    """Points and their labels; noise is -1."""

    points: NDArray[np.float64]
    labels: NDArray[np.int64]


def blobs(
    n_points: int, dimension: int, n_blobs: int = 20, deviation: float = 1.0, seed: int = 0
) -> Data:
    """Gaussian blobs with centers uniform in [-10, 10]^d, rows in random order."""
    generator = np.random.default_rng(seed)
    labels = generator.integers(0, n_blobs, n_points)
    centers = generator.uniform(-10, 10, (n_blobs, dimension))
    points = centers[labels] + deviation * generator.normal(size=(n_points, dimension))
    return Data(points, labels)


def blobs_in_noise() -> Data:
    """20 blobs of deviation 0.6 and 10 % uniform noise labeled -1, 100,000 points in all."""
    points, labels = blobs(100_000, 2, deviation=0.6)
    noise = np.random.default_rng(1).random(100_000) < 0.1
    points[noise] = np.random.default_rng(2).uniform(-10, 10, (int(noise.sum()), 2))
    return Data(points, np.where(noise, -1, labels))


def cluto_t8() -> Data | None:
    """The data set cluto-t8-8k, standardized, if it can be had."""
    try:
        data = load("cluto-t8-8k")
    except (ImportError, OSError) as error:
        print(f"no cluto-t8-8k, rows are left out: {error}", file=sys.stderr)
        return None
    return Data(data.X, data.labels)
