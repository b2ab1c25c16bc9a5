"""`disco report` on files that strangers made: their names, and those of columns, are only text."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from disco_cvi._output.words import visible
from disco_cvi.cli import main
from helpers.chromium.page import Page, open_page
from helpers.report_page import open_report
from helpers.shown_reports import TOY
from helpers.toy_report import HOSTILE

pytestmark = pytest.mark.browser

# What a page would run or load if it took a name for its own words.
WORDS = (
    *HOSTILE,
    "</title></style></textarea><script>alert(3)</script>",
    "\"'`><svg onload=alert(4)>",
    "' onmouseover='alert(5)' autofocus onfocus='alert(6)",
    "javascript:alert(7)",
    "<a href=javascript:alert(8)>x</a>",
    "<img src=https://example.org/leak.png>",
    "<link rel=stylesheet href=//example.org/leak.css>",
    "]]>--></main><iframe srcdoc='<script>parent.alert(9)</script>'></iframe>",
    "\u202egpj.\u2066exe\u2069\u200f",
    "&lt;script&gt;alert(10)&lt;/script&gt; &#60;b&#62;",
    "${alert(11)} {% include 'x' %} %s {0}",
)
# A slash is the one of them that no name of a file can have.
FILES = tuple(f"{word.replace('/', chr(92))}.csv" for word in WORDS)
POINTS = "".join(WORDS[i].replace("/", "\\") for i in (0, 9, 11, 16)) + ".csv"
COLUMNS = [f"{i} {word}" for i, word in enumerate(WORDS)]  # numbers keep them apart
FEATURES, LABELS, TRUTH, NAMES = COLUMNS[:4], COLUMNS[4:-2], COLUMNS[-2], COLUMNS[-1]
NUMBERS = [[x, y, 0.0, 0.0] for x, y in TOY.points.tolist()]
CLUSTERS = [WORDS[sorted(set(TOY.labels)).index(label)] for label in TOY.labels]


def write_table(path: Path, head: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])


def write_columns(folder: Path) -> list[str]:
    """One table that holds all; return what the command is told of it."""
    more = [[*[name] * (len(LABELS) + 1), f"{name}{i}"] for i, name in enumerate(CLUSTERS)]
    rows = [[*numbers, *words] for numbers, words in zip(NUMBERS, more, strict=True)]
    write_table(folder / POINTS, COLUMNS, rows)
    return ["--label-column", *LABELS, "--truth-column", TRUTH, "--id", NAMES]


def write_files(folder: Path) -> list[str]:
    """A file of points and many of labels; return what the command is told of them."""
    write_table(folder / POINTS, FEATURES, NUMBERS)
    for name in FILES:
        write_table(folder / name, [WORDS[0]], [[cluster] for cluster in CLUSTERS])
    return ["--labels", *FILES, "--truth", FILES[0]]


@pytest.fixture(scope="module", params=[write_columns, write_files])
def shown(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """The file of a report, and the names of its labelings."""
    folder = tmp_path_factory.mktemp("report")
    options = request.param(folder)
    with chdir(folder):
        assert main(["report", POINTS, *options, "--indices", "disco", "-o", "report.html"]) == 0
    labelings = LABELS if request.param is write_columns else [_stem(name) for name in FILES]
    return folder / "report.html", labelings


def _stem(name: str) -> str:
    """What a labeling is called after its file."""
    return name.partition(".")[0]


@pytest.fixture(params=[False, True], ids=["policy", "no-policy"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """Without its policy, too, a page must run and load nothing: it is the second wall."""
    with open_page(browser, ignore_policy=request.param) as opened:
        yield opened


def test_nothing_runs_and_no_request_leaves(page: Page, shown: tuple[Path, list[str]]) -> None:
    path, _ = shown
    open_report(page, path)
    page.click("input[value=label]")  # names on the canvas
    for name in ("clusters", "worst"):
        page.click(f"#{name} tbody button")
    page.press("n")
    assert page.dialogs == []
    assert page.console == []
    assert page.violations == []
    assert page.requests[0] == path.as_uri()
    assert all(address.startswith("data:image/png") for address in page.requests[1:])


def test_names_are_text_and_add_no_elements(page: Page, shown: tuple[Path, list[str]]) -> None:
    path, labelings = shown
    open_report(page, path)
    assert page.run("document.querySelector('h1').textContent") == visible(POINTS)
    heads = page.run("[...document.querySelectorAll('tbody th')].map((e) => e.textContent.trim())")
    assert {visible(name.strip(), lines=True) for name in labelings} <= set(heads)
    assert page.run("[...document.scripts].filter((e) => e.src).length") == 0
    assert page.run("document.querySelectorAll('iframe, object, embed, form').length") == 0
    addresses, names = page.run(
        "((all) => [all.filter((a) => ['href', 'src'].includes(a.name)).map((a) => a.value),"
        " all.map((a) => a.name)])"
        "([...document.querySelectorAll('*')].flatMap((e) => [...e.attributes]))"
    )
    assert [address for address in addresses if not address.startswith(("#", "data:"))] == []
    assert [name for name in names if name.startswith("on")] == []
