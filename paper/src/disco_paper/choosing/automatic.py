"""What the eps loses that a density tree chooses by itself, against the best eps of the grid."""

from __future__ import annotations

from disco_paper.cells.cell import Scope, Spec
from disco_paper.cells.data import make_points
from disco_paper.cells.labelings import make_labels
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source
from disco_paper.choosing.candidates import ARENAS, EVERY_EPS, LABELINGS
from disco_paper.choosing.choices import ARI
from disco_paper.choosing.sets import benchmark_sets


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
