"""print(explanation): the words follow from the facts."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from disco_cvi.results.explanation import explain
from disco_cvi.results.words import explanation_text

pytestmark = pytest.mark.small

LINE = np.array([[0.0], [1], [2], [10], [12], [14], [30], [31]])

LINE_WORDS = """\
DISCO score 0.484 (scale -1 to 1): the labels follow the density of the data in part.
Pair score 0.229, at most 0.281 with clusters of these sizes; earned by cluster 0
(0.123), cluster 1 (0.105).
8 points, 2 clusters, 2 noise points (25%); min_points 2, euclidean distance.

Clusters, lowest mean score first:
  cluster  points  mean score  earned  negative  core distance  nearest
        1       3       0.750   0.105        0%              2        0
        0       3       0.875   0.123        0%              1        1

Noise: 2 points, mean score -0.500, 100% negative. A noise point scores above 0 where
its core distance exceeds 2, the largest in any cluster (cluster 1).

Points with the lowest scores:
  row   score  cluster  because
  6    -0.500  noise    dense, apart from cluster 1
  7    -0.500  noise    dense, apart from cluster 1

Look at next:
  - Dense noise apart from every cluster: 2 points in places denser than the sparsest of
    cluster 1. Either they are clusters of their own, or cluster 1 reaches too far into
    sparse ground."""


def cluster(name: Any = 0, **changes: Any) -> dict[str, Any]:
    facts = {
        "name": name,
        "size": 10,
        "mean_score": 0.9,
        "share_negative": 0.0,
        "core_distance": 1.0,
        "nearest_cluster": None,
        "n_claimed": 0,
        "earned": 0.05,
    }
    return facts | changes


def flag(text: str) -> dict[str, Any]:
    return {"name": "few pairs", "share": 0.0, "text": text}


def text(
    clusters: list[dict[str, Any]],
    score: float = 0.9,
    flags: list[dict[str, Any]] | None = None,
    worst: list[dict[str, Any]] | None = None,
    **noise: Any,
) -> str:
    n_noise = noise.get("size", 0)
    facts = {
        "score": score,
        "pair_score": sum(facts["earned"] for facts in clusters),
        "told_apart": 0.5,
        "n_points": sum(facts["size"] for facts in clusters) + n_noise,
        "n_clusters": len(clusters),
        "n_noise": n_noise,
        "min_points": 5,
        "metric": "euclidean",
        "clusters": clusters,
        "noise": {
            "size": 0,
            "mean_score": 0.5,
            "share_negative": 0.0,
            "n_claimed": 0,
            "n_dense_apart": 0,
        }
        | noise,
        "flags": flags or [],
        "worst": worst or [],
    }
    return explanation_text(facts)


def test_the_whole_text() -> None:
    assert str(explain(LINE, [0, 0, 0, 1, 1, 1, -1, -1], min_points=2)) == LINE_WORDS


def point(**changes: Any) -> dict[str, Any]:
    facts = {
        "row": 3,
        "name": None,
        "cluster": 0,
        "is_noise": False,
        "score": -0.25,
        "compactness": 4.0,
        "separation": 3.0,
        "nearest_cluster": 1,
        "rho_sparse": None,
        "rho_far": None,
        "claimed_by": None,
    }
    return facts | changes


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "3    -0.250  0        3 to cluster 1, 4 to its own"),
        ({"nearest_cluster": None}, "3    -0.250  0        3 to noise, 4 to its own"),
        (
            {"is_noise": True, "claimed_by": 1, "rho_far": 0.0},
            "3    -0.250  noise    joined to cluster 1",
        ),
        (
            {"is_noise": True, "claimed_by": 1, "rho_far": 0.1},
            "3    -0.250  noise    dense, apart from cluster 1",
        ),
        ({"name": "two\nlines"}, "'two\\nlines'  -0.250  0        3 to cluster 1, 4 to its own"),
        ({"name": 0}, "0      -0.250  0        3 to cluster 1, 4 to its own"),
    ],
)
def test_why_points_score_low(changes: dict[str, Any], line: str) -> None:
    shown = text([cluster(0), cluster(1)], worst=[point(**changes), point(row=5, score=0.0)])
    table = shown.split("\n\n")[2].splitlines()
    assert table[0] == "Points with the lowest scores:"
    assert [row.strip() for row in table[2:]] == [line]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([-1] * 8, "DISCO score -1.000 by definition: every point is noise."),
        ([3] * 8, "DISCO score 0.000 by definition: one cluster without noise."),
        (list(range(8)), "DISCO score 0.000 by definition: every point is alone in its cluster."),
    ],
    ids=["all noise", "one cluster", "all alone"],
)
def test_labelings_decided_by_definition(labels: list[int], words: str) -> None:
    shown = str(explain(LINE, labels))
    assert words in shown
    assert "Clusters, lowest" not in shown


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (0.5, "follow the density of the data well"),
        (0.49, "follow the density of the data in part"),
        (0.2, "follow the density of the data in part"),
        (0.19, "hardly follow"),
        (-0.19, "hardly follow"),
        (-0.2, "go against"),
        (-1e-9, "DISCO score 0.000 "),
    ],
)
def test_what_the_score_means(score: float, words: str) -> None:
    shown = " ".join(text([cluster(0), cluster(1)], score=score, worst=[point(score=0.0)]).split())
    assert words in shown
    assert shown.endswith(
        "Nothing stands out. To choose between labelings, use the pair score (pair_score, compare)."
    )
    assert "lowest scores" not in shown
    alone = " ".join(text([cluster(mean_score=0.0)], size=5).split())
    assert "about as near to a noise point as to their own cluster" in alone


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (0.9, "DISCO score 0.900 (scale -1 to 1) rests on little. So few. So little. Pair"),
        (0.2, "DISCO score 0.200 (scale -1 to 1) rests on little. So few. So little. Pair"),
        (0.19, "hardly follow the density of the data, and it rests on little. So few. So li"),
        (-0.9, "go against the density of the data, and it rests on little. So few. So little"),
    ],
)
def test_a_score_that_rests_on_little_is_not_praised(score: float, words: str) -> None:
    flags = [flag("So few."), flag("So little.")]
    shown = " ".join(text([cluster(0), cluster(1)], score=score, flags=flags).split())
    assert words in shown
    assert not re.search("follow the density of the data (well|in part)|Nothing stands out", shown)
    assert shown.endswith(
        "Look at next: - Do not choose this labeling for its DISCO score. To choose between "
        "labelings, use the pair score (pair_score, compare)."
    )


@pytest.mark.parametrize(
    ("earned", "words"),
    [
        ([0.1, 0.2, -0.1], "Pair score 0.200, at most 0.500 with clusters of these sizes; earned "
         "by cluster 1 (0.200), cluster 0 (0.100). "),
        ([0.1, -0.2, -0.3], "with clusters of these sizes; below 0, worse than no clusters: lost "
         "by cluster 2 (-0.300), cluster 1 (-0.200). "),
        ([0.1, 0.1, 0.1, 0.2, 0.1], "earned by cluster 3 (0.200), cluster 0 (0.100), cluster 1 "
         "(0.100) and 2 more. "),
        ([0.0, 0.0], "Pair score 0.000, at most 0.500 with clusters of these sizes. "),
    ],
    ids=["earned", "lost", "many", "nothing"],
)  # fmt: skip
def test_who_earned_the_pair_score(earned: list[float], words: str) -> None:
    clusters = [cluster(name, earned=part) for name, part in enumerate(earned)]
    assert words in " ".join(text(clusters).split())


def test_many_clusters_are_cut_short() -> None:
    shown = text([cluster(name, mean_score=-name / 100) for name in range(13)])
    rows = shown.split("\n")
    first = rows.index("Clusters, lowest mean score first:") + 2
    assert [row.split()[0] for row in rows[first : first + 11]] == [
        *map(str, range(12, 2, -1)),
        "and",
    ]
    assert "  and 3 more, up to 0.000" in rows
    assert "Hardly separated: cluster 12, cluster 11, cluster 10 and 10 more." in shown


def test_weak_and_mixed_and_single_clusters_are_pointed_out() -> None:
    clusters = [
        cluster("weak", mean_score=0.1, share_negative=0.9),
        cluster("mixed", mean_score=0.6, share_negative=0.125),
        cluster("alone", mean_score=0.0, size=1),
    ]
    shown = " ".join(text(clusters).split())
    assert "Hardly separated: cluster 'weak'. On average" in shown
    assert "may belong elsewhere: 12% of cluster 'mixed' are nearer to another cluster" in shown
    assert "Alone in a cluster: 1 point, each scoring 0." in shown


def test_claimed_noise_is_pointed_out_with_its_clusters() -> None:
    clusters = [cluster(0, n_claimed=1), cluster(1, n_claimed=1200), cluster(2)]
    shown = " ".join(text(clusters, size=1300, n_claimed=1201).split())
    assert "1,201 points (1,200 to cluster 1, 1 to cluster 0)." in shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("", "''"),
        ("two\nlines", r"'two\nlines'"),
        ("a name of very many words", "a name of...ny words"),
        (-3, "-3"),
        (True, "True"),
    ],
)
def test_names_keep_the_table_in_shape(name: Any, shown: str) -> None:
    lines = text([cluster(name), cluster(1)]).split("\n")
    first = lines.index("Clusters, lowest mean score first:") + 2
    assert lines[first].split("  10 ")[0].strip() == shown
    assert max(map(len, lines)) <= 88
