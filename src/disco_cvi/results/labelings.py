"""Labelings by name, whatever they came in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from disco_cvi._output.words import describe, shorten
from disco_cvi.exceptions import InvalidInputError


def check_labelings(labelings: Any, caller: str, argument: str = "labelings") -> dict[Any, Any]:
    """Return labelings by name, whatever they came in."""
    if isinstance(labelings, Mapping):
        named = list(labelings.items())
    elif _is_frame(labelings):
        # By place: pandas has columns of the same name.
        named = [
            (name, labelings.iloc[:, place] if hasattr(labelings, "iloc") else labelings[:, place])
            for place, name in enumerate(labelings.columns)
        ]
    else:
        named = []
    if not named:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be a dict of one labeling or more by name, such as {'dbscan': labels}, or a data "
            "frame with a column for each",
            got=describe(labelings),
        )
    if len({_as_text(name, argument, caller) for name, _ in named}) < len(named):
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="have names that differ as text",
            got=shorten([name for name, _ in named]),
        )
    return dict(named)


def _is_frame(value: object) -> bool:
    """Whether a value is a data frame; a lazy one warns if it is itself asked for its columns."""
    return hasattr(type(value), "columns") and hasattr(type(value), "to_dict")


def _as_text(name: object, argument: str, caller: str) -> str:
    """Return the name of a labeling as tables show it; integers may be too long for Python."""
    try:
        return str(name)
    except Exception as error:
        rule = "have names that can be written as text"
        raise InvalidInputError(
            argument=argument, caller=caller, rule=rule, got=shorten(name)
        ) from error
