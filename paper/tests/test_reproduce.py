"""`disco reproduce` and the Python names behind it: what they say and how they end."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from disco_cvi.cli import main
from disco_cvi.exceptions import InvalidInputError
from disco_paper import (
    EXPERIMENTS,
    available_experiments,
    choose_experiments,
    open_experiment,
    reproduce,
)
from disco_paper.cells import GROUND_TRUTH, Cell, Scope, spec
from disco_paper.paper import ExperimentTable
from disco_paper.running.store import FILE_NAME
from paper_helpers import toy_experiment as toy


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy in the place of all experiments."""
    monkeypatch.setenv("TOY_LOG", str(tmp_path / "log"))
    monkeypatch.setattr("disco_paper.EXPERIMENT_TABLE", ExperimentTable([toy.INFO]))
    monkeypatch.setattr("disco_paper.open_experiment", lambda _: toy.EXPERIMENT)


# --- the list -----------------------------------------------------------------------------------


def test_every_experiment_is_described() -> None:
    infos = {info.name: info for info in available_experiments()}
    assert list(infos) == list(EXPERIMENTS)
    for info in infos.values():
        assert info.title
        assert info.paper.startswith(("Table", "Figure")) or info.is_ours
        assert info.seconds > 0
        assert 10 < len(info.summary) < 90
        assert not info.summary.endswith(".")


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["experiment", "in", "the", "paper", "time", "what", "it", "shows"]
    assert [line.split()[0] for line in lines[1:]] == list(EXPERIMENTS)
    assert not [line for line in lines if "tab:" in line or "fig:" in line]
    assert main(["reproduce", "--list", "choose-eps", "Table 2"]) == 0
    paper, own = capsys.readouterr().out.splitlines()[1:]
    assert "Our own study, not the paper's" in own
    assert "Our own" not in paper
    assert main(["reproduce", "--list", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert list(facts[0]) == ["name", "title", "paper", "is_ours", "summary", "seconds"]
    assert [fact["name"] for fact in facts] == list(EXPERIMENTS)
    assert [fact["name"] for fact in facts if fact["is_ours"]] == ["choose-eps"]


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_cells_are_named_without_data(
    name: str, quick: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The plan of a run needs no data; and a quick run computes nothing that is too much."""
    monkeypatch.setenv("DISCO_DATA", str(tmp_path))
    experiment = open_experiment(name)
    assert experiment.name == name
    assert experiment.module == f"disco_paper.{experiment.info.topic}"
    cells = experiment.cells(Scope(quick=quick))
    assert all(isinstance(cell, Cell) for cell in cells)
    if quick:
        assert len(cells) <= max(1, len(experiment.cells(Scope())))


# --- wrong use ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name experiments, or say --all; --list lists them. See"),
        (["--all", "tab-shapes"], "name experiments, or say --all; --list lists them. See"),
        (
            ["tab-shape"],
            "NAME must be among those that 'disco reproduce --list' lists; got 'tab-shape'. "
            "Did you mean 'tab-shapes'?",
        ),
        (["qqqqq"], "got 'qqqqq'. There are fig-rings, tab-features, "),
        (["Table 11"], "got 'Table 11'. There are fig-rings, tab-features, "),
        (["--all", "--runs", "0"], "disco reproduce: --runs "),
        (["--all", "--jobs", "two"], "disco reproduce: --jobs "),
        (["--all", "--fast"], "no such option: --fast. "),
    ],
)
def test_wrong_use(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["reproduce", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"runs": 0}, InvalidInputError, "runs of reproduce must be an integer of at least 1; got"),
        ({"n_jobs": -1}, InvalidInputError, "n_jobs of reproduce must be an integer of at least"),
        ({"n_jobs": True}, TypeError, "n_jobs of reproduce must be an integer of at least 1; got"),
        ({"names": []}, InvalidInputError, "names of reproduce must name one or more, or be 'all'"),
        ({"names": "tab-"}, InvalidInputError, "available_experiments() lists; got 'tab-'. There"),
        ({"names": 2}, TypeError, "names of reproduce must be 'all', a name (str) or several"),
    ],
    ids=str,
)
def test_wrong_arguments(
    options: dict[str, Any], error: type[Exception], message: str, tmp_path: Path
) -> None:
    with pytest.raises(error) as caught:
        reproduce(**{"names": "tab-shapes", "out": tmp_path / "out", **options})
    assert message in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_names_are_sorted_as_in_the_paper_and_taken_once() -> None:
    last, first = EXPERIMENTS[-1], EXPERIMENTS[0]
    assert choose_experiments([last, first, last]) == (first, last)
    assert choose_experiments("all") == choose_experiments(EXPERIMENTS) == EXPERIMENTS
    assert [choose_experiments(name) for name in EXPERIMENTS] == [(name,) for name in EXPERIMENTS]


def test_the_papers_own_numbers_are_names() -> None:
    names = {
        "tab-shapes": ("Table 2", "table-2", "tab. 2"),
        "fig-rings": ("figure 1", "Figure1", "fig 1"),
        "tab-dbcv-t5": ("Figure 11",),
        "fig-sensitivity": ("Figure 20",),
        "fig-separation": ("Figure 20b",),
        "tab-noise": ("TAB_NOISE",),
    }
    for name, spellings in names.items():
        assert {choose_experiments(spelling) for spelling in spellings} == {(name,)}
    places = [f"Table {number}" for number in range(1, 11)]
    places += [f"Figure {number}" for number in range(1, 21)]
    assert choose_experiments(places)
    named = [place for info in available_experiments() for place in info.places]
    assert len(named) == len(set(named)) == len(places) + 3  # the panels of Figure 20


def test_the_list_needs_no_module_of_an_experiment() -> None:
    code = (
        "import sys\n"
        "from disco_paper import available_experiments\n"
        "print(available_experiments())\n"
        "assert 'numpy' not in sys.modules\n"
        "assert not [name for name in sys.modules if '.fig_' in name or '.tab_' in name]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


# --- runs ---------------------------------------------------------------------------------------


def test_a_run_and_the_same_again(
    toys: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "out" / "index.html"
    command = ["reproduce", "--all", "--jobs", "1", "--out", str(tmp_path / "out")]
    assert main([*command, "--quick"]) == 0
    answer = capsys.readouterr()
    assert answer.err == "disco: toy: 10 cells computed\n"
    assert answer.out.splitlines() == [
        "experiment  passes  within method  fails  not judged",
        "toy              0              0     10           0",
        "",
        "10 cells computed.",
        f"Everything side by side: {page}",
    ]
    assert main([*command, "--runs", "2", "--json"]) == 0
    answer = capsys.readouterr()
    assert answer.err == ""
    verdicts = {"passes": 0, "within method": 0, "fails": 10, "not judged": 0}
    toy_facts = {"name": "toy", "verdicts": verdicts, "n_cells": 10, "n_computed": 0, "n_failed": 0}
    facts = {"experiments": [toy_facts], "errors": [], "page": str(page)}
    assert json.loads(answer.out) == facts


def test_errors_are_named_and_end_with_code_1(
    toys: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = toy.toy_of(Cell(spec("line", size=2), GROUND_TRUTH, spec("failing")))
    ours = replace(failing, info=replace(toy.INFO, paper=""))
    monkeypatch.setattr("disco_paper.open_experiment", lambda _: ours)
    assert main(["reproduce", "toy", "--out", str(tmp_path / "out")]) == 1
    answer = capsys.readouterr()
    assert answer.out.splitlines()[3] == "toy: our own study, not the paper's."
    assert answer.err.splitlines()[-2:] == [
        "disco: 1 error; the next run tries again:",
        "disco: toy: line (size=2), ground truth, failing: RuntimeError: the toy is broken",
    ]


def test_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("disco_paper.reproduce", interrupted)
    assert main(["reproduce", "tab-shapes", "--out", "there"]) == 130
    assert capsys.readouterr().err == (
        "disco: interrupted; what is done is kept in there: the same command continues\n"
    )


# --- folders that cannot be used ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "out", "message"),
    [
        ("out", "out", "--out must be a folder; got {out}, which is none."),
        ("file", "file/out", "{out}: Not a directory"),
        (FILE_NAME, "", "--out holds {out}/cells.jsonl, which is no store of cells. Move it away"),
    ],
    ids=["a file", "in a file", "another file of that name"],
)
def test_folders_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, out: str, message: str
) -> None:
    (tmp_path / name).write_text("text")
    assert main(["reproduce", "tab-shapes", "--out", str(tmp_path / out)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"disco: {message.format(out=tmp_path / out)}")
    assert said.count("\n") == 1
    assert (tmp_path / name).read_text() == "text"
