"""Benchmarks of all indices: against scikit-learn's silhouette, SciPy, and each other."""

from __future__ import annotations

from collections.abc import Iterator

from scipy.spatial import cKDTree
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import silhouette_score

from benchmarks.data import blobs_in_noise, cluto_t8
from benchmarks.measure import JOBS, Row, best_times
from disco_cvi import available_indices, compare, evaluate
from disco_cvi.indices.registry import NEAR_LINEAR

# At most so many times as long as scikit-learn's silhouette, on 8,000 points.
FLOORS = {
    "disco": 0.2,
    "pair": 0.2,
    "silhouette": 1.0,
    "s_dbw": 0.2,
    "dbcv": 1.0,
    "dcsi": 0.2,
    "mmj_sc": 0.2,
    "lccv": 4.0,
    "viasckde": 1.0,
    "cvdd": 4.0,
    "cdbw": 1.0,
    "cvnn": 1.0,
    "davies_bouldin": 0.2,
    "calinski_harabasz": 0.2,
    "dunn": 0.2,
    "generalized_dunn": 1.0,
}


def indices_against_silhouette() -> Iterator[Row]:
    """Every index on 8,000 points, against scikit-learn's silhouette on the same."""
    data = cluto_t8()
    if data is None:
        return
    for info in available_indices():
        info.function(data[0][:300], data[1][:300])
        ours, theirs = best_times(
            lambda info=info: info.function(*data, n_jobs=JOBS),  # type: ignore[misc]
            lambda: silhouette_score(*data),
        )
        name = f"{info.title}, cluto-t8-8k / scikit-learn silhouette_score"
        yield Row(name, ours, theirs, FLOORS[info.name])


def indices_at_scale() -> Iterator[Row]:
    """The near-linear indices at 100,000 points."""
    points, labels = blobs_in_noise()
    for info in available_indices():
        if info.name in NEAR_LINEAR:
            ours, theirs = best_times(
                lambda info=info: info.function(points, labels, n_jobs=JOBS),  # type: ignore[misc]
                lambda: cKDTree(points).query(points, k=5, workers=JOBS),
                repeats=2,
            )
            yield Row(f"{info.title}, n = 100,000 / SciPy build and query", ours, theirs, 20)


def all_at_once() -> Iterator[Row]:
    """All indices with shared work against one call after the other."""
    data = cluto_t8()
    if data is None:
        return
    together, single = best_times(
        lambda: evaluate(*data, n_jobs=JOBS),
        lambda: [info.function(*data, n_jobs=JOBS) for info in available_indices()],
        repeats=2,
    )
    name = "evaluate with all indices / the sum of single calls, cluto-t8-8k"
    yield Row(name, together, single, 1)


def many_labelings() -> Iterator[Row]:
    """Ten labelings of the same points: what depends on the points alone is computed once."""
    data = cluto_t8()
    if data is None:
        return
    points = data.points
    labelings = {
        str(k): MiniBatchKMeans(k, n_init=1, random_state=0).fit_predict(points)
        for k in range(2, 12)
    }
    ours, theirs = best_times(
        lambda: compare(points, labelings, n_jobs=JOBS, progress=False),
        lambda: [evaluate(points, labels, n_jobs=JOBS) for labels in labelings.values()],
        repeats=2,
    )
    name = "ten labelings by all indices with compare / ten evaluations, cluto-t8-8k"
    # Trees, searches and densities are shared; what is summed over the labels is not.
    yield Row(name, ours, theirs, 0.65)
