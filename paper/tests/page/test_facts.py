"""What the page of a run says, before it looks like anything."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from disco_paper.judging.catalogue import OURS
from disco_paper.page import Section, write_page
from paper_helpers.toy_page import AUDIT, facts_of, toy_sections


@pytest.fixture
def sections(tmp_path: Path) -> list[Section]:
    return toy_sections(tmp_path)


def test_counts_are_those_of_the_rows(sections: list[Section]) -> None:
    facts = facts_of(sections)
    assert facts["counts"] == {"passes": 5, "within method": 1, "fails": 2, "not judged": 3}
    first = facts["sections"][0]["counts"]
    assert first == {"passes": 4, "within method": 1, "fails": 1, "not judged": 1}


def test_a_study_of_our_own_is_marked(sections: list[Section], tmp_path: Path) -> None:
    ours = replace(sections[1], info=replace(sections[1].info, paper=""))
    table, figure = facts_of([sections[0], ours])["sections"]
    assert not table["is_ours"]
    assert (figure["is_ours"], figure["paper"]) == (True, OURS)
    pages = []
    for shown in (sections, [sections[0], ours]):
        write_page(tmp_path / "index.html", shown, versions={})
        pages.append(unescape((tmp_path / "index.html").read_text(encoding="utf-8")))
    assert ["Studies of our own stand at the end" in page for page in pages] == [False, True]
    # In the contents and at the section itself.
    assert [page.count("Our own study") for page in pages] == [0, 3]
    # The curve is in the figure of the paper; our own tables are never folded away.
    assert [page.count("<h3>Curve</h3>") for page in pages] == [0, 1]


def test_rows_become_the_grid_of_the_paper(sections: list[Section]) -> None:
    grid, spread = facts_of(sections)["sections"][0]["tables"]
    assert (grid["kind"], grid["columns"]) == ("grid", ["rings", "moons"])
    shown = {
        line["name"]: [[c["ours"] for c in cells] for cells in line["cells"]]
        for line in grid["rows"]
    }
    assert shown == {
        "DISCO": [[0.5057], [0.3621]],
        "DBCV": [[-0.2], [0.31]],
        "CVDD": [[None], [0.0]],
    }
    assert (spread["kind"], spread["title"]) == ("list", "Spread")


def test_equal_notes_share_a_number(sections: list[Section]) -> None:
    told = facts_of(sections)["sections"][0]
    seed, zero = "No seed is known.", "It is 0 by definition."
    assert told["footnotes"] == ["The recipe gives another number.", AUDIT, seed, zero]
    numbers = [
        cell["footnote"]
        for line in told["tables"][0]["rows"]
        for cells in line["cells"]
        for cell in cells
    ]
    assert numbers == [1, None, 2, 3, 3, 4]


def test_what_differs_and_what_depends_on_a_program_is_found(sections: list[Section]) -> None:
    table, figure = facts_of(sections)["sections"]
    assert [(cell["row"], cell["column"]) for cell in table["differing"]] == [("DISCO", "rings")]
    assert [(group["note"], len(group["cells"])) for group in table["audits"]] == [(AUDIT, 1)]
    assert [cell["row"] for cell in figure["differing"]] == ["CDbw is best"]
    assert not figure["audits"]


def test_facts_are_plain(sections: list[Section]) -> None:
    facts = facts_of(sections)
    assert json.loads(json.dumps(facts)) == facts
