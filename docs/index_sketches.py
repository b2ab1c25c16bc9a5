"""What each index looks at, drawn on one small data set: a sketch for every index page.

A solid line measures inside a cluster, a dashed one between clusters; `index_pictures` writes the
files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import cdist

from disco_cvi._input.points import open_points
from disco_cvi.indices.lccv import local_cores, natural_neighbors

Points = NDArray[np.float64]

# Readable on white and on dark paper alike: the background is that of the page.
INK = "#7b7b7b"
# Discs, squares and triangles, so that clusters are told apart without their colors as well. A
# stroke of length 0 with caps takes a few letters for a point.
LOOKS = (
    ("h0", 'stroke="#3f7fd0" stroke-width="5" stroke-linecap="round"'),
    ("h0", 'stroke="#d9771a" stroke-width="4" stroke-linecap="square"'),
    ("m0-3l3 5h-6z", 'stroke="#2f9e60" stroke-width="1.6" fill="none"'),
)
NOISE_LOOK = ("m-2-2l4 4m0-4l-4 4", f'stroke="{INK}" stroke-width="1.3"')
INSIDE, BETWEEN = "#2f9e60", "#c2549a"
WIDTH, HEIGHT = 420, 250


class Sketch(NamedTuple):
    """What is drawn beside the points, and what it is."""

    caption: str
    marks: list[str]


def _make_points() -> Points:
    """A bow, a blob beside it, and three noise points, in the units of the picture."""
    generator = np.random.default_rng(5)
    angles = np.linspace(-2.2, 1.1, 26)
    bow = np.column_stack([140 + 105 * np.cos(angles), 135 + 95 * np.sin(angles)])
    blob = generator.normal((350, 130), (20, 26), (22, 2))
    noise = np.array([[60.0, 190.0], [285.0, 30.0], [275.0, 225.0]])
    return np.concatenate([bow + generator.normal(0, 4, bow.shape), blob, noise])


POINTS = _make_points()
BOW, BLOB, NOISE = np.arange(26), np.arange(26, 48), np.arange(48, 51)
CLUSTERS = (BOW, BLOB)
CLUSTERED = np.concatenate(CLUSTERS)
DISTANCES = cdist(POINTS, POINTS)
CENTERS = np.array([POINTS[rows].mean(axis=0) for rows in CLUSTERS])
# The point of the blob that sketches of single points are about.
CHOSEN = int(BLOB[np.argmin(POINTS[BLOB, 0])])


def draw_points(places: Points, labels: NDArray[np.int64]) -> list[str]:
    """Points of clusters and noise as SVG."""
    marks = []
    for label in np.unique(labels):
        mark, look = NOISE_LOOK if label < 0 else LOOKS[label]
        path = "".join(f"M{x:.1f} {y:.1f}{mark}" for x, y in places[labels == label])
        marks.append(f'<path {look} d="{path}"/>')
    return marks


# --- marks --------------------------------------------------------------------------------------


def _line(start: Points, stop: Points, color: str, width: float = 2.5) -> str:
    return _strokes([(start, stop)], color, width)


def _lines(pairs: Iterable[tuple[int, int]], color: str, width: float) -> list[str]:
    places = [(POINTS[i], POINTS[j]) for i, j in pairs]
    return [_strokes(places, color, width)] if places else []


def _strokes(places: Iterable[tuple[Points, Points]], color: str, width: float) -> str:
    path = "".join(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}" for a, b in places)
    return f'<path d="{path}" stroke="{color}" stroke-width="{width:g}"{_dash(color)}/>'


def _dash(color: str) -> str:
    return ' stroke-dasharray="6 4"' if color == BETWEEN else ""


def _ring(center: Points, radius: float, color: str, width: float = 1.8) -> str:
    return (
        f'<circle cx="{center[0]:.1f}" cy="{center[1]:.1f}" r="{radius:.1f}" fill="none" '
        f'stroke="{color}" stroke-width="{width:g}"{_dash(color)}/>'
    )


def _center(place: Points) -> str:
    x, y = place
    return f'<path d="M{x - 7:.1f} {y:.1f}h14m-7-7v14" stroke="{INSIDE}" stroke-width="3"/>'


# --- what is measured ---------------------------------------------------------------------------


def _extreme(rows: NDArray[np.int64], columns: NDArray[np.int64], sign: int) -> tuple[int, int]:
    """The nearest (sign 1) or farthest (-1) two points of two groups."""
    block = sign * DISTANCES[np.ix_(rows, columns)]
    i, j = np.unravel_index(np.argmin(block), block.shape)
    return int(rows[i]), int(columns[j])


def _span(rows: NDArray[np.int64], weights: Points) -> list[tuple[int, int]]:
    """The edges of a minimum spanning tree, the heaviest last."""
    tree = minimum_spanning_tree(weights[np.ix_(rows, rows)]).tocoo()
    edges = sorted(zip(tree.data, tree.row, tree.col, strict=True))
    return [(int(rows[i]), int(rows[j])) for _, i, j in edges]


def _reach(min_points: int) -> tuple[Points, Points]:
    """Core distances and mutual reachability."""
    core = np.sort(DISTANCES, axis=1)[:, min_points - 1]
    return core, np.maximum(DISTANCES, np.maximum(core[:, None], core))


# --- one sketch for each index ------------------------------------------------------------------


def _disco() -> Sketch:
    core, reach = _reach(4)
    sparsest = CLUSTERED[np.argmax(core[CLUSTERED])]
    marks = [mark for rows in CLUSTERS for mark in _lines(_span(rows, reach), INSIDE, 1.5)]
    marks += _lines([_extreme(BOW, BLOB, 1)], BETWEEN, 2.5)
    marks += [_ring(POINTS[row], core[row], INK, 1.2) for row in (*NOISE, sparsest)]
    return Sketch(
        "Solid: the ground over which points of a cluster are joined. Dashed: the step that "
        "cannot be avoided between the two. Circles: core distances (min_points is 4) of "
        "the noise points, and of the sparsest point in a cluster; noise is good if its circle is "
        "the larger one.",
        marks,
    )


def _pair() -> Sketch:
    told_apart = [(int(i), int(j)) for i in BOW for j in BLOB]
    return Sketch(
        "Dashed: all pairs of points that the labeling tells apart. The DISCO score of a point "
        "counts once for each of its lines; noise has none.",
        _lines(told_apart, BETWEEN, 0.4),
    )


def _silhouette() -> Sketch:
    own = [(CHOSEN, int(row)) for row in BLOB if row != CHOSEN]
    other = [(CHOSEN, int(row)) for row in BOW]
    return Sketch(
        "One point: solid, its distances to its own cluster, whose mean is a; dashed, those to "
        "the other cluster, whose mean is b.",
        _lines(own, INSIDE, 1.5) + _lines(other, BETWEEN, 1),
    )


def _mmj_sc() -> Sketch:
    *tree, jump = _span(CLUSTERED, DISTANCES)
    return Sketch(
        "Solid: the shortest jumps that join all points of a cluster. Dashed: the largest jump, "
        "which is the distance of any two points of different clusters.",
        _lines(tree, INSIDE, 2) + _lines([jump], BETWEEN, 3),
    )


def _s_dbw() -> Sketch:
    spreads = [np.linalg.norm(POINTS[rows].var(axis=0)) for rows in CLUSTERS]
    radius = float(np.sqrt(np.sum(spreads)) / 2)
    marks = [_center(center) for center in CENTERS]
    marks += [_ring(center, radius, INSIDE) for center in CENTERS]
    return Sketch(
        "Solid: the circles around the centers in which points are counted. Dashed: the one "
        "halfway between, which should be empty beside them. The center of the bow is hardly in "
        "the bow.",
        [*marks, _ring(CENTERS.mean(axis=0), radius, BETWEEN)],
    )


def _dbcv() -> Sketch:
    core = np.zeros(len(POINTS))
    for rows in CLUSTERS:
        near = DISTANCES[np.ix_(rows, rows)] ** 2
        np.fill_diagonal(near, np.inf)
        core[rows] = ((near**-2.0).sum(axis=1) / (len(rows) - 1)) ** -0.5
    reach = np.maximum(DISTANCES**2, np.maximum(core[:, None], core))
    marks, inner = [], []
    for rows in CLUSTERS:
        edges = _span(rows, reach)
        degrees = np.bincount(np.ravel(edges), minlength=len(POINTS))
        inner.append(rows[degrees[rows] > 1])
        heaviest = [edge for edge in edges if degrees[list(edge)].min() > 1][-1]
        marks += _lines(edges, INSIDE, 1.2) + _lines([heaviest], INSIDE, 4)
        marks += [_ring(POINTS[row], 6, INSIDE, 1.2) for row in inner[-1]]
    block = reach[np.ix_(*inner)]
    i, j = np.unravel_index(np.argmin(block), block.shape)
    return Sketch(
        "Solid: a tree through each cluster, its inner points ringed, its heaviest edge between "
        "them thick. Dashed: the cheapest edge between inner points of different clusters.",
        marks + _lines([(int(inner[0][i]), int(inner[1][j]))], BETWEEN, 3),
    )


def _dcsi() -> Sketch:
    marks, cores = [], []
    for rows in CLUSTERS:
        near = np.sort(DISTANCES[np.ix_(rows, rows)], axis=1)
        cores.append(rows[near[:, 2] <= np.median(near[:, 4])])
        edges = _span(cores[-1], DISTANCES)
        marks += _lines(edges, INSIDE, 1.2) + _lines(edges[-1:], INSIDE, 4)
        marks += [_ring(POINTS[row], 6, INSIDE, 1.2) for row in cores[-1]]
    return Sketch(
        "Ringed: core points (min_points is 2 here). Solid: a spanning tree of these, with its "
        "longest edge thick. Dashed: the smallest gap between core points of two clusters.",
        marks + _lines([_extreme(cores[0], cores[1], 1)], BETWEEN, 3),
    )


def _neighbors(count: int, rows: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Steps from each of some points to its nearest ones among all points."""
    nearest = np.argsort(DISTANCES[rows], axis=1, kind="stable")[:, 1 : count + 1]
    return [
        (int(row), int(other))
        for row, others in zip(rows, nearest, strict=True)
        for other in others
    ]


def _lccv() -> Sketch:
    points = open_points(POINTS, "the sketch", n_jobs=None)
    _, reach = natural_neighbors(points)
    return Sketch(
        "Solid: steps from points to their nearest ones, along which distances are "
        "measured; noise takes part. Ringed: the local cores, which stand for the points "
        "around them.",
        _lines(_neighbors(reach, np.arange(len(POINTS))), INSIDE, 0.8)
        + [_ring(POINTS[row], 8, BETWEEN, 2.5) for row in local_cores(points).rows],
    )


def _viasckde() -> Sketch:
    squares = DISTANCES[np.ix_(CLUSTERED, CLUSTERED)] ** 2
    density = np.exp(-squares / (2 * 25.0**2)).sum(axis=1)
    marks = [
        _ring(POINTS[row], 3 + 2.2 * thick, INK, 1)
        for row, thick in zip(CLUSTERED, density, strict=True)
    ]
    own = _extreme(np.array([CHOSEN]), BLOB[BLOB != CHOSEN], 1)
    marks += _lines([own], INSIDE, 3) + _lines([_extreme(np.array([CHOSEN]), BOW, 1)], BETWEEN, 3)
    return Sketch(
        "One point: solid, to the nearest point of its own cluster; dashed, to the nearest of "
        "another. Circles: densities, by which points count.",
        marks,
    )


def _cvdd() -> Sketch:
    sparse = np.sort(DISTANCES[np.ix_(CLUSTERED, CLUSTERED)], axis=1)[:, 1:6].mean(axis=1)
    marks = [
        _ring(POINTS[row], radius / 2, INK, 0.8)
        for row, radius in zip(CLUSTERED, sparse, strict=True)
    ]
    for rows in CLUSTERS:
        marks += _lines(_span(rows, DISTANCES), INSIDE, 2)
    return Sketch(
        "Circles: half the mean distance to the nearest points, small where it is dense. Solid: "
        "the steps inside clusters, which should be short and even. Dashed: the step between, "
        "longer in effect where the circles at its ends differ.",
        marks + _lines([_extreme(BOW, BLOB, 1)], BETWEEN, 3),
    )


def _cdbw() -> Sketch:
    marks, chosen = [], []
    for rows, center in zip(CLUSTERS, CENTERS, strict=True):
        picked = [int(rows[np.argmax(np.linalg.norm(POINTS[rows] - center, axis=1))])]
        while len(picked) < 5:
            picked.append(
                int(rows[np.argmax(DISTANCES[np.ix_(rows, np.array(picked))].min(axis=1))])
            )
        chosen.append(np.array(picked))
        marks += [
            _line(POINTS[row], 0.2 * POINTS[row] + 0.8 * center, INSIDE, 1.5) for row in picked
        ]
        marks += [_ring(POINTS[row], 7, INSIDE) for row in picked] + [_center(center)]
    i, j = _extreme(chosen[0], chosen[1], 1)
    radius = float(np.mean([np.sqrt(POINTS[rows].var(axis=0).sum()) for rows in CLUSTERS]))
    middle = (POINTS[i] + POINTS[j]) / 2
    return Sketch(
        "Ringed: representatives (five each here), which walk towards the center along the "
        "solid lines. Dashed: two facing ones, and the circle halfway that should be empty.",
        [*marks, _line(POINTS[i], POINTS[j], BETWEEN, 3), _ring(middle, radius, BETWEEN)],
    )


def _cvnn() -> Sketch:
    return Sketch(
        "Solid: the four nearest points of each point. All are of its own cluster, so that the "
        "separation is 0. The compactness, the mean distance of two points of a cluster, is not "
        "drawn.",
        _lines(_neighbors(4, CLUSTERED), INSIDE, 1),
    )


def _davies_bouldin() -> Sketch:
    marks = [_center(center) for center in CENTERS]
    for rows, center in zip(CLUSTERS, CENTERS, strict=True):
        width = float(np.linalg.norm(POINTS[rows] - center, axis=1).mean())
        marks.append(_ring(center, width, INSIDE))
    return Sketch(
        "Solid: the mean distance of the points of a cluster to its center. Dashed: the "
        "distance of the centers.",
        [*marks, _line(CENTERS[0], CENTERS[1], BETWEEN, 3)],
    )


def _calinski_harabasz() -> Sketch:
    whole = POINTS[CLUSTERED].mean(axis=0)
    marks = [_line(center, whole, BETWEEN, 3) for center in CENTERS]
    for rows, center in zip(CLUSTERS, CENTERS, strict=True):
        marks += [_line(POINTS[row], center, INSIDE, 1) for row in rows]
    return Sketch(
        "Solid: from points to the centers of their clusters; the squares of these are within. "
        "Dashed: from the centers to the mean of all points; the squares of these are between.",
        marks + [_center(center) for center in CENTERS],
    )


def _dunn() -> Sketch:
    widest = max((_extreme(rows, rows, -1) for rows in CLUSTERS), key=lambda pair: DISTANCES[pair])
    return Sketch(
        "Solid: the farthest two points of one cluster. Dashed: the nearest two of different "
        "clusters. All other points have no influence.",
        _lines([widest], INSIDE, 3) + _lines([_extreme(BOW, BLOB, 1)], BETWEEN, 3),
    )


def _generalized_dunn() -> Sketch:
    radii = [
        np.linalg.norm(POINTS[rows] - center, axis=1).mean()
        for rows, center in zip(CLUSTERS, CENTERS, strict=True)
    ]
    place = int(np.argmax(radii))
    between = [(int(i), int(j)) for i in BOW for j in BLOB]
    return Sketch(
        "Solid: the widest cluster, by the mean distance to its center. Dashed: all distances "
        "between two clusters, whose mean is the gap.",
        [
            *_lines(between, BETWEEN, 0.4),
            _center(CENTERS[place]),
            _ring(CENTERS[place], float(radii[place]), INSIDE),
        ],
    )


SKETCHES: dict[str, Callable[[], Sketch]] = {
    "disco": _disco,
    "pair": _pair,
    "silhouette": _silhouette,
    "s_dbw": _s_dbw,
    "dbcv": _dbcv,
    "dcsi": _dcsi,
    "mmj_sc": _mmj_sc,
    "lccv": _lccv,
    "viasckde": _viasckde,
    "cvdd": _cvdd,
    "cdbw": _cdbw,
    "cvnn": _cvnn,
    "davies_bouldin": _davies_bouldin,
    "calinski_harabasz": _calinski_harabasz,
    "dunn": _dunn,
    "generalized_dunn": _generalized_dunn,
}


def draw_sketch(name: str, title: str) -> str:
    """The sketch of an index as SVG."""
    labels = np.repeat([0, 1, -1], [len(BOW), len(BLOB), len(NOISE)])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}">',
        f"<title>What {title} looks at.</title>",
        *SKETCHES[name]().marks,
        *draw_points(POINTS, labels),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"
