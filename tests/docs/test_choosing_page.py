"""The page on choosing shows code that runs, and what it prints."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from disco_cvi.selection import Suggestion

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "choosing.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


def test_blocks_run_and_print_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(compile(BLOCKS[0], "block 0", "exec"), names)
    (shown,) = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
    assert capsys.readouterr().out == shown
    for place, block in enumerate(BLOCKS[1:], 1):
        exec(compile(block, f"block {place}", "exec"), names)
    assert len(BLOCKS) == 3
    assert names["finer"].max() + 1 == 7
    assert len(names["table"]) == len(names["suggestion"].candidates)


def test_the_page_names_all_that_a_suggestion_knows() -> None:
    known = set(re.findall(r"suggestion\.(\w+)", TEXT))
    public = {name for name in dir(Suggestion) if not name.startswith("_")}
    fields = set(Suggestion.__dataclass_fields__)
    assert known <= public | fields
    assert fields - {"tree", "tried", "null_left_out"} <= known
