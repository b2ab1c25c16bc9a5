"""What fuzzing found: odd values give the documented error, which names the argument."""

from __future__ import annotations

import json
import math
import pickle
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.utils.parallel import Parallel

import disco_cvi
from disco_cvi import DensityTree, compare, exceptions, explain
from disco_cvi import plots as typed_plots
from disco_cvi._input.options import check_jobs, check_number
from disco_cvi.cluster import DensityDBSCAN, DensityHDBSCAN
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.plots.eps import Span
from disco_cvi.report import write_report
from disco_cvi.report.svg import log_steps
from disco_cvi.selection import ClusteringSearch, search, suggest

# Called with what no type allows.
public: Any = disco_cvi
plots: Any = typed_plots

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [8.0, 8.0], [8.0, 9.0], [9.0, 8.0]])
LABELS = [0, 0, 0, 1, 1, 1]
LINE = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [40.0]])
OF_LINE = [0, 0, 0, 1, 1, 1, -1]
FLAG = np.array([1.5, 0.0])
# Beyond all floats, and beyond what Python writes.
HUGE, UNWRITTEN = 10**400, 10**5000
LARGEST = sys.float_info.max
RECORDS = np.zeros(6, dtype=[("a", int)])


def tree() -> Any:
    return DensityTree(LINE, min_points=2)


def facts() -> Any:
    return explain(LINE, OF_LINE, min_points=2)


def disco(**given: Any) -> Any:
    return public.disco_score(**{"X": X, "labels": LABELS, "min_points": 2, **given})


def searched(**given: Any) -> Any:
    grid = {"min_points": [2]}
    made: Any = ClusteringSearch(DensityDBSCAN(min_points=2), grid, min_points=2)
    return made.set_params(**given).fit(LINE)


def decimals(text: str) -> list[Decimal]:
    return [Decimal(text), Decimal(1), Decimal(3)]


NO_TREES: list[Any] = [{}, 3]

# A call, and what the message says.
REFUSED: list[tuple[Callable[[], Any], str]] = [
    # numbers beyond all floats, and without words
    *[
        (lambda v=v: check_number(v, "eps", "cut"), "eps of cut must be a finite number")
        for v in (HUGE, -HUGE, Fraction(HUGE))
    ],
    *[
        (lambda v=v: disco(metric=lambda _x, _y: v), "metric of disco_score, .*could not be comp")
        for v in (HUGE, Fraction(HUGE))
    ],
    (lambda: public.viasckde_score(X, LABELS, bandwidth=HUGE), "bandwidth of viasckde_score must"),
    (
        lambda: disco(metric="minkowski", metric_params={"w": [HUGE, 1]}),
        "metric_params of disco_score: w must be an array",
    ),
    (lambda: disco(min_points=-UNWRITTEN), "min_points of disco_score .* got <int>"),
    (
        lambda: disco(labels=[UNWRITTEN] * 3 + [1] * 3),
        "labels of disco_score must be integers that",
    ),
    (lambda: public.mmj_sc_score(LINE, OF_LINE, noise=UNWRITTEN), "noise of "),
    (lambda: tree().eps_for_clusters(UNWRITTEN), "k of "),
    (lambda: public.cvdd_score(LINE, OF_LINE, n_neighbors=UNWRITTEN), "n_neighbors of "),
    (lambda: public.evaluate(LINE, OF_LINE, [UNWRITTEN]), "indices of "),
    (lambda: public.suggest(LINE, n_null=10**20), "n_null of suggest must be .* from 0 to 1000000"),
    *[
        (
            lambda name=name: searched(**{name: UNWRITTEN}),
            f"{name} of ClusteringSearch .* got <int>",
        )
        for name in ("n_iter", "min_points", "error_score", "verbose")
    ],
    (lambda: searched(verbose=-1), "verbose of ClusteringSearch must be"),
    # kinds of numbers and containers
    *[
        (
            lambda t=t: disco(X=[[d] for d in decimals(t)], labels=[0, 0, 1]),
            "X of disco_score holds N",
        )
        for t in ("nan", "snan")
    ],
    *[
        (
            lambda t=t: disco(X=X[:3], labels=decimals(t)),
            "labels of disco_score must be complete; 1",
        )
        for t in ("nan", "snan")
    ],
    (
        lambda: disco(labels=np.ma.array(RECORDS, mask=[True] + [False] * 5)),
        "labels of disco_score must be integers",
    ),
    *[
        (lambda m=m: disco(X=np.ma.array(RECORDS, mask=m)), "X of disco_score must be two-dimensio")
        for m in (True, False)
    ],
    (lambda: tree().distance([[0, 1], [2]], 1), "i of distance cannot be made an array"),
    (lambda: tree().distance(1, [[0, 1], [2]]), "j of distance cannot be made an array"),
    (lambda: tree().distance([0, 1, 2], [0, 1]), r"j of distance must .* got shape \(2,\)"),
    *[
        (
            lambda v=v: public.cvnn_indices(LINE, v),
            "labelings of cvnn_indices must be a list, the lab",
        )
        for v in (-1, "labels", None, {"a": OF_LINE}, np.array(3))
    ],
    (
        lambda: public.cvnn_indices(LINE, [OF_LINE, [0]]),
        r"labelings\[1\] of cvnn_indices.*7 points, 1 lab",
    ),
    (
        lambda: compare(LINE, {"a": OF_LINE}, indices=np.array(3)),
        "indices of compare must be 'all'",
    ),
    *[
        (
            lambda g=g: DensityTree(LINE, algorithm="approximate", graph=g),
            "graph of DensityTree must be",
        )
        for g in ([[0, 1], [2]], [[10**40, 1], [2, 3]])
    ],
    (
        lambda: DensityTree.from_spanning_tree([0], [1], [1.6], [1, 2], min_points=2),
        "first, second and heights of from_spanning_tree",
    ),
    *[
        (
            lambda o=o: disco(labels=np.full(6, 0x110000, f"{o}u4").view(f"{o}U1")),
            "labels of disco_score must hold text of Unicode",
        )
        for o in "<>"
    ],
    # results
    *[(lambda v=v: facts().to_frame(v), "what of ") for v in (UNWRITTEN, LINE)],
    *[(lambda v=v: facts().to_frame(backend=v), "backend of ") for v in (UNWRITTEN, LINE)],
    (lambda: facts().plot([1]), "kind of "),
    (lambda: facts().to_dict(points=FLAG), "points of .* must be True or False; got array"),
    (
        lambda: public.suggest(LINE, n_null=0).to_dict(labels=FLAG),
        "labels of .* must be True or False; g",
    ),
    (
        lambda: public.compare(LINE, {"a": OF_LINE}, progress=FLAG),
        "progress of .* must be True or F",
    ),
    (
        lambda: public.report.write_report(LINE, {"a": OF_LINE}, "a.html", about=[1], min_points=2),
        "about of write_report must be text; got .1. .list.",
    ),
    # plots
    *[
        (lambda n=n, s=s: getattr(plots, n)(X, LABELS, size=s), f"size of {n} must be a")
        for n in ("labels_map", "pointwise_map")
        for s in (0, -1.0, True, "2", [1, 2], math.nan, HUGE)
    ],
    *[
        (
            lambda v=v: plots.score_curve([1, 2], {"a": [1, 2]}, legend=v),
            "legend of score_curve must be one of 'right'",
        )
        for v in (np.zeros(2), ["right"], 1, "left")
    ],
    *[
        (
            lambda v=v: plots.score_curve([1, 2], {"a": [1, 2]}, colors=v),
            "colors of score_curve must",
        )
        for v in ("red", ["red"], 5, {1: "red"}, {"a": "no color"}, {"a": 5}, FLAG)
    ],
    *[
        (lambda v=v: plots.pointwise_map(X, v), "samples of pointwise_map .*(real numbers|64-bit)")
        for v in ([HUGE] * 6, [1j] * 6, np.zeros(6, complex))
    ],
    # Without a warning.
    (
        lambda: plots.pointwise_map(X, [math.nan] * 6),
        "samples of pointwise_map must lie .* got NaN",
    ),
    (
        lambda: plots.pointwise_map([[0.0, 1.0]], [0.0], colorbar=FLAG),
        "colorbar of .* must be True",
    ),
    (
        lambda: plots.score_curve([1, 2], {"a": [0.0, 1.0]}, mark_best=FLAG),
        "mark_best of .* must be True or False",
    ),
    *[(lambda v=v: plots.DensityLineDisplay.from_tree(v), "tree of ") for v in NO_TREES],
    (lambda: plots.DensityLineDisplay.from_tree(tree()).columns(1e-3), "most of "),
    (lambda: plots.DensityLineDisplay.from_tree(tree()).runs([]), "columns of "),
    (lambda: plots.EpsCurveDisplay.from_path(tree().eps_path()).curve("eps"), "values of "),
    (lambda: plots.EpsCurveDisplay.from_path(tree().eps_path()).stretches(-1), "n_clusters of "),
    *[
        (lambda v=v: plots.NoiseDisplay.from_explanation(facts()).count_cells(v), "n_cells of ")
        for v in ("x", 3)
    ],
    (lambda: plots.PointwiseMapDisplay.from_explanation(facts()).pixels(-(2**70)), "width of "),
]


@pytest.mark.parametrize("message", dict.fromkeys(message for _, message in REFUSED))
def test_odd_values_are_refused_by_name(message: str) -> None:
    for call in (call for call, said in REFUSED if said == message):
        with pytest.raises((InvalidInputError, InvalidTypeError), match=f"^{message}"):
            call()


# --- numbers and threads --------------------------------------------------------------------------


@pytest.mark.parametrize("n_jobs", [2**63, HUGE])
def test_more_threads_than_any_system_has_are_as_many_as_help(n_jobs: int) -> None:
    assert 64 <= check_jobs(n_jobs, "f") < 2**20
    assert disco(n_jobs=n_jobs) == disco()


@pytest.mark.parametrize(
    "estimator",
    [DensityDBSCAN(), DensityHDBSCAN(), ClusteringSearch(DensityDBSCAN(), {"eps": [1.0, 2.0]})],
)
def test_threads_that_no_estimator_could_show_are_refused(estimator: Any) -> None:
    for number in (UNWRITTEN, -UNWRITTEN):
        estimator = clone(estimator).set_params(min_points=2, n_jobs=number)
        with pytest.raises(InvalidInputError, match=r"^n_jobs of .* at most 4300 .* got <int>"):
            estimator.fit(LINE)
    estimator.set_params(n_jobs=10**4299).fit(LINE)  # as many as help
    assert "n_jobs=1000" in repr(estimator)


def test_a_search_starts_no_more_processes_than_it_has_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int | None] = []

    def parallel(n_jobs: int | None, **options: Any) -> Any:
        asked.append(n_jobs)
        return Parallel(n_jobs=1, **options)

    monkeypatch.setattr(search, "Parallel", parallel)
    for n_jobs in (100, None, -1):
        grid = {"min_points": [2, 3]}
        ClusteringSearch(DensityDBSCAN(), grid, n_jobs=n_jobs, min_points=2).fit(LINE)
    assert asked == [2, None, -1]


@pytest.mark.parametrize("name", ["disco_score", "evaluate"])
def test_mahalanobis_refuses_more_columns_than_rows_before_the_work(name: str) -> None:
    wide = np.random.default_rng(0).random((12, 3000))
    begin = time.process_time()
    with pytest.raises(InvalidInputError, match="more rows than columns"):
        getattr(public, name)(wide, [0] * 6 + [1] * 6, metric="mahalanobis")
    assert time.process_time() - begin < 2.0  # it took 22 seconds


def test_points_farther_apart_than_any_float() -> None:
    points = np.full((6, 9), LARGEST)
    points[::2] *= -1
    points[0] = 0.0
    tree = DensityTree(points, min_points=1)
    assert tree.heights[-1] == LARGEST
    path = tree.eps_path()
    assert all(path[row].eps <= LARGEST for row in range(len(path)))
    assert suggest(points, min_points=1, n_null=0).tree.n_points == 6
    assert DensityDBSCAN(min_points=1).fit(points).eps_ <= LARGEST
    line = LARGEST * np.array([[1.0], [1.0], [-1.0], [-1.0], [0.0], [0.5]])
    for clusterer in (DensityDBSCAN(), DensityHDBSCAN()):
        assert len(clusterer.fit(line).labels_) == 6
    plane = np.array([[-1.0, 1.0], [1.0, -1.0]] * 3 + [[1.0, 1.0]]) * LARGEST
    assert DensityTree(plane, min_points=2, algorithm="approximate").quality.n_audited
    apart = DensityTree(np.array([[-1.0], [1.0], [0.0]]) * LARGEST, min_points=1)
    apart.plot().figure_.canvas.draw()


def test_the_mean_of_ratios_whose_sum_is_no_float_is_one() -> None:
    points = [[-1.0, 0.0], [1.0, 0.0], [-1.0, 2e-308], [1.0, 2e-308]]
    assert public.davies_bouldin_index(points, [0, 0, 1, 1]) == pytest.approx(1e308)


def test_labelings_may_come_one_by_one() -> None:
    one = public.cvnn_indices(LINE, [OF_LINE, OF_LINE], n_neighbors=2)
    found = public.cvnn_indices(LINE, iter([OF_LINE, OF_LINE]), n_neighbors=2)
    assert found.tolist() == one.tolist()


# --- names and words ------------------------------------------------------------------------------


def test_names_that_a_data_frame_cannot_hold() -> None:
    lone, large = ["\ud800"] * 3 + ["b"] * 3, [2**130] * 3 + [1] * 3
    text, number = (public.explain(X, labels, min_points=2) for labels in (lone, large))
    named = public.compare(X, {"\ud800": LABELS}, ["disco"], min_points=2)
    if not pytest.importorskip("pandas").__version__.startswith("2."):  # it holds any text
        with pytest.raises(InvalidInputError, match="backend of to_frame, pandas, cannot hold a"):
            text.to_frame(backend="pandas")
    pytest.importorskip("polars")
    for result, what in ((text, ["clusters"]), (number, []), (named, [])):
        with pytest.raises(InvalidInputError, match="backend of to_frame, polars, cannot hold a"):
            result.to_frame(*what, backend="polars")


def test_an_explanation_by_a_number_of_numpy_is_ready_for_json() -> None:
    facts = public.explain(LINE, OF_LINE, min_points=np.int64(2))
    assert json.loads(json.dumps(facts.to_dict()))["min_points"] == 2
    assert type(facts.min_points) is int


def test_names_are_shown_printable(tmp_path: Path) -> None:
    compared = compare(LINE, {"a\x00b": OF_LINE, "c": [0] * 7}, ["pair"], min_points=2)
    assert "go by the pair score: a\\x00b." in str(compared)
    aside = compare(LINE, {"a": OF_LINE, "\x1b": list(range(7))}, ["pair"], min_points=2)
    assert ", \\x1b aside: every point is alone" in str(aside)
    path = tmp_path / "report.html"
    write_report(LINE, OF_LINE, path, title="a\udcffb", min_points=2, indices=["disco"])
    assert "a\\udcffb" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("order", ["<", ">"])
def test_the_last_character_is_a_label(order: str) -> None:
    last = np.array([0x10FFFF, *b"abcde"], f"{order}u4").view(f"{order}U1")
    assert disco(labels=last) == disco(labels=range(6))


def test_every_error_comes_back_from_another_process_also_by_dask() -> None:
    # Importing it changes how all errors are pickled.
    pytest.importorskip("distributed")
    kinds = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    for kind in (kind for kind in kinds if issubclass(kind, ArgumentError)):
        error = kind(argument="X", caller="f", rule="be small", got="9", remedy="Take less.")
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind
        assert (str(again), vars(again)) == (str(error), vars(error))


# --- drawings -------------------------------------------------------------------------------------


def test_the_display_of_an_automatic_eps_marks_what_it_is() -> None:
    clusterer = DensityDBSCAN(min_points=2)
    display = plots.EpsCurveDisplay.from_estimator(clusterer, LINE)
    assert display.chosen == DensityDBSCAN(min_points=2).fit(LINE).eps_
    assert plots.EpsCurveDisplay.from_estimator(clusterer.fit(LINE), LINE).chosen == display.chosen
    given = plots.EpsCurveDisplay.from_estimator(DBSCAN(eps=1.5, min_samples=2), LINE)
    assert given.chosen == 1.5


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-300, 1e300, LARGEST / 40])
def test_displays_of_any_size_are_drawn(size: float) -> None:
    tree = DensityTree(LINE * size, min_points=2)
    curve = plots.EpsCurveDisplay.from_path(tree.eps_path())
    for display in (curve, plots.DensityLineDisplay.from_tree(tree, OF_LINE)):
        display.plot().figure_.canvas.draw()
    assert 0 < curve.view.low < curve.view.high
    assert isinstance(curve.stretches(2), list)
    for n_features in (1, 2, 3):
        points = np.tile(LINE * size, (1, n_features))
        places = plots.PointwiseMapDisplay.from_predictions(points, OF_LINE, min_points=2)
        places.plot().figure_.canvas.draw()
        assert places.pixels().counts.sum() == len(points)
    both = plots.ComparisonDisplay.from_predictions(points, {"one": OF_LINE}, min_points=2)
    both.plot().figure_.canvas.draw()


def test_maps_of_places_of_any_size_are_drawn() -> None:
    for size in (5e-324, LARGEST):
        plane = np.array([[-1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]) * size
        drawn = plots.labels_map(plane, [0, 1, -1]), plots.pointwise_map(plane, [0.5, -0.5, 0.0])
        for ax in drawn:
            ax.figure.canvas.draw()
    one = plots.PointwiseMapDisplay.from_predictions(np.full((7, 2), 1e300), OF_LINE)
    one.plot().figure_.canvas.draw()
    for side in (np.int8(3), np.uint8(3)):
        assert one.pixels(width=600, height=side).counts.shape == (3, 600)


def test_words_and_marks_of_extreme_steps() -> None:
    display = plots.DensityLineDisplay(np.array([np.inf, 1e-300, 1e-300, 1e300]), None, (), None)
    assert display.title == "The widest gap is 1e+290 times the usual step"
    assert log_steps(5e-324, LARGEST, 2) == pytest.approx([2.0 ** ((-1074 + 1024) / 2)])
    assert log_steps(1.0, 16.0, 4) == [2.0, 4.0, 8.0]
    for size in (1e-290, 1e290):
        assert Span(size, 4 * size).middle == pytest.approx(2 * size, rel=1e-12)
    tiny = np.repeat([[0.0], [5e-324]], 4, axis=0)
    ax = DensityTree(tiny, min_points=2).eps_path().plot()
    assert all(np.isfinite(line.get_xdata()).all() for line in ax.lines)
