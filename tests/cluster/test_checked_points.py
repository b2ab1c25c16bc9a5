"""Clusterers and searches take the points that scores take, and refuse what scores refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.cluster import DBSCAN

from disco_cvi import disco_score
from disco_cvi.cluster import DensityDBSCAN, DensityHDBSCAN
from disco_cvi.exceptions import ArgumentError
from disco_cvi.plots import ComparisonDisplay, EpsCurveDisplay, PointwiseMapDisplay
from disco_cvi.selection import ClusteringSearch
from helpers.messages import says

X = np.random.default_rng(0).normal(size=(24, 2))
LABELS = np.arange(24) % 2
FRAME = pd.DataFrame(X, columns=["a", "b"])
TEXT = [[str(value) for value in row] for row in X]
DAYS = pd.date_range("2020", periods=24)
REFUSED: dict[str, Callable[[], Any]] = {
    "masked": lambda: np.ma.array(X, mask=True),
    "text": lambda: TEXT,
    "strings of pandas": lambda: FRAME.astype("string"),
    "categories": lambda: FRAME.astype("category"),
    "a frame of dates": lambda: pd.DataFrame({"a": DAYS, "b": DAYS}),
    "dates": lambda: np.zeros((24, 2), "M8[s]"),
    "durations": lambda: pl.DataFrame({"a": range(24)}).cast(pl.Duration),
    "a dictionary": lambda: pa.table({"a": pa.array(["1", "2"] * 12).dictionary_encode()}),
    "integers of 128 bits": lambda: pl.DataFrame({"a": range(24)}).cast(pl.Int128),
    "an empty frame": pd.DataFrame,
    "missing": lambda: np.full((24, 2), np.nan),
    "a large integer": lambda: 10**400,
    "large integers": lambda: [[10**400, 1]] * 24,
}
if hasattr(np.dtypes, "StringDType"):  # of NumPy 2
    REFUSED["strings of NumPy"] = lambda: np.array(TEXT, dtype=np.dtypes.StringDType())
TAKEN: dict[str, Callable[[], Any]] = {
    "equal names in a table": lambda: pa.Table.from_arrays(
        [pa.array(X[:, 0]), pa.array(X[:, 1])], names=["a", "a"]
    ),
    "no names": lambda: pd.DataFrame(X, columns=[None, None]),
    "numbers among names": lambda: pd.DataFrame(X, columns=[1, "a"]),
    "sparse columns": lambda: FRAME.astype(pd.SparseDtype(float)),
    "masked nowhere": lambda: np.ma.array(X),
}
FITTED: dict[str, Callable[[Any], Any]] = {
    "DensityDBSCAN": DensityDBSCAN(2.0).fit,
    "DensityHDBSCAN": DensityHDBSCAN(5).fit,
    "ClusteringSearch": ClusteringSearch(DBSCAN(), {"eps": [0.5, 1.0]}).fit,
}


@pytest.mark.parametrize("fitted", FITTED)
@pytest.mark.parametrize("kind", REFUSED)
def test_clusterers_refuse_what_scores_refuse_in_the_same_words(kind: str, fitted: str) -> None:
    given = REFUSED[kind]()
    with pytest.raises(ArgumentError) as of_scores:
        disco_score(given, LABELS)
    message = says(str(of_scores.value).replace("disco_score", fitted))
    with pytest.raises(of_scores.type, match=message):
        FITTED[fitted](given)


@pytest.mark.parametrize("clusterer", [DensityDBSCAN(2.0), DensityHDBSCAN(5)])
@pytest.mark.parametrize("kind", TAKEN)
def test_clusterers_take_what_scores_take(kind: str, clusterer: Any) -> None:
    found = clusterer.fit(TAKEN[kind]())
    assert np.array_equal(found.labels_, type(clusterer)(**clusterer.get_params()).fit(X).labels_)
    assert found.n_features_in_ == 2


def test_names_that_are_none_leave_none_of_an_earlier_fit() -> None:
    clusterer = DensityDBSCAN(2.0).fit(FRAME)
    assert list(clusterer.feature_names_in_) == ["a", "b"]
    assert not hasattr(clusterer.fit(TAKEN["no names"]()), "feature_names_in_")


@pytest.mark.parametrize("clusterer", [DensityDBSCAN(2.0), DBSCAN(), DBSCAN().fit(X)])
@pytest.mark.parametrize("kind", ["text", "missing", "a large integer"])
@pytest.mark.parametrize("display", [EpsCurveDisplay, PointwiseMapDisplay, ComparisonDisplay])
def test_displays_of_clusterers_refuse_points(display: Any, kind: str, clusterer: Any) -> None:
    with pytest.raises(ArgumentError, match=rf"^X of {display.__name__}.from_estimator "):
        display.from_estimator(clusterer, REFUSED[kind]())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            X * 1j,
            "X of DensityDBSCAN must hold real numbers; got an array of complex128. "
            "Complex data not supported: pass real and imaginary parts as columns.",
        ),
        (
            np.array([[{}, 1]] * 6, object),
            "X of DensityDBSCAN must hold real numbers; got {} (dict) in row 0, column 0. The "
            "argument must be free of string and other objects: convert them to numbers.",
        ),
        (
            np.empty((6, 0)),
            "X of DensityDBSCAN holds 0 feature(s) (shape=(6, 0)) while a minimum of 1 is "
            "required.",
        ),
        (X[:1], "X of DensityDBSCAN must hold two points or more; got 1 sample."),
    ],
)
def test_some_refusals_have_the_words_of_scikit_learn(given: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=says(message)):
        DensityDBSCAN().fit(given)
