"""Which eps for DBSCAN each index would choose on Synth_high."""

from __future__ import annotations

from dataclasses import replace

from disco_paper.cells import Cell, Outcomes, Scope, spec
from disco_paper.judging import Experiment, Report, Row, claim
from disco_paper.paper import INDEX_TITLES, INFOS, name_published, read_printed, read_texts
from disco_paper.parameters.eps_search import MEASURES, SHOWN, EpsSearch

NAME = "fig-eps-synth"
TEXTS = read_texts(NAME)

# The figure shows no more than 19, although the text says 20.
_SEARCH = EpsSearch(
    spec("Synth_high"), "Synth_high", tuple(range(2, 20)), spec("ari", noise="left out")
)
_TRUE_K = 10
# As the saved plot shows them.
_PREFERRED = {row["index"]: row["best_k"] for row in read_printed(NAME)}
_QUICK = ("disco", "silhouette")


_QUICK_KS = (8, 9, 10, 11, 12)


def _search(scope: Scope) -> EpsSearch:
    return replace(_SEARCH, ks=_QUICK_KS) if scope.quick else _SEARCH


def cells(scope: Scope) -> list[Cell]:
    """DBSCAN for 2 to 19 clusters, scored by ten indices in both ways."""
    return _search(scope).cells(_QUICK if scope.quick else SHOWN)


def report(found: Outcomes, scope: Scope) -> Report:
    """The setting that each index prefers, and the claims."""
    search = _search(scope)
    # A quick run leaves out settings, and so has no verdicts either.
    rows = [*search.best_rows(found, _PREFERRED), *_claims(search, found)]
    rows = _SEARCH.withhold_verdicts(found, rows)
    if scope.quick:
        rows = [row if row.ours is None else row.with_note(_ON_CUT) for row in rows]
    notes = (TEXTS["note"],) if scope.quick else (TEXTS["note"], TEXTS["on_rounding"])
    return Report(tuple(rows), (search.figure(found),), notes)


def _claims(search: EpsSearch, found: Outcomes) -> list[Row]:
    preferring = [name for name in SHOWN if search.best(found, name_published(name)) == _TRUE_K]
    titles = ", ".join(INDEX_TITLES[name] for name in preferring) or "none"
    originals = search.join_preferring(found, _TRUE_K, spec)
    best = search.best(found, search.ari)
    return [
        claim(
            "DISCO and DBCV are best where the ARI is",
            "at 10 clusters",
            f"ARI best at {best}; at 10: {titles}",
            holds={"disco", "dbcv"} <= set(preferring) and best == _TRUE_K,
        ),
        claim(
            "No other index is",
            "only DISCO and DBCV",
            titles,
            holds=set(preferring) == {"disco", "dbcv"},
            note="The saved plot shows CVDD at its best there as well. By the original "
            f"definitions: {originals}.",
        ),
    ]


_ON_CUT = f"Only k = {_QUICK_KS[0]} to {_QUICK_KS[-1]} were searched in this run."

EXPERIMENT = Experiment(INFOS[NAME], cells, report, measures=MEASURES)
