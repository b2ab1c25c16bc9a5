"""What the paper prints, and how it calls things: its experiments, data sets and indices."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple

from disco_cvi import available_indices
from disco_paper.cells import Spec, spec
from disco_paper.tables import Table


@cache
def read_printed(experiment: str) -> tuple[dict[str, str], ...]:
    """The rows of the paper's table, by column; an empty text is a dash in the paper.

    >>> read_printed("fig-rings")[0]["DISCO"]
    '0.52'
    """
    text = files("disco_paper").joinpath("printed", f"{experiment}.csv").read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def read_text(path: str, **facts: object) -> str:
    """A text for the page, by experiment and name ("fig-mst.note"); facts fill its blanks."""
    experiment, name = path.split(".")
    return _one_line(_read_toml("texts.toml")[experiment][name]).format(**facts)


def read_claim(path: str, facts: Mapping[str, object]) -> dict[str, str]:
    """The words of a claim, by experiment and name; facts fill their blanks."""
    experiment, name = path.split(".")
    words = _read_toml("claims.toml")[experiment][name]
    return {part: _one_line(text).format(**facts) for part, text in words.items()}


def _one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def _read_toml(file: str) -> dict[str, Any]:
    return tomllib.loads(files("disco_paper").joinpath(file).read_text("utf-8"))


def read_printed_cells(experiment: str, key: str) -> dict[tuple[str, str], str]:
    """The same by row (named in the column `key`) and column.

    >>> read_printed_cells("tab-shapes", "cvi")["DBCV", "complex9_DBSCAN"]
    '-0.15'
    """
    rows = read_printed(experiment)
    return {(row[key], column): row[column] for row in rows for column in row if column != key}


# --- experiments --------------------------------------------------------------------------------

# The labels in the paper's source, which are for the page.
_LABEL = re.compile(r",? (and )?(fig|tab):[\w:-]+")
_PLACE = re.compile(r"(Table|Figure)s? (\d+[a-z]?)(?: and (\d+[a-z]?))?")
# What stands for the place in the paper of a study that is not there.
OURS = "Our own study, not the paper's"


@dataclass(frozen=True)
class ExperimentInfo:
    """A table or figure of the paper, or a study of our own.

    Attributes
    ----------
    name : str
        What to call it in `reproduce`.
    title : str
    paper : str
        Where it is in the paper; empty for a study of our own.
    summary : str
        What it shows, in a line.
    seconds : int
        About how long it takes on two processors.
    topic : str
        The folder of its module, which has its name, with _ for -.
    """

    name: str
    title: str
    paper: str
    summary: str
    seconds: int
    topic: str

    @property
    def is_ours(self) -> bool:
        """Whether it is a study of our own, which the paper does not have."""
        return not self.paper

    @property
    def origin(self) -> str:
        """Where it is in the paper, or that it is not there."""
        return OURS if self.is_ours else self.paper

    @property
    def places(self) -> list[str]:
        """The paper's own names for it: "Table 2", "Figure 20a"."""
        return [
            f"{kind} {number}"
            for kind, *numbers in _PLACE.findall(self.paper)
            for number in filter(None, numbers)
        ]


class ExperimentTable(Table[ExperimentInfo]):
    """Experiments in a row; printing it shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available_experiments()"
    columns: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "experiment": lambda info: info.name,
        "in the paper": lambda info: _LABEL.sub("", info.origin),
        "time": lambda info: _duration(info.seconds),
        "what it shows": lambda info: info.summary,
    }

    def spellings(self) -> dict[str, ExperimentInfo]:
        """Also by the paper's own names, with words in full and cut short: "Table 2", "fig. 1"."""
        found = super().spellings()
        for info in self:
            for place in info.places:
                word, number = place.lower().split()
                for spelling in (word, word[:3], f"{word[:3]}."):
                    found[f"{spelling}{number}"] = info
        return found


def _duration(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


EXPERIMENT_TABLE = ExperimentTable(
    ExperimentInfo(seconds=int(row.pop("seconds")), **row)
    for row in map(dict, read_printed("experiments"))
)
INFOS = {info.name: info for info in EXPERIMENT_TABLE}


# --- names -------------------------------------------------------------------------------------

# By the columns of the paper's large tables; this package knows more indices than these.
PAPER_INDICES = (
    *("disco", "dbcv", "dcsi", "mmj_sc", "lccv", "viasckde"),
    *("cvdd", "cdbw", "cvnn", "silhouette", "s_dbw"),
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
