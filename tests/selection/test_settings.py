"""What a search refuses of its own parameters, in the words of this package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import DBSCAN

from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.selection import ClusteringSearch

X = np.random.default_rng(0).normal(size=(24, 2))
GRID = {"eps": [0.5, 1.0, 2.0]}


@pytest.mark.parametrize("argument", ["error_score", "metric"])
def test_what_does_not_say_whether_it_is_equal_is_refused(argument: str) -> None:
    options: Any = {argument: pd.NA}
    with pytest.raises(ArgumentError, match=f"^{argument} of ClusteringSearch must be"):
        ClusteringSearch(DBSCAN(), GRID, **options).fit(X)


@pytest.mark.parametrize("n_iter", [None, 2])
@pytest.mark.parametrize("grid", [{1: [1]}, None, "x", 5, ["eps"], {"eps": 1.0}, {"eps": "auto"}])
def test_a_grid_of_a_wrong_type_is_refused(grid: Any, n_iter: int | None) -> None:
    rule = "^param_grid of ClusteringSearch must be a dict of lists of values by parameter"
    with pytest.raises(InvalidTypeError, match=rule):
        ClusteringSearch(DBSCAN(), grid, n_iter=n_iter).fit(X)


@pytest.mark.parametrize("n_iter", [None, 2])
@pytest.mark.parametrize(
    ("grid", "rule"),
    [
        ({"eps": []}, "must hold one value or more for each parameter, in one dimension; got"),
        ({"eps": np.ones((2, 2))}, "must hold one value or more for each parameter"),
        ({"nope": [1]}, "must hold parameters of the estimator: Invalid parameter 'nope'"),
        ({"eps__a": [1]}, "must hold parameters of the estimator: "),
    ],
)
def test_a_grid_of_wrong_values_is_refused(grid: Any, rule: str, n_iter: int | None) -> None:
    with pytest.raises(InvalidInputError, match=f"^param_grid of ClusteringSearch {rule}"):
        ClusteringSearch(DBSCAN(), grid, n_iter=n_iter).fit(X)


@pytest.mark.parametrize("n_iter", [4, 2**63])
def test_more_settings_than_there_are_are_all(n_iter: int) -> None:
    search = ClusteringSearch(DBSCAN(), GRID, n_iter=n_iter, random_state=0).fit(X)
    assert sorted(params["eps"] for params in search.results_["params"]) == GRID["eps"]
