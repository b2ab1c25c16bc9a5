"""Flags: which labelings say little, to the exact border, and who says so."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import DBSCAN

from disco_cvi import DensityTree, compare, disco_score, evaluate, explain
from disco_cvi._input.labels import check_labels
from disco_cvi.datasets import three_rings
from disco_cvi.results.flags import Flag, flags_of

CHOOSE = "To choose between labelings, use the pair score (pair_score, compare)."


def flags(labels: Any, noise_label: Any = -1) -> tuple[Flag, ...]:
    return flags_of(check_labels(labels, len(labels), noise_label, "test"))


def sized(*sizes: int, noise: int = 0) -> list[int]:
    """Labels 0, 1, ... of clusters of these sizes, then noise."""
    return [name for name, size in enumerate(sizes) for _ in range(size)] + [-1] * noise


@pytest.mark.small
@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (sized(94, 6), []),
        (sized(95, 5), ["giant cluster", "few pairs"]),
        (sized(949, 51), ["few pairs"]),
        (sized(950, 50), ["giant cluster", "few pairs"]),
        # Of the clustered points, not of all points: 19 of 20 beside 10 noise points.
        (sized(19, 1, noise=10), ["giant cluster", "few pairs"]),
        (sized(18, 1, noise=1), ["few pairs"]),
        # 2 * 10 * 50 = 1000 pairs of 100^2: just one in ten.
        (sized(50, 10, noise=40), []),
        (sized(49, 10, noise=41), ["few pairs"]),
        (sized(20, 20, noise=60), ["few pairs", "mostly noise"]),
        (sized(2, 2, 2, 2, 2, noise=10), []),
        (sized(2, 2, 2, 2, 2, noise=11), ["mostly noise"]),
    ],
)
def test_borders_of_flags(labels: list[int], names: list[str]) -> None:
    assert [flag.name for flag in flags(labels)] == names


@pytest.mark.small
@pytest.mark.parametrize(
    ("labels", "texts"),
    [
        (
            [-1, -1, -1],
            [
                "The clusters tell no two points apart.",
                "More than half is noise: 3 of 3 points (100%).",
            ],
        ),
        (
            sized(4),
            ["Cluster 0 holds all clustered points.", "The clusters tell no two points apart."],
        ),
        (
            sized(3, noise=5),
            [
                "Cluster 0 holds all clustered points.",
                "The clusters tell no two points apart.",
                "More than half is noise: 5 of 8 points (62%).",
            ],
        ),
        (
            sized(1970, 30, noise=10),
            [
                "Cluster 0 holds 1,970 of 2,000 clustered points (98%).",
                "Of all pairs of points, the clusters tell 3% apart.",
            ],
        ),
        (sized(1, 1, 1), []),
        (sized(3, 3, 1), []),
    ],
    ids=["only noise", "one cluster", "one cluster and noise", "97/3", "all alone", "one alone"],
)
def test_flags_in_words(labels: list[int], texts: list[str]) -> None:
    assert [flag.text for flag in flags(labels)] == texts


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a", "'a'"),
        (True, "True"),
        (-3, "-3"),
        ("a name of very many words", "'a name o...y words'"),
    ],
)
def test_flags_name_the_users_clusters(name: Any, shown: str) -> None:
    giant = flags([name] * 5, noise_label=None)[0]
    assert giant == Flag("giant cluster", 1.0, f"Cluster {shown} holds all clustered points.")


@pytest.mark.small
@given(st.lists(st.integers(-1, 4), min_size=1, max_size=60), st.integers(0, 60))
def test_flags_by_a_loop_over_all_pairs(labels: list[int], more: int) -> None:
    labels = labels + [0] * more
    n_points = len(labels)
    apart = sum(-1 not in (a, b) and a != b for a in labels for b in labels)
    clustered = [label for label in labels if label != -1]
    shares = {
        "giant cluster": max(
            (Fraction(clustered.count(name), len(clustered)) for name in clustered), default=0
        ),
        "few pairs": Fraction(apart, n_points**2),
        "mostly noise": 1 - Fraction(len(clustered), n_points),
    }
    expected = {
        "giant cluster": shares["giant cluster"] >= Fraction(95, 100),
        "few pairs": shares["few pairs"] < Fraction(1, 10),
        "mostly noise": shares["mostly noise"] > Fraction(1, 2),
    }
    found = flags(labels)
    assert [flag.name for flag in found] == [name for name, holds in expected.items() if holds]
    for flag in found:
        assert flag.share == float(shares[flag.name])
    assert not (expected["giant cluster"] and not expected["few pairs"])
    # Of any order and any names, but for the name of the giant.
    assert flags(sorted(labels)) == found
    renamed = [label if label == -1 else 9 - label for label in labels]
    assert [(flag.name, flag.share) for flag in flags(renamed)] == [
        (flag.name, flag.share) for flag in found
    ]


@pytest.fixture(scope="module")
def rings_and_giant() -> tuple[Any, np.ndarray[Any, Any]]:
    """The rings of the README, and the labeling that the maximum of DISCO over eps takes."""
    rings = three_rings()
    tree = DensityTree(rings.points)
    labelings = [
        DBSCAN(eps=eps, min_samples=5).fit_predict(rings.points)
        for eps in np.quantile(tree.core_distances, np.linspace(0.02, 1, 99))
    ]
    return rings, max(labelings, key=lambda labels: disco_score(tree, labels))


def test_the_maximum_of_disco_on_the_rings_is_no_longer_praised(
    rings_and_giant: tuple[Any, np.ndarray[Any, Any]],
) -> None:
    rings, giant = rings_and_giant
    assert ((giant == 0).sum(), (giant == -1).sum()) == (549, 1)
    explanation = explain(rings.points, giant)
    assert explanation.score > disco_score(rings.points, rings.good_labels) > 0.5
    assert explanation.pair_score == 0
    shown = " ".join(str(explanation).split())
    assert shown.startswith(
        f"DISCO score {explanation.score:.3f} (scale -1 to 1) rests on little. Cluster 0 holds all "
        "clustered points. The clusters tell no two points apart. Pair score 0.000. 550 points, "
    )
    assert "follow the density" not in shown
    assert CHOOSE in shown


def test_a_comparison_does_not_recommend_the_maximum_of_disco(
    rings_and_giant: tuple[Any, np.ndarray[Any, Any]],
) -> None:
    rings, giant = rings_and_giant
    tree = DensityTree(rings.points)
    labelings = {"giant": giant, "k-means": rings.bad_labels, "rings": rings.good_labels}
    comparison = compare(tree, labelings, ["disco", "pair"])
    assert comparison.best == {"disco": ("giant",), "pair": ("rings",)}
    assert str(comparison).endswith(
        "* best of its index\ngiant rests on little. Cluster 0 holds all clustered points. The "
        "clusters tell no two points apart.\nTo choose, go by the pair score: rings."
    )
    alone = str(compare(tree, labelings, ["disco"]))
    assert alone.endswith("To choose between labelings, use the pair score (index 'pair').")
    del labelings["rings"]
    without = str(compare(tree, labelings, ["disco", "pair"]))
    assert without.endswith("By the pair score, no labeling is better than no clusters.")
    single = str(compare(tree, {"rings": rings.good_labels}, ["disco", "pair"]))
    assert "*" not in single


def test_a_comparison_without_pair_scores_says_nothing_of_them() -> None:
    shown = str(
        compare([[0.0], [1.0], [5.0], [6.0]], {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, ["pair"])
    )
    reason = "min_points=5 needs 5 points or more; there are 4. Lower it or give more points."
    assert shown.endswith(f"\n\nPair score: {reason}")


def test_flags_are_data(rings_and_giant: tuple[Any, np.ndarray[Any, Any]]) -> None:
    rings, giant = rings_and_giant
    expected = [
        {"name": "giant cluster", "share": 1.0, "text": "Cluster 0 holds all clustered points."},
        {"name": "few pairs", "share": 0.0, "text": "The clusters tell no two points apart."},
    ]
    evaluation = evaluate(rings.points, giant, ["disco"])
    for answer in (explain(rings.points, giant), evaluation):
        assert json.loads(json.dumps(answer.to_dict()))["flags"] == expected
    assert "\nScores rest on little. Cluster 0 holds all clustered points. The" in str(evaluation)
    assert "rest on little" not in str(evaluate(rings.points, rings.good_labels, ["disco"]))
    assert "follow the density of the data well" in str(explain(rings.points, rings.good_labels))
