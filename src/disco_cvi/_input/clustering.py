"""Points with labels, as indices need them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.cache import Cache
from disco_cvi._input.labels import Labels, check_labels, group_noise, warn_of_noise
from disco_cvi._input.points import Points, open_points, refuse_other_rows
from disco_cvi._output.words import count
from disco_cvi.exceptions import UndefinedScoreError


@dataclass(frozen=True, eq=False)
class Clustering(Cache):
    """Points with one labeling; what depends on the points alone is kept by the points.

    Attributes
    ----------
    points : Points
        The points, shared by all their labelings.
    labels : Labels
        Codes, names and sizes of the clusters.
    """

    points: Points
    labels: Labels

    @property
    def array(self) -> FloatArray:
        """The points as an array."""
        return self.points.array

    @property
    def n_points(self) -> int:
        """Number of points, noise included."""
        return self.points.n_points

    @property
    def n_jobs(self) -> int:
        """Number of threads."""
        return self.points.n_jobs

    @property
    def caller(self) -> str:
        """Name of the public function, for messages."""
        return self.points.caller

    def relabeled(self, labels: Labels) -> Clustering:
        """Another labeling of the same points."""
        return Clustering(self.points, labels)

    @cached_property
    def members(self) -> tuple[NDArray[np.intp], ...]:
        """The rows of each cluster, ascending."""
        if self.labels.n_clusters == 0:
            return ()
        order = np.argsort(self.labels.codes, kind="stable")[self.labels.n_noise :]
        return tuple(np.split(order, np.cumsum(self.labels.sizes)[:-1]))

    @cached_property
    def without_noise(self) -> Clustering:
        """The cluster points alone; itself if there is no noise."""
        if self.labels.n_noise == 0:
            return self
        inside = self.labels.codes >= 0
        labels = Labels(self.labels.codes[inside], self.labels.names, self.labels.sizes)
        return Clustering(self.points.part(inside), labels)

    def need_clusters(self, index: str, least: int = 2) -> None:
        """Raise `UndefinedScoreError` if there are too few clusters for the index."""
        labels = self.labels
        if labels.n_clusters < least:
            message = (
                f"{index} needs {count(least, 'cluster')} or more; these labels hold "
                f"{count(labels.n_clusters, 'cluster')} and {count(labels.n_noise, 'noise point')}."
            )
            raise UndefinedScoreError(message)


def open_clustering(
    X: object, labels: object, caller: str, *, noise_label: object, **of_points: Any
) -> Clustering:
    """Check points, or their tree (see `open_points`), and labels of a public function."""
    clustering = label_points(open_points(X, caller, **of_points), labels, noise_label)
    warn_of_noise([(labels, clustering.labels)], noise_label)
    return clustering


def label_points(
    points: Points, labels: object, noise_label: object, *, argument: str = "labels"
) -> Clustering:
    """Check labels of points: one for each, and of the same rows if both name their rows."""
    refuse_other_rows(labels, points.index, argument, points.caller)
    checked = check_labels(labels, points.n_points, noise_label, points.caller, argument=argument)
    return Clustering(points, checked)


class Groups(NamedTuple):
    """Clusters and whatever noise is made of: the group of every point that counts, and sizes."""

    clustering: Clustering
    codes: NDArray[np.int32]
    sizes: NDArray[np.int64]


def make_groups(clustering: Clustering, index: str, noise: str) -> Groups:
    """Take noise for a cluster ("cluster"), for many ("singletons"), or leave it out ("filter").

    Raise `UndefinedScoreError` if there are fewer than two groups, or if every point is alone.
    """
    judged = clustering.without_noise if noise == "filter" else clustering
    codes, sizes = group_noise(judged.labels, alone=noise == "singletons")
    labels = clustering.labels
    held = (
        f"these labels hold {count(labels.n_clusters, 'cluster')} and "
        f"{count(labels.n_noise, 'noise point')}."
    )
    if len(sizes) < 2:
        message = f"{index} needs 2 clusters or more, as noise is treated here; {held}"
        raise UndefinedScoreError(message)
    if len(sizes) == len(codes):
        message = f"{index} needs a cluster of 2 points or more, besides others; {held}"
        raise UndefinedScoreError(message)
    return Groups(judged, codes, sizes)


class SideBySide(NamedTuple):
    """Points, group after group: group g holds the places ``starts[g]`` to ``starts[g + 1] - 1``.

    `rows` are the rows of the points, `codes` their groups.
    """

    points: FloatArray
    codes: NDArray[np.int32]
    starts: NDArray[np.int64]
    rows: NDArray[np.intp]


def put_side_by_side(
    array: FloatArray,
    codes: NDArray[np.int32],
    sizes: NDArray[np.int64],
    *,
    by_coordinates: bool = True,
) -> SideBySide:
    """Bring the points into the order of their groups, those without one (code -1) left out.

    Within a group they stand in an order of their own, by coordinates, so that sums that run over
    them do not depend on the order of the rows; or else in the order of the rows.
    """
    if by_coordinates:
        rows = canonical_order(array)
        rows = rows[np.argsort(codes[rows], kind="stable")]
    else:
        rows = np.argsort(codes, kind="stable")
    rows = rows[len(codes) - int(sizes.sum()) :]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return SideBySide(array[rows], codes[rows], starts, rows)


def canonical_order(points: FloatArray) -> NDArray[np.intp]:
    """An order that depends on the points alone, not on the order of their rows."""
    as_bytes = points.view(np.dtype((np.void, points.itemsize * points.shape[1])))
    return np.argsort(as_bytes.ravel(), kind="stable")
