"""Values as readers of a page see them: numbers, signs and dashes, as plain text."""

from __future__ import annotations

import re
from typing import Any

from disco_cvi._output.words import percent

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"

_NEGATIVE_NUMBER = re.compile(r"-[\d.]+(e[+-]?\d+)?")


def value_text(value: Any, decimals: int | None = None) -> str:
    """A value, in a few digits.

    Parameters
    ----------
    value : JSON value
    decimals : int, optional
        The decimals of the number that stands beside it; a small number is shown with one more.

    Returns
    -------
    str

    Examples
    --------
    >>> value_text(0.50567, 2), value_text(88.771, 2), value_text(7), value_text(0.50567)
    ('0.506', '88.77', '7', '0.506')
    >>> value_text(True), value_text(["a", 0.25])
    ('yes', 'a, 0.250')
    """
    if value is None:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return _with_minus(str(value))
    if isinstance(value, float):
        return _with_minus(_float_text(value, decimals))
    if isinstance(value, list):
        return ", ".join(value_text(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_text(part)}" for key, part in value.items())
    return str(value)


def printed_text(printed: str) -> str:
    """What is printed elsewhere, digit by digit; a dash where nothing is."""
    return _with_minus(printed) if printed else DASH


def difference_text(difference: float, decimals: int | None = None) -> str:
    """How far a number is from another of so many decimals, with its sign.

    >>> difference_text(0.0567, 2), difference_text(3.0, 0)
    ('+0.057', '+3')
    """
    is_whole = difference == round(difference) and not decimals
    shown = str(round(difference)) if is_whole else _float_text(difference, decimals)
    return _with_minus(shown if shown.startswith("-") else f"+{shown}")


def score_text(score: float | None, decimals: int = 3) -> str:
    """A score with so many decimals.

    >>> score_text(-0.12345), score_text(-0.0001), score_text(None)
    ('\N{MINUS SIGN}0.123', '0.000', '\N{EN DASH}')
    """
    return DASH if score is None else _with_minus(f"{score:z.{decimals}f}")


def in_digits(number: float | None, digits: int = 4) -> str:
    """A number with so many significant digits.

    >>> in_digits(0.0123456), in_digits(-12345.6), in_digits(None)
    ('0.01235', '\N{MINUS SIGN}1.235e+04', '\N{EN DASH}')
    """
    return DASH if number is None else _with_minus(f"{number:.{digits}g}")


def share_text(share: float | None) -> str:
    """A share as a percentage; what is not none and not all is not rounded to them."""
    return DASH if share is None else percent(share)


def exact(number: float | None) -> str:
    """A number with all its digits, as scripts read it; nothing where there is none."""
    return "" if number is None else repr(float(number))


def sentence(text: str) -> str:
    """A capital letter at the beginning and a stop at the end."""
    text = text.strip()
    ended = text if text[-1:] in {".", "?", ":"} or not text else f"{text}."
    return ended[:1].upper() + ended[1:]


def slug(name: str) -> str:
    """A name as part of a link or of the style."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _float_text(number: float, decimals: int | None) -> str:
    if decimals is None:
        if number and not 1e-3 <= abs(number) < 1e5:
            return f"{number:.2e}"
        return f"{number:.{3 if abs(number) < 10 else 2 if abs(number) < 1000 else 0}f}"
    shown = f"{number:.{decimals + (abs(number) < 10)}f}"
    # No sign before zeros.
    return shown.removeprefix("-") if float(shown) == 0 else shown


def _with_minus(shown: str) -> str:
    return shown.replace("-", MINUS) if _NEGATIVE_NUMBER.fullmatch(shown) else shown
