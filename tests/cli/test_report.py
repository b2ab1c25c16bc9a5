"""`disco report`: a page from files, and its facts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import disco_cvi
from disco_cvi.cli import main
from helpers.clustered_files import LABELS, X, write_lines
from helpers.toy_report import report_facts

ALWAYS = ["--min-points", "2", "--indices", "disco", "pair"]


@pytest.fixture
def halves(folder: Path) -> list[int]:
    """Another labeling, in a file."""
    labels = [0, 0, 1, 1, 0, 0, 1, 1, 0, 1]
    write_lines("halves.csv", ["label", *map(str, labels)])
    return labels


def test_a_page_and_where_it_is(halves: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["points.csv", "--labels", "labels.csv", "halves.csv", "--title", "<Wells> & more"]
    assert main(["report", *arguments, *ALWAYS]) == 0
    answer = capsys.readouterr()
    assert answer.out.splitlines()[-1] == f"The report is {Path('report.html').resolve().as_uri()}"
    assert answer.err == ""
    page = Path("report.html").read_text()
    assert "&lt;Wells&gt; &amp; more" in page
    assert "halves" in page
    score = disco_cvi.disco_score(X, LABELS, min_points=2)
    assert answer.out.startswith(f"DISCO score {score:.3f}. ")


def test_facts(halves: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["points.csv", "--labels", "labels.csv", "halves.csv", "--truth", "labels.npy"]
    assert main(["report", *arguments, *ALWAYS, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert not Path("report.html").exists()
    labelings = {"labels": LABELS, "halves": halves}
    expected = report_facts(
        X,
        labelings,
        title="points.csv",
        truth=LABELS,
        indices=["disco", "pair"],
        min_points=2,
        n_jobs=-1,
    )
    assert facts == json.loads(json.dumps(expected))
    assert main(["report", *arguments, *ALWAYS, "--json", "-o", "page.html"]) == 0
    answer = capsys.readouterr()
    assert json.loads(answer.out) == facts
    assert answer.err == "disco: wrote a report to page.html.\n"
    assert Path("page.html").exists()


def test_an_embedding(halves: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    np.save("plane.npy", X[:, ::-1])
    arguments = ["points.csv", "--labels", "labels.csv", *ALWAYS, "--embedding"]
    assert main(["report", *arguments, "plane.npy"]) == 0
    capsys.readouterr()
    assert main(["report", *arguments, "labels.npy"]) == 1
    assert capsys.readouterr().err == (
        "disco: --embedding must hold two columns and one row per point (10); labels.npy holds 1 "
        "columns and 10 rows.\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-o", "page.pdf"], 2, "page.pdf must end in .html, .htm, which names its format"),
        (["-o", "no/page.html"], 2, "no/page.html cannot be written: there is no folder"),
        (["--indices", "silhuette"], 2, "Did you mean 'silhouette'? See 'disco report --help'."),
        (["--about", "nobody"], 1, "--about must"),
        (["--truth", "nowhere.csv"], 1, "nowhere.csv: No such file"),
    ],
)
def test_failures_end_in_one_line(
    halves: list[int],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    assert main(["report", "points.csv", "--labels", "labels.csv", *ALWAYS, *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*.html"))
