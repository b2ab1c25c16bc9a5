"""The literal twin of each index, its options, and data that all twins are compared on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from definitions import (
    calinski_harabasz,
    cdbw,
    cvdd,
    cvnn,
    davies_bouldin,
    dcsi,
    dunn,
    generalized_dunn,
    lccv,
    mmj_sc,
    s_dbw,
    silhouette,
    viasckde,
)
from disco_cvi import IndexInfo, available_indices
from disco_cvi.exceptions import UndefinedScoreError
from helpers.zoo import Codes, Points

INDICES = {info.name: info for info in available_indices()}
every_index = pytest.mark.parametrize("info", INDICES.values(), ids=lambda info: info.name)

# What options may be; those of DBCV are tested with it.
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "disco": {"min_points": (1, 2, 3)},
    "pair": {"min_points": (1, 2, 3)},
    "silhouette": {"noise": ("cluster", "filter", "singletons")},
    "mmj_sc": {"noise": ("cluster", "filter", "singletons")},
    "calinski_harabasz": {"noise": ("filter", "cluster")},
    "davies_bouldin": {"noise": ("filter", "cluster")},
    "dunn": {"noise": ("filter", "cluster")},
    "generalized_dunn": {"noise": ("filter", "cluster")},
    "dcsi": {"min_points": (5, 1, 2, 3)},
    "cvdd": {"n_neighbors": (7, 1, 2, 40)},
    "cdbw": {"n_representatives": (10, 1, 2, 5)},
    "viasckde": {"bandwidth": (0.05, 0.5, 3.0, 1e-3, 1e3)},
    "cvnn": {
        "n_neighbors": (10, 1, 2, 3, 1000),
        "compactness": ("summed", "pooled"),
        "noise": ("neighbors", "filter"),
    },
}


def drawn_options(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Generate options of an index."""
    values = OPTIONS.get(name, {})
    return st.fixed_dictionaries({key: st.sampled_from(value) for key, value in values.items()})


def nth_options(name: str, number: int) -> dict[str, Any]:
    """Return options that differ from number to number."""
    return {key: values[number % len(values)] for key, values in OPTIONS.get(name, {}).items()}


class Twin(NamedTuple):
    """The definition, and how far an index may be from it: both sides round a few times.

    The definition gives one number or one per point; None or ValueError says undefined.
    """

    definition: Callable[..., Any]
    rel: float = 0.0
    abs: float = 0.0


def _cvnn(points: Points, labels: Codes, compactness: str = "summed", **options: Any) -> float:
    return cvnn.cvnn_index(points, labels, compactness_of=compactness, **options)


TWINS = {
    "calinski_harabasz": Twin(calinski_harabasz.calinski_harabasz_score, rel=1e-12),
    "davies_bouldin": Twin(davies_bouldin.davies_bouldin_index, rel=1e-12),
    "dunn": Twin(dunn.dunn_score, rel=1e-12),
    "generalized_dunn": Twin(generalized_dunn.generalized_dunn_score, rel=1e-12),
    "silhouette": Twin(silhouette.silhouette_samples, abs=1e-12),
    "mmj_sc": Twin(mmj_sc.mmj_sc_samples, abs=1e-12),
    "dcsi": Twin(dcsi.dcsi_score, abs=1e-12),
    "lccv": Twin(lccv.lccv_score, abs=1e-12),
    "cvdd": Twin(cvdd.cvdd_score, rel=1e-12),
    "cdbw": Twin(cdbw.cdbw_score, rel=1e-12),
    "cvnn": Twin(_cvnn, rel=1e-13),
    "s_dbw": Twin(s_dbw.s_dbw_index, rel=1e-13),
    "viasckde": Twin(viasckde.viasckde_samples, abs=1e-12),
}


def blobs(n_points: int = 400, dimension: int = 2, seed: int = 0) -> tuple[Points, Codes]:
    """Return four clusters that overlap, and noise."""
    random = np.random.default_rng(seed)
    labels = random.integers(-1, 4, n_points)
    centers = random.uniform(-2, 2, (5, dimension))
    return centers[labels] + 0.5 * random.normal(size=(n_points, dimension)), labels


def value_or_reason(info: IndexInfo, X: Any, labels: Any, **options: Any) -> float | str:
    """Return the value, or the sentence that says why there is none."""
    try:
        return info.function(X, labels, **options)
    except UndefinedScoreError as reason:
        return str(reason)


def assert_agrees(name: str, points: Points, labels: Any, **options: Any) -> None:
    """Assert that an index and its twin give the same up to rounding, or neither a value."""
    info, twin = INDICES[name], TWINS[name]
    try:
        expected = twin.definition(points, labels, **options)
    except ValueError:
        expected = None
    if expected is None:
        with pytest.raises(UndefinedScoreError, match="needs"):
            info.function(points, labels, **options)
        return
    score = info.function(points, labels, **options)
    assert type(score) is float
    assert info.range[0] <= score <= info.range[1]
    tolerance: Any = twin.abs
    if name == "viasckde":
        tolerance = _stretched(points, np.asarray(labels), options.get("bandwidth", 0.05))
    if info.samples is None:
        assert score == pytest.approx(expected, rel=twin.rel, abs=twin.abs)
        return
    samples = info.samples(points, labels, **options)
    assert (np.isnan(samples) == np.isnan(expected)).all()
    off = np.abs(samples - expected)
    assert (np.isnan(off) | (off <= tolerance)).all()
    assert score == pytest.approx(np.nanmean(samples), rel=0, abs=1e-12)


def _stretched(points: Points, labels: Codes, bandwidth: float) -> Points:
    """How far scores of VIASCKDE may be apart: nearly equal densities lose digits."""
    kept = labels != -1
    density = np.ones(len(points))
    density[kept] = viasckde.densities(cdist(points[kept], points[kept], "sqeuclidean"), bandwidth)
    tolerance = np.full(len(points), TWINS["viasckde"].abs)
    for name in set(labels.tolist()):
        own = density[labels == name]
        spread = own.max() - own.min()
        if spread > 1e-12 * own.max():
            tolerance[labels == name] += 8 * np.finfo(float).eps * own.max() / spread
    return tolerance
