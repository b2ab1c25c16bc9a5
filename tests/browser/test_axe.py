"""axe-core is the one that was chosen, and finds what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.chromium.axe import VERSION, axe_script, violations
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


def test_another_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"axe-core-{VERSION}.tgz").write_bytes(b"other")
    with pytest.raises(ValueError, match=rf"is not axe-core {VERSION}: its SHA-512 is"):
        axe_script(tmp_path)


def test_without_npm_there_is_no_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert axe_script(tmp_path) is None


def test_npm_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "npm").write_text("#!/bin/sh\necho no network >&2\nexit 1\n")
    (tmp_path / "npm").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OSError, match="failed: no network"):
        axe_script(tmp_path / "cache")
