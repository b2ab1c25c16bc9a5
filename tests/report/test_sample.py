"""Which points a map shows where there are too many."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi.report.sample import choose_rows


def test_few_points_are_all_shown() -> None:
    rows = choose_rows(np.zeros(7), np.zeros(7, np.int32), most=7)
    assert rows.tolist() == list(range(7))


def test_a_sample_keeps_the_worst_and_some_of_each_cluster() -> None:
    generator = np.random.default_rng(0)
    codes = np.repeat(np.arange(-1, 9, dtype=np.int32), 4000)
    codes[:4000] = 8
    codes[100:130] = 9  # a small cluster
    codes[500:800] = -1
    generator.shuffle(codes)
    score = generator.uniform(-1, 1, len(codes))
    rows = choose_rows(score, codes, most=10_000)
    assert len(rows) == 10_000
    assert (np.diff(rows) > 0).all()
    worst = np.argsort(score, kind="stable")[:1000]
    assert set(worst.tolist()) <= set(rows.tolist())
    sizes, shown = np.bincount(codes + 1), np.bincount(codes[rows] + 1)
    assert (shown >= np.minimum(sizes, 200)).all()
    assert shown[10] == 30


def test_the_rest_is_spread_evenly_over_the_rows() -> None:
    rows = choose_rows(np.zeros(50_000), np.zeros(50_000, np.int32), most=10_000)
    per_stretch = np.histogram(rows[rows > 1000], bins=7, range=(1000, 50_000))[0]
    assert per_stretch.max() - per_stretch.min() < 150


def test_equal_scores_are_taken_in_the_order_of_rows() -> None:
    rows = choose_rows(np.zeros(5000), np.zeros(5000, np.int32), most=2100)
    assert rows[:1000].tolist() == list(range(1000))


@pytest.mark.parametrize("n_clusters", [600, 4000])
def test_very_many_clusters_share_the_room(n_clusters: int) -> None:
    codes = np.arange(8000, dtype=np.int32) % n_clusters
    rows = choose_rows(np.linspace(-1, 1, 8000), codes, most=4000)
    assert len(rows) == 4000
    # Half is for the lowest scores; what is left is not enough for 4000 clusters.
    shown = len(np.unique(codes[rows]))
    assert shown == n_clusters if n_clusters == 600 else shown >= 1000


def test_the_same_input_gives_the_same_rows() -> None:
    score = np.random.default_rng(1).uniform(-1, 1, 3000)
    codes = np.arange(3000, dtype=np.int32) % 5
    first, second = (choose_rows(score, codes, most=1500) for _ in range(2))
    assert np.array_equal(first, second)
