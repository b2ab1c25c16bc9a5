"""The page of the paper's experiments and the page of a suggestion."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from disco_cvi.datasets import three_rings
from disco_paper.page import write_page
from helpers.chromium.axe import violations
from helpers.chromium.page import Page
from paper_helpers.toy_page import VERSIONS, toy_sections

pytestmark = pytest.mark.browser
# Also the name of a file and of a column: without slash and comma.
BAD = "<img src='data:' onerror='window.bad = 1'>"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {"paper": folder / "paper.html", "suggestion": folder / "suggestion.html"}
    write_page(found["paper"], toy_sections(folder), versions=VERSIONS)
    found["hostile"] = folder / "hostile.html"
    rows = [f"{x},{y}" for x, y in three_rings().points[::3].tolist()]
    for name, table in (("suggestion", "points.csv"), ("hostile", f"{BAD}.csv")):
        (folder / table).write_text("\n".join([f"{BAD},y", *rows]))
        command = ["-m", "disco_cvi", "tune", table, "--report", str(found[name])]
        subprocess.run([sys.executable, *command], check=True, capture_output=True, cwd=folder)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["paper", "suggestion"])
def test_axe_finds_nothing(
    page: Page, axe: str, pages: dict[str, Path], name: str, scheme: str
) -> None:
    page.prefer(color_scheme=scheme)
    page.open(pages[name])
    assert violations(page, axe) == []


@pytest.mark.parametrize("name", ["paper", "suggestion"])
def test_it_is_silent_and_fits_a_phone(page: Page, pages: dict[str, Path], name: str) -> None:
    page.resize(360, 740, ratio=2, phone=True)
    page.open(pages[name])
    assert page.console == []
    assert page.run("document.documentElement.scrollWidth") == 360
    assert all(address.startswith(("file:", "data:")) for address in page.requests)


def test_hostile_names_are_only_text(page: Page, pages: dict[str, Path]) -> None:
    page.open(pages["hostile"])
    assert BAD in page.page.locator("h1").inner_text()
    assert page.run("window.bad === undefined") is True
    assert page.console == []
    assert all(address.startswith(("file:", "data:")) for address in page.requests)


@pytest.mark.parametrize("name", ["paper", "suggestion"])
def test_the_policy_refuses_every_script(page: Page, pages: dict[str, Path], name: str) -> None:
    # Had anything slipped through, it would still not run.
    text = pages[name].read_text(encoding="utf-8")
    slipped = pages[name].with_name(f"slipped_{name}.html")
    slipped.write_text(text.replace("</main>", f"{BAD}<script>window.bad = 1</script></main>"))
    assert slipped.read_text(encoding="utf-8") != text
    page.open(slipped)
    assert page.run("window.bad === undefined") is True
