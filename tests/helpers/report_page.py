"""A report in a browser, by the words of its reader.

Tests say: from helpers.report_page import ReportPage, open_report
"""

from __future__ import annotations

from pathlib import Path

from helpers.chromium.page import Page

READY = "window.discoReport"
CORNER = (3.0, 3.0)  # where the mouse touches nothing


class ReportPage:
    """The map and tables of an open report; `page` is the browser's page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def picture(self) -> int:
        """A number that tells one picture of the map from another."""
        self.page.settle()
        return int(self.page.run("discoReport.checksum()"))

    @property
    def tip(self) -> str:
        """The words beside the marked point; empty while nothing is marked."""
        return self.page.page.locator("#tip").inner_text() if self.page.is_visible("#tip") else ""

    @property
    def spoken(self) -> str:
        """What a screen reader was told last."""
        return str(self.page.run("document.querySelector('#live').textContent"))

    @property
    def focus(self) -> str:
        """The id, or else the text, of what has the focus."""
        return str(
            self.page.run("document.activeElement.id || document.activeElement.textContent.trim()")
        )

    def place(self, row: int) -> tuple[float, float]:
        """Where a point is in the window."""
        x, y = self.page.call("(i) => discoReport.xy(i)", row)
        return x, y

    def show_map(self) -> None:
        self.page.scroll_to("#canvas")

    def leave_map(self) -> None:
        self.page.move(*CORNER)

    def values(self, table: str, column: int) -> list[str]:
        """What a column of a table sorts by, from top to bottom."""
        rows: list[str] = self.page.call(
            "(s, c) => [...document.querySelectorAll(`${s} tbody tr`)].map((row) =>"
            " row.cells[c].dataset.value ?? row.cells[c].textContent)",
            table,
            column,
        )
        return rows


def open_report(page: Page, path: Path) -> ReportPage:
    """Open a report and wait until its map is drawn."""
    page.open(path, ready=READY)
    page.settle()
    return ReportPage(page)
