"""`disco demo`: what it prints, and that it is true."""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import disco_cvi
from disco_cvi.cli import main
from disco_cvi.datasets import three_rings
from disco_cvi.report import writing


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_demo_scores_both_labelings_and_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    whole = capsys.readouterr().out
    text, page = whole.rsplit("\n  ", 1)
    assert page == f"{Path('disco-demo.html').resolve()}\n"
    first = Path("disco-demo.html").read_bytes()
    assert b"Three rings in noise" in first
    rings = three_rings()
    good = disco_cvi.disco_score(rings.points, rings.good_labels)
    bad = disco_cvi.disco_score(rings.points, rings.bad_labels)
    assert (round(good, 4), round(bad, 4)) == (0.5229, -0.0077)
    assert re.search(rf"DISCO +{good:.3f} +{bad:.3f} +by rings\n", text)
    assert re.search(r"silhouette +-0\.146 +0\.378 +by k-means\n", text)
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()
    assert main(["demo"]) == 0
    assert capsys.readouterr().out == whole
    assert Path("disco-demo.html").read_bytes() == first


def test_demo_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--json", "--out", "page.html"]) == 0
    answer = capsys.readouterr()
    facts = json.loads(answer.out)
    rings = three_rings()
    good = disco_cvi.disco_score(rings.points, rings.good_labels)
    assert list(facts["labelings"]) == ["by rings", "by k-means"]
    assert facts["labelings"]["by rings"]["disco"] == good
    assert facts["page"] == str(Path("page.html").resolve())
    assert Path("page.html").exists()
    assert answer.err == ""
    assert main(["demo", "--json", "--no-report"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] is None


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_demo_without_the_packages_of_a_report(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setattr(
        writing, "find_spec", lambda name: None if name == package else find_spec(name)
    )
    assert main(["demo"]) == 0
    assert capsys.readouterr().out.endswith('pip install "disco-cvi[report]" and run this again.\n')
    assert not list(Path().iterdir())
    assert main(["demo", "--no-report"]) == 0
    assert capsys.readouterr().out.endswith("where this is greatest\n")


@pytest.mark.parametrize(
    ("path", "problem"),
    [("no/folder.html", "there is no folder"), ("page.txt", "page.txt must end in .html, .htm")],
)
def test_a_page_without_a_place_is_wrong_use_before_the_work(
    capsys: pytest.CaptureFixture[str], path: str, problem: str
) -> None:
    assert main(["demo", "--out", path]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert problem in answer.err


def test_a_page_that_cannot_be_written_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device", "disco-demo.html")

    monkeypatch.setattr(writing, "write_file", refuse)
    assert main(["demo"]) == 1
    assert capsys.readouterr().err == "disco: disco-demo.html: No space left on device\n"


@pytest.mark.parametrize(
    ("started", "on_path", "expected"),
    [
        (".venv/bin/disco", "elsewhere", ".venv/bin/disco"),
        (".venv/bin/disco", ".venv/bin", "disco"),
        ("my env/bin/disco", "elsewhere", "'my env/bin/disco'"),
        ("\x1b[31m/disco", "elsewhere", "'\\x1b[31m/disco'"),
        ("python/__main__.py", "elsewhere", "disco"),
    ],
)
def test_demo_says_how_it_was_started(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    started: str,
    on_path: str,
    expected: str,
) -> None:
    monkeypatch.setattr(sys, "argv", [started, "demo"])
    monkeypatch.setenv("PATH", str(folder / on_path))
    assert main(["demo", "--no-report"]) == 0
    assert f"\n  {expected} score points.csv --labels labels.csv\n" in capsys.readouterr().out


def test_demo_says_what_scikit_learn_says(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    assert main(["demo", "--no-report"]) == 0
    rings = three_rings()
    good = metrics.silhouette_score(rings.points, rings.good_labels)
    bad = metrics.silhouette_score(rings.points, rings.bad_labels)
    assert f"silhouette {good:.3f} {bad:.3f}" in " ".join(capsys.readouterr().out.split())
