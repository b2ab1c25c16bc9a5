"""Every data set of the paper: what it holds, where it comes from, and how to know it again."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

# How the file of a data set is written.
Form = Literal["arff", "commas", "blanks", "semicolons", "named", "array", "images"]


@dataclass(frozen=True, eq=False)
class LabeledPoints:
    """Points with their true labels; `points, labels = ...` takes them apart.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        The cluster of each point; -1 is noise.
    """

    points: NDArray[np.float64]
    labels: NDArray[np.int64]

    def __iter__(self) -> Iterator[NDArray[Any]]:
        """Yield points, then labels."""
        yield self.points
        yield self.labels


@dataclass(frozen=True)
class DatasetInfo:
    """One data set that `load` knows.

    Attributes
    ----------
    name : str
        The name for `load`.
    n_points, n_features, n_clusters, n_noise : int
        Its size; noise is not counted as a cluster.
    form : str
        How its files are read.
    files : tuple of str
        The files in the folder that DISCO_DATA names, and in the cache folder.
    digest : str
        SHA-256 of the values, see `value_digest`.
    address : str
        Where it is downloaded from. None of the addresses could be tried when they were written
        down.
    other_names : tuple of str
        Names that are understood too: small letters, without blanks, hyphens and underscores.
    licence : str
        What is known of its licence.
    source : str
        Who made it, and where it is published.
    description : str
        What a point is, and what a cluster.
    """

    name: str
    n_points: int
    n_features: int
    n_clusters: int
    n_noise: int
    form: Form
    files: tuple[str, ...]
    digest: str
    address: str
    other_names: tuple[str, ...] = ()
    licence: str = ""
    source: str = ""
    description: str = ""

    @property
    def holds_images(self) -> bool:
        """Whether features are gray values of an image, which are standardized all together."""
        return self.name in ("COIL20", "cmu_faces", "Optdigits")


def _read() -> Iterator[DatasetInfo]:
    text = files("disco_paper.datasets").joinpath("catalogue.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        values: dict[str, Any] = {
            name: int(value) if name.startswith("n_") else value for name, value in row.items()
        }
        for name in ("files", "other_names"):
            values[name] = tuple(filter(None, row[name].split(";")))
        yield DatasetInfo(**values)


CATALOGUE = tuple(_read())
