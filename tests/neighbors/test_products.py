"""Bounds by products against squared distances, and lists of neighbors against sorted rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi import DensityTree
from disco_cvi._compute.progress import Progress
from disco_cvi._input.points import open_points
from disco_cvi._neighbors import nearest_points, neighbor_lists, products, search_choice
from disco_cvi._neighbors.core_distances import Neighbors
from disco_cvi._neighbors.kd_tree import build_kd_tree
from disco_cvi._neighbors.nearest_points import search_nearest
from disco_cvi._neighbors.neighbor_lists import (
    NeighborLists,
    lists_by_products,
    neighbors_by_products,
)
from disco_cvi._neighbors.products import Blocks, make_blocks
from disco_cvi._neighbors.search_choice import search_neighbors
from disco_cvi._spanning_tree import by_products
from disco_cvi._spanning_tree.mutual_reachability import minimum_spanning_tree
from helpers import zoo
from helpers.blas import blas_threads
from helpers.row_orders import order_against_even_samples

PRECISIONS = [np.float32, np.float64]


def squares_of(points: zoo.Points) -> zoo.Points:
    """Squared distances, added in the order of all searches."""
    differences = points[:, None, :] - points[None, :, :]
    squares = differences * differences
    if points.shape[1] == 2:
        return np.asarray(squares[..., 0] + squares[..., 1])
    whole = points.shape[1] - points.shape[1] % 4
    sums = [np.zeros(squares.shape[:2]) for _ in range(4)]
    for c in range(whole):
        sums[c % 4] += squares[..., c]
    for c in range(whole, points.shape[1]):
        sums[0] += squares[..., c]
    return np.asarray((sums[0] + sums[1]) + (sums[2] + sums[3]))


def lists_of(
    blocks: Blocks, min_points: int, copies: Any = None, n_jobs: int = 1
) -> tuple[NeighborLists, Neighbors]:
    copies = np.ones(len(blocks.points), np.int32) if copies is None else copies
    return lists_by_products(blocks, copies, min_points, n_jobs, Progress("", 0, shown=False))


def assert_lists_are_right(lists: NeighborLists, squares: zoo.Points) -> None:
    length = min(len(squares), lists.numbers.shape[1])
    assert lists.squares.tolist() == np.sort(squares, axis=1)[:, :length].tolist()
    assert np.take_along_axis(squares, lists.numbers, 1).tolist() == lists.squares.tolist()
    assert all(len(set(row)) == length for row in lists.numbers.tolist())


@st.composite
def hard_points(draw: st.DrawFn) -> zoo.Points:
    """Ties, copies, constant columns, points far from their center, sizes far apart."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    shape = draw(st.integers(1, 70)), draw(st.sampled_from([1, 2, 3, 5, 20, 67]))
    kind = draw(st.sampled_from(["lattice", "normal", "far", "sizes", "copies", "halves"]))
    points = random.normal(size=shape)
    if kind == "lattice":
        points = random.integers(0, 2, shape).astype(float)
    elif kind == "far":
        points = random.integers(-1, 2, (shape[0], 1)) + 1e-6 * points
    elif kind == "sizes":
        points *= 10.0 ** random.uniform(-40, 40, (shape[0], 1))
    elif kind == "copies":
        points = points[random.integers(0, 5, shape[0]) % shape[0]]
    elif kind == "halves":  # every coordinate is rounded the same way
        points = np.sign(points) * (0.5 + 2.0**-26 * random.integers(0, 2, shape))
    points[:, :: draw(st.integers(1, 3)) + 1] *= draw(st.sampled_from([0.0, 1.0]))
    return np.asarray(points * draw(st.sampled_from([1.0, 1e100, 1e-150, 2.0**-500])))


@pytest.mark.small
@zoo.examples(150)
@given(hard_points(), st.sampled_from(PRECISIONS))
def test_products_bound_every_squared_distance(points: zoo.Points, precision: Any) -> None:
    blocks = products._center(points, precision)
    scale = blocks.norms[:, None] + blocks.norms
    values = scale - 2.0 * (blocks.centered @ blocks.centered.T)
    error = blocks.slack * scale + blocks.least
    squares = squares_of(points) * blocks.unit * blocks.unit
    assert (values - error <= squares).all()
    assert (squares <= values + error).all()


@pytest.mark.small
@zoo.examples(150)
@given(hard_points(), st.integers(1, 40), st.sampled_from(PRECISIONS))
def test_lists_are_those_of_sorted_rows(
    points: zoo.Points, min_points: int, precision: Any
) -> None:
    min_points = min(min_points, len(points))
    lists, neighbors = lists_of(products._center(points, precision), min_points)
    squares = squares_of(points)
    assert_lists_are_right(lists, squares)
    assert neighbors.core.tolist() == np.sort(squares, axis=1)[:, min_points - 1].tolist()


@pytest.mark.small
@zoo.examples(60)
@given(hard_points(), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_copies_count(points: zoo.Points, min_points: int, seed: int) -> None:
    points = np.unique(points, axis=0)
    copies = np.random.default_rng(seed).integers(1, 6, len(points)).astype(np.int32)
    min_points = min(min_points, int(copies.sum()))
    lists, neighbors = lists_of(make_blocks(points, min_points), min_points, copies)
    squares = squares_of(points)
    repeated = np.sort(np.repeat(squares, copies, axis=1), axis=1)
    assert neighbors.core.tolist() == repeated[:, min_points - 1].tolist()
    assert_lists_are_right(lists, squares)
    alone = neighbors_by_products(make_blocks(points, 5), copies, min_points, 1, min_points)
    assert alone.core.tolist() == neighbors.core.tolist()
    found = np.sort(np.take_along_axis(squares, alone.nearest, 1), axis=1)
    assert found.tolist() == repeated[:, :min_points].tolist()


@pytest.mark.small
def test_too_small_a_slack_is_wrong() -> None:
    # Three clusters far from their center: what single precision makes of them is no order.
    random = np.random.default_rng(0)
    points = random.integers(-1, 2, (120, 1)) + 1e-6 * random.normal(size=(120, 8))
    blocks = products._center(points, np.float32)
    squares = squares_of(points)
    assert_lists_are_right(lists_of(blocks, 5)[0], squares)
    wrong, _ = lists_of(blocks._replace(slack=blocks.slack / 1000), 5)
    assert wrong.squares.tobytes() != np.sort(squares, axis=1)[:, :16].tobytes()


@pytest.mark.small
@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_least_error_covers_what_vanishes(precision: Any) -> None:
    # Between two far points, a cluster whose products vanish; squares that lose most of their bits.
    line = np.arange(1.0, 40.0)[:, None] ** 2
    vanishing = np.vstack([1e-30 * line, [[1.0], [-1.0]]])
    for points in (vanishing, 1e-161 * line / 3):
        blocks = products._center(points, precision)
        scale = blocks.norms[:, None] + blocks.norms
        values = scale - 2.0 * (blocks.centered @ blocks.centered.T)
        squares = squares_of(points) * blocks.unit * blocks.unit
        off = abs(values - squares) - blocks.slack * scale
        assert off.max() <= blocks.least
        assert_lists_are_right(lists_of(blocks, 5)[0], squares_of(points))
    assert off.max() > points.shape[1] * products._LEAST  # a smaller one would not do


@pytest.mark.small
def test_least_difference_is_below_that_of_every_point_within_the_limit() -> None:
    random = np.random.default_rng(0)
    points = random.integers(-1, 2, (120, 1)) + 1e-4 * random.normal(size=(120, 8))
    blocks = products._center(points, np.float32)
    differences = blocks.centered @ blocks.centered.T - blocks.half_norms
    squares = squares_of(points) * blocks.unit * blocks.unit
    bound = getattr(products.least_difference, "py_func", products.least_difference)
    too_high = 0
    for i in range(120):
        for limit in np.sort(squares[i])[[1, 5, 60]]:
            least = np.float32(bound(blocks, i, limit))
            assert (differences[i, squares[i] <= limit] >= least).all()
            bare = np.float32((blocks.norms[i] - limit) / 2)
            too_high += int((differences[i, squares[i] <= limit] < bare).sum())
    assert too_high > 0  # without the slack, near points would be passed over


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_scales_of_many_features_do_not_matter(scale: float) -> None:
    random = np.random.default_rng(3)
    points = np.round(random.normal(size=(150, 40)) * 8)
    exponent = float(np.ldexp(1.0, round(np.log2(scale))))
    plain, scaled = DensityTree(points), DensityTree(points * exponent)
    assert (plain.heights * exponent).tobytes() == scaled.heights.tobytes()


def test_far_clusters_are_multiplied_in_double_precision() -> None:
    random = np.random.default_rng(0)
    near = random.normal(size=(2000, 20))
    far = near + 1e5 * random.integers(-1, 2, (2000, 1))
    assert make_blocks(near, 5).centered.dtype == np.float32
    assert make_blocks(far, 5).centered.dtype == np.float64
    assert make_blocks(np.ones((2, 70_000)), 1).centered.dtype == np.float64


def test_the_order_of_the_rows_does_not_choose_the_precision() -> None:
    """Two far clusters, with other points in the rows that an even sample of them would see."""
    points = order_against_even_samples(1600, 40)
    shuffled = np.random.default_rng(1).permutation(points)
    precisions = {make_blocks(each, 5).centered.dtype.name for each in (points, shuffled)}
    assert precisions == {"float64"}


@pytest.mark.small
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_lists_that_would_fill_memory_are_cut(monkeypatch: pytest.MonkeyPatch, n_jobs: int) -> None:
    monkeypatch.setattr(neighbor_lists, "_LONGEST_LISTS", 100)
    monkeypatch.setattr(products, "_BLOCK_ENTRIES", 70 * 20)
    points = np.random.default_rng(1).normal(size=(70, 6))
    lists, neighbors = lists_of(make_blocks(points, 30), 30, n_jobs=n_jobs)
    assert lists.numbers.shape == (70, 16)
    assert_lists_are_right(lists, squares_of(points))
    assert neighbors.core.tolist() == np.sort(squares_of(points), axis=1)[:, 29].tolist()


@pytest.mark.parametrize("dimension", [784, 16_384])
def test_many_dimensions_keep_all_bits(dimension: int) -> None:
    random = np.random.default_rng(dimension)
    points = 0.5 + random.normal(size=(150, dimension)) * 10.0 ** random.uniform(-3, 3, (150, 1))
    points[::7] = points[0]
    expected = minimum_spanning_tree(points.copy(), 5, 1, "kd")
    for n_jobs in (1, 2):
        found = minimum_spanning_tree(points.copy(), 5, n_jobs, "blocks")
        assert np.sort(found.core).tobytes() == np.sort(expected.core).tobytes()
        heights = np.sort(found.edges.heights)
        assert heights.tobytes() == np.sort(expected.edges.heights).tobytes()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_search_multiplies_in_as_many_threads_as_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, n_jobs: int
) -> None:
    seen: list[int] = []
    multiply = products.products

    def watch(blocks: Blocks, chosen: Any) -> Any:
        seen.append(blas_threads())
        return multiply(blocks, chosen)

    for module in (products, neighbor_lists, nearest_points, by_products):
        monkeypatch.setattr(module, "products", watch)
    for module in (search_choice, nearest_points):
        monkeypatch.setattr(module, "is_hard_to_search", lambda *_: True)
    points = np.random.default_rng(0).normal(size=(450, 40))
    before = blas_threads()
    searches = (
        lambda: minimum_spanning_tree(points.copy(), 5, n_jobs, "blocks"),
        lambda: search_neighbors(build_kd_tree(points.copy()), 5, n_jobs),
        lambda: search_nearest(open_points(points, "nearest_points", n_jobs=n_jobs), 5),
    )
    for search in searches:
        seen.clear()
        search()
        assert len(seen) > 1  # one for the sample of rows, then those of the search
        assert set(seen) == {min(n_jobs, before)}
    assert blas_threads() == before
