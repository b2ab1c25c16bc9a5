"""`disco score --dask`: files that workers read, and what goes wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import disco_cvi
from disco_cvi.cli import cluster as command
from disco_cvi.cli import main

POINTS = np.random.default_rng(0).standard_normal((300, 2)) * [1.0, 4.0]
LABELS = np.random.default_rng(1).integers(-1, 3, 300)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Points and labels in several files, in the current folder."""
    arrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    names = np.array(["noise", "a", "b", "c"])
    for number, rows in enumerate(np.array_split(np.arange(300), 12)):
        columns = {"x": POINTS[rows, 0], "y": POINTS[rows, 1], "kind": names[LABELS[rows] + 1]}
        write_table(arrow.table(columns), tmp_path / f"points-{number}.parquet")
        np.save(tmp_path / f"both-{number}.npy", np.column_stack([POINTS, LABELS])[rows])
    np.save(tmp_path / "labels.npy", LABELS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def facts_of(capsys: pytest.CaptureFixture[str], address: str, *arguments: str) -> Any:
    assert main(["score", *arguments, "--scheduler", address, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["points-*.parquet", "--label-column", "kind", "--noise-label", "noise"],
        ["points-*.parquet", "--labels", "labels.npy", "--drop", "kind"],
        ["points-*.parquet", "--labels", "labels.npy", "--columns", "x", "2"],
        ["both-*.npy", "--label-column", "-1", "--blocks", "3"],
        ["both-*.npy", "--labels", "both-*.npy", "--label-column", "3", "--columns", "1", "2"],
    ],
    ids=" ".join,
)
def test_the_score_is_that_of_the_library(
    folder: Path, cluster: Any, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    facts = facts_of(capsys, cluster.scheduler.address, *arguments)
    assert facts["score"] == disco_cvi.disco_score(POINTS, LABELS)
    assert (facts["n_points"], facts["n_clusters"]) == (300, 3)
    assert facts["standardized"] is False


def test_a_cluster_of_this_machine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    words = ["score", "points-*.parquet", "--dask", "--jobs", "1", "--label-column", "kind"]
    assert main([*words, "--noise-label", "noise", "--samples", "samples.npy"]) == 0
    shown = capsys.readouterr()
    score = disco_cvi.disco_score(POINTS, LABELS)
    assert f"DISCO score {score:.3f}" in shown.out
    assert shown.err == (
        "disco: 300 rows in 12 files; features: x, y.\ndisco: wrote 300 rows to samples.npy.\n"
    )
    assert np.array_equal(np.load("samples.npy"), disco_cvi.disco_samples(POINTS, LABELS))


WRONG_USE, CANNOT_SCORE = 2, 1
FILES = ["points-*.parquet", "--label-column", "kind"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--label-column", "x"], WRONG_USE, "no points: --dask reads files, such as"),
        (["points-*.parquet"], WRONG_USE, "no labels: give --labels FILE or --label-column NAME"),
        ([*FILES, "--standardize"], WRONG_USE, "--standardize cannot be used with --dask; prepar"),
        ([*FILES, "--columns", "kind"], WRONG_USE, "kind cannot be a feature (--columns) and la"),
        (["a.parquet", "b.parquet"], WRONG_USE, "put a pattern of files into quotes, such as"),
        (["none-*.npy", "--label-column", "1"], CANNOT_SCORE, "POINTS: there is no file 'none-*"),
        (["both-*.npy", "--label-column", "9"], CANNOT_SCORE, "which are 1, 2, 3; got '9'."),
        (["labels.npy", "--label-column", "1"], CANNOT_SCORE, "holds no column besides those lef"),
        ([*FILES, "--metric", "manhattan"], CANNOT_SCORE, "--metric must be 'euclidean', 'sqeu"),
        ([*FILES, "--min-points", "999"], CANNOT_SCORE, "--min-points must be an integer from 1"),
        (
            ["points-*.parquet", "--labels", "labels.npy"],
            CANNOT_SCORE,
            "must hold real numbers; column 'kind' holds string. Name the columns that are featur",
        ),
        (
            ["points-0.parquet", "--labels", "labels.npy", "--drop", "kind"],
            CANNOT_SCORE,
            "--labels must hold one label per point: 25 points, 300 labels.",
        ),
    ],
)
def test_what_goes_wrong_is_said_in_one_line(
    folder: Path,
    cluster: Any,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    assert main(["score", "--scheduler", cluster.scheduler.address, *arguments]) == code
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err.splitlines()[-1]


def test_a_scheduler_that_does_not_answer(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(command, "_ANSWER", 0.2)
    assert main(["score", *FILES, "--scheduler", "tcp://127.0.0.1:9"]) == CANNOT_SCORE
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("disco: --scheduler tcp://127.0.0.1:9: no Dask scheduler answers")


def test_without_dask_its_extra_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["score", *FILES, "--dask"]) == CANNOT_SCORE
    assert capsys.readouterr().err == 'disco: --dask needs Dask: pip install "disco-cvi[dask]"\n'
