"""What a value is, asked of whatever users give: no question here raises."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np


def is_whole_kind(kind: type) -> bool:
    """Whether values of a type are integers; truth values are, as in Python.

    NumPy counts durations among its integers, but they have a unit.

    >>> is_whole_kind(np.int8), is_whole_kind(np.timedelta64), is_whole_kind(float)
    (True, False, False)
    """
    return issubclass(kind, numbers.Integral) and not issubclass(kind, np.timedelta64)


def is_real_kind(kind: type) -> bool:
    """Whether values of a type are real numbers; truth values are, as in Python.

    >>> is_real_kind(np.float32), is_real_kind(np.timedelta64), is_real_kind(complex)
    (True, False, False)
    """
    return issubclass(kind, numbers.Real) and not issubclass(kind, np.timedelta64)


def is_whole_number(value: object) -> TypeGuard[numbers.Integral]:
    """Whether a value is an integer and no truth value.

    >>> is_whole_number(3), is_whole_number(True), is_whole_number(3.0)
    (True, False, False)
    """
    return is_whole_kind(type(value)) and not isinstance(value, bool)


def is_real_number(value: object) -> TypeGuard[numbers.Real]:
    """Whether a value is a real number and no truth value.

    >>> is_real_number(0.5), is_real_number(True), is_real_number("0.5")
    (True, False, False)
    """
    return is_real_kind(type(value)) and not isinstance(value, bool)


def probe(value: object, name: str, default: Any = None) -> Any:
    """Return an attribute, or the default where it is not there or asking for it fails.

    >>> probe([], "ndim", 1)
    1
    """
    try:
        return getattr(value, name, default)
    except Exception:  # noqa: BLE001 - foreign objects raise what they like
        return default


def is_collection(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value holds others that can be told one after the other; text does not.

    An array of no dimension only looks as if it did.

    >>> is_collection(range(3)), is_collection("abc"), is_collection(np.array(3))
    (True, False, False)
    """
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return False
    n_dimensions = probe(value, "ndim", 1)
    return not (isinstance(n_dimensions, int) and n_dimensions == 0)
