"""Where points stand in a picture: as they are, by PCA, as a strip, or where an embedding says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi.plots.plane import plane_of, principal_plane

RANDOM = np.random.default_rng(0)


def test_two_features_stay_as_they_are() -> None:
    points = RANDOM.normal(size=(20, 2))
    plane = plane_of(points)
    assert plane.xy is points
    assert (plane.axis_names, plane.note) == (("", ""), "")


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


def test_the_note_says_how_much_is_kept_and_what_not_to_read() -> None:
    points = np.column_stack([np.arange(10.0), np.zeros(10), np.tile([0.0, 1.0], 5)])
    plane = plane_of(points)
    assert plane.axis_names == ("PC 1 (97%)", "PC 2 (3%)")
    assert plane.note == (
        "3 features shown as 2: PCA keeps 100% of the variance, "
        "so points that overlap here need not be near."
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


def test_an_embedding_is_taken_as_it_is() -> None:
    embedding = [[0, 1], [2, 3], [4, 5]]
    for points in (RANDOM.normal(size=(3, 8)), None):
        plane = plane_of(points, embedding)
        assert plane.xy.tolist() == embedding
        assert "embedding" in plane.note


@pytest.mark.parametrize(
    ("points", "embedding", "message"),
    [
        (None, None, "X of plane_of must be points.* Pass the places as embedding="),
        (np.ones((2, 3)), [[1, 2]], "embedding of plane_of must hold one row per point: 2 points"),
        (np.ones((2, 3)), [[1, 2, 3]], r"embedding of plane_of .* got shape \(1, 3\)"),
        (np.ones((1, 3)), [[1, None]], "hold two numbers per point; got missing values"),
        (np.ones((1, 3)), [["a", "b"]], "embedding of plane_of must hold numbers"),
    ],
)
def test_what_is_no_place(points: Any, embedding: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        plane_of(points, embedding)
