"""Points in many dimensions, as users bring them: images, mixtures, texts, heavy tails."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import zoom
from sklearn.datasets import load_digits

from benchmarks.data import Data


def digits(n_points: int, seed: int = 0) -> Data:
    """Handwritten digits, blown up, placed at random in 28 x 28 pixels, of several inks."""
    generator = np.random.default_rng(seed)
    known = load_digits()
    images = np.stack([zoom(image / 16.0, 3, order=1) for image in known.images]).clip(0, 1)
    chosen = generator.integers(0, len(images), n_points)
    down, right = generator.integers(0, 5, (2, n_points))
    ink = generator.uniform(0.7, 1.3, n_points)
    points = np.zeros((n_points, 28, 28))
    for i, image in enumerate(chosen):
        points[i, down[i] : down[i] + 24, right[i] : right[i] + 24] = images[image] * ink[i]
    points += generator.normal(0, 0.02, points.shape) * (points > 0.02)
    return Data(points.reshape(n_points, 784).clip(0, None), known.target[chosen])


def mixture(n_points: int, seed: int = 0) -> Data:
    """20 Gaussians of several widths in 128 dimensions that touch one another."""
    generator = np.random.default_rng(seed)
    centers = 1.2 * generator.standard_normal((20, 128))
    labels = generator.integers(0, 20, n_points)
    widths = generator.uniform(0.5, 1.5, 20)
    points = centers[labels] + widths[labels, None] * generator.standard_normal((n_points, 128))
    return Data(points, labels)


def topics(n_points: int, seed: int = 0) -> Data:
    """Unit vectors in 384 dimensions: 150 flat topics of unequal size, and a tenth of noise."""
    generator = np.random.default_rng(seed)
    centers = generator.standard_normal((150, 384))
    shares = generator.pareto(1.2, 150) + 0.2
    labels = generator.choice(150, n_points, p=shares / shares.sum())
    planes = 0.35 * generator.standard_normal((150, 12, 384))
    within = generator.standard_normal((n_points, 12))
    points = centers[labels] + 0.25 * generator.standard_normal((n_points, 384))
    for topic in range(150):
        rows = labels == topic
        points[rows] += within[rows] @ planes[topic]
    noise = generator.random(n_points) < 0.1
    points[noise] = 1.3 * generator.standard_normal((int(noise.sum()), 384))
    labels[noise] = -1
    return Data(points / np.linalg.norm(points, axis=1, keepdims=True), labels)


def heavy_tails(n_points: int, seed: int = 0) -> Data:
    """12 clusters of Student's t with two degrees of freedom, in 50 dimensions."""
    generator = np.random.default_rng(seed)
    centers = 4 * generator.standard_normal((12, 50))
    labels = generator.integers(0, 12, n_points)
    spread = np.sqrt(generator.chisquare(2, n_points) / 2)[:, None]
    points = centers[labels] + generator.standard_normal((n_points, 50)) / spread
    return Data(points, labels)


KINDS: dict[str, Callable[[int], Data]] = {
    "digits, 784-d": digits,
    "Gaussian mixture, 128-d": mixture,
    "topics on the sphere, 384-d": topics,
    "heavy tails, 50-d": heavy_tails,
}
