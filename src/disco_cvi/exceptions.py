"""What can go wrong with a user's input, and the wording that all messages share."""

from __future__ import annotations

import reprlib

__all__ = ["InvalidInputError", "UndefinedScoreError"]


class InvalidInputError(ValueError):
    """An argument has the right type but a value that cannot be used.

    The message names the argument and the function, says what is allowed, what came, and what to do
    about it. An argument of the wrong type raises `TypeError` instead.

    Examples
    --------
    >>> import disco_cvi
    >>> issubclass(disco_cvi.InvalidInputError, ValueError)
    True
    """


class UndefinedScoreError(ValueError):
    """The input is well formed, but the index is not defined for it.

    Malformed input is an error of the caller; an undefined score is an answer, so it has a class of
    its own that a table of many indices can catch and explain.
    """


def describe(value: object) -> str:
    """Return a value and its type for the "got ..." part of a message.

    >>> describe("5")
    "'5' (str)"
    >>> describe(None)
    'None'
    """
    if value is None:
        return "None"
    return f"{shorten(value)} ({type(value).__name__})"


def shorten(value: object) -> str:
    """Return the `repr` of a value on one line and of bounded length.

    >>> shorten("a" * 100)
    "'aaaaaaaaaaaa...aaaaaaaaaaaaa'"
    """
    return " ".join(reprlib.repr(value).split())


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form.

    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
