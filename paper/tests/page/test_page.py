"""The page of a run: what it says, that it is whole and readable, and that it never changes."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError

from disco_cvi.report import page as page_module
from disco_cvi.report.page import render
from disco_paper.cells.cell import Scope
from disco_paper.judging.rows import VERDICTS, Report, Row, claim, judge
from disco_paper.page import Section, write_page
from helpers.html_reader import Reader, text_of
from helpers.source import MODULES, imported_modules, parsed
from paper_helpers.toy_page import AUDIT, VERSIONS, facts_of, info, toy_sections


@pytest.fixture
def sections(tmp_path: Path) -> list[Section]:
    return toy_sections(tmp_path)


def page_of(sections: list[Section], scope: Scope | None = None) -> str:
    return render("paper.html", facts_of(sections, scope))


def part(page: str, anchor: str) -> str:
    """One section of the page."""
    match = re.search(rf'<section id="{anchor}">.*?</section>', page, re.DOTALL)
    assert match
    return match[0]


# --- what the page says --------------------------------------------------------------------------


def test_ours_stands_beside_the_paper_with_verdict_and_difference(sections: list[Section]) -> None:
    shown = text_of(part(page_of(sections), "tab-a"))
    assert "DISCO 0.506 0.50 \N{MULTIPLICATION X} fails 1 off by +0.006 0.362 0.36" in shown
    assert "0.310 0.30 \N{ALMOST EQUAL TO} within method 3 off by +0.010" in shown
    assert "\N{MINUS SIGN}0.200 \N{MINUS SIGN}0.20 \N{CHECK MARK} passes 2 original 0.400" in shown
    assert "\N{EN DASH} \N{EN DASH} \N{CHECK MARK} passes 3" in shown
    assert "Greater is better." in shown


def test_findings_have_what_differs_and_why(sections: list[Section]) -> None:
    shown = text_of(part(page_of(sections), "findings"))
    assert "DISCO, rings Paper 0.50 Ours 0.506 Off by +0.006 The recipe gives another" in shown
    assert "CDbw is best Paper later Ours earlier Its program draws it flat." in shown
    assert "1 number or conclusion with a remark on the paper's program" in shown
    assert f"DBCV, rings: \N{MINUS SIGN}0.200, original 0.400. {AUDIT}" in shown
    assert "0.362" not in shown


def test_without_differences_it_says_so(sections: list[Section]) -> None:
    kept = replace(sections[1], report=Report(sections[1].report.rows[:1]))
    assert "Nothing differs in this run." in text_of(part(page_of([kept]), "findings"))


def test_contents_lead_to_every_experiment_with_its_counts(sections: list[Section]) -> None:
    page = page_of(sections)
    contents = text_of(page[page.index('<nav id="contents"') : page.index("</nav>")] + "</nav>")
    assert "A & B Table 2 4 1 1 1 Curves Figure 3 1 \N{EN DASH} 1 2" in contents


def test_versions_and_scope_are_said(sections: list[Section]) -> None:
    full = text_of(page_of(sections))
    assert "Computed with disco-cvi 0.1.0, numpy 2.4.6." in full
    assert "quick run" not in full
    quick = text_of(page_of(sections, Scope(quick=True, runs=2)))
    assert "This was a quick run" in quick
    assert "Experiments that repeat did so 2 times." in quick


def test_numbers_that_a_figure_shows_are_folded_away(sections: list[Section]) -> None:
    assert "<details><summary>Curve</summary>" in part(page_of(sections), "fig-eps")
    bare = [replace(section, pictures=()) for section in sections]
    assert "<h3>Curve</h3>" in part(page_of(bare), "fig-eps")


def test_many_notes_are_folded_away(sections: list[Section]) -> None:
    rows = [Row(f"{i}", column, 0.1, note=f"Note {i}.") for i in range(13) for column in "ab"]
    few, many = (
        part(page_of([replace(sections[0], report=Report(tuple(chosen)))]), "tab-a")
        for chosen in (rows[:24], rows)
    )
    assert '<ol class="footnotes">' in few
    assert "<details>" not in few
    assert '<details><summary>13 notes on the numbers</summary><ol class="footnotes">' in many


def test_many_remarks_are_folded_away(sections: list[Section]) -> None:
    remarks = tuple(f"Remark {i}." for i in range(5))
    few, many = (
        part(page_of([replace(sections[0], report=Report((), notes=chosen))]), "tab-a")
        for chosen in (remarks[:3], remarks)
    )
    assert "<details>" not in few
    shown, folded = many.split("<details><summary>2 more remarks</summary>")
    assert [remark in shown for remark in remarks] == [True] * 3 + [False] * 2
    assert [remark in folded for remark in remarks] == [False] * 3 + [True] * 2


def test_many_differences_are_folded_away(sections: list[Section]) -> None:
    rows = tuple(judge(f"{i}", column, 1.0, "2.0") for i in range(7) for column in "ab")
    few, many = (
        part(page_of([replace(sections[0], report=Report(chosen))]), "findings")
        for chosen in (rows[:12], rows)
    )
    assert "<details>" not in few
    assert "<details><summary>14 numbers or claims differ</summary>" in many


def test_wide_tables_put_the_paper_below(sections: list[Section]) -> None:
    rows = tuple(judge("DISCO", f"{k}", 0.5, "0.50") for k in range(9))
    few, many = (
        text_of(part(page_of([replace(sections[0], report=Report(chosen))]), "tab-a"))
        for chosen in (rows[:8], rows)
    )
    assert "DISCO 0.500 0.50 \N{CHECK MARK} passes" in few
    assert "DISCO 0.500 \N{CHECK MARK} passes paper 0.50" in many


# --- how it is made ------------------------------------------------------------------------------


def test_the_page_is_whole(sections: list[Section]) -> None:
    page = Reader(page_of(sections))
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    inside = [a["href"][1:] for a in page.of("a") if a["href"].startswith("#")]
    assert set(inside) <= set(names)
    assert {"tab-a-note-1", "tab-a-note-2", "tab-a-note-3", "findings", "contents"} <= set(inside)
    outside = {a["href"] for a in page.of("a") if not a["href"].startswith("#")}
    assert outside == {"tab-a.csv", "fig-eps.svg"}
    assert not [text for text in page.texts if "{{" in text or "{%" in text]


def test_nothing_comes_from_elsewhere(sections: list[Section]) -> None:
    page = page_of(sections)
    read = Reader(page)
    assert not read.of("script")
    assert not read.of("link")
    assert "url(" not in page
    assert "http:" not in page
    assert "https:" not in page
    (policy,) = (tag["content"] for tag in read.of("meta") if "http-equiv" in tag)
    assert policy.startswith("default-src 'none';")
    assert "script-src" not in policy
    assert all(image["src"].startswith("data:image/png;base64,") for image in read.of("img"))


def test_it_can_be_heard(sections: list[Section]) -> None:
    read = Reader(page_of(sections))
    assert read.of("html") == [{"lang": "en"}]
    assert all(header.get("scope") in ("row", "col") for header in read.of("th"))
    images = read.of("img")
    assert [image["alt"] for image in images] == ["Plot of fig-eps, described below it."]
    frames = [frame for frame in read.of("div") if frame.get("class") == "wide"]
    assert len(frames) == len(read.of("table")) + len(images)
    assert all(frame.get("aria-label") or frame.get("aria-labelledby") for frame in frames)
    assert all((frame["tabindex"], frame["role"]) == ("0", "region") for frame in frames)
    # Signs are not read out: the verdict beside them is.
    assert all("aria-hidden" in mark for mark in read.of("span") if mark.get("class") == "mark")


def test_what_is_too_wide_shows_that_it_moves(sections: list[Section]) -> None:
    """A shade at the right edge while something is left there; pictures do not shrink to dust."""
    page = page_of(sections)
    assert re.search(r"\.wide::before {[^}]*position: sticky; right: 0", page)
    assert re.search(r"figure img {[^}]*min-width: var\(--readable\)", page)
    [image] = Reader(page).of("img")
    assert image["style"] == f"--readable: {int(0.7 * int(image['width']))}px"


def test_pictures_have_their_size(sections: list[Section]) -> None:
    [image] = Reader(page_of(sections)).of("img")
    assert (int(image["width"]), int(image["height"])) == (round(0.7 * 792), round(0.7 * 462))


def test_text_is_escaped(sections: list[Section]) -> None:
    page = page_of(sections)
    assert "drops <noise>" not in page
    assert "drops &lt;noise&gt; &amp; rows." in page
    assert "Scores &lt;over&gt; eps." in page
    evil = Section(info("tab-x", "<b>", "<i>", "<u>"), Report((
        Row("<s>", "<p>", "<q>", "<a>", "fails", note='"<hr>'), Row("<s>", "<v>", {"<k>": ["<l>"]}),
        claim("<c>", "<d>", "<e>", holds=False),
    )))  # fmt: skip
    found = {tag for tag, _ in Reader(page_of([evil])).tags}
    assert not found & {"i", "u", "s", "k", "hr", "v", "c", "d", "e"} - {"i"}
    assert found >= {"table", "ul"}


def test_same_facts_same_bytes(sections: list[Section], tmp_path: Path) -> None:
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        write_page(page, sections, versions=VERSIONS)
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert pages[0].read_text("utf-8") == page_of(sections)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fig-eps.png",
        "one.html",
        "two.html",
    ]


def test_without_jinja2_it_says_what_to_install(
    sections: list[Section], monkeypatch: pytest.MonkeyPatch
) -> None:
    page_module._environment.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=re.escape("pip install disco-cvi[report]")):
        page_of(sections)


def test_jinja2_is_imported_on_use_and_here_alone() -> None:
    importing = [
        module for module, path in MODULES.items() if "jinja2" in imported_modules(parsed(path))
    ]
    assert importing == ["report.page"]
    code = "import sys, disco_paper.page; assert 'jinja2' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_fact_that_is_missing_is_an_error(sections: list[Section]) -> None:
    facts = facts_of(sections)
    del facts["sections"][0]["footnotes"]
    with pytest.raises(UndefinedError, match="footnotes"):
        render("paper.html", facts)


def test_an_empty_run_has_a_page() -> None:
    assert "Nothing differs in this run." in text_of(page_of([]))


# --- colors --------------------------------------------------------------------------------------


def style_colors() -> list[dict[str, str]]:
    """The colors of the page by day and by night; at night those of the day hold on."""
    style = files("disco_cvi.report").joinpath("templates", "page.css").read_text("utf-8")
    blocks = [dict(re.findall(r"--([\w-]+): (#\w{6})", block)) for block in style.split("@media")]
    return [blocks[0], blocks[0] | blocks[1]]


def luminance(color: str) -> float:
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colors", style_colors(), ids=["light", "dark"])
def test_text_can_be_read_on_every_ground(colors: dict[str, str]) -> None:
    grounds = [colors["page"], colors["card"]]
    tints = [colors[name] for name in colors if name.endswith("-tint")]
    assert len(tints) >= 3
    for ground in [*grounds, *tints]:
        for text in ("ink", "soft", "link"):
            assert contrast(colors[text], ground) >= 4.5, (text, ground)
    for verdict in VERDICTS:
        name = verdict.replace(" ", "-")
        for ground in [*grounds, colors.get(f"{name}-tint", colors["page"])]:
            assert contrast(colors[name], ground) >= 4.5, (name, ground)


@pytest.mark.parametrize(
    ("value", "is_negative"), [(-0.2, True), (-0.0005, True), (-0.0004, False), (0.2, False)]
)
def test_the_color_of_a_score_follows_what_is_shown(value: float, is_negative: bool) -> None:
    parts: Any = page_module._environment().get_template("report_parts.html").module
    cell = str(parts.score(value))
    assert ("negative" in cell, "\N{MINUS SIGN}" in cell) == (is_negative, is_negative)
    assert f'data-value="{value}"' in cell
    assert "negative" not in str(parts.score(None))
