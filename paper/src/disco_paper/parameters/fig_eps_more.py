"""Which eps for DBSCAN each index would choose on 3-spiral and COIL20."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from disco_paper.cells import Cell, Outcomes, Scope, spec
from disco_paper.judging import Experiment, Report, Row, claim, judge
from disco_paper.paper import INDEX_TITLES, INFOS, name_published, read_printed, read_texts
from disco_paper.parameters.eps_search import MEASURES, SHOWN, EpsSearch

NAME = "fig-eps-more"
TEXTS = read_texts(NAME)

_ARI = spec("ari", noise="one class")
_SPIRAL = EpsSearch(spec("3-spiral", raw=True), "3-spiral", tuple(range(2, 8)), _ARI)
_COIL = EpsSearch(spec("COIL20", raw=True), "COIL20", tuple(range(15, 35)), _ARI, (spec("dbcv"),))
_AXIS = "COIL20: the axis of the figure"


def cells(scope: Scope) -> list[Cell]:
    """DBSCAN for 15 to 34 clusters of COIL20 (not in a quick run), for 2 to 7 of 3-spiral."""
    return [*([] if scope.quick else _COIL.cells()), *_SPIRAL.cells()]


def report(found: Outcomes, scope: Scope) -> Report:
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
    return {r["index"]: r["best_k"] for r in read_printed(NAME) if r["dataset"] == dataset}


def _spiral_claims(found: Outcomes) -> Iterator[Row]:
    best = _SPIRAL.best(found, name_published("disco"))
    yield claim("3-spiral: DISCO is best", "at 3 clusters", f"at k = {best}", holds=best == 3)
    for name, note in (("cdbw", ""), ("viasckde", TEXTS["on_rounding"])):
        chosen, original = (
            _SPIRAL.best(found, index) for index in (name_published(name), spec(name))
        )
        row = claim(
            f"3-spiral: {INDEX_TITLES[name]} is best",
            "at a smaller eps, with more clusters",
            f"at k = {chosen}",
            holds=chosen is not None and chosen > 3,
            note=f"By its definition at k = {original}.",
        )
        yield row.with_note(note)


def _coil_claims(found: Outcomes) -> Iterator[Row]:
    clusters = {k: _COIL.n_clusters(found, k) for k in _COIL.ks}
    n_19, n_20 = (list(clusters.values()).count(k) for k in (19, 20))
    yield claim(
        "COIL20: several eps give 19 clusters, none gives 20",
        "19, not 20",
        f"19 clusters {n_19} times, 20 clusters {n_20} times",
        holds=n_19 > 1 and n_20 == 0,
    )
    best = _COIL.best(found, _ARI)
    found_there = None if best is None else clusters[best]
    yield claim("COIL20: the best ARI", "at 19 clusters", found_there, holds=found_there == 19)
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
        f"COIL20: {INDEX_TITLES[name]} is best",
        "at a much smaller eps, with more clusters" if is_small else "at 19 clusters",
        f"at k = {chosen}, {n_clusters} clusters",
        holds=holds,
        note=f"DBSCAN finds 19 clusters for the last time at k = {last}." if is_small else "",
    )
    original = _COIL.best(found, spec(name))
    return row if original in (None, chosen) else row.with_note(f"By its definition at {original}.")


def _axis_rows(found: Outcomes) -> Iterator[Row]:
    for k, paper in zip(_COIL.ks, read_printed(f"{NAME}-axis"), strict=True):
        row = judge(f"k = {k}", "eps", _COIL.eps(found, k), paper["eps"])
        yield replace(row, table=_AXIS)
        row = judge(f"k = {k}", "clusters", _COIL.n_clusters(found, k), paper["n_clusters"])
        yield replace(row, table=_AXIS)


_NOTES = (
    "The data are not standardized here, as in the paper; the ARI counts noise as one cluster.",
    "The paper shows 20 settings of COIL20; these are the ones compared.",
    "The original DBCV of COIL20 is left out for its time.",
)

EXPERIMENT = Experiment(INFOS[NAME], cells, report, measures=MEASURES)
