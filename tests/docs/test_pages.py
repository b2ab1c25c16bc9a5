"""The code on the pages runs, and prints what they show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.datasets import make_moons

from helpers.pages import DOCS, PAGES, Block, is_shown, read_blocks, run_page

mpl.use("agg")
WITH_CODE = [
    page for page in PAGES if any(block.language == "python" for block in read_blocks(page))
]
# Pages that load the paper's data sets.
NEEDS_DATA = {"guide/datasets.md"}


def name_of(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


@pytest.fixture
def names() -> dict[str, Any]:
    """What a page may use without saying where it comes from: points, labels, labelings."""
    X, labels = make_moons(60, noise=0.05, random_state=0)
    return {
        "X": X,
        "y": labels,
        "labels": labels,
        "first": labels,
        "second": 1 - labels,
        "labelings": [labels, np.zeros(60, int)],
    }


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_the_code_of_the_page_runs_and_prints_what_it_shows(
    page: Path,
    names: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    if name_of(page) in NEEDS_DATA and not os.environ.get("DISCO_DATA"):
        monkeypatch.setenv("DISCO_DATA", str(request.getfixturevalue("shared") / "data"))
    monkeypatch.chdir(tmp_path)
    run_page(page, names)
    plt.close("all")


# --- the mechanism ------------------------------------------------------------------------------


def test_blocks_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\nText.\n\n```sh\nls\n```\n"
    )
    assert read_blocks(page) == [
        Block("python", "print(1)\n", 3, follows=False),
        Block("text", "1\n", 7, follows=True),
        Block("sh", "ls\n", 13, follows=False),
    ]


def test_what_is_not_printed_is_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(number)\n```\n\n```text\n1\n```\n")
    assert run_page(page, {"number": 1})["number"] == 1
    with pytest.raises(AssertionError, match=r"page\.md, line 5:\n2\n"):
        run_page(page, {"number": 2})


@pytest.mark.parametrize(
    ("shown", "same"),
    [
        ("a\nb\nc\n", True),
        ("a\n...\nc\n", True),
        ("...\n", True),
        ("a\nb\nc\n...\n", True),
        ("a\nb\n", False),
        ("a\n...\nb\n", False),
        ("a\nb.*\nc\n", False),
    ],
)
def test_dots_stand_for_any_lines(shown: str, same: bool) -> None:
    assert is_shown("a  \nb\nc\n", shown) is same
