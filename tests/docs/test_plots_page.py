"""The page on pictures and the gallery have every display, and its short ways lead to them."""

from __future__ import annotations

import re

import pytest

from disco_cvi import DensityTree, compare, explain, plots
from disco_cvi.datasets import three_rings
from helpers.pages import DOCS

ROWS = dict(
    re.findall(
        r"^\| `(\w+Display)` \| [^|]+ \| (.+) \|$",
        (DOCS / "guide" / "plots.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
DISPLAYS = [name for name in plots.__all__ if name.endswith("Display")]


def test_every_display_has_a_row_and_a_picture() -> None:
    assert sorted(ROWS) == sorted(DISPLAYS)
    scripts = "".join(path.read_text() for path in (DOCS / "gallery").glob("plot_*.py"))
    assert [name for name in DISPLAYS if f"{name}.from_predictions" not in scripts] == []


@pytest.mark.parametrize("name", DISPLAYS)
def test_short_ways_lead_to_the_display(name: str) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    rings = three_rings()
    known = {
        "X": rings.points,
        "labels": rings.good_labels,
        "labelings": {"good": rings.good_labels, "bad": rings.bad_labels},
        "tree": DensityTree(rings.points),
        "explain": explain,
        "compare": compare,
    }
    for way in re.findall(r"`([^`]+)`", ROWS[name]):
        assert type(eval(way, {}, known)).__name__ == name
    plt.close("all")
