"""What notebooks and prompts show of every public result."""

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
from disco_cvi._output.tables import Card, CardTable, card_html, facts_table
from disco_cvi.datasets import three_rings
from disco_cvi.selection import ClusteringSearch, suggest

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


def test_a_card_says_what_the_text_says(made: dict[str, Any]) -> None:
    explanation = made["Explanation"]
    page = " ".join(read(explanation._repr_html_()).text.split())
    for words in ("DISCO score", "Pair score", "Clusters, lowest mean score first", "Look at next"):
        assert words in page
        assert words in str(explanation)
    evaluation = read(made["Evaluation"]._repr_html_()).text
    assert all(info.title in evaluation for info in available_indices())
    assert "DISCO" in read(available_indices()._repr_html_()).text


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


def test_facts_are_shortened() -> None:
    (name, shown), (_, text) = facts_table([("n", list(range(99))), ("word", "a b")]).rows
    assert (name, shown, text) == ("n", "[0, 1, 2, 3, 4, 5, ...]", "a b")
