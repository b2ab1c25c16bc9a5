"""What a cell may hold: an index of a labeling, by its definition or as published, and counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.labels import check_labels
from disco_cvi._input.options import check_choice
from disco_cvi._input.points import MIN_POINTS
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_cvi.indices.disco import DiscoParts, disco_parts
from disco_cvi.indices.index_info import IndexInfo
from disco_cvi.indices.registry import available_indices
from disco_cvi.results.agreement import FoundNoise, adjusted_rand
from disco_paper.cells.cell import Spec, Value
from disco_paper.cells.source import Case

# What measures a case, given the options of its name.
Measure: TypeAlias = Callable[..., Value]

# So many points compile all that is needed before a call is timed; fewer where they are long.
_POINTS_TO_WARM_UP = 1000
_LONG_POINTS_TO_WARM_UP = 200
_LONG = 1000


def measure(index: Spec, case: Case, own: Mapping[str, Measure] | None = None) -> Value:
    """Compute what a cell holds.

    Parameters
    ----------
    index : Spec
        An index of this package (with ``variant="published"`` as the paper's program computes it;
        further options are those of its function), or one of:

        - "ari": adjusted Rand index with the truth, which keeps its noise as one class; noise of
          the labels is many classes of one point (``noise="alone"``, the default), is "one class",
          or is "left out" together with its points
        - "n_points", "n_dimensions", "n_clusters", "n_noise": counts; "labels": the labels
        - "disco parts": means of "disco", "rho_cluster", "rho_sparse", "rho_far", None where there
          is no such point; "disco samples": the score of every point (both: ``min_points=5``)
        - "seconds": how long one call takes, with nothing computed before (``index``, ``variant``)
    case : Case
    own : mapping, optional
        Further measures by name, which are looked at first; called with the case and the options.

    Returns
    -------
    JSON value

    Raises
    ------
    UndefinedScoreError
        If there is no value, with the reason as a sentence.
    InvalidInputError
        If nothing has this name.
    """
    options = dict(index.options)
    if own and index.name in own:
        return own[index.name](case, **options)
    if index.name in _MEASURES:
        return _MEASURES[index.name](case, **options)
    return _score(case.clustering, index.name, **options)


def min_points_of(index: Spec) -> int | None:
    """Return the `min_points` of the density tree that a measure needs, or None if it needs none.

    >>> from disco_paper.cells.cell import spec
    >>> [min_points_of(spec(name)) for name in ("disco", "disco parts", "silhouette", "ari")]
    [5, 5, None, None]
    """
    of_trees = {info.name for info in available_indices() if info.needs == "tree"}
    if index.name not in of_trees | {"disco parts", "disco samples"}:
        return None
    return cast("int", dict(index.options).get("min_points", MIN_POINTS))


# --- indices ------------------------------------------------------------------------------------


def _score(clustering: Clustering, name: str, **options: Any) -> float:
    """The value of an index, which is always finite."""
    is_published = _is_published(name, options.pop("variant", "original"))
    info = _info(name)
    who = f"The published {info.title}" if is_published else info.title
    try:
        value = _function(name, is_published=is_published)(clustering, **options)
    except ZeroDivisionError as error:
        raise UndefinedScoreError(f"{who} divides by 0 here.") from error
    if math.isnan(value):
        raise UndefinedScoreError(f"{who} divides 0 by 0 here.")
    if math.isinf(value):
        raise UndefinedScoreError(f"{who} is {value:+} here.")
    return value


def _function(name: str, *, is_published: bool) -> Callable[..., float]:
    # The paper's Silhouette is the Silhouette.
    if not is_published or name == "silhouette":
        return _info(name).evaluate
    module = import_module(f"disco_paper.published.{name}")
    function: Callable[..., float] = getattr(module, f"evaluate_published_{name}")
    return function


def _info(name: str) -> IndexInfo:
    known = {info.name: info for info in available_indices()}
    if name not in known:
        listed = ", ".join([*known, *_MEASURES])
        message = f"index of measure must be one of {listed}; got {name!r}."
        raise InvalidInputError(message)
    return known[name]


def _is_published(name: str, variant: object) -> bool:
    # The paper's DISCO is DISCO.
    allowed = ("original",) if name == "disco" else ("original", "published")
    if variant not in allowed:
        listed = " or ".join(map(repr, allowed))
        message = f"variant of the index {name} must be {listed}; got {variant!r}."
        raise InvalidInputError(message)
    return variant == "published"


# --- others -------------------------------------------------------------------------------------


def _ari(case: Case, noise: FoundNoise = "alone") -> float:
    check_choice(noise, get_args(FoundNoise), "noise", "ari")
    truth = check_labels(case.source.truth, len(case.labels), -1, "ari")
    return adjusted_rand(truth, case.clustering.labels, noise)


def _parts(case: Case, min_points: int) -> DiscoParts:
    return disco_parts(case.clustering, min_points)


def _disco_parts(case: Case, min_points: int = 5) -> dict[str, float | None]:
    parts = _parts(case, min_points)
    is_noise = case.clustering.labels.codes < 0
    return {
        "disco": _mean(parts.samples),
        "rho_cluster": _mean(parts.samples[~is_noise]),
        "rho_sparse": _mean(parts.rho_sparse[is_noise]),
        "rho_far": _mean(parts.rho_far[is_noise]),
    }


def _mean(values: NDArray[np.float64]) -> float | None:
    """The mean; None if there is nothing, or nothing that has a value."""
    return None if not len(values) or np.isnan(values).any() else exact_mean(values)


def _disco_samples(case: Case, min_points: int = 5) -> list[float]:
    samples: list[float] = _parts(case, min_points).samples.tolist()
    return samples


def _seconds(case: Case, index: str, **options: Any) -> float:
    """Time one call, undefined or not, of a clustering that knows nothing yet."""
    points, labels = case.source.points, case.labels
    enough = _POINTS_TO_WARM_UP if points.shape[1] < _LONG else _LONG_POINTS_TO_WARM_UP
    some = slice(None, None, max(1, len(points) // enough))
    _attempt(_open(np.ascontiguousarray(points[some]), labels[some]), index, options)
    begin = time.perf_counter()
    _attempt(_open(points, labels), index, options)
    return time.perf_counter() - begin


def _open(points: NDArray[np.float64], labels: NDArray[np.int64]) -> Clustering:
    return open_clustering(points, labels, noise_label=-1, n_jobs=None, caller="measure")


def _attempt(clustering: Clustering, index: str, options: Mapping[str, Any]) -> None:
    try:
        _score(clustering, index, **options)
    except UndefinedScoreError:
        return


_MEASURES: dict[str, Measure] = {
    "ari": _ari,
    "n_points": lambda case: case.clustering.n_points,
    "n_dimensions": lambda case: case.source.points.shape[1],
    "n_clusters": lambda case: case.clustering.labels.n_clusters,
    "n_noise": lambda case: case.clustering.labels.n_noise,
    "labels": lambda case: case.labels.tolist(),
    "disco parts": _disco_parts,
    "disco samples": _disco_samples,
    "seconds": _seconds,
}
