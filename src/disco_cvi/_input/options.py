"""Options of public functions become trusted: whole numbers, numbers, words, threads, plots.

Only public functions call these checks, each with its own name as `caller` for the message. Indices
and clusterers declare what their options may be (`Choice`, `Count`, `Number`, `OrNone`, `OrAuto`),
and have them checked.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import (
    UNWRITABLE,
    as_array,
    as_real,
    is_collection,
    is_real_number,
    is_whole_number,
    wrong_type,
    wrong_value,
)
from disco_cvi._output.words import count, describe, did_you_mean, shorten
from disco_cvi.exceptions import ArgumentError, InvalidInputError

_BOUNDS = {
    "above": ("above", operator.gt),
    "least": ("of at least", operator.ge),
    "below": ("below", operator.lt),
    "most": ("of at most", operator.le),
}


def check_choice(value: object, choices: Sequence[str], argument: str, caller: str) -> str:
    """Return an argument that must be one of a few words."""
    if isinstance(value, str) and value in choices:
        return value
    rule = f"be one of {', '.join(map(repr, choices))}"
    remedy = did_you_mean(value, choices) if isinstance(value, str) else None
    raise wrong_value(argument, caller, rule, shorten(value), remedy)


def check_count(
    value: object, argument: str, caller: str, *, least: int = 1, most: int | None = None
) -> int:
    """Return an argument that must be an integer of at least `least`, and at most `most`."""
    rule = f"be an integer {f'of at least {least}' if most is None else f'from {least} to {most}'}"
    number = _whole(value, argument, caller, rule)
    if number < least or (most is not None and number > most):
        raise wrong_value(argument, caller, rule, shorten(number))
    return number


def check_number(value: object, argument: str, caller: str, **bounds: float) -> float:
    """Return an argument that must be a finite number within the bounds that are given.

    The bounds `least` and `most` are allowed, `above` and `below` are not.
    """
    words = [f"{_BOUNDS[name][0]} {bound:g}" for name, bound in bounds.items()]
    rule = f"be a finite number {' and '.join(words)}".rstrip()
    if not is_real_number(value):
        raise wrong_type(argument, caller, rule, describe(value))
    try:
        number = float(value)
    except OverflowError:  # an integer or a fraction beyond all floats
        number = math.inf
    is_within = all(_BOUNDS[name][1](number, bound) for name, bound in bounds.items())
    if not (math.isfinite(number) and is_within):
        raise wrong_value(argument, caller, rule, shorten(value))
    return number


def check_flag(value: object, argument: str, caller: str) -> bool:
    """Return an argument that must be True or False."""
    if not isinstance(value, bool | np.bool_):
        raise wrong_type(argument, caller, "be True or False", describe(value))
    return bool(value)


def check_path(value: object, argument: str, caller: str) -> Path:
    """Return an argument that must name a file or a folder, there or not."""
    name = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(name, str):
        raise wrong_type(argument, caller, "be a path", describe(value))
    try:
        can_be = bool(name) and b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        can_be = False
    if not can_be:
        raise wrong_value(argument, caller, "be a path that this system can have", shorten(name))
    return Path(name)


def check_min_points(min_points: object, n_points: int | None, caller: str) -> int:
    """Return `min_points` as an int from 1 to `n_points` (`None`: no upper bound)."""
    rule, remedy = "be an integer of at least 1", "Pass a whole number such as 5."
    number = _whole(min_points, "min_points", caller, rule, remedy)
    too_many = n_points is not None and number > n_points
    if number < 1 or too_many:
        if n_points is not None:
            rule = f"be an integer from 1 to the number of points ({n_points})"
        more = "Lower it or give more points." if too_many else None
        raise wrong_value("min_points", caller, rule, shorten(number), more)
    return number


def check_min_points_values(values: object, n_points: int | None, caller: str) -> list[int]:
    """Return several `min_points`, each once, in rising order; `n_points` as for one."""
    rule = "be one integer or more, such as range(1, 31)"
    if not is_collection(values):
        remedy = f"Pass [{shorten(values)}] for one." if isinstance(values, int) else None
        raise wrong_type("min_points", caller, rule, describe(values), remedy)
    checked = {check_min_points(value, n_points, caller) for value in values}
    if not checked:
        raise wrong_value("min_points", caller, rule, "none")
    return sorted(checked)


def check_algorithm(algorithm: object, graph: object, caller: str) -> str:
    """Return how a tree is found; an exact one needs no graph."""
    chosen = check_choice(algorithm, ("exact", "approximate"), "algorithm", caller)
    if chosen == "exact" and graph is not None:
        rule = "be left out for the algorithm 'exact', which needs none"
        remedy = "Pass algorithm='approximate' to use it."
        raise wrong_value("graph", caller, rule, remedy=remedy)
    return chosen


def check_jobs(n_jobs: object, caller: str) -> int:
    """Return the number of threads: `None` is 1, -1 all CPUs of this process, -2 all but one."""
    if n_jobs is None:
        return 1
    remedy = "Pass a number of threads, or -1 for all CPUs."
    jobs = _whole(n_jobs, "n_jobs", caller, "be an integer or None", remedy)
    if jobs == 0:
        remedy = "Pass a number of threads, -1 for all CPUs, or None for one thread."
        raise wrong_value("n_jobs", caller, "not be 0", remedy=remedy)
    if jobs < 0:
        return max(1, _available_cpus() + 1 + jobs)
    # More help nobody, and no system has as many threads as can be asked for.
    return min(jobs, max(64, 4 * _available_cpus()))


def _whole(value: object, argument: str, caller: str, rule: str, remedy: str | None = None) -> int:
    """Return an integer; a bool or a float, integral or not, is more often a slip than meant."""
    if not is_whole_number(value):
        raise wrong_type(argument, caller, rule, describe(value), remedy)
    number = int(value)
    if abs(number) >= UNWRITABLE:  # what was taken could not be shown: repr of an estimator fails
        rule = "be an integer of at most 4300 digits, as Python writes them"
        raise wrong_value(argument, caller, rule, shorten(number))
    return number


def _available_cpus() -> int:
    """Count the CPUs this process may use, which containers and schedulers often restrict."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def refuse_contradiction(name: str, given: object, built: object, caller: str) -> None:
    """Raise if an option is not what a tree was built with; None asks for nothing."""
    if given is not None and not _are_same(given, built):
        rule = f"be left out or be that of the tree, {shorten(built)}"
        remedy = f"Build another DensityTree for another {name}."
        raise wrong_value(name, caller, rule, shorten(given), remedy)


def _are_same(one: object, other: object) -> bool:
    """Whether two settings are equal; those of a metric may be arrays."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_same(one[key], other[key]) for key in one)
    if isinstance(one, str) or callable(one):
        return one == other
    return np.array_equal(np.asarray(one), np.asarray(other))


# --- options that are declared ------------------------------------------------------------------


class Option(Protocol):
    """What the value of an option may be."""

    def check(self, value: object, argument: str, caller: str) -> Any:
        """Return the value as trusted code takes it, or raise."""


class Choice(Option):
    """One of a few words."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def check(self, value: object, argument: str, caller: str) -> str:
        """Return the word."""
        return check_choice(value, self.choices, argument, caller)


@dataclass(frozen=True)
class Count(Option):
    """An integer within bounds."""

    least: int = 1
    most: int | None = None

    def check(self, value: object, argument: str, caller: str) -> int:
        """Return the integer."""
        return check_count(value, argument, caller, least=self.least, most=self.most)


class MinPoints(Option):
    """Which nearest point a core distance reaches to; None: that of the tree, or the default."""

    def check(self, value: object, argument: str, caller: str) -> int | None:  # noqa: ARG002
        """Return the integer; whether there are as many points is asked later."""
        return None if value is None else check_min_points(value, None, caller)


class Number(Option):
    """A finite number within bounds, see `check_number`."""

    def __init__(self, **bounds: float) -> None:
        self.bounds = bounds

    def check(self, value: object, argument: str, caller: str) -> float:
        """Return the number."""
        return check_number(value, argument, caller, **self.bounds)


@dataclass(frozen=True)
class OrNone(Option):
    """What another option may be, or None."""

    option: Option

    def check(self, value: object, argument: str, caller: str) -> Any:
        """Return the value of the other option, or None."""
        return None if value is None else self.option.check(value, argument, caller)


@dataclass(frozen=True)
class OrAuto(Option):
    """What another option may be, or "auto"."""

    option: Option

    def check(self, value: object, argument: str, caller: str) -> Any:
        """Return the value of the other option, or None for "auto"."""
        if isinstance(value, str) and value == "auto":
            return None
        try:
            return self.option.check(value, argument, caller)
        except ArgumentError as error:
            rule = f"be 'auto' or {(error.rule or '').removeprefix('be ')}"
            raise type(error)(
                argument=argument, caller=caller, rule=rule, got=error.got, remedy=error.remedy
            ) from None


def check_options(
    options: Mapping[str, Option], caller: str, given: Mapping[str, object]
) -> dict[str, Any]:
    """Return the given options as trusted code takes them; refuse names that are not declared.

    >>> declared = {"noise": Choice("cluster", "filter"), "n_neighbors": Count()}
    >>> check_options(declared, "cvnn_index", {"n_neighbors": 3})
    {'n_neighbors': 3}
    """
    for name in given:
        if name not in options:
            known, shown = ", ".join(options) or "none", shorten(name)
            word = shown.strip("'")
            message = f"{caller} has no option {shown}; its options: {known}."
            remedy = did_you_mean(word, options.keys())
            raise InvalidInputError(f"{message} {remedy}".rstrip(), argument=word, caller=caller)
    return {name: options[name].check(value, name, caller) for name, value in given.items()}


# --- arguments of plots -------------------------------------------------------------------------


def check_named(values: object, argument: str, caller: str) -> Mapping[str, Any]:
    """Return a mapping that is not empty and whose keys are names."""
    if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
        raise wrong_type(argument, caller, "map names (str) to values", describe(values))
    if not values:
        raise wrong_value(argument, caller, "not be empty")
    return values


def check_numbers(values: object, argument: str, caller: str, *, ndim: int = 1) -> FloatArray:
    """Return numbers as a float array of a dimension; None becomes NaN, which means no value."""
    array = as_array(values, argument, caller)
    numbers: FloatArray = as_real(values, array, argument, caller).astype(np.float64)
    if numbers.ndim != ndim:
        got = f"shape {numbers.shape}"
        raise wrong_value(argument, caller, f"have {count(ndim, 'dimension')}", got)
    if np.isinf(numbers).any():
        problem = "holds infinity, which cannot be drawn"
        raise InvalidInputError(argument=argument, caller=caller, problem=problem)
    return numbers
