"""How an object is drawn without knowing how: `plots` is a package that comes later.

Objects that can be drawn name what of `disco_cvi.plots` does it.
"""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from typing import Any

from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidInputError

# The displays of an explanation by the word that asks for them.
EXPLANATION_DISPLAYS = {
    "map": "PointwiseMapDisplay",
    "bars": "ScoreBarsDisplay",
    "noise": "NoiseDisplay",
    "line": "DensityLineDisplay",
    "eps": "EpsCurveDisplay",
}


def draw(name: str, *things: Any, **options: Any) -> Any:
    """Call something of `disco_cvi.plots`, which is loaded only now, and return what it returns."""
    return attrgetter(name)(import_module("disco_cvi.plots"))(*things, **options)


def draw_explanation(explanation: Any, kind: object, options: dict[str, Any]) -> Any:
    """Draw an explanation in one of the ways; None: the map, if it is known where points are."""
    drawn = {key: options.pop(key) for key in ("ax", "theme") if key in options}
    if kind is None:
        points = explanation.clustering.points
        is_known = points.given is not None and points.metric.name != "precomputed"
        kind = "map" if is_known or "embedding" in options else "bars"
    if not isinstance(kind, str) or kind not in EXPLANATION_DISPLAYS:
        rule = f"be one of {', '.join(map(repr, EXPLANATION_DISPLAYS))}"
        raise InvalidInputError(argument="kind", caller="plot", rule=rule, got=describe(kind))
    way = f"{EXPLANATION_DISPLAYS[kind]}.from_explanation"
    return draw(way, explanation, **options).plot(**drawn)
