"""Indices as scorers for scikit-learn's own searches."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._input.clustering import label_points
from disco_cvi._input.labels import check_labels
from disco_cvi._input.metric import check_metric
from disco_cvi._input.options import check_jobs
from disco_cvi._input.points import METRIC, Points, open_points
from disco_cvi._output.words import count, shorten
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.selection.criteria import Criterion, HasCriterion, index_criterion

_CALLER = "scorer"
# Options that belong to points and labels; the others are those of the index.
_NOT_OF_INDEX = ("metric", "metric_params", "noise_label", "n_jobs")
# The parts of a cross-validation are few; more point sets than this are not kept.
_MOST_KEPT = 10


def scorer(index: str, **options: Any) -> Scorer:
    """Make a scorer for scikit-learn's GridSearchCV and its like out of an index.

    Greater is better: where an index is better when lower, its sign is turned. A labeling that the
    index is not defined for has NaN, which a search ranks last. What depends on the points alone,
    such as their density tree, is kept from one call to the next.

    Clusterings are seldom to be judged on other points than they were made of, so give the search
    one "fold" of all rows: ``cv=[(rows, rows)]`` with ``rows = np.arange(len(X))``. Or take
    `disco_cvi.selection.ClusteringSearch`, which needs no folds.

    Parameters
    ----------
    index : str
        A name that `available_indices` lists; "pairs" is `pair_score`, made for choosing.
    **options : object
        Options of the index, such as ``min_points=10``, and `metric`, `metric_params`,
        `noise_label`, `n_jobs`.

    Returns
    -------
    callable
        ``(estimator, X, y=None) -> float``: what the index says of the labels that a fitted
        estimator gives to `X`. These are `predict(X)` if there is such a method, or else `labels_`,
        which must be of the same points; `y` is not looked at. It can be pickled and cloned.

    Raises
    ------
    InvalidInputError, TypeError
        If there is no such index or option. The scorer itself raises them for an estimator that
        cannot label the points.

    Notes
    -----
    `labels_` are known to be of other points if they are of another number, or if core points that
    the estimator remembers, as DBSCAN does, are not rows of `X`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.cluster import DBSCAN
    >>> from sklearn.model_selection import GridSearchCV
    >>> from disco_cvi import scorer
    >>> X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [40, 40]])
    >>> rows, grid = np.arange(len(X)), {"eps": [0.5, 1.5, 20]}
    >>> by_pairs = scorer("pairs", min_points=3)
    >>> by_pairs
    scorer('pair', min_points=3)
    >>> search = GridSearchCV(DBSCAN(min_samples=3), grid, scoring=by_pairs, cv=[(rows, rows)])
    >>> search.fit(X).best_params_
    {'eps': 1.5}
    """
    return Scorer(index, options)


class Scorer(HasCriterion):
    """What `scorer` returns.

    Parameters
    ----------
    index : str
        Name of the index.
    options : dict
        Options of the index and of the points.
    token : str, optional
        Shared by all copies of a scorer that arrive in another process.
    """

    def __init__(self, index: str, options: Mapping[str, Any], token: str | None = None) -> None:
        self._options = dict(options)
        self.criterion = _read(index, self._options)
        self.of_points = [name for name in self._options if name in _NOT_OF_INDEX[:3]]
        self._noise_label = self._options.get("noise_label", -1)
        self._token = token or uuid.uuid4().hex
        self._kept: dict[bytes, Points] = {}
        self._lock = Lock()
        self._check()

    def __call__(self, estimator: Any, X: ArrayLike, y: object = None) -> float:  # noqa: ARG002
        """Return what the index says of the labels that an estimator gives to points."""
        points = self._points_of(X)
        labels = labels_of(estimator, X, points.n_points)
        clustering = label_points(points, labels, self._noise_label)
        value, _ = self.criterion.judge(clustering, must_raise=True)
        return self.criterion.sign * value

    def __repr__(self) -> str:
        shown = [repr(self.criterion.name)]
        shown += [f"{name}={shorten(value)}" for name, value in self._options.items()]
        return f"scorer({', '.join(shown)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Scorer:
        return Scorer(self.criterion.name, self._options)

    def __reduce__(self) -> tuple[Callable[..., Scorer], tuple[Any, ...]]:
        return _arrive, (self._token, self.criterion.name, self._options)

    def _check(self) -> None:
        """Say at once what is wrong with options that are not those of the index."""
        metric = self._options.get("metric")
        check_metric(
            METRIC if metric is None else metric, self._options.get("metric_params"), _CALLER
        )
        check_jobs(self._options.get("n_jobs"), _CALLER)
        check_labels([0], 1, self._noise_label, _CALLER)

    def _open(self, X: ArrayLike) -> Points:
        options = self._options
        return open_points(
            X,
            _CALLER,
            n_jobs=options.get("n_jobs"),
            metric=options.get("metric"),
            metric_params=options.get("metric_params"),
            is_shared=True,
        )

    def _points_of(self, X: ArrayLike) -> Points:
        """Return the points with all that was computed of them before; the latest few are kept."""
        points = self._open(X)
        key = hashlib.blake2b(points.array.tobytes(), digest_size=16).digest()
        key += str(points.array.shape).encode()
        with self._lock:
            points = self._kept.pop(key, points)
            self._kept[key] = points
            while len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return points


def _read(index: str, options: Mapping[str, Any]) -> Criterion:
    of_index = {name: value for name, value in options.items() if name not in _NOT_OF_INDEX}
    return index_criterion(index, of_index, "index", _CALLER)


# Where a search runs in processes, every task brings its own copy of the scorer. All of them are
# one, so that trees are kept from task to task; that of the last search alone.
_ARRIVED: dict[str, Scorer] = {}


def _arrive(token: str, index: str, options: Mapping[str, Any]) -> Scorer:
    found = _ARRIVED.get(token)
    if found is None:
        found = Scorer(index, options, token)
        _ARRIVED.clear()
        _ARRIVED[token] = found
    return found


def labels_of(estimator: Any, X: ArrayLike, n_points: int) -> NDArray[Any]:
    """Return the labels that a fitted estimator gives to points."""
    if hasattr(estimator, "predict"):
        return np.asarray(estimator.predict(X))
    last = estimator[-1] if hasattr(estimator, "steps") else estimator
    labels = getattr(last, "labels_", None)
    if labels is None:
        _refuse(estimator, "has neither predict nor labels_")
    if len(labels) != n_points:
        _refuse(
            estimator,
            f"was fitted to {count(len(labels), 'point')} and cannot label others, "
            f"here {n_points:,}",
        )
    if last is estimator and not _has_core_points(estimator, X):
        _refuse(estimator, "was fitted to other points and cannot label these")
    return np.asarray(labels)


def _has_core_points(estimator: Any, X: ArrayLike) -> bool:
    """Whether the core points that an estimator remembers are those rows of the points."""
    rows = getattr(estimator, "core_sample_indices_", None)
    core = getattr(estimator, "components_", None)
    if rows is None or core is None:
        return True
    return np.array_equal(np.asarray(X)[rows].astype(core.dtype), core)


def _refuse(estimator: Any, why: str) -> NoReturn:
    raise InvalidInputError(
        argument="estimator",
        caller=_CALLER,
        problem=f"must label the points that are scored; {type(estimator).__name__} {why}",
        remedy="In a search pass cv=[(rows, rows)] with rows = np.arange(len(X)).",
    )
