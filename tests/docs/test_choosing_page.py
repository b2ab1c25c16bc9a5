"""The page on choosing names all that a suggestion knows, and its code finds what it says."""

from __future__ import annotations

import re

from disco_cvi.selection import Suggestion
from helpers.pages import DOCS, run_page

PAGE = DOCS / "guide" / "choosing.md"


def test_the_code_finds_what_the_page_says() -> None:
    names = run_page(PAGE, {})
    assert names["finer"].max() + 1 == 7
    assert len(names["table"]) == len(names["suggestion"].candidates)


def test_the_page_names_all_that_a_suggestion_knows() -> None:
    known = set(re.findall(r"suggestion\.(\w+)", PAGE.read_text(encoding="utf-8")))
    public = {name for name in dir(Suggestion) if not name.startswith("_")}
    fields = set(Suggestion.__dataclass_fields__)
    assert known <= public | fields
    assert fields - {"tree", "tried", "null_left_out"} <= known
