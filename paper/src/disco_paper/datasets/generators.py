"""Data sets that the paper made, drawn again from their seeds."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi.datasets import Rings
from disco_paper.datasets.catalogue import LabeledPoints

Points = NDArray[np.float64]

# What `densired_set` draws.
DRAWN = ("Synth_high", "Synth_low", "Synth_no_noise")
_RING_CENTERS = np.array([[-25.0, 20.0], [25.0, -20.0]])
_MOON_SIZE = 250
_RADIUS = 2.0
_DISC_SIZE = 500


def two_rings(*, build: Literal[1, 2] = 2) -> Rings:
    """Return two rings side by side, in noise: 380 points, 200 of them noise.

    Good labels name the rings and leave the noise out. Bad labels add to each ring the noise in
    the wide band around it, up to half a radius inwards and outwards.

    Parameters
    ----------
    build : {1, 2}, default 2
        The paper drew this data twice in a row from one random stream: 2 is Figure 1, panels c
        (good) and d (bad); 1 is the right half of its table on good and bad noise.

    Returns
    -------
    Rings

    Examples
    --------
    >>> from disco_paper.datasets import two_rings
    >>> rings = two_rings()
    >>> int((rings.good_labels == -1).sum()), int((rings.bad_labels == -1).sum())
    (200, 122)
    """
    generator = np.random.RandomState(0)
    # The paper's legacy generator with seed 0, after other data had used up so many numbers.
    generator.random_sample(7)
    for _ in range(build):
        on_rings = np.concatenate([_ring(generator, center) for center in _RING_CENTERS])
        noise = _noise(generator, on_rings)
    points = np.concatenate([on_rings, noise])
    good = np.repeat([0, 1, -1], [90, 90, 200]).astype(np.int64)
    bad = good.copy()
    for ring, center in enumerate(_RING_CENTERS):  # the later ring wins
        distance = np.hypot(*(points - center).T)
        bad[(good == -1) & (distance >= 10) & (distance <= 30)] = ring
    return Rings(points, good, bad)


def _ring(generator: np.random.RandomState, center: Points) -> Points:
    angles = np.linspace(0, 2 * np.pi, 90, endpoint=False)
    radii = 20 + (generator.uniform(0, 1.2, (90, 2)) - 0.6)
    ring: Points = center + np.column_stack([np.sin(angles), np.cos(angles)]) * radii
    return ring


def _noise(generator: np.random.RandomState, points: Points) -> Points:
    """Draw points of the box until all keep a gap from the points and a gap from each other."""
    noise: Points = generator.uniform(-50.0, 50.0, (200, 2))
    while True:
        near_points = (_distances(noise, points) < 2.0).any(axis=1)
        # Every point lies at distance 0 from itself: one neighbor is always there.
        near_noise = (_distances(noise, noise) < 0.5).sum(axis=1) > 1
        rejected = near_points | near_noise
        if not rejected.any():
            return noise
        noise[rejected] = generator.uniform(-50.0, 50.0, (int(rejected.sum()), 2))


def _distances(left: Points, right: Points) -> Points:
    difference = left[:, None, :] - right[None, :, :]
    distances: Points = np.hypot(difference[..., 0], difference[..., 1])
    return distances


# --- moons and discs ----------------------------------------------------------------------------


def two_moons(*, seed: int, jitter: float = 0.0, swaps: int = 0) -> LabeledPoints:
    """Return two half circles of 250 points each, which reach into each other.

    The points are those of scikit-learn's ``make_moons(500, noise=jitter, random_state=seed)``, but
    do not change with its version.

    Parameters
    ----------
    seed : int
        Decides the order of the rows, the jitter, and which labels are swapped.
    jitter : float, default 0.0
        Standard deviation of what is added to each coordinate; the circles have radius 1.
    swaps : int, default 0
        How many points of each moon get the label of the other one, up to 250.

    Examples
    --------
    >>> from disco_paper.datasets import two_moons
    >>> truth, swapped = two_moons(seed=0), two_moons(seed=0, swaps=5)
    >>> int((truth.labels != swapped.labels).sum())
    10
    """
    angles = np.linspace(0, np.pi, _MOON_SIZE)
    upper = np.column_stack([np.cos(angles), np.sin(angles)])
    lower = np.column_stack([1 - np.cos(angles), 1 - np.sin(angles) - 0.5])
    generator = np.random.RandomState(seed)
    order = np.arange(2 * _MOON_SIZE)
    generator.shuffle(order)
    points = np.concatenate([upper, lower])[order]
    points += generator.normal(scale=jitter, size=points.shape)
    labels = np.repeat(np.arange(2, dtype=np.int64), _MOON_SIZE)[order]
    swapped, generator = labels.copy(), np.random.RandomState(seed)
    for cluster in (0, 1):
        members = np.flatnonzero(labels == cluster)
        swapped[generator.choice(members, swaps, replace=False)] = 1 - cluster
    return LabeledPoints(points, swapped)


def separated_discs(*, seed: int, half_distance: float) -> LabeledPoints:
    """Return two discs of radius 2 with 250 points each, their centers on the first axis.

    Each center lies `half_distance` from the origin: from 2 on, the discs do not overlap.
    """
    generator = np.random.RandomState(seed)
    size = _DISC_SIZE // 2
    discs = [_disc(generator, (side * half_distance, 0.0), size) for side in (-1, 1)]
    return LabeledPoints(np.concatenate(discs), np.repeat(np.arange(2, dtype=np.int64), size))


def noise_group(*, seed: int, size: int) -> LabeledPoints:
    """Return a disc of 500 points and, far from it, a disc of points that are called noise.

    The more points the group has, the denser it is, and the less noise should it be called.
    """
    generator = np.random.RandomState(seed)
    cluster = _disc(generator, (0.0, 0.0), _DISC_SIZE)
    # So far away that the group is no part of the cluster, however large it grows.
    return _with_noise(cluster, _disc(generator, (15.0, 15.0), size))


def noise_point(*, seed: int, offset: float) -> LabeledPoints:
    """Return a disc of 500 points around the origin and one noise point.

    Both coordinates of the noise point are `offset`; it leaves the disc of radius 2 at the square
    root of 2.
    """
    cluster = _disc(np.random.RandomState(seed), (0.0, 0.0), _DISC_SIZE)
    return _with_noise(cluster, np.full((1, 2), offset))


def _with_noise(cluster: Points, noise: Points) -> LabeledPoints:
    labels = np.repeat([0, -1], [len(cluster), len(noise)]).astype(np.int64)
    return LabeledPoints(np.concatenate([cluster, noise]), labels)


def _disc(generator: np.random.RandomState, center: tuple[float, float], size: int) -> Points:
    """Draw points of the square around a disc, and keep the first ones that lie in the disc."""
    low, high = np.array(center) - _RADIUS, np.array(center) + _RADIUS
    while True:
        drawn: Points = generator.uniform(low, high, (10 * size, 2))
        distances = np.hypot(drawn[:, 0] - center[0], drawn[:, 1] - center[1])
        inside: Points = drawn[distances <= _RADIUS]
        if len(inside) >= size:
            return inside[:size]


# --- noise --------------------------------------------------------------------------------------


def replace_noise(
    points: Points, labels: NDArray[np.int64], *, distribution: str, seed: int = 0
) -> LabeledPoints:
    """Return the cluster points of a data set and as many new noise points as it has.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features)
    labels : ndarray of shape (n_points,)
        -1 is noise.
    distribution : {"gaussian", "uniform", "poisson"}
        Every feature of the new noise is drawn on its own: with the mean and the deviation of the
        cluster points, evenly between their smallest and largest value, or from the Poisson
        distribution of rate 5, whatever the cluster points are.
    seed : int, default 0

    Returns
    -------
    LabeledPoints
        The cluster points in their order, then the new noise.
    """
    generator = np.random.RandomState(seed)
    is_noise = labels == -1
    clusters = points[~is_noise]
    shape = (int(is_noise.sum()), points.shape[1])
    noise: dict[str, Any] = {
        "gaussian": lambda: generator.normal(clusters.mean(axis=0), clusters.std(axis=0), shape),
        "uniform": lambda: generator.uniform(clusters.min(axis=0), clusters.max(axis=0), shape),
        "poisson": lambda: generator.poisson(5, shape).astype(np.float64),
    }
    codes = np.concatenate([labels[~is_noise], np.full(shape[0], -1, np.int64)])
    return LabeledPoints(np.concatenate([clusters, noise[distribution]()]), codes)


# --- DENSIRED -----------------------------------------------------------------------------------


def densired_set(name: Literal["Synth_high", "Synth_low", "Synth_no_noise"]) -> LabeledPoints:
    """Draw a synthetic data set of the paper again.

    All three have 5000 points in 100 dimensions and ten clusters: stretched or compact ones, each
    with 500 noise points; or stretched ones without noise, as drawn. The values equal those of the
    authors' files up to rounding (4e-16 in the two that are scaled to lie between 0 and 1).
    """
    if name == "Synth_no_noise":
        return densired_noise(noise=0.0)
    points, labels = _densired(5000, 0.1, is_compact=name == "Synth_low")
    extent = points.max() - points.min()
    return LabeledPoints((points - points.min(axis=0)) / extent, labels)


def densired_noise(*, noise: float) -> LabeledPoints:
    """Draw 5000 points in ten stretched clusters, and noise besides, as a share of these.

    The cluster points are the same for every amount of noise, and more noise holds less noise: its
    points are added to those that are there. Nothing is scaled.

    Examples
    --------
    >>> from disco_paper.datasets import densired_noise
    >>> densired_noise(noise=0.1).points.shape
    (5500, 100)
    """
    return _densired(round(5000 * (1 + noise)), noise / (1 + noise), is_compact=False)


def _densired(n_points: int, ratio_noise: float, *, is_compact: bool) -> LabeledPoints:
    """Call the generator; the last column of what it returns is the label."""
    from densired import __version__, densityDataGen

    if __version__ != "1.1.0":
        message = f"Other versions of densired than 1.1.0 draw other data; found {__version__}."
        raise ImportError(message)
    stretched = {"momentum": 0.8, "step": 1.5, "branch": 0.1, "star": 1}
    state = np.random.get_state()  # noqa: NPY002 - the package seeds and uses the global generator
    try:
        made = densityDataGen(
            dim=100,
            clunum=10,
            core_num=200,
            seed=6,
            dens_factors=[1, 1, 0.5, 0.3, 2, 1.2, 0.9, 0.6, 1.4, 1.1],
            square=True,
            max_retry=5,
            safety=False,
            domain_size=20,
            random_start=False,
            ratio_noise=ratio_noise,
            **({"momentum": 0, "step": 1, "branch": 0, "star": 0} if is_compact else stretched),
        )
        table: Points = made.generate_data(n_points)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    labels = table[:, -1].astype(np.int64)
    return LabeledPoints(np.ascontiguousarray(table[:, :-1]), labels)
