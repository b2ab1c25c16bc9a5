"""Drawings of a report: what they show, and that they stay small."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, explain
from disco_cvi.plots.bars import ScoreBarsDisplay
from disco_cvi.plots.eps import EpsCurveDisplay
from disco_cvi.plots.line import DensityLineDisplay
from disco_cvi.plots.noise import NoiseDisplay
from disco_cvi.plots.style import LIGHT
from disco_cvi.report.charts import bars, density_line, eps_curve, noise, ruler, strip
from disco_cvi.report.svg import element
from helpers.html_reader import Reader, text_of
from helpers.toy_report import hostile_labels, toy_points

X, LABELS = toy_points()
MINUS = "\N{MINUS SIGN}"


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


def test_the_ruler_marks_the_score() -> None:
    marks = {score: Reader(ruler(score)).of("path")[0]["d"] for score in (-1.0, 0.0, 1.0)}
    assert [numbers(mark)[0] for mark in marks.values()] == [20, 200, 380]
    assert f"{MINUS}0.500 marked" in ruler(-0.5)


def test_bars_have_a_block_for_each_cluster_and_the_noise() -> None:
    explanation = explain(X, LABELS)
    svg = bars(ScoreBarsDisplay.from_explanation(explanation))
    shown = text_of(svg)
    for cluster in explanation.clusters:
        row = f"{cluster.size:,} {cluster.mean_score:z.3f}".replace("-", MINUS)
        assert f"{cluster.name} {row}" in shown
    assert f"noise {explanation.noise.size}" in shown
    places = [place for tag in Reader(svg).of("path") for place in numbers(tag["d"])[::2]]
    assert 150 <= min(places) <= max(places) <= 670


@pytest.mark.parametrize("n_points", [200, 12_000])
def test_noise_is_counted_in_its_zones(n_points: int) -> None:
    display = NoiseDisplay.from_predictions(*toy_points(n_points))
    svg = noise(display)
    for name, count in zip(
        ("rightly noise", "dense, but apart", "joined to a cluster"), display.counts, strict=True
    ):
        assert f"{name} {count:,}" in text_of(svg)
    assert bool(Reader(svg).of("rect")) == (n_points > 8000)
    assert len(svg) < 100_000


def test_eps_curves_end_where_the_view_ends_and_have_few_corners() -> None:
    display = EpsCurveDisplay.from_predictions(*toy_points(5000))
    svg = eps_curve(display)
    curves = Reader(svg).of("polyline")
    assert [curve["class"] for curve in curves] == ["dotted", "curve", "curve", "curve"]
    for curve in curves:
        across = numbers(curve["points"])[::2]
        assert (across[0], across[-1]) == (70, 800)
        assert across == sorted(across)
        assert len(across) <= 4 * 731
    best = display.best
    assert f"best: {best.score:.3f} at eps" in text_of(svg)
    assert f"{best.n_clusters} clusters" in text_of(svg)


@pytest.mark.parametrize("distance", [-20, -13, -3, 0, 3, 13, 20])
def test_names_of_the_curves_do_not_touch(distance: float, monkeypatch: pytest.MonkeyPatch) -> None:
    display = EpsCurveDisplay.from_predictions(X, LABELS)
    # The panel of the scores is 150 high, for a span of 1.
    eps, score = display.curve("score")
    known, disco = display.curve, (eps, np.append(score[:-1], score[-1] + distance / 150))
    monkeypatch.setattr(display, "curve", lambda name: disco if name == "disco" else known(name))
    found = re.findall(r'y="([\d.]+)"[^>]*>(pair score|DISCO)<', eps_curve(display))
    heights = {name: float(y) for y, name in found}
    assert abs(heights["pair score"] - heights["DISCO"]) >= 15
    assert distance == 0 or (heights["DISCO"] < heights["pair score"]) == (distance > 0)


@pytest.mark.parametrize(("level", "shift"), [(0.0, 13), (1.0, -4)])
def test_the_score_of_the_labels_stands_where_there_is_room(level: float, shift: float) -> None:
    svg = eps_curve(EpsCurveDisplay(DensityTree(X).eps_path(), level))
    text = re.search(r'y="([\d.]+)" text-anchor="start">these labels', svg)
    dashed = next(line for line in Reader(svg).of("line") if "stroke-dasharray" in line)
    assert text
    assert float(text[1]) == pytest.approx(float(dashed["y1"]) + shift, abs=0.1)


def test_ticks_are_not_cut() -> None:
    for svg in (
        eps_curve(EpsCurveDisplay.from_predictions(X, LABELS)),
        bars(ScoreBarsDisplay.from_predictions(X, LABELS)),
    ):
        ticks = [text for text in Reader(svg).texts if re.fullmatch(rf"{MINUS}?\d\.\d", text)]
        assert len(ticks) == len(set(ticks)) >= 3


def test_eps_without_any_cluster_has_no_best() -> None:
    tree = DensityTree(np.zeros((8, 2)))
    assert "best:" not in eps_curve(EpsCurveDisplay(tree.eps_path(), 0.0))


def test_the_line_has_every_label_where_it_is() -> None:
    tree = DensityTree(X)
    display = DensityLineDisplay.from_tree(tree, LABELS)
    svg = density_line(display)
    runs = display.runs(display.columns(800))
    looks = [tag["class"] for tag in Reader(svg).of("path")]
    assert looks == ["noise" if run.code < 0 else f"label-{run.code}" for run in runs]
    assert "bar for noise" in svg
    many = toy_points(6000)
    assert len(density_line(DensityLineDisplay.from_predictions(*many))) < 40_000


def test_copies_alone_have_a_flat_line() -> None:
    tree = DensityTree(np.zeros((8, 2)))
    svg = density_line(DensityLineDisplay.from_tree(tree, [0] * 8))
    assert "nan" not in svg


def test_strips_count_on_both_sides_of_0() -> None:
    svg = strip(np.array([-0.9, -0.9, 0.0, 0.9]))
    bars_of: list[dict[str, Any]] = Reader(svg).of("rect")
    assert [bar["class"] for bar in bars_of] == ["below", "above", "above"]
    assert [bar["height"] for bar in bars_of] == ["26", "18.4", "18.4"]


def test_names_in_drawings_are_text() -> None:
    names = hostile_labels(LABELS)
    explanation = explain(X, names, noise_label="noise")
    tree = DensityTree(X)
    drawn = (
        bars(ScoreBarsDisplay.from_explanation(explanation)),
        density_line(DensityLineDisplay.from_tree(tree, names, noise_label="noise")),
    )
    for svg in drawn:
        assert {tag for tag, _ in Reader(svg).tags} <= {"svg", "rect", "path", "text", "line"}


def test_every_class_has_its_color_as_an_attribute() -> None:
    for code, color in enumerate(LIGHT.labels):
        assert Reader(element("rect", f"label-{code}")).of("rect")[0]["fill"] == color
