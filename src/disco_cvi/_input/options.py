"""Options of public functions become trusted: whole numbers, numbers, words, threads.

Only public functions call these checks, each with its own name as `caller` for the message. Indices
and clusterers declare what their options may be (`Choice`, `Count`, `Number`, `OrNone`, `OrAuto`),
and have them checked.
"""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from disco_cvi._input.kinds import is_collection, is_real_number, is_whole_number
from disco_cvi._output.words import describe, did_you_mean, shorten
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError

# The first integer that Python does not write: it has 4301 digits.
_UNWRITABLE = 10**4300


def check_choice(value: object, choices: Sequence[str], argument: str, caller: str) -> str:
    """Return an argument that must be one of a few words."""
    if isinstance(value, str) and value in choices:
        return value
    raise InvalidInputError(
        argument=argument,
        caller=caller,
        rule=f"be one of {', '.join(map(repr, choices))}",
        got=shorten(value),
        remedy=did_you_mean(value, choices) if isinstance(value, str) else None,
    )


def check_count(
    value: object, argument: str, caller: str, *, least: int = 1, most: int | None = None
) -> int:
    """Return an argument that must be an integer of at least `least`, and at most `most`."""
    bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
    rule = f"be an integer {bounds}"
    number = _whole(value, argument, caller, rule)
    if number < least or (most is not None and number > most):
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=shorten(number))
    return number


def check_number(
    value: object,
    argument: str,
    caller: str,
    *,
    above: float | None = None,
    least: float | None = None,
    below: float | None = None,
    most: float | None = None,
) -> float:
    """Return an argument that must be a finite number within the bounds that are given.

    The bounds `least` and `most` are allowed, `above` and `below` are not.
    """
    bounds = {"above": above, "of at least": least, "below": below, "of at most": most}
    words = [f"{word} {bound:g}" for word, bound in bounds.items() if bound is not None]
    rule = f"be a finite number {' and '.join(words)}".rstrip()
    if not is_real_number(value):
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(value))
    try:
        number = float(value)
    except OverflowError:  # an integer or a fraction beyond all floats
        number = math.inf
    is_within = (
        (above is None or number > above)
        and (least is None or number >= least)
        and (below is None or number < below)
        and (most is None or number <= most)
    )
    if not (math.isfinite(number) and is_within):
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=shorten(value))
    return number


def check_flag(value: object, argument: str, caller: str) -> bool:
    """Return an argument that must be True or False."""
    if not isinstance(value, bool | np.bool_):
        rule = "be True or False"
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(value))
    return bool(value)


def check_path(value: object, argument: str, caller: str) -> Path:
    """Return an argument that must name a file or a folder, there or not."""
    rule = "be a path"
    name = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(name, str):
        raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(value))
    try:
        can_be = bool(name) and b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        can_be = False
    if not can_be:
        rule = "be a path that this system can have"
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=shorten(name))
    return Path(name)


def check_min_points(min_points: object, n_points: int | None, caller: str) -> int:
    """Return `min_points` as an int from 1 to `n_points` (`None`: no upper bound)."""
    rule, remedy = "be an integer of at least 1", "Pass a whole number such as 5."
    number = _whole(min_points, "min_points", caller, rule, remedy)
    if n_points is None:
        return check_count(number, "min_points", caller)
    if not 1 <= number <= n_points:
        raise InvalidInputError(
            argument="min_points",
            caller=caller,
            rule=f"be an integer from 1 to the number of points ({n_points})",
            got=shorten(number),
            remedy="Lower it or give more points." if number > n_points else None,
        )
    return number


def check_min_points_values(values: object, n_points: int | None, caller: str) -> list[int]:
    """Return several `min_points`, each once, in rising order; `n_points` as for one."""
    rule = "be one integer or more, such as range(1, 31)"
    if not is_collection(values):
        remedy = f"Pass [{shorten(values)}] for one." if isinstance(values, int) else None
        raise InvalidTypeError(
            argument="min_points", caller=caller, rule=rule, got=describe(values), remedy=remedy
        )
    checked = {check_min_points(value, n_points, caller) for value in values}
    if not checked:
        raise InvalidInputError(argument="min_points", caller=caller, rule=rule, got="none")
    return sorted(checked)


def check_seed(seed: object, caller: str) -> int:
    """Return a number from which random numbers are drawn."""
    return check_count(seed, "seed", caller, least=0, most=2**32 - 1)


def check_algorithm(algorithm: object, graph: object, caller: str) -> str:
    """Return how a tree is found; an exact one needs no graph."""
    chosen = check_choice(algorithm, ("exact", "approximate"), "algorithm", caller)
    if chosen == "exact" and graph is not None:
        raise InvalidInputError(
            argument="graph",
            caller=caller,
            rule="be left out for the algorithm 'exact', which needs none",
            remedy="Pass algorithm='approximate' to use it.",
        )
    return chosen


def check_jobs(n_jobs: object, caller: str) -> int:
    """Return the number of threads: `None` is 1, -1 all CPUs of this process, -2 all but one."""
    if n_jobs is None:
        return 1
    remedy = "Pass a number of threads, or -1 for all CPUs."
    jobs = _whole(n_jobs, "n_jobs", caller, "be an integer or None", remedy)
    if jobs == 0:
        raise InvalidInputError(
            argument="n_jobs",
            caller=caller,
            rule="not be 0",
            remedy="Pass a number of threads, -1 for all CPUs, or None for one thread.",
        )
    if jobs < 0:
        return max(1, _available_cpus() + 1 + jobs)
    # More help nobody, and no system has room for as many as can be asked for.
    return min(jobs, max(64, 4 * _available_cpus()))


def _whole(value: object, argument: str, caller: str, rule: str, remedy: str | None = None) -> int:
    """Return an integer; a bool or a float, integral or not, is more often a slip than meant."""
    if not is_whole_number(value):
        raise InvalidTypeError(
            argument=argument, caller=caller, rule=rule, got=describe(value), remedy=remedy
        )
    number = int(value)
    if abs(number) >= _UNWRITABLE:  # what was taken could not be shown: repr of an estimator fails
        rule = "be an integer of at most 4300 digits, as Python writes them"
        raise InvalidInputError(argument=argument, caller=caller, rule=rule, got=shorten(number))
    return number


def _available_cpus() -> int:
    """Count the CPUs this process may use, which containers and schedulers often restrict."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13 and newer
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def refuse_contradiction(name: str, given: object, built: object, caller: str) -> None:
    """Raise if an option is not what a tree was built with; None asks for nothing."""
    if given is None or _are_same(given, built):
        return
    raise InvalidInputError(
        argument=name,
        caller=caller,
        rule=f"be left out or be that of the tree, {shorten(built)}",
        got=shorten(given),
        remedy=f"Build another DensityTree for another {name}.",
    )


def _are_same(one: object, other: object) -> bool:
    """Whether two settings are equal; those of a metric may be arrays."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_are_same(one[key], other[key]) for key in one)
    if isinstance(one, str) or callable(one):
        return one == other
    return np.array_equal(np.asarray(one), np.asarray(other))


# --- options that are declared ------------------------------------------------------------------


class Option(ABC):
    """What the value of an option may be."""

    @abstractmethod
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

    def check(self, value: object, argument: str, caller: str) -> int | None:
        """Return the integer; whether there are as many points is asked later."""
        assert argument == "min_points"
        return None if value is None else check_min_points(value, None, caller)


@dataclass(frozen=True)
class Number(Option):
    """A finite number within bounds, see `check_number`."""

    above: float | None = None
    least: float | None = None
    below: float | None = None
    most: float | None = None

    def check(self, value: object, argument: str, caller: str) -> float:
        """Return the number."""
        return check_number(value, argument, caller, **vars(self))


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
            raise InvalidInputError(
                f"{caller} has no option {shown}; its options: {known}. "
                f"{did_you_mean(word, options.keys())}".rstrip(),
                argument=word,
                caller=caller,
            )
    return {name: options[name].check(value, name, caller) for name, value in given.items()}
