"""ClusteringSearch: many settings of a clusterer, one density tree, the best by an index."""

from __future__ import annotations

import copy
import math
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import Any, NamedTuple, Self

import numpy as np
from narwhals.dependencies import is_pandas_dataframe, is_polars_dataframe
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin, clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import ParameterGrid, ParameterSampler
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from disco_cvi._compute.progress import progress
from disco_cvi._input.arrays import is_real_number
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels, check_labels
from disco_cvi._input.options import check_count, check_jobs, check_min_points
from disco_cvi._input.points import METRIC, Points, index_of, open_points, refuse_other_rows
from disco_cvi._output.tables import Card, CardTable, RichDisplay
from disco_cvi._output.words import count, describe, percent, shorten
from disco_cvi.cluster.tree_clusterer import check_samples, threads_here
from disco_cvi.density_tree.tree import density_tree_of
from disco_cvi.exceptions import (
    ArgumentError,
    InvalidInputError,
    InvalidTypeError,
    UndefinedScoreError,
)
from disco_cvi.indices.registry import available_indices
from disco_cvi.results.agreement import adjusted_rand, partition_key
from disco_cvi.selection.scorer import Criterion, Scoring, index_criterion, read_scoring

_CALLER = "ClusteringSearch"
_SHOWN = 10  # candidates in a notebook
_FACTS = ("disco", "n_clusters", "noise_share", "largest_share", "adjusted_rand")
# The columns of results_ whatever the criteria are called; "disco" may be asked for as well.
_OWN_COLUMNS = ("params", "score", "rank", *_FACTS[1:], "fit_time", "score_time", "error")


class _Fitted(NamedTuple):
    """A candidate after its fit: labels, or the error in words."""

    estimator: Any
    labels: NDArray[Any] | None
    error: str | None
    seconds: float


class _Settings(NamedTuple):
    """The parameters of a search, checked; `decisive` is the place of what decides."""

    min_points: int
    criteria: tuple[Criterion, ...]
    decisive: int
    error_score: float
    must_raise: bool


def _can_predict(search: Any) -> bool:
    """Say whether the chosen estimator has `predict`; before `fit`, the one that was given."""
    if not search.refit:
        message = f"predict of {_CALLER} needs the chosen estimator; set refit to True."
        raise AttributeError(message)
    return bool(getattr(search, "best_estimator_", search.estimator).predict)


# scikit-learn ships no types.
class ClusteringSearch(MetaEstimatorMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Try many settings of a clusterer, and take the one whose labels score best.

    No folds and no true labels: every candidate is fitted once to all points, and its labels are
    scored. One density tree serves all of them, and equal labelings are scored once.

    Scores are those of the `X` that `fit` gets. ``make_pipeline(StandardScaler(),
    ClusteringSearch(DBSCAN(), grid))`` scores the scaled points;
    ``ClusteringSearch(make_pipeline(StandardScaler(), DBSCAN()), grid)`` scores the points as they
    come, and so can compare ways to prepare them.

    Parameters
    ----------
    estimator : clusterer
        With `fit_predict`, or with `fit` and `labels_`: clusterers of scikit-learn and hdbscan,
        Gaussian mixtures, pipelines that end in one of these. The label -1 is noise.
    param_grid : dict of str to list, or list of such dicts
        Values to try by parameter, as in scikit-learn's GridSearchCV; with `n_iter`, also
        distributions to draw from. A step of a pipeline may be a parameter.
    n_iter : int, optional
        How many settings to draw; None: all of the grid.
    scoring : str, callable, or list of these, default="pairs"
        "pairs" is `pair_score`, made for choosing. Or any name that `available_indices` lists, or
        with options of its own ``scorer(name, ...)``; the best is the smallest where lower is
        better. Or a function ``(X, labels) -> float`` of which greater is better. Of several, the
        first decides unless `refit` names another.
    refit : bool or str, default=True
        Whether to keep the best candidate as `best_estimator_`; it is not fitted again. A name out
        of `scoring` says which one decides.
    min_points : int, default=5
        Of the density tree, and of all indices that have it. Fewer points: as many as there are.
    metric : str or callable, default="euclidean"
        How the scores measure distances, see `DensityTree`; the clusterer has its own. "euclidean"
        is the default of every index (DBCV: squared). With "precomputed", `X` holds distances and
        the clusterer must take them.
    error_score : "raise" or float, default=nan
        The score of a candidate whose fit fails, which is never chosen; "raise" raises the error.
    n_jobs : int, optional
        How many candidates are fitted at once, in processes unless `joblib.parallel_config` says
        otherwise, and threads of the scores. None: 1, or what `joblib.parallel_config` says.
    random_state : int, RandomState or None, default=None
        For drawing `n_iter` settings.
    verbose : int, default=0
        From 1 on, long searches show a progress bar.

    Attributes
    ----------
    results_ : dict of str to array
        A row for each candidate; ``pandas.DataFrame(search.results_)`` shows them. Columns:
        `params` and, masked where a candidate does not have it, `param_<name>`; `score` (what
        decides) and `rank` (1 is the best, no two are equal); if `scoring` names several, a column
        for each, called as `available_indices` or the function is; `disco`, `n_clusters`,
        `noise_share`, `largest_share` (share of the largest cluster among the clustered points);
        `adjusted_rand` if `y` was given; `fit_time` and `score_time` in seconds; `error`, in words,
        if the fit failed or an index has no value.
    best_index_ : int
        The row of the best candidate. Equal scores: fewer clusters, less noise, the earlier one.
    best_params_ : dict
        Its setting.
    best_score_ : float
        Its score.
    best_estimator_ : estimator
        The candidate itself, unless `refit` is False.
    labels_ : ndarray of shape (n,)
        Its labels.
    tree_ : DensityTree
        The tree of all points: its `dbscan` and `hdbscan` label them anew at once.
    n_features_in_ : int
        Number of columns of `X`.
    feature_names_in_ : ndarray of str
        Their names, if `X` is a data frame.

    See Also
    --------
    disco_cvi.scorer : The same scores for scikit-learn's own searches.

    Notes
    -----
    Further arguments of `fit`, such as `sample_weight`, reach the clusterer; scores count every row
    once.

    CVNN is that of each labeling alone; `cvnn_indices` weighs several against each other.

    Examples
    --------
    >>> from sklearn.cluster import DBSCAN
    >>> from disco_cvi.selection import ClusteringSearch
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [40, 40]]
    >>> search = ClusteringSearch(DBSCAN(min_samples=3), {"eps": [0.5, 1.5, 20]}, min_points=3)
    >>> search.fit(X).best_params_
    {'eps': 1.5}
    >>> search.labels_
    array([ 0,  0,  0,  0,  1,  1,  1,  1, -1])
    >>> search.results_["n_clusters"]
    array([0, 2, 1])
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        n_iter: int | None = None,
        scoring: Scoring = "pairs",
        refit: bool | str = True,
        min_points: int = 5,
        metric: str | Callable[..., float] = "euclidean",
        error_score: float | str = math.nan,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.n_iter = n_iter
        self.scoring = scoring
        self.refit = refit
        self.min_points = min_points
        self.metric = metric
        self.error_score = error_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike | None = None, **fit_params: Any) -> Self:
        """Fit and score all candidates.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
            The points. Clusterers get a copy; of a pandas or polars data frame, a data frame.
        y : array-like of shape (n,), optional
            True labels. They add the column `adjusted_rand` (noise that was found counts as
            clusters of one point) and never decide.
        **fit_params : object
            Passed on to the clusterer.

        Returns
        -------
        ClusteringSearch
            Itself.
        """
        _check_estimator(self.estimator)
        refuse_other_rows(y, index_of(X), "y", _CALLER)
        array = check_samples(self, X, _CALLER)
        settings = self._read_settings(len(array))
        candidates = self._list_candidates()
        judge = self._open_judge(array, y, settings)
        given = _frame_or(array, X)
        # Each as soon as it is fitted: only the best of the estimators is kept.
        n_jobs = self.n_jobs
        if n_jobs is not None and n_jobs > 0:  # each is a process, which takes a second to start
            n_jobs = min(n_jobs, len(candidates))
        found = Parallel(n_jobs=n_jobs, return_as="generator")(
            delayed(_fit)(self.estimator, params, given, fit_params, settings.must_raise)
            for params in candidates
        )
        rows, best, order = [], None, None
        with progress("trying settings", len(candidates), shown=bool(self.verbose)) as bar:
            for position, (params, fitted) in enumerate(zip(candidates, found, strict=True)):
                row = {"params": params, "fit_time": fitted.seconds} | judge.judge(fitted)
                row["order"] = (*_order(row, settings), position)
                rows.append(row)
                if not row["order"][0] and (order is None or row["order"] < order):
                    best, order = fitted, row["order"]
                bar.step()
        _report_failures(rows, settings.error_score)
        if best is None:
            reason = next(row["error"] for row in rows if not math.isnan(row["noise_share"]))
            name = settings.criteria[settings.decisive].name
            message = f"No candidate of {_CALLER} has a value of {name}. Of the first it is said: "
            raise UndefinedScoreError(f"{message}{reason}")
        self.results_ = _make_columns(rows, settings, has_truth=y is not None)
        self.tree_ = density_tree_of(judge.points, settings.min_points)
        self.best_index_ = int(self.results_["rank"].argmin())
        self.best_params_ = self.results_["params"][self.best_index_]
        self.best_score_ = float(self.results_["score"][self.best_index_])
        self.labels_ = np.asarray(best.labels)
        self.__dict__.pop("best_estimator_", None)
        if self.refit:
            self.best_estimator_ = best.estimator
        return self

    @available_if(_can_predict)  # type: ignore[untyped-decorator]
    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Label other points by the best candidate, if its kind can.

        Parameters
        ----------
        X : array-like of shape (m, d)
            Points with as many columns as those of `fit`.

        Returns
        -------
        ndarray of shape (m,)
            What `predict` of `best_estimator_` returns.
        """
        check_is_fitted(self)
        array = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        return np.asarray(self.best_estimator_.predict(_frame_or(array, X)))

    def _read_settings(self, n_points: int) -> _Settings:
        if self.n_iter is not None:
            check_count(self.n_iter, "n_iter", _CALLER)
        check_jobs(self.n_jobs, _CALLER)
        if not isinstance(self.verbose, bool | np.bool_):
            check_count(self.verbose, "verbose", _CALLER, least=0)
        min_points = min(check_min_points(self.min_points, None, _CALLER), n_points)
        criteria = read_scoring(self.scoring, min_points, _CALLER)
        taken = [one.name for one in criteria if one.name in _OWN_COLUMNS]
        if taken and len(criteria) > 1:
            raise InvalidInputError(
                argument="scoring",
                caller=_CALLER,
                rule="not have the name of a column of results_",
                got=repr(taken[0]),
            )
        decisive = _decisive(self.refit, [one.name for one in criteria])
        return _Settings(min_points, criteria, decisive, *_read_error_score(self.error_score))

    def _list_candidates(self) -> list[dict[str, Any]]:
        """Return all settings of the grid, or some drawn from it.

        A misspelt parameter is an error of the call, not a fit that failed.
        """
        try:
            if self.n_iter is None:
                candidates = list(ParameterGrid(self.param_grid))
            else:
                drawn = ParameterSampler(
                    self.param_grid, self.n_iter, random_state=self.random_state
                )
                candidates = list(drawn)
            for params in candidates:
                clone(self.estimator).set_params(**clone(params, safe=False))
        except (AttributeError, TypeError, ValueError) as error:
            kind = InvalidTypeError if isinstance(error, TypeError) else InvalidInputError
            reason = " ".join(str(error).split()).removesuffix(".")
            problem = f"must hold values by the parameters of the estimator: {reason}"
            raise kind(argument="param_grid", caller=_CALLER, problem=problem) from error
        if not candidates:
            raise InvalidInputError(
                argument="param_grid",
                caller=_CALLER,
                rule="hold one setting or more",
                got=describe(self.param_grid),
            )
        return candidates

    def _open_judge(self, array: NDArray[Any], y: object, settings: _Settings) -> _Judge:
        """Build the tree, and make ready for labelings."""
        points = open_points(
            array,
            _CALLER,
            n_jobs=threads_here(self.n_jobs),
            # Indices that are not Euclidean by default stay what they are unless told otherwise.
            metric=None if self._is_metric(METRIC) else self.metric,
            is_shared=True,
        )
        truth = None if y is None else check_labels(y, len(array), -1, _CALLER, argument="y")
        density_tree_of(points, settings.min_points)  # first of all: it says what is wrong with X
        return _Judge(points, settings, truth)

    def _is_metric(self, name: str) -> bool:
        """Whether the metric is that of a name; pandas' NA and arrays do not say if they are."""
        return isinstance(self.metric, str) and self.metric == name

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):
            inner = get_tags(self.estimator)
            tags.non_deterministic = inner.non_deterministic
            tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.pairwise |= self._is_metric("precomputed")
        tags.input_tags.sparse = False
        return tags


# --- parameters -----------------------------------------------------------------------------------


def _check_estimator(estimator: object) -> None:
    got, remedy = describe(estimator), None
    if isinstance(estimator, type):
        got, remedy = f"the class {estimator.__name__}", f"Pass {estimator.__name__}()."
    elif hasattr(estimator, "fit_predict") or hasattr(estimator, "fit"):
        return
    rule = "be a clusterer: an object with fit_predict, or with fit and labels_"
    raise InvalidTypeError(argument="estimator", caller=_CALLER, rule=rule, got=got, remedy=remedy)


def _decisive(refit: object, names: list[str]) -> int:
    """Return the place of the criterion that decides: the first, or the one that `refit` names."""
    if isinstance(refit, bool | np.bool_):
        return 0
    if isinstance(refit, str):
        name = refit
        if refit not in names:
            name = available_indices().find(refit, "refit", _CALLER).name
        if name in names:
            return names.index(name)
    raise InvalidInputError(
        argument="refit",
        caller=_CALLER,
        rule=f"be True, False, or a name out of scoring ({', '.join(names)})",
        got=describe(refit),
    )


def _read_error_score(error_score: object) -> tuple[float, bool]:
    """Return the score of a fit that fails, and whether its error is raised instead."""
    if isinstance(error_score, str) and error_score == "raise":
        return math.nan, True
    try:
        if isinstance(error_score, bool) or is_real_number(error_score):
            return float(error_score), False
    except OverflowError:  # an integer beyond all floats
        pass
    raise InvalidInputError(
        argument="error_score",
        caller=_CALLER,
        rule="be 'raise' or a number",
        got=describe(error_score),
    )


# --- candidates -----------------------------------------------------------------------------------


def _frame_or(array: NDArray[Any], X: Any) -> Any:
    """Return a data frame as it is, as steps of a pipeline may ask for columns by their names."""
    return X if is_pandas_dataframe(X) or is_polars_dataframe(X) else array


def _fit(
    estimator: Any,
    params: dict[str, Any],
    X: Any,
    fit_params: dict[str, Any],
    must_raise: bool,  # noqa: FBT001
) -> _Fitted:
    estimator = clone(estimator).set_params(**clone(params, safe=False))
    X = copy.deepcopy(X)  # some clusterers write to it, some refuse what is read-only
    begin = time.perf_counter()
    labels, error = None, None
    try:
        if hasattr(estimator, "fit_predict"):
            labels = np.asarray(estimator.fit_predict(X, **fit_params))
        else:
            labels = np.asarray(estimator.fit(X, **fit_params).labels_)
    except Exception as failure:
        if must_raise:
            raise
        estimator, error = None, f"{type(failure).__name__}: {failure}"
    return _Fitted(estimator, labels, error, time.perf_counter() - begin)


class _Judge:
    """Judges labelings of the same points; equal ones once."""

    def __init__(self, points: Points, settings: _Settings, truth: Labels | None) -> None:
        self.points = points
        self._settings = settings
        self._disco = index_criterion(
            "disco", {"min_points": settings.min_points}, "scoring", _CALLER
        )
        self._truth = truth
        self._known: dict[bytes, dict[str, Any]] = {}

    def judge(self, fitted: _Fitted) -> dict[str, Any]:
        """Return the values of all criteria and the facts on the labels of a candidate.

        The share of noise is NaN where there are no labels that can be judged.
        """
        begin = time.perf_counter()
        failed = dict.fromkeys(_FACTS, math.nan) | {
            "n_clusters": 0,
            "values": [self._settings.error_score] * len(self._settings.criteria),
            "score_time": math.nan,
        }
        if fitted.labels is None:
            return failed | {"error": fitted.error}
        try:
            argument = "the labels of a candidate"
            labels = check_labels(
                fitted.labels, self.points.n_points, -1, _CALLER, argument=argument
            )
        except ArgumentError as error:
            if self._settings.must_raise:
                raise
            return failed | {"error": f"{type(error).__name__}: {error}"}
        key = partition_key(labels)
        if key not in self._known:
            self._known[key] = self._judge(labels)
        return self._known[key] | {"score_time": time.perf_counter() - begin}

    def _judge(self, labels: Labels) -> dict[str, Any]:
        clustering = Clustering(self.points, labels)
        must_raise = self._settings.must_raise
        found = [one.judge(clustering, must_raise=must_raise) for one in self._settings.criteria]
        n_clustered = labels.n_points - labels.n_noise
        return {
            "values": [value for value, _ in found],
            "disco": self._disco.judge(clustering, must_raise=must_raise)[0],
            "n_clusters": labels.n_clusters,
            "noise_share": labels.n_noise / labels.n_points,
            "largest_share": int(labels.sizes.max()) / n_clustered if n_clustered else math.nan,
            "adjusted_rand": None if self._truth is None else adjusted_rand(self._truth, labels),
            "error": " ".join(reason for _, reason in found if reason) or None,
        }


def _order(row: Mapping[str, Any], settings: _Settings) -> tuple[Any, ...]:
    """Return what candidates are sorted by.

    The better score, then fewer clusters (noise alone last), then less noise; what has no score or
    no labels comes last.
    """
    value = row["values"][settings.decisive]
    if math.isnan(value) or math.isnan(row["noise_share"]):
        return True, 0.0, row["n_clusters"] == 0, row["n_clusters"], 0.0
    cost = -settings.criteria[settings.decisive].sign * value
    return False, cost, row["n_clusters"] == 0, row["n_clusters"], row["noise_share"]


# --- results --------------------------------------------------------------------------------------


class SearchResults(dict[str, Any], RichDisplay):
    """Columns with one value for each candidate; notebooks show the best of them."""

    def __repr__(self) -> str:
        best = int(self["rank"].argmin())
        found = f"{shorten(self['params'][best])}, score {self['score'][best]:.4g}"
        return f"SearchResults({count(len(self['params']), 'candidate')}; best: {found})"

    def _card(self) -> Card:
        rows = [("rank", "parameters", "score", "clusters", "noise")]
        for row in self["rank"].argsort()[:_SHOWN].tolist():
            params = ", ".join(f"{name}={value!r}" for name, value in self["params"][row].items())
            share = self["noise_share"][row]
            noise = "-" if math.isnan(share) else percent(share)
            score, n_clusters = f"{self['score'][row]:.4g}", str(self["n_clusters"][row])
            rows.append((str(self["rank"][row]), params, score, n_clusters, noise))
        n_rows = len(self["params"])
        caption = count(n_rows, "candidate")
        if n_rows > _SHOWN:
            caption += f", the best {_SHOWN} of them"
        return Card("SearchResults", tables=[CardTable(rows, frozenset([2, 3, 4]), caption)])


def _make_columns(
    rows: Sequence[dict[str, Any]], settings: _Settings, *, has_truth: bool
) -> SearchResults:
    """Return the columns, one value for each candidate."""
    ranks = np.empty(len(rows), np.int32)
    ranks[sorted(range(len(rows)), key=lambda row: rows[row]["order"])] = np.arange(len(rows)) + 1
    params = [row["params"] for row in rows]
    columns: dict[str, Any] = {"params": params}
    for name in dict.fromkeys(name for one in params for name in one):
        columns[f"param_{name}"] = _param_column(name, params)
    values = np.array([row["values"] for row in rows])
    columns |= {"score": values[:, settings.decisive], "rank": ranks}
    if len(settings.criteria) > 1:
        columns |= {one.name: values[:, i] for i, one in enumerate(settings.criteria)}
    for name in (*_FACTS[: 4 + has_truth], "fit_time", "score_time"):
        # DISCO with options of its own may have been asked for.
        columns.setdefault(name, np.array([row[name] for row in rows]))
    columns["error"] = np.array([row["error"] for row in rows], dtype=object)
    return SearchResults(columns)


def _param_column(name: str, params: Sequence[dict[str, Any]]) -> np.ma.MaskedArray[Any, Any]:
    """Return the values of a parameter, masked where a candidate does not have it."""
    rows = [i for i, one in enumerate(params) if name in one]
    values: NDArray[Any] = np.empty(len(rows), dtype=object)
    values[:] = [params[i][name] for i in rows]
    # Numbers stay numbers; all else, among it numbers beside None or booleans, stays as it is.
    are_bool = {isinstance(value, bool | np.bool_) for value in values}
    if len(are_bool) == 1 and all(isinstance(value, Real | np.bool_) for value in values):
        values = np.array(values.tolist())
    empty = np.zeros(len(params), values.dtype)
    column: np.ma.MaskedArray[Any, Any] = np.ma.MaskedArray(empty, mask=True)
    column[rows] = values
    return column


def _report_failures(rows: Sequence[dict[str, Any]], error_score: float) -> None:
    """Warn once if fits failed; raise if all did."""
    failed = [row["error"] for row in rows if math.isnan(row["noise_share"])]
    if not failed:
        return
    told = "\n".join(f"{times} x {error}" for error, times in Counter(failed).most_common())
    if len(failed) == len(rows):
        message = f"All {count(len(rows), 'fit')} of {_CALLER} failed:\n{told}"
        raise ValueError(message)
    warnings.warn(
        f"{len(failed):,} of {count(len(rows), 'fit')} of {_CALLER} failed; their score is "
        f"{error_score}, and they are never chosen:\n{told}",
        FitFailedWarning,
        stacklevel=3,
    )
