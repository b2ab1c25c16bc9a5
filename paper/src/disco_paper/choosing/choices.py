"""The labelings among which an index chooses, what it chooses, and what that loses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi import DensityTree
from disco_cvi._for_paper import compactness_of
from disco_paper.cells import Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.choosing.sets import StudySet, benchmark_sets
from disco_paper.measures import measure
from disco_paper.paper import INDEX_TITLES, LOWER_IS_BETTER, PAPER_INDICES
from disco_paper.sources import Case, FloatArray, Source, make_labels, make_points

LabelArray = NDArray[np.int64]

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
    return compactness_of(case.clustering)


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
