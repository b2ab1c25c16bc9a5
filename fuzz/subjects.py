"""Objects whose methods are called, and objects that are arguments of others."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import disco_cvi
from disco_cvi import DensityTree
from fuzz import labelings, points
from fuzz.draws import Draws


def plain(draws: Draws) -> tuple[Any, Any]:
    """Points and labels as most programs give them; two points at least."""
    draws.n_points = max(draws.n_points, 6)
    return points.plain_points(draws), labelings.plain_labels(draws)


def tree(draws: Draws) -> DensityTree:
    """A density tree."""
    X, _ = plain(draws)
    return DensityTree(X, min_points=draws.whole(1, 5))


def quality(draws: Draws) -> Any:
    """What an audit says of an approximate tree."""
    X, _ = plain(draws)
    return DensityTree(X, algorithm="approximate").quality


def explanation(draws: Draws) -> Any:
    """What `explain` says."""
    X, labels = plain(draws)
    return disco_cvi.explain(X, labels, min_points=2)


def evaluation(draws: Draws) -> Any:
    """What `evaluate` says."""
    X, labels = plain(draws)
    return disco_cvi.evaluate(X, labels, ["disco", "silhouette", "dunn"])


def comparison(draws: Draws) -> Any:
    """What `compare` says."""
    X, labels = plain(draws)
    other = {draws.one_of(labelings.WORDS): labelings.plain_labels(draws)}
    return disco_cvi.compare(X, {"one": labels, **other}, ["disco", "dunn"])


def eps_path(draws: Draws) -> Any:
    """Scores of all radii."""
    return tree(draws).eps_path()


def size_path(draws: Draws) -> Any:
    """Scores of all sizes of clusters."""
    return tree(draws).size_path()


def suggestion(draws: Draws) -> Any:
    """What `suggest` says."""
    from disco_cvi.selection import suggest

    X, _ = plain(draws)
    return suggest(X, n_null=draws.one_of([0, 0, 1]))


def display(name: str) -> Callable[[Draws], Any]:
    """Return a maker of a display of labels."""

    def make(draws: Draws) -> Any:
        from disco_cvi import plots

        X, labels = plain(draws)
        given = {"one": labels} if name == "ComparisonDisplay" else labels
        return getattr(plots, name).from_predictions(X, given)

    return make


def clusterer(draws: Draws) -> Any:
    """A clusterer of scikit-learn or of ours."""
    from sklearn.cluster import DBSCAN, KMeans

    from disco_cvi.cluster import DensityDBSCAN

    makers: list[Callable[[], Any]] = [
        DensityDBSCAN,
        lambda: DBSCAN(eps=1.0),
        lambda: KMeans(2, n_init=1, random_state=0),
    ]
    return draws.one_of(makers)()


@cache
def client() -> Any:
    """A Dask cluster of threads in this process."""
    import distributed

    start: Any = distributed.Client
    return start(processes=False, dashboard_address=":0", n_workers=1, threads_per_worker=1)


def dask_points(draws: Draws) -> Any:
    """Points in parts: in Dask arrays and frames, or in files."""
    import dask.array

    divide: Any = dask.array.from_array
    X = points.plain_points(draws)
    if draws.chance(0.3):
        path = draws.path(".npy")
        np.save(path, X)
        return draws.one_of([path, str(path), [path]])
    return divide(X, chunks=(max(1, len(X) // draws.whole(1, 3)), X.shape[1]))


DISPLAYS = ["ComparisonDisplay", "DensityLineDisplay", "EpsCurveDisplay", "NoiseDisplay"]
DISPLAYS += ["PointwiseMapDisplay", "ScoreBarsDisplay"]

# Objects whose methods are public, by the name of their class.
SUBJECTS: dict[str, Callable[[Draws], Any]] = {
    "Comparison": comparison,
    "DensityTree": tree,
    "Evaluation": evaluation,
    "Explanation": explanation,
    "IndexValue": lambda draws: evaluation(draws).values[0],
    "EpsPath": eps_path,
    "SizePath": size_path,
    "Suggestion": suggestion,
    "TreeQuality": quality,
    **{name: display(name) for name in DISPLAYS},
}
