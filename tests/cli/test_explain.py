"""`disco explain`: the words, the clusters, and the points of lowest score by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import disco_cvi
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X, write_lines

ALWAYS = ["--min-points", "2"]
NAMES = [f"row {letter}" for letter in "abcdefghij"]


@pytest.fixture
def named(folder: Path) -> None:
    """A table with names of rows, and labels of them in another order."""
    rows = [f"{name},{x},{y}" for name, (x, y) in zip(NAMES, X.tolist(), strict=True)]
    labels = [f"{name},{label}" for name, label in zip(NAMES, LABELS, strict=True)]
    write_lines("rows.csv", ["name,x,y", *rows])
    write_lines("other.csv", ["name,label", *reversed(labels)])


@pytest.mark.small
@pytest.mark.usefixtures("named")
def test_points_are_called_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["rows.csv", "--labels", "other.csv", "--id", "name", *ALWAYS]
    assert main(["explain", *arguments, "--worst", "3"]) == 0
    text = capsys.readouterr().out
    explanation = disco_cvi.explain(X, LABELS, min_points=2, row_names=NAMES)
    assert text.startswith(str(explanation).partition("\n\n")[0])
    shown = [line.split("  ")[1] for line in text.rpartition("the lowest first:\n")[2].splitlines()]
    assert shown == ["point", *(point.name for point in explanation.worst(3))]
    assert main(["explain", *arguments, "--worst", "3", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [point["name"] for point in facts["worst"]] == shown[1:]
    assert facts["score"] == explanation.score == disco_cvi.disco_score(X, LABELS, min_points=2)


@pytest.mark.small
@pytest.mark.usefixtures("named")
def test_rows_are_numbered_where_they_have_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "points.csv", "--labels", "labels.csv", *ALWAYS]) == 0
    text = capsys.readouterr().out
    assert "\n10 points of lowest score, the lowest first:\n  row " in text
    assert "Points with the lowest scores" not in text


@pytest.mark.small
@pytest.mark.usefixtures("named")
def test_names_lead_the_samples(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["rows.csv", "--labels", "other.csv", "--id", "name", *ALWAYS, "--samples"]
    assert main(["score", *arguments, "out.csv"]) == 0
    lines = Path("out.csv").read_text().splitlines()
    assert lines[0].startswith("name,score,cluster")
    assert [line.split(",")[0] for line in lines[1:]] == NAMES
    assert [line.split(",")[2] for line in lines[1:]] == [*"00001111", "", ""]
    assert main(["tune", "rows.csv", "--id", "1", *ALWAYS, "--no-null", "--out", "found.csv"]) == 0
    lines = Path("found.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["id", *NAMES]
