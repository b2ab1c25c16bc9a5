"""Maps: labels and scores of all points, in any number of features, of any number of points."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from matplotlib.text import Text
from scipy.spatial.distance import cdist

from disco_cvi import DensityTree, InvalidInputError, explain
from disco_cvi.plots import PointwiseMapDisplay, labels_map, pointwise_map
from disco_cvi.plots.maps import MANY_POINTS
from disco_cvi.plots.plane import find_pixels, plane_of, principal_plane
from disco_cvi.plots.style import THEMES

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [20.0, 3], [1, 2]])
LABELS = [0, 0, 0, 0, 1, 1, 1, 1, -1, 1]
FOUR = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [9.0, 9.0]]
RANDOM = np.random.default_rng(0)


def many_points(n_points: int = MANY_POINTS) -> PointwiseMapDisplay:
    codes = RANDOM.integers(-1, 3, n_points)
    xy = RANDOM.normal(size=(n_points, 2)) + 5 * codes[:, None]
    scores = RANDOM.uniform(-1, 1, n_points)
    return PointwiseMapDisplay(plane_of(xy), scores, codes, "abc", float(scores.mean()))


def points_of(parts: list[Any]) -> Any:
    return np.concatenate([np.asarray(part.get_offsets()) for part in parts])


def test_all_points_are_drawn_by_label_and_by_score() -> None:
    explanation = explain(X, LABELS, min_points=2)
    display = PointwiseMapDisplay.from_explanation(explanation).plot()
    left, right = display.axes_
    assert display.ax_ is right
    assert left.get_xlim() == right.get_xlim()
    for parts in (display.labels_, display.scores_):
        assert sorted(points_of(parts).tolist()) == sorted(X.tolist())
    drawn = np.concatenate([np.asarray(part.get_array()) for part in display.scores_])
    assert sorted(drawn) == sorted(explanation.points.score)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_scale_is_fixed_and_beside_the_map(theme: str) -> None:
    display: Any = PointwiseMapDisplay.from_predictions(X, LABELS, min_points=2).plot(theme=theme)
    for part in display.scores_:
        assert part.get_clim() == (-1, 1)
        assert part.get_cmap()(0.0) != part.get_cmap()(1.0)
    scale = display.figure_.axes[-1]
    assert scale.get_ylim() == (-1, 1)
    assert scale.get_yticks().tolist() == [-1, -0.5, 0, 0.5, 1]


def test_noise_is_crosses_and_what_is_below_0_is_larger_and_on_top() -> None:
    display: Any = PointwiseMapDisplay.from_predictions(X, LABELS, min_points=2).plot()
    noise_good, good, noise_bad, bad = display.scores_
    cross, disc = (len(part.get_paths()[0].vertices) for part in (noise_good, good))
    assert cross < disc
    assert [len(part.get_paths()[0].vertices) for part in (noise_bad, bad)] == [cross, disc]
    assert (np.asarray(bad.get_array()) < 0).all()
    assert len(bad.get_offsets())
    assert bad.get_sizes()[0] > good.get_sizes()[0]
    # Within a part the lowest comes last.
    assert (np.diff(good.get_array()) <= 0).all()
    # In the map of labels noise has a marker of its own, too.
    shapes = [len(part.get_paths()[0].vertices) for part in display.labels_]
    assert shapes == [cross, disc, disc]


def test_clusters_have_their_names_at_points_of_theirs() -> None:
    display: Any = PointwiseMapDisplay.from_predictions(X, LABELS, min_points=2).plot()
    named = {text.get_text(): text.get_position() for text in display.axes_[0].texts}
    for code, row in display.spots:
        assert display.codes[row] == code
        assert named[str(code)] == tuple(X[row])


def test_of_many_clusters_the_largest_have_names() -> None:
    labels = np.repeat(np.arange(100), np.arange(1, 101))
    points = RANDOM.normal(size=(len(labels), 2))
    scores = np.zeros(len(labels))
    display = PointwiseMapDisplay(plane_of(points), scores, labels, range(100), 0.0)
    assert {code for code, _ in display.spots} == set(range(60, 100))
    assert display.facts[0].endswith(" The 40 largest are named.")


def test_heads_are_not_cut_off() -> None:
    """The layout once took the room above a map for that of its title."""
    points = RANDOM.normal(size=(300, 2)) * [8, 4]
    display: Any = PointwiseMapDisplay.from_predictions(points, [0] * 300).plot()
    display.figure_.draw_without_rendering()
    for ax in display.axes_:
        title = next(text for text in ax.findobj(Text) if text.get_text() == ax.get_title("left"))
        assert title.get_window_extent().y1 <= display.figure_.bbox.y1


def test_more_features_are_told_with_their_share() -> None:
    points = np.column_stack([X, RANDOM.normal(size=(10, 3))])
    display: Any = PointwiseMapDisplay.from_predictions(points, LABELS, min_points=2).plot()
    plane = plane_of(points)
    assert display.facts[-1] == plane.note
    assert "PCA keeps" in plane.note
    assert "points that overlap here need not be near" in plane.note
    for ax in display.axes_:
        assert (ax.get_xlabel(), ax.get_ylabel()) == plane.axis_names


@pytest.mark.parametrize("X_or_tree", [X, DensityTree(X, min_points=2)])
def test_an_embedding_says_where_points_stand(X_or_tree: Any) -> None:
    places = RANDOM.normal(size=(10, 2))
    display = PointwiseMapDisplay.from_predictions(
        X_or_tree, LABELS, embedding=places, min_points=2
    )
    assert display.plane.xy.tolist() == places.tolist()
    assert "embedding" in display.facts[-1]
    expected = explain(X, LABELS, min_points=2).points.score
    assert display.scores.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (DensityTree(X, min_points=2), {}, "X of PointwiseMapDisplay must be points.* embedding="),
        (cdist(X, X), {"metric": "precomputed", "min_points": 2}, "Pass the places as embedding="),
        (X, {"embedding": X[:3]}, "must hold one row per point: 10 points, 3 rows"),
        (DensityTree(X, min_points=2), {"embedding": X[:3]}, "10 points, 3 rows"),
    ],
)
def test_places_that_are_not_known(data: Any, options: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        PointwiseMapDisplay.from_predictions(data, LABELS, **options)


def test_one_axes_show_the_scores_alone() -> None:
    from matplotlib.figure import Figure

    ax = Figure().add_subplot()
    display = PointwiseMapDisplay.from_predictions(X, LABELS, min_points=2).plot(ax=ax)
    assert display.axes_ == [ax]
    assert ax.get_title(loc="left") == display.score_title


# --- many points ---------------------------------------------------------------------------------


@pytest.mark.parametrize("n_points", [MANY_POINTS - 1, MANY_POINTS])
def test_many_points_become_pixels_and_the_facts_say_so(n_points: int) -> None:
    display: Any = many_points(n_points).plot()
    assert display.is_aggregated == (n_points >= MANY_POINTS)
    pixels = display.pixels()
    told = f"{pixels.n_shared:,} of {pixels.n_used:,} pixels hold several points."
    assert (told in display.score_facts[0]) == display.is_aggregated
    assert ("Pixels have the usual label" in display.facts[0]) == display.is_aggregated
    assert (len(display.axes_[1].images) == 1) == display.is_aggregated


def test_pixels_hold_all_points_where_they_are() -> None:
    xy = RANDOM.normal(size=(4000, 2)) * [3, 1]
    pixels = find_pixels(xy, 40, 30)
    assert pixels.counts.shape == (30, 40)
    assert pixels.counts.sum() == 4000
    left, right, bottom, top = pixels.extent
    side = (right - left) / 40
    assert (top - bottom) / 30 == pytest.approx(side)
    for place in RANDOM.integers(0, 4000, 50):
        row, column = divmod(int(pixels.places[place]), 40)
        assert left + column * side <= xy[place, 0] <= left + (column + 1) * side
        assert bottom + row * side <= xy[place, 1] <= bottom + (row + 1) * side


def test_pixels_tell_means_and_usual_labels() -> None:
    xy = RANDOM.normal(size=(3000, 2))
    values, codes = RANDOM.uniform(size=3000), RANDOM.integers(-1, 3, 3000)
    pixels = find_pixels(xy, 12, 12)
    means, usual = pixels.means(values).ravel(), pixels.usual(codes).ravel()
    for pixel in np.flatnonzero(pixels.counts.ravel()):
        chosen = pixels.places == pixel
        assert means[pixel] == pytest.approx(values[chosen].mean())
        counts = np.bincount(codes[chosen] + 1, minlength=4)
        assert counts[usual[pixel] + 1] == counts.max()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pixels_have_the_colors_of_scores_and_empty_ones_that_of_the_ground(theme: str) -> None:
    from matplotlib.colors import to_rgb

    display: Any = many_points().plot(theme=theme)
    (image,) = display.scores_
    colors = np.asarray(image.get_array())
    empty = display.pixels().counts == 0
    assert colors[empty] == pytest.approx(np.tile(to_rgb(THEMES[theme].ground), (empty.sum(), 1)))
    assert not np.isclose(colors[~empty], to_rgb(THEMES[theme].ground)).all(axis=1).any()


# --- titles --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "title", "score_title"),
    [
        ([-1] * 10, "Every point is noise", "100% of all points score below 0"),
        ([0] * 10, "There is one cluster and no noise", "No point scores below 0"),
        ([0] * 9 + [-1], "The score of these labels rests on little", None),
        ([0, 1] * 5, "The labels hardly follow the density of the data", None),
    ],
)
def test_titles(labels: list[int], title: str, score_title: str | None) -> None:
    display = PointwiseMapDisplay.from_predictions(X, labels, min_points=2)
    assert display.title == title
    assert score_title in (None, display.score_title)


def test_what_a_score_rests_on_is_told() -> None:
    explanation = explain(X, [0] * 9 + [-1], min_points=2)
    facts = PointwiseMapDisplay.from_explanation(explanation).facts
    assert {flag.text for flag in explanation.flags} <= set(facts)


# --- functions -----------------------------------------------------------------------------------


def test_pointwise_map_has_a_fixed_scale() -> None:
    drawn = pointwise_map(FOUR, [0.1, 0.2, 0.3, 0.4]).collections[0]
    assert drawn.get_clim() == (-1.0, 1.0)
    assert np.asarray(drawn.get_array()).tolist() == [0.1, 0.2, 0.3, 0.4]
    assert np.asarray(drawn.get_offsets()).tolist() == FOUR


def test_many_points_are_drawn_as_an_image() -> None:
    points = np.random.default_rng(0).normal(size=(1500, 2))
    assert pointwise_map(points, np.zeros(1500)).collections[0].get_rasterized()
    assert not pointwise_map(FOUR, np.zeros(4)).collections[0].get_rasterized()


def test_a_legend_shows_names_as_they_are_without_formulas_and_warnings() -> None:
    ax = labels_map(FOUR, ["$x_1$", "\\$y$", "\u732b", "a\nb"])
    legend = ax.legend()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure: Any = ax.figure
        figure.canvas.draw()
    shown = [text._preprocess_math(text.get_text()) for text in legend.get_texts()]  # type: ignore[attr-defined]
    assert shown == [
        ("$x_1$", False),
        ("\\$y$", False),
        ("'a\\nb'", False),
        ("\N{WHITE SQUARE}", False),
    ]


def test_labels_map_draws_noise_and_clusters_apart() -> None:
    ax = labels_map(FOUR, ["b", "a", "a", "none"], noise_label="none")
    drawn = {str(part.get_label()): np.asarray(part.get_offsets()) for part in ax.collections}
    assert {name: points.tolist() for name, points in drawn.items()} == {
        "noise": [FOUR[3]],
        "a": [FOUR[1], FOUR[2]],
        "b": [FOUR[0]],
    }


def test_clusters_with_the_same_color_have_another_marker() -> None:
    points = np.random.default_rng(0).normal(size=(30, 2))
    parts: Any = labels_map(points, np.arange(30)).collections
    looks = {(tuple(part.get_facecolor()[0]), len(part.get_paths()[0].vertices)) for part in parts}
    assert len(looks) == 30


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: pointwise_map([[0, 1, 2]], [0.0]), "X of pointwise_map must hold points in the "),
        (lambda: labels_map([[0]], [0]), "2 features; got 1 feature. Pass two columns"),
        (lambda: pointwise_map(FOUR, [0.1]), "one score per point: 4 points, 1 score."),
        (lambda: pointwise_map(FOUR, [0.1, 2, 0, 0]), "between -1 and 1.* got 0 to 2."),
        (lambda: pointwise_map(FOUR, [0.1, None, 0, 0]), "got 0 to 0.1 and NaN."),
        (lambda: labels_map(FOUR, [0]), "one label per point: 4 points, 1 label."),
    ],
)
def test_points_that_cannot_be_drawn(wrong: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        wrong()


# --- where points stand ---------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(200, 5), (4, 9), (3, 3), (2, 7)])
def test_more_features_become_principal_components(shape: tuple[int, int]) -> None:
    from sklearn.decomposition import PCA

    points = RANDOM.normal(size=shape) * np.arange(1, shape[1] + 1)
    known = PCA(2, svd_solver="full").fit(points)
    xy, shares = principal_plane(points)
    np.testing.assert_allclose(shares, known.explained_variance_ratio_, atol=1e-12)
    # Directions along which nothing varies are anybody's choice.
    some = shares > 1e-12
    np.testing.assert_allclose(
        np.abs(xy[:, some]), np.abs(known.transform(points)[:, some]), atol=1e-9
    )


def test_signs_do_not_depend_on_the_rows() -> None:
    points = RANDOM.normal(size=(50, 4)) * [1, 5, 2, 3]
    xy = plane_of(points).xy
    order = RANDOM.permutation(50)
    np.testing.assert_allclose(plane_of(points[order]).xy, xy[order], atol=1e-9)
    # The feature that counts most counts positively.
    assert np.corrcoef(points[:, 1], xy[:, 0])[0, 1] > 0.9


@pytest.mark.parametrize("points", [np.zeros((5, 3)), np.ones((1, 4)), np.full((3, 3), 1e200)])
def test_points_that_do_not_vary(points: Any) -> None:
    plane = plane_of(points)
    assert plane.xy.shape == (len(points), 2)
    assert not plane.xy.any()
    assert plane.axis_names == ("PC 1 (100%)", "PC 2 (0%)")


def test_huge_values_do_not_overflow() -> None:
    points = RANDOM.normal(size=(30, 3))
    np.testing.assert_allclose(plane_of(points * 1e250).xy, plane_of(points).xy * 1e250, rtol=1e-9)


def test_one_feature_becomes_a_strip() -> None:
    points = RANDOM.normal(size=(500, 1))
    plane = plane_of(points)
    assert plane.xy[:, 0].tolist() == points[:, 0].tolist()
    assert np.ptp(plane.xy[:, 1]) < 0.13 * np.ptp(points)
    assert plane.note == "1 feature, shown as a strip: up and down mean nothing."
    assert plane_of(np.ones((3, 1))).xy.shape == (3, 2)


@pytest.mark.parametrize(
    ("points", "embedding", "message"),
    [
        (None, None, "X of plane_of must be points.* Pass the places as embedding="),
        (np.ones((2, 3)), [[1, 2]], "embedding of plane_of must hold one row per point: 2 points"),
        (np.ones((2, 3)), [[1, 2, 3]], r"embedding of plane_of .* got shape \(1, 3\)"),
        (np.ones((1, 3)), [[1, None]], "hold two numbers per point; got missing values"),
        (np.ones((1, 3)), [["a", "b"]], "embedding of plane_of must hold real numbers"),
    ],
)
def test_what_is_no_place(points: Any, embedding: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        plane_of(points, embedding)
