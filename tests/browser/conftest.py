"""Fixtures of tests in a real browser: one browser for all, a new page for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from helpers.chromium.axe import axe_script
from helpers.chromium.find import NONE, find_chromium, is_needed
from helpers.chromium.page import Page, chromium, open_page
from helpers.report_page import ReportPage, open_report
from helpers.shown_reports import write_hostile, write_toy


@pytest.fixture(scope="session")
def program() -> str:
    """The path of Chromium; without it the test is skipped, or fails where one is needed."""
    found = find_chromium()
    if found:
        return found
    if is_needed():
        pytest.fail(f"DISCO_BROWSER_NEEDED is set, but {NONE}", pytrace=False)
    pytest.skip(NONE)


@pytest.fixture(scope="session")
def browser(program: str) -> Iterator[Browser]:
    with chromium(program) as running:
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with open_page(browser) as opened:
        yield opened


@pytest.fixture
def page_without_scripts(browser: Browser) -> Iterator[Page]:
    with open_page(browser, scripts=False) as opened:
        yield opened


@pytest.fixture(scope="session")
def axe(browser: Browser, project: Path) -> str:
    """The script of axe-core; without npm the test is skipped."""
    try:
        script = axe_script(project / ".cache")
    except OSError as error:
        if is_needed():
            raise
        pytest.skip(f"axe-core could not be fetched: {error}")
    if script is None:
        pytest.skip("axe-core is fetched by npm, and there is no npm")
    return script


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a report."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_toy(path)
    return path


@pytest.fixture(scope="session")
def hostile_report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a report whose names try to break it."""
    path = tmp_path_factory.mktemp("report") / "hostile.html"
    write_hostile(path)
    return path


@pytest.fixture
def report_page(page: Page, report: Path) -> ReportPage:
    """The report, opened and drawn."""
    return open_report(page, report)
