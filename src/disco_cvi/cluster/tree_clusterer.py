"""What clusterers have in common whose labels are cuts of a density tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from disco_cvi._input.arrays import as_two_dimensional
from disco_cvi._input.options import check_jobs, check_min_points
from disco_cvi._input.points import open_points
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.indices.pair import pair_score


class Cut(NamedTuple):
    """Labels, and how good they are."""

    labels: NDArray[np.int64]
    score: float

    @property
    def n_clusters(self) -> int:
        """Number of clusters; they are numbered from 0 on."""
        return int(self.labels.max()) + 1

    @property
    def rank(self) -> tuple[float, int, int]:
        """Smaller is better: a greater score, then fewer clusters, then less noise."""
        return -self.score, self.n_clusters, int((self.labels < 0).sum())


def threads_here(n_jobs: int | None) -> int:
    """As many threads as joblib allows, at most one for each CPU here: a cluster has more."""
    return min(int(effective_n_jobs(n_jobs)), check_jobs(-1, "joblib"))


def check_samples(estimator: Any, X: object, caller: str) -> NDArray[Any]:
    """Return the points of an estimator, two or more; it learns their number of columns and names.

    Points are what all our functions take, so scikit-learn is asked for the names of columns only.
    """
    try:
        array = as_two_dimensional(X, caller)
    except ArgumentError as error:
        raise _as_scikit_learn_says(error, X) from error.__cause__
    if len(array) < 2:
        rule = "hold two points or more"
        raise InvalidInputError(argument="X", caller=caller, rule=rule, got="1 sample")
    try:
        validate_data(estimator, X, skip_check_array=True)
    except (TypeError, ValueError):
        # Names that scikit-learn does not take: equal ones, or numbers among words.
        validate_data(estimator, array, skip_check_array=True)
    return array.astype(np.float32 if array.dtype == np.float32 else np.float64, copy=False)


def _as_scikit_learn_says(error: ArgumentError, X: object) -> ArgumentError:
    """Return the error with the words that scikit-learn's checks of estimators look for."""
    if not isinstance(X, np.ndarray):
        return error
    where: dict[str, Any] = {"argument": "X", "caller": error.caller}
    if X.dtype.kind == "c" and isinstance(error, InvalidTypeError):
        remedy = "Complex data not supported: pass real and imaginary parts as columns."
        return InvalidInputError(**where, rule=error.rule, got=error.got, remedy=remedy)
    if X.dtype.kind == "O" and isinstance(error, InvalidTypeError):
        remedy = "The argument must be free of string and other objects: convert them to numbers."
        return InvalidTypeError(**where, rule=error.rule, got=error.got, remedy=remedy)
    if X.ndim == 2 and len(X) and X.size == 0:
        shape = f"(shape=({len(X)}, 0))"
        problem = f"holds 0 feature(s) {shape} while a minimum of 1 is required"
        return InvalidInputError(**where, problem=problem)
    return error


# scikit-learn ships no types.
class TreeClusterer(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """A clusterer that builds a density tree and cuts it."""

    min_points: int
    metric: str | Callable[..., float]
    metric_params: dict[str, Any] | None
    n_jobs: int | None

    def fit(self, X: ArrayLike, y: object = None) -> Self:  # noqa: ARG002 - scikit-learn's manner
        """Build the tree of the points, and label them.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) for the metric "precomputed"
            The points, two or more, and at least `min_points` of them.
        y : object
            Not used; pipelines pass it.

        Returns
        -------
        self
            The clusterer itself.
        """
        caller = type(self).__name__
        if isinstance(X, DensityTree):
            remedy = "The tree itself has dbscan, hdbscan, eps_path and size_path."
            raise InvalidTypeError(
                argument="X", caller=caller, rule="be points", got="a DensityTree", remedy=remedy
            )
        self._check_options(caller)
        check_jobs(self.n_jobs, caller)
        min_points = check_min_points(self.min_points, None, caller)
        points = open_points(
            check_samples(self, X, caller),
            caller,
            n_jobs=threads_here(self.n_jobs),
            metric=self.metric,
            metric_params=self.metric_params,
            is_shared=True,
        )
        self.tree_ = density_tree_of(points, min_points)
        cut = self._cut(points.raw_array)
        self.labels_ = cut.labels
        self.score_ = cut.score
        self.n_clusters_ = cut.n_clusters
        return self

    def _judge(self, labels: NDArray[np.int64]) -> Cut:
        return Cut(labels, pair_score(self.tree_, labels))

    @abstractmethod
    def _check_options(self, caller: str) -> None:
        """Refuse wrong parameters before anything is computed."""

    @abstractmethod
    def _cut(self, array: NDArray[Any]) -> Cut:
        """Cut `tree_`, the tree of an array, and set what else is known of the cut."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags
