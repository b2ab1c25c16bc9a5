from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._input.points import standardize

pytestmark = pytest.mark.small


def test_mean_is_zero_and_deviation_one() -> None:
    points = np.random.default_rng(0).normal(5, [1, 100, 1e-3], (40, 3))
    expected = (points - points.mean(axis=0)) / points.std(axis=0)
    np.testing.assert_allclose(standardize(points), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0, 1e300, 5e-324])
def test_constant_features_become_zero(value: float) -> None:
    points = np.column_stack([np.full(7, value), np.arange(7.0)])
    assert standardize(points)[:, 0].tolist() == [0] * 7
    assert standardize(points)[:, 1].std() == pytest.approx(1, abs=1e-15)


def test_order_of_points_does_not_matter_to_the_bit() -> None:
    rng = np.random.default_rng(1)
    points = rng.lognormal(0, 5, (57, 2))
    expected = standardize(points)
    for _ in range(20):
        order = rng.permutation(57)
        assert np.array_equal(standardize(points[order]), expected[order])


@pytest.mark.parametrize("size", [2.0**-1000, 2.0**-30, 2.0**30, 2.0**1000])
def test_size_does_not_matter_to_the_bit(size: float) -> None:
    points = np.random.default_rng(2).normal(size=(30, 2))
    assert np.array_equal(standardize(points * size), standardize(points))


def test_largest_numbers_do_not_overflow() -> None:
    largest = np.finfo(np.float64).max
    points = np.array([[largest], [-largest], [largest], [-largest]])
    assert standardize(points).tolist() == [[1], [-1], [1], [-1]]


def test_far_from_zero_keeps_its_digits() -> None:
    points = 1e6 + np.arange(5.0)[:, None] / 1024
    expected = (np.arange(5.0) - 2) / np.sqrt(2)
    np.testing.assert_allclose(standardize(points)[:, 0], expected, rtol=1e-14)


def test_input_is_not_changed_and_one_point_is_zero() -> None:
    points = np.array([[1.0, 2.0], [3.0, 5.0]])
    points.flags.writeable = False
    standardize(points)
    assert points.tolist() == [[1, 2], [3, 5]]
    assert standardize(np.array([[4.0, 5.0]])).tolist() == [[0, 0]]
