"""Distances of 'minkowski' whose powers no float can hold."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from disco_cvi import disco_score
from disco_cvi._input.metric import Metric
from disco_cvi._neighbors.distances import distance_rows

pytestmark = pytest.mark.small

X = np.random.default_rng(0).random((24, 2)) + np.repeat([[0.0], [2.0]], 12, axis=0)
LABELS = [0] * 12 + [1] * 12
WIDE = Context(prec=50, Emin=-(10**9), Emax=10**9)


def distances(points: Any, **params: Any) -> Any:
    found = distance_rows(points, Metric("minkowski", params), "f")
    return np.ldexp(found.rows(0, len(points)), found.exponent)


def exact(one: Any, other: Any, p: float, weights: Any) -> float:
    with localcontext(WIDE):
        parts = zip(one.tolist(), other.tolist(), weights.tolist(), strict=True)
        total = sum(Decimal(w) * abs(Decimal(a) - Decimal(b)) ** Decimal(p) for a, b, w in parts)
        return float(Decimal(total) ** (1 / Decimal(p)))


def test_scores_approach_that_of_the_largest_difference() -> None:
    largest = disco_score(X, LABELS, metric="chebyshev")
    for p in (300, 1000, 1e5, 1e300, math.inf):
        found = disco_score(X, LABELS, metric="minkowski", metric_params={"p": p})
        assert found == pytest.approx(largest, abs=0.3 / p)  # a distance grows by 2 ** (1 / p)


@pytest.mark.parametrize("p", [1.5, 3, 50, 400, 3000, 1e5])
@pytest.mark.parametrize("size", [None, 1.0, 1e250, 1e-250])
def test_no_power_vanishes_or_overflows(p: float, size: float | None) -> None:
    random = np.random.default_rng(1)
    points = random.random((8, 3)) * 10.0 ** random.integers(-100, 3, (8, 3))
    weights = np.ones(3) if size is None else np.array([0.3, 1.0, 0.01]) * size
    found = distances(points, p=p, **({} if size is None else {"w": weights}))
    expected = [[exact(a, b, p, weights) for b in points] for a in points]
    # A power and a root, each rounded; the logarithm of a weight may have three digits.
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@pytest.mark.parametrize("p", [0.3, 1, 1.5, 2, 3, 20])
def test_ordinary_powers_keep_the_bits_of_scipy(p: float) -> None:
    points = X / 4  # below 1, so that nothing is scaled but by a power of two
    np.testing.assert_array_equal(distances(points, p=p), cdist(points, points, "minkowski", p=p))


def test_a_weight_of_zero_leaves_a_column_out() -> None:
    points = np.array([[0.0, 0.0], [1.0, 900.0], [3.0, -900.0]])
    found = distances(points, p=2000, w=[1.0, 0.0])
    np.testing.assert_allclose(found, abs(points[:, :1] - points[:, 0]), rtol=1e-13)
