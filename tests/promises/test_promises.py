"""Every index keeps exactly the promises that the registry declares for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import disco_cvi
from disco_cvi import IndexInfo, available_indices
from disco_cvi.exceptions import UndefinedScoreError
from helpers import zoo

INDICES = available_indices()
every_index = pytest.mark.parametrize("info", INDICES, ids=lambda info: info.name)


def make_blobs(seed: int, n_points: int = 60) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Three blobs and noise, without ties."""
    random = np.random.default_rng(seed)
    labels = random.integers(-1, 3, n_points)
    centers = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [3.0, 3.0]])
    return centers[labels] + random.normal(size=(n_points, 2)), labels


def find_value(info: IndexInfo, X: Any, labels: Any, **options: Any) -> float | str:
    try:
        return info.function(X, labels, **options)
    except UndefinedScoreError as reason:
        return str(reason)


@every_index
def test_name_tells_the_direction(info: IndexInfo) -> None:
    suffix = "score" if info.better == "greater" else "index"
    assert info.function.__name__ == f"{info.name}_{suffix}"
    assert getattr(disco_cvi, info.function.__name__) is info.function


@every_index
def test_value_is_a_plain_float_within_its_range(info: IndexInfo) -> None:
    for seed in range(5):
        value = info.function(*make_blobs(seed))
        assert type(value) is float
        assert info.range[0] <= value <= info.range[1]


@every_index
def test_order_of_the_rows_does_not_matter(info: IndexInfo) -> None:
    X, labels = make_blobs(7)
    expected = info.function(X, labels)
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(len(X))
        assert info.function(X[order], labels[order]) == expected


@pytest.mark.parametrize(
    "info", [info for info in INDICES if info.order_proof == "yes"], ids=lambda info: info.name
)
def test_order_of_the_rows_does_not_matter_with_ties(info: IndexInfo) -> None:
    random = np.random.default_rng(3)
    for _ in range(10):
        X = random.integers(0, 5, (40, 2)).astype(float)
        labels = random.integers(-1, 3, 40)
        expected = find_value(info, X, labels)
        order = random.permutation(40)
        assert find_value(info, X[order], labels[order]) == expected


@every_index
def test_names_of_the_labels_do_not_matter(info: IndexInfo) -> None:
    X, labels = make_blobs(11)
    names = {-1: "noise", 0: "zebra", 1: "ant", 2: "cow"}
    renamed = np.array([names[int(label)] for label in labels])
    assert info.function(X, renamed, noise_label="noise") == info.function(X, labels)


@every_index
def test_number_of_threads_does_not_matter(info: IndexInfo) -> None:
    X, labels = make_blobs(13, 700)
    assert info.function(X, labels, n_jobs=2) == info.function(X, labels, n_jobs=1)


@every_index
def test_noise_is_treated_as_declared(info: IndexInfo) -> None:
    X, labels = make_blobs(17)
    without = labels >= 0
    same = info.function(X, labels) == info.function(X[without], labels[without])
    assert same is (info.noise == "ignored")


@every_index
def test_good_labels_are_better_than_random_ones(info: IndexInfo) -> None:
    random = np.random.default_rng(19)
    labels = np.repeat([0, 1, 2], 30)
    centers = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])
    X = centers[labels] + random.normal(size=(90, 2)) * 0.5
    good, bad = info.function(X, labels), info.function(X, random.permutation(labels))
    assert good > bad if info.better == "greater" else good < bad


@every_index
@given(data=st.data())
@settings(max_examples=60)
def test_every_answer_is_a_number_or_a_reason(info: IndexInfo, data: st.DataObject) -> None:
    X, labels, _ = data.draw(zoo.cases(least=5))
    answer = find_value(info, X, labels)
    if isinstance(answer, str):
        assert answer.endswith(".")
    else:
        assert not math.isnan(answer)
        assert info.range[0] <= answer <= info.range[1]
