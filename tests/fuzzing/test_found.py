"""What the cases found, each mended and kept under a name."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import DBSCAN
from sklearn.utils.parallel import Parallel

from disco_cvi import (
    DensityTree,
    InvalidInputError,
    compare,
    cvdd_score,
    cvnn_indices,
    davies_bouldin_index,
    disco_score,
    evaluate,
    exceptions,
    explain,
    mmj_sc_score,
)
from disco_cvi.cluster import DensityDBSCAN, DensityHDBSCAN
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.plots import (
    ComparisonDisplay,
    DensityLineDisplay,
    EpsCurveDisplay,
    NoiseDisplay,
    PointwiseMapDisplay,
    labels_map,
    pointwise_map,
    score_curve,
)
from disco_cvi.plots.eps import Span
from disco_cvi.report import write_report
from disco_cvi.report.svg import log_steps
from disco_cvi.selection import ClusteringSearch, search, suggest

LINE = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0], [40.0]])
LABELS = [0, 0, 0, 1, 1, 1, -1]
LARGEST = sys.float_info.max


def test_the_display_of_an_automatic_eps_marks_what_it_is() -> None:
    clusterer = DensityDBSCAN(min_points=2)
    display = EpsCurveDisplay.from_estimator(clusterer, LINE)
    assert display.chosen == DensityDBSCAN(min_points=2).fit(LINE).eps_
    assert EpsCurveDisplay.from_estimator(clusterer.fit(LINE), LINE).chosen == display.chosen
    assert EpsCurveDisplay.from_estimator(DBSCAN(eps=1.5, min_samples=2), LINE).chosen == 1.5


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-300, 1e300, LARGEST / 40])
def test_curves_and_lines_of_any_size_are_drawn(size: float) -> None:
    tree = DensityTree(LINE * size, min_points=2)
    for display in (
        EpsCurveDisplay.from_path(tree.eps_path()),
        DensityLineDisplay.from_tree(tree, LABELS),
    ):
        display.plot().figure_.canvas.draw()
    display = EpsCurveDisplay.from_path(tree.eps_path())
    assert 0 < display.view.low < display.view.high
    assert isinstance(display.stretches(2), list)


def test_eps_is_finite_where_points_are_farther_apart_than_any_float() -> None:
    points = np.full((6, 9), LARGEST)
    points[::2] *= -1
    points[0] = 0.0
    tree = DensityTree(points, min_points=1)
    assert tree.heights[-1] == LARGEST
    path = tree.eps_path()
    assert all(path[row].eps <= LARGEST for row in range(len(path)))
    assert suggest(points, min_points=1, n_null=0).tree.n_points == 6
    assert DensityDBSCAN(min_points=1).fit(points).eps_ <= LARGEST


def test_an_explanation_by_a_number_of_numpy_is_ready_for_json() -> None:
    facts = explain(LINE, LABELS, min_points=np.int64(2))  # type: ignore[arg-type]
    assert json.loads(json.dumps(facts.to_dict()))["min_points"] == 2
    assert type(facts.min_points) is int


@pytest.mark.parametrize("labelings", [-1, "labels", None, {"a": LABELS}, np.array(3)])
def test_several_labelings_that_are_none_are_refused(labelings: Any) -> None:
    with pytest.raises(InvalidTypeError, match="labelings of cvnn_indices must be a list, the lab"):
        cvnn_indices(LINE, labelings)


def test_several_labelings_may_come_one_by_one_and_a_bad_one_is_named() -> None:
    one = cvnn_indices(LINE, [LABELS, LABELS], n_neighbors=2)
    found = cvnn_indices(LINE, iter([LABELS, LABELS]), n_neighbors=2)  # type: ignore[arg-type]
    assert found.tolist() == one.tolist()
    with pytest.raises(InvalidInputError, match=r"labelings\[1\] of cvnn_indices.*7 points, 1 lab"):
        cvnn_indices(LINE, [LABELS, [0]])


def made_displays() -> dict[str, Any]:
    tree, facts = DensityTree(LINE, min_points=2), explain(LINE, LABELS, min_points=2)
    return {
        "line": DensityLineDisplay.from_tree(tree),
        "eps": EpsCurveDisplay.from_path(tree.eps_path()),
        "noise": NoiseDisplay.from_explanation(facts),
        "map": PointwiseMapDisplay.from_explanation(facts),
    }


@pytest.mark.parametrize(
    ("display", "method", "value", "argument"),
    [
        ("line", "from_tree", {}, "tree"),
        ("line", "from_tree", 3, "tree"),
        ("line", "columns", 1e-3, "most"),
        ("line", "runs", [], "columns"),
        ("eps", "curve", "eps", "values"),
        ("eps", "stretches", -1, "n_clusters"),
        ("noise", "count_cells", "x", "n_cells"),
        ("noise", "count_cells", 3, "n_cells"),
        ("map", "pixels", -(2**70), "width"),
    ],
)
def test_displays_refuse_by_name(display: str, method: str, value: Any, argument: str) -> None:
    with pytest.raises((InvalidInputError, InvalidTypeError), match=f"^{argument} of "):
        getattr(made_displays()[display], method)(value)


@pytest.mark.parametrize("n_features", [1, 2, 3])
@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e300, LARGEST / 40])
def test_maps_of_any_size_are_drawn(n_features: int, size: float) -> None:
    points = np.tile(LINE * size, (1, n_features))
    display = PointwiseMapDisplay.from_predictions(points, LABELS, min_points=2)
    display.plot().figure_.canvas.draw()
    assert display.pixels().counts.sum() == len(points)
    both = ComparisonDisplay.from_predictions(points, {"one": LABELS}, min_points=2)
    both.plot().figure_.canvas.draw()


def test_a_map_of_one_place_far_away_is_drawn() -> None:
    points = np.full((7, 2), 1e300)
    PointwiseMapDisplay.from_predictions(points, LABELS).plot().figure_.canvas.draw()


def test_the_widest_gap_may_be_more_times_the_usual_one_than_a_float_holds() -> None:
    display = DensityLineDisplay(np.array([np.inf, 1e-300, 1e-300, 1e300]), None, (), None)
    assert display.title == "The widest gap is 1e+290 times the usual step"


@pytest.mark.parametrize("clusterer", [DensityDBSCAN(), DensityHDBSCAN()])
def test_clusterers_say_nothing_of_sums_that_are_no_floats(clusterer: Any) -> None:
    points = np.array([[LARGEST], [LARGEST], [-LARGEST], [-LARGEST], [0.0], [1.0]])
    assert len(clusterer.fit(points).labels_) == 6


HUGE = 10**5000


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: mmj_sc_score(LINE, LABELS, noise=HUGE), "noise"),  # type: ignore[arg-type]
        (lambda: DensityTree(LINE, min_points=2).eps_for_clusters(HUGE), "k"),
        (lambda: cvdd_score(LINE, LABELS, n_neighbors=HUGE), "n_neighbors"),
        (lambda: evaluate(LINE, LABELS, [HUGE]), "indices"),  # type: ignore[list-item]
        (lambda: explain(LINE, LABELS).to_frame(HUGE), "what"),  # type: ignore[arg-type]
        (lambda: explain(LINE, LABELS).to_frame(backend=HUGE), "backend"),  # type: ignore[arg-type]
        (lambda: explain(LINE, LABELS).to_frame(LINE), "what"),  # type: ignore[arg-type]
        (lambda: explain(LINE, LABELS).to_frame(backend=LINE), "backend"),  # type: ignore[arg-type]
        (lambda: explain(LINE, LABELS).plot([1]), "kind"),  # type: ignore[arg-type]
    ],
)
def test_what_has_no_words_or_no_order_is_refused_by_name(call: Any, argument: str) -> None:
    with pytest.raises((InvalidInputError, InvalidTypeError), match=f"^{argument} of "):
        call()


@pytest.mark.parametrize(
    "estimator",
    [DensityDBSCAN(), DensityHDBSCAN(), ClusteringSearch(DensityDBSCAN(), {"eps": [1.0, 2.0]})],
)
def test_threads_that_no_estimator_could_show_are_refused(estimator: Any) -> None:
    for number in (HUGE, -HUGE):
        estimator = clone(estimator).set_params(min_points=2, n_jobs=number)
        with pytest.raises(InvalidInputError, match=r"^n_jobs of .* at most 4300 .* got <int>"):
            estimator.fit(LINE)
    estimator.set_params(n_jobs=10**4299).fit(LINE)  # as many as help
    assert "n_jobs=1000" in repr(estimator)


@pytest.mark.parametrize("argument", ["n_iter", "min_points", "error_score"])
def test_a_search_refuses_numbers_beyond_writing_by_name(argument: str) -> None:
    search = ClusteringSearch(DensityDBSCAN(min_points=2), {"eps": [1.0, 2.0]})
    with pytest.raises(InvalidInputError, match=rf"^{argument} of ClusteringSearch .* got <int>"):
        search.set_params(**{argument: HUGE}).fit(LINE)


def test_a_labeling_to_choose_is_shown_printable() -> None:
    compared = compare(LINE, {"a\x00b": LABELS, "c": [0] * 7}, ["pair"], min_points=2)
    assert "go by the pair score: a\\x00b." in str(compared)
    aside = compare(LINE, {"a": LABELS, "\x1b": list(range(7))}, ["pair"], min_points=2)
    assert ", \\x1b aside: every point is alone" in str(aside)


def test_a_report_holds_names_that_no_encoding_has(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(LINE, LABELS, path, title="a\udcffb", min_points=2, indices=["disco"])
    assert "a\\udcffb" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("mask", [True, False])
def test_records_are_refused_masked_or_not(mask: bool) -> None:
    records = np.zeros(7, dtype=[("x", "f8"), ("y", "i4")])
    with pytest.raises(InvalidInputError, match=r"^X of disco_score must be two-dimensional"):
        disco_score(np.ma.MaskedArray(records, mask=mask), LABELS)


@pytest.mark.parametrize("size", [5e-324, LARGEST])
def test_maps_of_given_places_of_any_size_are_drawn(size: float) -> None:
    plane = np.array([[-1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]) * size
    for ax in (labels_map(plane, [0, 1, -1]), pointwise_map(plane, [0.5, -0.5, 0.0])):
        ax.figure.canvas.draw()


def test_points_farther_apart_than_any_float_are_audited_and_drawn() -> None:
    points = np.array([[-1.0, 1.0], [1.0, -1.0]] * 3 + [[1.0, 1.0]]) * LARGEST
    assert DensityTree(points, min_points=2, algorithm="approximate").quality.n_audited
    apart = DensityTree(np.array([[-1.0], [1.0], [0.0]]) * LARGEST, min_points=1)
    apart.plot().figure_.canvas.draw()


FLAGS: list[tuple[str, Any]] = [
    ("points", lambda flag: explain(LINE, LABELS).to_dict(points=flag)),
    ("labels", lambda flag: suggest(LINE, n_null=0).to_dict(labels=flag)),
    ("progress", lambda flag: compare(LINE, {"a": LABELS}, progress=flag)),
    ("colorbar", lambda flag: pointwise_map([[0.0, 1.0]], [0.0], colorbar=flag)),
    ("mark_best", lambda flag: score_curve([1, 2], {"a": [0.0, 1.0]}, mark_best=flag)),
]


@pytest.mark.parametrize(("argument", "call"), FLAGS)
def test_what_is_neither_true_nor_false_is_refused_by_name(argument: str, call: Any) -> None:
    with pytest.raises(
        InvalidTypeError, match=f"^{argument} of .* must be True or False; got array"
    ):
        call(np.array([1.5, 0.0]))


def test_what_a_report_is_about_is_text() -> None:
    with pytest.raises(
        InvalidTypeError, match=r"^about of write_report must be text; got .1. .list."
    ):
        write_report(LINE, {"a": LABELS}, "a.html", about=[1], min_points=2)  # type: ignore[arg-type]


@pytest.mark.parametrize("side", [np.int8(3), np.uint8(3)])
def test_sides_of_a_picture_are_whole_numbers_of_any_type(side: Any) -> None:
    counts = made_displays()["map"].pixels(width=600, height=side).counts
    assert counts.shape == (3, 600)


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


def test_colors_that_are_an_array_are_refused_by_name() -> None:
    with pytest.raises(InvalidTypeError, match="colors of score_curve must map names"):
        score_curve([1], {"a": [1.0]}, colors=np.array([1.5, 0.0]))  # type: ignore[arg-type]


def test_the_mean_of_ratios_whose_sum_is_no_float_is_one() -> None:
    points = [[-1.0, 0.0], [1.0, 0.0], [-1.0, 2e-308], [1.0, 2e-308]]
    assert davies_bouldin_index(points, [0, 0, 1, 1]) == pytest.approx(1e308)


def test_indices_of_an_array_without_length_are_refused_by_name() -> None:
    with pytest.raises(InvalidTypeError, match="indices of compare must be 'all'"):
        compare(LINE, {"a": LABELS}, indices=np.array(3))


@pytest.mark.parametrize("graph", [[[0, 1], [2]], [[10**40, 1], [2, 3]]])
def test_graphs_of_uneven_lists_are_refused_by_name(graph: Any) -> None:
    with pytest.raises(InvalidTypeError, match="graph of DensityTree must be"):
        DensityTree(LINE, algorithm="approximate", graph=graph)


def test_edges_that_are_no_tree_are_refused_by_the_names_of_their_arguments() -> None:
    with pytest.raises(InvalidInputError, match="first, second and heights of from_spanning_tree"):
        DensityTree.from_spanning_tree([0], [1], [1.6], [1, 2], min_points=2)


def test_more_samples_than_anybody_can_wait_for_are_refused_at_once() -> None:
    with pytest.raises(InvalidInputError, match=r"n_null of suggest must be .* from 0 to 1000000"):
        suggest(LINE, n_null=10**20)


@pytest.mark.parametrize("verbose", [10**5000, -1], ids=["huge", "negative"])
def test_a_search_is_asked_how_much_it_says(verbose: int) -> None:
    search = ClusteringSearch(DensityDBSCAN(), {"min_points": [2]}, min_points=2, verbose=verbose)
    with pytest.raises(InvalidInputError, match="verbose of ClusteringSearch must be"):
        search.fit(LINE)


def test_the_steps_of_a_logarithmic_scale_from_the_least_to_the_largest_float() -> None:
    assert log_steps(5e-324, LARGEST, 2) == pytest.approx([2.0 ** ((-1074 + 1024) / 2)])
    assert log_steps(1.0, 16.0, 4) == [2.0, 4.0, 8.0]


@pytest.mark.parametrize("order", ["<", ">"])
def test_text_that_no_character_has_is_refused(order: str) -> None:
    codes = np.full(7, 0x110000, f"{order}u4")
    with pytest.raises(InvalidInputError, match="labels of disco_score must hold text of Unicode"):
        disco_score(LINE, codes.view(f"{order}U1"))
    last = np.array([0x10FFFF, *b"abcdef"], f"{order}u4").view(f"{order}U1")
    assert disco_score(LINE, last) == disco_score(LINE, range(7))


@pytest.mark.parametrize("size", [1e-290, 1e290])
def test_the_middle_of_a_stretch_of_any_size(size: float) -> None:
    assert Span(size, 4 * size).middle == pytest.approx(2 * size, rel=1e-12)


def test_an_eps_of_nothing_is_marked_at_the_end_of_the_axis() -> None:
    tiny = np.repeat([[0.0], [5e-324]], 4, axis=0)
    ax = DensityTree(tiny, min_points=2).eps_path().plot()
    assert all(np.isfinite(line.get_xdata()).all() for line in ax.lines)


def test_every_error_comes_back_from_another_process_also_by_dask() -> None:
    # Importing it changes how all errors are pickled.
    pytest.importorskip("distributed")
    kinds = [kind for kind in vars(exceptions).values() if isinstance(kind, type)]
    for kind in (kind for kind in kinds if issubclass(kind, exceptions.ArgumentError)):
        error = kind(argument="X", caller="f", rule="be small", got="9", remedy="Take less.")
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind
        assert (str(again), vars(again)) == (str(error), vars(error))
