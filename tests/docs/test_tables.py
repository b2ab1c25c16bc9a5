"""The generated parts of the pages are up to date, and what writes them writes nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tables

from disco_cvi import available_indices

# The edge cases take a second each; tests/promises/test_edge_cases.py compares every cell.
QUICK = [place for place, make in tables.PARTS.items() if make is not tables.edge_case_table]


def test_the_pages_are_up_to_date() -> None:
    found = [place for place in QUICK if tables.read_part(*place) != tables.PARTS[place]()]
    assert found == [], "python docs/tables.py writes them"


def test_every_index_is_on_its_pages() -> None:
    for page, mark in (("README.md", "indices"), ("docs/indices/overview.md", "table")):
        part = tables.read_part(page, mark)
        assert all(info.title in part for info in available_indices())


def test_what_was_not_measured_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "benchmarks").mkdir()
    rows = [["report, n = 2,000, 2-d / 0.5 MB", "0.4 MB"], [f"{tables.SIZES[0]} / other", "1 s"]]
    (tmp_path / "benchmarks" / "measured.json").write_text(json.dumps({"table": rows}))
    monkeypatch.setattr(tables, "PROJECT", tmp_path)
    assert tables.report_table().splitlines()[2:] == ["| report, n = 2,000, 2-d | 0.4 MB |"]
    assert tables.size_table().splitlines()[2:] == [f"| {tables.SIZES[0]} | 1 s |"]


def test_every_size_but_that_of_long_runs_is_measured() -> None:
    rows = tables.benchmark_table().splitlines()
    missing = [start for start in tables.SIZES if not any(f"| {start}" in row for row in rows)]
    assert set(missing) <= {"report, n = 1,000,000, 2-d"}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page whose part is out of date, in place of all others."""
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n- list:\n  <!-- part -->\n  old\n  <!-- part -->\n\nThe end.\n")
    monkeypatch.setattr(tables, "PROJECT", tmp_path)
    monkeypatch.setattr(tables, "PARTS", {("page.md", "part"): lambda: "  new\n  and long"})
    return page


def test_check_says_what_is_out_of_date(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = page.read_text()
    assert tables.main(["--check"]) == 1
    assert capsys.readouterr().out == "page.md: out of date\n"
    assert page.read_text() == before


def test_only_what_stands_between_the_marks_is_written(
    page: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = page.read_text()
    assert tables.main([]) == 0
    assert page.read_text() == before.replace("  old", "  new\n  and long")
    assert tables.main(["--check"]) == 0
    assert capsys.readouterr().out == "page.md: written\n"
