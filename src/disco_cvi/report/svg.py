"""SVG as text, colored twice: by attributes, and by classes that a style may override.

Where a page is shown without its style, the attributes remain; where the theme is dark, the classes
win. No drawing has a `style` attribute, which a strict policy forbids.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from disco_cvi.plots.style import LIGHT

_INK, _SOFT, _NOISE = "#1b1f24", "#57606a", LIGHT.noise

# The attributes that each class stands for.
_LOOKS: dict[str, dict[str, str]] = {
    "text": {"fill": _INK, "font-size": "12"},
    "soft": {"fill": _SOFT, "font-size": "12"},
    "strong": {"fill": _INK, "font-size": "12", "font-weight": "700"},
    "above": {"fill": LIGHT.good},
    "below": {"fill": LIGHT.bad},
    "noise": {"fill": _NOISE},
    "shade": {"fill": "#eef0f2"},
    "solid": {"fill": _INK},
    "rule": {"stroke": "#d0d7de"},
    "ink": {"stroke": _INK},
    "curve": {"fill": "none", "stroke": LIGHT.good, "stroke-width": "2"},
    "dotted": {"fill": "none", "stroke": _NOISE, "stroke-width": "2", "stroke-dasharray": "2 4"},
    **{f"label-{code}": {"fill": color} for code, color in enumerate(LIGHT.labels)},
    **{f"zone-{zone}": {"fill": color} for zone, color in enumerate(LIGHT.zones)},
    **{f"stop-{place}": {"stop-color": color} for place, color in enumerate(LIGHT.ramp)},
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


def box(left: float, top: float, right: float, bottom: float, look: str, **more: Any) -> str:
    """A filled rectangle."""
    size: Any = {"width": right - left, "height": bottom - top}
    return element("rect", look, x=left, y=top, **size, **more)


def area(places: Iterable[tuple[float, float]], look: str) -> str:
    """A filled outline through places; those on the way straight up or down are left out."""
    corners: list[tuple[str, str]] = []
    for x, y in ((number(x), number(y)) for x, y in places):
        if len(corners) > 1 and corners[-2][0] == corners[-1][0] == x:
            corners.pop()
        corners.append((x, y))
    return element("path", look, d=f"M{'L'.join(map(' '.join, corners))}z")


def drawing(width: float, height: float, title: str, content: str, more: str = "") -> str:
    """A whole drawing; a screen reader says its title. Without one it is only decoration."""
    heard = f'role="img" aria-label="{escape(title)}"' if title else 'aria-hidden="true"'
    view = f'viewBox="0 0 {number(width)} {number(height)}"'
    return f"<svg {more}{view} {heard}>{content}</svg>"
