"""The pair score against a loop over all pairs, its edge cases and its promises."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from definitions import pair as definition
from disco_cvi import (
    DensityTree,
    UndefinedScoreError,
    compare,
    disco_samples,
    disco_score,
    evaluate,
    pair_samples,
    pair_score,
)
from disco_cvi.datasets import three_rings
from helpers import zoo

# DISCO itself agrees to 1e-12; the weights round once more.
TOLERANCE = 2e-12


@pytest.mark.small
@zoo.examples(500)
@given(zoo.cases())
def test_is_the_definition(case: zoo.Case) -> None:
    found = pair_score(case.points, case.labels, min_points=case.min_points)
    expected = definition.pair_score(case.points, case.labels, min_points=case.min_points)
    assert found == pytest.approx(expected, rel=0, abs=TOLERANCE)
    assert -1 < found < 1


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_is_the_sum_over_clusters(case: zoo.Case) -> None:
    """sum of p (C - p) mean(s), the second form of the definition."""
    samples = disco_samples(case.points, case.labels, min_points=case.min_points)
    n_points = len(case.labels)
    clustered = float((case.labels != -1).mean())
    terms = []
    for name in set(case.labels.tolist()) - {-1}:
        members = samples[case.labels == name]
        share = len(members) / n_points
        terms.append(share * (clustered - share) * float(members.mean()))
    found = pair_score(case.points, case.labels, min_points=case.min_points)
    assert found == pytest.approx(math.fsum(terms), rel=0, abs=TOLERANCE)


@pytest.mark.small
@zoo.examples(200)
@given(zoo.cases())
def test_is_the_mean_of_what_points_earn(case: zoo.Case) -> None:
    earned = pair_samples(case.points, case.labels, min_points=case.min_points)
    score = pair_score(case.points, case.labels, min_points=case.min_points)
    assert score == pytest.approx(math.fsum(earned) / len(earned), rel=0, abs=1e-15)
    assert not earned[case.labels == -1].any()


@pytest.mark.small
@pytest.mark.parametrize(
    "labels",
    [[-1] * 6, [0] * 6, [0, 0, 0, -1, -1, -1], [0, 1, 2, 3, 4, 5]],
    ids=["only noise", "one cluster", "one cluster and noise", "every point alone"],
)
def test_nothing_is_told_apart(labels: list[int]) -> None:
    assert pair_score([[0], [1], [2], [10], [11], [12]], labels, min_points=2) == 0.0


@pytest.mark.small
@pytest.mark.parametrize("k", [2, 3, 10])
def test_the_greatest_value_for_k_clusters(k: int) -> None:
    """Copies at k places: every point scores 1."""
    X = np.repeat(np.arange(k, dtype=float), 6).reshape(-1, 1)
    labels = np.repeat(np.arange(k), 6)
    assert pair_score(X, labels) == pytest.approx(1 - 1 / k, rel=0, abs=1e-15)


@pytest.mark.small
def test_a_lone_point_earns_nothing_but_others_earn_by_it() -> None:
    X, labels = [[0], [1], [2], [10], [11], [12], [50]], [0, 0, 0, 1, 1, 1, 2]
    with_lone = pair_samples(X, labels, min_points=2)
    without = pair_samples(X, [0, 0, 0, 1, 1, 1, -1], min_points=2)
    assert with_lone[-1] == 0
    assert (with_lone[:-1] > without[:-1]).all()


@pytest.mark.small
def test_labels_alone_decide_where_points_are_few() -> None:
    assert pair_score([[0], [1]], [0, 0]) == 0.0
    assert pair_score([[0], [1], [2]], [0, 0, -1]) == 0.0
    with pytest.raises(
        UndefinedScoreError, match="min_points=5 needs 5 points or more; there are 3"
    ):
        pair_score([[0], [1], [2]], [0, 0, 1])


def test_order_names_and_threads_do_not_matter() -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    expected = pair_score(X, labels)
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(X))
        assert pair_score(X[order], labels[order], n_jobs=2) == expected
    renamed: Any = np.where(labels == -1, -1, 50 - labels)
    assert pair_score(X, renamed) == expected


@pytest.mark.small
def test_of_a_tree_and_in_tables() -> None:
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    tree = DensityTree(X, min_points=4, metric="cityblock")
    expected = pair_score(X, labels, min_points=4, metric="cityblock")
    assert pair_score(tree, labels) == expected
    of_tree, of_points = (
        pair_samples(each, labels, min_points=4, metric=metric)
        for each, metric in ((tree, None), (X, "cityblock"))
    )
    assert of_tree.tobytes() == of_points.tobytes()
    assert evaluate(tree, labels)["pair"] == expected
    assert compare(X, {"a": labels}, ["pair"]).scores["a"]["pair"] == pair_score(X, labels)


def test_disco_and_pairs_judge_the_points_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from disco_cvi.indices import disco

    calls = []
    judge = disco._judge_leaves

    def counted(*arguments: Any) -> Any:
        calls.append(arguments)
        return judge(*arguments)

    monkeypatch.setattr(disco, "_judge_leaves", counted)
    X, labels = zoo.POINTS["blobs"], zoo.many_labels(len(zoo.POINTS["blobs"]))
    evaluate(X, labels, ["disco", "pair"])
    assert len(calls) == 1


def test_the_rings_are_preferred_to_one_giant_cluster() -> None:
    """The maximum of DISCO takes one cluster of all points but one for the best."""
    rings = three_rings()
    tree = DensityTree(rings.points)
    giant = np.zeros(tree.n_points, int)
    giant[np.argmax(tree.core_distances)] = -1
    assert disco_score(tree, giant) > disco_score(tree, rings.good_labels)
    assert pair_score(tree, giant) == 0 < pair_score(tree, rings.good_labels)
    assert pair_score(tree, rings.bad_labels) < pair_score(tree, rings.good_labels)
