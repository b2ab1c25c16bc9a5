"""Parts of Boruvka's rounds by themselves, where whole trees would hardly ever show a mistake."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi._spanning_tree.boruvka import Forest, Told, _choose, _look_at_neighbors


def forest_of(component: list[int], bound: list[float], partner: list[int]) -> Forest:
    n_points = len(component)
    return Forest(
        np.ones(n_points),
        np.array(component, np.int32),
        np.array(bound),
        np.array(partner, np.int32),
        np.full(n_points, 2.0),
        np.full(n_points, -1, np.int32),
    )


@pytest.mark.small
def test_of_edges_that_are_cheap_enough_the_cheapest_is_told() -> None:
    """What is known of a component may be a little more than its cheapest edge."""
    forest = forest_of([0, 1, 0, 0, 0], [2.0, 9.0, 2.0, 1.5, 1.75], [1, -1, 1, 1, 1])
    told = np.full(4, -1, np.int32)
    assert _choose(forest, 2, 5, told) == 1
    assert told.tolist() == [3, -1, -1, -1]
    assert _choose(forest, 0, 5, told) == 0
    assert forest.winner.tolist() == [3, -1, -1, -1, -1]


@pytest.mark.small
def test_the_first_point_stays_the_winner_of_its_component() -> None:
    forest = forest_of([0, 1, 0], [1.5, 9.0, 1.75], [1, -1, 1])
    _choose(forest, 0, 3, np.empty(3, np.int32))
    assert forest.winner.tolist() == [0, -1, -1]


@pytest.mark.small
def test_nobody_is_no_neighbor() -> None:
    """Fewer neighbors than there is room for: the last point is not meant."""
    forest = forest_of([0, 1, 2], [1.0, 1.0, 1.0], [-1, -1, -1])
    nearest = np.full((3, 2), -1, np.int32)
    told = Told(np.empty(3, np.int32), np.empty(3), np.empty(3, np.int32))
    _look_at_neighbors(forest, nearest, 2, 0, 3, told)
    assert forest.partner.tolist() == [-2, -2, -1]
    assert forest.cheapest.tolist() == [2.0, 2.0, 2.0]
