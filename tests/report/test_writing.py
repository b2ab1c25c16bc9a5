"""The page of a report: whole, safe, the same every time, and readable without its script."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from disco_cvi import DensityTree, InvalidInputError, explain
from disco_cvi.report import write_report
from helpers.html_reader import Reader, text_of
from helpers.toy_report import HOSTILE, decode, hostile_labels, report_facts, toy_points

X, LABELS = toy_points()
QUICK: dict[str, Any] = {"indices": ["disco", "pair"]}


def page_of(folder: Path, points: Any = X, labels: Any = LABELS, **options: Any) -> str:
    path = folder / "report.html"
    write_report(points, labels, path, **{**QUICK, **options})
    return path.read_bytes().decode("utf-8")


def hostile_page(folder: Path) -> str:
    many = toy_points(300)
    names = hostile_labels(many[1])
    labelings = {HOSTILE[0]: names, HOSTILE[2]: [HOSTILE[1]] * 300}
    return page_of(
        folder,
        many[0],
        labelings,
        title=HOSTILE[0],
        row_names=[HOSTILE[row % len(HOSTILE)] for row in range(300)],
        noise_label="noise",
        date=HOSTILE[2],
    )


def harmless_page(folder: Path) -> str:
    """The same page with plain names."""
    many = toy_points(300)
    names = ["noise" if code < 0 else f"cluster {code}" for code in many[1].tolist()]
    labelings = {"several": names, "one": ["one"] * 300}
    rows = [f"row {row}" for row in range(300)]
    return page_of(
        folder, many[0], labelings, title="plain", row_names=rows, noise_label="noise", date="today"
    )


def inside(page: str, tag: str, which: int = 0) -> str:
    """What stands between the tags of an element."""
    found = re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL)
    return str(found[which])


# --- what it holds --------------------------------------------------------------------------------


def test_the_page_says_what_the_facts_say(tmp_path: Path) -> None:
    page = page_of(tmp_path, title="Customers", date="5 May 2026")
    shown, facts = text_of(page), report_facts(X, LABELS, **QUICK)
    assert f"{facts['score']:.3f} DISCO score {facts['verdict']}" in shown
    for line in facts["look_at_next"]:
        assert line in shown
    assert f"Pair score {facts['pair_score']:.3f}" in shown
    assert facts["computed"]["data"]["sha256"] in shown
    assert "on 5 May 2026" in shown
    assert "Comparison of labelings" not in shown
    assert inside(page, "title").startswith("Customers: DISCO 0.")


def test_what_is_written_is_also_returned(tmp_path: Path) -> None:
    assert write_report(X, LABELS, tmp_path / "a.html", **QUICK) == report_facts(X, LABELS, **QUICK)


def test_labelings_are_compared(tmp_path: Path) -> None:
    labelings = {"good": LABELS, "mixed": np.arange(len(X)) % 3}
    shown = text_of(page_of(tmp_path, labels=labelings, truth=LABELS))
    assert "Comparison of labelings" in shown
    assert "this page shows good" in shown
    assert "ARI AMI" in shown


def test_a_score_that_rests_on_little_says_so(tmp_path: Path) -> None:
    shown = text_of(page_of(tmp_path, labels=np.where(LABELS < 0, -1, 0)))
    assert "The score rests on little. Cluster 0 holds all clustered points." in shown


def test_points_of_the_map_are_those_that_were_given(tmp_path: Path) -> None:
    page, facts = page_of(tmp_path), explain(X, LABELS).points
    known = json.loads(inside(page, "script", 0))
    columns = decode(known["columns"], inside(page, "script", 1))
    assert known["count"] == len(X)
    assert np.array_equal(columns["score"], facts.score.astype(np.float32))
    assert np.array_equal(columns["label"], LABELS)
    spans = np.ptp(X, axis=0)
    assert np.ptp(columns["x"]) / np.ptp(columns["y"]) == pytest.approx(spans[0] / spans[1])
    is_noise = LABELS < 0
    first = np.where(is_noise, facts.rho_sparse, facts.compactness).astype(np.float32)
    assert np.array_equal(columns["first"], first, equal_nan=True)


def test_more_points_than_the_map_holds_are_a_sample_and_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi.report.map.choose_rows.__defaults__", (150,))
    page = page_of(tmp_path, row_names=[f"r{row}" for row in range(len(X))])
    known = json.loads(inside(page, "script", 0))
    columns = decode(known["columns"], inside(page, "script", 1))
    assert "The map shows 150 of 200 points" in text_of(page)
    assert "all numbers are of all points" in text_of(page)
    assert known["count"] == len(columns["row"]) == 150
    assert [f"r{row}" for row in columns["row"]] == known["rows"].split("\n")
    # The worst points are in the sample, and their buttons lead to them.
    for point in report_facts(X, LABELS, **QUICK)["worst"]:
        place = columns["row"].tolist().index(point["row"])
        assert f'data-point="{place}" disabled>{point["row"]}</button>' in page


def test_very_long_row_names_are_kept_for_the_worst_points_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("disco_cvi.report.map._NAME_BYTES", 100)
    monkeypatch.setattr("disco_cvi.report.map._NAMED_WORST", 25)
    page = page_of(tmp_path, row_names=[f"name {row}" for row in range(len(X))])
    rows = json.loads(inside(page, "script", 0))["rows"].split("\n")
    worst = [point.row for point in explain(X, LABELS).worst(25)]
    assert {row for row, name in enumerate(rows) if name} == set(worst)


# --- safety ---------------------------------------------------------------------------------------


def test_the_policy_allows_the_style_and_the_script_of_the_page_alone(tmp_path: Path) -> None:
    page = hostile_page(tmp_path)
    (policy,) = (tag["content"] for tag in Reader(page).of("meta") if tag.get("http-equiv", ""))
    for kind, content in (("style", inside(page, "style")), ("script", inside(page, "script", 2))):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert len(re.findall(r"<script", page)) == 3
    assert len(re.findall(r"<style", page)) == 1


def test_hostile_names_are_text(tmp_path: Path) -> None:
    page = hostile_page(tmp_path)
    read = Reader(page)
    # What is named like an element of the page is one that the template has.
    assert {tag for tag, _ in read.tags} == {tag for tag, _ in Reader(harmless_page(tmp_path)).tags}
    assert [tag for tag in read.of("img") if not tag["src"].startswith("data:image/png")] == []
    assert not [name for _, tag in read.tags for name in tag if name.startswith("on")]
    shown = " ".join(read.texts)
    for name in HOSTILE[:4]:
        assert name.replace("\u202e", "\\u202e") in shown  # it would turn all that follows
    assert "\u202e" not in page
    known = json.loads(inside(page, "script", 0))
    assert known["names"][0] in {name.replace("\n", "\ufffd") for name in HOSTILE}
    assert "\u202e" not in "".join(known["names"])


def test_nothing_is_loaded_and_no_style_is_inside_a_tag(tmp_path: Path) -> None:
    page = page_of(tmp_path, labels={"a": LABELS, "b": np.arange(len(X)) % 3})
    read = Reader(page)
    assert not re.search(r"https?:", page)
    assert not re.search(r"url\((?!#)", page)
    for _, attributes in read.tags:
        assert "style" not in attributes
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("#", "data:image/png"))


def test_drawings_are_colored_without_the_style_too(tmp_path: Path) -> None:
    for tag, attributes in Reader(page_of(tmp_path)).tags:
        if tag in ("rect", "path", "text", "line", "polyline", "circle"):
            assert {"fill", "stroke"} & set(attributes), attributes


# --- reading --------------------------------------------------------------------------------------


def test_tables_and_headings_are_made_for_readers_of_screens(tmp_path: Path) -> None:
    page = page_of(tmp_path, labels={"a": LABELS, "b": np.arange(len(X)) % 3}, truth=LABELS)
    read = Reader(page)
    ids = [tag["id"] for _, tag in read.tags if "id" in tag]
    assert len(ids) == len(set(ids))
    named = [tag[name] for _, tag in read.tags for name in tag if name.startswith("aria-labelled")]
    targets = [tag["href"][1:] for tag in read.of("a")]
    assert {*named, *targets} <= set(ids)
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert len(read.of("caption")) == len(read.of("table"))
    assert all("scope" in tag for tag in read.of("th"))
    assert all(tag.get("alt") for tag in read.of("img"))
    for tag in read.of("svg"):
        assert tag.get("aria-hidden") or (tag["role"] == "img" and tag["aria-label"])
    assert read.of("html") == [{"lang": "en"}]


def test_cells_carry_exact_numbers_to_sort_by(tmp_path: Path) -> None:
    values = re.findall(r'<td data-value="([^"]*)"', page_of(tmp_path))
    assert values
    assert all(value == "" or np.isfinite(float(value)) for value in values)
    scores = [repr(float(cluster.mean_score)) for cluster in explain(X, LABELS).clusters]
    assert set(scores) <= set(values)


def test_without_script_nothing_promises_what_it_cannot_do(tmp_path: Path) -> None:
    read = Reader(page_of(tmp_path))
    waiting = [tag for _, tag in read.tags if "data-script" in tag]
    assert waiting
    assert all("hidden" in tag for tag in waiting)
    outside = [tag for tag in read.of("button") if "data-cluster" in tag or "data-point" in tag]
    assert all("disabled" in tag for tag in outside)
    assert "hidden" not in next(tag for tag in read.of("img") if tag["id"] == "picture")


# --- every kind of input --------------------------------------------------------------------------


def twice(*values: float) -> NDArray[np.float64]:
    return np.repeat(np.array(values), 6).reshape(-1, 1)


@pytest.mark.parametrize(
    ("points", "labels"),
    [
        pytest.param([[1.0, 2.0]], [0], id="one point"),
        pytest.param(X, [0] * len(X), id="one cluster"),
        pytest.param(X, [-1] * len(X), id="all noise"),
        pytest.param(X, list(range(len(X))), id="every point alone"),
        pytest.param(X[:, :1], LABELS, id="one feature"),
        pytest.param(X * [1e300, 1e-300], LABELS, id="far apart scales"),
        pytest.param(np.zeros((20, 2)), [0] * 10 + [1] * 10, id="one place"),
        pytest.param(twice(0.0, 5.0), [0] * 6 + [1] * 6, id="copies"),
        pytest.param(toy_points(80, 10)[0], toy_points(80, 10)[1], id="ten features"),
    ],
)
def test_every_input_has_a_page(tmp_path: Path, points: Any, labels: Any) -> None:
    page = page_of(tmp_path, points, labels)
    assert 'id="canvas"' in page
    assert "nan" not in text_of(page).lower().split()
    block = json.loads(inside(page, "script", 0))
    columns = decode(block["columns"], inside(page, "script", 1))
    assert np.abs(columns["x"]).max() <= 1
    assert np.abs(columns["y"]).max() <= 1


@pytest.mark.parametrize("given", ["distances", "tree"])
def test_without_places_there_is_no_map_but_the_line_comes_first(
    tmp_path: Path, given: str
) -> None:
    from scipy.spatial.distance import cdist

    points: Any = DensityTree(X) if given == "tree" else cdist(X, X)
    options: dict[str, Any] = {} if given == "tree" else {"metric": "precomputed"}
    page = page_of(tmp_path, points, LABELS, **options)
    assert 'id="canvas"' not in page
    assert 'data-cluster="' not in page
    shown = page_of(tmp_path, points, LABELS, embedding=X, **options)
    assert 'id="canvas"' in shown
    with pytest.raises(InvalidInputError, match="embedding of write_report must hold one row per"):
        write_report(points, LABELS, tmp_path / "b.html", embedding=X[1:], **options)


# --- files ----------------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    code = """
import sys
from disco_cvi.report import write_report
from helpers.toy_report import hostile_labels, toy_points
X, labels = toy_points(120)
names = hostile_labels(labels)
labelings = {"a": names, "b": names[::-1]}
write_report(X, labelings, sys.argv[1], noise_label="noise", indices=["disco"], row_names=names)
"""
    pages = []
    for seed in ("1", "2"):
        path = tmp_path / seed / "report.html"
        path.parent.mkdir()
        search = os.pathsep.join(sys.path)
        subprocess.run(
            [sys.executable, "-c", code, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": search},
            check=True,
        )
        pages.append(path.read_bytes())
    assert pages[0] == pages[1]
    assert b"\r" not in pages[0]
    assert str(tmp_path).encode() not in pages[0]


@pytest.mark.parametrize(("n_points", "most"), [(2_000, 500_000), (100_000, 5_000_000)])
def test_pages_are_small(tmp_path: Path, n_points: int, most: int) -> None:
    points, labels = toy_points(n_points)
    path = tmp_path / "report.html"
    write_report(points, labels, path, **QUICK, row_names=[f"row {row}" for row in range(n_points)])
    assert path.stat().st_size <= most


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("report.txt", "path of write_report must end in .html; got 'report.txt'"),
        ("missing/report.html", "missing/report.html cannot be written: there is no folder"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused_before_the_work(path: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        write_report(X, LABELS, path)
    with pytest.raises(TypeError, match="path of write_report must be a path; got 5"):
        write_report(X, LABELS, 5)  # type: ignore[arg-type]


def test_a_page_that_fails_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_text("before")

    def fail(*_: Any) -> str:
        raise OSError("no space")

    monkeypatch.setattr("disco_cvi.report.writing.page_text", fail)
    with pytest.raises(OSError, match="no space"):
        write_report(X, LABELS, path, **QUICK)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("missing", ["jinja2", "matplotlib"])
def test_a_missing_package_is_said_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setattr(
        "disco_cvi.report.writing.find_spec", lambda name: None if name == missing else True
    )
    message = f"write_report needs {missing}, which is not installed. Run 'pip install"
    with pytest.raises(ImportError, match=message):
        write_report(X, LABELS, tmp_path / "report.html")


def test_a_title_and_a_date_are_text() -> None:
    with pytest.raises(TypeError, match="title of write_report must be text; got 5"):
        write_report(X, LABELS, "report.html", title=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="date of write_report must be text; got 5"):
        report_facts(X, LABELS, date=5)
