"""What is lost when an index chooses among labelings: a study of our own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import methodcaller
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi import DensityTree
from disco_cvi._for_paper import compactness_of, standardize
from disco_paper import datasets
from disco_paper.cells import Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.datasets import LabeledPoints
from disco_paper.drawing import open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row
from disco_paper.measures import measure
from disco_paper.paper import INDEX_TITLES, INFOS, LOWER_IS_BETTER, OURS, PAPER_INDICES, read_text
from disco_paper.sources import Case, FloatArray, Source, make_labels, make_points

# === The data sets of the study: those of the paper, and points that it draws itself ==============

LabelArray: TypeAlias = NDArray[np.int64]
Random: TypeAlias = np.random.Generator
Drawn: TypeAlias = tuple[FloatArray, LabelArray]

_N_POINTS = 600


def _drawn(draw: Callable[[Random], Drawn]) -> Callable[..., LabeledPoints]:
    """A maker of points by their seed, standardized as all points of the study."""

    def make(*, seed: int) -> LabeledPoints:
        points, labels = draw(np.random.default_rng(seed))
        return LabeledPoints(standardize(points), labels)

    return make


def _groups(
    random: Random, centers: Any, sizes: Sequence[int], spreads: float | Sequence[float]
) -> Drawn:
    """Round Gaussian groups around centers."""
    centers = np.asarray(centers, np.float64)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    each = np.broadcast_to(spreads, len(sizes))[labels]
    points = centers[labels] + each[:, None] * random.normal(size=(len(labels), centers.shape[1]))
    return points, labels


def _with_noise(random: Random, points: FloatArray, labels: LabelArray, n_noise: int) -> Drawn:
    """Uniform noise added in the box of the points."""
    noise = random.uniform(points.min(axis=0), points.max(axis=0), (n_noise, points.shape[1]))
    return np.vstack([points, noise]), np.concatenate([labels, np.full(n_noise, -1)])


def _ring(random: Random, radius: float, n_points: int, jitter: float) -> FloatArray:
    angles = random.uniform(0, 2 * np.pi, n_points)
    circle = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return circle + random.normal(scale=jitter, size=circle.shape)


def _far_apart(
    random: Random, n_centers: int, n_features: int, *, least: float, box: float
) -> FloatArray:
    """Centers in a box, each at least so far from all others."""
    found: list[FloatArray] = []
    while len(found) < n_centers:
        center = random.uniform(-box, box, n_features)
        if all(np.linalg.norm(center - other) >= least for other in found):
            found.append(center)
    return np.array(found)


# --- shapes -------------------------------------------------------------------------------------


def _moons(random: Random) -> Drawn:
    angles = random.uniform(0, np.pi, _N_POINTS)
    labels = np.arange(_N_POINTS) % 2
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    points[labels == 1] = (1.0, 0.5) - points[labels == 1]
    return points + random.normal(scale=0.07, size=points.shape), labels


def _circles(random: Random) -> Drawn:
    half = _N_POINTS // 2
    points = np.vstack([_ring(random, radius, half, 0.06) for radius in (1.0, 0.5)])
    return points, np.repeat([0, 1], half)


def _noisy_circles(random: Random) -> Drawn:
    sizes = (150, 250, 350)
    rings = [_ring(random, 1.0 + i, size, 0.07) for i, size in enumerate(sizes)]
    return _with_noise(random, np.vstack(rings), np.repeat([0, 1, 2], sizes), 75)


def _varied(random: Random) -> Drawn:
    centers = _far_apart(random, 3, 2, least=8.0, box=10.0)
    return _groups(random, centers, [200] * 3, [1.0, 2.5, 0.5])


def _anisotropic(random: Random) -> Drawn:
    centers = _far_apart(random, 3, 2, least=7.0, box=8.0)
    points, labels = _groups(random, centers, [200] * 3, 1.0)
    return points @ np.array([[0.6, -0.6], [-0.4, 0.8]]), labels


def _noisy_blobs(random: Random) -> Drawn:
    centers = _far_apart(random, 5, 2, least=6.0, box=10.0)
    return _with_noise(random, *_groups(random, centers, [120] * 5, 0.8), 90)


def _many(random: Random) -> Drawn:
    grid = np.array([(x, y) for x in range(7) for y in range(6)], np.float64)
    return _groups(random, grid + random.uniform(-0.15, 0.15, grid.shape), [45] * 42, 0.09)


def _nested(random: Random) -> Drawn:
    """Four pairs of groups: eight clusters from near, four from afar."""
    pairs = [(-10.0, -10.0), (-10.0, 10.0), (10.0, -10.0), (10.0, 10.0)]
    centers = [(x + side, y) for x, y in pairs for side in (-1.5, 1.5)]
    return _groups(random, centers, [100] * 8, 0.5)


def _many_features(random: Random) -> Drawn:
    return _groups(random, random.normal(scale=2.0, size=(6, 20)), [100] * 6, 1.0)


def _overlapping(random: Random) -> Drawn:
    corners = [(0.0, 0.0), (3.5, 0.0), (0.0, 3.5), (3.5, 3.5)]
    return _groups(random, corners, [150] * 4, 1.0)


# --- unlike sizes, no structure -----------------------------------------------------------------


def _one_large(random: Random) -> Drawn:
    centers = [(0.0, 0.0), (9.0, 0.0), (0.0, 9.0), (-9.0, 0.0)]
    return _groups(random, centers, [900, 40, 30, 30], [1.5, 0.7, 0.7, 0.7])


def _one_small(random: Random) -> Drawn:
    return _groups(random, [(0.0, 0.0), (8.0, 0.0)], [970, 30], [1.5, 0.5])


def _halving(random: Random) -> Drawn:
    centers = _far_apart(random, 6, 2, least=8.0, box=14.0)
    return _groups(random, centers, [512, 256, 128, 64, 32, 16], 1.0)


def _one_gaussian(random: Random, n_features: int) -> Drawn:
    return random.normal(size=(_N_POINTS, n_features)), np.zeros(_N_POINTS, np.int64)


def _uniform(random: Random, n_features: int) -> Drawn:
    return random.uniform(size=(_N_POINTS, n_features)), np.zeros(_N_POINTS, np.int64)


# By name; each is called with a seed.
SHAPES: dict[str, Callable[..., LabeledPoints]] = {
    "moons": _drawn(_moons),
    "circles": _drawn(_circles),
    "three noisy circles": _drawn(_noisy_circles),
    "varied blobs": _drawn(_varied),
    "anisotropic blobs": _drawn(_anisotropic),
    "noisy blobs": _drawn(_noisy_blobs),
    "42 clusters": _drawn(_many),
    "nested": _drawn(_nested),
    "20 features": _drawn(_many_features),
    "overlapping blobs": _drawn(_overlapping),
}
IMBALANCED: dict[str, Callable[..., LabeledPoints]] = {
    "sizes 90/4/3/3": _drawn(_one_large),
    "sizes 97/3": _drawn(_one_small),
    "halving sizes": _drawn(_halving),
}
STRUCTURELESS: dict[str, Callable[..., LabeledPoints]] = {
    "one Gaussian, 2 features": _drawn(lambda random: _one_gaussian(random, 2)),
    "one Gaussian, 5 features": _drawn(lambda random: _one_gaussian(random, 5)),
    "uniform, 2 features": _drawn(lambda random: _uniform(random, 2)),
    "uniform, 5 features": _drawn(lambda random: _uniform(random, 5)),
}


Kind = Literal["benchmark", "generated", "real", "shape", "imbalanced", "structureless"]

_BENCHMARK = (
    *("3-spiral", "aggregation", "chainlink", "compound", "dartboard1", "diamond9", "smile1"),
    *("complex8", "complex9", "cluto-t4-8k", "cluto-t5-8k", "cluto-t7-10k", "cluto-t8-8k"),
)
# Rows that are kept of larger data, but for the benchmark sets, which are all used in full.
_N_ROWS = 2500
_N_GENERATED = 2000
_N_COMPONENTS = 50
_N_SEEDS = 3
_QUICK = ("3-spiral", "aggregation", "compound", "Iris", "moons", "nested", "overlapping blobs")
_QUICK_IMBALANCED = "sizes 90/4/3/3"
# Families whose clusters are round Gaussian groups.
ROUND = (
    *("varied blobs", "noisy blobs", "42 clusters", "nested", "20 features", "overlapping blobs"),
    *IMBALANCED,
)
# Sets of one maker and one manner; every other benchmark set is a family of its own.
_FAMILIES = ("cluto", "complex")


class StudySet(NamedTuple):
    """A data set, how it is called, and what it is counted with.

    Attributes
    ----------
    title : str
    family : str
        Sets of one family, such as three draws of one generator, are drawn together in a bootstrap.
    kind : str
    data : Spec
    """

    title: str
    family: str
    kind: Kind
    data: Spec


def study_sets(scope: Scope) -> list[StudySet]:
    """The sets with clusters; a few small ones in a quick run.

    >>> [chosen.title for chosen in study_sets(Scope(quick=True))][:3]
    ['3-spiral', 'aggregation', 'compound']
    """
    found = [*benchmark_sets(), *_generated_sets(), *_real_sets()]
    found += _made_sets(SHAPES, "shape", scope) + _made_sets(IMBALANCED, "imbalanced", scope)
    if scope.quick:
        return [chosen for chosen in found if chosen.family in (*_QUICK, _QUICK_IMBALANCED)]
    return found


def benchmark_sets() -> list[StudySet]:
    """The thirteen drawn benchmark sets, in full."""
    return [StudySet(name, _family(name), "benchmark", spec(name)) for name in _BENCHMARK]


def structureless_sets(scope: Scope) -> list[StudySet]:
    """Sets in which there is nothing to find, which are shown apart."""
    found = [StudySet(name, name, "structureless", spec(name, seed=0)) for name in STRUCTURELESS]
    return found[:1] if scope.quick else found


def _family(name: str) -> str:
    return next((family for family in _FAMILIES if name.startswith(family)), name)


def _generated_sets() -> list[StudySet]:
    names = ("Synth_low", "Synth_high", "Synth_no_noise")
    return [
        StudySet(name, "DENSIRED", "generated", spec("rows", of=name, n_rows=_N_GENERATED))
        for name in names
    ]


def _real_sets() -> list[StudySet]:
    small = ("Iris", "Seeds", "WiFi", "Yeast")
    large = ("Optdigits", "Pendigits", "htru2", "Spambase", "Wine quality")
    data = {name: spec(name) for name in small}
    data |= {name: spec("rows", of=name, n_rows=_N_ROWS) for name in large}
    data |= {name: spec("components", of=name, n=_N_COMPONENTS) for name in ("COIL20", "cmu_faces")}
    data |= {name: spec("of scikit-learn", set=name) for name in ("wine", "breast_cancer")}
    return [StudySet(name, name, "real", found) for name, found in data.items()]


def _made_sets(makers: dict[str, Any], kind: Kind, scope: Scope) -> list[StudySet]:
    return [
        StudySet(f"{name}, seed {seed}", name, kind, spec(name, seed=seed))
        for name in makers
        for seed in range(scope.repetitions(_N_SEEDS, 1))
    ]


# --- makers of data -----------------------------------------------------------------------------


def _rows(*, of: str, n_rows: int) -> LabeledPoints:
    """Some rows of a data set that was standardized as a whole."""
    found = datasets.load(of)
    random = np.random.default_rng(0)
    rows = np.sort(random.choice(len(found.X), min(n_rows, len(found.X)), replace=False))
    return LabeledPoints(np.ascontiguousarray(found.X[rows]), found.labels[rows])


def _components(*, of: str, n: int) -> LabeledPoints:
    """Points by their first principal components: images have far more features than points."""
    found = datasets.load(of)
    return LabeledPoints(_principal(found.X, n), found.labels)


def _principal(points: FloatArray, n_components: int) -> FloatArray:
    centered = points - points.mean(axis=0)
    squares, directions = np.linalg.eigh(centered @ centered.T)
    kept = slice(-1, -n_components - 1, -1)
    return np.ascontiguousarray(directions[:, kept] * np.sqrt(np.maximum(squares[kept], 0.0)))


def _of_scikit_learn(*, set: str) -> LabeledPoints:  # noqa: A002 - the name of the option
    from sklearn import datasets as others

    found = getattr(others, f"load_{set}")()
    return LabeledPoints(standardize(found.data), found.target.astype(np.int64))


DATA: dict[str, Callable[..., LabeledPoints]] = {
    **SHAPES,
    **IMBALANCED,
    **STRUCTURELESS,
    "rows": _rows,
    "components": _components,
    "of scikit-learn": _of_scikit_learn,
}


# === The labelings among which an index chooses, what it chooses, and what that loses =============

MIN_POINTS = 5
# A best pair score below this says that groups are hardly apart.
WEAK = 0.1
# Each of three ways to spread eps over the tree gives so many.
_N_EACH = 20
N_EPS = 3 * _N_EACH
_LEAST_SHARE = 0.02
# The lowest of the top heights that are tried: one of so many.
_TOP = 10
N_SIZES = 10
_KS = range(2, 21)
# Every so many candidates are tried in a quick run.
_QUICK_STEP = 5
EVERY_EPS = spec("dbscan of every eps")
EVERY_EPS_AGAIN = spec("dbscan of every eps, each cluster again")


class Arena(NamedTuple):
    """A parameter to choose: what it is, and the labelings that its values give."""

    title: str
    labelings: tuple[Spec, ...]

    def candidates(self, scope: Scope) -> tuple[Spec, ...]:
        """The labelings of a run, in the order in which equally good ones are taken."""
        return self.labelings[:: _QUICK_STEP if scope.quick else 1]


ARENAS = {
    "eps": Arena("eps of DBSCAN", tuple(spec("dbscan of the tree", place=i) for i in range(N_EPS))),
    "hdbscan": Arena(
        "HDBSCAN",
        tuple(
            spec("hdbscan of the tree", place=i, method=method)
            for method in ("eom", "leaf")
            for i in range(N_SIZES)
        ),
    ),
    "k-means": Arena("k of k-means", tuple(spec("k-means", k=k, seed=0, n_init=5) for k in _KS)),
    "ward": Arena("k of Ward", tuple(spec("ward of one tree", k=k) for k in _KS)),
}


def eps_grid(tree: DensityTree) -> FloatArray:
    """Values of eps that spread over a tree, falling.

    A third are quantiles of the core distances from 2 % up, a third quantiles of the heights, a
    third lie below the greatest heights at ranks that grow geometrically. Each is moved to the
    middle between the two neighboring values at which the clusters change, so that no rounding
    decides.
    """
    heights, cores = np.sort(tree.heights), np.sort(tree.core_distances)
    changes = np.unique(np.concatenate([heights, cores]))
    if len(changes) == 1:
        return np.full(N_EPS, changes[0])
    shares = np.linspace(_LEAST_SHARE, 1.0, _N_EACH)
    ranks = np.geomspace(1, max(1, len(heights) // _TOP), _N_EACH).astype(np.intp)
    above = [_at_shares(cores, shares), _at_shares(heights, shares)]
    places = np.concatenate(
        [
            np.searchsorted(changes, np.concatenate(above)),
            np.searchsorted(changes, heights[-ranks]) - 1,
        ]
    )
    middles = (changes[1:] + changes[:-1]) / 2
    grid: FloatArray = np.sort(middles[np.clip(places, 0, len(middles) - 1)])[::-1]
    return grid


def _at_shares(values: FloatArray, shares: FloatArray) -> FloatArray:
    return values[np.ceil(shares * (len(values) - 1)).astype(np.intp)]


def cluster_sizes(n_points: int) -> list[int]:
    """Ten values of min_cluster_size, from 5 to a tenth of the points.

    >>> cluster_sizes(1000)
    [5, 7, 10, 14, 19, 26, 37, 51, 72, 100]
    """
    return [round(size) for size in np.geomspace(5, max(6, n_points / 10), N_SIZES).tolist()]


# --- makers of labels ---------------------------------------------------------------------------


def _tree(source: Source) -> DensityTree:
    return source.density_tree(MIN_POINTS)


def _grid(source: Source) -> FloatArray:
    return eps_grid(_tree(source))


def _dbscan(source: Source, place: int) -> LabelArray:
    eps = float(source.once(_grid)[place])
    return _tree(source).dbscan(eps, X=source.points)


def _dbscan_of_every_eps(source: Source) -> LabelArray:
    """What the tree chooses by itself: the eps of the best pair score, then with border points."""
    tree = _tree(source)
    return tree.dbscan(tree.eps_path().best.eps, X=source.points)


def _dbscan_again(source: Source) -> LabelArray:
    """The same, and then each cluster that falls apart clearly is cut in the same way."""
    labels = _dbscan_of_every_eps(source)
    found = labels.copy()
    for cluster in range(labels.max() + 1):
        rows = np.flatnonzero(labels == cluster)
        if len(rows) < 2 * MIN_POINTS:
            continue
        points = np.ascontiguousarray(source.points[rows])
        tree = DensityTree(points, min_points=MIN_POINTS)
        best = tree.eps_path().best
        if best.score >= WEAK:
            inside = tree.dbscan(best.eps, X=points)
            found[rows] = np.where(inside >= 0, inside + found.max() + 1, -1)
    return found


def _hdbscan(source: Source, place: int, method: Literal["eom", "leaf"]) -> LabelArray:
    size = cluster_sizes(len(source.points))[place]
    return _tree(source).hdbscan(size, method=method)


def _ward_linkage(source: Source) -> FloatArray:
    from scipy.cluster.hierarchy import ward

    return np.asarray(ward(source.points), np.float64)


def _ward(source: Source, k: int) -> LabelArray:
    """Cut the tree that all k share."""
    from scipy.cluster.hierarchy import fcluster

    found = fcluster(source.once(_ward_linkage), k, criterion="maxclust")
    return np.asarray(found, np.int64) - 1


LABELINGS: dict[str, Callable[..., Any]] = {
    "dbscan of the tree": _dbscan,
    EVERY_EPS.name: _dbscan_of_every_eps,
    EVERY_EPS_AGAIN.name: _dbscan_again,
    "hdbscan of the tree": _hdbscan,
    "ward of one tree": _ward,
}


# A choice that loses less is a hit.
HIT = 0.05
_N_DRAWS = 2000
_SEED = 0


class Candidate(NamedTuple):
    """A labeling among which to choose: its agreement with the truth, and what breaks ties."""

    ari: float
    n_clusters: int
    n_noise: int


def choose(
    candidates: Sequence[Candidate],
    scores: Sequence[float | None],
    *,
    lower_is_better: bool = False,
) -> int | None:
    """The place of the candidate with the best score; None if no score is defined.

    Of equally good ones it is that with fewer clusters, then with less noise, then the first.

    >>> choose([Candidate(0.2, 2, 0), Candidate(0.9, 3, 0), Candidate(1.0, 4, 0)], [0.1, 0.7, None])
    1
    """
    sign = -1.0 if lower_is_better else 1.0
    known = [place for place, score in enumerate(scores) if score is not None]

    def rank(place: int) -> tuple[float, int, int, int]:
        _, n_clusters, n_noise = candidates[place]
        return -sign * float(scores[place] or 0.0), n_clusters, n_noise, place

    return min(known, key=rank, default=None)


def regret(candidates: Sequence[Candidate], chosen: int | None) -> float:
    """The best agreement that there was, minus that of the choice.

    Choosing nothing agrees with the truth as much as chance: 0.

    >>> round(regret([Candidate(0.2, 2, 0), Candidate(0.9, 3, 0)], 0), 3)
    0.7
    """
    best = max(candidate.ari for candidate in candidates)
    return best - (0.0 if chosen is None else candidates[chosen].ari)


class Loss(NamedTuple):
    """Regret over data sets: its mean with a 95 % interval, the share of hits, the worst."""

    mean: float
    low: float
    high: float
    hits: float
    worst: float
    n_sets: int


def sum_up(regrets: Mapping[str, float], families: Mapping[str, str]) -> Loss:
    """Sum up the regrets of data sets, by name; `families` says which count as one.

    >>> sum_up({"a": 0.0, "b": 0.5}, {"a": "x", "b": "x"})
    Loss(mean=0.25, low=0.25, high=0.25, hits=0.5, worst=0.5, n_sets=2)
    """
    values = list(regrets.values())
    low, high = bootstrap_interval(regrets, families)
    n_hits = sum(value < HIT for value in values)
    mean = math.fsum(values) / len(values)
    return Loss(mean, low, high, n_hits / len(values), max(values), len(values))


def bootstrap_interval(
    regrets: Mapping[str, float], families: Mapping[str, str]
) -> tuple[float, float]:
    """The 95 % interval of the mean, by drawing families with replacement, always the same."""
    names = sorted({families[name] for name in regrets})
    members = [[value for name, value in regrets.items() if families[name] == f] for f in names]
    sums = np.array([math.fsum(values) for values in members])
    counts = np.array([len(values) for values in members])
    drawn = np.random.default_rng(_SEED).integers(len(names), size=(_N_DRAWS, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    return low, high


PAIR, PAIR_OF_ONE = "pair", "pair of min_points 1"
# What chooses: the pair score, and the eleven indices of the paper as this package has them.
CRITERIA: dict[str, Spec] = {
    PAIR: spec("pair"),
    PAIR_OF_ONE: spec("pair", min_points=1),
    **{name: spec(name) for name in PAPER_INDICES},
}
TITLES = {PAIR: "Pair score", PAIR_OF_ONE: "Pair score (min_points 1)", **INDEX_TITLES}
_COMPACTNESS = spec("compactness of CVNN")
ARI, _N_CLUSTERS, _N_NOISE = spec("ari"), spec("n_clusters"), spec("n_noise")
_FACTS = (ARI, _N_CLUSTERS, _N_NOISE)


def _compactness(case: Case) -> float:
    case.clustering.need_clusters("CVNN", least=1)
    return float(compactness_of(case.clustering))


MEASURES: dict[str, Callable[..., Value]] = {_COMPACTNESS.name: _compactness}


class Field(NamedTuple):
    """The candidates of one arena on one data set, with their scores by criterion."""

    chosen_set: StudySet
    candidates: list[Candidate]
    scores: dict[str, list[float | None]]

    def choice(self, criterion: str) -> int | None:
        """The place of what a criterion chooses."""
        is_reversed = criterion in LOWER_IS_BETTER
        return choose(self.candidates, self.scores[criterion], lower_is_better=is_reversed)

    def regret(self, criterion: str) -> float:
        """What the choice loses."""
        return regret(self.candidates, self.choice(criterion))

    def ari(self, criterion: str) -> float:
        """How far the choice agrees with the truth."""
        return self.best.ari - self.regret(criterion)

    @property
    def best(self) -> Candidate:
        """The candidate that agrees best with the truth; of equal ones the first."""
        return max(self.candidates, key=lambda candidate: candidate.ari)

    @property
    def mean_regret(self) -> float:
        """What a candidate loses that is taken at random."""
        each = [regret(self.candidates, place) for place in range(len(self.candidates))]
        return math.fsum(each) / len(each)

    def best_score(self, criterion: str) -> float | None:
        """The score of the choice."""
        chosen = self.choice(criterion)
        return None if chosen is None else self.scores[criterion][chosen]


def arena_cells(
    sets: Iterable[StudySet], arena: Arena, scope: Scope, criteria: Iterable[str] = CRITERIA
) -> list[Cell]:
    """Everything that is needed to choose in an arena."""
    indices = [*_FACTS, *(CRITERIA[name] for name in criteria)]
    indices += [_COMPACTNESS] if "cvnn" in criteria else []
    return cross([chosen.data for chosen in sets], arena.candidates(scope), indices)


def read_field(
    found: Outcomes,
    chosen_set: StudySet,
    arena: Arena,
    scope: Scope,
    criteria: Iterable[str] = CRITERIA,
) -> Field | None:
    """The candidates of an arena and their scores; None if a labeling could not be made."""
    data, labelings = chosen_set.data, arena.candidates(scope)
    facts = [[found.number(data, labeling, fact) for fact in _FACTS] for labeling in labelings]
    if any(value is None for row in facts for value in row):
        return None
    candidates = [Candidate(float(a or 0), int(k or 0), int(m or 0)) for a, k, m in facts]
    scores = {
        name: [found.number(data, labeling, CRITERIA[name]) for labeling in labelings]
        for name in criteria
    }
    if "cvnn" in scores:
        parts = [found.number(data, labeling, _COMPACTNESS) for labeling in labelings]
        scores["cvnn"] = weigh_alike(scores["cvnn"], parts)
    return Field(chosen_set, candidates, scores)


def weigh_alike(sums: list[float | None], parts: list[float | None]) -> list[float | None]:
    """CVNN of candidates: both parts divided by their largest value among all, then added.

    Parameters
    ----------
    sums : list of float or None
        The sum of the two parts of each candidate.
    parts : list of float or None
        One of the two, the compactness.

    Examples
    --------
    >>> weigh_alike([5.0, 3.0, None], [4.0, 2.5, None])
    [2.0, 1.125, None]
    """
    pairs = [
        None if a is None or b is None else (a - b, b) for a, b in zip(sums, parts, strict=True)
    ]
    known = [pair for pair in pairs if pair is not None]
    largest = [max((pair[i] for pair in known), default=0.0) or 1.0 for i in range(2)]
    return [None if pair is None else pair[0] / largest[0] + pair[1] / largest[1] for pair in pairs]


def benchmark_regrets() -> dict[str, float]:
    """The regret of the automatic eps on each of the thirteen benchmark sets, in some seconds.

    The tree takes the eps with the best pair score of all that there are; the regret is the best
    adjusted Rand index among the 60 eps of the grid minus that of this choice. It is below 0 where
    no eps of the grid is as good.

    Returns
    -------
    dict of str to float
        By name of the data set.
    """
    return {
        chosen.title: automatic_regret(Source(chosen.data, *make_points(chosen.data)))
        for chosen in benchmark_sets()
    }


def automatic_regret(source: Source) -> float:
    """The regret of the automatic eps on one data set."""

    def ari(labeling: Spec) -> float:
        labels = make_labels(labeling, source, LABELINGS)
        return float(measure(ARI, Case(source, labels)))  # type: ignore[arg-type]

    return max(map(ari, ARENAS["eps"].candidates(Scope()))) - ari(EVERY_EPS)


# === What is lost when an index chooses eps, min_cluster_size or k: a study of our own ============


# The fields of one arena, by title of their data set.
Fields = Mapping[str, Field]

AT_RANDOM = "Any candidate, at random"
_FAILURES = "Where the pair score fails: mean ARI of choices"
_LARGEST = "Where the pair score fails: the largest losses when it chooses eps"
_N_LARGEST = 8
_PARTITIONS = "Round clusters: mean regret when k is chosen"
_STRUCTURELESS = "Nothing to find: what the pair score chooses"
_EVERY_SET = "eps of DBSCAN: ARI on every data set"


def losses_of(fields: Fields, further: Mapping[str, Mapping[str, float]]) -> dict[str, Loss]:
    """What each criterion loses, by its title.

    Parameters
    ----------
    fields : mapping of str to Field
        The candidates by data set.
    further : mapping of str to mapping of str to float
        Regrets, by data set, of choices that are no maximum of an index, by their title.
    """
    families = {title: field.chosen_set.family for title, field in fields.items()}

    def sum_over(lost: Callable[[Field], float]) -> Loss:
        return sum_up({title: lost(field) for title, field in fields.items()}, families)

    known = {
        title: {name: value for name, value in regrets.items() if name in fields}
        for title, regrets in further.items()
    }
    found = {title: sum_up(regrets, families) for title, regrets in known.items() if regrets}
    found |= {TITLES[name]: sum_over(methodcaller("regret", name)) for name in CRITERIA}
    return {**found, AT_RANDOM: sum_over(lambda field: field.mean_regret)}


def loss_rows(title: str, losses: Mapping[str, Loss]) -> Iterator[Row]:
    """A table of losses, a line for each criterion."""
    n_sets = max(loss.n_sets for loss in losses.values())
    for name, loss in losses.items():
        columns: dict[str, Value] = {
            "mean": loss.mean,
            "95 % from": loss.low,
            "95 % to": loss.high,
            "hits": f"{loss.hits:.0%}",
            "worst": loss.worst,
        }
        yield from _line(f"{title}: regret on {n_sets} data sets", name, columns)


def _line(table: str, name: str, columns: Mapping[str, Value]) -> Iterator[Row]:
    for column, value in columns.items():
        yield Row(name, column, value, table=table)


# --- where it fails -----------------------------------------------------------------------------


def failure_rows(
    fields: Mapping[str, Fields], further: Mapping[str, Mapping[str, float]]
) -> Iterator[Row]:
    """Groups of data sets on which the pair score chooses badly, and what does better there.

    Parameters
    ----------
    fields : mapping of str to mapping of str to Field
        By name of the arena and title of the data set.
    further : mapping of str to mapping of str to float
        As in `losses_of`, for the choice of eps.
    """
    for name, (belongs, advice) in _GROUPS.items():
        titles = [title for title, field in fields["eps"].items() if belongs(field)]
        if titles:
            columns = _mean_aris(fields, titles, further)
            yield from _line(_FAILURES, name, {**columns, "what to do": advice})
    yield from _largest_losses(fields["eps"])
    for arena, title in (("k-means", "k of k-means"), ("ward", "k of Ward")):
        chosen = [f for f in fields[arena].values() if f.chosen_set.family in ROUND]
        criteria = (PAIR, PAIR_OF_ONE, "silhouette", "lccv")
        yield from _line(
            _PARTITIONS,
            f"{title}, {len(chosen)} sets",
            {TITLES[name]: mean(field.regret(name) for field in chosen) for name in criteria},
        )


def _largest_losses(fields: Fields) -> Iterator[Row]:
    """The data sets on which most is lost; fewer clusters than the best has: it is too coarse."""
    missed = [title for title, field in fields.items() if field.regret(PAIR) >= HIT]
    falling = sorted(missed, key=lambda title: -fields[title].regret(PAIR))
    for title in falling[:_N_LARGEST]:
        field = fields[title]
        chosen, best = field.choice(PAIR), field.best
        columns: dict[str, Value] = {
            "ARI of the choice": field.ari(PAIR),
            "best ARI": best.ari,
            "clusters chosen": 0 if chosen is None else field.candidates[chosen].n_clusters,
            "clusters of the best": best.n_clusters,
        }
        yield from _line(_LARGEST, title, columns)


def _mean_aris(
    fields: Mapping[str, Fields], titles: Sequence[str], further: Mapping[str, Mapping[str, float]]
) -> dict[str, Value]:
    asked = {
        "DBSCAN by pair score": ("eps", PAIR),
        "HDBSCAN by pair score": ("hdbscan", PAIR),
        "k-means by pair score (min_points 1)": ("k-means", PAIR_OF_ONE),
        "Ward by pair score (min_points 1)": ("ward", PAIR_OF_ONE),
        "k-means by Silhouette": ("k-means", "silhouette"),
        "Ward by Silhouette": ("ward", "silhouette"),
    }
    best = {title: fields["eps"][title].best.ari for title in titles}
    others = {
        name: mean(best[title] - regrets[title] for title in titles if title in regrets)
        for name, regrets in further.items()
    }
    return {
        "sets": len(titles),
        "best eps there is": mean(best.values()),
        **others,
        **{
            column: mean(fields[arena][title].ari(name) for title in titles)
            for column, (arena, name) in asked.items()
            if arena in fields
        },
    }


def mean(values: Iterable[float]) -> float | None:
    """The mean; None if there are no values."""
    known = list(values)
    return math.fsum(known) / len(known) if known else None


def _is_weak(field: Field) -> bool:
    best = field.best_score(PAIR)
    return best is not None and best < WEAK


_GROUPS: dict[str, tuple[Callable[[Field], bool], str]] = {
    "Nested clusters": (
        lambda field: field.chosen_set.family == "nested",
        read_text("choose-eps.on_levels"),
    ),
    "Weak separation: best pair score below 0.1": (
        _is_weak,
        "Look at the sizes: a small score can also come from one giant cluster.",
    ),
    "The same without imbalanced sizes": (
        lambda field: _is_weak(field) and field.chosen_set.kind != "imbalanced",
        read_text("choose-eps.on_overlap"),
    ),
    "Best pair score 0.1 or more": (lambda field: not _is_weak(field), "Choose by the pair score."),
    "Imbalanced sizes": (
        lambda field: field.chosen_set.kind == "imbalanced",
        read_text("choose-eps.on_sizes"),
    ),
    "Round clusters": (
        lambda field: field.chosen_set.family in ROUND,
        "To choose k of a partition, score with min_points=1.",
    ),
}


# --- every set ----------------------------------------------------------------------------------


def set_rows(fields: Fields, further: Mapping[str, Mapping[str, float]]) -> Iterator[Row]:
    """What the choices of eps agree with the truth, set by set; `further` as in `losses_of`."""
    for title, field in fields.items():
        columns: dict[str, Value] = {"best eps there is": field.best.ari}
        for name, regrets in further.items():
            columns[name] = field.best.ari - regrets[title] if title in regrets else None
        for name in (PAIR, "disco", "dbcv", "silhouette"):
            columns[TITLES[name]] = field.ari(name)
        columns["its best pair score"] = field.best_score(PAIR)
        yield from _line(_EVERY_SET, title, columns)


def structureless_rows(fields: Fields) -> Iterator[Row]:
    """What is chosen where there is nothing to find: a maximum always chooses something."""
    for title, field in fields.items():
        chosen = field.choice(PAIR)
        columns: dict[str, Value] = {"best pair score": field.best_score(PAIR)}
        if chosen is not None:
            columns["clusters"] = field.candidates[chosen].n_clusters
            columns["noise points"] = field.candidates[chosen].n_noise
        yield from _line(_STRUCTURELESS, title, columns)


_EPS = ARENAS["eps"]
# What a tree chooses by itself, by title.
_AUTOMATIC = {"Pair score (every eps)": EVERY_EPS, "Pair score (every eps, twice)": EVERY_EPS_AGAIN}


def choose_eps_cells(scope: Scope) -> list[Cell]:
    """Every candidate of every set under every index; what has no structure under one alone."""
    sets = study_sets(scope)
    found = [cell for arena in ARENAS.values() for cell in arena_cells(sets, arena, scope)]
    found += cross([chosen.data for chosen in sets], _AUTOMATIC.values(), [ARI])
    return found + arena_cells(structureless_sets(scope), _EPS, scope, [PAIR])


def choose_eps_report(found: Outcomes, scope: Scope) -> Report:
    """Regret by arena and criterion, where the pair score fails, and every set."""
    sets = study_sets(scope)
    fields = {name: _read(found, sets, arena, scope) for name, arena in ARENAS.items()}
    known = set.intersection(*(set(of_arena) for of_arena in fields.values()))
    left_out = [chosen.title for chosen in sets if chosen.title not in known]
    notes = [*_NOTES, read_text("choose-eps.missing")]
    notes += [f"Could not be computed, and left out: {'; '.join(left_out)}."] if left_out else []
    if not known:
        return Report((), (), tuple(notes))
    fields = {
        name: {title: field for title, field in of_arena.items() if title in known}
        for name, of_arena in fields.items()
    }
    automatic = {title: _lose(found, fields["eps"], asked) for title, asked in _AUTOMATIC.items()}
    losses = {name: losses_of(fields[name], automatic if name == "eps" else {}) for name in ARENAS}
    rows = [row for name in ARENAS for row in loss_rows(ARENAS[name].title, losses[name])]
    benchmark = {t: f for t, f in fields["eps"].items() if f.chosen_set.kind == "benchmark"}
    if benchmark:
        loss = losses_of(benchmark, automatic)
        rows += loss_rows("eps of DBSCAN, benchmark sets alone", loss)
    rows += failure_rows(fields, automatic)
    without = _read(found, structureless_sets(scope), _EPS, scope, [PAIR])
    rows += [*structureless_rows(without), *set_rows(fields["eps"], automatic)]
    figure = Figure("", read_text("choose-eps.caption", origin=OURS), lambda: _draw(losses))
    return Report(tuple(rows), (figure,), tuple(notes))


def _lose(found: Outcomes, fields: Mapping[str, Field], labeling: Spec) -> dict[str, float]:
    """The regret of a labeling by title of the data set, against the best eps of the grid."""
    aris = {
        title: found.number(field.chosen_set.data, labeling, ARI) for title, field in fields.items()
    }
    return {title: fields[title].best.ari - ari for title, ari in aris.items() if ari is not None}


def _read(
    found: Outcomes,
    sets: Iterable[StudySet],
    arena: Arena,
    scope: Scope,
    criteria: Iterable[str] = CRITERIA,
) -> dict[str, Field]:
    """The candidates by title of the data set, where all labelings could be made."""
    fields = {chosen.title: read_field(found, chosen, arena, scope, criteria) for chosen in sets}
    return {title: field for title, field in fields.items() if field is not None}


# --- the figure ---------------------------------------------------------------------------------


def _draw(losses: Mapping[str, Mapping[str, Loss]]) -> Drawing:
    """A panel for each arena: the mean regret of each criterion, and its interval."""
    titles = list(dict.fromkeys(title for of_arena in losses.values() for title in of_arena))
    drawing = open_drawing(width=2.2 + 2.1 * len(losses), height=1.2 + 0.26 * len(titles))
    panels = drawing.subplots(1, len(losses), sharex=True, sharey=True, squeeze=False)[0]
    for panel, (name, of_arena) in zip(panels, losses.items(), strict=True):
        _draw_losses(panel, titles, of_arena)
        panel.set_title(ARENAS[name].title, fontsize=10)
    panels[0].set_yticks(range(len(titles)), titles)
    panels[0].set_ylim(len(titles) - 0.4, -0.6)
    drawing.supxlabel("mean regret: ARI lost against the best candidate", fontsize=10)
    return drawing


def _draw_losses(panel: Axes, titles: list[str], losses: Mapping[str, Loss]) -> None:

    for place, title in enumerate(titles):
        if title not in losses:
            continue
        loss, hue = losses[title], "#0b3c8c" if title.startswith(("DISCO", "Pair")) else "#7f7f7f"
        panel.plot([loss.low, loss.high], [place, place], color=hue, linewidth=2)
        panel.plot(loss.mean, place, "o", color=hue, markersize=6)
    tidy(panel, grid="x")
    panel.set_xlim(min(0.0, panel.get_xlim()[0]), None)


_NOTES = (
    read_text("choose-eps.on_regret", origin=OURS),
    *(
        read_text(f"choose-eps.{name}")
        for name in ("on_candidates", "on_every_eps", "on_data", "on_an_earlier_study")
    ),
)

CHOOSE_EPS_EXPERIMENT = Experiment(
    INFOS["choose-eps"],
    choose_eps_cells,
    choose_eps_report,
    data=DATA,
    labelings=LABELINGS,
    measures=MEASURES,
)
