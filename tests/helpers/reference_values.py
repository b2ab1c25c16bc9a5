"""Loaders of the public data sets and the golden values that tests compare with.

Each takes the folder that the fixture ``shared`` provides. Data are standardized with NumPy's sums,
as they were for the golden values: some published programs tell apart what differs in the last bit
alone, and `datasets.load` rounds better than these sums.
"""

from __future__ import annotations

import csv
import json
import os
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from disco_paper import datasets
from disco_paper.datasets import two_rings

if TYPE_CHECKING:
    from pathlib import Path

Points = NDArray[np.float64]
Labels = NDArray[Any]

LABELINGS = ("gt", "kmeans", "ward", "hdbscan", "dbscan", "random_k", "random_100")
GOLDEN_SETS = (
    "3-spiral",
    "aggregation",
    "chainlink",
    "complex8",
    "complex9",
    "compound",
    "dartboard1",
    "diamond9",
    "smile1",
    "cluto-t4-8k",
    "cluto-t5-8k",
    "cluto-t7-10k",
    "cluto-t8-8k",
    "Synth_low",
    "Synth_high",
)
IMAGE_SETS = ("Optdigits", "COIL20", "cmu_faces")


@cache
def load(shared: Path, name: str) -> tuple[Points, Labels]:
    """Return the standardized points of a data set and its true labels (noise is -1)."""
    with mock.patch.dict(os.environ, DISCO_DATA=str(shared / "data")):
        data = datasets.load(name, standardize=False)
    points = standardize_whole(data.X) if data.info.name in IMAGE_SETS else standardize(data.X)
    points.setflags(write=False)
    return points, data.labels


def standardize(points: Points) -> Points:
    """Give each feature mean 0 and deviation 1; a constant feature becomes 0."""
    deviation = points.std(axis=0)
    return np.asarray((points - points.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def standardize_whole(points: Points) -> Points:
    """Give the whole set mean 0 and deviation 1, as is usual for images."""
    return np.asarray((points - points.mean()) / points.std())


@cache
def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


def golden_labels(shared: Path, name: str, labeling: str) -> Labels:
    """Return one stored labeling of a data set."""
    return _arrays(shared / "golden" / "labels.npz")[f"{name}__{labeling}"]


def golden_samples(shared: Path, name: str, labeling: str) -> Points:
    """Return the published program's pointwise DISCO."""
    return _arrays(shared / "golden" / "disco_samples.npz")[f"{name}__{labeling}"]


def golden_noise(shared: Path, name: str, labeling: str) -> tuple[Points, Points]:
    """Return the published program's rho_sparse and rho_far, one value per noise point."""
    arrays = _arrays(shared / "golden" / "disco_noise.npz")
    nothing = np.empty(0)
    key = f"{name}__{labeling}"
    return arrays.get(f"{key}__p_sparse", nothing), arrays.get(f"{key}__p_far", nothing)


@cache
def _golden_rows(shared: Path) -> list[dict[str, Any]]:
    return list(map(json.loads, (shared / "golden" / "values.jsonl").read_text().splitlines()))


@cache
def golden_values(shared: Path, index: str) -> dict[tuple[str, str], float | None]:
    """Return an index by the published program of (data set, labeling) pairs; None: it failed."""
    rows = [row for row in _golden_rows(shared) if row["index"] == index]
    return {(row["dataset"], row["labeling"]): row["value"] for row in rows}


def golden_cases(shared: Path, index: str, name: str) -> list[tuple[str, Labels, float | None]]:
    """Return the name, the labels and the value of each labeling of a data set with a row."""
    pairs = golden_values(shared, index).items()
    return [
        (labeling, golden_labels(shared, name, labeling), value)
        for (dataset, labeling), value in pairs
        if dataset == name
    ]


def paper_scores(shared: Path) -> dict[str, str]:
    """Return the printed DISCO of the true labels of each data set, as text with its digits."""
    with (shared / "expected" / "paper_tab_dataset-prop.csv").open(newline="") as file:
        return {row["dataset"]: row["disco_ground_truth"] for row in csv.DictReader(file)}


@cache
def table_2(shared: Path) -> dict[str, tuple[Points, Labels]]:
    """Return points and labels of each column of the paper's Table 2, in its order."""
    from sklearn.cluster import KMeans

    found: dict[str, tuple[Points, Labels]] = {}
    for name, n_clusters in (("3-spiral", 3), ("complex9", 9)):
        points, truth = load(shared, name)
        k_means = KMeans(n_clusters=n_clusters, random_state=0, n_init="auto")
        found[f"{name}, truth"] = points, truth - truth.min()
        found[f"{name}, k-means"] = points, k_means.fit_predict(points)
    return _read_only(found)


@cache
def table_3(shared: Path) -> dict[str, tuple[Points, Labels]]:
    """Return points and labels of each column of the paper's Table 3, in its order."""
    points, truth = load(shared, "cluto-t8-8k")
    # A stripe of noise cuts clusters in two.
    first, cut = points[:, 0], truth.copy()
    cut[(first > -0.8) & (first < -0.05)] = -1
    cut[(first < -0.8) & (cut >= 0)] += 8
    names, codes = np.unique(cut, return_inverse=True)
    assert (names[0], len(names), (codes == 0).sum()) == (-1, 12, 2185)
    rings = two_rings(build=1)
    return _read_only(
        {
            "cluto-t8-8k, truth": (points, truth),
            "cluto-t8-8k, cut": (points, codes - 1),
            "rings, good noise": (rings.points, rings.good_labels),
            "rings, bad noise": (rings.points, rings.bad_labels),
        }
    )


def _read_only(table: dict[str, tuple[Points, Labels]]) -> dict[str, tuple[Points, Labels]]:
    """Return a table that tests can share, as none can write to it."""
    for points, labels in table.values():
        points.setflags(write=False)
        labels.setflags(write=False)
    return table
