"""SVG as text, colored twice: by attributes, and by classes that a style may override.

Where a page is shown without its style, the attributes remain; where the theme is dark, the classes
win. No drawing has a `style` attribute, which a strict policy forbids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from disco_cvi.plots.style import THEMES

SCORE_RAMPS = {name: look.ramp for name, look in THEMES.items()}
LABEL_PALETTES = {name: look.labels for name, look in THEMES.items()}

N_LABELS = len(LABEL_PALETTES["light"])

_LIGHT = SCORE_RAMPS["light"]
_INK, _SOFT, _NOISE = "#1b1f24", "#57606a", "#8a8a8a"

# The attributes that each class stands for.
_LOOKS: dict[str, dict[str, str]] = {
    "text": {"fill": _INK, "font-size": "12"},
    "soft": {"fill": _SOFT, "font-size": "12"},
    "strong": {"fill": _INK, "font-size": "12", "font-weight": "700"},
    "above": {"fill": _LIGHT[3]},
    "below": {"fill": _LIGHT[0]},
    "noise": {"fill": _NOISE},
    "shade": {"fill": "#eef0f2"},
    "solid": {"fill": _INK},
    "rule": {"stroke": "#d0d7de"},
    "ink": {"stroke": _INK},
    "curve": {"fill": "none", "stroke": _LIGHT[3], "stroke-width": "2"},
    "dotted": {"fill": "none", "stroke": _NOISE, "stroke-width": "2", "stroke-dasharray": "2 4"},
    **{f"label-{code}": {"fill": color} for code, color in enumerate(LABEL_PALETTES["light"])},
    **{f"zone-{zone}": {"fill": color} for zone, color in enumerate(THEMES["light"].zones)},
    **{f"stop-{place}": {"stop-color": color} for place, color in enumerate(_LIGHT)},
}


def number(value: float) -> str:
    """A coordinate in few digits, and never a negative zero.

    >>> number(1.0), number(-0.04), number(12.345)
    ('1', '0', '12.3')
    """
    return f"{value:z.1f}".removesuffix(".0")


def log_steps(low: float, high: float, n_steps: int) -> list[float]:
    """Return the values that divide a stretch of a logarithmic scale into equal steps.

    Of logarithms: the quotient of two floats may be none.
    """
    begin, end = math.log2(low), math.log2(high)
    return [2.0 ** (begin + (end - begin) * step / n_steps) for step in range(1, n_steps)]


def element(tag: str, look: str = "", content: str = "", **attributes: Any) -> str:
    """One element; underscores in names of attributes stand for hyphens.

    >>> element("rect", "above", x=1.25, width=3)
    '<rect class="above" fill="#4474b4" x="1.2" width="3"/>'
    """
    looks = {"class": look, **_LOOKS[look]} if look else {}
    given = {
        name.replace("_", "-"): value if isinstance(value, str) else number(value)
        for name, value in attributes.items()
    }
    text = "".join(f' {name}="{escape(value)}"' for name, value in {**looks, **given}.items())
    return f"<{tag}{text}>{content}</{tag}>" if content else f"<{tag}{text}/>"


def words(x: float, y: float, text: str, look: str = "text", anchor: str = "start") -> str:
    """Text at a place; `anchor` is "start", "middle" or "end"."""
    return element("text", look, escape(text), x=x, y=y, text_anchor=anchor)


def line(x1: float, y1: float, x2: float, y2: float, look: str = "ink", **more: Any) -> str:
    """A straight line."""
    return element("line", look, x1=x1, y1=y1, x2=x2, y2=y2, **more)


def box(left: float, top: float, right: float, bottom: float, look: str) -> str:
    """A filled rectangle."""
    return element("rect", look, x=left, y=top, width=right - left, height=bottom - top)


def area(places: Iterable[tuple[float, float]], look: str) -> str:
    """A filled outline through places; those on the way straight up or down are left out."""
    corners: list[tuple[str, str]] = []
    for x, y in ((number(x), number(y)) for x, y in places):
        if len(corners) > 1 and corners[-2][0] == corners[-1][0] == x:
            corners.pop()
        corners.append((x, y))
    return element("path", look, d=f"M{'L'.join(map(' '.join, corners))}z")


def drawing(width: float, height: float, title: str, content: str) -> str:
    """A whole drawing, whose title readers of screens hear in its place."""
    name = escape(title)
    return (
        f'<svg viewBox="0 0 {number(width)} {number(height)}" role="img" aria-label="{name}">'
        f"{content}</svg>"
    )


def decoration(width: float, height: float, content: str) -> str:
    """A drawing that says nothing beyond the numbers beside it."""
    size = f"0 0 {number(width)} {number(height)}"
    return f'<svg viewBox="{size}" aria-hidden="true" focusable="false">{content}</svg>'
