"""What each index promises of changed data, on measured ones: one table, kept to the letter.

A promise that is in the table is kept, and one that is not in it is broken by some data here, so
that the table says neither too much nor too little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ortho_group
from sklearn.datasets import load_iris, load_wine

from disco_cvi import (
    DensityTree,
    IndexInfo,
    available_indices,
    calinski_harabasz_score,
    disco_samples,
)
from disco_cvi.datasets import three_rings

INDICES = {info.name: info for info in available_indices()}


class Data(NamedTuple):
    """Points and labels, noise among them."""

    points: NDArray[np.float64]
    labels: NDArray[np.int64]


@cache
def measured(name: str) -> Data:
    """Flowers, with many ties and copies; wines, with none after their scales are made equal."""
    loaded = {"iris": load_iris, "wine": load_wine}[name]()
    points = np.array(loaded.data, dtype=np.float64)
    labels = np.array(loaded.target, dtype=np.int64)
    labels[::13] = -1
    if name == "wine":
        points = ((points - points.mean(axis=0)) / points.std(axis=0))[:, :5]
    return Data(points, labels)


@cache
def blobs() -> Data:
    """Three groups far apart."""
    labels = np.repeat(np.arange(3), 40)
    centers = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])
    return Data(centers[labels] + np.random.default_rng(1).normal(size=(120, 2)), labels)


# --- changes ------------------------------------------------------------------------------------


def shuffle(data: Data) -> Data:
    order = np.random.default_rng(0).permutation(len(data.points))
    return Data(data.points[order], data.labels[order])


def relabel(data: Data) -> Data:
    return data._replace(labels=np.where(data.labels < 0, -1, 70 - data.labels))


def shift(data: Data) -> Data:
    return data._replace(points=data.points + 8.0)


def double(data: Data) -> Data:
    return data._replace(points=data.points * 2.0)


def scale(data: Data) -> Data:
    return data._replace(points=data.points * 3.7)


def rotate(data: Data) -> Data:
    turn = ortho_group.rvs(data.points.shape[1], random_state=0)
    return data._replace(points=data.points @ turn)


def duplicate(data: Data) -> Data:
    return Data(np.repeat(data.points, 2, axis=0), np.repeat(data.labels, 2))


def add_far_noise(data: Data) -> Data:
    far = data.points.max(axis=0) + 1000.0 * np.ptp(data.points)
    return Data(np.vstack([data.points, far]), np.append(data.labels, -1))


def merge(data: Data) -> Data:
    return data._replace(labels=np.where(data.labels == 2, 1, data.labels))


def split(data: Data) -> Data:
    first = data.labels == 0
    right = data.points[:, 0] > np.median(data.points[first, 0])
    return data._replace(labels=np.where(first & right, 9, data.labels))


# --- the table ----------------------------------------------------------------------------------

EVERY = frozenset(INDICES)
# The same value, to the last bit where the change itself rounds nothing, for these indices.
SAME: dict[Callable[[Data], Data], frozenset[str]] = {
    shuffle: EVERY,
    relabel: EVERY,
    # Distances stay.
    shift: EVERY,
    # S_Dbw measures along the axes.
    rotate: EVERY - {"s_dbw"},
    # VIASCKDE has a bandwidth; CVDD, CDbw and CVNN add or divide what has a unit.
    double: EVERY - {"viasckde", "cvdd", "cdbw", "cvnn"},
    scale: EVERY - {"viasckde", "cvdd", "cdbw", "cvnn"},
    # The others count neighbors or members, the point itself left out.
    duplicate: frozenset({"s_dbw", "cdbw", "davies_bouldin", "dunn", "generalized_dunn"}),
    # Noise is left out; CVNN looks at it only where it is a neighbor.
    add_far_noise: frozenset(name for name, info in INDICES.items() if info.noise == "ignored")
    | {"cvnn"},
}
EXACT = (shuffle, relabel, double, add_far_noise)
# Where distances are equal, these follow the rounding or the order of the rows.
BY_TIES = {"dbcv", "dcsi", "lccv", "cdbw", "cvnn"}
# Of groups far apart, merging two or splitting one is worse for all but these.
WORSE: dict[Callable[[Data], Data], frozenset[str]] = {merge: EVERY, split: EVERY - {"lccv"}}
# Of rings within each other, it is worse for these, which follow any shape.
WORSE_OF_RINGS = frozenset({"disco", "pair", "dbcv", "dcsi", "mmj_sc", "lccv", "viasckde", "cvdd"})

every_index = pytest.mark.parametrize("info", INDICES.values(), ids=lambda info: info.name)


def named(change: Any) -> str:
    return str(change.__name__)


@cache
def value(name: str, info: str) -> float:
    return INDICES[info].function(*measured(name))


def is_same(info: IndexInfo, name: str, change: Callable[[Data], Data]) -> bool:
    expected = value(name, info.name)
    found = info.function(*change(measured(name)))
    # Shifting and turning round each coordinate once; the largest of a few hundred errors.
    return found == (expected if change in EXACT else pytest.approx(expected, rel=1e-12))


def is_worse(info: IndexInfo, data: Data, change: Callable[[Data], Data]) -> bool:
    before, after = info.function(*data), info.function(*change(data))
    return after < before if info.greater_is_better else after > before


@every_index
@pytest.mark.parametrize("change", SAME, ids=named)
def test_the_value_is_the_same_where_the_table_says_so(
    info: IndexInfo, change: Callable[[Data], Data]
) -> None:
    names = ["wine"] if info.name in BY_TIES else ["wine", "iris"]
    found = {name: is_same(info, name, change) for name in names}
    expected = dict.fromkeys(names, info.name in SAME[change])
    assert found == expected, f"is {info.name} the same after {named(change)}?"


@every_index
@pytest.mark.parametrize("change", WORSE, ids=named)
def test_merged_and_split_groups_are_worse(info: IndexInfo, change: Callable[[Data], Data]) -> None:
    expected = info.name in WORSE[change]
    worse = is_worse(info, blobs(), change)
    assert worse is expected, f"is {info.name} worse after {named(change)} of blobs?"
    if info.name in WORSE_OF_RINGS:
        rings = three_rings()
        assert info.shapes == "any"
        worse = is_worse(info, Data(rings.points, rings.labels), change)
        assert worse, f"{info.name} is not worse after {named(change)} of rings"


def merge_setosa(data: Data) -> Data:
    return data._replace(labels=np.where(data.labels == 0, 2, data.labels))


@every_index
@pytest.mark.parametrize("change", [merge_setosa, split], ids=named)
def test_the_flowers_that_stand_apart_are_worse_merged_or_split(
    info: IndexInfo, change: Callable[[Data], Data]
) -> None:
    """Of measured groups, Iris setosa alone is told apart by all; the other two touch."""
    assert is_worse(info, measured("iris"), change), f"{info.name} is not worse by {named(change)}"


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_a_far_noise_point_has_nearly_1_and_changes_no_other(name: str) -> None:
    data = measured(name)
    samples = disco_samples(*add_far_noise(data))
    assert samples[-1] > 0.99
    # One scale for all points: another largest coordinate may round otherwise.
    np.testing.assert_allclose(samples[:-1], disco_samples(*data), rtol=0, atol=1e-14)


def test_twice_as_many_points_of_twice_min_points_are_as_dense() -> None:
    """Core distances are those of the points once, for a copy counts as one more neighbor."""
    data = measured("wine")
    once = DensityTree(data.points, min_points=4).core_distances
    twice = DensityTree(duplicate(data).points, min_points=8).core_distances
    assert twice.tolist() == np.repeat(once, 2).tolist()


def test_twice_as_many_points_scale_calinski_harabasz() -> None:
    """Its ratio of variances stays, and is taken times another number of degrees of freedom."""
    data = measured("wine")
    count = int((data.labels >= 0).sum())
    expected = value("wine", "calinski_harabasz") * (2 * count - 3) / (count - 3)
    found = calinski_harabasz_score(*duplicate(data))
    assert found == pytest.approx(expected, rel=1e-12)
