"""The README: its code runs, what it prints is what it says, and its links lead to files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.pages import PROJECT, read_blocks, run_page

README = PROJECT / "README.md"
TEXT = README.read_text(encoding="utf-8")


def test_code_runs_and_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(README, {})


def test_all_code_has_its_output_below() -> None:
    languages = [block.language for block in read_blocks(README) if block.language != "sh"]
    assert languages == ["python", "text", "python", "text", "bibtex"]


def test_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert len(links) > 15
    assert [link for link in links if not (PROJECT / link).exists()] == []


def test_the_first_screen_has_what_a_visitor_needs() -> None:
    """Promise, picture, code with output, the two commands: before the first heading."""
    first = TEXT.partition("\n## ")[0]
    for needed in ("**Is this clustering", "docs/rings.svg", "```python", "```text", "make demo"):
        assert needed in first
    assert len(first.splitlines()) <= 50
