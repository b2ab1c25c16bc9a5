"""What cells are computed from: points, made or loaded, and labelings of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from disco_cvi import DensityTree
from disco_cvi._for_paper import Clustering, Points, label_points, open_points
from disco_cvi.datasets import three_rings
from disco_cvi.exceptions import InvalidInputError
from disco_paper import datasets
from disco_paper.cells import Scope, Spec
from disco_paper.datasets import LabeledPoints

FloatArray = NDArray[np.float64]
LabelArray = NDArray[np.int64]
Result = TypeVar("Result")

# The paper drew the seeds of its made data, and those of its shuffles of the rows of other data,
# from NumPy's legacy generator with seed 0. These are the first ten below one million.
GENERATOR_SEEDS = (157105, 374554, 688694, 265381, 955415, 4280, 514674, 800352, 94727, 753889)
# A group of so many points is more than a few stray ones; DBSCAN's usual min_samples.
_GROUP_SIZE = 5
# So much below the height at which two groups meet, they are still apart.
_BELOW = 3e-12


@dataclass(frozen=True, eq=False)
class Source:
    """The points of one data set in one order of rows, and their true labels."""

    data: Spec
    points: FloatArray
    truth: LabelArray
    _kept: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def once(self, make: Callable[..., Result], *arguments: Any) -> Result:
        """What `make` makes of this, computed once and kept."""
        key = (make, arguments)
        if key not in self._kept:
            self._kept[key] = make(self, *arguments)
        found: Result = self._kept[key]
        return found

    @cached_property
    def checked(self) -> Points:
        """The points as indices need them, with all that was computed of them."""
        return open_points(self.points, "reproduce", n_jobs=None, is_shared=True)

    def density_tree(self, min_points: int) -> DensityTree:
        """The density tree that labelings and indices share."""
        return self.once(_density_tree, min_points)


def _density_tree(source: Source, min_points: int) -> DensityTree:
    return DensityTree(source.points, min_points=min_points)


@dataclass(frozen=True, eq=False)
class Case:
    """One labeling of the points of a source."""

    source: Source
    labels: LabelArray

    @cached_property
    def clustering(self) -> Clustering:
        """Points and labels as indices need them."""
        return label_points(self.source.checked, self.labels, -1)


# --- points -------------------------------------------------------------------------------------


def make_points(
    data: Spec, own: Mapping[str, Callable[..., LabeledPoints]] | None = None
) -> LabeledPoints:
    """Make or load the points of a cell and their true labels.

    Parameters
    ----------
    data : Spec
        A data set by its name, z-standardized, with the options

        - ``raw=True``: not standardized;
        - ``noise="dropped"``: without noise points, which still count for the standardization;
        - ``noise_distribution="gaussian"`` (``"uniform"``, ``"poisson"``): other noise instead;
        - ``shuffle=r``: rows in the order of run r, counted from 0;
        - ``paper_rows=True``: the rows that the paper had, where it lost some;

        or one of "three rings", "two rings", "two moons", "separated discs", "noise group",
        "noise point" and "densired" with the options of its generator.
    own : mapping of str to callable, optional
        Makers that an experiment adds, called with the options; they come first.

    Returns
    -------
    LabeledPoints

    Examples
    --------
    >>> from disco_paper.cells import spec
    >>> make_points(spec("noise point", seed=0, offset=1.5)).points[-1]
    array([1.5, 1.5])
    """
    makers = {**_GENERATORS, **(own or {})}
    options: dict[str, Any] = dict(data.options)
    if data.name in makers:
        made = makers[data.name](**options)
        return LabeledPoints(made.points, made.labels)
    return _load(data.name, **options)


def shuffle_seeds(runs: int) -> tuple[int, ...]:
    """The seeds of so many shuffles; those of more runs begin with those of fewer.

    >>> shuffle_seeds(3)
    (9394, 898, 2398)
    """
    return _all_shuffle_seeds()[:runs]


def seeds_of(scope: Scope) -> tuple[int, ...]:
    """The seeds of made data: the paper's ten, one in a quick run, or further ones."""
    runs = scope.repetitions(len(GENERATOR_SEEDS), 1)
    if runs <= len(GENERATOR_SEEDS):
        return GENERATOR_SEEDS[:runs]
    return tuple(map(int, np.random.RandomState(0).choice(1_000_000, runs, replace=False)))


def describe_cut(scope: Scope) -> str:
    """How a run is cut that has fewer seeds than the paper; empty if it has not."""
    n_seeds, full = len(seeds_of(scope)), len(GENERATOR_SEEDS)
    return f"{n_seeds} of {full} seeds: not judged." if n_seeds < full else ""


def permutation(run: int, n_points: int) -> NDArray[np.intp]:
    """The order of the rows in a run, counted from 0."""
    order = np.random.RandomState(_all_shuffle_seeds()[run]).permutation(n_points)
    return order.astype(np.intp, copy=False)


@cache
def _all_shuffle_seeds() -> tuple[int, ...]:
    return tuple(map(int, np.random.RandomState(0).choice(10_000, 10_000, replace=False)))


def _load(
    name: str,
    *,
    raw: bool = False,
    noise: Literal["kept", "dropped"] = "kept",
    noise_distribution: str = "",
    shuffle: int | None = None,
    paper_rows: bool = False,
) -> LabeledPoints:
    """A data set and what an experiment does to it, in the order of the arguments."""
    dataset = datasets.load(name, standardize=not raw, paper_rows=paper_rows)
    found = LabeledPoints(dataset.X, dataset.labels)
    if noise == "dropped":
        found = _choose_rows(found, np.flatnonzero(found.labels != -1))
    if noise_distribution:
        found = LabeledPoints(*datasets.replace_noise(*found, distribution=noise_distribution))
    if shuffle is not None:
        found = _choose_rows(found, permutation(shuffle, len(found.points)))
    return found


def _choose_rows(found: LabeledPoints, rows: NDArray[np.intp]) -> LabeledPoints:
    return LabeledPoints(np.ascontiguousarray(found.points[rows]), found.labels[rows])


_GENERATORS: dict[str, Callable[..., Any]] = {
    "three rings": three_rings,
    "two rings": datasets.two_rings,
    "two moons": datasets.two_moons,
    "separated discs": datasets.separated_discs,
    "noise group": datasets.noise_group,
    "noise point": datasets.noise_point,
    "densired": datasets.densired_noise,
}


# --- labelings ----------------------------------------------------------------------------------


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


def eps_for_k(tree: DensityTree, k: int) -> float:
    """Find the eps at which DBSCAN should see k clusters.

    From the top of the density tree downwards, groups of five points or more part from each other.
    Just below the height at which this happens for the (k - 1)-th time there are k of them. Where
    groups meet at one height, all of them meet there at once, so that the order of the rows does
    not matter. Where groups part less often, the lowest height counts.

    Examples
    --------
    >>> line = np.array([0.0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 30, 31, 32, 33, 34]).reshape(-1, 1)
    >>> tree = DensityTree(line, min_points=2)
    >>> [round(eps_for_k(tree, k), 9) for k in (2, 3)]
    [16.0, 6.0]
    """
    heights = _parting_heights(tree.linkage())
    if len(heights) == 0:
        message = "No eps separates these points: there are no two groups of five points or more."
        raise InvalidInputError(message)
    return float(heights[min(k - 2, len(heights) - 1)]) - _BELOW


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
    eps = eps_for_k(source.density_tree(core_rank), k)
    return _dbscan(source, eps=eps, min_samples=_GROUP_SIZE)


def _dbscan(source: Source, eps: float, min_samples: int) -> LabelArray:
    from sklearn.cluster import DBSCAN

    found = DBSCAN(eps=eps, min_samples=min_samples).fit_predict(source.points)
    return np.asarray(found, np.int64)


def _hdbscan(source: Source, sort: str = "fastest") -> LabelArray:
    """HDBSCAN of scikit-learn with its default parameters; if wanted, the same on every machine.

    The program sorts the edges of its tree by a sort that does not keep the order of equal ones,
    and which of them comes first decides which points become noise. NumPy has several such sorts
    and takes the fastest that the processor knows, so that on data with many equal distances labels
    differ from machine to machine. ``sort="plain"`` takes the one that any processor knows.
    """
    from sklearn.cluster import HDBSCAN

    with _plain_sort() if sort == "plain" else nullcontext():
        # Its default for `copy` changes between versions, and says so loudly.
        labels = HDBSCAN(copy=True).fit_predict(source.points)
    return np.asarray(labels, np.int64)


class _PlainNumpy:
    """NumPy, but for the sort."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def argsort(self, values: NDArray[Any], **options: Any) -> NDArray[np.intp]:
        """Sort by comparisons of long doubles, for which there are no vector instructions."""
        return np.argsort(values.astype(np.longdouble), **options)


@contextmanager
def _plain_sort() -> Iterator[None]:
    """Give the module of scikit-learn that sorts, and no other, the plain sort.

    The module is private: should another version have none, its own sort it is.
    """
    try:
        program: Any = import_module("sklearn.cluster._hdbscan.hdbscan")
        numpy = program.np
    except (ModuleNotFoundError, AttributeError):
        yield
        return
    program.np = _PlainNumpy()
    try:
        yield
    finally:
        program.np = numpy


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
