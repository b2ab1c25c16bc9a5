from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest

import disco_cvi
from disco_cvi import cli
from disco_cvi.cli import main
from disco_cvi.datasets import three_rings

X = np.array([[0.0], [1], [2], [3], [20], [22], [24], [26], [60], [90]]) * [[1.0, 10.0]]
LABELS = np.array([0, 0, 0, 0, 1, 1, 1, 1, -1, -1])
BENT = np.column_stack([X[:, 0], 20 * np.sin(X[:, 0])])  # no two metrics see it alike
ALWAYS = ["--min-points", "2"]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compile the kernels before anything is expected of the error stream, where that is said."""
    disco_cvi.explain(X, LABELS, min_points=2)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the same points and labels in several files."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{x!r},{y!r}" for x, y in X.tolist()]
    names = np.array(["left", "right", "noise"])[LABELS]
    write_lines("points.csv", ["x,y", *rows])
    write_lines("labels.csv", ["label", *map(str, LABELS)])
    write_lines("table.csv", ["x,y,cluster", *map("{},{}".format, rows, LABELS)])
    write_lines("named.csv", ["x,y,kind", *map("{},{}".format, rows, names)])
    np.save("points.npy", X)
    np.save("labels.npy", LABELS)
    return tmp_path


def write_lines(name: str, lines: list[str]) -> None:
    Path(name).write_text("\n".join(lines) + "\n")


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


@pytest.mark.parametrize("metric", ["manhattan", "cosine"])
def test_other_metrics(folder: Path, capsys: pytest.CaptureFixture[str], metric: str) -> None:
    np.save("points.npy", X + [[1, 0]])
    facts = score_of(capsys, "points.npy", "--labels", "labels.npy", "--metric", metric)
    expected = disco_cvi.disco_score(X + [[1, 0]], LABELS, min_points=2, metric=metric)
    assert facts["score"] == expected


def test_parameters_of_a_metric(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("points.npy", BENT)
    options = ["--metric", "minkowski", "--metric-params", '{"p": 3}']
    facts = score_of(capsys, "points.npy", "--labels", "labels.npy", *options)
    expected = disco_cvi.disco_score(
        BENT, LABELS, min_points=2, metric="minkowski", metric_params={"p": 3}
    )
    assert facts["score"] == expected
    assert facts["score"] != disco_cvi.disco_score(BENT, LABELS, min_points=2)


# --- what is printed ------------------------------------------------------------------------------


@pytest.mark.small
def test_the_answer_is_that_of_explain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "points.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    answer = capsys.readouterr()
    assert answer.out.startswith(str(disco_cvi.explain(X, LABELS, min_points=2)))
    assert "--samples samples.csv" in answer.out
    assert answer.err == ""


@pytest.mark.small
def test_json_has_stable_keys_and_no_nan(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines("labels.csv", ["-1"] * 10)
    facts = score_of(capsys, "points.csv", "--labels", "labels.csv")
    assert list(facts) == [
        "score",
        "n_points",
        "n_clusters",
        "n_noise",
        "min_points",
        "metric",
        "clusters",
        "noise",
        "noise_label",
        "standardized",
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
def test_what_the_reader_guessed_is_noted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = Path("table.csv").read_text().splitlines()[1:]
    write_lines("table.csv", [",x,y,cluster", *(f"{i},{line}" for i, line in enumerate(lines))])
    assert main(["score", "table.csv", "--label-column", "cluster", *ALWAYS]) == 0
    assert "counts the rows" in capsys.readouterr().err


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


def test_samples_as_parquet(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    score_of(capsys, "points.csv", "--labels", "labels.csv", "--samples", "out.parquet")
    table = parquet.read_table("out.parquet").to_pydict()
    assert table["score"] == disco_cvi.disco_samples(X, LABELS, min_points=2).tolist()
    assert table["cluster"] == [0, 0, 0, 0, 1, 1, 1, 1, None, None]
    assert table["rho_far"][:8] == [None] * 8


def test_nothing_is_scored_when_samples_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi.results.explanation.explain", fail)
    arguments = ["score", "points.csv", "--labels", "labels.csv", "--samples"]
    assert main([*arguments, "out.doc"]) == 2
    assert main([*arguments, "no/such/out.csv"]) == 2
    assert capsys.readouterr().out == ""


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["scor"], "invalid choice: 'scor'"),
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
        (
            ["score", "table.csv", "--label-column", "3", "--metric-params", "3"],
            "--metric-params: must be a JSON object, {...}; got '3'",
        ),
        (
            ["score", "table.csv", "--label-column", "3", "--metric-params", '{"p": 3}'],
            "--metric-params must hold nothing only for the metric 'euclidean'; got {'p': 3}. See",
        ),
        (["score", "points.csv", "--labels"], "--labels: expected one argument"),
        (["score", "points.csv", "--labels", "labels.csv", "--what"], "unrecognized arguments"),
        (["score", "points.csv", "--labels", "labels.csv", "--min", "3"], "unrecognized arguments"),
        (["score", "points.csv", "labels.csv", "--label-column", "1"], "unrecognized arguments"),
        *(
            (["score", "points.csv", "--labels", "labels.csv", option, value], f"got {value!r}")
            for option, value in [
                ("--min-points", "0"),
                ("--min-points", "-1"),
                ("--min-points", "2.5"),
                ("--min-points", "many"),
                ("--jobs", "0"),
            ]
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
    assert re.fullmatch(r"disco( score)?: .*--help'\.\n", answer.err)
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
            "disco: --min-points must be an integer from 1 to the number of points (10); got 11.",
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


def fail(*_: object, **__: object) -> NoReturn:
    raise AssertionError


@pytest.mark.small
@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "disco: interrupted\n"),
        (MemoryError(), 1, "disco: the memory of this machine does not suffice\n"),
        (disco_cvi.InvalidInputError("two\nlines"), 1, "disco: two lines\n"),
    ],
)
def test_interrupts_and_failures_end_in_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: int,
    message: str,
) -> None:
    def stop(*_: object, **__: object) -> NoReturn:
        raise error

    monkeypatch.setattr("disco_cvi.results.explanation.explain", stop)
    assert main(["score", "points.csv", "--labels", "labels.csv"]) == code
    assert capsys.readouterr() == ("", message)


@pytest.mark.parametrize("path", sorted(Path(cli.__file__).parent.rglob("*.py")), ids=str)
def test_messages_are_worded_from_fields_and_not_repaired(path: Path) -> None:
    text = path.read_text()
    assert "re.sub" not in text
    assert "str(error).replace" not in text


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
def test_compare_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
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
    "arguments",
    [
        ["points.csv", "--labels", "labels.csv", "--truth", "names.csv"],
        ["all.csv", "--label-column", "good", "--drop", "bad", "--truth-column", "name"],
        ["points.csv", "--labels", "labels.csv", "--truth", "all.csv", "--truth-column", "name"],
    ],
)
def test_compare_with_a_truth_of_text(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    facts = compare_of(capsys, *arguments, "--indices", "silhouette")
    (agreement,) = facts["truth"].values()
    expected = disco_cvi.compare(X, {"good": LABELS}, "silhouette", truth=LABELS)
    assert expected.truth == {"good": agreement}


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
    options = ["--metric", "minkowski", "--metric-params", '{"p": 3}', "--min-points", "2"]
    names = ["disco", "silhouette"]
    arguments = ["points.npy", "--labels", "labels.npy", "--indices", *names, *options]
    values = compare_of(capsys, *arguments)["labelings"]["labels"]["values"]
    found = {value["index"]: value["value"] for value in values}
    metric: dict[str, Any] = {"metric": "minkowski", "metric_params": {"p": 3}}
    assert found == disco_cvi.evaluate(BENT, LABELS, names, min_points=2, **metric).scores
    assert found != disco_cvi.evaluate(BENT, LABELS, names, min_points=2).scores
    assert found != disco_cvi.evaluate(BENT, LABELS, names, **metric).scores


@pytest.mark.usefixtures("labelings")
def test_compare_checks_every_labeling_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from disco_cvi._input import labels

    check, checked = labels._as_column, []

    def count_checks(given: object, argument: str, caller: str) -> Any:
        checked.append(argument)
        return check(given, argument, caller)

    monkeypatch.setattr(labels, "_as_column", count_checks)
    assert main(["compare", "points.csv", "--labels", "labels.csv", "--truth", "labels.npy"]) == 0
    assert checked == ["labels of labels.csv", "labels of labels.npy"]


@pytest.mark.usefixtures("labelings")
@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        ([], 2, "no points: name their file first"),
        (["--labels", "labels.csv", "points.csv"], 2, "no points: name their file first"),
        (["points.npy"], 2, "no labels: give --labels FILE ... or --label-column NAME. See"),
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
        (["-", "--label-column", "1"], 2, "not from the standard input"),
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


@pytest.mark.small
def test_indices_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["indices"]) == 0
    table = capsys.readouterr().out
    names = [line.split()[0] for line in table.splitlines()]
    assert names == ["name", *(info.name for info in disco_cvi.available_indices())]
    assert main(["indices", "--references"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(table)
    assert all(info.reference in text for info in disco_cvi.available_indices())


# --- the command as a whole -----------------------------------------------------------------------


@pytest.mark.small
def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"disco-cvi {disco_cvi.__version__}\n"
    assert main(["--help"]) == 0
    assert "disco score points.csv --labels labels.csv" in capsys.readouterr().out
    assert main(["score", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "DISCO depends on the scale of the features" in text
    assert main([]) == 2
    assert "examples:" in capsys.readouterr().err


def test_demo_scores_both_labelings_and_fits_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    text = capsys.readouterr().out
    rings = three_rings()
    good = disco_cvi.disco_score(rings.points, rings.good_labels)
    bad = disco_cvi.disco_score(rings.points, rings.bad_labels)
    assert (round(good, 4), round(bad, 4)) == (0.5229, -0.0077)
    assert re.search(rf"DISCO +{good:.3f} +{bad:.3f} +by rings\n", text)
    assert re.search(r"silhouette +-0\.146 +0\.378 +by k-means\n", text)
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()
    assert main(["demo"]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize(
    ("started", "on_path", "expected"),
    [
        (".venv/bin/disco", "elsewhere", ".venv/bin/disco"),
        (".venv/bin/disco", ".venv/bin", "disco"),
        ("my env/bin/disco", "elsewhere", "'my env/bin/disco'"),
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
    assert main(["demo"]) == 0
    assert f"\n  {expected} score points.csv --labels labels.csv\n" in capsys.readouterr().out


def test_demo_says_what_scikit_learn_says(capsys: pytest.CaptureFixture[str]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    assert main(["demo"]) == 0
    rings = three_rings()
    good = metrics.silhouette_score(rings.points, rings.good_labels)
    bad = metrics.silhouette_score(rings.points, rings.bad_labels)
    assert f"silhouette {good:.3f} {bad:.3f}" in " ".join(capsys.readouterr().out.split())


def run_python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        **options,
    )


def test_a_process_of_its_own(folder: Path) -> None:
    arguments = ["-m", "disco_cvi", "score", "--label-column", "cluster", *ALWAYS, "--json"]
    done = run_python(*arguments, input=Path("table.csv").read_text())
    assert done.returncode == 0
    assert json.loads(done.stdout)["score"] == disco_cvi.disco_score(X, LABELS, min_points=2)
    done = run_python(*arguments, input="x,cluster\n1,2\n3,\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("disco: standard input: column 'cluster' holds no label in 1 row")


def test_scoring_a_file_loads_neither_scikit_learn_nor_pandas(folder: Path) -> None:
    code = (
        "import sys; from disco_cvi.cli import main; "
        "code = main(['score', 'points.csv', '--labels', 'labels.csv']); "
        "print(code, [m for m in ('sklearn', 'pandas', 'pyarrow', 'narwhals') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout.endswith("0 []\n")


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["demo"]])
def test_a_closed_pipe_is_no_complaint(arguments: list[str], unbuffered: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "disco_cvi", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        # Kernels may be compiled here for the first time, which is said and no complaint.
        assert re.fullmatch(rb"(disco-cvi: compiling .*\n)?", process.stderr.read())
        # argparse keeps quiet about a help that nobody reads.
        assert process.wait(timeout=60) in (0, 141)
