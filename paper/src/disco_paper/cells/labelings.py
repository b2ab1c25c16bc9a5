"""The labelings that experiments score: the truth, and what common clusterings make of points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidInputError
from disco_paper.cells.cell import Spec
from disco_paper.cells.hdbscan import hdbscan_labels
from disco_paper.cells.source import Source

LabelArray = NDArray[np.int64]

# A group of so many points is more than a few stray ones; DBSCAN's usual min_samples.
_GROUP_SIZE = 5
# So much below the height at which two groups meet, they are still apart.
_BELOW = 3e-12


def make_labels(
    labeling: Spec, source: Source, own: Mapping[str, Callable[..., Any]] | None = None
) -> LabelArray:
    """Label the points of a source.

    Parameters
    ----------
    labeling : Spec
        "ground truth"; "dbscan for k" (k, core_rank); "dbscan" (eps, min_samples); "hdbscan";
        "ward" (k); "k-means" (k, seed, n_init); "random" (k, seed).
    source : Source
        The points and their truth.
    own : mapping of str to callable, optional
        An experiment's own labelings by name, looked at first: called with the source, and with the
        options as keywords.

    Returns
    -------
    ndarray of shape (n,)
        Cluster of each point; -1 is noise.
    """
    makers = {**_MAKERS, **(own or {})}
    if labeling.name not in makers:
        message = f"There is no labeling {labeling.name!r}; there are {', '.join(sorted(makers))}."
        raise InvalidInputError(message)
    labels = makers[labeling.name](source, **dict(labeling.options))
    return np.ascontiguousarray(labels, np.int64)


def eps_for_k(
    points: FloatArray | DensityTree, ks: Iterable[int], core_rank: int = 5
) -> FloatArray:
    """Find the eps at which DBSCAN should see k clusters, for each k.

    From the top of the density tree downwards, groups of five points or more part from each other.
    Just below the height at which this happens for the (k - 1)-th time there are k of them. Where
    groups meet at one height, all of them meet there at once, so that the order of the rows does
    not matter.

    Parameters
    ----------
    points : ndarray of shape (n, d), or their DensityTree
        A tree has a core rank of its own, its `min_points`.
    ks : iterable of int
        Numbers of clusters, 2 or more. Where groups part less often, the lowest height counts.
    core_rank : int, default=5
        Which nearest point a core distance reaches to, the point itself counted.

    Returns
    -------
    ndarray of shape (len(ks),)

    Examples
    --------
    >>> line = np.array([0.0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 30, 31, 32, 33, 34]).reshape(-1, 1)
    >>> np.round(eps_for_k(line, [2, 3], core_rank=2), 9)
    array([16.,  6.])
    """
    wanted = list(ks)
    if any(k < 2 for k in wanted):
        message = f"ks of eps_for_k must be 2 or more; got {wanted}."
        raise InvalidInputError(message)
    if not isinstance(points, DensityTree):
        points = DensityTree(points, min_points=core_rank)
    heights = _parting_heights(points.linkage())
    if len(heights) == 0:
        message = "No eps separates these points: there are no two groups of five points or more."
        raise InvalidInputError(message)
    return np.array([heights[min(k - 2, len(heights) - 1)] - _BELOW for k in wanted])


def _parting_heights(linkage: FloatArray) -> FloatArray:
    """The heights at which groups of points part, falling; n groups at one height give n - 1."""
    n_points = len(linkage) + 1
    heights, sizes = linkage[:, 2].tolist(), linkage[:, 3].tolist()
    children = linkage[:, :2].astype(np.int64).tolist()
    groups = [0] * len(linkage)
    times: dict[float, int] = {}
    for node, (pair, height) in enumerate(zip(children, heights, strict=True)):
        parted = 0
        for child in pair:
            below = child - n_points
            if below < 0:
                continue
            if heights[below] == height:
                groups[node] += groups[below]
                parted += max(groups[below] - 1, 0)
            else:
                groups[node] += sizes[below] >= _GROUP_SIZE
        # What parted at this height below this node is already counted.
        times[height] = times.get(height, 0) + max(groups[node] - 1, 0) - parted
    falling = sorted(times, reverse=True)
    return np.repeat(np.array(falling, np.float64), [times[height] for height in falling])


def _ground_truth(source: Source) -> LabelArray:
    return source.truth


def _dbscan_for_k(source: Source, k: int, core_rank: int = 5) -> LabelArray:
    tree = source.density_tree(core_rank)
    return _dbscan(source, eps=float(eps_for_k(tree, [k])[0]), min_samples=_GROUP_SIZE)


def _dbscan(source: Source, eps: float, min_samples: int) -> LabelArray:
    from sklearn.cluster import DBSCAN

    found = DBSCAN(eps=eps, min_samples=min_samples).fit_predict(source.points)
    return np.asarray(found, np.int64)


def _hdbscan(source: Source, sort: str = "fastest") -> LabelArray:
    return hdbscan_labels(source.points, plain_sort=sort == "plain")


def _ward(source: Source, k: int) -> LabelArray:
    from sklearn.cluster import AgglomerativeClustering

    found = AgglomerativeClustering(n_clusters=k, linkage="ward").fit_predict(source.points)
    return np.asarray(found, np.int64)


def _k_means(source: Source, k: int, seed: int, n_init: int | str = "auto") -> LabelArray:
    from sklearn.cluster import KMeans

    found = KMeans(n_clusters=k, random_state=seed, n_init=n_init).fit_predict(source.points)
    return np.asarray(found, np.int64)


def _random(source: Source, k: int, seed: int) -> LabelArray:
    return np.random.default_rng(seed).integers(k, size=len(source.points))


_MAKERS: dict[str, Callable[..., LabelArray]] = {
    "ground truth": _ground_truth,
    "dbscan for k": _dbscan_for_k,
    "dbscan": _dbscan,
    "hdbscan": _hdbscan,
    "ward": _ward,
    "k-means": _k_means,
    "random": _random,
}
