"""Orders of rows that are as bad as they can be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def order_against_samples(n_points: int) -> NDArray[np.float64]:
    """Values in an order in which the places that are looked at for a pivot hold the least ones.

    Values are given out as they are asked for; all that are not asked for are greater.
    """
    values: dict[int, int] = {}
    places = list(range(n_points))
    begin = 0
    while n_points - begin > 16:
        size = 9 if n_points - begin < 4096 else 65
        step = (n_points - begin) // size or 1
        looked_at = [places[begin + t * step] for t in range(size)]
        for place in looked_at:
            values.setdefault(place, len(values))
        pivot = sorted(values[place] for place in looked_at)[size // 2]
        below = [values.get(place, n_points) < pivot for place in places]
        i, j = begin, n_points - 1
        while i < j:
            while i <= j and below[i]:
                i += 1
            while i <= j and not below[j]:
                j -= 1
            if i < j:
                places[i], places[j], below[i], below[j] = places[j], places[i], True, False
        begin = i
    for place in range(n_points):
        values.setdefault(place, len(values))
    return np.array([[float(values[place])] for place in range(n_points)])


def order_against_even_samples(n_points: int, dimension: int) -> NDArray[np.float64]:
    """Two clusters so far apart that products need double precision, which every n-th row hides."""
    random = np.random.default_rng(0)
    sides = np.where(random.permutation(n_points) % 2, 1e3, -1e3)
    points = 1e-2 * random.normal(size=(n_points, dimension)) + sides[:, np.newaxis]
    others = random.random(n_points) < 0.03
    others[:: n_points // 16] = True
    points[others] = 10 * random.normal(size=(int(others.sum()), dimension))
    return np.asarray(points)
