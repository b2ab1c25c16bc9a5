"""Scores by cluster: which blocks there are, what they hold, and how they are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi import explain
from disco_cvi.plots import ScoreBarsDisplay
from disco_cvi.plots.style import THEMES

X = np.array([0.0, 1, 2, 3, 10, 11, 12, 13, 14, 30, 60, 61])[:, None]
LABELS = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, -1, -1, -1])


def many_clusters(n_clusters: int) -> tuple[Any, Any]:
    sizes = np.arange(3, 3 + n_clusters)
    points = np.concatenate([100.0 * i + np.arange(size) for i, size in enumerate(sizes)])
    return points[:, None], np.repeat(np.arange(n_clusters), sizes)


def test_blocks_hold_all_scores_falling_lowest_mean_first_and_noise_last() -> None:
    explanation = explain(X, LABELS, min_points=2)
    display = ScoreBarsDisplay.from_explanation(explanation)
    assert [block.kind for block in display.blocks] == ["cluster"] * 3 + ["noise"]
    means = [block.mean for block in display.blocks[:-1]]
    assert means == sorted(means)
    for block in display.blocks:
        members = explanation.points.score[(int(block.name) if block.code >= 0 else -1) == LABELS]
        assert block.scores.tolist() == sorted(members, reverse=True)
        assert block.mean == pytest.approx(members.mean())
        assert block.share_negative == pytest.approx((members < 0).mean())
    assert display.n_points == 12
    assert display.score == explanation.score


@pytest.mark.parametrize(("n_clusters", "n_own"), [(12, 12), (13, 13), (14, 12), (30, 12)])
def test_of_many_clusters_those_that_cost_most_have_a_block(n_clusters: int, n_own: int) -> None:
    points, labels = many_clusters(n_clusters)
    explanation = explain(points, labels, min_points=2)
    blocks = ScoreBarsDisplay.from_explanation(explanation).blocks
    own = [block for block in blocks if block.kind == "cluster"]
    others = [block for block in blocks if block.kind == "others"]
    assert len(own) == n_own
    assert len(others) == (n_own < n_clusters)
    cost = [cluster.size * (1 - cluster.mean_score) for cluster in explanation.clusters]
    left = sorted(set(range(n_clusters)) - {block.code for block in own})
    assert all(cost[block.code] >= max(cost[code] for code in left) for block in own if left)
    for block in others:
        assert block.size == sum(explanation.clusters[code].size for code in left)
        assert block.name == f"{len(left)} smaller"


def test_others_that_are_not_smaller_are_not_called_so() -> None:
    points, labels = many_clusters(16)
    # A large cluster of equal points, which is perfect, costs nothing.
    points = np.append(points, np.full((400, 1), -1e6), axis=0)
    labels = np.append(labels, np.full(400, 99))
    display = ScoreBarsDisplay.from_predictions(points, labels, min_points=2)
    assert display.blocks[-1].name == "5 others"
    assert "17 clusters, the 12 that cost most by themselves" in display.facts[0]


def test_thinned_scores_keep_both_ends() -> None:
    points, labels = many_clusters(2)
    block = ScoreBarsDisplay.from_predictions(
        np.repeat(points, 100, axis=0), np.repeat(labels, 100), min_points=2
    ).blocks[0]
    few = block.thinned(50)
    assert len(few) == 50
    assert (few[0], few[-1]) == (block.scores[0], block.scores[-1])
    assert block.thinned(block.size) is block.scores


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_orange_is_below_0_noise_is_hatched_and_the_scale_is_fixed(theme: str) -> None:
    from matplotlib.colors import to_rgba

    display: Any = ScoreBarsDisplay.from_predictions(X, LABELS, min_points=2).plot(theme=theme)
    look = THEMES[theme]
    assert display.ax_.get_xlim() == (-1, 1)
    assert len(display.areas_) == 2 * len(display.blocks)
    for place, area in enumerate(display.areas_):
        corners = area.get_paths()[0].vertices
        assert tuple(area.get_facecolor()[0]) == to_rgba(look.bad if place % 2 else look.good)
        assert (corners[:, 0] <= 0).all() if place % 2 else (corners[:, 0] >= 0).all()
        assert bool(area.get_hatch()) == (display.blocks[place // 2].kind == "noise")


def test_names_and_numbers_stand_at_the_blocks() -> None:
    display: Any = ScoreBarsDisplay.from_predictions(X, LABELS, min_points=2).plot()
    written = [text.get_text() for text in display.ax_.texts]
    for block in display.blocks:
        assert block.name in written
        assert f"{block.size:,}" in written
        assert f"{block.mean:.3f}".replace("-", "\N{MINUS SIGN}") in written
    assert f"score {display.score:.3f}".replace("-", "\N{MINUS SIGN}") in written
    assert [line.get_xdata()[0] for line in display.means_] == [
        block.mean for block in display.blocks
    ]


@pytest.mark.parametrize(
    ("labels", "title"),
    [
        ([-1] * 12, "All points are noise: \N{MINUS SIGN}1.000 on average"),
        ([0] * 12, "There is one cluster: 0.000 on average"),
    ],
)
def test_titles_of_one_block(labels: Any, title: str) -> None:
    assert ScoreBarsDisplay.from_predictions(X, labels, min_points=2).title == title
