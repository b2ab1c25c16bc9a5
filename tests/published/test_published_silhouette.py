"""The Silhouette of the DISCO paper: its tables, and what its program returned elsewhere."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.silhouette import published_silhouette
from reference_data import GOLDEN_SETS, LABELINGS, Labels, golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

# Values of the published program, with all digits that are known.
TABLE_2 = {
    "3-spiral": [0.00139300722684, 0.359607896016],
    "complex9": [-0.0117356455026, 0.403420451524],
}
TABLE_3 = [0.06284062769, 0.09369351832, 0.06669828607, 0.3044063589]


@pytest.mark.parametrize(("name", "n_clusters"), [("3-spiral", 3), ("complex9", 9)])
def test_table_2(shared: Path, name: str, n_clusters: int) -> None:
    from sklearn.cluster import KMeans

    points, truth = load(shared, name)
    k_means = KMeans(n_clusters=n_clusters, random_state=0, n_init="auto").fit(points).labels_
    found = [published_silhouette(points, labels) for labels in (truth, k_means)]
    assert found == pytest.approx(TABLE_2[name], rel=0, abs=1e-9)


def cut_apart(first_feature: Labels, truth: Labels) -> Labels:
    """Return the bad labeling of cluto-t8-8k: a stripe of noise cuts clusters in two."""
    labels = np.where((first_feature > -0.8) & (first_feature < -0.05), -1, truth)
    labels = np.where((labels != -1) & (first_feature < -0.8), labels + 8, labels)
    return np.asarray(np.unique(labels, return_inverse=True)[1] - 1)


def test_table_3(shared: Path) -> None:
    points, truth = load(shared, "cluto-t8-8k")
    cut = cut_apart(points[:, 0], truth)
    assert (cut.max() + 1, (cut == -1).sum()) == (11, 2185)
    rings = two_rings(build=1)
    found = [published_silhouette(points, labels) for labels in (truth, cut)]
    found += [
        published_silhouette(rings.points, labels)
        for labels in (rings.good_labels, rings.bad_labels)
    ]
    assert found == pytest.approx(TABLE_3, rel=1e-9, abs=0)


@cache
def golden_values(shared: Path) -> dict[tuple[str, str], float | None]:
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "silhouette"]
    return {(row["dataset"], row["labeling"]): row["value"] for row in rows}


@pytest.mark.parametrize("labeling", LABELINGS)
@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str, labeling: str) -> None:
    value = golden_values(shared)[name, labeling]
    found = published_silhouette(load(shared, name)[0], golden_labels(shared, name, labeling))
    assert found == pytest.approx(value, rel=0, abs=1e-14)


def test_all_golden_values_are_compared(shared: Path) -> None:
    pairs = {(name, labeling) for name in GOLDEN_SETS for labeling in LABELINGS}
    assert set(golden_values(shared)) == pairs
    assert len(pairs) == 105


LINE = np.array([[0.0], [1.0], [5.0], [6.0]])


@pytest.mark.small
@pytest.mark.parametrize("labels", [[0, 0, 0, 0], [-1, -1, -1, -1], [0, 1, 2, -1]])
def test_one_label_or_as_many_as_points_are_an_error(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="Silhouette needs"):
        published_silhouette(LINE, labels)


@pytest.mark.small
def test_noise_is_an_ordinary_cluster() -> None:
    assert published_silhouette(LINE, [0, 0, -1, -1]) == published_silhouette(LINE, [0, 0, 1, 1])
