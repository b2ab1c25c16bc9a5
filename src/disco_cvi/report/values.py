"""Values as readers of the page see them, already safe inside HTML."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from disco_cvi.experiments.judging.rows import as_number

MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"


def value_text(value: Any, printed: str = "") -> str:
    """A value of ours, with a digit more than the paper prints where it is a small number.

    >>> value_text(0.50567, "0.50"), value_text(88.771, "89.16"), value_text(7, "7")
    ('0.506', '88.77', '7')
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
        return _with_minus(_float_text(value, printed))
    if isinstance(value, list):
        return ", ".join(value_text(part) for part in value)
    if isinstance(value, dict):
        return ", ".join(f"{escape(str(key))} {value_text(part)}" for key, part in value.items())
    return escape(str(value))


def printed_text(printed: str) -> str:
    """What the paper prints; a dash where it prints nothing."""
    if not printed:
        return DASH
    return _with_minus(printed) if as_number(printed) is not None else escape(printed)


def difference_text(difference: float, printed: str) -> str:
    """How far ours is from the paper's, with its sign.

    >>> difference_text(0.0567, "0.50"), difference_text(3.0, "78")
    ('+0.057', '+3')
    """
    is_whole = difference == round(difference) and "." not in printed
    shown = str(round(difference)) if is_whole else _float_text(difference, printed)
    return _with_minus(shown if shown.startswith("-") else f"+{shown}")


def breakable(name: str) -> str:
    """A name that may go on in the next line after an underscore."""
    return escape(name).replace("_", "_<wbr>")


def sentence(text: str) -> str:
    """A capital letter at the beginning and a stop at the end."""
    text = escape(text.strip())
    ended = text if text[-1:] in {".", "?", ":"} or not text else f"{text}."
    return ended[:1].upper() + ended[1:]


def slug(name: str) -> str:
    """A name as part of a link or of the style."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _float_text(number: float, printed: str) -> str:
    if as_number(printed) is None:
        if number and not 1e-3 <= abs(number) < 1e5:
            return f"{number:.2e}"
        return f"{number:.{3 if abs(number) < 10 else 2 if abs(number) < 1000 else 0}f}"
    decimals = len(printed.partition(".")[2])
    shown = f"{number:.{decimals + (abs(number) < 10)}f}"
    # No sign before zeros.
    return shown.removeprefix("-") if float(shown) == 0 else shown


def _with_minus(shown: str) -> str:
    return shown.replace("-", MINUS) if re.match(r"-[\d.]", shown) else shown
