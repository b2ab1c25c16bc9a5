"""ClusteringSearch: many settings of a clusterer, one density tree, the best by an index."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple, Self, cast

import numpy as np
from narwhals.dependencies import is_pandas_dataframe, is_polars_dataframe
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClusterMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from disco_cvi._compute.progress import progress
from disco_cvi._input.labels import check_labels
from disco_cvi._input.points import METRIC, open_points
from disco_cvi._input.row_names import index_of, refuse_other_rows
from disco_cvi.cluster.tree_clusterer import check_samples, threads_here
from disco_cvi.density_tree.tree import density_tree_of, share_trees
from disco_cvi.exceptions import ArgumentError, UndefinedScoreError
from disco_cvi.selection.callbacks import CallbackSupport, candidate_tasks, with_callbacks
from disco_cvi.selection.candidates import (
    Fitted,
    Params,
    Work,
    check_estimator,
    fit_candidates,
    list_candidates,
)
from disco_cvi.selection.criteria import (
    Scoring,
    in_words,
    index_criterion,
)
from disco_cvi.selection.labelings import Judge, Judgement
from disco_cvi.selection.results import (
    Order,
    Row,
    make_columns,
    no_score,
    order_of,
    report_failures,
)
from disco_cvi.selection.settings import CALLER, Settings, read_settings


class _Choice(NamedTuple):
    """The best candidate so far."""

    order: Order
    fitted: Fitted


def _best_has(name: str) -> Callable[[Any], bool]:
    """Say whether the chosen estimator has a method; before `fit`, the one that was given."""

    def check(search: Any) -> bool:
        if not search.refit:
            message = f"{name} of {CALLER} needs the chosen estimator; set refit to True."
            raise AttributeError(message)
        getattr(getattr(search, "best_estimator_", search.estimator), name)
        return True

    return check


# scikit-learn ships no types.
class ClusteringSearch(MetaEstimatorMixin, CallbackSupport, ClusterMixin, BaseEstimator):  # type: ignore[misc]
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
        From 1 on, long searches show a progress bar. With scikit-learn 1.9 or newer,
        `set_callbacks` takes scikit-learn's own.

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
    once. With scikit-learn's metadata routing switched on, they must be requested.

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

    @with_callbacks
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
        check_estimator(self.estimator, CALLER)
        refuse_other_rows(y, index_of(X), "y", CALLER)
        array = check_samples(self, X, CALLER)
        settings = read_settings(self, len(array))
        candidates = list_candidates(
            self.estimator, self.param_grid, self.n_iter, self.random_state, CALLER
        )
        judge = self._open_judge(array, y, settings)
        routed = self._route(fit_params)
        work = Work(self.estimator, _frame_or(array, X), array, routed, settings.must_raise)
        with (
            candidate_tasks(self, len(candidates), X, y) as tasks,
            closing(fit_candidates(candidates, tasks, work, self.n_jobs)) as found,
        ):
            rows, best = self._judge_all(candidates, found, judge, settings)
        report_failures(rows, settings.error_score, CALLER)
        if best is None:
            raise UndefinedScoreError(no_score(rows, settings.criterion.name, CALLER))
        self.results_ = make_columns(rows, settings, has_truth=y is not None)
        self.tree_ = density_tree_of(judge.points, settings.min_points)
        self._adopt(best)
        return self

    def _open_judge(self, array: NDArray[Any], y: object, settings: Settings) -> Judge:
        """Build the tree, and make ready for labelings."""
        points = open_points(
            array,
            CALLER,
            n_jobs=threads_here(self.n_jobs),
            # Indices that are not Euclidean by default stay what they are unless told otherwise.
            metric=None if self._is_metric(METRIC) else self.metric,
            is_shared=True,
        )
        truth = None if y is None else check_labels(y, len(array), -1, CALLER, argument="y")
        share_trees(points, settings.min_points_of_trees)
        density_tree_of(points, settings.min_points)  # first of all: it says what is wrong with X
        disco = index_criterion("disco", {"min_points": settings.min_points}, "scoring", CALLER)
        return Judge(points, settings.criteria, disco, truth, settings.must_raise)

    def _judge_all(
        self, candidates: list[Params], found: Iterable[Fitted], judge: Judge, settings: Settings
    ) -> tuple[list[Row], _Choice | None]:
        """Judge candidates as they come; of the fitted ones only the best is kept."""
        rows: list[Row] = []
        best: _Choice | None = None
        with progress("trying settings", len(candidates), shown=bool(self.verbose)) as bar:
            for params, fitted in zip(candidates, found, strict=True):
                judged = _judge_one(fitted, judge, settings)
                order = order_of(judged, settings, len(rows))
                if not order.has_no_score and (best is None or order < best.order):
                    best = _Choice(order, fitted)
                rows.append(Row(params, fitted.seconds, judged))
                bar.step()
        return rows, best

    def _adopt(self, best: _Choice) -> None:
        """Set what is known of the best candidate."""
        index = best.order.position
        self.best_index_ = index
        self.best_params_ = self.results_["params"][index]
        self.best_score_ = float(self.results_["score"][index])
        self.labels_ = np.asarray(best.fitted.labels)
        if self.refit:
            self.best_estimator_ = best.fitted.estimator
        elif hasattr(self, "best_estimator_"):
            del self.best_estimator_

    def _route(self, fit_params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the arguments for the clusterer."""
        if not (fit_params and get_config()["enable_metadata_routing"]):
            return fit_params
        routed = process_routing(self, "fit", **fit_params)
        return cast("Mapping[str, Any]", routed["estimator"]["fit_predict"])

    @available_if(_best_has("predict"))  # type: ignore[untyped-decorator]
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

    def get_metadata_routing(self) -> Any:
        """Say which arguments of `fit` go where, for scikit-learn's metadata routing.

        Returns
        -------
        MetadataRouter
            All of them go to the clusterer.
        """
        mapping = MethodMapping().add(caller="fit", callee="fit_predict")
        return MetadataRouter(owner=CALLER).add(estimator=self.estimator, method_mapping=mapping)

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


def _frame_or(array: NDArray[Any], X: Any) -> Any:
    """Return a data frame as it is, as steps of a pipeline may ask for columns by their names."""
    return X if is_pandas_dataframe(X) or is_polars_dataframe(X) else array


def _judge_one(fitted: Fitted, judge: Judge, settings: Settings) -> Judgement:
    failed = Judgement((settings.error_score,) * len(settings.criteria))
    if fitted.labels is None:
        return replace(failed, error=fitted.error)
    try:
        labels = check_labels(
            fitted.labels, judge.points.n_points, -1, CALLER, argument="the labels of a candidate"
        )
    except ArgumentError as error:
        if settings.must_raise:
            raise
        return replace(failed, error=in_words(error))
    return judge.judge(labels)
