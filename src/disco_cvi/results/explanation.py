"""explain: what pulled a DISCO score up or down, per point, per cluster and for the noise."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from disco_cvi._compute.exact_sums import exact_mean, exact_means
from disco_cvi._input.clustering import open_clustering
from disco_cvi._input.options import check_choice, check_count, check_flag
from disco_cvi._input.points import check_row_names, names_in, plain_name
from disco_cvi._output.drawing import draw_explanation
from disco_cvi._output.tables import (
    Card,
    CardTable,
    FieldsDisplay,
    RichDisplay,
    fact_text,
    frame_library,
    held_by,
)
from disco_cvi._output.words import count
from disco_cvi.indices.disco import disco_parts
from disco_cvi.indices.pair import earnings, pairs_apart
from disco_cvi.results.flags import Flag, flags_of
from disco_cvi.results.words import explanation_card, explanation_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import ArrayLike, NDArray

    from disco_cvi._input.clustering import Clustering
    from disco_cvi._input.labels import Labels, Name
    from disco_cvi._input.points import RowNames
    from disco_cvi.density_tree.tree import DensityTree
    from disco_cvi.indices.disco import DiscoParts

_SHOWN = 5  # points in a notebook


def explain(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: Name | None = -1,
    row_names: Iterable[Any] | None = None,
    n_jobs: int | None = None,
) -> Explanation:
    """Explain the DISCO score of a labeling: per point, per cluster and for the noise.

    The score is the mean over all points, so every point's share in it can be shown. For a
    point of a cluster the result tells how near its own cluster is (compactness) and how near
    the nearest other one (separation); for a noise point, whether its place is sparse enough
    for noise (rho_sparse), and how far it is from being absorbed by a cluster (rho_far).
    The pair score stands beside it, with what each cluster earned of it; a score that rests on
    little has flags: one giant cluster, few pairs of points told apart, mostly noise.
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
    row_names : iterable of length n_points, optional
        Names of the points, in the order of the rows. Default: the index of `X` if it is a data
        frame of pandas whose index does more than count the rows.
    n_jobs : int, optional
        Threads to use; -1 for all processors.

    Returns
    -------
    Explanation
        Scores, facts on points, clusters and noise, flags; data frames and a JSON-ready dict on
        request.

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
    >>> explanation.pair_score, explanation.clusters[1].earned
    (0.228515625, 0.10546875)
    >>> [flag.name for flag in explain(X, [0] * 7 + [-1], min_points=2).flags]
    ['giant cluster', 'few pairs']
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
    points, names = clustering.points, None
    if row_names is not None:
        names = check_row_names(row_names, points.n_points, points.index, "explain")
    return explain_clustering(clustering, min_points, names)


def explain_clustering(
    clustering: Clustering, min_points: int | None = None, row_names: RowNames = None
) -> Explanation:
    """Return what explain returns, of points and labels that have been checked."""
    points, checked = clustering.points, clustering.labels
    parts = disco_parts(clustering, min_points)
    return Explanation(
        score=exact_mean(parts.samples),
        pair_score=exact_mean(earnings(parts.samples, checked)),
        told_apart=int(pairs_apart(checked).sum()) / checked.n_points**2,
        min_points=int(points.choose_min_points(min_points)),
        metric=points.metric.shown.strip("'"),
        points=point_facts(parts, checked),
        clusters=cluster_facts(parts, checked),
        noise=noise_facts(parts, checked),
        flags=flags_of(checked),
        clustering=clustering,
        row_names=names_in(points.index) if row_names is None else row_names,
    )


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(RichDisplay):
    """What explain returns: the score and the facts behind it.

    Attributes
    ----------
    score : float
        The DISCO score, the same bits as disco_score.
    pair_score : float
        The pair score, the same bits as pair_score: what to choose between labelings by. What its
        clusters earned adds up to it, but for the rounding of each.
    told_apart : float
        Share of all pairs of points that lie in two different clusters: the greatest pair score
        that clusters of these sizes can have.
    min_points : int
    metric : str
    points : PointFacts
    clusters : tuple of ClusterFacts
        In the order of the names.
    noise : NoiseFacts
    flags : tuple of Flag
        Why the score rests on little; empty if it does not.
    clustering : Clustering
        The points and labels that were explained, for pictures.
    row_names : pandas.Index, ndarray or None
        Names of the points in row order, as given; None if they have none.
    """

    score: float
    pair_score: float
    told_apart: float
    min_points: int
    metric: str
    points: PointFacts
    clusters: tuple[ClusterFacts, ...]
    noise: NoiseFacts
    flags: tuple[Flag, ...]
    clustering: Clustering
    row_names: RowNames = None

    def __repr__(self) -> str:
        return (
            f"Explanation(score={self.score:z.4f}, pair_score={self.pair_score:z.4f}, "
            f"n_points={len(self.points.score)}, n_clusters={len(self.clusters)}, "
            f"n_noise={self.noise.size}, min_points={self.min_points}, metric={self.metric!r})"
        )

    def __str__(self) -> str:
        return explanation_text(self.to_dict(points=False))

    def _card(self) -> Card:
        return explanation_card(self.to_dict(points=False))

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
            "pair_score": self.pair_score,
            "told_apart": self.told_apart,
            "n_points": len(self.points.score),
            "n_clusters": len(self.clusters),
            "n_noise": self.noise.size,
            "min_points": self.min_points,
            "metric": self.metric,
            "clusters": [dict(vars(cluster)) for cluster in self.clusters],
            "noise": asdict(self.noise),
            "flags": [asdict(flag) for flag in self.flags],
            "worst": [{**vars(point), "name": plain_name(point.name)} for point in self.worst()],
        }
        if check_flag(points, "points", "to_dict"):
            columns = point_columns(self.points)
            facts["points"] = self._names() | {
                name: plain_values(column) for name, column in columns.items()
            }
        return facts

    def plot(self, kind: str | None = None, **options: Any) -> Any:
        """Draw a picture of it; needs matplotlib.

        Parameters
        ----------
        kind : {"map", "bars", "noise", "line", "eps"}, optional
            Points by label and score, scores by cluster, the zones of noise, all points in the
            order of their density, or what other eps are worth. Default: "map", or "bars" where it
            is not known where the points are.
        **options : Any
            ``ax``, where to draw; ``theme``, "light" or "dark"; ``embedding`` of a map, an array of
            two columns.

        Returns
        -------
        Display
            One of `disco_cvi.plots`; ``plot().figure_.savefig(path)`` saves the picture.
        """
        return draw_explanation(self, kind, options)

    def _names(self) -> dict[str, list[Any]]:
        """The names of the points as a column, if they have names."""
        if self.row_names is None:
            return {}
        return {"name": [plain_name(name) for name in self.row_names]}

    def worst(self, count: int = 20) -> tuple[WorstPoint, ...]:
        """Return the points of lowest score with their facts, the lowest first.

        Parameters
        ----------
        count : int, default 20
            How many points at most.

        Returns
        -------
        tuple of WorstPoint
            Points of equal score come in the order of their rows.

        Examples
        --------
        >>> from disco_cvi import explain
        >>> X = [[0], [1], [2], [10], [12], [14], [30], [31]]
        >>> labels = [0, 0, 0, 1, 1, 1, -1, -1]
        >>> explanation = explain(X, labels, min_points=2, row_names=list("abcdefgh"))
        >>> [(point.row, point.name, point.score) for point in explanation.worst(2)]
        [(6, 'g', -0.5), (7, 'h', -0.5)]
        """
        return worst_points(self.points, self.row_names, check_count(count, "count", "worst"))

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
            Missing where a quantity does not exist. Names of points are the index of a frame of
            pandas, and the first column, "name", of one of polars.
        """
        check_choice(what, ("points", "clusters"), "what", "to_frame")
        with held_by(backend):
            return self._frame(what, backend)

    def _frame(self, what: str, backend: str) -> Any:
        names = [cluster.name for cluster in self.clusters]
        if what == "clusters":
            return _frame(cluster_columns(self.clusters), names, backend)
        frame = _frame(point_columns(self.points), names, backend)
        if self.row_names is None:
            return frame
        if backend == "pandas":
            return frame.set_axis(self.row_names)
        named = frame_library(backend).DataFrame(self._names(), strict=False)
        return named.hstack(frame)


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


# --- facts ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PointFacts(RichDisplay):
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

    def _card(self) -> Card:
        """The first few points."""
        columns = point_columns(self)
        rows = [("row", *columns)]
        for row, facts in enumerate(zip(*(c[:_SHOWN] for c in columns.values()), strict=True)):
            rows.append((str(row), *map(fact_text, facts)))
        n_points = len(self.score)
        caption = count(n_points, "point")
        if n_points > _SHOWN:
            caption += f", the first {_SHOWN} of them"
        right = frozenset(range(1, len(rows[0])))
        return Card("PointFacts", tables=[CardTable(rows, right, caption)])


@dataclass(frozen=True)
class ClusterFacts(FieldsDisplay):
    """Facts on one cluster; None where a quantity does not exist.

    ``core_distance`` is the largest core distance of its points. ``nearest_cluster`` is the
    cluster that is nearest to most of its points; a tie goes to the one that comes closest to
    any of them, then to the first name. ``n_claimed`` counts the noise points that it comes
    closest to absorbing and that are density-connected to it (rho_far at most 0). ``earned`` is its
    part of the pair score: ``mean_score`` times the share of all pairs of points that begin in it
    and end in another cluster.
    """

    name: Name
    size: int
    mean_score: float
    share_negative: float
    core_distance: float | None
    nearest_cluster: Name | None
    n_claimed: int
    earned: float


@dataclass(frozen=True)
class NoiseFacts(FieldsDisplay):
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


@dataclass(frozen=True)
class WorstPoint(FieldsDisplay):
    """Facts on one point of a low score, as in `PointFacts`; None where a quantity does not exist.

    ``row`` is its place in X, ``name`` its row's name.
    """

    row: int
    name: Any
    cluster: Name | None
    is_noise: bool
    score: float
    compactness: float | None
    separation: float | None
    nearest_cluster: Name | None
    rho_sparse: float | None
    rho_far: float | None
    claimed_by: Name | None


def worst_points(points: PointFacts, row_names: RowNames, n_shown: int) -> tuple[WorstPoint, ...]:
    """Return the facts on the points of lowest score; equals come in the order of their rows."""
    rows = np.argsort(points.score, kind="stable")[:n_shown]
    columns = {name: plain_values(column[rows]) for name, column in point_columns(points).items()}
    names = [None] * len(rows) if row_names is None else [row_names[row] for row in rows]
    listed = zip(*columns.values(), strict=True)
    return tuple(
        WorstPoint(row=row, name=name, **dict(zip(columns, facts, strict=True)))
        for row, name, facts in zip(rows.tolist(), names, listed, strict=True)
    )


def plain_values(column: NDArray[Any]) -> list[Any]:
    """Return a column as plain Python values; NaN becomes None."""
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f":
        return [None if math.isnan(value) else value for value in values]
    return values


def point_facts(parts: DiscoParts, labels: Labels) -> PointFacts:
    """Return the facts on every point; nobody can change them."""
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
    for column in point_columns(facts).values():
        column.flags.writeable = False
    return facts


def point_columns(points: PointFacts) -> dict[str, NDArray[Any]]:
    """Return the facts on points by name."""
    return {field.name: getattr(points, field.name) for field in fields(points)}


def cluster_columns(clusters: tuple[ClusterFacts, ...]) -> dict[str, NDArray[Any]]:
    """Return the facts on clusters as columns."""
    kinds = {"name": object, "nearest_cluster": object, "size": np.int64, "n_claimed": np.int64}
    columns: dict[str, NDArray[Any]] = {}
    for field in fields(ClusterFacts):
        values = [getattr(cluster, field.name) for cluster in clusters]
        columns[field.name] = np.array(values, dtype=kinds.get(field.name, np.float64))
    return columns


def cluster_facts(parts: DiscoParts, labels: Labels) -> tuple[ClusterFacts, ...]:
    """Return the facts on every cluster, in the order of the names."""
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
    means = np.array(exact_means(parts.samples[rows], begins))
    columns = (
        labels.names,
        labels.sizes.tolist(),
        means.tolist(),
        (negative / labels.sizes).tolist(),
        [None] * n_clusters if core is None else np.maximum.reduceat(core[rows], begins).tolist(),
        [names[code] for code in usual.tolist()],
        claimed.tolist(),
        # 0 times a negative mean is no negative 0.
        (pairs_apart(labels) / labels.n_points**2 * means + 0.0).tolist(),
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


def noise_facts(parts: DiscoParts, labels: Labels) -> NoiseFacts:
    """Return the facts on the noise."""
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
