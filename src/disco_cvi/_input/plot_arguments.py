"""What all plots ask of their arguments."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array, is_missing
from disco_cvi._input.kinds import is_real_kind
from disco_cvi._output.words import count, describe, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


def check_colors(colors: object, caller: str) -> Mapping[str, str] | None:
    """Colors by name, or none."""
    if colors is None or (isinstance(colors, Mapping) and not colors):
        return None
    from matplotlib.colors import is_color_like

    given = check_named(colors, "colors", caller)
    for name, color in given.items():
        if not is_color_like(color):
            rule = "hold colors that matplotlib knows"
            got = f"{shorten(color)} for {shorten(name)}"
            raise InvalidInputError(argument="colors", caller=caller, rule=rule, got=got)
    return given


def check_legend(legend: object, caller: str) -> None:
    """Refuse a place for the legend that there is not."""
    places = ("right", "below", "inside")
    if legend is not None and not (isinstance(legend, str) and legend in places):
        rule = "be 'right', 'below', 'inside' or None"
        raise InvalidInputError(argument="legend", caller=caller, rule=rule, got=describe(legend))


def check_named(values: object, argument: str, caller: str) -> Mapping[str, Any]:
    """A mapping that is not empty and whose keys are names."""
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        rule = "map names (str) to values"
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(values))
    if not values:
        raise InvalidInputError(argument=argument, caller=caller, rule="not be empty")
    return values


def check_numbers(values: object, argument: str, caller: str, *, ndim: int = 1) -> FloatArray:
    """Numbers as a float array of a dimension; None becomes NaN, which stands for no value."""
    array = as_array(values, argument, caller)
    try:
        numbers = _as_floats(array)
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None:
        raise InvalidTypeError(
            argument=argument, caller=caller, rule="hold numbers", got=str(array.dtype)
        )
    if numbers.ndim != ndim:
        rule, got = f"have {count(ndim, 'dimension')}", f"shape {numbers.shape}"
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=got)
    if np.isinf(numbers).any():
        problem = "holds infinity, which cannot be drawn"
        raise InvalidInputError(argument=argument, caller=caller, problem=problem)
    return numbers


def _as_floats(array: NDArray[Any]) -> FloatArray | None:
    """Convert numbers; None for text and dates, which NumPy would convert as well."""
    if array.dtype.kind == "O":
        missing = np.array([is_missing(value) for value in array.flat], np.bool_)
        missing = missing.reshape(array.shape)
        kinds = set(map(type, array[~missing].flat))
        if not all(is_real_kind(kind) or issubclass(kind, (Decimal, np.bool_)) for kind in kinds):
            return None
        array = np.where(missing, np.nan, array)
    elif array.dtype.kind not in "fiub":
        return None
    with np.errstate(over="ignore"):  # a long double beyond all floats becomes infinity
        return array.astype(np.float64)
