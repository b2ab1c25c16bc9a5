"""Reports to look at: of plain names, and of names that try to break the page.

Tests say: from helpers.shown_reports import TOY, write_toy, write_hostile
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi.report import write_report
from helpers.toy_report import HOSTILE

INDICES = ["disco", "dbcv", "silhouette", "davies_bouldin"]


class Toy(NamedTuple):
    """Points with labels, noise among them, and a name for each row."""

    points: NDArray[np.float64]
    labels: NDArray[Any]
    row_names: list[str]


def named_blobs(names: tuple[str, ...], dimension: int = 2) -> Toy:
    """Blobs of 40 points in a circle, the last cut in two, and points everywhere as noise."""
    generator = np.random.default_rng(7)
    angles = 2 * np.pi * np.arange(len(names)) / len(names)
    centers = 10 * np.column_stack([np.cos(angles), np.sin(angles)])
    centers[-1] = centers[-2] + 0.8
    blobs = np.repeat(centers, 40, axis=0) + generator.normal(size=(40 * len(names), 2))
    points = np.vstack([blobs, generator.uniform(-14, 14, (30, 2))])
    more = generator.normal(size=(len(points), dimension - 2))
    labels = np.array([*np.repeat(names, 40), *["noise"] * 30], dtype=object)
    return Toy(np.hstack([points, more]), labels, [f"row-{i:03d}" for i in range(len(points))])


TOY = named_blobs(("north", "south", "east", "west"))


def write_toy(path: Path) -> None:
    """The report of three labelings with row names and truth."""
    halves = np.where(TOY.points[:, 0] < 0, "left", "right")
    write_report(
        TOY.points,
        {"by hand": TOY.labels, "halves": halves, "one": np.repeat("all", len(halves))},
        path,
        title="Four blobs",
        about="by hand",
        row_names=TOY.row_names,
        truth=TOY.labels,
        indices=INDICES,
        noise_label="noise",
    )


def write_hostile(path: Path) -> None:
    """The same with hostile names of clusters, rows, labelings and the page; three features."""
    toy = named_blobs(HOSTILE, dimension=3)
    names = [f"{HOSTILE[i % len(HOSTILE)]}{i}" for i in range(len(toy.points))]
    write_report(
        toy.points,
        dict.fromkeys(HOSTILE, toy.labels),
        path,
        title=HOSTILE[0],
        row_names=names,
        indices=INDICES,
        noise_label="noise",
    )
