"""What decides between labelings: an index, or a function; and indices as scorers."""

from __future__ import annotations

import hashlib
import math
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._input.clustering import Clustering, label_points
from disco_cvi._input.labels import check_labels
from disco_cvi._input.metric import check_metric
from disco_cvi._input.options import check_jobs
from disco_cvi._input.points import METRIC, Points, open_points
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.indices.index_info import IndexInfo, IndexTable, options_of
from disco_cvi.indices.registry import available_indices
from disco_cvi.results.evaluation import check_parameters, value_of

_CALLER = "scorer"
# Options that belong to points and labels; the others are those of the index.
_NOT_OF_INDEX = ("metric", "metric_params", "noise_label", "n_jobs")
# The parts of a cross-validation are few; more point sets than this are not kept.
_MOST_KEPT = 10

# What `scoring` of a search may be: a name, a function, or several of these.
Scoring = str | Callable[..., float] | list[Any] | tuple[Any, ...]


@dataclass(frozen=True)
class Criterion:
    """One number for a labeling: an index with its options, or a user's function.

    A function takes points and labels, and greater is better.
    """

    name: str
    info: IndexInfo | None = None
    function: Callable[..., float] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> float:
        """1 if greater is better, -1 if lower is."""
        return 1.0 if self.info is None or self.info.greater_is_better else -1.0

    def judge(self, clustering: Clustering, *, must_raise: bool) -> tuple[float, str | None]:
        """Return the value, or NaN and the reason why there is none.

        What a user's function raises is a reason too, unless it must be raised.
        """
        if self.info is not None:
            found = value_of(clustering, self.info, self.options)
            return math.nan if found.value is None else found.value, found.reason
        assert self.function is not None
        try:
            labels = clustering.labels.codes.astype(np.intp)
            value = float(self.function(clustering.array.copy(), labels))
        except Exception as error:
            if must_raise:
                raise
            return math.nan, f"{self.name}: {type(error).__name__}: {error}"
        return value, f"{self.name} returned NaN." if math.isnan(value) else None


def index_criterion(
    name: object, options: Mapping[str, Any], argument: str, caller: str
) -> Criterion:
    """Return the criterion of an index by its name; its options are checked."""
    info = available_indices().find(name, argument, caller)
    own = check_parameters({info.name: options}, None, IndexTable((info,)), caller)[info.name]
    return Criterion(info.name, info, options=own)


def read_scoring(scoring: object, min_points: int, caller: str) -> tuple[Criterion, ...]:
    """Return the criteria that a user names; indices that have it get `min_points`."""
    several = scoring if isinstance(scoring, list | tuple) else [scoring]
    criteria = tuple(_read_one(one, min_points, caller) for one in several)
    names = [criterion.name for criterion in criteria]
    if not names or len(set(names)) < len(names):
        raise InvalidInputError(
            argument="scoring",
            caller=caller,
            rule="name one index or more, each once",
            got=describe(scoring),
        )
    return criteria


def _read_one(one: object, min_points: int, caller: str) -> Criterion:
    if isinstance(one, Scorer):
        shared = [name for name in _NOT_OF_INDEX[:3] if name in one.options]
        if shared:
            raise InvalidInputError(
                argument="scoring",
                caller=caller,
                rule=f"leave {shared[0]} to {caller}, as all indices share it",
                got=repr(one),
            )
        criterion = one.criterion
    elif isinstance(one, str):
        criterion = index_criterion(one, {}, "scoring", caller)
    elif callable(one):
        name = getattr(one, "__name__", type(one).__name__)
        # A function of ours is its index, so that its direction is known.
        infos = [info for info in available_indices() if info.function_name == name]
        if not infos or infos[0].function is not one:
            return Criterion(name, function=one)
        criterion = index_criterion(infos[0].name, {}, "scoring", caller)
    else:
        raise InvalidTypeError(
            argument="scoring",
            caller=caller,
            rule="be the name of an index, a function of points and labels, or a list of these",
            got=describe(one),
        )
    assert criterion.info is not None
    if "min_points" not in options_of(criterion.info):
        return criterion
    return replace(criterion, options={"min_points": min_points, **criterion.options})


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


class Scorer:
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
        self.options = dict(options)
        of_index = {name: value for name, value in options.items() if name not in _NOT_OF_INDEX}
        self.criterion = index_criterion(index, of_index, "index", _CALLER)
        self._of_points = {
            name: options[name] for name in ("n_jobs", "metric", "metric_params") if name in options
        }
        self._noise_label = options.get("noise_label", -1)
        self._token = token or uuid.uuid4().hex
        self._kept: dict[bytes, Points] = {}
        self._lock = Lock()
        # Now, not at the first score, it is said what is wrong with an option.
        metric = options.get("metric")
        check_metric(METRIC if metric is None else metric, options.get("metric_params"), _CALLER)
        check_jobs(options.get("n_jobs"), _CALLER)
        check_labels([0], 1, self._noise_label, _CALLER)

    def __call__(self, estimator: Any, X: ArrayLike, y: object = None) -> float:  # noqa: ARG002
        """Return what the index says of the labels that an estimator gives to points."""
        points = self._points_of(X)
        labels = _labels_of(estimator, X, points.n_points)
        clustering = label_points(points, labels, self._noise_label)
        value, _ = self.criterion.judge(clustering, must_raise=True)
        return self.criterion.sign * value

    def __repr__(self) -> str:
        shown = [repr(self.criterion.name)]
        shown += [f"{name}={shorten(value)}" for name, value in self.options.items()]
        return f"scorer({', '.join(shown)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Scorer:
        return Scorer(self.criterion.name, self.options)

    def __reduce__(self) -> tuple[Callable[..., Scorer], tuple[Any, ...]]:
        return _arrive, (self._token, self.criterion.name, self.options)

    def _points_of(self, X: ArrayLike) -> Points:
        """Return the points with all that was computed of them before; the latest few are kept."""
        points = open_points(X, _CALLER, is_shared=True, **{"n_jobs": None, **self._of_points})
        key = hashlib.blake2b(points.array.tobytes(), digest_size=16).digest()
        key += str(points.array.shape).encode()
        with self._lock:
            points = self._kept.pop(key, points)
            self._kept[key] = points
            while len(self._kept) > _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
        return points


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


def _labels_of(estimator: Any, X: ArrayLike, n_points: int) -> NDArray[Any]:
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
