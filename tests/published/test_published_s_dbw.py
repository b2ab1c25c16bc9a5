"""The S_Dbw of the DISCO paper: its tables, and what its program returned on many labelings."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from disco_cvi.datasets import two_rings
from disco_cvi.experiments.published.s_dbw import published_s_dbw
from reference_data import GOLDEN_SETS, LABELINGS, Labels, golden_labels, load

if TYPE_CHECKING:
    from pathlib import Path

# Values of the published program, with all digits that are known.
TABLE_2 = {
    "3-spiral": [2.79349300775, 1.89866275404],
    "complex9": [0.591154274381, 0.485186358106],
}
TABLE_3 = [0.7341501042, 0.3067693551, 0.5289851354, 0.5505434447]


@pytest.mark.parametrize(("name", "n_clusters"), [("3-spiral", 3), ("complex9", 9)])
def test_table_2(shared: Path, name: str, n_clusters: int) -> None:
    from sklearn.cluster import KMeans

    points, truth = load(shared, name)
    k_means = KMeans(n_clusters=n_clusters, random_state=0, n_init="auto").fit(points).labels_
    found = [published_s_dbw(points, labels) for labels in (truth, k_means)]
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
    found = [published_s_dbw(points, labels) for labels in (truth, cut)]
    found += [
        published_s_dbw(rings.points, labels) for labels in (rings.good_labels, rings.bad_labels)
    ]
    assert found == pytest.approx(TABLE_3, rel=1e-9, abs=0)


@cache
def golden_values(shared: Path) -> dict[tuple[str, str], float | None]:
    lines = (shared / "golden" / "values.jsonl").read_text().splitlines()
    rows = [row for row in map(json.loads, lines) if row["index"] == "s_dbw"]
    return {(row["dataset"], row["labeling"]): row["value"] for row in rows}


# On three large sets the program was too slow for labelings other than these.
SLOW_SETS = {"cluto-t5-8k", "cluto-t7-10k", "cluto-t8-8k"}
PAIRS = [
    (name, labeling)
    for name in GOLDEN_SETS
    for labeling in (("gt", "kmeans") if name in SLOW_SETS else LABELINGS)
]


@pytest.mark.parametrize(("name", "labeling"), PAIRS)
def test_golden_values(shared: Path, name: str, labeling: str) -> None:
    value = golden_values(shared)[name, labeling]
    found = published_s_dbw(load(shared, name)[0], golden_labels(shared, name, labeling))
    assert found == pytest.approx(value, rel=0, abs=1e-14)


def test_all_golden_values_are_compared(shared: Path) -> None:
    assert set(golden_values(shared)) == set(PAIRS)
    assert len(PAIRS) == 90


LINE = np.array([[0.0], [1.0], [5.0], [6.0]])


@pytest.mark.small
@pytest.mark.parametrize(
    "labels", [[0, 0, 0, 0], [-1, -1, -1, -1], [0, 1, 2, -1], [0, 0, 0, -1], [0, 0, -1, -1]]
)
def test_too_few_or_too_many_labels_are_an_error(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="S_Dbw needs 2"):
        published_s_dbw(LINE, labels)


@pytest.mark.small
def test_identical_points_divide_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        published_s_dbw(np.ones((4, 2)), [0, 0, 1, 1])


@pytest.mark.small
def test_hand_worked() -> None:
    # Deviations 1/2 and 0; of all three points sqrt(14/3). The radius is sqrt(1/2) / 2 = 0.35, the
    # centers are 0 (nearest to 1/2 and first) and 5, and nothing is near their middle.
    found = published_s_dbw(LINE[:3], [0, 0, 1])
    assert found == pytest.approx(1 / 4 / np.sqrt(14 / 3), rel=1e-15)
