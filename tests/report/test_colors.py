"""The colors of pages: text can be read by day and by night, and a score's color is its sign."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest

from disco_cvi.report import page

VERDICTS = ("passes", "within-method", "fails", "not-judged")


def style_colors() -> list[dict[str, str]]:
    """The colors of a page by day and by night; at night those of the day hold on."""
    style = files("disco_cvi.report").joinpath("templates", "page.css").read_text("utf-8")
    blocks = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in style.split("@media")]
    return [blocks[0], blocks[0] | blocks[1]]


def luminance(color: str) -> float:
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("is_night", [False, True])
def test_text_can_be_read_on_every_ground(is_night: bool) -> None:
    colors = style_colors()[is_night]
    grounds = [colors["page"], colors["card"]]
    tints = [colors[name] for name in colors if name.endswith("-tint")]
    assert len(tints) >= 3
    for ground in [*grounds, *tints]:
        for text in ("ink", "soft", "link"):
            assert contrast(colors[text], ground) >= 4.5, (text, ground)
    for name in VERDICTS:
        for ground in [*grounds, colors.get(f"{name}-tint", colors["page"])]:
            assert contrast(colors[name], ground) >= 4.5, (name, ground)


@pytest.mark.parametrize(
    ("value", "is_negative"), [(-0.2, True), (-0.0005, True), (-0.0004, False), (0.2, False)]
)
def test_the_color_of_a_score_follows_what_is_shown(value: float, is_negative: bool) -> None:
    parts: Any = page._environment().get_template("report_parts.html").module
    cell = str(parts.score(value))
    assert ("negative" in cell, "\N{MINUS SIGN}" in cell) == (is_negative, is_negative)
    assert f'data-value="{value}"' in cell
    assert "negative" not in str(parts.score(None))
