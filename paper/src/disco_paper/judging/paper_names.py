"""Names that several experiments share: the paper's data sets and its eleven indices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from disco_cvi.indices.registry import available_indices
from disco_paper.cells.cell import Spec, spec
from disco_paper.judging.printed import read_printed

# By the columns of the paper's large tables; this package knows more indices than these.
PAPER_INDICES = (
    "disco",
    "dbcv",
    "dcsi",
    "mmj_sc",
    "lccv",
    "viasckde",
    "cvdd",
    "cdbw",
    "cvnn",
    "silhouette",
    "s_dbw",
)
COMPETITORS = PAPER_INDICES[1:]
INDEX_INFOS = {info.name: info for info in available_indices() if info.name in PAPER_INDICES}
INDEX_TITLES = {name: info.title for name, info in INDEX_INFOS.items()}
INDEX_NAMES = {title: name for name, title in INDEX_TITLES.items()}
LOWER_IS_BETTER = tuple(name for name, info in INDEX_INFOS.items() if not info.greater_is_better)

# The paper spells one of its data sets in two ways.
_OTHER_SPELLING = {"3-spiral": "three_spiral"}


class TableSet(NamedTuple):
    """A data set of the paper's tables, with the facts that the paper prints."""

    name: str
    n_points: int
    n_dimensions: int
    n_clusters: int
    n_noise: int
    source: str

    @property
    def spelling(self) -> str:
        """Its name in the tables of correlations and run times."""
        return _OTHER_SPELLING.get(self.name, self.name)

    @property
    def n_labels(self) -> int:
        """Number of different true labels, noise counted as one: the paper's k for clusterings."""
        return self.n_clusters + (self.n_noise > 0)

    @property
    def is_benchmark(self) -> bool:
        """Whether it is one of the drawn benchmark sets, as against generated or real data."""
        return self.source.startswith("Deric")


def _table_set(row: dict[str, str]) -> TableSet:
    n_points, n_dimensions, n_clusters, n_noise = (int(row[c]) for c in ("n", "d", "k", "n_noise"))
    return TableSet(row["dataset"], n_points, n_dimensions, n_clusters, n_noise, row["source"])


# In the order of the paper's table of data sets.
TABLE_SETS = tuple(_table_set(row) for row in read_printed("tab-datasets"))
TABLE_SET_OF = {name: chosen for chosen in TABLE_SETS for name in (chosen.name, chosen.spelling)}


def join_titles(names: Iterable[str], nobody: str = "none") -> str:
    """The titles of indices, in a row."""
    return ", ".join(INDEX_TITLES[name] for name in names) or nobody


def name_published(name: str) -> Spec:
    """The index as the paper's programs compute it; DISCO is the same in both ways.

    >>> print(name_published("dbcv"), name_published("disco"))
    dbcv (variant=published) disco
    """
    return spec(name) if name == "disco" else spec(name, variant="published")


def quick_sets(sets: tuple[TableSet, ...] = TABLE_SETS) -> tuple[TableSet, ...]:
    """The smaller data sets, and one larger with noise: what a quick run looks at."""
    return tuple(
        chosen
        for chosen in sets
        if chosen.name == "cluto-t8-8k" or (chosen.n_points <= 3100 and chosen.n_dimensions <= 3)
    )
