"""The data sets of the paper: `load` one, list what is `available`, or `fetch` some beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_flag
from disco_cvi._output.tables import Columns, InfoTable
from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets import catalogue
from disco_paper.datasets.catalogue import DatasetInfo
from disco_paper.datasets.downloads.fetch import download
from disco_paper.datasets.downloads.files import VARIABLE, locate, read_values
from disco_paper.datasets.generators.densired import DRAWN, densired_set
from disco_paper.datasets.labeled_points import LabeledPoints

# Lines of the file of Seeds that have two tabs in a row, counted from 1: the paper lost them.
_SEEDS_LOST = np.array([8, 36, 61, 69, 107, 136, 170, 171, 173, 202, 204]) - 1


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(LabeledPoints):
    """Points with their true labels, and where they come from.

    Attributes
    ----------
    points : ndarray of shape (n_points, n_features)
        The points, float64; they cannot be written to.
    labels : ndarray of shape (n_points,)
        The true labels, int64; noise is -1. They cannot be written to.
    name : str
        The name as `available` lists it.
    source : str
        Who made it, and where it is published.
    licence : str
        What is known of its licence.
    description : str
        What a point is, and what a cluster.
    """

    name: str
    source: str
    licence: str
    description: str

    @property
    def X(self) -> NDArray[np.float64]:  # noqa: N802 - as all functions call points
        """The points, under the name that functions give them."""
        return self.points


def load(name: str, *, standardize: bool = True, paper_rows: bool = False) -> Dataset:
    """Return a data set of the paper.

    It is looked for in the folder that the environment variable DISCO_DATA names, then among
    earlier downloads, and else downloaded from where it is published. Its values are compared with
    a checksum each time. Without a network, the Synth sets are drawn again by their generator, if
    that is installed; they then equal the published ones up to rounding.

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

    Returns
    -------
    Dataset

    Examples
    --------
    >>> from disco_paper.datasets import load
    >>> iris = load("iris")  # doctest: +SKIP
    >>> iris.X.shape, iris.n_clusters  # doctest: +SKIP
    ((150, 4), 3)
    """
    from disco_cvi._input import points as scales  # here: numba takes a second to start

    check_flag(standardize, "standardize", "load")
    check_flag(paper_rows, "paper_rows", "load")
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
    return Dataset(points, labels, info.name, info.source, info.licence, info.description)


def _values(info: DatasetInfo) -> LabeledPoints:
    found = locate(info)
    if found is None:
        return _downloaded_or_drawn(info)
    if found.place == "folder":
        advice = f"Put the published file there, or let {VARIABLE} name another folder."
    else:
        advice = f"To download it again, call disco_paper.datasets.fetch({info.name!r})."
    return read_values(info, found.paths, " and ".join(map(str, found.paths)), advice)


def _downloaded_or_drawn(info: DatasetInfo) -> LabeledPoints:
    """Without a network, what came from a generator is drawn again, if that is installed."""
    try:
        return download(info)
    except ConnectionError:
        if info.name not in DRAWN or find_spec("densired") is None:
            raise
        return densired_set(cast("Any", info.name))


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
    if progress is not None:
        check_flag(progress, "progress", "fetch")
    return {info.name: _fetched(info, progress=progress) for info in chosen}


def _fetched(info: DatasetInfo, *, progress: bool | None) -> tuple[Path, ...]:
    found = locate(info)
    if found is None or (found.place == "cache" and not _is_sound(info)):
        download(info, shown=progress)
        found = locate(info)
        assert found is not None
    else:
        _values(info)
    return found.paths


def _is_sound(info: DatasetInfo) -> bool:
    try:
        _values(info)
    except InvalidInputError:
        return False
    return True


def where(info: DatasetInfo) -> str:
    """Return where a data set is found: "DISCO_DATA", "cache", or "to download"."""
    found = locate(info)
    if found is None:
        return "to download"
    return VARIABLE if found.place == "folder" else "cache"


class DatasetTable(InfoTable[DatasetInfo]):
    """The data sets in a row; `print` shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available()"
    other_names: ClassVar[Mapping[str, str]] = catalogue.OTHER_NAMES
    n_guesses: ClassVar[int] = 2
    shown: ClassVar[Columns] = {
        "name": "name",
        "points": "n_points",
        "features": "n_features",
        "clusters": "n_clusters",
        "noise": "n_noise",
        "found in": where,
    }
    right: ClassVar[frozenset[str]] = frozenset(("points", "features", "clusters", "noise"))
    framed: ClassVar[Columns] = {
        **{name: name for name in ("name", "n_points", "n_features", "n_clusters", "n_noise")},
        "found_in": where,
        **{name: name for name in ("description", "source", "licence", "address")},
    }


def available() -> DatasetTable:
    """Return all data sets that `load` knows.

    Returns
    -------
    tuple of DatasetInfo
        In the order of the paper; printing it shows a table.

    Examples
    --------
    >>> from disco_paper.datasets import available
    >>> [info.name for info in available() if info.n_noise > 600]
    ['cluto-t4-8k', 'cluto-t5-8k', 'cluto-t7-10k']
    """
    return DatasetTable(catalogue.CATALOGUE)
