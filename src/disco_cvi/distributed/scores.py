"""Density trees, scores and explanations of points that lie on several machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from disco_cvi._input.labels import check_labels
from disco_cvi._input.metric import Metric, check_metric
from disco_cvi._input.options import check_count, check_jobs, check_min_points
from disco_cvi._input.points import METRIC, MIN_POINTS, open_points
from disco_cvi.density_tree.build import tree_from_edges
from disco_cvi.density_tree.tree import DensityTree, assemble_tree
from disco_cvi.distributed.dask_runner import DaskRunner, find_client
from disco_cvi.distributed.files import Column
from disco_cvi.distributed.sources import Source, fetch_labels, is_elsewhere, open_source
from disco_cvi.distributed.spanning_tree import span
from disco_cvi.distributed.workers import check_blocks, choose_blocks
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices import disco, pair
from disco_cvi.results import explanation

if TYPE_CHECKING:
    from disco_cvi.results.explanation import Explanation


def density_tree(
    X: Any,
    *,
    min_points: int = MIN_POINTS,
    metric: str = METRIC,
    columns: Sequence[Column] | None = None,
    n_blocks: int | None = None,
    client: Any = None,
) -> DensityTree:
    """Build the density tree of points that do not fit into one machine, on a Dask cluster.

    The tree has the same heights and core distances, to the last bit, as ``DensityTree`` of the
    same rows, for any number of blocks and workers. It comes back to this process, which needs
    up to 110 bytes per point for it, whatever the number of columns.

    Parameters
    ----------
    X : Dask array or Dask data frame of shape (n, d), or str, path-like or list of these
        The points, one per row. Names are those of Parquet or NPY files, folders of such files, or
        patterns such as ``"points-*.parquet"``, whose files are read in the order of their names,
        part 2 before part 10. All workers must see the files.
    min_points : int, default=5
        Which nearest point the core distance reaches to, the point itself counted as the first.
    metric : {"euclidean", "sqeuclidean", "cosine", "haversine"}, default="euclidean"
        How distances are measured.
    columns : list of str or int, optional
        Columns that are features, by name, or by number where they have no names. Default: all.
    n_blocks : int, optional
        Into how many blocks the points are cut. Default: as many as keep all workers busy, and
        leave half of their memory free.
    client : dask.distributed.Client, optional
        The cluster. Default: the client that is open.

    Returns
    -------
    DensityTree
        It stands in the place of the points wherever a tree does: any number of labelings can be
        scored by the functions of `disco_cvi`.

    Raises
    ------
    InvalidInputError
        If an argument holds an unusable value; the message says in which file and column.
    TypeError
        If an argument is of the wrong type.
    disco_cvi.exceptions.WorkersFailedError
        If workers ran out of memory, or died four times; no tasks are left on the cluster.

    See Also
    --------
    disco_cvi.DensityTree : The same for points that fit into memory.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from disco_cvi.distributed import density_tree
    >>> X = da.from_array([[0.0], [1.0], [3.0], [10.0], [11.0]], chunks=(2, 1))
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     tree = density_tree(X, min_points=2, client=client)
    >>> tree.heights
    array([1., 1., 2., 7.])
    """
    caller = "density_tree"
    min_points = check_min_points(min_points, None, caller)
    checked = _check_metric(metric, caller)
    source = open_source(X, caller, columns=columns)
    with DaskRunner(find_client(client, caller), caller) as runner:
        return _build(source, runner, min_points, checked, n_blocks)


def disco_score(
    X: Any,
    labels: Any,
    *,
    min_points: int | None = None,
    metric: str | None = None,
    noise_label: int | str | bool | None = -1,
    columns: Sequence[Column] | None = None,
    n_blocks: int | None = None,
    client: Any = None,
) -> float:
    """Score a clustering of points that do not fit into one machine; see `disco_cvi.disco_score`.

    Parameters
    ----------
    X : Dask array or Dask data frame of shape (n, d), or names of files, or DensityTree
        The points, see `density_tree`, or their tree, which makes every further labeling cheap.
    labels : array-like, Dask array or Dask series of shape (n,), or str or path-like
        Cluster of each point. A name is that of a column of `X`, which then is no feature, or else
        of Parquet or NPY files of one column, in the order of the rows of `X`.
    min_points : int, optional
        Which nearest point the core distance reaches to. Default: 5, or that of the tree.
    metric : {"euclidean", "sqeuclidean", "cosine", "haversine"}, optional
        How distances are measured. Default: "euclidean", or that of the tree.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    columns : list of str or int, optional
        Columns that are features. Default: all but the labels.
    n_blocks : int, optional
        Into how many blocks the points are cut. Default: chosen by the workers' memory.
    client : dask.distributed.Client, optional
        The cluster. Default: the client that is open.

    Returns
    -------
    float
        The same bits as `disco_cvi.disco_score` of the same rows.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from disco_cvi.distributed import disco_score
    >>> X = da.from_array([[0.0], [1.0], [3.0], [10.0], [11.0]], chunks=(2, 1))
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     score = disco_score(X, [0, 0, 0, 1, 1], min_points=2, client=client)
    >>> round(score, 3)
    0.8
    """
    caller = "disco_score"
    asked = _Asked(X, labels, min_points, metric, noise_label, columns, n_blocks, client)
    return disco.disco_score(*_resolve(asked, caller), noise_label=noise_label)


def pair_score(
    X: Any,
    labels: Any,
    *,
    min_points: int | None = None,
    metric: str | None = None,
    noise_label: int | str | bool | None = -1,
    columns: Sequence[Column] | None = None,
    n_blocks: int | None = None,
    client: Any = None,
) -> float:
    """Score a clustering for choosing between several; see `disco_cvi.pair_score`.

    Parameters
    ----------
    X : Dask array or Dask data frame of shape (n, d), or names of files, or DensityTree
        As in `disco_score`, like all other parameters.
    labels : array-like, Dask array or Dask series of shape (n,), or str or path-like
        Cluster of each point, or the name of a column or of files.
    min_points : int, optional
        Which nearest point the core distance reaches to.
    metric : {"euclidean", "sqeuclidean", "cosine", "haversine"}, optional
        How distances are measured.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    columns : list of str or int, optional
        Columns that are features.
    n_blocks : int, optional
        Into how many blocks the points are cut.
    client : dask.distributed.Client, optional
        The cluster.

    Returns
    -------
    float
        The same bits as `disco_cvi.pair_score` of the same rows.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from disco_cvi.distributed import pair_score
    >>> X = da.from_array([[0.0], [1.0], [3.0], [10.0], [11.0]], chunks=(2, 1))
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     score = pair_score(X, [0, 0, 0, 1, 1], min_points=2, client=client)
    >>> round(score, 3)
    0.389
    """
    caller = "pair_score"
    asked = _Asked(X, labels, min_points, metric, noise_label, columns, n_blocks, client)
    return pair.pair_score(*_resolve(asked, caller), noise_label=noise_label)


def explain(
    X: Any,
    labels: Any,
    *,
    min_points: int | None = None,
    metric: str | None = None,
    noise_label: int | str | bool | None = -1,
    columns: Sequence[Column] | None = None,
    n_blocks: int | None = None,
    client: Any = None,
) -> Explanation:
    """Explain the score of a clustering, per point, cluster and noise; see `disco_cvi.explain`.

    Parameters
    ----------
    X : Dask array or Dask data frame of shape (n, d), or names of files, or DensityTree
        As in `disco_score`, like all other parameters.
    labels : array-like, Dask array or Dask series of shape (n,), or str or path-like
        Cluster of each point, or the name of a column or of files.
    min_points : int, optional
        Which nearest point the core distance reaches to.
    metric : {"euclidean", "sqeuclidean", "cosine", "haversine"}, optional
        How distances are measured.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    columns : list of str or int, optional
        Columns that are features.
    n_blocks : int, optional
        Into how many blocks the points are cut.
    client : dask.distributed.Client, optional
        The cluster.

    Returns
    -------
    Explanation
        That of `disco_cvi.explain` for the same rows, in the memory of this process.

    Examples
    --------
    >>> import dask.array as da
    >>> from dask.distributed import Client
    >>> from disco_cvi.distributed import explain
    >>> X = da.from_array([[0.0], [1.0], [3.0], [10.0], [11.0]], chunks=(2, 1))
    >>> with Client(processes=False, dashboard_address=":0") as client:
    ...     explanation = explain(X, [0, 0, 0, 1, 1], min_points=2, client=client)
    >>> explanation
    Explanation(score=0.8000, pair_score=0.3886, n_points=5, n_clusters=2, ...)
    """
    caller = "explain"
    asked = _Asked(X, labels, min_points, metric, noise_label, columns, n_blocks, client)
    return explanation.explain(*_resolve(asked, caller), noise_label=noise_label)


class _Asked(NamedTuple):
    """What a public function was given."""

    X: Any
    labels: Any
    min_points: int | None
    metric: str | None
    noise_label: int | str | bool | None
    columns: Sequence[Column] | None
    n_blocks: int | None
    client: Any


def _resolve(asked: _Asked, caller: str) -> tuple[DensityTree, Any]:
    """Return the tree and the labels, which are looked at first: their errors are quick."""
    if isinstance(asked.X, DensityTree):
        # Raises if the tree is of something else than what is asked for.
        open_points(
            asked.X,
            caller,
            n_jobs=None,
            metric=asked.metric,
            min_points=asked.min_points,
            takes_tree=True,
        )
        if not is_elsewhere(asked.labels):
            return asked.X, asked.labels
        with DaskRunner(find_client(asked.client, caller), caller) as runner:
            return asked.X, fetch_labels(asked.labels, None, runner, caller)
    min_points = MIN_POINTS if asked.min_points is None else asked.min_points
    min_points = check_min_points(min_points, None, caller)
    metric = _check_metric(METRIC if asked.metric is None else asked.metric, caller)
    source = open_source(asked.X, caller, columns=asked.columns, labels=asked.labels)
    with DaskRunner(find_client(asked.client, caller), caller) as runner:
        labels = fetch_labels(asked.labels, source, runner, caller)
        if source.n_rows is not None:
            check_labels(labels, sum(source.n_rows), asked.noise_label, caller)
        return _build(source, runner, min_points, metric, asked.n_blocks), labels


def _check_metric(metric: object, caller: str) -> Metric:
    checked = check_metric(metric, None, caller)
    if not checked.is_euclidean:
        raise InvalidInputError(
            argument="metric",
            caller=caller,
            rule="be 'euclidean', 'sqeuclidean', 'cosine' or 'haversine' for points in parts",
            got=checked.shown,
        )
    return checked


def _build(
    source: Source, runner: DaskRunner, min_points: int, metric: Metric, n_blocks: int | None
) -> DensityTree:
    if n_blocks is not None:
        n_blocks = check_count(n_blocks, "n_blocks", runner.caller)

    def choose(n_points: int, width: int) -> int:
        # More than there are points are refused later, with all that is known then.
        sizes = n_points, width, min(min_points, n_points), runner.workers
        fitting = choose_blocks(*sizes)
        number = fitting
        if n_blocks is not None:
            number = check_blocks(n_blocks, *sizes, runner.caller)
        runner.enough_blocks = max(fitting, 2 * number)
        return number

    if source.n_rows is not None:
        choose(sum(source.n_rows), len(source.columns))  # raises before anything is read
    parts = source.parts(runner)
    spanning, exponent = span(parts, min_points, choose, runner, metric, runner.caller)
    n_jobs = check_jobs(-1, runner.caller)  # the workers are done
    return assemble_tree(tree_from_edges(spanning, exponent, min_points, metric, n_jobs))
