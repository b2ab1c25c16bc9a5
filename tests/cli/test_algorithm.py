"""`--algorithm approximate`: an approximate tree in place of the points."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from disco_cvi import DensityTree, disco_score
from disco_cvi.cli import main
from disco_cvi.selection import suggest
from helpers.clustered_files import LABELS, X

pytestmark = pytest.mark.small

FILES = ["points.csv", "--labels", "labels.csv", "--min-points", "2"]


@pytest.mark.parametrize("command", ["score", "explain"])
def test_one_labeling_is_scored_by_an_approximate_tree(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    asked = ["--algorithm", "approximate"]
    assert main([command, *FILES, *asked, "--json"]) == 0
    answer = capsys.readouterr()
    facts = json.loads(answer.out)
    tree = DensityTree(X, min_points=2, algorithm="approximate")
    assert facts["score"] == disco_score(tree, LABELS)
    assert facts["algorithm"] == "approximate"
    assert "the density tree is approximate" in answer.err
    assert main([command, *FILES, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["algorithm"] == "exact"


def test_a_report_of_an_approximate_tree_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *FILES, "--algorithm", "approximate", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    tree = DensityTree(X, min_points=2, algorithm="approximate")
    assert facts["score"] == disco_score(tree, LABELS)
    assert "approximate density tree" in json.dumps(facts)


def test_settings_are_suggested_from_an_approximate_tree(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--tree", "approximate", "--min-points", "2"]
    assert main(["tune", "points.csv", *asked, "--json"]) == 0
    answer = capsys.readouterr()
    facts = json.loads(answer.out)
    tree = DensityTree(X, min_points=2, algorithm="approximate")
    assert facts["score"] == suggest(tree).score
    assert "the density tree is approximate" in answer.err
    assert "that needs the points, not their tree" in facts["null_left_out"]
    names: dict[str, Any] = {}
    exec(facts["python"], names)
    assert names["tree"].algorithm == "approximate"
    assert (names["labels"] == suggest(tree).labels).all()
    assert main(["tune", "points.csv", *asked]) == 0
    assert "--algorithm approximate" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--algorithm", "aproximate"], "must be one of exact, approximate"),
        (["--algorithm", "approximate", "--dask"], "--dask makes exact trees only"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert main(["score", *FILES, *more]) == 2
    assert words in " ".join(capsys.readouterr().err.split())


def test_a_metric_that_cannot_be_approximated_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--algorithm", "approximate", "--metric", "manhattan"]
    assert main(["score", *FILES, *asked]) == 1
    assert "--metric must be 'euclidean'" in capsys.readouterr().err
