"""The density tree: all that indices need to know about the points, whatever the labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NoReturn, cast

from numpy.typing import ArrayLike

from disco_cvi._input.metric import Metric
from disco_cvi._input.options import (
    check_algorithm,
    check_min_points,
    check_min_points_values,
    refuse_contradiction,
)
from disco_cvi._input.points import METRIC, MIN_POINTS, Points, open_points
from disco_cvi._neighbors.neighborhoods import Neighborhoods
from disco_cvi._output.drawing import draw
from disco_cvi._output.tables import Card, RichDisplay, facts_table
from disco_cvi._spanning_tree.approximate import approximate_tree_of
from disco_cvi._spanning_tree.every_min_points import spanning_trees_of
from disco_cvi._spanning_tree.mutual_reachability import Spanned, spanning_tree_of
from disco_cvi._spanning_tree.quality import Audited, TreeQuality, audit
from disco_cvi.density_tree.build import TreeParts, tree_from_edges
from disco_cvi.density_tree.clusterings import TreeClusterings
from disco_cvi.density_tree.file import TreeFile
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


class DensityTree(TreeClusterings, TreeFile, RichDisplay):
    """The density-connectivity of points: built once, good for any number of labelings.

    The dc-distance of two points is the smallest possible largest step of a path between them,
    where a step from x to y costs the largest of their distance and their two core distances. It is
    the height at which the two meet in this tree, the single-linkage tree of the minimum spanning
    tree under mutual reachability. The core distance of a point is the distance to its
    `min_points`-th nearest point, itself counted as the first.

    A tree may stand in the place of its points wherever only distances along it are needed: in
    DISCO, in `explain`, with ``min_points=1`` in MMJ-SC; `evaluate` and `compare` say of every
    other index that it needs the points. A tree cannot be changed, and it can be copied and
    pickled. What it can tell:

    - `distance` and `distance_matrix`: dc-distances; `linkage`: the tree for SciPy;
    - `dbscan` at any eps and `hdbscan` at any min_cluster_size: labels;
    - `eps_path` and `size_path`: how good these are at all eps and all sizes, and which is best;
      `eps_for_clusters`: an eps for a number of clusters;
    - `save` and `load`: the tree as a file; `from_spanning_tree`: a tree from another program;
    - `for_min_points`: the trees for many `min_points` at the price of a few.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
        The points, one per row. They are not modified. Distances may also be condensed, one for
        each pair, as SciPy's `pdist` gives them.
    min_points : int, default=5
        From 1 to n. A larger value smooths the density.
    metric : str or callable, default="euclidean"
        "euclidean", "sqeuclidean", "cosine", "haversine" (latitude and longitude in radians, the
        way along the unit sphere), "precomputed", any metric name of scikit-learn, or a
        function of two rows that returns their distance.
    metric_params : dict, optional
        Further arguments of the metric. What a metric estimates from data is estimated from all
        of `X`.
    n_jobs : int, optional
        Number of threads, those of matrix products included; None means 1, -1 all processors. The
        result does not depend on it.
    algorithm : str, default="exact"
        "approximate" finds edges by lists of near neighbors, for many points of many features: no
        core distance and no height lies below the exact one, few lie above. For the metrics
        "euclidean", "sqeuclidean", "cosine" and "haversine".
    graph : array of int of shape (n, k), pair of arrays or sparse matrix, optional
        Row numbers of near neighbors, for the approximate search, which then makes no graph of its
        own: (indices, distances) of pynndescent, indices of faiss (-1 for nobody), or what
        `kneighbors_graph` gives. Distances are computed anew. At least `min_points` for each row,
        itself counted; three times as many are better.

    Attributes
    ----------
    n_points : int
        Number of points.
    min_points : int
        As given.
    metric : str or callable
        As given.
    metric_params : dict
        As given; empty if None.
    algorithm : str
        As given.
    quality : TreeQuality
        What an audit says of an approximate tree, in numbers and, printed, in words.
    core_distances : ndarray of shape (n,)
        Core distance of each point, in the order of the rows.
    heights : ndarray of shape (n - 1,)
        The heights at which points meet, rising.
    order : ndarray of int of shape (n,)
        The rows in the order of the tree, in which every dense group stands together.
    steps : ndarray of shape (n,)
        In that order, the height at which each point meets the one before it; the first is
        infinity.

    Raises
    ------
    ValueError
        If `X` is empty, holds missing or infinite values, or has fewer rows than `min_points`.
    TypeError
        If an argument is of the wrong type; sparse `X` is not supported.

    Notes
    -----
    Time O(n log n) in low dimension and O(n²) in high dimension or for metrics other than the first
    four; memory O(n d) always. Points in 32 bits are not copied to 64 but where they are computed
    with. Core distances and heights are the same bits whatever the order of
    the rows, the number of threads and the way the points are searched (for a metric given as a
    function: if that is symmetric to the last bit).

    Examples
    --------
    >>> from disco_cvi import DensityTree, disco_score
    >>> X = [[0.0], [1.0], [3.0], [10.0], [11.0]]
    >>> tree = DensityTree(X, min_points=2)
    >>> tree
    DensityTree(n_points=5, min_points=2, metric='euclidean')
    >>> tree.core_distances
    array([1., 1., 2., 1., 1.])
    >>> tree.heights
    array([1., 1., 2., 7.])
    >>> tree.order, tree.steps
    (array([0, 1, 2, 3, 4]), array([inf,  1.,  2.,  7.,  1.]))
    >>> float(tree.distance(0, 4))
    7.0
    >>> round(disco_score(tree, [0, 0, 0, 1, 1]), 3)
    0.8
    """

    __slots__ = ("_index", "_kept", "_neighborhoods", "parts")

    def __init__(
        self,
        X: ArrayLike,
        *,
        min_points: int = MIN_POINTS,
        metric: str | Callable[..., float] = METRIC,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        algorithm: str = "exact",
        graph: object = None,
    ) -> None:
        points = _open(X, "DensityTree", metric, metric_params, n_jobs)
        is_exact = check_algorithm(algorithm, graph, points.caller) == "exact"
        span = spanning_tree_of if is_exact else partial(_approximate, graph)
        self._adopt(*_build(points, min_points, span, algorithm), points.index)

    def _adopt(self, parts: TreeParts, near: Neighborhoods | None, index: Any) -> DensityTree:
        values = {"parts": parts, "_neighborhoods": near, "_index": index, "_kept": {}}
        for name, value in values.items():
            object.__setattr__(self, name, value)
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        message = f"a DensityTree cannot be changed; build another one instead of setting {name}."
        raise AttributeError(message)

    def __delattr__(self, name: str) -> NoReturn:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Callable[..., DensityTree], tuple[Any, ...]]:
        return assemble_tree, (self.parts, self._neighborhoods, self._index)

    def __repr__(self) -> str:
        shown = f"n_points={self.n_points}, min_points={self.min_points}"
        how = "" if self.algorithm == "exact" else f", algorithm={self.algorithm!r}"
        return f"DensityTree({shown}, metric={self.parts.metric.shown}{how})"

    def _card(self) -> Card:
        facts: list[tuple[str, object]] = [
            ("points", f"{self.n_points:,}"),
            ("min_points", self.min_points),
            ("metric", self.parts.metric.shown.strip("'")),
        ]
        if self.algorithm != "exact":
            facts.append(("algorithm", self.algorithm))
        if len(self.heights):
            facts.append(("heights", f"{self.heights[0]:.4g} to {self.heights[-1]:.4g}"))
        return Card("DensityTree", tables=[facts_table(facts)])

    @classmethod
    def for_min_points(
        cls,
        X: ArrayLike,
        min_points: Iterable[int],
        *,
        metric: str | Callable[..., float] = METRIC,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> dict[int, DensityTree]:
        """Build the trees for many `min_points` from one search, the same as one by one.

        Thirty trees cost about as much as six or seven. Lists of the nearest points take up to 20
        bytes for each point and each of its `min_points` nearest ones; values for which that
        exceeds 2 GiB are built one by one.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
            The points, like all below as for one tree.
        min_points : iterable of int
            Each from 1 to n, such as ``range(1, 31)``.
        metric : str or callable, default="euclidean"
            How distances are measured.
        metric_params : dict, optional
            Further arguments of the metric.
        n_jobs : int, optional
            Number of threads.

        Returns
        -------
        dict of int to DensityTree
            By `min_points`, in rising order.

        Examples
        --------
        >>> from disco_cvi import DensityTree
        >>> trees = DensityTree.for_min_points([[0.0], [1], [3], [10], [11]], range(1, 4))
        >>> [float(tree.heights[-1]) for tree in trees.values()]
        [7.0, 7.0, 8.0]
        """
        points = _open(X, "for_min_points", metric, metric_params, n_jobs)
        values = check_min_points_values(min_points, points.n_points, points.caller)
        lay_out = partial(_lay_out, points.metric, points.index, points.n_jobs)
        trees = {value: lay_out(found, value) for value, found in spanning_trees_of(points, values)}
        return {value: trees[value] for value in values}

    def _stand_for_points(
        self, min_points: object, metric: object, metric_params: object, n_jobs: int, caller: str
    ) -> Points:
        """Return what is known of the points; what is asked for must be what the tree is of."""
        refuse_contradiction("min_points", min_points, self.min_points, caller)
        refuse_contradiction("metric", metric, self.metric, caller)
        refuse_contradiction("metric_params", metric_params, self.metric_params, caller)
        return Points(None, self.parts.metric, True, n_jobs, caller, self, index=self._index)  # noqa: FBT003

    @property
    def min_points(self) -> int:
        """Which nearest point the core distance reaches to, the point itself counted."""
        return self.parts.min_points

    @property
    def metric(self) -> str | Callable[..., float]:
        """The metric, as given."""
        return self.parts.metric.name

    @property
    def metric_params(self) -> dict[str, Any]:
        """Parameters of the metric (a copy)."""
        return dict(self.parts.metric.params)

    @property
    def algorithm(self) -> str:
        """How the tree was found: "exact" or "approximate"."""
        return self.parts.algorithm

    @property
    def quality(self) -> TreeQuality:
        """How far the tree may be from the exact one, by an audit of random rows; never a bound.

        It is made when it is first asked for. A tree from a file knows no points to audit.
        """
        return self._keep("quality", self._audit)

    def _audit(self) -> TreeQuality:
        if self.algorithm == "exact":
            return TreeQuality("exact")
        if (found := self._neighborhoods) is None:
            rule = "be as it was built: a tree from a file knows no points to audit"
            raise InvalidInputError(argument="the tree", caller="quality", rule=rule)
        known = Audited(found, self.parts.metric, self.min_points, self.core_distances)
        return audit(known, self.distance)

    def plot(self, labels: ArrayLike | None = None, **options: Any) -> Any:
        """Draw all points in the order of the tree, colored by label; needs matplotlib.

        `eps_path` draws what DBSCAN is worth at every eps: ``tree.eps_path().plot()``.

        Parameters
        ----------
        labels : array-like of shape (n,), optional
            Cluster of each point, -1 for noise.
        **options : Any
            ``ax``, where to draw; ``theme``, "light" or "dark".

        Returns
        -------
        disco_cvi.plots.DensityLineDisplay
            ``plot().figure_.savefig(path)`` saves the picture.
        """
        return draw("DensityLineDisplay.from_tree", self, labels).plot(**options)


def assemble_tree(
    parts: TreeParts, neighborhoods: Neighborhoods | None = None, index: Any = None
) -> DensityTree:
    """Return the tree of parts that are known to be right."""
    tree = DensityTree.__new__(DensityTree)
    return tree._adopt(parts, neighborhoods, index)  # noqa: SLF001 - makes it


def _open(X: object, caller: str, metric: object, metric_params: object, n_jobs: object) -> Points:
    if isinstance(X, DensityTree):
        got = "a DensityTree, which can be used as it is"
        raise InvalidTypeError(argument="X", caller=caller, rule="be points", got=got)
    return open_points(X, caller, n_jobs=n_jobs, metric=metric, metric_params=metric_params)


def density_tree_of(points: Points, min_points: int | None = None) -> DensityTree:
    """Return the tree of points; it is built once. None: that of the given tree, or the default.

    Fewer points than `min_points` are an error only here, where the tree is needed. The tree of
    shared points knows who is near whom, as border points need.
    """
    if points.tree is not None:
        refuse_contradiction("min_points", min_points, points.tree.min_points, points.caller)
        return cast("DensityTree", points.tree)
    return points.once(_keep_tree, points.choose_min_points(min_points))


def _keep_tree(points: Points, min_points: int) -> DensityTree:
    # For one score alone, nobody asks who is near whom.
    parts, neighborhoods = _build(points, min_points)
    return assemble_tree(parts, neighborhoods if points.is_shared else None, points.index)


def _build(
    points: Points,
    min_points: object,
    span: Callable[[Points, int], Spanned] | None = None,
    algorithm: str = "exact",
) -> tuple[TreeParts, Neighborhoods]:
    checked = check_min_points(min_points, points.n_points, points.caller)
    how_built = (checked, points.metric, points.n_jobs, algorithm)
    try:
        found = (span or spanning_tree_of)(points, checked)
        return tree_from_edges(found.spanning, found.exponent, *how_built), found.neighborhoods
    except MemoryError as error:
        error.add_note(
            "Take a random sample of the rows, or use disco_cvi.distributed, which spreads them "
            "over the workers of a Dask cluster."
        )
        raise


def _approximate(graph: object, points: Points, min_points: int) -> Spanned:
    if not points.metric.is_euclidean:
        raise InvalidInputError(
            argument="metric",
            caller=points.caller,
            rule="be 'euclidean', 'sqeuclidean', 'cosine' or 'haversine' for the algorithm "
            "'approximate'",
            got=points.metric.shown,
        )
    return approximate_tree_of(points, min_points, graph)


def _lay_out(
    metric: Metric, index: Any, n_jobs: int, found: Spanned, min_points: int
) -> DensityTree:
    parts = tree_from_edges(found.spanning, found.exponent, min_points, metric, n_jobs)
    return assemble_tree(parts, found.neighborhoods, index)
