"""Regret, ties and intervals, on numbers that can be followed by hand."""

from __future__ import annotations

import math
from itertools import product

import pytest

from disco_paper.choosing.choices import weigh_alike
from disco_paper.choosing.regret import (
    Candidate,
    Loss,
    bootstrap_interval,
    choose,
    regret,
    sum_up,
)

THREE = [Candidate(0.2, 5, 0), Candidate(0.9, 3, 10), Candidate(0.5, 3, 4)]


@pytest.mark.parametrize(
    ("scores", "lower_is_better", "place"),
    [
        ([0.3, 0.1, 0.2], False, 0),
        ([0.3, 0.1, 0.2], True, 1),
        ([None, -0.5, -0.7], False, 1),
        ([0.0, -0.5, None], False, 0),
        ([0.5, 0.5, 0.1], False, 1),  # fewer clusters
        ([0.1, 0.5, 0.5], False, 2),  # less noise
        ([None, None, None], False, None),
    ],
)
def test_the_best_score_is_chosen(
    scores: list[float | None], lower_is_better: bool, place: int | None
) -> None:
    assert choose(THREE, scores, lower_is_better=lower_is_better) == place


def test_of_equal_candidates_the_first_is_chosen() -> None:
    assert choose([THREE[1], THREE[1]], [0.5, 0.5]) == 0


def test_regret_is_what_the_choice_loses() -> None:
    assert regret(THREE, 1) == 0
    assert regret(THREE, 0) == pytest.approx(0.7, abs=1e-15)
    assert regret(THREE, None) == 0.9


def test_losses_are_summed_up() -> None:
    regrets = {"a": 0.0, "b": 0.04, "c": 0.05, "d": 0.31}
    loss = sum_up(regrets, dict.fromkeys(regrets, "one"))
    assert loss.mean == pytest.approx(0.1)
    assert loss == Loss(loss.mean, loss.mean, loss.mean, 0.5, 0.31, 4)


def test_families_are_drawn_whole() -> None:
    """Of two families, one of them twice as large, there are four draws; both ends are certain."""
    regrets = {"a": 0.0, "b": 0.2, "c": 0.7}
    families = {"a": "small", "b": "large", "c": "large"}
    means = sorted(
        sum(values) / len(values)
        for values in (one + other for one, other in product([[0.0], [0.2, 0.7]], repeat=2))
    )
    low, high = bootstrap_interval(regrets, families)
    assert low == pytest.approx(means[0])
    assert high == pytest.approx(means[-1])
    assert means[-1] == pytest.approx(0.45)


def test_the_interval_holds_the_mean_and_is_always_the_same() -> None:
    regrets = {str(i): i / 40 for i in range(40)}
    families = {name: name for name in regrets}
    low, high = bootstrap_interval(regrets, families)
    mean = math.fsum(regrets.values()) / 40
    spread = 1.96 * math.sqrt(sum((r - mean) ** 2 for r in regrets.values()) / 40) / math.sqrt(40)
    assert bootstrap_interval(regrets, families) == (low, high)
    # The bootstrap differs from the normal interval by its 2000 draws and by skewness.
    assert low == pytest.approx(mean - spread, abs=0.1 * spread)
    assert high == pytest.approx(mean + spread, abs=0.1 * spread)


def test_the_parts_of_cvnn_weigh_alike() -> None:
    assert weigh_alike([3.0, 2.5, None, 4.0], [2.0, 2.0, None, 4.0]) == [1.5, 1.0, None, 1.0]
    assert weigh_alike([0.0], [0.0]) == [0.0]
    assert weigh_alike([None], [None]) == [None]
