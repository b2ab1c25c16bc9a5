"""Every index has a page: all sections, formulas, pictures, and an example that runs as shown."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import index_pages
import index_pictures
import index_sketches
import pytest
import tables
from docutils.utils.math import latex2mathml

from disco_cvi import IndexInfo, available_indices
from disco_cvi._output.tables import read_markdown_table
from disco_cvi.indices.index_info import options_of
from helpers.pages import read_blocks

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "indices"
INDICES = available_indices()
SECTIONS = [
    "Definition",
    "In plain words",
    "Four data sets",
    "Range and direction",
    "Strengths",
    "Weaknesses",
    "Edge cases",
    "Noise and options",
    "Cost",
    "Other packages",
    "Example",
    "Reference",
]
GENERATED = {"Range and direction": "facts", "Edge cases": "edge cases", "Reference": "reference"}
each_index = pytest.mark.parametrize("info", INDICES, ids=lambda info: info.name)


def read(info: IndexInfo) -> str:
    return (FOLDER / f"{info.name}.md").read_text(encoding="utf-8")


def sections(info: IndexInfo) -> dict[str, str]:
    """The text of each section by its heading."""
    parts = re.split(r"^## (.*)\n", read(info), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_there_is_a_page_for_each_index_and_no_other() -> None:
    others = {"overview.md", "disco_theory.md"}
    assert {path.name for path in FOLDER.glob("*.md")} - others == {
        f"{info.name}.md" for info in INDICES
    }


@each_index
def test_the_page_has_all_sections_and_an_example(info: IndexInfo) -> None:
    text, parts = read(info), sections(info)
    assert text.startswith(f"# {info.title}\n")
    assert list(parts) == SECTIONS
    assert all(part.strip() for part in parts.values())
    for name, mark in GENERATED.items():
        assert f"<!-- {mark} -->" in parts[name]
    assert re.search(r"\b(19|20)\d\d\b", parts["Reference"])
    # That it prints this is a test of all pages.
    code, shown = read_blocks(FOLDER / f"{info.name}.md")
    assert code.language == "python"
    assert info.function_name in code.text
    assert shown.language == "text"
    assert shown.follows


@each_index
def test_formulas_are_written_as_the_site_can_show_them(info: IndexInfo) -> None:
    text = read(info)
    blocks = re.findall(r"^\$\$\n(.*?)^\$\$$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    assert text.count("\n$$\n") == 2 * len(blocks)
    inline = re.findall(r"(?<!\$)\$([^$\n]+)\$(?!\$)", re.sub(r"(?s)^\$\$.*?^\$\$", "", text))
    for formula in [*blocks, *inline]:
        assert formula.strip()
        # An operator with a star is shown with the star.
        assert "operatorname*" not in formula
        assert latex2mathml.tex2mathml(formula)


@each_index
def test_pictures_are_those_that_are_drawn(info: IndexInfo) -> None:
    drawn = {
        f"{info.name}_{picture}.svg": index_pictures.draw(info, picture)
        for picture in index_pictures.PICTURES
    }
    drawn[f"{info.name}_sketch.svg"] = index_sketches.draw_sketch(info.name, info.title)
    text = sections(info)["Four data sets"] + sections(info)["In plain words"]
    for name, picture in drawn.items():
        path = FOLDER / "pictures" / name
        assert path.read_text(encoding="utf-8") == picture, name
        assert path.stat().st_size < 60_000
        ET.fromstring(picture)
        assert f"(pictures/{name})" in text


def test_no_picture_is_left_over() -> None:
    kinds = (*index_pictures.PICTURES, "sketch")
    expected = {f"{info.name}_{kind}.svg" for info in INDICES for kind in kinds}
    assert {path.name for path in (FOLDER / "pictures").iterdir()} == expected


def test_links_lead_somewhere() -> None:
    for path in FOLDER.glob("*.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
            assert (path.parent / target).is_file(), f"{path.name}: {target}"


def test_figures_of_the_study_are_those_of_its_page() -> None:
    """What a page says to be lost by choosing is in the study, digit by digit."""
    study = tables.read_part("docs/evidence/choosing.md", "table")
    means = set(re.findall(r"\| (\d\.\d+) \(", study))
    for info in INDICES:
        prose = re.sub(r"(?s)<!-- (\w+) -->.*?<!-- \1 -->", "", read(info))
        if info.name != "pair":  # whose page tells of another study as well
            for lost in re.findall(r"lost (\d\.\d+)|(\d\.\d+) lost", prose):
                assert any(mean.startswith("".join(lost)) for mean in means), (info.name, lost)


def test_figures_of_the_pictures_are_those_of_the_table() -> None:
    for name, figures in (
        ("davies_bouldin", ["201"]),
        ("calinski_harabasz", ["93.7", "0.00237"]),
        ("dunn", ["0.243", "1.26"]),
    ):
        part = tables.read_part(f"docs/indices/{name}.md", "pictures")
        assert all(re.search(rf"\| {re.escape(figure)}\b", part) for figure in figures), name


def test_the_edge_cases_of_a_page_are_cases() -> None:
    assert set(index_pages.CASES) <= set(tables.CASES)


def test_right_and_wrong_are_told_by_the_direction() -> None:
    found = {
        info.name: [verdict.prefers for verdict in index_pictures.verdicts(info)]
        for info in INDICES
    }
    assert found["pair"] == ["right"] * 4
    assert found["disco"] == ["right", "right", "right", "wrong"]
    # Lower is better.
    assert found["s_dbw"] == ["wrong", "right", "wrong", "right"]


def test_what_was_not_studied_is_said() -> None:
    header, row = ("criterion", "eps of DBSCAN"), ("Any candidate, at random", "0.5 (x)")
    dunn = next(info for info in INDICES if info.name == "dunn")
    assert "not part of our study" in index_pages.chosen(dunn, [header, row])
    assert "| Dunn | 0.1 |" in index_pages.chosen(dunn, [header, ("Dunn", "0.1"), row])


def test_options_are_those_of_the_function() -> None:
    for info in INDICES:
        part = tables.read_part(f"docs/indices/{info.name}.md", "options")
        named = re.findall(r"^- `(\w+)=", part, re.MULTILINE)
        assert set(options_of(info)) <= set(named)
        assert ("metric" in named) == (info.metric == "any")


def test_the_scoreboard_has_every_index() -> None:
    board = read_markdown_table(tables.read_part("docs/indices/overview.md", "scoreboard"))
    assert [row[0] for row in board[1:]] == [index_pages.link(info) for info in INDICES]
