"""Seeded generators: the points and labels that their recipes describe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from disco_cvi.datasets import Rings, three_rings
from disco_paper.datasets import (
    LabeledPoints,
    densired_noise,
    densired_set,
    noise_group,
    noise_point,
    replace_noise,
    separated_discs,
    two_moons,
    two_rings,
)

GENERATORS: dict[str, Callable[..., LabeledPoints]] = {
    "moons": lambda seed: two_moons(seed=seed, jitter=0.05, swaps=10),
    "discs": lambda seed: separated_discs(seed=seed, half_distance=2.5),
    "group": lambda seed: noise_group(seed=seed, size=70),
    "point": lambda seed: noise_point(seed=seed, offset=1.5),
}


def global_state() -> Any:
    return np.random.get_state()[1].copy()  # type: ignore[index]  # noqa: NPY002


@pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS.keys())
def test_a_seed_decides_everything(make: Callable[..., LabeledPoints]) -> None:
    state = global_state()
    first, again, other = make(3), make(3), make(4)
    assert np.array_equal(first.points, again.points)
    assert np.array_equal(first.labels, again.labels)
    assert not np.array_equal(first.points, other.points)
    assert first.points.dtype == np.float64
    assert first.labels.dtype == np.int64
    assert np.array_equal(global_state(), state), "the global generator was used"


# --- rings --------------------------------------------------------------------------------------


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
    table = np.genfromtxt(shared / "expected" / name, delimiter=",", skip_header=1)
    # Sine and cosine may differ in the last bit between machines, and nothing else.
    np.testing.assert_allclose(rings.points, table[:, :2], rtol=0, atol=1e-13)
    assert np.array_equal(rings.good_labels, table[:, 2])
    assert np.array_equal(rings.bad_labels, table[:, 3])


def test_bad_labels_of_three_rings_are_an_end_of_k_means() -> None:
    cluster = pytest.importorskip("sklearn.cluster")
    rings = three_rings()
    centers = np.array([rings.points[rings.bad_labels == k].mean(axis=0) for k in range(3)])
    k_means = cluster.KMeans(n_clusters=3, init=centers, n_init=1).fit(rings.points)
    assert np.array_equal(k_means.labels_, rings.bad_labels)


# --- moons and discs ----------------------------------------------------------------------------


@pytest.mark.parametrize("jitter", [0.0, 0.07])
def test_moons_are_those_of_scikit_learn(jitter: float) -> None:
    from sklearn.datasets import make_moons

    points, labels = make_moons(500, noise=jitter, random_state=94727)
    moons = two_moons(seed=94727, jitter=jitter)
    np.testing.assert_allclose(moons.points, points, rtol=0, atol=1e-15)
    assert np.array_equal(moons.labels, labels)


@pytest.mark.parametrize("swaps", [0, 5, 250])
def test_as_many_labels_of_each_moon_are_swapped(swaps: int) -> None:
    truth, swapped = two_moons(seed=7), two_moons(seed=7, swaps=swaps)
    wrong = truth.labels != swapped.labels
    assert np.array_equal(truth.points, swapped.points)
    assert [int(wrong[truth.labels == moon].sum()) for moon in (0, 1)] == [swaps, swaps]


def test_swaps_are_those_of_the_recipe() -> None:
    """Positions of the first class are drawn before those of the second, by one generator."""
    truth = two_moons(seed=265381).labels
    generator = np.random.RandomState(265381)
    drawn = [generator.choice(np.flatnonzero(truth == k), 15, replace=False) for k in (0, 1)]
    swapped = two_moons(seed=265381, swaps=15).labels
    assert np.array_equal(np.flatnonzero(truth != swapped), np.sort(np.concatenate(drawn)))


def test_discs_are_even_and_apart() -> None:
    discs = separated_discs(seed=0, half_distance=3)
    assert np.array_equal(np.bincount(discs.labels), [250, 250])
    for label, center in enumerate([(-3, 0), (3, 0)]):
        radii = np.linalg.norm(discs.points[discs.labels == label] - center, axis=1)
        assert radii.max() <= 2
        # An even disc has a quarter of its points within half of its radius.
        assert np.mean(radii <= 1) == pytest.approx(0.25, abs=0.08)


def test_discs_of_a_seed_only_move() -> None:
    near, far = (separated_discs(seed=5, half_distance=d) for d in (0.0, 15.0))
    shift = np.where(near.labels[:, None] == 0, [-15.0, 0.0], [15.0, 0.0])
    np.testing.assert_allclose(near.points + shift, far.points, atol=1e-12)


def test_noise_lies_where_it_is_to_lie() -> None:
    group, point = noise_group(seed=2, size=3), noise_point(seed=2, offset=1.5)
    for made in (group, point):
        assert np.array_equal(made.labels[:500], np.zeros(500))
        assert np.linalg.norm(made.points[:500], axis=1).max() <= 2
        assert (made.labels[500:] == -1).all()
    assert np.linalg.norm(group.points[500:] - 15, axis=1).max() <= 2
    assert len(group.points) == 503
    assert np.array_equal(point.points[500:], [[1.5, 1.5]])
    assert np.array_equal(group.points[:500], point.points[:500])


# --- distributions of noise ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def clusters_in_noise() -> LabeledPoints:
    generator = np.random.RandomState(1)
    points = generator.normal((3, -2), (1, 20), (6000, 2))
    labels = generator.permutation(np.repeat([0, 1, -1], [3000, 1000, 2000]))
    points[labels == -1] += 1000
    return LabeledPoints(points, labels.astype(np.int64))


def test_cluster_points_stay_and_noise_is_new(clusters_in_noise: LabeledPoints) -> None:
    points, labels = clusters_in_noise
    made = replace_noise(points, labels, distribution="uniform")
    kept = labels != -1
    assert np.array_equal(made.points[:4000], points[kept])
    assert np.array_equal(made.labels, [*labels[kept], *[-1] * 2000])
    assert made.labels.dtype == np.int64
    other = replace_noise(points, labels, distribution="uniform", seed=1)
    assert not np.array_equal(made.points, other.points)
    low, high = points[kept].min(axis=0), points[kept].max(axis=0)
    shares = (made.points[4000:] - low) / (high - low)
    assert shares.min() >= 0
    assert shares.max() <= 1
    np.testing.assert_allclose(shares.mean(axis=0), 0.5, atol=0.03)


@pytest.mark.parametrize(
    ("distribution", "means", "deviations"),
    [("gaussian", (3, -2), (1, 20)), ("poisson", (5, 5), (5**0.5, 5**0.5))],
)
def test_noise_has_its_distribution(
    clusters_in_noise: LabeledPoints, distribution: str, means: Any, deviations: Any
) -> None:
    noise = replace_noise(*clusters_in_noise, distribution=distribution).points[4000:]
    np.testing.assert_allclose((noise.mean(axis=0) - means) / deviations, 0, atol=0.1)
    np.testing.assert_allclose(noise.std(axis=0), deviations, rtol=0.1)


# --- DENSIRED -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "file", "tolerance"),
    [
        ("Synth_high", "high_data_100.npy", 4e-16),
        ("Synth_low", "low_data_100.npy", 4e-16),
        # Not scaled: values up to 28.
        ("Synth_no_noise", "synth_100_0.0.npy", 1e-14),
    ],
)
def test_drawn_sets_are_those_of_the_authors(
    shared: Path, name: Any, file: str, tolerance: float
) -> None:
    pytest.importorskip("densired")
    table = np.load(shared / "data" / "densired" / file)
    drawn = densired_set(name)
    np.testing.assert_allclose(drawn.points, table[:, :-1], rtol=0, atol=tolerance)
    assert np.array_equal(drawn.labels, table[:, -1])


def test_noise_is_added_to_noise() -> None:
    pytest.importorskip("densired")
    state = global_state()
    none, some, more = (densired_noise(noise=share) for share in (0.0, 0.1, 0.3))
    assert np.array_equal(global_state(), state), "the global generator was changed"
    assert [len(made.points) for made in (none, some, more)] == [5000, 5500, 6500]
    for made in (some, more):
        assert np.array_equal(made.points[made.labels >= 0], none.points)
        assert np.array_equal(made.labels[made.labels >= 0], none.labels)
    noise = [made.points[made.labels == -1] for made in (some, more)]
    assert np.array_equal(noise[1][:500], noise[0])


def test_generator_is_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    other = ModuleType("densired")
    other.__version__ = "1.2.0"  # type: ignore[attr-defined]
    other.densityDataGen = None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "densired", other)
    with pytest.raises(ImportError, match=r"than 1\.1\.0 draw other data; found 1\.2\.0\."):
        densired_set("Synth_low")
