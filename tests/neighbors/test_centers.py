"""Centers of groups: more digits than one number has, and the same bits for any order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi._input.clustering import SideBySide, put_side_by_side
from disco_cvi._neighbors.centers import find_centers, square_to_centers, sum_by_group
from helpers import zoo


def group(points: zoo.Points, codes: zoo.Codes) -> SideBySide:
    return put_side_by_side(points, codes.astype(np.int32), np.bincount(codes))


@pytest.mark.small
@zoo.examples(200)
@given(zoo.any_points(), st.integers(0, 2**32 - 1))
def test_centers_are_exact_means(points: zoo.Points, seed: int) -> None:
    random = np.random.default_rng(seed)
    codes = np.unique(random.integers(0, 3, len(points)), return_inverse=True)[1]
    groups = group(points, codes)
    centers = find_centers(groups)
    squares = square_to_centers(groups, centers)
    for place, row in enumerate(groups.rows):
        members = points[codes == codes[row]]
        exact = [
            sum(map(Fraction, feature), Fraction()) / len(members) for feature in members.T.tolist()
        ]
        found = [
            Fraction(high) + Fraction(low)
            for high, low in zip(
                centers.high[codes[row]].tolist(), centers.low[codes[row]].tolist(), strict=True
            )
        ]
        size = max(abs(Fraction(x)) for x in members.ravel().tolist())
        assert all(abs(x - y) <= size / 2**100 for x, y in zip(found, exact, strict=True))
        square = sum(
            (Fraction(x) - y) ** 2 for x, y in zip(points[row].tolist(), exact, strict=True)
        )
        assert squares[place] == pytest.approx(float(square), rel=1e-14)
    order = random.permutation(len(points))
    again = find_centers(group(points[order], codes[order]))
    assert again.high.tobytes() == centers.high.tobytes()
    assert again.low.tobytes() == centers.low.tobytes()


@pytest.mark.small
def test_copies_are_their_own_center() -> None:
    points = np.repeat([[0.1, 1e10 / 3], [0.7, -1e-10 / 7]], [7, 3], axis=0)
    groups = group(points, np.repeat([0, 1], [7, 3]))
    assert find_centers(groups).high.tolist() == [points[0].tolist(), points[-1].tolist()]
    assert not square_to_centers(groups, find_centers(groups)).any()


@pytest.mark.small
def test_a_small_group_far_away_keeps_its_width() -> None:
    # The mean lies between two neighboring numbers.
    points = np.array([[1e8], [np.nextafter(1e8, 2e8)], [0.0]])
    groups = group(points, np.array([0, 0, 1]))
    half = (points[1, 0] - points[0, 0]) / 2
    assert square_to_centers(groups, find_centers(groups)).tolist() == [half**2, half**2, 0.0]


@pytest.mark.small
def test_sums_of_groups_are_rounded_once() -> None:
    groups = group(np.arange(5.0)[:, None], np.array([0, 0, 0, 1, 1]))
    values = np.array([1e100, 1.0, -1e100, 0.1, 0.2])
    assert sum_by_group(values, groups).tolist() == [1.0, 0.1 + 0.2]
