"""The tables of a report: sorting, and everything by keyboard alone."""

from __future__ import annotations

import pytest

from helpers.report_page import ReportPage

pytestmark = pytest.mark.browser

TABLES = ("#clusters", "#worst", "#labelings", "#all-indices")


def numbers(values: list[str]) -> list[float]:
    return [float(value) for value in values if value]


@pytest.mark.parametrize("table", TABLES)
def test_numbers_sort_up_and_down(report_page: ReportPage, table: str) -> None:
    page, column = report_page.page, {"#worst": 3}.get(table, 1)
    head = f"{table} thead th:nth-child({column + 1})"
    n_rows = len(report_page.values(table, column))
    for word, sign in (("ascending", 1), ("descending", -1), ("ascending", 1)):
        if page.page.locator(head).get_attribute("aria-sort") == word:  # it already is
            page.click(f"{head} button")
        page.click(f"{head} button")
        values = report_page.values(table, column)
        shown = [sign * value for value in numbers(values)]
        assert shown == sorted(shown)
        assert len(values) == n_rows
        assert page.page.locator(head).get_attribute("aria-sort") == word
        assert report_page.spoken.startswith("Sorted by ")
    assert page.run(f"document.querySelectorAll('{table} [aria-sort]').length") == 1


def test_names_sort_by_letters_and_what_has_no_value_stays_last(report_page: ReportPage) -> None:
    page = report_page.page
    for reverse in (False, True):
        page.click("#clusters thead th:first-child button")
        *names, noise = report_page.values("#clusters", 0)
        assert names == sorted(["north", "south", "east", "west"], reverse=reverse)
        assert noise == ""
        assert page.page.locator("#clusters tbody th").last.inner_text().strip() == "noise points"


def test_a_chosen_cluster_stays_chosen_when_the_table_is_sorted(report_page: ReportPage) -> None:
    page = report_page.page
    page.click("#clusters tbody tr:first-child button")
    name = page.page.locator("#clusters [aria-pressed=true]").inner_text()
    page.click("#clusters thead th:first-child button")
    assert page.page.locator("#clusters [aria-pressed=true]").all_inner_texts() == [name]
    assert page.page.locator("#clusters tr.chosen button").all_inner_texts() == [name]


def press_until(report_page: ReportPage, focus: str, key: str = "Tab", most: int = 120) -> None:
    """Press a key until the focus is there; each stop on the way must be seen."""
    for _ in range(most):
        report_page.page.press(key)
        assert report_page.page.run(
            "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
        ), f"the focus on {report_page.focus!r} is not seen"
        if report_page.focus == focus:
            return
    raise AssertionError(f"{focus!r} was not reached by {key}")


def test_everything_by_keyboard(report_page: ReportPage) -> None:
    page, before = report_page.page, report_page.picture
    press_until(report_page, "Map")  # the contents
    page.press("Enter")
    assert page.run("location.hash") == "#map"
    press_until(report_page, "show-all")
    page.press("Shift+Tab", "Shift+Tab", "Shift+Tab", "ArrowRight")
    assert page.run("document.activeElement.value") == "label"
    by_label = report_page.picture
    assert by_label != before
    page.press("ArrowLeft")
    assert report_page.picture == before
    press_until(report_page, "zoom-in")
    page.press("Enter")
    assert report_page.picture != before
    press_until(report_page, "canvas")
    page.press("0", "n")
    assert report_page.spoken.startswith("Point ")
    page.press("Escape")
    assert report_page.picture != before  # the walk moved the map
    page.press("0")
    assert report_page.picture == before
    press_until(report_page, "points")  # out of the map, to the head of the table
    page.press(" ")
    assert report_page.spoken == "Sorted by points, lowest first."
    press_until(report_page, "noise points")
    page.press("Enter")
    assert report_page.spoken == "noise points is highlighted in the map."
    page.press("Enter")
    worst = page.page.locator("#worst tbody tr:first-child button").inner_text()
    press_until(report_page, worst)
    page.press("Enter")
    assert report_page.focus == "canvas"
    assert f"row {worst}" in report_page.spoken


def test_the_skip_link_is_first_and_leads_to_the_clusters(report_page: ReportPage) -> None:
    page = report_page.page
    page.press("Tab")
    assert report_page.focus == "Skip to the table of clusters"
    assert page.box(".skip").x >= 0
    page.press("Enter", "Tab")
    assert page.run("document.activeElement.closest('section, div').contains(clusters)")


def test_a_screen_reader_hears_it_in_order(report_page: ReportPage) -> None:
    heard = report_page.page.screen_reader()
    roles = {role for role, _ in heard}
    headings = [name for role, name in heard if role == "heading"]
    assert headings[:3] == ["Four blobs", "Look at next", "Map"]
    assert "Worst points" in headings
    assert any(name.startswith("Map of 190 points") for _, name in heard)
    assert {("button", "Zoom in"), ("button", "Show all")} <= set(heard)
    assert {"banner", "main", "contentinfo", "navigation", "status", "table"} <= roles
    assert ("image", "") not in heard
