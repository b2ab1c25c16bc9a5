"""The page of the paper's experiments and the page of a suggestion."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from disco_cvi.datasets import three_rings
from disco_cvi.experiments.page import write_page
from helpers.chromium.axe import violations
from helpers.chromium.page import Page
from helpers.toy_page import VERSIONS, toy_sections

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    found = {"paper": folder / "paper.html", "suggestion": folder / "suggestion.html"}
    write_page(found["paper"], toy_sections(folder), versions=VERSIONS)
    rows = [f"{x},{y}" for x, y in three_rings().points[::3].tolist()]
    (folder / "points.csv").write_text("\n".join(["x,y", *rows]))
    command = ["-m", "disco_cvi", "tune", str(folder / "points.csv"), "--report"]
    subprocess.run(
        [sys.executable, *command, str(found["suggestion"])], check=True, capture_output=True
    )
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
