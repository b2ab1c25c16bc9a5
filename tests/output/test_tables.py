"""Tables and cards as text, Markdown, HTML and data frames."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import DBSCAN

import disco_cvi
from disco_cvi import DensityTree, available_indices, compare, evaluate, explain
from disco_cvi._output.tables import (
    Card,
    CardTable,
    card_html,
    markdown_table,
    read_markdown_table,
    text_table,
)
from disco_cvi.datasets import three_rings
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.selection import ClusteringSearch, suggest

# --- text and Markdown ----------------------------------------------------------------------------

ROWS = [("name", "n", "what"), ("a", "10", "first"), ("bcd", "9", "x|y")]


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert text_table(ROWS) == "name  n   what\na     10  first\nbcd   9   x|y"


def test_columns_are_flush_right_on_request() -> None:
    assert text_table(ROWS, right=frozenset([0, 1])).splitlines()[1:] == [
        "   a  10  first",
        " bcd   9  x|y",
    ]


def test_a_header_alone_is_a_table() -> None:
    assert text_table([("name", "n")]) == "name  n"
    assert markdown_table([("name", "n")]) == "| name | n |\n|---|---|"


def test_markdown_is_read_back_as_written() -> None:
    text = markdown_table(ROWS)
    assert text.splitlines()[:2] == ["| name | n | what |", "|---|---|---|"]
    assert read_markdown_table(text) == [list(row) for row in ROWS]


# --- the table of indices -------------------------------------------------------------------------

TABLE = available_indices()


def test_printing_shows_a_line_per_index() -> None:
    lines = str(TABLE).splitlines()
    assert lines[0].startswith("name")
    assert [line.split()[0] for line in lines[1:]] == [info.name for info in TABLE]
    assert repr(TABLE).startswith(f"IndexTable({len(TABLE)}: {TABLE[0].name}, ")


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_data_frame(backend: str) -> None:
    frame = TABLE.to_frame(backend=backend)
    assert list(frame["name"]) == [info.name for info in TABLE]
    assert frame["highest"].max() == float("inf")
    with pytest.raises(InvalidInputError, match="backend of to_frame"):
        TABLE.to_frame(backend="arrow")


@pytest.mark.parametrize("name", ["s_dbw", "S-Dbw", "S DBW", " s_d_b_w"])
def test_spelling_does_not_matter(name: str) -> None:
    assert TABLE.find(name, "name", "load").name == "s_dbw"


def test_all_one_or_several_are_chosen_in_the_order_of_the_user() -> None:
    assert TABLE.choose("all", "indices", "compare") is TABLE
    chosen = TABLE.choose((name for name in ("pairs", "disco")), "indices", "compare")
    assert [info.name for info in chosen] == ["pair", "disco"]
    assert isinstance(chosen, type(TABLE))


@pytest.mark.parametrize(
    ("names", "error", "message"),
    [
        ("disko", InvalidInputError, "lists; got 'disko'. Did you mean 'disco'?"),
        (["disco", "xyz"], InvalidInputError, "lists; got 'xyz'. There are disco, pair, "),
        (5, TypeError, "indices of f must be 'all', a name (str) or several; got 5 (int)"),
        (["disco", None], TypeError, "indices of f must be given as str; got None"),
        ([], InvalidInputError, "indices of f must name one or more, or be 'all'. The names are"),
    ],
)
def test_what_is_no_name_is_refused(names: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        TABLE.choose(names, "indices", "f")


# --- what notebooks and prompts show of every public result ---------------------------------------

HOSTILE = (
    '</table><script>alert(1)</script>"><img src=x onerror=alert(2)>\N{RIGHT-TO-LEFT OVERRIDE}&'
)
X = np.repeat(np.arange(40.0).reshape(-1, 1), 2, axis=0)
NAMES = [HOSTILE] * 40 + ["b"] * 30 + ["noise"] * 10


def _search() -> ClusteringSearch:
    grid = {"eps": [0.5, 1.5, 3.0]}
    return ClusteringSearch(DBSCAN(), grid, min_points=2).fit(three_rings().points)


def _explanation() -> Any:
    names = [f"{HOSTILE}{row}" for row in range(80)]
    return explain(X, NAMES, min_points=2, noise_label="noise", row_names=names)


def _comparison() -> Any:
    labelings = {HOSTILE: NAMES, "long " * 60: NAMES}
    return compare(X, labelings, noise_label="noise")


# One of every public class that holds a result, by its name.
RESULTS: dict[str, Callable[[], Any]] = {
    "Comparison": _comparison,
    "DensityTree": lambda: DensityTree(X, min_points=2),
    "EpsChoice": lambda: DensityTree(X, min_points=2).eps_path().best,
    "EpsPath": lambda: DensityTree(X, min_points=2).eps_path(),
    "Evaluation": lambda: evaluate(X, NAMES, noise_label="noise"),
    "Explanation": _explanation,
    "IndexInfo": lambda: available_indices()[0],
    "IndexValue": lambda: evaluate(X, NAMES, "disco", noise_label="noise").values[0],
    "TreeQuality": lambda: DensityTree(X, algorithm="approximate").quality,
    "Rings": three_rings,
    "SizeChoice": lambda: DensityTree(X, min_points=2).size_path().best,
    "SizePath": lambda: DensityTree(X, min_points=2).size_path(),
    "Suggestion": lambda: suggest(X, min_points=2),
    # Reached through those.
    "Candidate": lambda: suggest(X, min_points=2).best,
    "ClusterFacts": lambda: _explanation().clusters[0],
    "Flag": lambda: evaluate(X, [0] * 80, "disco").flags[0],
    "IndexTable": available_indices,
    "NoiseFacts": lambda: _explanation().noise,
    "PointFacts": lambda: _explanation().points,
    "SearchResults": lambda: _search().results_,
    "WorstPoint": lambda: _explanation().worst(1)[0],
}
# Estimators are shown by scikit-learn, pictures are drawn.
SHOWN_BY_OTHERS = {"ClusteringSearch", "DensityDBSCAN", "DensityHDBSCAN"}
ROOMS = ("results", "density_tree", "datasets", "selection", "cluster", "indices")


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return {name: make() for name, make in RESULTS.items()}


def test_no_public_class_is_forgotten() -> None:
    homes = [disco_cvi, *(import_module(f"disco_cvi.{room}") for room in ROOMS)]
    public = {
        name
        for home in homes
        for name in getattr(home, "__all__", ())
        if isinstance(getattr(home, name), type) and not issubclass(getattr(home, name), Exception)
    }
    assert public - SHOWN_BY_OTHERS <= set(RESULTS)


@pytest.mark.parametrize("name", RESULTS)
def test_repr_is_short_and_begins_with_the_class(made: dict[str, Any], name: str) -> None:
    shown = repr(made[name])
    assert type(made[name]).__name__ == name
    assert shown.startswith(f"{name}(")
    assert "\n" not in shown
    assert len(shown) <= LONGER.get(name, 220), shown


# All fields of one row, names of any length among them.
LONGER = {"WorstPoint": 500, "ClusterFacts": 400, "Flag": 400}


LEFT, RIGHT = "text-align:left;padding:0.1em 0.6em", "text-align:right;padding:0.1em 0.6em"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        self.attributes |= set(attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("name", RESULTS)
def test_html_is_whole_and_takes_on_the_look_of_its_page(made: dict[str, Any], name: str) -> None:
    html = made[name]._repr_html_()
    page = read(html)
    allowed = "div p b table caption thead tbody tr th td bdi ul li pre"
    assert page.tags <= set(allowed.split())
    # No color, no background, no address, no script: light or dark is up to the page.
    assert page.attributes <= {
        ("style", LEFT),
        ("style", RIGHT),
        ("scope", "col"),
        ("scope", "row"),
    }
    assert len(html) < 20_000
    assert html == made[name]._repr_html_()


@pytest.mark.parametrize("name", ["Comparison", "Explanation", "PointFacts", "WorstPoint"])
def test_hostile_names_are_text(made: dict[str, Any], name: str) -> None:
    html = made[name]._repr_html_()
    assert not re.search("<script|<img|\N{RIGHT-TO-LEFT OVERRIDE}", html)
    assert "&lt;/table&gt;" in html


def test_stars_of_a_comparison_leave_the_digits_below_each_other() -> None:
    found = compare([[0], [1], [2], [9], [11]], {"a": [0, 0, 0, 1, 1], "b": [0, 1, 0, 1, 0]})
    cells = re.findall("<td[^>]*><bdi>(.*?)</bdi>", found._repr_html_())
    assert any(re.fullmatch(r"\*\d.*\d", cell) for cell in cells)
    assert not any(cell.endswith("*") for cell in cells)
    assert re.search(r"\d\*", str(found))


def test_parts_of_a_card() -> None:
    table = CardTable([("a", "b"), ("1", "2 ")], frozenset([1]), "both")
    html = card_html(Card("title", ["one"], [table], [("list", ["x"]), ("", ["y"])], "a\n b"))
    assert html == (
        "<div><p><b>title</b></p><p>one</p>"
        f'<table><caption style="{LEFT}">both</caption><thead><tr>'
        f'<th scope="col" style="{LEFT}">a</th><th scope="col" style="{RIGHT}">b</th></tr></thead>'
        f'<tbody><tr><th scope="row" style="{LEFT}"><bdi>1</bdi></th>'
        f'<td style="{RIGHT}"><bdi>2</bdi></td></tr></tbody></table>'
        "<p>list:</p><ul><li>x</li></ul><ul><li>y</li></ul><pre>a\n b</pre></div>"
    )
