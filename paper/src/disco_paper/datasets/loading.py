"""The data sets of the paper: `load` one, list what is `available`, or `fetch` some beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets import catalogue
from disco_paper.datasets.catalogue import DatasetInfo, LabeledPoints
from disco_paper.datasets.downloads.fetch import download
from disco_paper.datasets.downloads.files import VARIABLE, locate, read_values
from disco_paper.datasets.generators import DRAWN, densired_set
from disco_paper.tables import Table

# Lines of the file of Seeds that have two tabs in a row, counted from 1: the paper lost them.
_SEEDS_LOST = np.array([8, 36, 61, 69, 107, 136, 170, 171, 173, 202, 204]) - 1


@dataclass(frozen=True, eq=False)
class Dataset(LabeledPoints):
    """Points with their true labels, which cannot be written to, and what is known of them.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        The true labels; noise is -1.
    info : DatasetInfo
        Name, description, source and licence.
    """

    info: DatasetInfo

    @property
    def X(self) -> NDArray[np.float64]:  # noqa: N802 - as all functions call points
        """The points, under the name that functions give them."""
        return self.points

    def __repr__(self) -> str:
        n_points, n_features = self.points.shape
        return f"Dataset({self.info.name}: {n_points} points with {n_features} features)"


def where(info: DatasetInfo) -> str:
    """Return where a data set is found: "DISCO_DATA", "cache", or "to download"."""
    found = locate(info)
    if found is None:
        return "to download"
    return VARIABLE if found.place == "folder" else "cache"


class DatasetTable(Table[DatasetInfo]):
    """The data sets in a row; `print` shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available()"
    columns: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "name": lambda info: info.name,
        "points": lambda info: info.n_points,
        "features": lambda info: info.n_features,
        "clusters": lambda info: info.n_clusters,
        "noise": lambda info: info.n_noise,
        "found in": where,
    }

    def spellings(self) -> dict[str, DatasetInfo]:
        """Also by their other names."""
        others = {name: info for info in self for name in info.other_names}
        return others | super().spellings()


def available() -> DatasetTable:
    """Return all data sets that `load` knows, in the order of the paper; it prints as a table.

    Examples
    --------
    >>> from disco_paper.datasets import available
    >>> [info.name for info in available() if info.n_noise > 600]
    ['cluto-t4-8k', 'cluto-t5-8k', 'cluto-t7-10k']
    """
    return DatasetTable(catalogue.CATALOGUE)


def load(name: str, *, standardize: bool = True, paper_rows: bool = False) -> Dataset:
    """Return a data set of the paper.

    It is looked for in the folder that the environment variable DISCO_DATA names, then among
    earlier downloads, and else downloaded from where it is published. Its values are compared with
    a checksum each time. Without a network, the Synth sets are drawn again by their generator; they
    then equal the published ones up to rounding.

    Parameters
    ----------
    name : str
        A name that `available` lists. Case, blanks, hyphens and underscores do not matter.
    standardize : bool, default=True
        Bring each feature to mean 0 and standard deviation 1, as the paper does; images are
        brought there as a whole. A constant feature becomes 0. False: the values as published.
    paper_rows : bool, default=False
        Keep only the rows that the paper had: of Seeds 199 of the 210, as 11 got lost when its
        file was read; of the others all.

    Examples
    --------
    >>> from disco_paper.datasets import load
    >>> iris = load("iris")  # doctest: +SKIP
    >>> iris.X.shape  # doctest: +SKIP
    (150, 4)
    """
    from disco_cvi import _for_paper as scales  # here: numba takes a second to start

    info = available().find(name, "name", "load")
    points, labels = _values(info)
    if paper_rows and info.name == "Seeds":
        points = np.delete(points, _SEEDS_LOST, axis=0)
        labels = np.delete(labels, _SEEDS_LOST)
    if standardize and info.holds_images:
        # All pixels on one scale: one that hardly changes should stay so.
        points = scales.standardize(points.reshape(-1, 1)).reshape(points.shape)
    elif standardize:
        points = scales.standardize(points)
    points.setflags(write=False)
    labels.setflags(write=False)
    return Dataset(points, labels, info)


def _values(info: DatasetInfo) -> LabeledPoints:
    found = locate(info)
    if found is None:
        try:
            return download(info)
        except ConnectionError:
            if info.name not in DRAWN:
                raise
            return densired_set(cast("Any", info.name))
    if found.place == "folder":
        advice = f"Put the published file there, or let {VARIABLE} name another folder."
    else:
        advice = f"To download it again, call disco_paper.datasets.fetch({info.name!r})."
    return read_values(info, found.paths, " and ".join(map(str, found.paths)), advice)


def fetch(
    names: str | Iterable[str] = "all", *, progress: bool | None = None
) -> dict[str, tuple[Path, ...]]:
    """Download data sets, so that they can be loaded later without a network.

    What is there already is checked and not downloaded again. A downloaded file whose values are
    not right is replaced.

    Parameters
    ----------
    names : str or iterable of str, default="all"
        Names that `available` lists, or one name, or "all".
    progress : bool, optional
        Whether to show a progress bar on long downloads; None: if the error stream is a terminal.

    Returns
    -------
    dict of str to tuple of Path
        The files of each data set.

    Examples
    --------
    >>> from disco_paper.datasets import fetch
    >>> files = fetch(["Iris", "Yeast"])  # doctest: +SKIP
    """
    chosen = available().choose(names, "names", "fetch")
    return {info.name: _fetched(info, progress=progress) for info in chosen}


def _fetched(info: DatasetInfo, *, progress: bool | None) -> tuple[Path, ...]:
    found = locate(info)
    if found is not None:
        try:
            _values(info)
        except InvalidInputError:
            if found.place == "folder":
                raise
            found = None
    if found is None:
        download(info, shown=progress)
        found = locate(info)
        assert found is not None
    return found.paths
