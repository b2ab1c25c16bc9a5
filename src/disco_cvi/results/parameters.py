"""Parameters of many indices become trusted, before the first of the indices is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels
from disco_cvi._input.options import (
    MinPoints,
    check_min_points,
    check_options,
    refuse_contradiction,
)
from disco_cvi._input.points import Points
from disco_cvi._neighbors.distances import distance_rows
from disco_cvi._output.words import describe, did_you_mean, shorten
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.indices.index_info import IndexInfo, IndexTable, options_of

Parameters = Mapping[str, Mapping[str, Any]]

# What holds for all indices of a call.
_OF_ALL = ("metric", "metric_params", "noise_label", "n_jobs")


def check_parameters(
    parameters: object,
    min_points: int | None,
    chosen: IndexTable,
    caller: str,
    clusterings: Sequence[Clustering] = (),
) -> Parameters:
    """Return the parameters of the chosen indices, each checked as its function checks it.

    With clusterings, what they do not allow is refused too; without, it is where it is needed.
    """
    named = _by_index(parameters, chosen, caller)
    own = {
        info.name: _check_own(named.get(info.name, {}), min_points, info, caller) for info in chosen
    }
    if clusterings:
        _check_metric_parameters(clusterings[0].points)
    for info in chosen:
        if any(_needs_tree(info, clustering.labels) for clustering in clusterings):
            is_own = "min_points" in named.get(info.name, {})
            place = f"{info.name} in {caller}" if is_own else caller
            _refuse_min_points(own[info.name], clusterings[0].points, place)
    return own


def _by_index(parameters: object, chosen: IndexTable, caller: str) -> dict[str, Any]:
    """Return parameters by the names of indices, which users may spell as they like."""
    rule = (
        "be a dict of dicts by the names of the chosen indices, such as "
        "{'disco': {'min_points': 10}}"
    )
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        got = describe(given)
        raise InvalidTypeError(argument="parameters", caller=caller, rule=rule, got=got)
    named: dict[str, Any] = {}
    for name, own in given.items():
        try:
            index = chosen.find(name, "parameters", caller).name
        except ArgumentError:
            names = [info.name for info in chosen]
            raise InvalidInputError(
                argument="parameters",
                caller=caller,
                rule=rule,
                got=f"the name {shorten(name)}",
                remedy=did_you_mean(name, names) if isinstance(name, str) else None,
            ) from None
        if index in named:
            rule, got = "name each index once", f"{index} twice"
            raise InvalidInputError(argument="parameters", caller=caller, rule=rule, got=got)
        named[index] = own
    return named


def _check_own(
    own: object, min_points: int | None, info: IndexInfo, caller: str
) -> Mapping[str, Any]:
    if not isinstance(own, Mapping):
        raise InvalidTypeError(
            argument=f"parameters[{info.name!r}]",
            caller=caller,
            rule="be a dict of parameters by name",
            got=describe(own),
        )
    misplaced = [name for name in _OF_ALL if name in own]
    if misplaced:
        raise InvalidInputError(
            argument=f"parameters[{info.name!r}]",
            caller=caller,
            rule=f"hold options of {info.title} alone",
            got=misplaced[0],
            remedy=f"Pass {misplaced[0]} to {caller} itself.",
        )
    shared = {"min_points": min_points} if min_points is not None else {}
    given = {name: value for name, value in shared.items() if name in options_of(info)}
    return check_options(options_of(info), f"{info.name} in {caller}", {**given, **own})


def _check_metric_parameters(points: Points) -> None:
    """Refuse wrong parameters of a metric, as the first index would that measures by it."""
    metric = points.metric
    if points.raw is not None and metric.params and isinstance(metric.name, str):
        distance_rows(points.array[:1], metric, points.caller)


def _needs_tree(info: IndexInfo, labels: Labels) -> bool:
    """Whether an index needs the tree of its min_points; some scores are known without.

    So are those of one cluster and of points that are alone; of one cluster beside noise, too, the
    pair score has no pairs.
    """
    if not isinstance(options_of(info).get("min_points"), MinPoints):
        return False
    if info.name == "pair" and labels.n_clusters == 1:
        return False
    is_plain = labels.n_clusters in (1, labels.n_points) and not labels.n_noise
    return labels.n_clusters > 0 and not is_plain


def _refuse_min_points(own: Mapping[str, Any], points: Points, caller: str) -> None:
    """Raise if an index asks for a tree that the points, or their tree, do not have."""
    asked = own.get("min_points")
    if asked is None:
        return
    if points.tree is None:
        check_min_points(asked, points.n_points, caller)
    else:
        refuse_contradiction("min_points", asked, points.tree.min_points, caller)
