"""axe-core is the one that was chosen, and finds what is wrong."""

from __future__ import annotations

import pytest

from helpers.chromium.axe import violations
from helpers.chromium.page import Page

pytestmark = pytest.mark.browser

GOOD = (
    "<!doctype html><html lang=en><meta charset=utf-8><title>Good</title>"
    "<main><h1>Title</h1><p style='color:{color};background:#fff'>text</p></main>"
)


@pytest.mark.parametrize(
    ("color", "rules"), [("#333", []), ("#ccc", ["color-contrast"])], ids=["good", "pale"]
)
def test_rules_are_checked(page: Page, axe: str, color: str, rules: list[str]) -> None:
    page.show(GOOD.format(color=color))
    assert [found.split()[0] for found in violations(page, axe)] == rules
