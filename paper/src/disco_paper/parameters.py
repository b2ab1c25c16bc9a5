"""DISCO along eps and min_points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_cvi.plots import score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, Value, cross, spec
from disco_paper.drawing import open_drawing, scale_for_plot
from disco_paper.judging import (
    Experiment,
    Figure,
    Report,
    Row,
    Verdict,
    claim,
    judge,
    withdraw_unknown,
)
from disco_paper.measures import name_turned
from disco_paper.paper import (
    INDEX_TITLES,
    INFOS,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    TABLE_SETS,
    TableSet,
    name_published,
    read_printed,
    read_printed_cells,
    read_text,
)
from disco_paper.sources import Case, FloatArray, LabelArray, eps_for_k

# === DBSCAN with many values of eps, scored by ten indices: what two figures of the paper show ====


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
                row = row.with_note(read_text("eps-search.on_flat_densities"))
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
        caption = read_text("eps-search.caption", title=self.title)
        return Figure(name, caption, lambda: self._draw(found))

    def _draw(self, found: Outcomes) -> Drawing:
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


# === Which eps for DBSCAN each index would choose on Synth_high ===================================


# The figure shows no more than 19, although the text says 20.
_SEARCH = EpsSearch(
    spec("Synth_high"), "Synth_high", tuple(range(2, 20)), spec("ari", noise="left out")
)
_TRUE_K = 10
# As the saved plot shows them.
_PREFERRED = {row["index"]: row["best_k"] for row in read_printed("fig-eps-synth")}
_QUICK = ("disco", "silhouette")


_QUICK_KS = (8, 9, 10, 11, 12)


def _search(scope: Scope) -> EpsSearch:
    return replace(_SEARCH, ks=_QUICK_KS) if scope.quick else _SEARCH


def eps_synth_cells(scope: Scope) -> list[Cell]:
    """DBSCAN for 2 to 19 clusters, scored by ten indices in both ways."""
    return _search(scope).cells(_QUICK if scope.quick else SHOWN)


def eps_synth_report(found: Outcomes, scope: Scope) -> Report:
    """The setting that each index prefers, and the claims."""
    search = _search(scope)
    # A quick run leaves out settings, and so has no verdicts either.
    rows = [*search.best_rows(found, _PREFERRED), *_claims_eps_synth(search, found)]
    rows = _SEARCH.withhold_verdicts(found, rows)
    if scope.quick:
        rows = [row if row.ours is None else row.with_note(_ON_CUT) for row in rows]
    names = ("note",) if scope.quick else ("note", "on_rounding")
    notes = tuple(read_text(f"fig-eps-synth.{name}") for name in names)
    return Report(tuple(rows), (search.figure(found),), notes)


def _claims_eps_synth(search: EpsSearch, found: Outcomes) -> list[Row]:
    preferring = [name for name in SHOWN if search.best(found, name_published(name)) == _TRUE_K]
    titles = ", ".join(INDEX_TITLES[name] for name in preferring) or "none"
    originals = search.join_preferring(found, _TRUE_K, spec)
    best = search.best(found, search.ari)
    return [
        claim(
            "fig-eps-synth.best_with_the_ari",
            f"ARI best at {best}; at 10: {titles}",
            holds={"disco", "dbcv"} <= set(preferring) and best == _TRUE_K,
        ),
        claim(
            "fig-eps-synth.no_other",
            titles,
            holds=set(preferring) == {"disco", "dbcv"},
            originals=originals,
        ),
    ]


_ON_CUT = f"Only k = {_QUICK_KS[0]} to {_QUICK_KS[-1]} were searched in this run."

EPS_SYNTH_EXPERIMENT = Experiment(
    INFOS["fig-eps-synth"], eps_synth_cells, eps_synth_report, measures=MEASURES
)


# === Which eps for DBSCAN each index would choose on 3-spiral and COIL20 ==========================


_ARI = spec("ari", noise="one class")
_SPIRAL = EpsSearch(spec("3-spiral", raw=True), "3-spiral", tuple(range(2, 8)), _ARI)
_COIL = EpsSearch(spec("COIL20", raw=True), "COIL20", tuple(range(15, 35)), _ARI, (spec("dbcv"),))
_AXIS = "COIL20: the axis of the figure"


def eps_more_cells(scope: Scope) -> list[Cell]:
    """DBSCAN for 15 to 34 clusters of COIL20 (not in a quick run), for 2 to 7 of 3-spiral."""
    return [*([] if scope.quick else _COIL.cells()), *_SPIRAL.cells()]


def eps_more_report(found: Outcomes, scope: Scope) -> Report:
    """The setting that each index prefers, and the claims."""
    rows = [*_SPIRAL.best_rows(found, _read_best("3-spiral")), *_spiral_claims(found)]
    rows = _SPIRAL.withhold_verdicts(found, rows)
    figures = [_SPIRAL.figure(found, "3-spiral")]
    if not scope.quick:
        coil = [*_COIL.best_rows(found, _read_best("COIL20")), *_coil_claims(found)]
        rows += _COIL.withhold_verdicts(found, [*coil, *_axis_rows(found)])
        figures += [_COIL.figure(found, "coil20")]
    return Report(tuple(rows), tuple(figures), _NOTES)


def _read_best(dataset: str) -> dict[str, str]:
    """The setting that the paper calls the best, by index."""
    return {
        r["index"]: r["best_k"] for r in read_printed("fig-eps-more") if r["dataset"] == dataset
    }


def _spiral_claims(found: Outcomes) -> Iterator[Row]:
    best = _SPIRAL.best(found, name_published("disco"))
    yield claim("fig-eps-more.spiral_disco", f"at k = {best}", holds=best == 3)
    for name, note in (("cdbw", ""), ("viasckde", read_text("fig-eps-more.on_rounding"))):
        chosen, original = (
            _SPIRAL.best(found, index) for index in (name_published(name), spec(name))
        )
        row = claim(
            "fig-eps-more.spiral_others",
            holds=chosen is not None and chosen > 3,
            chosen=chosen,
            title=INDEX_TITLES[name],
            original=original,
        )
        yield row.with_note(note)


def _coil_claims(found: Outcomes) -> Iterator[Row]:
    clusters = {k: _COIL.n_clusters(found, k) for k in _COIL.ks}
    n_19, n_20 = (list(clusters.values()).count(k) for k in (19, 20))
    holds = n_19 > 1 and n_20 == 0
    yield claim("fig-eps-more.coil_clusters", holds=holds, n_19=n_19, n_20=n_20)
    best = _COIL.best(found, _ARI)
    found_there = None if best is None else clusters[best]
    yield claim("fig-eps-more.coil_ari", found_there, holds=found_there == 19)
    last = max((k for k, n in clusters.items() if n == 19), default=0)
    for name in SHOWN:
        if name != "viasckde":  # which has no value on COIL20, in the paper as here
            yield _coil_claim(found, name, clusters, last)


def _coil_claim(found: Outcomes, name: str, clusters: dict[int, int | None], last: int) -> Row:
    """Whether an index is best where the paper says; `last`: the last k that gives 19 clusters."""
    chosen = _COIL.best(found, name_published(name))
    n_clusters = None if chosen is None else clusters[chosen]
    is_small = name in ("cdbw", "lccv", "dcsi", "s_dbw")
    holds = chosen is not None and (chosen > last if is_small else n_clusters == 19)
    row = claim(
        "fig-eps-more.coil_best",
        f"at k = {chosen}, {n_clusters} clusters",
        holds=holds,
        note=f"DBSCAN finds 19 clusters for the last time at k = {last}." if is_small else "",
        title=INDEX_TITLES[name],
        where="at a much smaller eps, with more clusters" if is_small else "at 19 clusters",
    )
    original = _COIL.best(found, spec(name))
    return row if original in (None, chosen) else row.with_note(f"By its definition at {original}.")


def _axis_rows(found: Outcomes) -> Iterator[Row]:
    for k, paper in zip(_COIL.ks, read_printed("fig-eps-more-axis"), strict=True):
        row = judge(f"k = {k}", "eps", _COIL.eps(found, k), paper["eps"])
        yield replace(row, table=_AXIS)
        row = judge(f"k = {k}", "clusters", _COIL.n_clusters(found, k), paper["n_clusters"])
        yield replace(row, table=_AXIS)


_NOTES = (
    "The data are not standardized here, as in the paper; the ARI counts noise as one cluster.",
    "The paper shows 20 settings of COIL20; these are the ones compared.",
    "The original DBCV of COIL20 is left out for its time.",
)

EPS_MORE_EXPERIMENT = Experiment(
    INFOS["fig-eps-more"], eps_more_cells, eps_more_report, measures=MEASURES
)


# === How DISCO of the true labels changes with its parameter mu ===================================


_MU_DEFAULT = 5
_BENCHMARK_MUS = tuple(range(1, 11))
_OTHER_MUS = (*range(1, 11), *range(12, 33, 2))
_DROPPING = {"3-spiral", "COIL20"}
# The share of its highest value that a data set loses at least if it drops markedly.
_MARKED = 0.5
_CURVES = "DISCO of the true labels"
_DROPS = "How far DISCO drops"
_CAPTIONS = {"benchmark": "Benchmark sets", "other": "Generated and real data"}


def mu_cells(scope: Scope) -> list[Cell]:
    """The true labels of every data set for every mu; the largest data first."""
    return [
        Cell(spec(chosen.name), GROUND_TRUTH, spec("disco", min_points=mu))
        for chosen in sorted(
            _sets(scope), key=lambda chosen: -chosen.n_points * chosen.n_dimensions
        )
        for mu in _mus_mu(chosen)
    ]


def _sets(scope: Scope) -> list[TableSet]:
    return [
        chosen
        for chosen in TABLE_SETS
        if not scope.quick or chosen.n_points * chosen.n_dimensions <= 10_000
    ]


def _mus_mu(chosen: TableSet) -> tuple[int, ...]:
    return _BENCHMARK_MUS if chosen.is_benchmark else _OTHER_MUS


def _curve(found: Outcomes, chosen: TableSet) -> list[float | None]:
    return [
        found.number(spec(chosen.name), GROUND_TRUTH, spec("disco", min_points=mu))
        for mu in _mus_mu(chosen)
    ]


def mu_report(found: Outcomes, scope: Scope) -> Report:
    """The curves, how far they drop, and the claim about drops."""
    sets = _sets(scope)
    rows = [row for chosen in sets for row in _curve_rows(found, chosen)]
    ends = {chosen.name: _ends(_curve(found, chosen)) for chosen in sets}
    known = {name: pair for name, pair in ends.items() if pair is not None}
    for name, (highest, last) in known.items():
        note = f"From {highest:.2f} to {last:.2f}."
        rows.append(Row(name, "drop", highest - last, table=_DROPS, note=note))
    if not scope.quick:
        rows.append(_claim(known))
    groups = {
        "benchmark": [chosen for chosen in sets if chosen.is_benchmark],
        "other": [chosen for chosen in sets if not chosen.is_benchmark],
    }
    figures = [
        Figure(
            name,
            f"{_CAPTIONS[name]}: DISCO of the true labels over mu; the line marks the default.",
            partial(_draw_mu, found, group),
        )
        for name, group in groups.items()
        if group
    ]
    return Report(tuple(rows), tuple(figures), (read_text("fig-mu.note"),))


def _curve_rows(found: Outcomes, chosen: TableSet) -> Iterator[Row]:
    """The table of data sets prints DISCO at mu = 5, and is where this point is judged."""
    paper = read_printed_cells("tab-datasets", "dataset")[chosen.name, "disco_ground_truth"]
    for mu, value in zip(_mus_mu(chosen), _curve(found, chosen), strict=True):
        if mu == _MU_DEFAULT:
            row = Row(chosen.name, str(mu), value, paper, note="Judged in tab-datasets.")
        else:
            row = Row(chosen.name, str(mu), value)
        if value is None:
            index = spec("disco", min_points=mu)
            row = row.with_note(found.reason(spec(chosen.name), GROUND_TRUTH, index))
        yield replace(row, table=_CURVES)


def _ends(curve: Sequence[float | None]) -> tuple[float, float] | None:
    """The highest value of a curve, and that at the largest mu."""
    known = [value for value in curve if value is not None]
    return (max(known), curve[-1]) if known and curve[-1] is not None else None


def _claim(ends: dict[str, tuple[float, float]]) -> Row:
    """Marked is a loss of half of the highest value, or a share as large as theirs."""
    drops = {name: highest - last for name, (highest, last) in ends.items()}
    shares = {name: drops[name] / abs(ends[name][0]) if ends[name][0] else 0.0 for name in drops}
    falling = sorted(drops, key=lambda name: -drops[name])
    bound = min([_MARKED, *(shares[name] for name in _DROPPING if name in shares)])
    marked = [name for name in falling if drops[name] > 0 and shares[name] >= bound]
    listed = ", ".join(f"{name} {drops[name]:.2f} ({shares[name]:.0%})" for name in falling)
    first = " and ".join(falling[:2])
    row = claim(
        "fig-mu.marked_drops",
        ", ".join(marked) or "none",
        holds=set(falling[:2]) == set(marked) == _DROPPING,
        first=first,
        listed=listed,
    )
    return row if len(drops) == len(TABLE_SETS) else replace(row, verdict="not judged")


def _draw_mu(found: Outcomes, sets: list[TableSet]) -> Drawing:
    drawing = open_drawing(width=7.4, height=4.4)
    ax = drawing.add_subplot()
    ax.axvline(_MU_DEFAULT, color="#cc3311", linewidth=1, zorder=1)
    curves = {chosen.name: _curve(found, chosen) for chosen in sets}
    score_curve(_mus_mu(sets[0]), curves, ax=ax, band=None)
    ax.set(xlabel="mu", ylabel="DISCO", ylim=(min(0.0, ax.get_ylim()[0]), 1.0))
    return drawing


MU_EXPERIMENT = Experiment(INFOS["fig-mu"], mu_cells, mu_report)


# === How DISCO changes with its parameter mu while more and more noise is added ===================


_MU_NOISE_DEFAULT = 5
MUS = (1, 3, 5, 7, 9, 11)
_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
_QUICK_SHARES = (0.0, 0.1)
_QUICK_MUS = (1, 3, 5)


def mu_noise_cells(scope: Scope) -> list[Cell]:
    """The true labels for every share of noise and every mu; the largest data first."""
    return [
        Cell(_data(share), GROUND_TRUTH, spec("disco", min_points=mu))
        for share in reversed(_shares(scope))
        for mu in _mus_mu_noise(scope)
    ]


def _data(share: float) -> Spec:
    return spec("densired", noise=share)


def _shares(scope: Scope) -> tuple[float, ...]:
    return _QUICK_SHARES if scope.quick else _SHARES


def _mus_mu_noise(scope: Scope) -> tuple[int, ...]:
    return _QUICK_MUS if scope.quick else MUS


def mu_noise_report(found: Outcomes, scope: Scope) -> Report:
    """The claims, the scores and the figure."""
    shares, mus = _shares(scope), _mus_mu_noise(scope)
    scores = np.array(
        [
            [found.value(_data(share), GROUND_TRUTH, spec("disco", min_points=mu)) for mu in mus]
            for share in shares
        ],
        dtype=np.float64,
    )
    rows = _claims_mu_noise(scores, np.array(mus))
    rows = withdraw_unknown(rows, scores, found, cut=_CUT if scope.quick else "")
    rows += [
        Row(_name(share), f"mu = {mu}", None if np.isnan(score) else float(score), table="DISCO")
        for share, of_share in zip(shares, scores, strict=True)
        for mu, score in zip(mus, of_share, strict=True)
    ]
    figure = Figure(
        "",
        read_text("fig-mu-noise.caption"),
        partial(
            _draw_mu_noise, {_name(s): curve for s, curve in zip(shares, scores, strict=True)}, mus
        ),
    )
    return Report(tuple(rows), (figure,), (read_text("fig-mu-noise.note"),))


def _name(share: float) -> str:
    return f"{100 * share:.0f} % noise"


def _claims_mu_noise(scores: FloatArray, mus: LabelArray) -> list[Row]:
    stable = np.ptp(scores[:, mus >= 3], axis=1).max()
    first, default = scores[:, 0], scores[:, list(mus).index(_MU_NOISE_DEFAULT)]
    shares = np.array(_SHARES[: len(scores)])
    singletons = np.abs(first - first[0] / (1 + shares)).max()
    return [
        claim(
            "fig-mu-noise.stable",
            f"changes by {stable:.4f} or less",
            holds=bool(stable <= 0.01),
            first=default[0],
            last=default[-1],
            mu=_MU_NOISE_DEFAULT,
        ),
        claim(
            "fig-mu-noise.falling",
            f"from {first[0]:.4f} to {first[-1]:.4f}",
            holds=bool((np.diff(first) < 0).all()),
            how_near="to the last digits" if singletons < 1e-12 else f"up to {singletons:.1e}",
        ),
    ]


def _draw_mu_noise(curves: dict[str, FloatArray], mus: tuple[int, ...]) -> Drawing:
    drawing = Drawing(figsize=(6.8, 4.0), dpi=110, layout="constrained")
    ax = drawing.add_subplot()
    ax.axvline(_MU_NOISE_DEFAULT, color="#cc3311", linewidth=1, zorder=1)
    score_curve(mus, curves, ax=ax, band=None)
    ax.set(xlabel="mu", ylabel="DISCO", ylim=(0.0, 1.0), xticks=mus)
    return drawing


_CUT = "A quick run looks at fewer values of mu and levels of noise: not judged."

MU_NOISE_EXPERIMENT = Experiment(INFOS["fig-mu-noise"], mu_noise_cells, mu_noise_report)
