"""What a cell may hold: an index of a labeling, by its definition or as published, and counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from disco_cvi import available_indices, disco_samples, disco_score, explain, pair_score
from disco_cvi._for_paper import Clustering, label_points, nearest_points, open_points
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_paper.cells import Option, Spec, Value, spec
from disco_paper.published import PUBLISHED
from disco_paper.sources import Case, Source

# What measures a case, given the options of its name.
Measure = Callable[..., Value]
_INFOS = {info.name: info for info in available_indices()}


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
        - "with turned axes": an index of points by the axes that they span (``index``, ``variant``)
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
    options: dict[str, Any] = dict(index.options)
    measures = {**_MEASURES, **(own or {})}
    if index.name in measures:
        return measures[index.name](case, **options)
    if index.name not in _INFOS:
        listed = ", ".join([*_INFOS, *measures])
        raise InvalidInputError(f"There is no index {index.name!r}; there are {listed}.")
    return _score(case.clustering, index.name, **options)


# --- indices ------------------------------------------------------------------------------------


def _disco(case: Case, min_points: int = 5) -> float:
    return disco_score(case.source.density_tree(min_points), case.labels)


def _pair(case: Case, min_points: int = 5) -> float:
    return pair_score(case.source.density_tree(min_points), case.labels)


def _score(clustering: Clustering, name: str, variant: str = "original", **options: Any) -> float:
    """The value of an index, which is always finite."""
    if variant not in ("original", "published"):
        raise InvalidInputError(f"There is no variant {variant!r} of {name}.")
    is_published = variant == "published"
    who = f"The published {_INFOS[name].title}" if is_published else _INFOS[name].title
    function = PUBLISHED.get(name) if is_published else None  # that of the Silhouette is the same
    try:
        value = (function or _INFOS[name].evaluate)(clustering, **options)
    except ZeroDivisionError as error:
        raise UndefinedScoreError(f"{who} divides by 0 here.") from error
    if math.isnan(value):
        raise UndefinedScoreError(f"{who} divides 0 by 0 here.")
    if math.isinf(value):
        raise UndefinedScoreError(f"{who} is {value:+} here.")
    return value


def _seconds(case: Case, index: str, **options: Any) -> float:
    """Time one call, undefined or not, of a clustering that knows nothing yet."""
    points, labels = case.source.points, case.labels
    # So many points compile all that is needed before the call is timed; fewer where they are long.
    enough = 1000 if points.shape[1] < 1000 else 200
    some = slice(None, None, max(1, len(points) // enough))
    seconds = 0.0
    for rows in (some, slice(None)):
        opened = open_points(np.ascontiguousarray(points[rows]), "reproduce", n_jobs=None)
        clustering = label_points(opened, labels[rows], -1)
        begin = time.perf_counter()
        try:
            _score(clustering, index, **options)
        except UndefinedScoreError:
            pass
        finally:
            seconds = time.perf_counter() - begin
    return seconds


# --- others -------------------------------------------------------------------------------------


def _ari(case: Case, noise: str = "alone") -> float:
    from sklearn.metrics import adjusted_rand_score

    truth, labels = case.source.truth, case.labels.copy()
    is_noise = labels == -1
    if noise == "alone":
        labels[is_noise] = labels.max(initial=0) + 1 + np.arange(is_noise.sum())
    elif noise == "left out":
        if is_noise.all():
            message = "All points are noise, and noise is left out: the ARI has nothing to compare."
            raise UndefinedScoreError(message)
        truth, labels = truth[~is_noise], labels[~is_noise]
    return float(adjusted_rand_score(truth, labels))


def _disco_parts(case: Case, min_points: int = 5) -> dict[str, float | None]:
    points = explain(case.source.density_tree(min_points), case.labels).points
    parts = {
        "disco": points.score,
        "rho_cluster": points.score[~points.is_noise],
        "rho_sparse": points.rho_sparse[points.is_noise],
        "rho_far": points.rho_far[points.is_noise],
    }
    return {
        name: None if not len(part) or np.isnan(part).any() else math.fsum(part) / len(part)
        for name, part in parts.items()
    }


def _disco_samples(case: Case, min_points: int = 5) -> list[float]:
    found: list[float] = disco_samples(case.source.density_tree(min_points), case.labels).tolist()
    return found


# --- points with far more features than points --------------------------------------------------

# So many points span fewer dimensions than there are of them. Turned into these, they keep all
# their distances, up to rounding; what depends on distances alone is then computed in a fraction of
# the time. S_Dbw looks at single features, and so is not among them.
_TURNABLE = (
    *("disco", "dcsi", "mmj_sc", "lccv", "viasckde", "cvdd", "cvnn", "silhouette"),
    *("cdbw", "dbcv"),
)
# Fewer features per point than this are not worth the turning.
_MANY_FEATURES = 4
# A half to this power is 0 in double precision.
_VANISHING_POWER = 1100


def name_turned(index: Spec) -> Spec:
    """The name of an index that is measured with the axes turned.

    >>> print(name_turned(spec("dcsi", variant="published")))
    with turned axes (index=dcsi, variant=published)
    """
    return spec("with turned axes", index=index.name, **dict(index.options))


def _turned(case: Case, *, index: str, **options: Option) -> Value:
    """An index of the turned points, where turning is worth it and changes nothing."""
    name, asked = index, spec(index, **options)
    n_points, n_features = case.source.points.shape
    if name not in _TURNABLE or n_features < _MANY_FEATURES * n_points:
        return measure(asked, case)
    points = case.source.once(_turn)
    if name == "cdbw" and options.get("variant") == "published":
        asked = spec(name, n_features=n_features, **options)
    elif name == "dbcv" and not (bool(options) and points.once(_vanish)):
        return measure(asked, case)
    return measure(asked, Case(points, case.labels))


def _turn(source: Source) -> Source:
    centered = source.points - source.points.mean(axis=0)
    # The columns of R are the points by the axes that are the columns of Q, which nobody needs.
    by_axes = np.asarray(np.linalg.qr(centered.T, mode="r"))
    return Source(source.data, np.ascontiguousarray(by_axes.T), source.truth)


def _vanish(turned: Source) -> bool:
    """Whether the published DBCV is the same for any number of features.

    It raises distances to the power of that number; where all these powers vanish, one number is
    as good as another. The original takes the number into account in earnest.
    """
    nearest = nearest_points(turned.checked, 1).in_units().min()
    return bool(turned.points.shape[1] >= _VANISHING_POWER and nearest**2 > 2)


_MEASURES: dict[str, Measure] = {
    "disco": _disco,
    "pair": _pair,
    "ari": _ari,
    "n_points": lambda case: len(case.labels),
    "n_dimensions": lambda case: case.source.points.shape[1],
    "n_clusters": lambda case: case.clustering.labels.n_clusters,
    "n_noise": lambda case: case.clustering.labels.n_noise,
    "labels": lambda case: case.labels.tolist(),
    "disco parts": _disco_parts,
    "disco samples": _disco_samples,
    "seconds": _seconds,
    "with turned axes": _turned,
}
