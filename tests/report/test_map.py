"""The map of a report: points packed as text, and which of too many are shown."""

from __future__ import annotations

import numpy as np
import pytest

from disco_cvi.report.map import choose_rows, encode
from helpers.toy_report import decode


def test_what_is_packed_can_be_unpacked() -> None:
    columns = {
        "label": np.array([0, -1, 32_767], np.int32),
        "x": np.array([0.5, np.nan, -1e-3]),
        "row": np.array([0, 40_000, 7]),
    }
    layout, block = encode(columns)
    assert layout == [["x", "f4"], ["row", "i4"], ["label", "i2"]]
    unpacked = decode(layout, block)
    assert np.array_equal(unpacked["x"], columns["x"].astype(np.float32), equal_nan=True)
    assert unpacked["row"].tolist() == [0, 40_000, 7]
    assert unpacked["label"].tolist() == [0, -1, 32_767]


def test_arrays_begin_where_scripts_can_read_them() -> None:
    columns = {"a": np.array([1]), "b": np.array([0.5]), "c": np.array([100_000])}
    layout, _ = encode(columns)
    offset = 0
    for _, kind in layout:
        assert offset % int(kind[1]) == 0
        offset += int(kind[1])


def test_the_block_is_little_endian_everywhere() -> None:
    big = np.array([1.0], dtype=">f8")
    assert encode({"x": big})[1] == encode({"x": np.array([1.0])})[1]


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
