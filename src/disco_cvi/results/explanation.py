"""explain: what pulled a DISCO score up or down, per point, per cluster and for the noise."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from disco_cvi._compute.exact_sums import exact_mean, exact_means
from disco_cvi._input.clustering import open_clustering
from disco_cvi._output.data_frames import frame_library
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.disco import disco_parts
from disco_cvi.results.explanation_words import explanation_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from disco_cvi._input.labels import Labels, Name
    from disco_cvi.density_tree.tree import DensityTree
    from disco_cvi.indices.disco import DiscoParts

__all__ = ["ClusterFacts", "Explanation", "NoiseFacts", "PointFacts", "explain"]


def explain(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: Name | None = -1,
    n_jobs: int | None = None,
) -> Explanation:
    """Explain the DISCO score of a labeling: per point, per cluster and for the noise.

    The score is the mean over all points, so every point's share in it can be shown. For a
    point of a cluster the result tells how near its own cluster is (compactness) and how near
    the nearest other one (separation); for a noise point, whether its place is sparse enough
    for noise (rho_sparse), and how far it is from being absorbed by a cluster (rho_far).
    ``print`` the result for a summary in plain words.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features), or DensityTree
        The points, or the tree built from them; a square matrix of distances for
        ``metric="precomputed"``.
    labels : array-like of shape (n_points,)
        One label per point; every value but ``noise_label`` names a cluster.
    min_points : int, optional
        Points that make a place dense, the point itself counted; 5 if not given.
    metric : str or callable, optional
        Distance between points; euclidean if not given.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default -1
        The label of noise points; None if there is no noise.
    n_jobs : int, optional
        Threads to use; -1 for all processors.

    Returns
    -------
    Explanation
        Score, facts on points, clusters and noise; data frames and a JSON-ready dict on request.

    Raises
    ------
    InvalidInputError, TypeError
        As disco_score, for the same inputs.

    Notes
    -----
    The cost is that of disco_score and one sort of the points. All numbers are the same bits
    for any order of the rows.

    Examples
    --------
    >>> from disco_cvi import explain
    >>> X = [[0], [1], [2], [10], [12], [14], [30], [31]]
    >>> explanation = explain(X, [0, 0, 0, 1, 1, 1, -1, -1], min_points=2)
    >>> explanation.clusters[1].mean_score
    0.75
    >>> float(explanation.points.rho_far[-1])
    0.875
    """
    clustering = open_clustering(
        X,
        labels,
        "explain",
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
    )
    parts, checked = disco_parts(clustering, min_points), clustering.labels
    return Explanation(
        score=exact_mean(parts.samples),
        min_points=clustering.points.choose_min_points(min_points),
        metric=clustering.points.metric.shown.strip("'"),
        points=_point_facts(parts, checked),
        clusters=_cluster_facts(parts, checked),
        noise=_noise_facts(parts, checked),
    )


@dataclass(frozen=True, eq=False, repr=False)
class PointFacts:
    """Facts on every point: read-only arrays, one entry per point in row order.

    NaN (numbers) and None (names) stand where a quantity does not exist: compactness and
    separation of noise and of points alone in their cluster, rho_sparse, rho_far and claimed_by
    of cluster points, all of them where the labels alone decide the score. Where several
    clusters tie, the first name is given, if nothing else is said.

    Attributes
    ----------
    score : ndarray of float
        The point's score, from -1 to 1.
    cluster : ndarray of object
        Name of the point's cluster, None for noise.
    is_noise : ndarray of bool
        Whether the point is labeled noise.
    compactness : ndarray of float
        a: mean dc-distance to the other points of its cluster.
    separation : ndarray of float
        b: mean dc-distance to the nearest other cluster; to the nearest noise point where
        there is one cluster only.
    nearest_cluster : ndarray of object
        The nearest other cluster, to which b is measured.
    rho_sparse, rho_far : ndarray of float
        The two parts of a noise point's score.
    claimed_by : ndarray of object
        For a noise point the cluster that comes closest to absorbing it: the one that attains
        rho_far. Ties: the nearest, then the one with the largest core distance.
    """

    score: NDArray[np.float64]
    cluster: NDArray[np.object_]
    is_noise: NDArray[np.bool_]
    compactness: NDArray[np.float64]
    separation: NDArray[np.float64]
    nearest_cluster: NDArray[np.object_]
    rho_sparse: NDArray[np.float64]
    rho_far: NDArray[np.float64]
    claimed_by: NDArray[np.object_]

    def __repr__(self) -> str:
        return f"PointFacts({len(self.score)} points: {', '.join(f.name for f in fields(self))})"


@dataclass(frozen=True)
class ClusterFacts:
    """Facts on one cluster; None where a quantity does not exist.

    ``core_distance`` is the largest core distance of its points. ``nearest_cluster`` is the
    cluster that is nearest to most of its points; a tie goes to the one that comes closest to
    any of them, then to the first name. ``n_claimed`` counts the noise points that it comes
    closest to absorbing and that are density-connected to it (rho_far at most 0).
    """

    name: Name
    size: int
    mean_score: float
    share_negative: float
    core_distance: float | None
    nearest_cluster: Name | None
    n_claimed: int


@dataclass(frozen=True)
class NoiseFacts:
    """Facts on all noise points together; None where a quantity does not exist.

    ``n_claimed`` counts the noise points that are density-connected to a cluster (rho_far at
    most 0); ``n_dense_apart`` those that are not, though their place is denser than the
    sparsest of a cluster (rho_sparse below 0, rho_far above 0).
    """

    size: int
    mean_score: float | None
    share_negative: float | None
    mean_rho_sparse: float | None
    mean_rho_far: float | None
    n_claimed: int
    n_dense_apart: int


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """What explain returns: the score and the facts behind it.

    Attributes
    ----------
    score : float
        The DISCO score, the same bits as disco_score.
    min_points : int
    metric : str
    points : PointFacts
    clusters : tuple of ClusterFacts
        In the order of the names.
    noise : NoiseFacts
    """

    score: float
    min_points: int
    metric: str
    points: PointFacts
    clusters: tuple[ClusterFacts, ...]
    noise: NoiseFacts

    def __repr__(self) -> str:
        return (
            f"Explanation(score={self.score:z.4f}, n_points={len(self.points.score)}, "
            f"n_clusters={len(self.clusters)}, n_noise={self.noise.size}, "
            f"min_points={self.min_points}, metric={self.metric!r})"
        )

    def __str__(self) -> str:
        return explanation_text(self.to_dict(points=False))

    def to_dict(self, *, points: bool = True) -> dict[str, Any]:
        """Return everything as plain Python values, ready for ``json.dumps``.

        Parameters
        ----------
        points : bool, default True
            Whether to include the facts on every point, as one list per column.

        Returns
        -------
        dict
            None where a quantity does not exist; no NaN, no NumPy types.
        """
        facts: dict[str, Any] = {
            "score": self.score,
            "n_points": len(self.points.score),
            "n_clusters": len(self.clusters),
            "n_noise": self.noise.size,
            "min_points": self.min_points,
            "metric": self.metric,
            "clusters": [dict(vars(cluster)) for cluster in self.clusters],
            "noise": asdict(self.noise),
        }
        if points:
            columns = _point_columns(self.points)
            facts["points"] = {name: _plain(column) for name, column in columns.items()}
        return facts

    def to_frame(
        self,
        what: Literal["points", "clusters"] = "points",
        *,
        backend: Literal["pandas", "polars"] = "pandas",
    ) -> Any:
        """Return the facts on points or clusters as a data frame.

        Parameters
        ----------
        what : {"points", "clusters"}, default "points"
            One row per point in row order, or one per cluster in the order of the names.
        backend : {"pandas", "polars"}, default "pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Missing where a quantity does not exist.
        """
        if what not in ("points", "clusters"):
            raise InvalidInputError(
                argument="what", caller="to_frame", rule="be 'points' or 'clusters'", got=repr(what)
            )
        if what == "points":
            columns = _point_columns(self.points)
        else:
            columns = _cluster_columns(self.clusters)
        return _frame(columns, [cluster.name for cluster in self.clusters], backend)


def _point_facts(parts: DiscoParts, labels: Labels) -> PointFacts:
    names = np.array([*labels.names, None], dtype=object)  # code -1, no cluster, picks the last
    facts = PointFacts(
        score=parts.samples.view(),
        cluster=names[labels.codes],
        is_noise=labels.codes < 0,
        compactness=parts.compactness.view(),
        separation=parts.separation.view(),
        nearest_cluster=names[parts.nearest_cluster],
        rho_sparse=parts.rho_sparse.view(),
        rho_far=parts.rho_far.view(),
        claimed_by=names[parts.claimed_by],
    )
    for column in _point_columns(facts).values():
        column.flags.writeable = False
    return facts


def _point_columns(points: PointFacts) -> dict[str, NDArray[Any]]:
    return {field.name: getattr(points, field.name) for field in fields(points)}


def _cluster_columns(clusters: tuple[ClusterFacts, ...]) -> dict[str, NDArray[Any]]:
    kinds = {"name": object, "nearest_cluster": object, "size": np.int64, "n_claimed": np.int64}
    columns: dict[str, NDArray[Any]] = {}
    for field in fields(ClusterFacts):
        values = [getattr(cluster, field.name) for cluster in clusters]
        columns[field.name] = np.array(values, dtype=kinds.get(field.name, np.float64))
    return columns


def _plain(column: NDArray[Any]) -> list[Any]:
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f":
        return [None if math.isnan(value) else value for value in values]
    return values


def _cluster_facts(parts: DiscoParts, labels: Labels) -> tuple[ClusterFacts, ...]:
    n_clusters, codes = labels.n_clusters, labels.codes
    if n_clusters == 0:
        return ()
    rows = _sort_by_neighbor(codes, parts.nearest_cluster)[labels.n_noise :]
    begins = np.cumsum(labels.sizes) - labels.sizes
    usual = _usual_neighbors(codes[rows], parts.nearest_cluster[rows], parts.separation[rows])
    names, core = (*labels.names, None), parts.core_distances  # code -1, none, picks the last
    negative = np.add.reduceat(parts.samples[rows] < 0, begins, dtype=np.int64)
    # Comparisons with NaN are False: a point without rho_far is not claimed.
    claimed = np.bincount(parts.claimed_by[parts.rho_far <= 0], minlength=n_clusters)
    columns = (
        labels.names,
        labels.sizes.tolist(),
        exact_means(parts.samples[rows], begins),
        (negative / labels.sizes).tolist(),
        [None] * n_clusters if core is None else np.maximum.reduceat(core[rows], begins).tolist(),
        [names[code] for code in usual.tolist()],
        claimed.tolist(),
    )
    return tuple(map(ClusterFacts, *columns))


def _sort_by_neighbor(codes: NDArray[np.int32], nearest: NDArray[np.int32]) -> NDArray[np.intp]:
    """Sort rows by cluster, then by the cluster nearest to them; noise comes first."""
    step = int(max(codes.max(), nearest.max())) + 2
    return np.argsort(codes.astype(np.int64) * step + nearest)


def _usual_neighbors(
    codes: NDArray[np.int32], nearest: NDArray[np.int32], separation: NDArray[np.float64]
) -> NDArray[np.int32]:
    """Return the code of each cluster's usual neighbor, -1 for none; rows come sorted."""
    begins = np.flatnonzero(_begins_run(codes) | _begins_run(nearest))
    counts = np.diff(begins, append=len(codes))
    closest = np.minimum.reduceat(separation, begins)
    codes, nearest = codes[begins], nearest[begins]
    # Equals keep their order, which is that of the names; what is no neighbor comes last.
    best = np.lexsort((closest, -counts, nearest < 0, codes))
    return nearest[best[_begins_run(codes)]]


def _begins_run(values: NDArray[np.int32]) -> NDArray[np.bool_]:
    return np.concatenate([[True], values[1:] != values[:-1]])


def _noise_facts(parts: DiscoParts, labels: Labels) -> NoiseFacts:
    if labels.n_noise == 0:
        return NoiseFacts(0, None, None, None, None, 0, 0)
    rows = labels.codes < 0
    with_clusters = labels.n_clusters > 0
    return NoiseFacts(
        size=labels.n_noise,
        mean_score=exact_mean(parts.samples[rows]),
        share_negative=int(np.count_nonzero(parts.samples[rows] < 0)) / labels.n_noise,
        mean_rho_sparse=exact_mean(parts.rho_sparse[rows]) if with_clusters else None,
        mean_rho_far=exact_mean(parts.rho_far[rows]) if with_clusters else None,
        n_claimed=int(np.count_nonzero(parts.rho_far <= 0)),
        n_dense_apart=int(np.count_nonzero((parts.rho_sparse < 0) & (parts.rho_far > 0))),
    )


def _frame(columns: dict[str, NDArray[Any]], names: list[Name], backend: str) -> Any:
    library = frame_library(backend)
    # Types that hold missing names; names beyond 64 bits stay Python objects.
    kinds = {"i": ("Int64", "Int64"), "b": ("boolean", "Boolean"), "U": ("string", "String")}
    for_pandas, for_polars = kinds.get(np.array(names).dtype.kind, ("object", None))
    with_names = [name for name, column in columns.items() if column.dtype.kind == "O"]
    if backend == "pandas":
        return library.DataFrame(columns).astype(dict.fromkeys(with_names, for_pandas))
    kind = for_polars and getattr(library, for_polars)
    frame = library.DataFrame(
        columns | {name: columns[name].tolist() for name in with_names},
        schema_overrides=dict.fromkeys(with_names, kind) if kind else None,
    )
    return frame.with_columns(library.selectors.float().fill_nan(None))
