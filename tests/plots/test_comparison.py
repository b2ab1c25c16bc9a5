"""Labelings beside each other: order, colors, histograms and facts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN, KMeans

from disco_cvi import DensityTree, compare, explain
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots import ComparisonDisplay
from disco_cvi.plots.comparison import BINS, ComparisonRow, match_hues
from disco_cvi.plots.maps import MANY_POINTS
from disco_cvi.plots.plane import plane_of
from disco_cvi.plots.style import THEMES

RANDOM = np.random.default_rng(0)
X = np.concatenate([RANDOM.normal(size=(40, 2)) + [10 * i, 0] for i in range(3)])
TRUE = np.repeat([0, 1, 2], 40)
LABELINGS: dict[str, Any] = {
    "two": np.minimum(TRUE, 1),
    "true": TRUE,
    "noisy": np.where(np.arange(120) % 5 == 0, -1, TRUE),
    "mixed": np.arange(120) % 3,
}


def made(**options: Any) -> ComparisonDisplay:
    return ComparisonDisplay.from_predictions(X, LABELINGS, **options)


def test_the_best_pair_score_comes_first() -> None:
    display = made()
    explanations = {name: explain(X, labels) for name, labels in LABELINGS.items()}
    expected = sorted(explanations, key=lambda name: -explanations[name].pair_score)
    assert [row.name for row in display.rows] == expected
    for row in display.rows:
        known = explanations[row.name]
        assert (row.score, row.pair_score) == (known.score, known.pair_score)
        assert row.share_negative == pytest.approx((known.points.score < 0).mean())
        assert row.noise_share == pytest.approx(known.noise.size / 120)
    assert display.title.startswith(f"{expected[0]} is the best of 4 labelings: pair score 0.")


def test_histograms_hold_all_scores_noise_apart() -> None:
    for row in made().rows:
        scores = explain(X, LABELINGS[row.name]).points.score
        noise = np.asarray(LABELINGS[row.name]) < 0
        edges = np.linspace(-1, 1, BINS + 1)
        assert row.counts.sum() + row.noise_counts.sum() == 120
        # Scores at an edge may fall to either side of it by rounding.
        moved = np.abs(row.counts - np.histogram(scores[~noise], edges)[0]).sum()
        moved += np.abs(row.noise_counts - np.histogram(scores[noise], edges)[0]).sum()
        at_edge = np.isclose((scores + 1) * BINS / 2 % 1, [[0], [1]], atol=1e-9).any(axis=0)
        assert moved <= 2 * at_edge.sum()


@pytest.mark.parametrize(
    ("codes", "first", "hues"),
    [
        ([0, 0, 1, 1, 2], [2, 2, 1, 1, 0], (2, 1, 0)),  # other names, same clusters
        ([0, 0, 0, 0, 1], [0, 0, 0, 1, 1], (0, 1)),
        ([0, 0, 1, 2, 2], [0, 0, 0, 0, 0], (1, 2, 0)),  # the last shares as much as the first
        ([0, 1, 2, -1, -1], [-1, -1, -1, 0, 1], (0, 1, 2)),  # nothing shared
        ([-1, -1], [0, 1], ()),
        ([0, 1], [-1, -1], (0, 1)),
    ],
)
def test_colors_are_matched(codes: list[int], first: list[int], hues: tuple[int, ...]) -> None:
    found = match_hues(np.array(codes, np.int32), np.array(first, np.int32))
    assert len(set(found)) == len(found), "each color once"
    if codes[:2] == [0, 0] and codes[3:] == [2, 2]:
        assert 0 in (found[0], found[2])
    else:
        assert found == hues


def test_thousands_of_clusters_are_not_matched() -> None:
    codes = np.arange(3000, dtype=np.int32)
    assert match_hues(codes, codes[::-1].copy()) == tuple(range(3000))


def test_same_clusters_have_the_same_color_in_all_maps() -> None:
    display: Any = ComparisonDisplay.from_predictions(
        X, {"a": TRUE, "b": 2 - TRUE, "c": np.array(["z", "y", "x"])[TRUE]}
    ).plot()
    seen = set()
    for small in display.maps_:
        for part in small.collections:
            center = np.round(np.asarray(part.get_offsets()).mean(axis=0), 6)
            seen.add((tuple(center), tuple(part.get_facecolor()[0])))
    assert len(seen) == 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rows_have_map_histogram_and_facts(theme: str) -> None:
    display: Any = made().plot(theme=theme)
    assert len(display.axes_) == len(display.maps_) == 4
    written = "\n".join(text.get_text() for text in display.ax_.texts)
    for row, ax in zip(display.rows, display.axes_, strict=True):
        assert row.name in written
        assert f"pair score {row.pair_score:z.3f}".replace("-", "\N{MINUS SIGN}") in written
        assert ax.get_xlim() == (-1, 1)
        clusters, noise = ax.containers
        heights = [bar.get_height() for bar in clusters]
        assert heights == pytest.approx(np.sqrt(row.counts / 120).tolist())
        assert {bar.get_hatch() for bar in noise} == {"/////"}
        assert ax.lines[1].get_xdata()[0] == row.score
    assert display.figure_.get_facecolor()[:3] == pytest.approx(
        [int(THEMES[theme].ground[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    )


@pytest.mark.parametrize("min_points", [None, 3])
def test_comparisons_and_predictions_lead_to_the_same_display(min_points: int | None) -> None:
    by_labels = made(min_points=min_points)
    comparison = compare(X, LABELINGS, ["disco", "pair"], min_points=min_points)
    by_comparison = ComparisonDisplay.from_comparison(comparison)
    own = {"disco": {"min_points": min_points}} if min_points else None
    by_own = ComparisonDisplay.from_comparison(compare(X, LABELINGS, "disco", parameters=own))
    for other in (by_comparison, by_own):
        assert [row.name for row in other.rows] == [row.name for row in by_labels.rows]
        assert [row.score for row in other.rows] == [row.score for row in by_labels.rows]


def test_explanations_by_name_or_a_single_one() -> None:
    explanations = {name: explain(X, labels) for name, labels in LABELINGS.items()}
    display, expected = ComparisonDisplay.from_explanation(explanations), made()
    assert [row.name for row in display.rows] == [row.name for row in expected.rows]
    assert [row.score for row in display.rows] == [row.score for row in expected.rows]
    single = ComparisonDisplay.from_explanation(explain(X, TRUE))
    assert [row.name for row in single.rows] == ["labels"]
    with pytest.raises(InvalidInputError, match="must be of the same points; got explanations of"):
        ComparisonDisplay.from_explanation(
            {"all": explain(X, TRUE), "few": explain(X[:9], TRUE[:9])}
        )
    with pytest.raises(TypeError, match="from_explanation must be what explain returns; got 3"):
        ComparisonDisplay.from_explanation({"three": 3})  # type: ignore[dict-item]


def test_clusterers_by_name_or_a_single_one() -> None:
    clusterers = {"dbscan": DBSCAN(eps=2), "k-means": KMeans(3, n_init=1, random_state=0)}
    display = ComparisonDisplay.from_estimator(clusterers, X)
    assert {row.name for row in display.rows} == set(clusterers)
    single = ComparisonDisplay.from_estimator(DBSCAN(eps=2), X)
    assert [row.name for row in single.rows] == ["DBSCAN"]
    assert single.title == f"DBSCAN: pair score {single.rows[0].pair_score:.3f}"


def test_without_places_there_are_no_maps() -> None:
    tree = DensityTree(X)
    display = ComparisonDisplay.from_predictions(tree, LABELINGS).plot()
    assert display.maps_ == []
    placed = ComparisonDisplay.from_predictions(tree, LABELINGS, embedding=X).plot()
    assert len(placed.maps_) == 4
    distances = ComparisonDisplay.from_predictions(cdist(X, X), LABELINGS, metric="precomputed")
    assert distances.plot().maps_ == []


@pytest.mark.parametrize("n_points", [MANY_POINTS - 1, MANY_POINTS])
def test_many_points_become_pixels_and_the_facts_say_so(n_points: int) -> None:
    codes = np.arange(n_points) % 3 - 1
    counts = np.bincount([40], minlength=BINS)
    row = ComparisonRow("a", 0.5, 0.1, codes, (0, 1), (0, 1), counts, counts, 0.0)
    display: Any = ComparisonDisplay([row], plane_of(RANDOM.normal(size=(n_points, 2)))).plot()
    is_image = n_points >= MANY_POINTS
    assert ("Pixels have the usual label." in " ".join(display.facts)) == is_image
    assert bool(display.maps_[0].images) == is_image


def test_nothing_is_better_than_no_clusters() -> None:
    display = ComparisonDisplay.from_predictions(X, {"a": [0] * 120, "b": [-1] * 120})
    assert display.title == "None of 2 labelings is better than no clusters"
    display.plot().figure_.draw_without_rendering()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ComparisonDisplay.from_predictions(X, {}), "labels of .* must not be empty"),
        (lambda: ComparisonDisplay.from_predictions(X, TRUE), "labels of .* must map names"),  # type: ignore[arg-type]
        (
            lambda: ComparisonDisplay.from_predictions(X, {"a": [1]}),
            r"labels\['a'\] of ComparisonDisplay.from_predictions must hold one label per point",
        ),
        (
            lambda: ComparisonDisplay.from_comparison(3),  # type: ignore[arg-type]
            "comparison of ComparisonDisplay.from_comparison must be what compare returned",
        ),
    ],
)
def test_what_makes_no_comparison(wrong: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        wrong()
