"""What notebooks show of results, in the colors of light and dark notebooks."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from disco_cvi import DensityTree, available_indices, compare, evaluate, explain
from disco_cvi.selection import suggest
from helpers.chromium.axe import violations
from helpers.chromium.page import Page
from helpers.toy_report import HOSTILE, hostile_labels, toy_points

pytestmark = pytest.mark.browser

INDICES = ["disco", "silhouette", "dunn"]
# Text, page and every second row of tables, as JupyterLab colors them.
THEMES = {"light": ("#212121", "#ffffff", "#f5f5f5"), "dark": ("#e0e0e0", "#111111", "#212121")}
NOTEBOOK = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title>
<meta name="viewport" content="width=device-width"><style>
body {{ color: {0}; background: {1}; font: 13px sans-serif; }}
table {{ border-collapse: collapse; }} tbody tr:nth-child(even) {{ background: {2}; }}
th, td {{ padding: .5em; }} main {{ overflow-x: auto; }}
</style><main tabindex="0"><h1>Notebook</h1>{3}</main>"""


@cache
def shown() -> dict[str, str]:
    """The HTML of each kind of result, with names that try to break out."""
    points, codes = toy_points()
    labels = hostile_labels(codes)
    labelings: dict[str, Any] = {HOSTILE[0]: labels, "other": codes % 2}
    results: dict[str, Any] = {
        "explanation": explain(points, labels, noise_label="noise"),
        "evaluation": evaluate(points, labels, noise_label="noise", indices=INDICES),
        "comparison": compare(points, labelings, noise_label="noise", indices=INDICES),
        "tree": DensityTree(points),
        "indices": available_indices(),
        "suggestion": suggest(points),
    }
    return {name: result._repr_html_() for name, result in results.items()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("theme", THEMES)
def test_every_result_is_readable(page: Page, axe: str, theme: str, scheme: str) -> None:
    """Also where the notebook is dark and the system light, or the other way round."""
    page.prefer(color_scheme=scheme)
    page.show(NOTEBOOK.format(*THEMES[theme], "".join(shown().values())))
    assert violations(page, axe) == []
    assert page.dialogs == []
    assert page.console == []
    assert len(page.requests) == 1


def test_hostile_names_are_text(page: Page) -> None:
    page.show(NOTEBOOK.format(*THEMES["light"], "".join(shown().values())))
    assert page.run("document.querySelectorAll('main img, main script').length") == 0
    assert HOSTILE[0] in page.run("document.querySelector('main').textContent")
