"""`disco score`: what is scored, printed and written, and what goes wrong."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import disco_cvi
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X, write_lines

ALWAYS = ["--min-points", "2"]


def score_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run `disco score --json` and return what it prints."""
    assert main(["score", *arguments, *ALWAYS, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


# --- what is scored -------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["points.csv", "--labels", "labels.csv"], id="two files"),
        pytest.param(["table.csv", "--label-column", "cluster"], id="name of column"),
        pytest.param(["table.csv", "--label-column", "3"], id="number of column"),
        pytest.param(["table.csv", "--label-column", "-1"], id="last column"),
        pytest.param(["table.csv", "--label-column=-1"], id="last column, joined"),
        pytest.param(["points.npy", "--labels", "labels.npy"], id="arrays"),
        pytest.param(["points.npy", "--labels", "table.csv", "--label-column", "cluster"]),
        pytest.param(["table.csv", "--drop", "cluster", "--labels", "labels.npy"], id="drop"),
        pytest.param(["named.csv", "--label-column", "kind", "--noise-label", "noise"], id="text"),
        pytest.param(["points.csv", "--labels", "labels.csv", "--noise-label", "-1"], id="number"),
        pytest.param(["points.csv", "--labels", "labels.csv", "--noise-label=-1.0"], id="float"),
        pytest.param(["points.csv", "--labels", "labels.csv", "--jobs", "1"], id="one thread"),
        pytest.param(["points.csv", "--labels", "labels.csv", "--metric", "euclidean"]),
    ],
)
def test_score_is_that_of_the_library(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    facts = score_of(capsys, *arguments)
    assert facts["score"] == disco_cvi.disco_score(X, LABELS, min_points=2)
    assert (facts["n_points"], facts["n_clusters"], facts["n_noise"]) == (10, 2, 2)


@pytest.mark.small
def test_points_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in (["-", "--label-column", "cluster"], ["--label-column", "cluster"]):
        stream = io.BytesIO(Path("table.csv").read_bytes())
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream, isatty=lambda: False))
        facts = score_of(capsys, *arguments)
        assert facts["score"] == disco_cvi.disco_score(X, LABELS, min_points=2)


@pytest.mark.small
def test_noise_label_none_makes_a_cluster_of_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = score_of(capsys, "points.csv", "--labels", "labels.csv", "--noise-label", "none")
    assert facts["n_clusters"] == 3
    assert facts["noise_label"] is None
    assert facts["score"] == disco_cvi.disco_score(X, LABELS, min_points=2, noise_label=None)


@pytest.mark.small
def test_noise_label_is_compared_as_the_file_writes_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines("labels.csv", ["a", "a", "a", "a", "b", "b", "b", "b", "-1", "-1"])
    assert score_of(capsys, "points.csv", "--labels", "labels.csv")["n_noise"] == 2
    facts = score_of(capsys, "points.csv", "--labels", "labels.csv", "--noise-label", "b")
    assert facts["n_noise"] == 4
    np.save("labels.npy", LABELS == 1)
    facts = score_of(capsys, "points.csv", "--labels", "labels.npy", "--noise-label", "True")
    assert (facts["n_noise"], facts["noise_label"]) == (4, True)


@pytest.mark.small
def test_standardize(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("points.npy", np.column_stack([X, np.full(10, 0.1)]))
    facts = score_of(capsys, "points.npy", "--labels", "labels.npy", "--standardize")
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    assert facts["standardized"] is True
    expected = disco_cvi.disco_score(scaled, LABELS, min_points=2)
    assert facts["score"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.small
def test_precomputed_distances(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("distances.npy", np.abs(X[:, :1] - X[:, :1].T))
    facts = score_of(capsys, "distances.npy", "--labels", "labels.npy", "--metric", "precomputed")
    assert facts["score"] == disco_cvi.disco_score(X[:, :1], LABELS, min_points=2)


@pytest.mark.small
def test_one_distance_per_pair(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("pairs.npy", pdist(X[:, :1]))
    facts = score_of(capsys, "pairs.npy", "--labels", "labels.npy", "--metric", "precomputed")
    assert facts["score"] == disco_cvi.disco_score(X[:, :1], LABELS, min_points=2)
    np.save("pairs.npy", pdist(X)[:-1])
    arguments = ["pairs.npy", "--labels", "labels.npy", "--metric", "precomputed"]
    assert main(["score", *arguments]) == 1
    assert "or hold one distance for each pair of points" in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["manhattan", "cosine"])
def test_other_metrics(folder: Path, capsys: pytest.CaptureFixture[str], metric: str) -> None:
    np.save("points.npy", X + [[1, 0]])
    facts = score_of(capsys, "points.npy", "--labels", "labels.npy", "--metric", metric)
    expected = disco_cvi.disco_score(X + [[1, 0]], LABELS, min_points=2, metric=metric)
    assert facts["score"] == expected


# --- what is printed ------------------------------------------------------------------------------


@pytest.mark.small
def test_the_answer_is_that_of_explain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "points.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    answer = capsys.readouterr()
    assert answer.out.startswith(str(disco_cvi.explain(X, LABELS, min_points=2)))
    assert "--samples samples.csv" in answer.out
    assert answer.err == ""


@pytest.mark.small
def test_a_score_that_rests_on_little_is_flagged(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines("labels.csv", ["0"] * 9 + ["-1"])
    assert main(["score", "points.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "rests on little. Cluster 0 holds all clustered points. The clusters tell no" in shown
    assert "To choose between labelings, use the pair score (pair_score, compare)." in shown
    facts = score_of(capsys, "points.csv", "--labels", "labels.csv")
    assert (facts["pair_score"], facts["clusters"][0]["earned"]) == (0, 0)
    assert [flag["name"] for flag in facts["flags"]] == ["giant cluster", "few pairs"]


@pytest.mark.small
def test_json_has_stable_keys_and_no_nan(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines("labels.csv", ["-1"] * 10)
    facts = score_of(capsys, "points.csv", "--labels", "labels.csv")
    assert list(facts) == [
        "score",
        "pair_score",
        "told_apart",
        "n_points",
        "n_clusters",
        "n_noise",
        "min_points",
        "metric",
        "clusters",
        "noise",
        "flags",
        "worst",
        "noise_label",
        "standardized",
        "algorithm",
    ]
    assert facts["score"] == -1
    assert facts["noise_label"] == -1


@pytest.mark.small
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            ["named.csv", "--label-column", "kind"],
            "disco: the cluster 'noise' is scored as a cluster; if it is noise, say "
            "--noise-label noise.",
        ),
        (
            ["table.csv", "--label-column", "cluster", "--noise-label", "9"],
            "disco: no point has the noise label '9'.",
        ),
        (
            ["table.csv", "--label-column", "cluster", "--noise-label", "noise"],
            "disco: no point has the noise label 'noise'.",
        ),
        (["named.csv", "--label-column", "kind", "--noise-label", "none"], ""),
    ],
)
def test_noise_that_is_probably_meant_otherwise_is_noted(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    assert main(["score", *arguments, *ALWAYS]) == 0
    assert capsys.readouterr().err.strip() == expected


@pytest.mark.small
def test_labels_left_among_the_features_are_noted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = (
        "disco: table.csv: column 'cluster' equals the labels and is scored as a feature; "
        "if it holds the labels, leave it out with --drop cluster.\n"
    )
    assert main(["score", "table.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    assert capsys.readouterr().err == expected
    arguments = ["--labels", "labels.csv", "--truth", "labels.npy", "--indices", "silhouette"]
    assert main(["compare", "table.csv", *arguments]) == 0
    assert capsys.readouterr().err == expected
    np.save("table.npy", np.column_stack([X, LABELS]))
    assert main(["score", "table.npy", "--labels", "labels.csv", *ALWAYS]) == 0
    assert "column 3 equals the labels" in capsys.readouterr().err
    # Labels that tell nothing apart say nothing about the column.
    write_lines("table.csv", [f"{i * i},0" for i in range(10)])
    write_lines("labels.csv", ["0"] * 10)
    assert main(["score", "table.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    assert capsys.readouterr().err == ""


# --- samples --------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize("name", ["out.csv", "out.tsv", "out.csv.gz", "out.npy"])
def test_samples_hold_one_score_per_point(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["score", "points.csv", "--labels", "labels.csv", *ALWAYS, "--samples", name]) == 0
    expected = disco_cvi.disco_samples(X, LABELS, min_points=2)
    if name.endswith(".npy"):
        scores = np.load(name)
    else:
        separator = "\t" if "tsv" in name else ","
        scores = np.loadtxt(name, delimiter=separator, skiprows=1, usecols=0)
    assert np.array_equal(scores, expected)
    answer = capsys.readouterr()
    assert answer.err == f"disco: wrote 10 rows to {name}.\n"
    assert "--samples" not in answer.out


def fail(*_: object, **__: object) -> NoReturn:
    raise AssertionError


def test_nothing_is_scored_when_samples_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi.results.explanation.explain", fail)
    arguments = ["score", "points.csv", "--labels", "labels.csv", "--samples"]
    assert main([*arguments, "out.doc"]) == 2
    assert main([*arguments, "no/such/out.csv"]) == 2
    assert main([*arguments, "labels.csv"]) == 2
    assert main([*arguments[:-1], "--plot", "map.gif"]) == 2
    assert capsys.readouterr().out == ""


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["scor"], "no such command: 'scor'. Did you mean 'score'? See 'disco --help'."),
        (["score", "points.npy"], "no labels: give --labels FILE or --label-column NAME. See"),
        (["score", "nowhere.csv"], "no labels: give --labels FILE or --label-column NAME. See"),
        (["score", "table.csv"], "(table.csv has the columns x, y, cluster)"),
        (
            ["score", "table.csv", "--label-column", "3", "--metric", "cosin"],
            "got 'cosin'. Did you mean 'cosine'? See 'disco score --help'.",
        ),
        (
            ["score", "table.csv", "--label-column", "3", "--metric", "l7"],
            "--metric must be one of",
        ),
        (["score", "points.csv", "--labels"], "--labels needs a value: --labels FILE. See"),
        (
            ["score", "points.csv", "--labels", "--json"],
            "--labels needs a value: --labels FILE. See",
        ),
        (
            ["score", "points.csv", "--labels", "labels.csv", "--what"],
            "no such option: --what. See",
        ),
        (
            ["score", "points.csv", "--labels", "labels.csv", "--min-point", "3"],
            "no such option: --min-point. Did you mean '--min-points'? See 'disco score --help'.",
        ),
        (["score", "points.csv", "--labels", "labels.csv", "--min", "3"], "no such option: --min"),
        (
            ["score", "points.csv", "labels.csv"],
            "unexpected argument 'labels.csv'; labels are named by --labels labels.csv. See",
        ),
        (
            ["score", "points.csv", "--labels", "labels.csv", "a.csv"],
            "unexpected argument 'a.csv'. See",
        ),
        *(
            (["score", "points.csv", "--labels", "labels.csv", option, value], f"got {value!r}")
            for option, value in [
                ("--min-points", "0"),
                ("--min-points", "-1"),
                ("--min-points", "2.5"),
                ("--min-points", "many"),
                ("--min-points", "3:2"),
                ("--min-points", "1:2:3:4"),
                ("--jobs", "0"),
            ]
        ),
        (
            ["score", "points.csv", "--labels", "labels.csv", "--min-points", "1,0"],
            "must be a whole number of at least 1; got '1,0'",
        ),
        (
            ["explain", "points.csv", "--labels", "labels.csv", "--min-points", "1:2"],
            "must be a whole number of at least 1; got '1:2'",
        ),
        (["score", "-", "--labels", "-"], "cannot both come from the standard input"),
        (
            ["score", "points.csv", "--labels", "labels.csv", "--standardize"]
            + ["--metric", "precomputed"],
            "--standardize is for features",
        ),
    ],
)
def test_wrong_use_is_one_line_and_code_2(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    expected: str,
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: False))
    assert main(arguments) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert re.fullmatch(r"disco( score| explain)?: .*--help'\.\n", answer.err)
    assert expected in answer.err


@pytest.mark.small
def test_points_are_not_awaited_from_a_keyboard(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert main(["score", "--label-column", "1"]) == 2
    assert "no points: name a file" in capsys.readouterr().err


@pytest.mark.small
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nowhere.csv", "--labels", "labels.csv"], "nowhere.csv: No such file or directory"),
        (["points.csv", "--labels", "nowhere.csv"], "nowhere.csv: No such file or directory"),
        ([".", "--labels", "labels.csv"], ".: Is a directory"),
        (["table.csv", "--label-column", "team"], "no column 'team'. Its columns: x, y, cluster"),
        (["named.csv", "--labels", "labels.csv"], "column 'kind' is not numeric"),
        (["points.csv", "--labels", "short.csv"], "10 points, 2 labels in short.csv"),
        (
            ["points.csv", "--labels", "fractions.csv"],
            "labels of fractions.csv must be whole where they are numbers; got 0.5",
        ),
        (
            ["half.csv", "--label-column", "half"],
            "labels of --label-column half must be whole where they are numbers; got 0.5",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "--min-points", "11"],
            "11",
        ),
        (
            ["points.csv", "--labels", "labels.csv", "--metric", "precomputed"],
            "POINTS must be square",
        ),
    ],
)
def test_data_that_cannot_be_scored_is_one_line_and_code_1(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], expected: str
) -> None:
    write_lines("short.csv", ["0", "1"])
    write_lines("fractions.csv", ["0.5"] * 10)
    write_lines("half.csv", ["x,half", *(f"{i * i},0.5" for i in range(10))])
    assert main(["score", *arguments]) == 1
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.startswith("disco: ")
    assert answer.err.count("\n") == 1
    assert expected in answer.err
    assert "explain" not in answer.err
