"""Trees of random cuts, level by level, and points in an order of their own: literal twins."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from disco_cvi._compute.kernels import kernel
from disco_cvi._neighbors.random_trees import (
    _NEAR_IN_MEMORY,
    _part,
    collapse_copies,
    grow_leaves,
    random_number,
)
from helpers import zoo

pytestmark = pytest.mark.small


@kernel
def random_of(seed: int, counter: int, below: int) -> Any:
    return random_number(seed, counter, below)


def literal_random(seed: int, counter: int, below: int) -> int:
    """The same in whole numbers of any size."""
    number = (seed * 0x9E3779B1 + counter * 0x85EBCA6B + 0x165667B1) % 2**32
    for _ in range(3):
        number = (number ^ number >> 16) * 0x45D9F3B % 2**32
    return (number ^ number >> 16) % below


def lattice(n_points: int, dimension: int) -> zoo.Points:
    """Small whole numbers: products are exact in whatever order they are added, many are equal."""
    random = np.random.default_rng(dimension)
    return random.integers(-3, 4, (n_points, dimension)).astype(np.float64)


def leaves(points: zoo.Points, rows: Any, seed: int, size: int) -> tuple[Any, list[int]]:
    order = np.arange(len(rows), dtype=np.int32)
    starts = np.full(len(rows) + 1, -9, np.int32)
    n_leaves = grow_leaves(points, rows, seed, size, order, starts)
    return order, starts[: n_leaves + 1].tolist()


def test_random_numbers_are_the_same_everywhere() -> None:
    for seed in (0, 1, 7, 2**31 - 1):
        for counter in (0, 1, 2, 12345, 2**30):
            for below in (1, 2, 1000, 1 << 30):
                assert random_of(seed, counter, below) == literal_random(seed, counter, below)


@pytest.mark.parametrize("dimension", range(1, 10))
def test_every_cut_parts_the_points_at_the_median_along_a_line(dimension: int) -> None:
    points = lattice(90, dimension)
    rows = np.random.default_rng(1).permutation(90)[:64]
    seed = 3 + dimension
    before, _ = leaves(points, rows, seed, 64)
    assert before.tolist() == list(range(64))
    # From level to level: 64 points are cut into halves without any left over.
    for size in (32, 16, 8, 4, 2, 1):
        after, starts = leaves(points, rows, seed, size)
        assert starts == list(range(0, 65, size))
        for begin in range(0, 64, 2 * size):
            end = begin + 2 * size
            first = literal_random(seed, 2 * begin + 2 * end, 2 * size)
            second = literal_random(seed, 2 * begin + 2 * end + 1, 2 * size - 1)
            second += second >= first
            one, other = before[begin + first], before[begin + second]
            line = points[rows[one]] - points[rows[other]]
            sorted_by = sorted(before[begin:end], key=lambda i: (points[rows[i]] @ line, i))
            assert set(after[begin : begin + size]) == set(sorted_by[:size])
            assert set(after[begin + size : end]) == set(sorted_by[size:])
        before = after


@pytest.mark.parametrize("n_points", [1, 2, 3, 7, 50, 51])
def test_leaves_hold_every_point_once_and_are_small(n_points: int) -> None:
    order, starts = leaves(lattice(n_points, 3), np.arange(n_points), 0, 3)
    assert sorted(order) == list(range(n_points))
    assert (starts[0], starts[-1]) == (0, n_points)
    assert all(0 < stop - begin <= 3 for begin, stop in pairwise(starts))


def test_the_smallest_stand_before_the_middle() -> None:
    random = np.random.default_rng(2)
    for _ in range(60):
        size = int(random.integers(2, 20))
        begin, middle, end = 3, 3 + int(random.integers(1, size)), 3 + size
        along = random.integers(0, 6, size + 5).astype(np.float64)
        order = random.permutation(size + 5).astype(np.int32)
        keys = sorted(zip(along[begin:end], order[begin:end], strict=True))
        outside = [*order[:begin], *order[end:]]
        _part(along, order, begin, end, middle)
        found = list(zip(along[begin:middle], order[begin:middle], strict=True))
        assert sorted(found) == keys[: middle - begin]
        rest = list(zip(along[middle:end], order[middle:end], strict=True))
        assert sorted(rest) == keys[middle - begin :]
        assert [*order[:begin], *order[end:]] == outside


def points_with_copies(kind: str) -> zoo.Points:
    random = np.random.default_rng(4)
    if kind == "one place along the line":
        # The small coordinate is lost in the sum, so these points differ but share a key.
        points = np.column_stack([np.full(40, 1e20), random.integers(0, 6, 40)])
        return np.vstack([points, [[-1e20, 3.0], [1e20, -0.0], [1e20, 0.0]]])
    if kind == "tiny differences":
        return np.column_stack([np.ones(40), 1e-30 * random.integers(0, 6, 40)])
    if kind == "signs of zero":
        return np.where(random.random((30, 2)) < 0.5, 0.0, random.choice([-0.0, 1.0], (30, 2)))
    return lattice(150, {"many copies": 2, "few copies": 5}[kind])


@pytest.mark.parametrize(
    "kind",
    ["one place along the line", "tiny differences", "signs of zero", "many copies", "few copies"],
)
def test_copies_are_counted_and_the_order_of_rows_does_not_matter(kind: str) -> None:
    points = points_with_copies(kind)
    found = collapse_copies(points)
    assert sorted(found.rows.tolist()) == list(range(len(points)))
    whose = np.repeat(np.arange(len(found.points)), found.multiplicity)
    np.testing.assert_array_equal(points[found.rows], found.points[whose])
    assert len(found.points) == len(np.unique(points + 0.0, axis=0))
    for seed in range(3):
        turned = np.random.default_rng(seed).permutation(len(points))
        same = collapse_copies(points[turned])
        np.testing.assert_array_equal(same.points, found.points)
        assert same.multiplicity.tolist() == found.multiplicity.tolist()


def test_distinct_points_stand_in_the_order_of_the_leaves_of_a_tree() -> None:
    points = np.unique(lattice(300, 3), axis=0)
    assert len(points) > 2 * _NEAR_IN_MEMORY
    line = [1.0 + literal_random(0, c, 1 << 30) * 2.0**-30 for c in range(3)]
    by_key = np.argsort(points @ line)
    order, _ = leaves(points, by_key, 0, _NEAR_IN_MEMORY)
    np.testing.assert_array_equal(collapse_copies(points).points, points[by_key[order]])
