"""Sums in vectors of four: the bits of the plain sums that stand beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi._compute.kernels import kernel
from disco_cvi._compute.lanes import sum_squares, sum_squares_of_boxes, sum_squares_to_box


@kernel
def _fill(points: Any, lower: Any, upper: Any, found: Any) -> None:
    for i in range(points.shape[0]):
        for j in range(points.shape[0]):
            found[0, i, j] = sum_squares(points, i, j)
            found[1, i, j] = sum_squares_to_box(points, lower, upper, j, i)
            found[2, i, j] = sum_squares_of_boxes(lower, upper, i, j)


@pytest.mark.small
@pytest.mark.parametrize("dimension", [1, 2, 3, 4, 5, 7, 8, 10, 17])
def test_kernels_compute_the_bits_of_the_plain_functions(dimension: int) -> None:
    generator = np.random.default_rng(dimension)
    points = generator.normal(size=(6, dimension)) * 10.0 ** generator.integers(-9, 9, dimension)
    others = generator.normal(size=points.shape) * np.abs(points)
    lower, upper = np.minimum(points, others), np.maximum(points, others)
    points = points[::-1].copy()
    found = np.empty((3, 6, 6))
    _fill(points, lower, upper, found)
    for i in range(6):
        for j in range(6):
            assert found[0, i, j] == sum_squares(points, i, j)
            assert found[1, i, j] == sum_squares_to_box(points, lower, upper, j, i)
            assert found[2, i, j] == sum_squares_of_boxes(lower, upper, i, j)
    # What is left over of four goes to the first partial sum, in order.
    x = points[0] - points[1]
    whole = dimension - dimension % 4
    parts = [sum(x[t:whole:4] ** 2) for t in range(4)]
    for c in range(whole, dimension):
        parts[0] += x[c] * x[c]
    assert found[0, 0, 1] == (parts[0] + parts[1]) + (parts[2] + parts[3])
