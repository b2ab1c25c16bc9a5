"""`disco tune`: what is suggested, printed and written, and what goes wrong."""

from __future__ import annotations

import io
import json
import re
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from disco_cvi._input.points import standardize
from disco_cvi.cli import main, output
from disco_cvi.selection import suggest
from helpers.clustered_files import X, write_lines

ALWAYS = ["--min-points", "2"]


def facts_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """Run `disco tune --json` and return what it prints."""
    assert main(["tune", *arguments, *ALWAYS, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def text_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["tune", *arguments, *ALWAYS]) == 0
    return capsys.readouterr().out


# --- what is suggested --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["points.csv"], ["points.npy"], ["table.csv", "--drop", "3"]]
)
@pytest.mark.parametrize("algorithm", ["auto", "dbscan", "hdbscan"])
def test_suggestion_is_that_of_the_library(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], algorithm: str
) -> None:
    facts = facts_of(capsys, *arguments, "--algorithm", algorithm)
    expected = suggest(X, algorithm=algorithm, min_points=2).to_dict(labels=False)
    own = {"python", "source", "standardized"}
    assert {name: facts[name] for name in facts if name not in own} == {
        name: value for name, value in json.loads(json.dumps(expected)).items() if name not in own
    }
    assert facts["python"].endswith(expected["python"])


@pytest.mark.small
def test_options_reach_the_library(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    null = facts_of(capsys, "points.csv", "--jobs", "1")["null"]
    assert null == facts_of(capsys, "points.csv")["null"]
    plain = facts_of(capsys, "points.csv", "--no-null", "--metric", "manhattan")
    assert plain["null"] is None
    assert plain["null_left_out"].endswith("was not asked: --no-null.")
    assert plain["metric"] == "manhattan"
    scaled = facts_of(capsys, "points.csv", "--standardize", "--no-null")
    assert scaled["standardized"]
    expected = suggest(standardize(X), min_points=2, n_null=0)
    assert scaled["eps_range"] == list(expected.eps_range)


@pytest.mark.small
def test_points_from_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("points.csv").read_bytes())))
    facts = facts_of(capsys)
    assert facts["n_points"] == 10
    assert facts["python"].startswith("import disco_cvi  # X: the points\nlabels = ")


# --- what is printed ----------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    "arguments",
    [
        ["points.csv"],
        ["points.npy"],
        ["points.csv", "--standardize"],
        ["points.parquet"],
    ],
)
def test_text_ends_with_python_that_does_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    frame = pd.DataFrame(X, columns=["x", "y"])
    frame.to_parquet("points.parquet")
    text = text_of(capsys, *arguments, "--no-null", "--out", "found.npy")
    assert text.startswith(("Take DBSCAN(eps=", "Take HDBSCAN(min_cluster_size="))
    _, _, code = text.partition("In Python:\n")
    names: dict[str, Any] = {}
    exec("\n".join(line.strip() for line in code.splitlines()), names)
    assert np.array_equal(names["labels"], np.load("found.npy"))


@pytest.mark.small
def test_text_says_where_to_look_next(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--drop", "cluster", "--standardize", "--no-null"]
    text = " ".join(text_of(capsys, "table.csv", *options).split())
    score = "disco score table.csv --labels labels.csv --drop cluster --standardize"
    assert f"see what each cluster is worth by: {score} --min-points 2." in text
    assert "Add --report report.html for a page with figures; add --out labels.csv" in text


@pytest.mark.small
def test_hints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines("wide.csv", ["x,y,class", *(f"{x},{50 * y},{x > 10:d}" for x, y in X.tolist())])
    assert main(["tune", "wide.csv", *ALWAYS, "--no-null"]) == 0
    told = capsys.readouterr().err
    assert "column 'class' looks like labels and is scored as a feature" in told
    assert "the features differ in scale, by a factor of" in told
    assert main(["tune", "wide.csv", *ALWAYS, "--no-null", "--drop", "3", "--standardize"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.small
def test_nothing_to_find(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("same.npy", np.ones((9, 2)))
    assert text_of(capsys, "same.npy").startswith("Take none: ")


# --- what is written ----------------------------------------------------------------------------


class Reader(HTMLParser):
    """Collects tags with their attributes; all must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "img", "wbr"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


@pytest.mark.small
def test_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--out", "found.csv", "--plot", "curve.svg", "--report", "page.html"]
    assert main(["tune", "points.csv", *ALWAYS, *files]) == 0
    told = capsys.readouterr()
    notes = ["10 labels to found.csv", "a figure to curve.svg", "a page to page.html"]
    assert re.findall(r"disco: wrote (.*)\.", told.err) == notes
    assert "add --out" not in told.out.lower()
    labels = pd.read_csv("found.csv")["label"].tolist()
    assert labels == suggest(X, min_points=2).labels.tolist()
    assert Path("curve.svg").read_text().startswith("<?xml")
    page = Path("page.html").read_text()
    images = [attributes for tag, attributes in Reader(page).tags if tag == "img"]
    assert len(images) == 2
    assert all((image["src"] or "").startswith("data:image/png;base64,") for image in images)
    assert "http:" not in page
    assert "https:" not in page
    before = {path: Path(path).read_bytes() for path in ("curve.svg", "page.html")}
    assert main(["tune", "points.csv", *ALWAYS, *files]) == 0
    assert {path: Path(path).read_bytes() for path in before} == before


def test_hint_on_text_names_options_of_this_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines("named.csv", ["x,y,name", *(f"{x},{y},a" for x, y in X.tolist())])
    assert main(["tune", "named.csv"]) == 1
    assert capsys.readouterr().err.endswith(
        "with --drop name, or say --id name if it names the rows.\n"
    )


# --- what goes wrong ----------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--plot", "curve.gif"], 2, "curve.gif must end in .png, .svg, .pdf, which names its"),
        (["--report", "page.pdf"], 2, "page.pdf must end in .html, .htm, which names its"),
        (["--out", "labels.xls"], 2, "labels.xls must end in .csv, .tsv"),
        (["--out", "./points.csv"], 2, "./points.csv would overwrite points.csv, which is read."),
        (["--plot", "no/curve.png"], 2, "no/curve.png cannot be written: there is no folder"),
        (
            ["--algorithm", "optics"],
            2,
            "--algorithm must be one of auto, dbscan, hdbscan; got 'optics'",
        ),
        (["--metric", "euclidian"], 2, "Did you mean 'euclidean'?"),
        (["--min-points", "99"], 1, "--min-points must be an integer from 1 to the number of"),
        (["--drop", "z"], 1, "points.csv"),
    ],
)
def test_failures_end_in_one_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    assert main(["tune", "points.csv", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*.png"))


@pytest.mark.small
@pytest.mark.parametrize(
    ("package", "option", "extra"),
    [
        ("matplotlib", ["--plot", "curve.png"], "plots"),
        ("matplotlib", ["--report", "page.html"], "report"),
        ("jinja2", ["--report", "page.html"], "report"),
    ],
)
def test_missing_packages_are_told_before_the_work(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    package: str,
    option: list[str],
    extra: str,
) -> None:
    monkeypatch.setattr(
        output, "find_spec", lambda name: None if name == package else find_spec(name)
    )
    assert main(["tune", "points.csv", *option]) == 1
    told = f'disco: {option[0]} needs {package}: pip install "disco-cvi[{extra}]"\n'
    assert capsys.readouterr() == ("", told)
