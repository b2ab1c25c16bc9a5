"""Warnings where noise is probably meant otherwise: said once, at the user's line."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import compare, cvnn_indices, disco_score, evaluate, explain
from disco_cvi._input.labels import check_labels, noise_like
from disco_cvi.exceptions import NoiseLabelWarning

pytestmark = pytest.mark.small

X = np.array([[0.0], [1], [2], [10], [11], [12]])
SIDES = ["a", "a", "a", "b", "b", "b"]
TEXT = ["a", "a", "a", "b", "b", "-1"]


def caught(function: Any, *arguments: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        function(X, *arguments, **options)
    assert {(warning.category, warning.filename) for warning in found} <= {
        (NoiseLabelWarning, __file__)
    }
    return [str(warning.message) for warning in found]


@pytest.mark.parametrize("function", [disco_score, explain, evaluate])
def test_text_that_looks_like_noise(function: Any) -> None:
    options: dict[str, Any] = {"min_points": 2}
    assert caught(function, TEXT, **options) == [
        "The cluster '-1' counts as a cluster. If it is noise, pass noise_label='-1'; if not, "
        "noise_label=None."
    ]
    assert caught(function, TEXT, noise_label="-1", **options) == []
    assert caught(function, TEXT, noise_label=None, **options) == []
    assert caught(function, SIDES, **options) == []


@pytest.mark.parametrize("function", [disco_score, explain, evaluate])
def test_a_noise_label_that_no_point_has(function: Any) -> None:
    assert caught(function, SIDES, noise_label="c", min_points=2) == [
        "No point has the noise_label 'c'; the clusters are ['a', 'b']. Pass noise_label=None if "
        "there is no noise."
    ]
    # The default is often absent.
    assert caught(function, [0, 0, 0, 1, 1, 1], noise_label=-1, min_points=2) == []
    # A number is not text.
    assert len(caught(function, [0, 0, 0, 1, 1, -1], noise_label="-1", min_points=2)) == 1


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "NOISE"], "NOISE"),
        (["Outliers"], "Outliers"),
        ([-1, 0], -1),
        (["noisy", "1"], None),
        ([True, False], None),
    ],
)
def test_names_that_sound_like_noise(names: list[Any], expected: Any) -> None:
    assert noise_like(names) == expected


def test_several_labelings_warn_once() -> None:
    labelings = {"one": TEXT, "two": TEXT}
    assert len(caught(compare, labelings, "silhouette")) == 1
    assert len(caught(cvnn_indices, [TEXT, TEXT], n_neighbors=2)) == 1
    # One labeling without noise is nothing strange beside another that has some.
    mixed = {"one": SIDES, "two": TEXT}
    assert caught(compare, mixed, "silhouette", noise_label="-1") == []
    assert len(caught(compare, mixed, "silhouette", noise_label="c")) == 1


def test_a_report_warns_too(tmp_path: Path) -> None:
    report = pytest.importorskip("disco_cvi.report")
    path = tmp_path / "report.html"
    assert len(caught(report.write_report, {"one": TEXT}, path, indices=["disco"])) == 1


def test_labels_that_were_checked_before_are_trusted() -> None:
    labels = check_labels(TEXT, 6, -1, "test")
    assert caught(compare, {"one": labels}, "silhouette") == []
    assert caught(disco_score, labels, min_points=2) == []
