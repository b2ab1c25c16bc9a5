"""DBSCAN by its definition: core points, their connected components, and border points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def dbscan(
    distances: Matrix, eps: float, min_points: int, border: str, coordinates: Matrix | None = None
) -> list[int]:
    """Return the cluster of each point, -1 for noise.

    Clusters are found from the first core point on. A border point joins its nearest core point
    (ties: smaller core distance, then smaller coordinates), or the first cluster that reaches it.
    """
    n_points = len(distances)
    is_core = [int((row <= eps).sum()) >= min_points for row in distances]
    labels = [-1] * n_points
    n_clusters = 0
    for start in range(n_points):
        if is_core[start] and labels[start] == -1:
            _fill(distances, eps, is_core, labels, start, n_clusters)
            n_clusters += 1
    if border == "noise":
        return labels
    core = np.sort(distances, axis=1)[:, min_points - 1]
    found = list(labels)
    for point in range(n_points):
        near = [j for j in range(n_points) if is_core[j] and distances[point, j] <= eps]
        if is_core[point] or not near:
            continue
        if border == "first":
            found[point] = min(labels[j] for j in near)
        else:

            def place(j: int, point: int = point) -> tuple[Any, ...]:
                where = () if coordinates is None else tuple(coordinates[j].tolist())
                return (distances[point, j], core[j], where)

            found[point] = labels[min(near, key=place)]
    return found


def _fill(
    distances: Matrix, eps: float, is_core: list[bool], labels: list[int], start: int, name: int
) -> None:
    waiting = [start]
    labels[start] = name
    while waiting:
        point = waiting.pop()
        for other in range(len(labels)):
            if is_core[other] and labels[other] == -1 and distances[point, other] <= eps:
                labels[other] = name
                waiting.append(other)
