"""The tables of the study: regret by criterion, where the pair score fails, and every data set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import methodcaller

from disco_cvi.indices.pair import WEAK
from disco_paper.cells.cell import Value
from disco_paper.choosing.choices import (
    CRITERIA,
    PAIR,
    PAIR_OF_ONE,
    TITLES,
    Field,
)
from disco_paper.choosing.regret import HIT, Loss, sum_up
from disco_paper.choosing.sets import ROUND
from disco_paper.judging.rows import Row

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
    fields: Mapping[str, Fields],
    titles: Sequence[str],
    further: Mapping[str, Mapping[str, float]],
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


_ON_LEVELS = (
    "Of two levels it takes the coarser one. Where you expect levels, cluster the points of each "
    "cluster again, or take HDBSCAN; not always, as this breaks rings and bands."
)
_ON_SIZES = (
    "Clusters of 3 % of the points are found. A cluster of share p beside a giant one earns at "
    "most 2 p (1 - p): do not rely on it for rarer ones."
)
_ON_OVERLAP = (
    "Try k-means, Ward or a Gaussian mixture, and choose k by the Silhouette or by the pair score "
    "with min_points=1."
)
_GROUPS: dict[str, tuple[Callable[[Field], bool], str]] = {
    "Nested clusters": (lambda field: field.chosen_set.family == "nested", _ON_LEVELS),
    "Weak separation: best pair score below 0.1": (
        _is_weak,
        "Look at the sizes: a small score can also come from one giant cluster.",
    ),
    "The same without imbalanced sizes": (
        lambda field: _is_weak(field) and field.chosen_set.kind != "imbalanced",
        _ON_OVERLAP,
    ),
    "Best pair score 0.1 or more": (
        lambda field: not _is_weak(field),
        "Choose by the pair score.",
    ),
    "Imbalanced sizes": (lambda field: field.chosen_set.kind == "imbalanced", _ON_SIZES),
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
