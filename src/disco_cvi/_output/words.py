"""Words that messages share: a number with its noun, a value in few letters, a likely meaning."""

from __future__ import annotations

import reprlib
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal


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
    try:
        shown = reprlib.repr(value)
    except ValueError:  # Python does not write integers of many thousands of digits
        shown = f"<{type(value).__name__}>"
    return " ".join(shown.split())


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form.

    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def list_numbers(numbers: Sequence[int]) -> str:
    """Return numbers in a row; of many, those at the ends.

    >>> list_numbers(range(1, 5)), list_numbers(range(1, 31))
    ('1, 2, 3, 4', '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 30')
    """
    if len(numbers) > 12:
        return f"{', '.join(map(str, numbers[:10]))}, ... {numbers[-1]}"
    return ", ".join(map(str, numbers))


def from_to(low: float, high: float | None) -> str:
    """Return a range that begins at `low` and ends before `high`; None: it has no end.

    Both numbers that are shown lie in it, in as few digits, four or more, as tell them apart.

    >>> from_to(0.5, 2.0), from_to(1.0, 1.000025), from_to(3.0, None)
    ('from 0.5 to 1.999', 'from 1 to 1.00002', 'from 3 on')
    """
    for digits in range(4, 17):
        up = Context(prec=digits, rounding=ROUND_CEILING)
        down = Context(prec=digits, rounding=ROUND_FLOOR)
        first = up.create_decimal_from_float(low)
        if high is None:
            return f"from {float(first):.{digits}g} on"
        last = down.create_decimal_from_float(high)
        if last == Decimal(high):
            last = down.next_minus(last)
        if first < last:
            return f"from {float(first):.{digits}g} to {float(last):.{digits}g}"
    return f"from {low:.17g} to {high:.17g}"


def percent(share: float) -> str:
    """Return a share as a percentage; what is not none and not all is not rounded to them.

    >>> percent(0.5), percent(0.999), percent(0.001)
    ('50%', '>99%', '<1%')
    """
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{share:.0%}"


def printable(text: str) -> str:
    """Return a name that fits a line: no line breaks, nothing invisible, at most 20 characters.

    >>> printable("a name of very many words"), printable("")
    ('a name of...ny words', "''")
    """
    if not text.strip() or not text.isprintable():
        text = repr(text)
    return text if len(text) <= 20 else f"{text[:9]}...{text[-8:]}"


def visible(text: str, *, lines: bool = False) -> str:
    r"""Return a text that a terminal shows as it is, whoever wrote it.

    What cannot be seen, moves the cursor, gives orders to a terminal or turns the direction of
    writing is written as Python writes it; with `lines`, line breaks stay.

    >>> print(visible("a\x1b[31mb\u202ec"))
    a\x1b[31mb\u202ec
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or (lines and letter == "\n") else ascii(letter)[1:-1]
        for letter in text
    )


def did_you_mean(word: str, known: Iterable[str], most: int = 1) -> str:
    """Return a question after the known words that are near a misspelt one; "" if none is.

    A mapping asks after its values where its keys are near.

    >>> did_you_mean("cosin", ["euclidean", "cosine"])
    "Did you mean 'cosine'?"
    >>> did_you_mean("winequality", {"winequality2": "Wine quality", "iris": "Iris"})
    "Did you mean 'Wine quality'?"
    >>> did_you_mean("x", ["euclidean", "cosine"])
    ''
    """
    import difflib

    shown = known if isinstance(known, Mapping) else {name: name for name in known}
    near = difflib.get_close_matches(word, shown, n=most, cutoff=0.5)
    names = dict.fromkeys(repr(shown[name]) for name in near)
    return f"Did you mean {' or '.join(names)}?" if names else ""


def megabytes(size: float) -> str:
    """Return a size in memory as people say it.

    >>> megabytes(3.2e6), megabytes(420e6), megabytes(8e9)
    ('3.2 MB', '420 MB', '8.0 GB')
    """
    if size >= 1e9:
        return f"{size / 1e9:,.1f} GB"
    return f"{size / 1e6:,.1f} MB" if 0 < size < 1e7 else f"{size / 1e6:,.0f} MB"


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn of something at the line outside this package from which it was called."""
    package = __name__.partition(".")[0]
    frame, level = sys._getframe(1), 2  # noqa: SLF001 - warnings counts frames too
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
