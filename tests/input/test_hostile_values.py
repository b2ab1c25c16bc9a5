"""Values that a hostile review found: none is taken for what it is not, and each error is ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pytest

from disco_cvi import DensityTree, cvnn_indices, disco_score, explain, viasckde_score
from disco_cvi._input.options import check_count, check_jobs, check_number
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.report import write_report
from disco_cvi.selection.search import _read_error_score

pytestmark = pytest.mark.small

X = np.random.default_rng(0).random((24, 2))
LABELS = [0] * 12 + [1] * 12
SECONDS = np.timedelta64(3, "s")


# --- durations ------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [SECONDS, np.timedelta64("NaT", "s")])
def test_a_duration_is_no_number(value: Any) -> None:
    with pytest.raises(InvalidTypeError, match="n of f must be an integer"):
        check_count(value, "n", "f")
    with pytest.raises(InvalidTypeError, match="eps of f must be a finite number"):
        check_number(value, "eps", "f")
    with pytest.raises(InvalidTypeError, match="n_jobs of f must be an integer"):
        check_jobs(value, "f")
    with pytest.raises(InvalidInputError, match="error_score of ClusteringSearch"):
        _read_error_score(value)


@pytest.mark.parametrize("option", ["min_points", "noise_label"])
def test_an_option_that_is_a_duration(option: str) -> None:
    with pytest.raises(InvalidTypeError, match=f"{option} of disco_score must be"):
        disco_score(X, LABELS, **{option: SECONDS})  # type: ignore[arg-type]


def test_a_bandwidth_that_is_a_duration() -> None:
    with pytest.raises(InvalidTypeError, match="bandwidth of viasckde_score must be"):
        viasckde_score(X, LABELS, bandwidth=SECONDS)  # type: ignore[arg-type]


def test_labels_that_are_durations() -> None:
    labels: Any = [np.timedelta64(0, "s")] * 24
    with pytest.raises(InvalidTypeError, match="labels of disco_score must be integers"):
        disco_score(X, labels)


@pytest.mark.parametrize("value", [SECONDS, np.timedelta64("NaT", "s")])
def test_durations_among_the_objects_of_points(value: Any) -> None:
    points = X.astype(object)
    points[3, 1] = value
    with pytest.raises(InvalidTypeError, match=r"X of disco_score must hold real numbers; .*row 3"):
        disco_score(points, LABELS)


# --- what fails when it is read -------------------------------------------------------------------


class Panic(BaseException):
    """As polars has, where it has no array for a type."""


@pytest.mark.parametrize("error", [Panic, ValueError, RecursionError])
def test_a_container_that_fails_is_refused(error: type[BaseException]) -> None:
    class Container:
        def __array__(self, *_: object, **__: object) -> NoReturn:
            raise error("no array")

    given: Any = Container()
    with pytest.raises(InvalidInputError, match=r"X of disco_score cannot be .*: no array\."):
        disco_score(given, LABELS)
    with pytest.raises(InvalidInputError, match=r"labels of disco_score cannot be .*: no array\."):
        disco_score(X, given)


def test_an_interrupt_while_a_container_is_read_is_one() -> None:
    class Container:
        def __array__(self, *_: object, **__: object) -> NoReturn:
            raise KeyboardInterrupt

    given: Any = Container()
    with pytest.raises(KeyboardInterrupt):
        disco_score(given, LABELS)


# --- masks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("metric", "name"), [("seuclidean", "V"), ("minkowski", "w")])
def test_masked_parameters_of_a_metric(metric: str, name: str) -> None:
    params = {name: np.ma.array([1.0, 2.0], mask=[False, True])}
    with pytest.raises(InvalidInputError, match=f"metric_params of disco_score: {name} must be"):
        disco_score(X, LABELS, metric=metric, metric_params=params)


def test_masked_edges_and_heights() -> None:
    masked: Any = np.ma.array([1, 2], mask=[False, True])
    core = [0.0, 0.0, 0.0]
    with pytest.raises(InvalidInputError, match="height 1 is nan"):
        DensityTree.from_spanning_tree([0, 1], [1, 2], masked, core, min_points=1)
    with pytest.raises(InvalidTypeError, match=r"second of .* must be"):
        DensityTree.from_spanning_tree([0, 1], masked, [1.0, 2.0], core, min_points=1)


def test_a_masked_graph() -> None:
    graph = np.ma.array(np.tile([0, 1], (24, 1)), mask=[[False, True]] * 24)
    with pytest.raises(InvalidTypeError, match="graph of DensityTree must be"):
        DensityTree(X, algorithm="approximate", graph=graph)


# --- parameters of metrics ------------------------------------------------------------------------

WRONG_PARAMETERS: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "complex": ({"w": np.array([1, 1j])}, InvalidTypeError, "w must be an array"),
    "text": ({"w": ["1", "2"]}, InvalidTypeError, "w must be an array"),
    "durations": ({"w": np.array([1, 2], "m8[s]")}, InvalidTypeError, "w must be an array"),
    "objects": ({"w": [SECONDS, 1]}, InvalidTypeError, "w must be an array"),
    "negative": ({"w": [-1.0, 1.0]}, InvalidInputError, "w must be an array .*of 0 or more"),
    "huge p": ({"p": 10**400}, InvalidInputError, "p must be a number above 0 that a float"),
    "a duration": ({"p": SECONDS}, InvalidTypeError, "p must be a number"),
    "a truth value": ({"p": True}, InvalidTypeError, "p must be a number"),
    "NaN": ({"p": math.nan}, InvalidInputError, "p must be a number"),
}


@pytest.mark.parametrize("case", WRONG_PARAMETERS)
def test_wrong_parameters_of_a_metric_are_refused_by_their_name(case: str) -> None:
    params, kind, message = WRONG_PARAMETERS[case]
    with pytest.raises(kind, match=f"^metric_params of disco_score: {message}") as caught:
        disco_score(X, LABELS, metric="minkowski", metric_params=params)
    assert len(str(caught.value)) < 200


def test_negative_variances_are_refused_by_their_name() -> None:
    with pytest.raises(InvalidInputError, match="metric_params of disco_score: V must be"):
        disco_score(X, LABELS, metric="seuclidean", metric_params={"V": [1.0, -1.0]})


# --- arrays of no dimension -----------------------------------------------------------------------


@pytest.mark.parametrize("value", [np.array(3), np.ma.masked])
def test_an_array_of_no_dimension_holds_nothing(value: Any) -> None:
    with pytest.raises(InvalidTypeError, match=r"min_points of .*for_min_points must be one"):
        DensityTree.for_min_points(X, value)
    with pytest.raises(InvalidTypeError, match="row_names of explain must hold one"):
        explain(X, LABELS, row_names=value)


# --- names of rows --------------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [0, 1])
def test_an_index_of_names_without_a_hash(shift: int) -> None:
    pandas = pytest.importorskip("pandas")
    points = pandas.DataFrame(X, index=pandas.Index([[i] for i in range(24)]))
    labels = pandas.Series(LABELS, index=pandas.Index([[i + shift] for i in range(24)]))
    if shift == 0:
        assert disco_score(points, labels) == disco_score(X, LABELS)
        return
    with pytest.raises(InvalidInputError, match=r"row 0 is \[1\], in X \[0\]"):
        disco_score(points, labels)


# --- objects that fail when they are asked --------------------------------------------------------


class NoArray:
    """What says that it is an array, and fails to be one."""

    def __array__(self, *_arguments: object, **_options: object) -> Any:
        raise RuntimeError("no array")


TAKES_ANYTHING: dict[str, Callable[[Any], object]] = {
    "X": lambda value: disco_score(value, LABELS),
    "labels": lambda value: disco_score(X, value),
    "list of labels": lambda value: disco_score(X, [value] * 24),
    "distances": lambda value: disco_score(value, LABELS, metric="precomputed"),
    "labelings": lambda value: cvnn_indices(X, value),
    "graph": lambda value: DensityTree(X, algorithm="approximate", graph=value),
    "pair": lambda value: DensityTree(X, algorithm="approximate", graph=(value, value)),
    "first": lambda value: DensityTree.from_spanning_tree(
        value, [1], [1.0], [0.0, 0.0], min_points=1
    ),
    "heights": lambda value: DensityTree.from_spanning_tree(
        [0], [1], value, [0.0, 0.0], min_points=1
    ),
    "report": lambda value: write_report(X, value, "never.html"),
    "weights": lambda value: disco_score(X, LABELS, metric="minkowski", metric_params={"w": value}),
}


@pytest.mark.parametrize("case", TAKES_ANYTHING)
def test_objects_that_fail_when_they_are_asked(case: str) -> None:
    with pytest.raises((InvalidInputError, InvalidTypeError)):
        TAKES_ANYTHING[case](NoArray())
