"""Data on which searches go astray, against blobs of the same size."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Iterator
from types import FrameType

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from benchmarks.data import blobs
from benchmarks.measure import JOBS, Row
from disco_cvi import DensityTree
from helpers.row_orders import order_against_even_samples, order_against_samples

Points = NDArray[np.float64]
N_POINTS = 200_000


def cpu_time(points: Points, min_points: int = 5) -> float:
    """Seconds of CPU that a density tree takes, on one thread."""
    begin = time.process_time()
    DensityTree(points, min_points=min_points, n_jobs=1)
    return time.process_time() - begin


def on_sphere(n_points: int, dimension: int) -> Points:
    """Points in all directions from the origin, at the distance 1."""
    points = np.random.default_rng(dimension).normal(size=(n_points, dimension))
    return np.asarray(points / np.linalg.norm(points, axis=1)[:, None])


def hub(n_points: int, dimension: int) -> Points:
    """55 % of the points on a sphere, the others in a ball of radius 1e-9 at its center."""
    points, generator = on_sphere(n_points, dimension), np.random.default_rng(0)
    inside = generator.random(n_points) < 0.45
    points[inside] *= 1e-9 * generator.random((int(inside.sum()), 1)) ** (1 / dimension)
    return points


def nested_spheres(n_points: int, dimension: int) -> Points:
    """Half of the points on a sphere, half on one that is ten times as large."""
    points = on_sphere(n_points, dimension)
    points[::2] *= 10
    return points


def tilted_planes(n_points: int, dimension: int, gap: float = 1.0) -> Points:
    """Half of the points on each of two parallel planes, which no axis is square to."""
    generator = np.random.default_rng(dimension)
    points = generator.random((n_points, dimension))
    points[:, 0] = gap * (np.arange(n_points) % 2)
    return tilted(points, generator)


def tilted(points: Points, generator: np.random.Generator) -> Points:
    """Points turned in some direction."""
    turned, _ = np.linalg.qr(generator.normal(size=(points.shape[1], points.shape[1])))
    return np.asarray(points @ turned)


def cantor_dust(n_points: int, dimension: int) -> Points:
    """Points of Cantor's set in each coordinate: gaps of every size."""
    digits = np.random.default_rng(0).integers(0, 2, (n_points, dimension, 30))
    return np.asarray((2 * digits * 3.0 ** -np.arange(1, 31)).sum(axis=-1))


def worst_cases() -> Iterator[Row]:
    """Trees of points that are all as far from others, or that no box fits."""
    for dimension in (2, 3):
        cpu_time(hub(5_000, dimension))  # compiles what only such points need
        usual = min(cpu_time(blobs(N_POINTS, dimension).points) for _ in range(3))
        for make in (hub, nested_spheres, tilted_planes, cantor_dust):
            name = make.__name__.replace("_", " ")
            ours = cpu_time(make(N_POINTS, dimension))
            yield Row(f"tree, n = {N_POINTS:,}, {dimension}-d: {name} / blobs", ours, usual, 8)
    far = cpu_time(tilted_planes(N_POINTS, 3, 100.0))
    yield Row(f"tree, n = {N_POINTS:,}, 3-d: tilted planes far apart / blobs", far, usual, 8)


def crossed_circles(n_points: int, dimension: int) -> Points:
    """Two circles in planes that are perpendicular: all of one are as far from all of the other."""
    angles = np.random.default_rng(0).random(n_points) * 2 * np.pi
    points = np.zeros((n_points, dimension))
    rows, plane = np.arange(n_points), 2 * (np.arange(n_points) % 2)
    points[rows, plane], points[rows, plane + 1] = np.cos(angles), np.sin(angles)
    return points


def circle_and_axis(n_points: int, dimension: int) -> Points:
    """A circle, and points so near its center on its axis that all of it is as far from each."""
    generator = np.random.default_rng(0)
    angles = generator.random(n_points) * 2 * np.pi
    points = np.zeros((n_points, dimension))
    points[:, 0], points[:, 1] = np.cos(angles), np.sin(angles)
    points[::2] = 0.0
    points[::2, 2] = 1e-9 * generator.random((n_points + 1) // 2)
    return tilted(points, generator)


def nothing_promised() -> Iterator[Row]:
    """Points that are all as far from others, to the last bits: nothing is promised of them."""
    n_points = N_POINTS // 4
    for make, dimension in ((circle_and_axis, 3), (crossed_circles, 4), (hub, 5)):
        cpu_time(make(5_000, dimension))
        usual = min(cpu_time(blobs(n_points, dimension).points) for _ in range(3))
        name = make.__name__.replace("_", " ")
        ours = cpu_time(make(n_points, dimension))
        yield Row(f"tree, n = {n_points:,}, {dimension}-d: {name} / blobs", ours, usual, math.inf)


def many_min_points() -> Iterator[Row]:
    """Large min_points against SciPy's query for as many neighbors, and half of all points."""
    cpu_time(blobs(5_000, 2).points, 1000)
    points = blobs(N_POINTS, 2).points
    begin = time.process_time()
    cKDTree(points).query(points, k=1000)
    theirs = time.process_time() - begin
    ours = min(cpu_time(points, 1000) for _ in range(3))
    yield Row(f"tree, n = {N_POINTS:,}, 2-d: min_points = 1,000 / SciPy's query", ours, theirs, 8)
    ours, usual = (min(cpu_time(points, k) for _ in range(3)) for k in (N_POINTS // 2, 5))
    yield Row(f"tree, n = {N_POINTS:,}, 2-d: min_points = n/2 / min_points = 5", ours, usual, 8)


def interrupts() -> Iterator[Row]:
    """How long Ctrl-C waits at most for its answer, of moments all over the work; n_jobs=2."""
    cases = {
        f"n = {N_POINTS:,}, {dimension}-d, {make.__name__.replace('_', ' ')}": (
            make(N_POINTS, dimension),
            5,
        )
        for dimension in (2, 3)
        for make in (hub, nested_spheres, tilted_planes, cantor_dust)
    }
    cases["n = 400,000, 3-d, tilted planes"] = tilted_planes(400_000, 3), 5
    points = blobs(N_POINTS, 2).points
    cases |= {
        f"n = {N_POINTS:,}, 2-d, min_points = {k:,}": (points, k) for k in (1000, N_POINTS // 2)
    }
    for name, (points, min_points) in cases.items():
        yield Row(f"tree, {name}: answer to Ctrl-C / 1 s", longest_wait(points, min_points), 1, 1)


def longest_wait(points: Points, min_points: int, n_moments: int = 12) -> float:
    """Interrupt a tree at moments all over its time; seconds until that is answered, at most."""
    begin = time.perf_counter()
    DensityTree(points, min_points=min_points, n_jobs=JOBS)
    whole = time.perf_counter() - begin
    former = signal.signal(signal.SIGALRM, _interrupt)
    waits = [0.0]
    for moment in whole * (np.arange(n_moments) + 0.5) / n_moments:
        signal.setitimer(signal.ITIMER_REAL, moment)
        begin = time.perf_counter()
        try:
            DensityTree(points, min_points=min_points, n_jobs=JOBS)
        except KeyboardInterrupt:
            waits.append(time.perf_counter() - begin - moment)
        signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, former)
    return max(waits)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    """As Python does at Ctrl-C: as soon as the main thread runs Python's own code."""
    raise KeyboardInterrupt


def row_order() -> Iterator[Row]:
    """Orders of rows in which the places that are looked at first are not like the others.

    For a pivot they hold the least values; for the precision of products, points between clusters.
    """
    orders = {
        "n = 32,000, 1-d": order_against_samples(32_000),
        "n = 2,000, 500-d": order_against_even_samples(2_000, 500),
    }
    for name, points in orders.items():
        shuffled = np.random.default_rng(0).permutation(points)
        ours, theirs = (min(cpu_time(each) for _ in range(3)) for each in (points, shuffled))
        yield Row(f"tree, {name}: rows in the worst order / shuffled", ours, theirs, 2)
