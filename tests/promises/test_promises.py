"""Every index keeps exactly the promises that the registry declares for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import disco_cvi
from disco_cvi import DensityTree, IndexInfo, InvalidInputError, evaluate
from helpers import zoo
from helpers.twins import (
    INDICES,
    OPTIONS,
    blobs,
    drawn_options,
    every_index,
    nth_options,
    value_or_reason,
)


def make_blobs(seed: int, n_points: int = 60) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Three blobs and noise, without ties."""
    random = np.random.default_rng(seed)
    labels = random.integers(-1, 3, n_points)
    centers = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0], [3.0, 3.0]])
    return centers[labels] + random.normal(size=(n_points, 2)), labels


@every_index
def test_name_tells_the_direction(info: IndexInfo) -> None:
    suffix = "score" if info.better == "greater" else "index"
    assert info.function.__name__ == f"{info.name}_{suffix}"
    assert getattr(disco_cvi, info.function.__name__) is info.function


# --- order of rows, names of clusters, threads --------------------------------------------------


@pytest.mark.small
@every_index
@zoo.examples(80)
@given(data=st.data(), case=zoo.cases(least=3), seed=st.integers(0, 2**32 - 1))
def test_order_names_and_threads_do_not_matter(
    info: IndexInfo, data: st.DataObject, case: zoo.Case, seed: int
) -> None:
    """The same bits, or the same reason; where ties may count the order stays."""
    options = data.draw(drawn_options(info.name))
    random = np.random.default_rng(seed)
    order = np.arange(len(case.points))
    if info.order_proof == "yes":
        order = random.permutation(order)
    names = random.permutation(np.arange(3, 300))
    renamed = np.where(case.labels == -1, -1, names[case.labels])
    expected = value_or_reason(info, case.points, case.labels, **options)
    points, labels = case.points[order], renamed[order]
    assert value_or_reason(info, points, labels, n_jobs=2, **options) == expected
    if isinstance(expected, str):
        assert expected.endswith(".")
    else:
        assert not math.isnan(expected)
        assert info.range[0] <= expected <= info.range[1]
    if info.samples is not None and not isinstance(expected, str):
        samples = info.samples(case.points, case.labels, **options)
        assert info.samples(points, labels, **options).tobytes() == samples[order].tobytes()


@every_index
@pytest.mark.parametrize("dimension", [1, 2, 20])
def test_order_does_not_matter_without_ties(info: IndexInfo, dimension: int) -> None:
    is_lccv = info.name == "lccv"
    # On a line, two points with as many neighbors on both sides are equally dense.
    points, labels = blobs(400, max(dimension, 2) if is_lccv else dimension)
    names = np.array(["d", "b", "a", "c", "noise"])
    for number in range(4):
        options = nth_options(info.name, number)
        expected = info.function(points, labels, **options)
        order = np.random.default_rng(number).permutation(len(points))
        renamed = names[labels][order]
        found = info.function(points[order], renamed, noise_label="noise", **options)
        assert found == expected, options


@every_index
@pytest.mark.parametrize("n_clusters", [3, 300])
def test_order_and_threads_do_not_matter_over_several_blocks(
    info: IndexInfo, n_clusters: int
) -> None:
    random = np.random.default_rng(n_clusters)
    points, labels = random.normal(size=(1500, 3)), random.integers(-1, n_clusters, 1500)
    order = random.permutation(1500)
    expected = info.function(points, labels, n_jobs=1)
    renamed = n_clusters - labels[order]
    found = info.function(points[order], renamed, noise_label=n_clusters + 1, n_jobs=3)
    assert found == expected


# --- noise, sizes, kinds of input ---------------------------------------------------------------


@every_index
def test_noise_is_treated_as_declared(info: IndexInfo) -> None:
    X, labels = make_blobs(17)
    kept = labels >= 0
    expected = info.function(X, labels)
    same = expected == info.function(X[kept], labels[kept])
    assert same is (info.noise == "ignored")
    if info.noise == "ignored":
        moved = np.where(kept[:, None], X, 1e6)
        assert info.function(moved, labels) == expected
    wide = np.where(kept[:, None], X, 9 * X)
    assert info.function(wide, labels, noise_label=None) != expected


# These have a unit: a bandwidth, or sums and quotients of lengths.
WITH_UNIT = {"viasckde", "cvdd", "cdbw", "cvnn"}


@pytest.mark.small
@pytest.mark.parametrize("name", sorted(set(INDICES) - WITH_UNIT))
def test_the_size_of_the_data_does_not_matter(name: str) -> None:
    info = INDICES[name]
    points, labels = make_blobs(5, 40)
    expected = info.function(points, labels)
    for exponent in (-1000, -300, 300, 1000):
        assert info.function(np.ldexp(points, exponent), labels) == expected, exponent


@pytest.mark.small
@every_index
def test_input_is_not_modified_and_may_be_of_any_kind(info: IndexInfo) -> None:
    points = np.array([[0, 0], [1, 0], [0, 2], [7, 7], [8, 9], [9, 7], [4, 4]], float)
    labels = np.array([0, 0, 0, 1, 1, 1, -1])
    points.setflags(write=False)
    labels.setflags(write=False)
    expected = info.function(points, labels)
    for same in (
        points.tolist(),
        points.astype(int),
        points.astype("f4"),
        np.asfortranarray(points),
    ):
        assert info.function(same, labels.tolist()) == expected
    named = ["a", "a", "a", "b", "b", "b", "none"]
    assert info.function(points, named, noise_label="none") == expected


@every_index
def test_evaluate_gives_the_same(info: IndexInfo) -> None:
    points, labels = make_blobs(23)
    for number in range(3):
        options = nth_options(info.name, number)
        found = evaluate(points, labels, info.name, parameters={info.name: options})
        assert found[info.name] == info.function(points, labels, **options), options


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@every_index
def test_a_tree_is_taken_or_refused_as_declared(info: IndexInfo, metric: str) -> None:
    points = zoo.POINTS["blobs"]
    labels = zoo.many_labels(len(points))
    tree = DensityTree(points, min_points=1, metric=metric)
    if info.needs == "points":
        message = f"X of {info.function_name} must be points, which it needs besides their density"
        with pytest.raises(TypeError, match=message):
            info.function(tree, labels)
    else:
        options = {"min_points": 1} if "min_points" in OPTIONS[info.name] else {}
        expected = info.function(points, labels, metric=metric, **options)
        assert info.function(tree, labels) == expected


@every_index
def test_good_labels_are_better_than_random_ones(info: IndexInfo) -> None:
    random = np.random.default_rng(19)
    labels = np.repeat([0, 1, 2], 30)
    centers = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])
    X = centers[labels] + random.normal(size=(90, 2)) * 0.5
    good, bad = info.function(X, labels), info.function(X, random.permutation(labels))
    assert good > bad if info.better == "greater" else good < bad


# --- wrong input --------------------------------------------------------------------------------


@pytest.mark.small
@every_index
def test_wrong_input_is_refused_by_name(info: IndexInfo) -> None:
    points, labels = make_blobs(29, 20)
    for function in filter(None, (info.function, info.samples)):
        name = function.__name__
        with pytest.raises(InvalidInputError, match=f"labels of {name}.*20 points, 2 labels"):
            function(points, [0, 1])
        with pytest.raises(InvalidInputError, match=f"X of {name} .*NaN"):
            function(np.full((20, 2), np.nan), labels)
        with pytest.raises(InvalidInputError, match=f"n_jobs of {name}"):
            function(points, labels, n_jobs=0)
        with pytest.raises(TypeError, match=f"noise_label of {name}"):
            function(points, labels, noise_label=[1])


COUNTS = [(0, "0"), (-3, "-3"), (True, "True"), (5.0, "5.0"), ("5", "'5'"), (None, "None")]
WIDTHS = [*COUNTS[:3], (math.inf, "inf"), (math.nan, "nan"), ("wide", "'wide'"), (None, "None")]
WORDS = [("ignore", "'ignore'"), (None, "None"), (1, "1"), (["cluster"], "")]
RULES: dict[str, tuple[list[tuple[Any, str]], str]] = {
    "n_neighbors": (COUNTS, "must be an integer"),
    "n_representatives": (COUNTS, "must be an integer of at least 1; got"),
    "min_points": (COUNTS[:-1], "must be an integer"),
    "bandwidth": (WIDTHS, "must be a finite number above 0; got"),
    "noise": (WORDS, "must be one of"),
    "compactness": (WORDS, "must be one of"),
}


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name, options in OPTIONS.items() for option in options]
)
def test_wrong_options_are_refused_by_name(name: str, option: str) -> None:
    info = INDICES[name]
    wrong, rule = RULES[option]
    points, labels = make_blobs(29, 20)
    for function in filter(None, (info.function, info.samples)):
        for value, shown in wrong:
            what = f"{option} of {function.__name__} {rule}.*{shown}"
            with pytest.raises((InvalidInputError, TypeError), match=what):
                function(points, labels, **{option: value})
