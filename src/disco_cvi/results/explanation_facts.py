"""The facts behind a DISCO score: on every point, every cluster, and the noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._compute.exact_sums import exact_mean, exact_means
from disco_cvi._output.rich_display import Card, CardTable, FieldsDisplay, RichDisplay, fact_text
from disco_cvi._output.words import count
from disco_cvi.indices.pair import pairs_apart

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._input.labels import Labels, Name
    from disco_cvi._input.row_names import RowNames
    from disco_cvi.indices.disco import DiscoParts

_SHOWN = 5  # points in a notebook


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
