"""Pearson correlation of each index with the adjusted Rand index, over seven labelings a set."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Report, Row, claim, judge
from disco_paper.measures import name_turned
from disco_paper.paper import (
    COMPETITORS,
    INDEX_NAMES,
    INDEX_TITLES,
    INFOS,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    TABLE_SET_OF,
    TABLE_SETS,
    TableSet,
    name_published,
    read_printed,
    read_printed_cells,
    read_texts,
)
from disco_paper.published import DEVIATIONS, describe_deviations
from disco_paper.sources import Case


@dataclass
class Correlation:
    """Of one index on one data set: a percentage for each run, and what is missing."""

    runs: list[float | None] = field(default_factory=list)
    missing: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    has_errors: bool = False

    @property
    def mean(self) -> float | None:
        """Over all runs; none if one is missing, as in the paper."""
        found = [value for value in self.runs if value is not None]
        return float(np.mean(found)) if found and len(found) == len(self.runs) else None

    @property
    def spread(self) -> float | None:
        """Standard deviation over runs."""
        found = [value for value in self.runs if value is not None]
        return float(np.std(found)) if 1 < len(found) == len(self.runs) else None

    def value(self, chosen: TableSet) -> float | None:
        """What the paper's table shows: the mean of ten runs, or one run of the larger sets."""
        return self.mean if chosen.is_benchmark else self.runs[0]

    def why_missing(self) -> str:
        """Which labelings lack a score, and why."""
        counts = ", ".join(
            f"{labeling} ({count} of {len(self.runs)} runs)"
            for labeling, count in self.missing.items()
        )
        return f"No score for {counts}. {' '.join(dict.fromkeys(self.reasons.values()))}"


def correlate(pairs: list[tuple[float, float]]) -> float | None:
    """Pearson's correlation times 100; none where all values are equal."""
    scores, ari = np.array(pairs).T
    if np.ptp(scores) == 0 or np.ptp(ari) == 0:
        return None
    # Scaled first: scores may be large enough for their squares to overflow.
    return 100 * float(np.corrcoef(scores / np.abs(scores).max(), ari)[0, 1])


NAME = "tab-pcc"
TEXTS = read_texts(NAME)

_CORRELATION = "Correlation with the ARI, in per cent"
_SPREAD = "Mean and spread over the runs"
_BEST = "The best index"

_ARI = spec("ari")
_MEMORY = spec("gigabytes of cdbw")
# How far a mean over ten runs, and a single run, may be off: random labelings have no seeds in the
# paper.
_WITHIN_MEAN = 2.0
_WITHIN_ONE = 5.0
# Where the program's deviations move a correlation by so much, a note names them.
_TELLING = 5.0
# Both definitions are the same.
_UNCHANGED = ("disco", "silhouette")
_FIRST_LABEL_ONE = ("3-spiral", "aggregation", "chainlink", "compound")


# --- cells ---------------------------------------------------------------------------------------


def cells(scope: Scope) -> list[Cell]:
    """Seven labelings of every data set, in the order of rows of every run."""
    return [
        Cell(_data(chosen, run), labeling, index)
        for chosen in _sets(scope)
        for run in range(_n_runs(chosen, scope))
        for labeling in _labelings(chosen, run).values()
        for index in _measured(chosen)
    ]


def _sets(scope: Scope) -> list[TableSet]:
    """The largest first, so that they do not keep everyone waiting at the end."""
    sets = [
        chosen
        for chosen in TABLE_SETS
        if not scope.quick or (chosen.n_points <= 1000 and chosen.n_dimensions <= 3)
    ]
    return sorted(sets, key=lambda chosen: -chosen.n_points * (1 + chosen.n_dimensions / 20))


def _n_runs(chosen: TableSet, scope: Scope) -> int:
    """Ten where the paper has ten; else some more than its one, but for images of many pixels."""
    is_long = chosen.n_points * chosen.n_dimensions > 10_000_000
    return scope.repetitions(10 if chosen.is_benchmark else 1 if is_long else 3, 1)


def _data(chosen: TableSet, run: int) -> Spec:
    return spec(chosen.name, shuffle=run)


def _labelings(chosen: TableSet, run: int) -> dict[str, Spec]:
    k = chosen.n_labels
    return {
        "ground truth": GROUND_TRUTH,
        "DBSCAN": spec("dbscan for k", k=k, core_rank=5),
        "HDBSCAN": spec("hdbscan"),
        "Ward": spec("ward", k=k),
        "k-means": spec("k-means", k=k, seed=run),
        f"{k} random labels": spec("random", k=k, seed=2 * run),
        "100 random labels": spec("random", k=100, seed=2 * run + 1),
    }


def _published(name: str) -> Spec:
    # The paper's labels were those of the files, which this index minds.
    raw = {"raw_labels": True} if name == "dcsi" else {}
    return name_turned(spec(name, **dict(name_published(name).options), **raw))


def _original(name: str) -> Spec:
    return name_turned(spec(name))


_RENUMBERED = name_turned(name_published("dcsi"))


def _measured(chosen: TableSet) -> list[Spec]:
    """The ARI and all indices in both ways."""
    originals = [_original(name) for name in COMPETITORS if name not in _UNCHANGED]
    renumbered = [_RENUMBERED] if chosen.name in _FIRST_LABEL_ONE else []
    return [_ARI, *map(_published, PAPER_INDICES), *originals, *renumbered, _MEMORY]


def _gigabytes_of_cdbw(case: Case) -> float:
    """Memory for the two arrays that the paper's CDbw makes, of k * 10 * (largest cluster)^2."""
    sizes = case.clustering.labels.sizes
    return 2 * 8 * 10 * len(sizes) * float(max(sizes, default=0)) ** 2 / 1e9


MEASURES = {_MEMORY.name: _gigabytes_of_cdbw}


# --- correlations --------------------------------------------------------------------------------


def _correlation(found: Outcomes, chosen: TableSet, index: Spec, n_runs: int) -> Correlation:
    result = Correlation()
    for run in range(n_runs):
        data, pairs = _data(chosen, run), []
        for title, labeling in _labelings(chosen, run).items():
            score, ari = (found.number(data, labeling, what) for what in (index, _ARI))
            if score is not None and ari is not None:
                pairs.append((score, ari))
                continue
            lacking = index if score is None else _ARI
            outcome = found.get(Cell(data, labeling, lacking))
            result.missing[title] += 1
            result.reasons[title] = found.reason(data, labeling, lacking)
            result.has_errors |= outcome is None or outcome.is_error
        result.runs.append(correlate(pairs) if len(pairs) == len(_labelings(chosen, run)) else None)
    return result


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:
    """The table, mean and spread over runs, the best index of each data set, and the claims."""
    included, in_order = _sets(scope), [TABLE_SET_OF[row["dataset"]] for row in read_printed(NAME)]
    sets = [chosen for chosen in in_order if chosen in included]
    tables = {chosen.name: _table_of(found, chosen, scope) for chosen in sets}
    rows: list[Row] = []
    for chosen in sets:
        rows += _correlation_rows(found, chosen, tables[chosen.name], scope)
    for chosen in sets:
        rows += _spread_rows(chosen, tables[chosen.name])
    rows += [_best_row(chosen, tables[chosen.name], scope) for chosen in sets]
    if not scope.quick:
        lacks = any(part.has_errors for t in tables.values() for part in t.values())
        lacks |= any(_is_cut(chosen, scope) for chosen in sets)
        claims = _claims(sets, tables)
        rows += (replace(c, verdict="not judged") for c in claims) if lacks else claims
    return Report(
        tuple(rows), notes=(TEXTS["on_runs"], TEXTS["on_variants"], _ON_DASHES, *_ON_PROGRAMS)
    )


_Table = dict[Spec, Correlation]
_CHANCE = "Chance decides whether random labels make a cluster of one point, without score."


def _table_of(found: Outcomes, chosen: TableSet, scope: Scope) -> _Table:
    n_runs = _n_runs(chosen, scope)
    return {
        index: _correlation(found, chosen, index, n_runs)
        for index in _measured(chosen)
        if index not in (_ARI, _MEMORY)
    }


def _correlation_rows(
    found: Outcomes, chosen: TableSet, table: _Table, scope: Scope
) -> Iterator[Row]:
    paper = read_printed_cells(NAME, "dataset")
    within = _WITHIN_MEAN if chosen.is_benchmark else _WITHIN_ONE
    for name in PAPER_INDICES:
        ours = table[_published(name)]
        value, title = ours.value(chosen), INDEX_TITLES[name]
        row = judge(title, title, value, paper[chosen.spelling, title], within=within)
        original = table[_original(name)].value(chosen) if name not in _UNCHANGED else None
        if value is not None and math.isclose(value, original or math.inf, rel_tol=1e-9):
            original = None
        row = replace(row, row=chosen.spelling, table=_CORRELATION, original=original)
        for note in _notes(found, chosen, name, table, row):
            by_chance = row.verdict == "fails" and _CHANCE in note
            row = replace(
                row.with_note(note), verdict="within method" if by_chance else row.verdict
            )
        if ours.has_errors or _is_cut(chosen, scope):
            row = replace(row, verdict="not judged")
        yield row


def _is_cut(chosen: TableSet, scope: Scope) -> bool:
    """Whether fewer runs are at hand than the paper's mean is over."""
    return _n_runs(chosen, scope) < (10 if chosen.is_benchmark else 1)


def _notes(found: Outcomes, chosen: TableSet, name: str, table: _Table, row: Row) -> Iterator[str]:
    ours = table[_published(name)]
    if ours.missing:
        yield ours.why_missing()
    elif ours.mean is None:
        yield "All seven labelings have the same score in at least one run."
    if row.ours is None and row.paper and not {"DBSCAN", "HDBSCAN", "Ward"} & set(ours.missing):
        yield _CHANCE
    if row.ours is not None and row.paper == "":
        yield _why_only_there(found, chosen, name)
    if row.verdict == "fails" and row.difference is not None and ours.spread is not None:
        yield _on_chance(chosen, ours)
    if name == "dcsi" and chosen.name in _FIRST_LABEL_ONE:
        renumbered = table[_RENUMBERED].mean
        shown = "none either" if renumbered is None else f"{renumbered:.2f}"
        yield (
            "The labels of this file begin at 1, and the program loses every pair with the first "
            f"cluster; with labels from 0 the correlation is {shown}."
        )
    if name not in _UNCHANGED and table[_original(name)].missing:
        yield f"By its definition: {table[_original(name)].why_missing()}"
    is_other = isinstance(row.ours, float) and row.original is not None
    if is_other and abs(row.original - row.ours) >= _TELLING:  # type: ignore[operator]
        yield f"The original definition gives {row.original:.2f}: see what the program does."
    elif row.ours is None and row.original is not None:
        yield f"The original definition has scores for all of them: {row.original:.2f}."


def _why_only_there(found: Outcomes, chosen: TableSet, name: str) -> str:
    """Why the paper has no value where the same computation gives one."""
    if name != "cdbw":
        return f"The paper has no value here, as one or two labelings of 70 had none. {_CHANCE}"
    known = {
        title: value
        for title, labeling in _labelings(chosen, 0).items()
        if isinstance(value := found.value(_data(chosen, 0), labeling, _MEMORY), float)
    }
    most = max(known, key=lambda title: known[title], default="")
    return (
        "The paper has no value here; the index is defined. One of seven labelings is missing in "
        "the authors' records, which we take for a lack of memory: their program makes two arrays "
        f"of k * 10 * (largest cluster)^2 numbers, {known.get(most, 0):.0f} GB for {most}."
    )


def _on_chance(chosen: TableSet, ours: Correlation) -> str:
    """How far two results of the same recipe may be apart."""
    apart = 2 * (ours.spread or 0) * math.sqrt(2 / (len(ours.runs) if chosen.is_benchmark else 1))
    return (
        f"Our runs have a standard deviation of {ours.spread:.2f}: by chance alone the recipe may "
        f"give values that are {apart:.1f} apart (two standard errors)."
    )


def _spread_rows(chosen: TableSet, table: _Table) -> Iterator[Row]:
    for name in PAPER_INDICES:
        part = table[_published(name)]
        n_runs = f"({len(part.runs)} run{'s' * (len(part.runs) > 1)})"
        beside = "" if part.spread is None else f" ± {part.spread:.2f}"
        shown = None if part.mean is None else f"{part.mean:.2f}{beside} {n_runs}"
        note = "" if shown else f"Not every run has a value {n_runs}."
        yield Row(chosen.spelling, INDEX_TITLES[name], shown, note=note, table=_SPREAD)


def _listed(values: list[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:.2f}" for value in values)


# --- the best index, and claims -----------------------------------------------------------------


def _goodness(name: str, percentage: float | None) -> float:
    """How well an index agrees with the truth, whatever its direction."""
    if percentage is None:
        return -math.inf
    return -percentage if name in LOWER_IS_BETTER else percentage


def _best_row(chosen: TableSet, table: _Table, scope: Scope) -> Row:
    marked = next(row for row in read_printed(NAME) if row["dataset"] == chosen.spelling)
    title = marked["best_marked_bold"]
    ours = {name: _goodness(name, table[_published(name)].value(chosen)) for name in PAPER_INDICES}
    best = max(ours, key=lambda name: ours[name])
    row = Row(chosen.spelling, "best", INDEX_TITLES[best], title, "passes", table=_BEST)
    original = {
        name: _goodness(name, table[_original(name)].value(chosen))
        if name not in _UNCHANGED
        else ours[name]
        for name in PAPER_INDICES
    }
    best_original = max(original, key=lambda name: original[name])
    if best_original != best:
        title_there = INDEX_TITLES[best_original]
        row = row.with_note(
            f"By the original definitions it is {title_there} ({original[best_original]:.2f})."
        )
    if INDEX_TITLES[best] != title:
        behind = ours[best] - ours[INDEX_NAMES[title]]
        within = _WITHIN_MEAN if chosen.is_benchmark else _WITHIN_ONE
        row = replace(row, verdict="within method" if behind <= within else "fails")
        far = f"is {behind:.2f} behind" if math.isfinite(behind) else "has no value beside"
        row = row.with_note(f"{title} {far} {INDEX_TITLES[best]} in our runs.")
    if _is_cut(chosen, scope) or any(part.has_errors for part in table.values()):
        row = replace(row, verdict="not judged")
    return row


def _claims(sets: list[TableSet], tables: dict[str, _Table]) -> Iterator[Row]:
    values = {
        name: [tables[chosen.name][_published(name)].value(chosen) for chosen in sets]
        for name in PAPER_INDICES
    }
    always = [name for name in PAPER_INDICES if None not in values[name]]
    means = {name: float(np.mean([_goodness(name, v) for v in values[name]])) for name in always}
    leading = sorted(means, key=lambda name: -means[name])[:3]
    yield claim(
        "Always defined and in closest agreement",
        "DISCO, MMJ-SC and LCCV",
        ", ".join(f"{INDEX_TITLES[name]} (mean {means[name]:.1f})" for name in leading),
        holds=set(leading) == {"disco", "mmj_sc", "lccv"},
        note="Defined for all labelings: "
        + ", ".join(f"{INDEX_TITLES[name]} {means[name]:.1f}" for name in always)
        + " (mean over data sets, lower-is-better indices reversed).",
    )
    names = ("dbcv", "dcsi")
    pulsars = [_on_htru2(tables, _published(name)) for name in names]
    originals = [_on_htru2(tables, _original(name)) for name in names]
    yield claim(
        "DBCV and DCSI on htru2",
        "contradict the ARI",
        _listed(pulsars),
        holds=all(value is not None and value < 0 for value in pulsars),
        note=f"By the original definitions: {_listed(originals)}.",
    )


def _on_htru2(tables: dict[str, _Table], index: Spec) -> float | None:
    return tables["htru2"][index].value(TABLE_SET_OF["htru2"])


_ON_DASHES = "A dash: at least one labeling in at least one run has no score, as in the paper."
_ON_PROGRAMS = tuple(
    f"What the paper's program of {INDEX_TITLES[name]} does otherwise than the definition: it "
    f"{describe_deviations(name)}."
    for name in DEVIATIONS
)

EXPERIMENT = Experiment(INFOS[NAME], cells, report, measures=MEASURES)
