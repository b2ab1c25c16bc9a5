"""`disco compare`: labelings from files and columns, metrics, and what is said."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import disco_cvi
from disco_cvi.cli import main
from helpers.clustered_files import BENT, LABELS, X, write_lines

# --- compare and indices --------------------------------------------------------------------------


@pytest.fixture
def labelings(folder: Path) -> None:
    """Add a worse labeling, one of text, and a table with all of them."""
    halves = [0, 0, 1, 1, 0, 0, 1, 1, 0, 1]
    names = np.array(["left", "right", "noise"])[LABELS].tolist()
    rows = zip(X.tolist(), LABELS, halves, names, strict=True)
    write_lines("halves.csv", ["label", *map(str, halves)])
    write_lines("names.csv", ["label", *names])
    lines = [f"{x!r},{y!r},{good},{bad},{name}" for (x, y), good, bad, name in rows]
    write_lines("all.csv", ["x,y,good,bad,name", *lines])


def compare_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run `disco compare --json` and return what it prints."""
    assert main(["compare", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("labelings")
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["points.csv", "--labels", "labels.csv", "halves.csv"], ["labels", "halves"]),
        (["points.csv", "--labels", "labels.csv", "--labels", "halves.csv"], ["labels", "halves"]),
        (["points.csv", "--labels", "labels.csv", "halves.csv", "halves.csv"], None),
        (["points.csv", "--labels", "labels.npy", "./labels.csv"], ["labels.npy", "./labels.csv"]),
        (
            ["all.csv", "--label-column", "good", "--label-column", "4", "--drop", "name"],
            ["good", "4"],
        ),
        (
            ["points.csv", "--labels", "all.csv", "--label-column", "good", "--label-column=bad"],
            ["good", "bad"],
        ),
        (
            ["points.csv", "--labels", "all.csv", "table.csv", "--label-column", "3"],
            ["all", "table"],
        ),
        (["all.csv", "--label-column", "good", "bad", "--drop", "name"], ["good", "bad"]),
        (["--drop", "name", "bad", "all.csv", "--label-column", "good"], ["good"]),
        (["--json", "--drop=name", "--drop", "-2", "all.csv", "--label-column", "3"], ["3"]),
    ],
)
def test_compare_reads_labelings_from_files_and_columns(
    capsys: pytest.CaptureFixture[str], arguments: list[str], names: list[str] | None
) -> None:
    facts = compare_of(capsys, *arguments, "--indices", "disco")
    assert list(facts["labelings"]) == (names or ["labels", "halves"])
    first = next(iter(facts["labelings"].values()))
    assert first["values"][0]["value"] == disco_cvi.disco_score(X, LABELS)
    assert (first["n_clusters"], first["n_noise"]) == (2, 2)
    assert facts["truth"] is None


@pytest.mark.usefixtures("labelings")
def test_compare_reads_points_and_labels_from_standard_input_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.BytesIO(gzip.compress(Path("all.csv").read_bytes()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream, isatty=lambda: False))
    columns = ["--label-column", "good", "--label-column", "bad", "--truth-column", "name"]
    facts = compare_of(capsys, "-", *columns, "--indices", "disco")
    assert list(facts["labelings"]) == ["good", "bad"]
    good = facts["labelings"]["good"]["values"][0]["value"]
    assert good == disco_cvi.disco_score(X, LABELS)


@pytest.mark.usefixtures("labelings")
def test_compare_reads_folders_of_labels(capsys: pytest.CaptureFixture[str]) -> None:
    Path("runs").mkdir()
    Path("empty").mkdir()
    for name in ("b.csv", "a.csv", ".hidden.csv"):
        Path("runs", name).write_bytes(Path("labels.csv").read_bytes())
    arguments = ["points.csv", "--indices", "silhouette", "--labels"]
    assert list(compare_of(capsys, *arguments, "runs", "halves.csv")["labelings"]) == [
        "a",
        "b",
        "halves",
    ]
    assert main(["compare", *arguments, "empty"]) == 2
    assert "no labels: there are no files in empty." in capsys.readouterr().err


@pytest.mark.usefixtures("labelings")
def test_compare_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "points.csv", "--labels", "labels.csv"])  # compiles, which is said
    capsys.readouterr()
    arguments = ["points.csv", "--labels", "labels.csv", "halves.csv", "--indices"]
    assert main(["compare", *arguments, "disco,S_Dbw", "silhouette"]) == 0
    answer = capsys.readouterr()
    assert re.match(r"labeling +labels +halves\nclusters +2 +2\nnoise +2 +0\n", answer.out)
    assert re.search(r"\nDISCO +[-.0-9]+\* +[-.0-9]+\n", answer.out)
    assert "lower is better for S_Dbw" in answer.out
    assert answer.err == ""
    assert list(compare_of(capsys, *arguments, "disco", "all")["best"]) == [
        info.name for info in disco_cvi.available_indices()
    ]


@pytest.mark.usefixtures("labelings")
@pytest.mark.parametrize(
    ("noise", "sizes", "expected"),
    [
        ([], [2, 0], "disco: the cluster 'noise' is scored as a cluster; if it is noise, say "),
        (["--noise-label", "noise"], [0, 2], ""),
        (["--noise-label", "7"], [0, 0], "disco: no point has the noise label '7'.\n"),
        (["--noise-label", "none"], [0, 0], ""),
    ],
)
def test_compare_looks_for_noise_in_labels_of_every_type(
    capsys: pytest.CaptureFixture[str], noise: list[str], sizes: list[int], expected: str
) -> None:
    arguments = ["points.csv", "--labels", "labels.csv", "names.csv", "--indices", "silhouette"]
    assert main(["compare", *arguments, *noise, "--json"]) == 0
    answer = capsys.readouterr()
    facts = json.loads(answer.out)["labelings"]
    assert [labeling["n_noise"] for labeling in facts.values()] == sizes
    assert answer.err.startswith(expected)
    assert answer.err.count("\n") == bool(expected)


@pytest.mark.usefixtures("labelings")
def test_compare_takes_a_metric_and_min_points(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("points.npy", BENT)
    options = ["--metric", "manhattan", "--min-points", "2"]
    names = ["disco", "silhouette"]
    arguments = ["points.npy", "--labels", "labels.npy", "--indices", *names, *options]
    values = compare_of(capsys, *arguments)["labelings"]["labels"]["values"]
    found = {value["index"]: value["value"] for value in values}
    metric: dict[str, Any] = {"metric": "manhattan"}
    assert found == disco_cvi.evaluate(BENT, LABELS, names, min_points=2, **metric).scores
    assert found != disco_cvi.evaluate(BENT, LABELS, names, min_points=2).scores
    assert found != disco_cvi.evaluate(BENT, LABELS, names, **metric).scores


@pytest.mark.usefixtures("labelings")
@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        ([], 2, "no points: name their file first"),
        (["--labels", "labels.csv", "points.csv"], 2, "no points: name their file first"),
        (["points.npy"], 2, "no labels: give --labels FILE or --label-column NAME. See"),
        (["table.csv"], 2, "(table.csv has the columns x, y, cluster)"),
        (
            ["points.csv", "--labels", "labels.csv", "--indices", "gap"],
            2,
            "--indices must be among those that 'disco indices' lists; got 'gap'.",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "--indices", "silhuette"],
            2,
            "got 'silhuette'. Did you mean 'silhouette'? See",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "--metric", "manhatan"],
            2,
            "got 'manhatan'. Did you mean 'manhattan'? See",
        ),
        (["-", "--labels", "labels.csv", "-"], 2, "cannot both come from the standard input"),
        (["-", "--labels", "a.csv", "--truth", "-"], 2, "cannot both come from the standard input"),
        (["points.csv", "--labels", "nowhere.csv"], 1, "nowhere.csv: No such file"),
        (["points.csv", "--labels", "all.csv"], 1, "Choose it with --label-column."),
        (["table.csv", "--label-column", "team"], 1, "no column 'team'"),
        (
            ["points.csv", "--labels", "labels.csv", "--truth", "all.csv"],
            1,
            "Choose it with --truth-column.",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "half.csv"],
            1,
            "disco: labels of half.csv must be whole where they are numbers; got 0.5",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "--truth", "half.csv", "--truth-column", "1"],
            1,
            "disco: labels of --truth-column 1 must be whole where they are numbers; got 0.5",
        ),
    ],
)
def test_what_compare_cannot_do_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, expected: str
) -> None:
    write_lines("half.csv", ["0.5"] * len(X))
    assert main(["compare", *arguments]) == code
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.count("\n") == 1
    assert expected in answer.err
