"""What each index chooses among the candidates of a data set, read from the cells of a run."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from disco_cvi.indices.cvnn import compactness_of
from disco_paper.cells.cell import Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.cells.source import Case
from disco_paper.choosing.candidates import Arena
from disco_paper.choosing.regret import Candidate, choose, regret
from disco_paper.choosing.sets import StudySet
from disco_paper.judging.paper_names import INDEX_TITLES, LOWER_IS_BETTER, PAPER_INDICES

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
