"""What is lost when an index chooses eps, min_cluster_size or k: a study of our own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import methodcaller

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from disco_paper.cells import Cell, Outcomes, Scope, Spec, Value, cross
from disco_paper.choosing.choices import (
    ARENAS,
    ARI,
    CRITERIA,
    EVERY_EPS,
    EVERY_EPS_AGAIN,
    HIT,
    LABELINGS,
    MEASURES,
    PAIR,
    PAIR_OF_ONE,
    TITLES,
    WEAK,
    Arena,
    Field,
    Loss,
    arena_cells,
    read_field,
    sum_up,
)
from disco_paper.choosing.sets import DATA, ROUND, StudySet, structureless_sets, study_sets
from disco_paper.drawing import open_drawing, tidy
from disco_paper.judging import Experiment, Figure, Report, Row
from disco_paper.paper import INFOS, OURS, read_texts

NAME = "choose-eps"
TEXTS = read_texts(NAME)

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
    "Nested clusters": (lambda field: field.chosen_set.family == "nested", TEXTS["on_levels"]),
    "Weak separation: best pair score below 0.1": (
        _is_weak,
        "Look at the sizes: a small score can also come from one giant cluster.",
    ),
    "The same without imbalanced sizes": (
        lambda field: _is_weak(field) and field.chosen_set.kind != "imbalanced",
        TEXTS["on_overlap"],
    ),
    "Best pair score 0.1 or more": (lambda field: not _is_weak(field), "Choose by the pair score."),
    "Imbalanced sizes": (lambda field: field.chosen_set.kind == "imbalanced", TEXTS["on_sizes"]),
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


def cells(scope: Scope) -> list[Cell]:
    """Every candidate of every set under every index; what has no structure under one alone."""
    sets = study_sets(scope)
    found = [cell for arena in ARENAS.values() for cell in arena_cells(sets, arena, scope)]
    found += cross([chosen.data for chosen in sets], _AUTOMATIC.values(), [ARI])
    return found + arena_cells(structureless_sets(scope), _EPS, scope, [PAIR])


def report(found: Outcomes, scope: Scope) -> Report:
    """Regret by arena and criterion, where the pair score fails, and every set."""
    sets = study_sets(scope)
    fields = {name: _read(found, sets, arena, scope) for name, arena in ARENAS.items()}
    known = set.intersection(*(set(of_arena) for of_arena in fields.values()))
    left_out = [chosen.title for chosen in sets if chosen.title not in known]
    notes = [*_NOTES, TEXTS["missing"]]
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
    figure = Figure("", _CAPTION, lambda: _draw(losses))
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


_CAPTION = (
    "Mean regret of each index as a criterion, with 95 % intervals (bootstrap over families of "
    "data sets): the adjusted Rand index of the best candidate minus that of the chosen one. "
    f"{OURS}."
)
_ON_REGRET = (
    f"{OURS}. An index chooses the candidate with its best score, all scored with min_points 5; "
    "the regret is the ARI of the best candidate minus that of the chosen one, found noise counted "
    "as clusters of one point each. A hit loses less than 0.05. Of equal scores the one with fewer "
    "clusters is taken, then with less noise, then the first. Where an index has no value for any "
    "candidate, nothing is chosen, which counts as ARI 0."
)
_NOTES = (
    _ON_REGRET,
    TEXTS["on_candidates"],
    TEXTS["on_every_eps"],
    TEXTS["on_data"],
    TEXTS["on_an_earlier_study"],
)

EXPERIMENT = Experiment(
    INFOS[NAME], cells, report, data=DATA, labelings=LABELINGS, measures=MEASURES
)
