"""The parts of an audit: what a core distance exceeds, and bounds from products."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._neighbors.products import make_blocks, products
from disco_cvi._spanning_tree.quality import _excess, _least_squares

pytestmark = pytest.mark.small


@pytest.mark.parametrize(
    ("distances", "copies", "core", "expected"),
    [
        ([0.0, 3.0, 2.0, 1.0], [1, 1, 1, 1], 3.0, 0.5),
        ([0.0, 1.0, 2.0], [2, 1, 1], 3.0, 2.0),
        ([0.0, 1.0, 2.0], [1, 1, 1], 2.0, 0.0),
        # Too few points are near enough to tell.
        ([0.0, 1.0], [1, 1], 3.0, 0.0),
        ([4.0], [3], 3.0, 0.0),
        # As many copies as there must be points.
        ([0.0, 1.0], [3, 1], 3.0, 1.0),
        ([0.0, 0.25], [2, 1], 0.75, 2.0),
    ],
)
def test_a_core_distance_exceeds_that_of_the_third_nearest_row(
    distances: list[float], copies: list[int], core: float, expected: float
) -> None:
    found = _excess(np.array(distances), np.array(copies, np.int32), core, 3)
    assert found == expected


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_products_bound_all_squares_closely(size: float) -> None:
    points = size * np.random.default_rng(0).normal(size=(40, 6))
    blocks = make_blocks(points, 5)
    chosen = np.array([7, 0, 39], np.int32)
    lower = np.full((3, 40), np.nan)
    _least_squares(blocks, products(blocks, chosen), chosen, lower)
    squares = ((points[chosen][:, None] - points) ** 2).sum(axis=2)
    assert (lower >= 0.0).all()
    assert (lower <= squares).all()
    # The products are in single precision.
    assert (lower >= squares - 1e-4 * squares.max()).all()
