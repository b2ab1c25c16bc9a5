"""DBSCAN with many values of eps, scored by ten indices: what two figures of the paper show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_paper.cells import Cell, Outcomes, Spec, Value, cross, spec
from disco_paper.drawing import open_drawing, scale_for_plot
from disco_paper.judging import Figure, Row, Verdict
from disco_paper.measures import name_turned
from disco_paper.paper import (
    INDEX_TITLES,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    name_published,
    read_texts,
)
from disco_paper.sources import Case, eps_for_k

TEXTS = read_texts("eps-search")


# The figures leave out one of the eleven.
SHOWN = tuple(name for name in PAPER_INDICES if name != "mmj_sc")
# Neighbors that core distances count, in the paper's search for eps.
_CORE_RANK = 2
_N_CLUSTERS = spec("n_clusters")
_BEST_COLUMN = "#cc3311"


def _eps(case: Case, k: int) -> float:
    """The eps for k clusters, from the tree that the labeling uses as well."""
    return eps_for_k(case.source.density_tree(_CORE_RANK), k)


MEASURES: dict[str, Callable[..., Value]] = {"eps": _eps}


@dataclass(frozen=True)
class EpsSearch:
    """DBSCAN of one data set, asked for each of several numbers of clusters.

    Attributes
    ----------
    data : Spec
    title : str
        The data set as readers see it.
    ks : tuple of int
        The numbers of clusters that the figure shows.
    ari : Spec
        How the figure counts noise in the adjusted Rand index.
    left_out : tuple of Spec
        Original definitions that would take too long here.
    """

    data: Spec
    title: str
    ks: tuple[int, ...]
    ari: Spec
    left_out: tuple[Spec, ...] = ()

    def cells(self, indices: Iterable[str] = SHOWN) -> list[Cell]:
        """Everything that the figure shows, and the original definitions beside it."""
        found = []
        for k in self.ks:
            measured = [self.ari, _N_CLUSTERS, spec("eps", k=k)]
            for name in indices:
                both = dict.fromkeys([name_published(name), spec(name)])
                measured += [_measured(index) for index in both if index not in self.left_out]
            found += cross([self.data], [_labeling(k)], measured)
        return found

    def value(self, found: Outcomes, index: Spec, k: int) -> float | None:
        """A number at one setting."""
        return found.number(self.data, _labeling(k), _measured(index))

    def eps(self, found: Outcomes, k: int) -> float | None:
        """The eps of a setting."""
        return self.value(found, spec("eps", k=k), k)

    def n_clusters(self, found: Outcomes, k: int) -> int | None:
        """How many clusters DBSCAN found, which may be another number than asked for."""
        value = self.value(found, _N_CLUSTERS, k)
        return None if value is None else int(value)

    def best(self, found: Outcomes, index: Spec) -> int | None:
        """The setting that an index prefers; the first of equal ones."""
        scores = {k: self.value(found, index, k) for k in self.ks}
        known = {k: score for k, score in scores.items() if score is not None}
        if not known:
            return None
        sign = -1 if index.name in LOWER_IS_BETTER else 1
        return max(known, key=lambda k: (sign * known[k], -k))

    def withhold_verdicts(self, found: Outcomes, rows: Iterable[Row]) -> list[Row]:
        """The rows; without verdicts if a cell is missing, for the best might be there."""
        outcomes = [found.get(cell) for cell in self.cells()]
        if all(outcome is not None and not outcome.is_error for outcome in outcomes):
            return list(rows)
        return [replace(row, verdict="not judged") for row in rows]

    def join_preferring(self, found: Outcomes, k: int, variant: Callable[[str], Spec]) -> str:
        """The titles of the indices that prefer a setting."""
        titles = [INDEX_TITLES[name] for name in SHOWN if self.best(found, variant(name)) == k]
        return ", ".join(titles) or "none"

    def best_rows(self, found: Outcomes, paper: Mapping[str, str]) -> Iterator[Row]:
        """For each index the number of clusters asked for where it is best."""
        for name in ("ari", *SHOWN):
            index = self.ari if name == "ari" else name_published(name)
            title = "ARI" if name == "ari" else INDEX_TITLES[name]
            ours, shown = self.best(found, index), paper.get(name, "")
            verdict: Verdict = "not judged"
            if shown:
                verdict = "passes" if str(ours) == shown else "fails"
            row = Row(title, "best at k", ours, shown, verdict, table=self._table)
            if name not in ("ari", "disco", "silhouette"):
                row = replace(row, original=self.best(found, spec(name)))
            row = row.with_note(self._note(found, index, ours))
            if name == "viasckde" and self._is_undefined(found, index):
                row = row.with_note(TEXTS["on_flat_densities"])
            yield row

    def _is_undefined(self, found: Outcomes, index: Spec) -> bool:
        """Whether a setting has no score, as against one that was not computed."""
        outcomes = [found.get(Cell(self.data, _labeling(k), _measured(index))) for k in self.ks]
        return any(o is not None and o.value is None and not o.is_error for o in outcomes)

    @property
    def _table(self) -> str:
        return f"{self.title}: the setting that each index prefers"

    def _note(self, found: Outcomes, index: Spec, best: int | None) -> str:
        """What DBSCAN found there; or why the index has no curve."""
        if best is None:
            place = (self.data, _labeling(self.ks[0]), _measured(index))
            reason = found.reason(*place).rstrip(".")
            return f"{reason[:1].upper()}{reason[1:]}." if reason else ""
        eps, ari = self.eps(found, best), self.value(found, self.ari, best)
        if eps is None or ari is None:
            return ""
        return f"eps {eps:.4g}, {self.n_clusters(found, best)} clusters, ARI {ari:.3f}."

    def figure(self, found: Outcomes, name: str = "") -> Figure:
        """Scores above, the adjusted Rand index below."""
        caption = (
            f"{self.title}: indices of DBSCAN clusterings over eps (as published; r: reversed, "
            "n: divided by the largest value; circles: best). Above: number of clusters found. "
            "Below: adjusted Rand index, its best setting red."
        )
        return Figure(name, caption, lambda: self._draw(found))

    def _draw(self, found: Outcomes) -> Drawing:
        from disco_cvi.plots import score_curve

        drawing = open_drawing(width=3.8 + 0.36 * len(self.ks), height=5.4)
        above, below = drawing.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        places = list(range(len(self.ks)))
        scores = {
            name: [self.value(found, name_published(name), k) for k in self.ks] for name in SHOWN
        }
        known = {name: values for name, values in scores.items() if set(values) != {None}}
        if known:
            score_curve(places, scale_for_plot(known), ax=above, mark_best=True)
        above.set_ylabel("score")
        counts = above.secondary_xaxis("top")
        counts.set_xticks(places, [str(self.n_clusters(found, k) or "") for k in self.ks])
        counts.set_xlabel("clusters found by DBSCAN")
        self._draw_ari(found, below)
        return drawing

    def _draw_ari(self, found: Outcomes, ax: Axes) -> None:
        values = [self.value(found, self.ari, k) or 0.0 for k in self.ks]
        best = self.best(found, self.ari)
        hues = [_BEST_COLUMN if k == best else "#9aa5b1" for k in self.ks]
        ax.bar(range(len(self.ks)), values, color=hues)
        ax.set(ylabel="ARI", xlabel="eps", ylim=(min(0.0, *values), 1.02))
        eps = [self.eps(found, k) for k in self.ks]
        shown = ["" if value is None else f"{value:.4g}" for value in eps]
        ax.set_xticks(range(len(self.ks)), shown, rotation=90)
        ax.spines[["top", "right"]].set_visible(False)


def _labeling(k: int) -> Spec:
    return spec("dbscan for k", k=k, core_rank=_CORE_RANK)


def _measured(index: Spec) -> Spec:
    """The name under which an index is measured here."""
    return name_turned(index) if index.name in PAPER_INDICES else index
