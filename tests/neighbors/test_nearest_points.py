"""The nearest other rows against a literal search, whatever the way of searching."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi._input.points import Points, open_points
from disco_cvi._neighbors import search_choice
from disco_cvi._neighbors.nearest_points import nearest_points, search_nearest
from helpers import zoo

METRICS = ("euclidean", "sqeuclidean", "cityblock", "precomputed")


def opened(points: Any, metric: str = "euclidean", n_jobs: int | None = None) -> Points:
    return open_points(points, "test", n_jobs=n_jobs, metric=metric)


def literal(squares: zoo.Points, n_neighbors: int) -> NDArray[np.intp]:
    """All other rows by distance, then by row."""
    found = []
    for i, row in enumerate(squares):
        others = sorted((float(square), j) for j, square in enumerate(row) if j != i)
        found.append([j for _, j in others[:n_neighbors]])
    return np.array(found, np.intp).reshape(len(squares), -1)


def squares_of(points: zoo.Points) -> zoo.Points:
    """Squared distances, added as the search adds them up to three features."""
    squares = np.zeros((len(points), len(points)))
    for feature in points.T:
        squares += (feature[:, None] - feature[None, :]) ** 2
    return squares


@pytest.fixture(params=["tree", "blocks"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of searching, whatever the dimension."""
    hard = request.param == "blocks"
    monkeypatch.setattr(search_choice, "is_hard_to_search", lambda *_: hard)
    monkeypatch.setattr("disco_cvi._neighbors.nearest_points.is_hard_to_search", lambda *_: hard)


@pytest.mark.small
@pytest.mark.usefixtures("way")
@zoo.examples(300)
@given(zoo.any_points(least=2, most=60), st.integers(1, 20))
def test_nearest_rows_are_those_of_the_definition(points: zoo.Points, n_neighbors: int) -> None:
    found = nearest_points(opened(points), n_neighbors)
    width = min(n_neighbors, len(points) - 1)
    assert found.rows.shape == found.distances.shape == (len(points), width)
    rows = np.arange(len(points))[:, None]
    scaled = points / max(1.0, np.abs(points).max())  # no square of it overflows
    squares = squares_of(scaled)
    lengths = squares[rows, found.rows]
    expected = np.sort(np.where(np.eye(len(points), dtype=bool), np.inf, squares), axis=1)
    np.testing.assert_allclose(lengths, expected[:, :width], rtol=1e-9, atol=1e-300)
    assert not (found.rows == rows).any()
    assert all(len(set(row)) == width for row in found.rows.tolist())


@pytest.mark.small
@pytest.mark.usefixtures("way")
@zoo.examples(200)
@given(
    st.integers(2, 70),
    st.integers(1, 3),
    st.integers(1, 12),
    st.integers(1, 4),
    st.integers(0, 2**32 - 1),
)
def test_ties_go_to_the_smaller_row(
    n_points: int, dimension: int, n_neighbors: int, side: int, seed: int
) -> None:
    """Points of a small lattice: nearly all distances are ties, and there are many copies."""
    points = np.random.default_rng(seed).integers(0, side + 1, (n_points, dimension)).astype(float)
    found = nearest_points(opened(points, n_jobs=2), n_neighbors)
    expected = literal(squares_of(points), n_neighbors)
    assert found.rows.tolist() == expected.tolist()
    lengths = np.sqrt(np.take_along_axis(squares_of(points), expected, axis=1))
    assert found.in_units().tolist() == lengths.tolist()


@pytest.mark.small
@pytest.mark.parametrize("metric", METRICS)
def test_metrics(metric: str) -> None:
    points = np.random.default_rng(3).integers(0, 4, (40, 2)).astype(float)
    distances = {
        "euclidean": np.sqrt(squares_of(points)),
        "sqeuclidean": squares_of(points),
        "cityblock": np.abs(points[:, None] - points[None]).sum(axis=2),
        "precomputed": np.sqrt(squares_of(points)),
    }[metric]
    data = distances if metric == "precomputed" else points
    found = nearest_points(opened(data, metric), 6)
    expected = literal(distances, 6)
    assert found.rows.tolist() == expected.tolist()
    assert found.in_units().tolist() == np.take_along_axis(distances, expected, 1).tolist()


def test_blocks_and_tree_agree_in_high_dimension(monkeypatch: pytest.MonkeyPatch) -> None:
    points = np.random.default_rng(4).normal(size=(300, 20))
    points[::3] = points[0]
    tree = search_nearest(opened(points), 9)
    for hard in (False, True):
        monkeypatch.setattr(
            "disco_cvi._neighbors.nearest_points.is_hard_to_search", lambda *_, hard=hard: hard
        )
        again = search_nearest(opened(points, n_jobs=2), 9)
        assert again.rows.tobytes() == tree.rows.tobytes()
        assert again.distances.tobytes() == tree.distances.tobytes()


@pytest.mark.parametrize("exponent", [-900, 0, 900])
def test_sizes_far_from_one(exponent: int) -> None:
    points = np.ldexp(np.random.default_rng(5).normal(size=(50, 2)), exponent)
    found = nearest_points(opened(points), 4)
    expected = nearest_points(opened(np.ldexp(points, -exponent)), 4)
    assert found.rows.tolist() == expected.rows.tolist()
    assert found.in_units().tolist() == np.ldexp(expected.in_units(), exponent).tolist()


def test_a_wider_search_serves_narrower_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    points = opened(np.random.default_rng(6).normal(size=(30, 2)))
    wide = nearest_points(points, 9)
    monkeypatch.setattr("disco_cvi._neighbors.nearest_points.search_nearest", None)
    narrow = nearest_points(points, 4)
    assert narrow.rows.tolist() == wide.rows[:, :4].tolist()


def test_many_copies_cost_no_more_than_distinct_points() -> None:
    """Every row of a point with very many copies is found without looking at all of them."""
    points = np.random.default_rng(7).normal(size=(4000, 2))
    points[:2000] = points[0]
    found = nearest_points(opened(points), 5)
    assert found.rows[0].tolist() == [1, 2, 3, 4, 5]
    assert found.rows[1999].tolist() == [0, 1, 2, 3, 4]
    assert found.rows[3].tolist() == [0, 1, 2, 4, 5]
