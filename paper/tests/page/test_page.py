"""The page of a run: what it says, that it is whole and readable, and that it never changes."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from disco_paper.cells import Scope
from disco_paper.judging import Report, Row, judge
from disco_paper.page import Section, write_page
from helpers.html_reader import Reader, text_of
from paper_helpers.toy_page import AUDIT, VERSIONS, info, toy_sections

MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def sections(tmp_path: Path) -> list[Section]:
    return toy_sections(tmp_path)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def page_of(sections: list[Section], scope: Scope | None = None) -> str:
    write_page("index.html", sections, versions=VERSIONS, scope=scope)
    return Path("index.html").read_text(encoding="utf-8")


def part(page: str, anchor: str) -> str:
    """One section of the page."""
    match = re.search(rf'<section id="{anchor}">.*?</section>', page, re.DOTALL)
    assert match
    return match[0]


# --- what the page says --------------------------------------------------------------------------


def test_ours_stands_beside_the_paper_with_verdict_and_difference(sections: list[Section]) -> None:
    page = part(page_of(sections), "tab-a")
    shown = text_of(page)
    assert "DISCO 0.506 0.50 \N{MULTIPLICATION X} fails 1 off by +0.006 0.362 0.36" in shown
    assert "0.310 0.30 \N{ALMOST EQUAL TO} within method 3 off by +0.010" in shown
    assert f"{MINUS}0.200 {MINUS}0.20 \N{CHECK MARK} passes 2 original 0.400" in shown
    assert "\N{EN DASH} \N{EN DASH} \N{CHECK MARK} passes 3" in shown
    assert "Greater is better." in shown
    # Equal notes share a number.
    notes = re.findall(r'<li id="tab-a-note-(\d)">(.*?)</li>', page)
    words = ["The recipe gives another number.", AUDIT, "No seed is known.", "It is 0 by defin"]
    assert [number for number, _ in notes] == ["1", "2", "3", "4"]
    assert all(
        unescape(note).startswith(word) for (_, note), word in zip(notes, words, strict=True)
    )
    # A column alone is a list.
    assert "<h3>Spread</h3>" in page
    assert page.count('<table class="list">') == page.count('<table class="grid">') == 1


def test_findings_have_what_differs_and_why(sections: list[Section]) -> None:
    shown = text_of(part(page_of(sections), "findings"))
    assert "DISCO, rings Paper 0.50 Ours 0.506 Off by +0.006 The recipe gives another" in shown
    assert "CDbw is best Paper later Ours earlier Its program is flat." in shown
    assert "1 number or conclusion with a remark on the paper's program" in shown
    assert f"DBCV, rings: {MINUS}0.200, original 0.400. {AUDIT}" in shown
    assert "0.362" not in shown
    kept = replace(sections[1], report=Report(sections[1].report.rows[:1]))
    for none in ([kept], []):
        assert "Nothing differs in this run." in text_of(part(page_of(none), "findings"))


def test_contents_counts_versions_and_scope(sections: list[Section]) -> None:
    page = page_of(sections)
    contents = text_of(page[page.index('<nav id="contents"') : page.index("</nav>")] + "</nav>")
    assert "A & B Table 2 4 1 1 1 Curves Figure 3 1 \N{EN DASH} 1 2" in contents
    counts = [item.strip() for item in re.findall(r"<b>(\d+)</b>", page)]
    assert counts[:4] == ["5", "1", "2", "3"]
    assert "Computed with disco-cvi 0.1.0, numpy 2.4.6." in text_of(page)
    assert "quick run" not in text_of(page)
    quick = text_of(page_of(sections, Scope(quick=True, runs=2)))
    assert "This was a quick run" in quick
    assert "Experiments that repeat did so 2 times." in quick


def test_a_study_of_our_own_is_marked(sections: list[Section]) -> None:
    ours = replace(sections[1], info=replace(sections[1].info, paper=""))
    pages = [unescape(page_of(shown)) for shown in (sections, [sections[0], ours])]
    assert ["Studies of our own stand at the end" in page for page in pages] == [False, True]
    # In the contents and at the section itself.
    assert [page.count("Our own study") for page in pages] == [0, 3]
    # The curve is in the figure of the paper; our own tables are never folded away.
    assert [page.count("<h3>Curve</h3>") for page in pages] == [0, 1]


def test_numbers_that_a_figure_shows_are_folded_away(sections: list[Section]) -> None:
    assert "<details><summary>Curve</summary>" in part(page_of(sections), "fig-eps")
    bare = [replace(section, pictures=()) for section in sections]
    assert "<h3>Curve</h3>" in part(page_of(bare), "fig-eps")


NOTED = [Row(f"{i}", column, 0.1, note=f"Note {i}.") for i in range(13) for column in "ab"]
WRONG = [judge(f"{i}", column, 1.0, "2.0") for i in range(7) for column in "ab"]
REMARKS = tuple(f"Remark {i}." for i in range(5))


@pytest.mark.parametrize(
    ("few", "many", "anchor", "summary"),
    [
        (Report((*NOTED[:24],)), Report((*NOTED,)), "tab-a", "13 notes on the numbers"),
        (Report((*WRONG[:12],)), Report((*WRONG,)), "findings", "14 numbers or claims differ"),
        (Report((), notes=REMARKS[:3]), Report((), notes=REMARKS), "tab-a", "2 more remarks"),
    ],
    ids=["notes", "differences", "remarks"],
)
def test_what_is_much_is_folded_away(
    sections: list[Section], few: Report, many: Report, anchor: str, summary: str
) -> None:
    shown = [part(page_of([replace(sections[0], report=each)]), anchor) for each in (few, many)]
    assert "<details>" not in shown[0]
    assert f"<details><summary>{summary}</summary>" in shown[1]


def test_wide_tables_put_the_paper_below(sections: list[Section]) -> None:
    rows = tuple(judge("DISCO", f"{k}", 0.5, "0.50") for k in range(9))
    few, many = (
        text_of(part(page_of([replace(sections[0], report=Report(chosen))]), "tab-a"))
        for chosen in (rows[:8], rows)
    )
    assert "DISCO 0.500 0.50 \N{CHECK MARK} passes" in few
    assert "DISCO 0.500 \N{CHECK MARK} passes paper 0.50" in many


# --- how it is made ------------------------------------------------------------------------------


def test_the_page_is_whole_and_brings_everything(sections: list[Section]) -> None:
    text = page_of(sections)
    page = Reader(text)
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    inside = [a["href"][1:] for a in page.of("a") if a["href"].startswith("#")]
    assert set(inside) <= set(names)
    assert {"tab-a-note-1", "tab-a-note-2", "tab-a-note-3", "findings", "contents"} <= set(inside)
    outside = {a["href"] for a in page.of("a") if not a["href"].startswith("#")}
    assert outside == {"tab-a.csv", "fig-eps.svg"}
    assert not [shown for shown in page.texts if "{{" in shown or "{%" in shown]
    assert not page.of("script")
    assert not page.of("link")
    assert not re.search(r"url\(|https?:", text)
    (policy,) = (tag["content"] for tag in page.of("meta") if "http-equiv" in tag)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    assert all(image["src"].startswith("data:image/png;base64,") for image in page.of("img"))
    assert page_of(toy_sections(Path.cwd())) == text


def test_it_can_be_heard_and_moved(sections: list[Section]) -> None:
    text = page_of(sections)
    page = Reader(text)
    assert page.of("html") == [{"lang": "en"}]
    assert all(header.get("scope") in ("row", "col") for header in page.of("th"))
    [image] = page.of("img")
    assert image["alt"] == "Plot of fig-eps, described below it."
    assert (image["width"], image["height"]) == (str(round(0.7 * 792)), str(round(0.7 * 462)))
    frames = [frame for frame in page.of("div") if frame.get("class") == "wide"]
    assert len(frames) == len(page.of("table")) + 1
    assert all(frame.get("aria-label") or frame.get("aria-labelledby") for frame in frames)
    assert all((frame["tabindex"], frame["role"]) == ("0", "region") for frame in frames)
    # Signs are not read out: the verdict beside them is.
    assert all("aria-hidden" in mark for mark in page.of("span") if mark.get("class") == "mark")
    # A shade at the right edge while something is left there; pictures do not shrink to dust.
    assert re.search(r"\.wide::before {[^}]*position: sticky; right: 0", text)
    assert re.search(r"figure img {[^}]*min-width: var\(--readable\)", text)
    assert image["style"] == f"--readable: {int(0.7 * int(image['width']))}px"


def test_text_is_escaped(sections: list[Section]) -> None:
    page = page_of(sections)
    assert "drops <noise>" not in page
    assert "drops &lt;noise&gt; &amp; rows." in page
    assert "Scores &lt;over&gt; eps." in page
    evil = Section(info("tab-x", "<b>", "<i>", "<u>"), Report((
        Row("<s>", "<p>", "<q>", "<a>", "fails", note='"<hr>'), Row("<s>", "<v>", {"<k>": ["<l>"]}),
        Row("<c>", "claim", "<e>", "<d>", "fails"),
    )))  # fmt: skip
    found = {tag for tag, _ in Reader(page_of([evil])).tags}
    assert not found & {"u", "s", "k", "hr", "v", "c", "d", "e"}
    assert found >= {"table", "ul"}
