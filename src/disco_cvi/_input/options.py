"""Options of public functions become trusted: whole numbers, words, threads.

Only public functions call these checks, each with its own name as `caller` for the message.
"""

from __future__ import annotations

import numbers
import os

import numpy as np

from disco_cvi.exceptions import InvalidInputError, describe, shorten


def check_choice(value: object, choices: tuple[str, ...], argument: str, caller: str) -> str:
    """Return an argument that must be one of a few words."""
    if isinstance(value, str) and value in choices:
        return value
    listed = ", ".join(repr(choice) for choice in choices)
    message = f"{argument} of {caller} must be one of {listed}; got {value!r}."
    raise InvalidInputError(message)


def check_count(value: object, argument: str, caller: str) -> int:
    """Return an argument that must be an integer of at least 1."""
    rule = f"{argument} of {caller} must be an integer of at least 1"
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        message = f"{rule}; got {describe(value)}."
        raise TypeError(message)
    number = int(value)
    if number < 1:
        message = f"{rule}; got {shorten(number)}."
        raise InvalidInputError(message)
    return number


def check_min_points(min_points: object, n_points: int | None, caller: str) -> int:
    """Return `min_points` as an int from 1 to `n_points` (`None`: no upper bound).

    A bool or a float is a `TypeError`, integral or not: it is more often a slip than meant.
    """
    if isinstance(min_points, bool | np.bool_) or not isinstance(min_points, numbers.Integral):
        raise TypeError(
            f"min_points of {caller} must be an integer of at least 1; got {describe(min_points)}. "
            "Pass a whole number such as 5."
        )
    number = int(min_points)
    if n_points is None:
        if number < 1:
            raise InvalidInputError(
                f"min_points of {caller} must be an integer of at least 1; got {shorten(number)}."
            )
    elif not 1 <= number <= n_points:
        advice = " Lower min_points or give more points." if number > n_points else ""
        raise InvalidInputError(
            f"min_points of {caller} must be an integer from 1 to the number of points "
            f"({n_points}); got {shorten(number)}.{advice}"
        )
    return number


def check_jobs(n_jobs: object, caller: str) -> int:
    """Return the number of threads: `None` is 1, -1 all CPUs of this process, -2 all but one."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool | np.bool_) or not isinstance(n_jobs, numbers.Integral):
        raise TypeError(
            f"n_jobs of {caller} must be an integer or None; got {describe(n_jobs)}. "
            "Pass a number of threads, or -1 for all CPUs."
        )
    jobs = int(n_jobs)
    if jobs == 0:
        raise InvalidInputError(
            f"n_jobs of {caller} must not be 0. "
            "Pass a number of threads, -1 for all CPUs, or None for one thread."
        )
    return jobs if jobs > 0 else max(1, _available_cpus() + 1 + jobs)


def _available_cpus() -> int:
    """Count the CPUs this process may use, which containers and schedulers often restrict."""
    if hasattr(os, "process_cpu_count"):  # Python 3.13 and newer
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
