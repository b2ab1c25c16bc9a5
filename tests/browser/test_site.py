"""The site that `make docs` builds, as a reader sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.chromium.axe import violations
from helpers.chromium.page import Page

pytestmark = pytest.mark.browser

PAGES = (
    "index.html",
    "start.html",
    "guide/choosing.html",
    "guide/large.html",
    "generated/gallery/index.html",
    "generated/gallery/plot_1_map.html",
    "reference/index.html",
    "indices/overview.html",
    "indices/disco.html",
    "indices/dunn.html",
    "evidence/edge_cases.html",
    "house/contributing.html",
)


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    folder = project / ".cache" / "site"
    if not (folder / "index.html").exists():
        pytest.skip("there is no site: make docs builds it, as .ci/run does before make browser")
    return folder


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, axe: str, site: Path, name: str, scheme: str) -> None:
    page.prefer(color_scheme=scheme)
    page.open(site / name)
    assert violations(page, axe) == []


@pytest.mark.parametrize("name", ["guide/large.html", "indices/disco.html"])
def test_what_scrolls_on_a_phone_is_reached_by_keyboard(
    page: Page, axe: str, site: Path, name: str
) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    page.open(site / name)
    assert violations(page, axe) == []
    # Axe looks at what scrolls: without a place in the order of the keys it would not be silent.
    page.run(
        "document.querySelectorAll('[tabindex]').forEach((e) => e.removeAttribute('tabindex'))"
    )
    assert "scrollable-region-focusable" in str(violations(page, axe))


@pytest.mark.parametrize("name", PAGES)
def test_it_fits_a_phone_and_loads_nothing_from_a_network(
    page: Page, site: Path, name: str
) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    page.open(site / name)
    assert page.run("document.documentElement.scrollWidth") <= 360
    assert all(address.startswith(("file:", "data:")) for address in page.requests)
    assert page.errors == []  # the theme talks to itself on the console
