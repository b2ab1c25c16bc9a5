"""Settings to try, and the labelings that they give."""

from __future__ import annotations

import contextlib
import copy
import time
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils.parallel import Parallel, delayed

from disco_cvi._compute.cluster import has_cluster, send_once
from disco_cvi._compute.threads import is_refused_start
from disco_cvi._output.words import describe, shorten
from disco_cvi.cluster.tree_clusterer import TreeClusterer, give_tree, threads_here
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.selection.callbacks import Task
from disco_cvi.selection.criteria import in_words

Params = dict[str, Any]


class Fitted(NamedTuple):
    """A candidate after its fit: labels, or the error in words."""

    estimator: Any
    labels: NDArray[Any] | None
    error: str | None
    seconds: float


class Work(NamedTuple):
    """What all candidates share."""

    estimator: Any
    X: Any
    array: NDArray[Any]
    fit_params: Mapping[str, Any]
    must_raise: bool


def check_estimator(estimator: object, caller: str) -> None:
    """Refuse what is no clusterer."""
    rule = "be a clusterer: an object with fit_predict, or with fit and labels_"
    if isinstance(estimator, type):
        raise InvalidTypeError(
            argument="estimator",
            caller=caller,
            rule=rule,
            got=f"the class {estimator.__name__}",
            remedy=f"Pass {estimator.__name__}().",
        )
    if not (hasattr(estimator, "fit_predict") or hasattr(estimator, "fit")):
        raise InvalidTypeError(
            argument="estimator", caller=caller, rule=rule, got=describe(estimator)
        )


def list_candidates(
    estimator: Any, param_grid: Any, n_iter: int | None, random_state: Any, caller: str
) -> list[Params]:
    """Return all settings of the grid, or some drawn from it; each must be known to the estimator.

    A misspelt parameter is an error of the call, not a fit that failed.
    """
    grids = _check_grids(param_grid, caller, draws=n_iter is not None)
    if not grids:
        raise InvalidInputError(
            argument="param_grid",
            caller=caller,
            rule="hold one setting or more",
            got=describe(param_grid),
        )
    if n_iter is None:
        candidates = list(ParameterGrid(grids))
    else:
        if not any(hasattr(values, "rvs") for grid in grids for values in grid.values()):
            n_iter = min(n_iter, len(ParameterGrid(grids)))  # more there are not to draw
        candidates = list(ParameterSampler(grids, n_iter, random_state=random_state))
    for params in candidates:
        _refuse_unknown(clone(estimator), params, caller)
    return candidates


def _check_grids(param_grid: object, caller: str, *, draws: bool) -> list[Mapping[str, Any]]:
    """Return the dicts of a grid; their values are lists or, to draw from, distributions."""
    rule = "be a dict of lists of values by parameter (str), or a list of such dicts"
    grids = [param_grid] if isinstance(param_grid, Mapping) else param_grid
    if not isinstance(grids, list | tuple) or not all(isinstance(one, Mapping) for one in grids):
        got = describe(param_grid)
        raise InvalidTypeError(argument="param_grid", caller=caller, rule=rule, got=got)
    for name, values in (pair for grid in grids for pair in grid.items()):
        is_list = isinstance(values, Sequence | np.ndarray) and not isinstance(values, str)
        if not isinstance(name, str) or not (is_list or (draws and hasattr(values, "rvs"))):
            got = f"{describe(values)} for {shorten(name)}"
            raise InvalidTypeError(argument="param_grid", caller=caller, rule=rule, got=got)
        if getattr(values, "ndim", 1) != 1 or (is_list and len(values) == 0):
            got = f"{shorten(values)} for {shorten(name)}"
            rule = "hold one value or more for each parameter, in one dimension"
            raise InvalidInputError(argument="param_grid", caller=caller, rule=rule, got=got)
    return list(grids)


def _refuse_unknown(estimator: Any, params: Params, caller: str) -> None:
    try:
        estimator.set_params(**clone(params, safe=False))
    except (AttributeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split()).removesuffix(".")
        raise InvalidInputError(
            argument="param_grid",
            caller=caller,
            problem=f"must hold parameters of the estimator: {reason}",
        ) from error


def _prepare(estimator: Any, params: Params) -> Any:
    return clone(estimator).set_params(**clone(params, safe=False))


def fit_candidates(
    candidates: list[Params], tasks: list[Task | None], work: Work, n_jobs: int | None
) -> Generator[Fitted]:
    """Fit all candidates, several at once, and give them in their order as soon as they come."""
    trees = _shared_trees(candidates, work, threads_here(n_jobs))
    shared, sent = _send_once(work, trees)
    jobs = [
        delayed(_fit)(params, task, shared, sent.get(_min_points_of(params, work)))
        for params, task in zip(candidates, tasks, strict=True)
    ]
    if n_jobs is not None and n_jobs > 0:
        n_jobs = min(n_jobs, len(candidates))  # each is a process, which takes a second to start
    found = _begin(jobs, n_jobs)
    try:
        for fitted in found:  # noqa: UP028 - an early end must reach the lines below first
            yield fitted
    finally:
        with warnings.catch_warnings():
            # After an error that is raised, nobody waits for the others.
            warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)
            found.close()


def _send_once(
    work: Work, trees: Mapping[int | None, DensityTree]
) -> tuple[Any, Mapping[Any, Any]]:
    """Bring points and trees to the workers of a Dask cluster, if joblib sends its work to one."""
    if not has_cluster():
        return work, trees  # which are laid out when they are asked for
    first, *others = send_once(work, *(trees[key] for key in trees))
    return first, dict(zip(trees, others, strict=True))


def _shared_trees(
    candidates: list[Params], work: Work, n_jobs: int
) -> Mapping[int | None, DensityTree]:
    """The trees that our own clusterers would build one by one, found together.

    Values that cannot be, and points that have no tree, are left to the candidates: they say so.
    """
    own = work.estimator
    has_one_metric = not any({"metric", "metric_params"} & params.keys() for params in candidates)
    if not (isinstance(own, TreeClusterer) and has_one_metric and len(candidates) > 1):
        return {}
    values = {_min_points_of(params, work) for params in candidates} - {None}
    with contextlib.suppress(ArgumentError):
        trees: Mapping[Any, DensityTree] = DensityTree.for_min_points(
            work.array,
            cast("set[int]", values),
            metric=own.metric,
            metric_params=own.metric_params,
            n_jobs=n_jobs,
        )
        return trees
    return {}


def _min_points_of(params: Params, work: Work) -> int | None:
    """The `min_points` of a candidate, if it has one that can be."""
    value = params.get("min_points", getattr(work.estimator, "min_points", None))
    if not isinstance(value, int | np.integer) or not 1 <= value <= len(work.array):
        return None
    return None if isinstance(value, bool) else int(value)


def _begin(jobs: list[Any], n_jobs: int | None) -> Any:
    """Begin jobs in processes; where none can be started, they are done here, one by one."""
    try:
        return _parallel(n_jobs)(jobs)
    except (OSError, RuntimeError) as error:
        if not is_refused_start(error):
            raise
        return _parallel(1)(jobs)


def _parallel(n_jobs: int | None) -> Callable[..., Any]:
    try:
        parallel: Callable[..., Any] = Parallel(n_jobs=n_jobs, return_as="generator")
    except ValueError:  # a backend that gives all results at once, at the end
        return lambda jobs: (fitted for fitted in Parallel(n_jobs=n_jobs)(jobs))
    return parallel


def _fit(params: Params, task: Task | None, work: Work, tree: DensityTree | None) -> Fitted:
    estimator = _prepare(work.estimator, params)
    if tree is not None:
        give_tree(estimator, tree)
    X = _writable_copy(work.X)
    begin = time.perf_counter()
    try:
        with contextlib.nullcontext() if task is None else task.around(estimator, X):
            labels = _find_labels(estimator, X, work.fit_params)
    except Exception as error:
        if work.must_raise:
            raise
        return Fitted(None, None, in_words(error), time.perf_counter() - begin)
    return Fitted(estimator, labels, None, time.perf_counter() - begin)


def _find_labels(estimator: Any, X: Any, fit_params: Mapping[str, Any]) -> NDArray[Any]:
    if hasattr(estimator, "fit_predict"):
        return np.asarray(estimator.fit_predict(X, **fit_params))
    return np.asarray(estimator.fit(X, **fit_params).labels_)


def _writable_copy(X: Any) -> Any:
    """Copy an array or a data frame: some clusterers write to it, some refuse what is read-only."""
    return np.array(X) if isinstance(X, np.ndarray) else copy.deepcopy(X)
