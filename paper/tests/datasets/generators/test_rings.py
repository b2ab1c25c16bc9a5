from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

from disco_cvi import InvalidInputError
from disco_cvi.datasets import Rings, three_rings
from disco_paper.datasets import two_rings

if TYPE_CHECKING:
    from pathlib import Path

Array = NDArray[np.float64]


def read_expected(path: Path) -> tuple[Array, Array, Array]:
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    return table[:, :2], table[:, 2], table[:, 3]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        pytest.param(three_rings, "data_fig_motivation_ab.csv", id="three rings"),
        pytest.param(two_rings, "data_fig_motivation_cd.csv", id="two rings"),
        pytest.param(
            lambda: two_rings(build=1), "data_tab_good_vs_bad_noise_rings.csv", id="first build"
        ),
    ],
)
def test_rings_are_those_of_the_paper(shared: Path, make: Callable[..., Rings], name: str) -> None:
    rings = make()
    points, good, bad = read_expected(shared / "expected" / name)
    # Sine and cosine may differ in the last bit between machines, and nothing else.
    np.testing.assert_allclose(rings.points, points, rtol=0, atol=1e-13)
    assert np.array_equal(rings.good_labels, good)
    assert np.array_equal(rings.bad_labels, bad)


def test_bad_labels_of_three_rings_are_an_end_of_k_means() -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    rings = three_rings()
    centers = np.array([rings.points[rings.bad_labels == k].mean(axis=0) for k in range(3)])
    k_means = cluster.KMeans(n_clusters=3, init=centers, n_init=1).fit(rings.points)
    assert np.array_equal(k_means.labels_, rings.bad_labels)


@pytest.mark.parametrize("make", [three_rings, two_rings])
def test_noise_is_drawn_by_code_alone(make: Callable[..., Rings]) -> None:
    first, second = make(), make()
    assert np.array_equal(first.points, second.points)
    assert first.good_labels.dtype == np.int64
    assert first.bad_labels.dtype == np.int64


def test_noise_keeps_its_gaps() -> None:
    rings = three_rings()
    noise = rings.points[rings.good_labels == -1]
    others = rings.points[rings.good_labels != -1]
    to_others = np.linalg.norm(noise[:, None] - others, axis=2)
    to_noise = np.linalg.norm(noise[:, None] - noise, axis=2) + np.diag(np.full(len(noise), 9.0))
    assert to_others.min() >= 1.6
    assert to_noise.min() >= 0.6


def test_build_is_one_or_two() -> None:
    message = "build of two_rings must be an integer from 1 to 2; got 3"
    with pytest.raises(InvalidInputError, match=message):
        two_rings(build=3)  # type: ignore[arg-type]
