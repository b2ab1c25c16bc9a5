"""What keeps the site whole: its check of links, and that nothing public is missing in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
import samples
import tables
from check_site import find_problems

import disco_cvi
from helpers.pages import run_page

mpl.use("agg")

DOCS = Path(__file__).resolve().parents[2] / "docs"


def write_site(folder: Path, body: str) -> Path:
    (folder / "index.html").write_text(f"<html><body>{body}</body></html>")
    (folder / "other.html").write_text('<h1 id="there">Other</h1>')
    return folder


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="missing.html">x</a>', "index.html: no file for missing.html"),
        ('<a href="other.html#here">x</a>', "index.html: no anchor for other.html#here"),
        ('<a href="#here">x</a>', "index.html: no anchor for #here"),
        ('<img src="picture.svg">', "index.html: no file for picture.svg"),
        ('<script src="https://cdn/x.js"></script>', "index.html: loads https://cdn/x.js"),
        ('<link rel="stylesheet" href="//cdn/x.css">', "index.html: loads //cdn/x.css"),
    ],
)
def test_what_is_broken_or_far_is_found(tmp_path: Path, body: str, problem: str) -> None:
    assert find_problems(write_site(tmp_path, body)) == [problem]


def test_what_leads_somewhere_is_no_problem(tmp_path: Path) -> None:
    body = '<a id="here" href="other.html#there"><a href="#here"><a href="https://x.org">'
    assert find_problems(write_site(tmp_path, body)) == []


def test_every_public_name_is_in_the_reference() -> None:
    listed = tables.public_names()
    everywhere = {name for names in listed.values() for name in names}
    for module in ("disco_cvi", *(f"disco_cvi.{name}" for name in tables.PUBLIC_MODULES)):
        names = set(getattr(import_module(module), "__all__", ()))
        assert names - everywhere <= set(tables.PUBLIC_MODULES)


def test_a_new_public_name_makes_the_reference_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    module: ModuleType = sys.modules["disco_cvi.results"]
    monkeypatch.setattr(module, "__all__", [*module.__all__, "fresh"])
    monkeypatch.setattr(module, "fresh", lambda: None, raising=False)
    place = ("docs/reference/index.md", "names")
    assert tables.read_part(*place) != tables.PARTS[place]()


def test_what_the_door_has_is_listed_there_alone() -> None:
    listed = tables.public_names()
    assert "DensityTree" in listed["disco_cvi"]
    assert "DensityTree" not in listed["disco_cvi.density_tree"]
    assert disco_cvi.compare.__name__ not in listed["disco_cvi.results"]


@pytest.mark.parametrize(
    ("page", "write", "names"),
    [
        ("start.md", samples.write_for_start, ["map.png", "rings.html"]),
        ("guide/report.md", samples.write_for_report, ["rings.html"]),
    ],
)
def test_what_a_page_shows_is_what_its_code_writes(
    page: str,
    write: Callable[[Path], None],
    names: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    by_page, shown = tmp_path / "page", tmp_path / "shown"
    by_page.mkdir()
    shown.mkdir()
    monkeypatch.chdir(by_page)
    run_page(DOCS / page, {})
    write(shown)
    plt.close("all")
    assert sorted(path.name for path in by_page.iterdir()) == names
    assert all((shown / name).read_bytes() == (by_page / name).read_bytes() for name in names)
    text = (DOCS / page).read_text(encoding="utf-8")
    assert all(f"/{path.name}" in text for path in shown.iterdir())
