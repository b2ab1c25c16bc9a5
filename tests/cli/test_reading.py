"""What the commands say about files: rows that are joined, columns, layouts, the standard input."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import disco_cvi
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X, write_lines

ALWAYS = ["--min-points", "2"]


@pytest.fixture
def turned(folder: Path) -> None:
    """Points with ids, and a file of labels with the same ids in another order."""
    ids = [7, 3, 9, 1, 4, 8, 2, 6, 5, 10]
    rows = [f"{i},{x},{y}" for i, (x, y) in zip(ids, X.tolist(), strict=True)]
    labels = sorted(zip(ids, LABELS.tolist(), strict=True))
    write_lines("rows.csv", ["id,x,y", *rows])
    write_lines("turned.csv", ["id,cluster", *(f"{i},{label}" for i, label in labels)])
    write_lines("straight.csv", ["id,cluster", *map("{},{}".format, ids, LABELS)])


def facts_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run a command with --json and return what it prints."""
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def pipe(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    """Let the standard input hold these bytes."""
    stream = SimpleNamespace(buffer=io.BytesIO(raw), isatty=lambda: False)
    monkeypatch.setattr(sys, "stdin", stream)


# --- rows -----------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.usefixtures("turned")
def test_labels_in_another_order_are_joined_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    expected = disco_cvi.disco_score(X, LABELS, min_points=2)
    for name in ("turned.csv", "straight.csv"):
        facts = facts_of(capsys, "score", "rows.csv", "--labels", name, "--id", "id", *ALWAYS)
        assert facts["score"] == expected
    in_order = ["--drop", "id", "--label-column", "cluster"]
    facts = facts_of(capsys, "score", "rows.csv", "--labels", "straight.csv", *in_order, *ALWAYS)
    assert facts["score"] == expected


@pytest.mark.small
@pytest.mark.usefixtures("turned")
@pytest.mark.parametrize("drop", [["--drop", "id"], ["--columns", "x", "y"], []])
def test_labels_in_another_order_are_not_scored_silently(
    capsys: pytest.CaptureFixture[str], drop: list[str]
) -> None:
    arguments = ["rows.csv", "--labels", "turned.csv", "--label-column", "cluster", *drop]
    for command in ("score", "explain", "compare", "report"):
        assert main([command, *arguments]) == 1
        answer = capsys.readouterr()
        assert answer.out == ""
        assert answer.err.startswith(
            "disco: rows.csv and turned.csv both have column 'id', in another order: '1' is in "
            "line 2 of turned.csv and in line 5 of rows.csv. Join them with --id id."
        )
    assert not Path("report.html").exists()


@pytest.mark.small
@pytest.mark.usefixtures("turned")
@pytest.mark.parametrize("second", ["--labels straight.csv turned.csv", "--truth turned.csv"])
def test_files_of_labels_that_contradict_each_other_are_refused(
    capsys: pytest.CaptureFixture[str], second: str
) -> None:
    first = [] if second.startswith("--labels") else ["--labels", "straight.csv"]
    arguments = ["points.csv", *first, *second.split(), "--label-column", "cluster"]
    truth = ["--truth-column", "cluster"] if first else []
    assert main(["compare", *arguments, *truth, *ALWAYS]) == 1
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err == (
        "disco: straight.csv and turned.csv both have column 'id', in another order: '1' is in "
        "line 2 of turned.csv and in line 5 of straight.csv. Add the column to points.csv and "
        "join them with --id id.\n"
    )


@pytest.mark.small
@pytest.mark.usefixtures("turned")
def test_labels_without_ids_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "rows.csv", "--labels", "labels.csv", "--id", "id", *ALWAYS]) == 0
    assert capsys.readouterr().err == (
        "disco: labels.csv does not have column 'id': its rows were taken in the order of "
        "rows.csv.\n"
    )


@pytest.mark.usefixtures("turned")
def test_an_embedding_is_joined_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    rows = Path("rows.csv").read_text().splitlines()
    write_lines("turned_map.csv", [rows[0], *sorted(rows[1:])])
    write_lines("straight_map.csv", rows)
    pages = []
    for name in ("turned_map.csv", "straight_map.csv"):
        arguments = ["rows.csv", "--labels", "turned.csv", "--id", "id", "--embedding", name]
        assert main(["report", *arguments, *ALWAYS, "--indices", "disco", "-o", "page.html"]) == 0
        pages.append(Path("page.html").read_bytes())
    assert pages[0] == pages[1]
    arguments = ["rows.csv", "--drop", "id", "--labels", "labels.csv"]
    assert main(["report", *arguments, "--embedding", "turned_map.csv"]) == 1
    assert "in another order" in capsys.readouterr().err


# --- layouts and columns --------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    ("content", "options", "note"),
    [
        ("a;b;k\n1,5;2,5;0\n3,5;4,5;0\n9,5;8,5;1\n", [], "numbers have a decimal comma (1,5)"),
        ("a|b|k\n1.5|2.5|0\n3.5|4.5|0\n9.5|8.5|1\n", ["--sep", "|"], ""),
        ("a,é,k\n1.5,2.5,0\n3.5,4.5,0\n9.5,8.5,1\n", ["--encoding", "latin-1"], ""),
        ("a,t,b,k\n1.5,w,2.5,0\n3.5,w,4.5,0\n9.5,v,8.5,1\n", ["--columns", "a", "b"], ""),
        ("a,t,u,b,k\n1.5,w,w,2.5,0\n3.5,w,w,4.5,0\n9.5,v,w,8.5,1\n", ["--drop", "t", "u"], ""),
    ],
)
def test_every_layout_leads_to_the_same_score(
    folder: Path, capsys: pytest.CaptureFixture[str], content: str, options: list[str], note: str
) -> None:
    Path("odd.csv").write_bytes(content.encode("latin-1"))
    arguments = ["score", "odd.csv", *options, "--label-column", "k", *ALWAYS, "--json"]
    assert main(arguments) == 0
    answer = capsys.readouterr()
    points = np.array([[1.5, 2.5], [3.5, 4.5], [9.5, 8.5]])
    assert json.loads(answer.out)["score"] == disco_cvi.disco_score(points, [0, 0, 1], min_points=2)
    assert note in answer.err
    assert answer.err.count("\n") == bool(note)


@pytest.mark.small
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--sep", ".."], "disco score: --sep must be one character that no number holds"),
        (["--decimal", ";"], "disco score: --decimal must be one of ., ,; got ';'."),
        (["--sep", ",", "--decimal", ","], "--sep and --decimal cannot both be a comma"),
        (["--encoding", "latin"[::-1]], "--encoding must be one that Python knows"),
        (["--columns", "x", "--drop", "x"], "--columns names 'x' as a feature, and --drop"),
    ],
)
def test_wrong_words_about_files_are_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], expected: str
) -> None:
    assert main(["score", "points.csv", "--labels", "labels.csv", *options]) == 2
    answer = capsys.readouterr()
    assert answer.err.count("\n") == 1
    assert expected in answer.err


@pytest.mark.small
@pytest.mark.usefixtures("turned")
def test_columns_that_are_perhaps_no_features_are_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "rows.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    assert capsys.readouterr().err == (
        "disco: rows.csv: column 'id' looks like ids and is scored as a feature; if it names the "
        "rows, say --id id.\n"
    )


# --- the standard input ---------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.usefixtures("turned")
@pytest.mark.parametrize("packed", [False, True])
def test_points_or_labels_from_the_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    expected = disco_cvi.disco_score(X, LABELS, min_points=2)
    pack = gzip.compress if packed else bytes
    pipe(monkeypatch, pack(Path("rows.csv").read_bytes()))
    facts = facts_of(capsys, "score", "--labels", "turned.csv", "--id", "id", *ALWAYS)
    assert facts["score"] == expected
    pipe(monkeypatch, pack(Path("turned.csv").read_bytes()))
    facts = facts_of(capsys, "score", "rows.csv", "--labels", "-", "--id", "id", *ALWAYS)
    assert facts["score"] == expected


@pytest.mark.usefixtures("turned")
def test_several_columns_of_labels_from_the_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe(monkeypatch, "\n".join(["a,b", *(f"{label},0" for label in LABELS)]).encode())
    arguments = ["points.csv", "--labels", "-", "--label-column", "a", "b", "--indices", "disco"]
    facts = facts_of(capsys, "compare", *arguments)["labelings"]
    assert facts["a"]["values"][0]["value"] == disco_cvi.disco_score(X, LABELS)
    assert facts["b"]["n_clusters"] == 1
    with pytest.MonkeyPatch.context() as patch:
        pipe(patch, b"")
        assert main(["compare", *arguments, "--truth", "-"]) == 2
        assert "cannot both come from the standard input" in capsys.readouterr().err
