"""How many blocks there are, and that each fits into a worker."""

from __future__ import annotations

import re

import pytest

from disco_cvi.distributed.workers import (
    BASE_BYTES,
    Workers,
    check_blocks,
    choose_blocks,
    held_bytes,
    peak_bytes,
)
from disco_cvi.exceptions import InvalidInputError

UNLIMITED = Workers(2, 2, 0, 1)


def test_bytes_of_a_point_are_those_that_were_measured() -> None:
    assert held_bytes(2, 5) == 110
    assert peak_bytes(2, 5) <= 250


@pytest.mark.parametrize(
    ("n_points", "blocks"), [(1, 1), (15_000, 1), (30_001, 3), (4_000_000, 8), (10**8, 100)]
)
def test_blocks_keep_threads_busy_and_are_neither_small_nor_large(
    n_points: int, blocks: int
) -> None:
    assert choose_blocks(n_points, 2, 5, UNLIMITED) == blocks


def test_small_workers_get_small_blocks() -> None:
    for memory in (500_000_000, 1_000_000_000, 8_000_000_000):
        workers = Workers(2, 4, memory, 2)
        for n_points in (10**6, 10**7, 10**8):
            chosen = choose_blocks(n_points, 2, 5, workers)
            assert check_blocks(chosen, n_points, 2, 5, workers, "density_tree") == chosen
            working = workers.threads_of_smallest * n_points / chosen * peak_bytes(2, 5)
            assert working <= memory / 2


def test_blocks_that_do_not_fit_are_refused_with_a_number_that_does() -> None:
    workers = Workers(2, 2, 420_000_000, 1)
    with pytest.raises(InvalidInputError) as got:
        check_blocks(2, 3_000_000, 2, 5, workers, "density_tree")
    needed = round((1_500_000 * peak_bytes(2, 5) + BASE_BYTES) / 1e6)
    assert f"got 2: blocks of 1,500,000 points need about {needed} MB in" in str(got.value)
    named = re.search(r"Take (\d+) blocks, or larger", str(got.value))
    assert named is not None
    fitting = int(named[1])
    assert f"n_blocks of density_tree must be at least {fitting} for workers of" in str(got.value)
    assert check_blocks(fitting, 3_000_000, 2, 5, workers, "density_tree") == fitting


def test_without_a_limit_any_number_of_blocks_is_taken() -> None:
    assert check_blocks(1, 10**9, 2, 5, UNLIMITED, "density_tree") == 1
