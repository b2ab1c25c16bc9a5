"""Values that a hostile review found: none is taken for what it is not, and each error is ours."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pytest

from disco_cvi import DensityTree, cvnn_indices, disco_score, explain, viasckde_score
from disco_cvi._input.options import check_count, check_jobs, check_number
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from disco_cvi.report import write_report

pytestmark = pytest.mark.small

X = np.random.default_rng(0).random((24, 2))
LABELS = [0] * 12 + [1] * 12
SECONDS: Any = np.timedelta64(3, "s")
NO_TIME: Any = np.timedelta64("NaT", "s")
MASKED: Any = np.ma.array([1.0, 2.0], mask=[False, True])
CORE = [0.0, 0.0, 0.0]


def with_entry(value: Any) -> Any:
    points = X.astype(object)
    points[3, 1] = value
    return points


def score_by(**params: Any) -> float:
    return disco_score(X, LABELS, metric="minkowski", metric_params=params)


W = "metric_params of disco_score: w must be an array of finite numbers of 0 or more, of shape"
P = "metric_params of disco_score: p must be a number above 0"
REFUSED: list[tuple[Callable[[], object], type[ArgumentError], str]] = [
    # Durations are no numbers.
    (lambda: check_count(SECONDS, "n", "f"), InvalidTypeError, "n of f must be an integer"),
    (lambda: check_number(NO_TIME, "eps", "f"), InvalidTypeError, "eps of f must be a finite numb"),
    (lambda: check_jobs(SECONDS, "f"), InvalidTypeError, "n_jobs of f must be an integer"),
    (
        lambda: disco_score(X, LABELS, noise_label=SECONDS),
        InvalidTypeError,
        "noise_label of disco_score must be",
    ),
    (
        lambda: viasckde_score(X, LABELS, bandwidth=SECONDS),
        InvalidTypeError,
        "bandwidth of viasckde_score must be",
    ),
    (
        lambda: disco_score(X, [SECONDS] * 24),
        InvalidTypeError,
        "labels of disco_score must be integers",
    ),
    (
        lambda: disco_score(with_entry(NO_TIME), LABELS),
        InvalidTypeError,
        "X of disco_score must hold real numbers; .*row 3",
    ),
    # What is masked is missing.
    (
        lambda: DensityTree.from_spanning_tree([0, 1], [1, 2], MASKED, CORE, min_points=1),
        InvalidInputError,
        ".*height 1 is nan",
    ),
    (
        lambda: DensityTree.from_spanning_tree([0, 1], MASKED, [1.0, 2.0], CORE, min_points=1),
        InvalidTypeError,
        "second of .* must be",
    ),
    (
        lambda: DensityTree(
            X,
            algorithm="approximate",
            graph=np.ma.array(np.tile([0, 1], (24, 1)), mask=[[False, True]] * 24),
        ),
        InvalidTypeError,
        "graph of DensityTree must be",
    ),
    (lambda: score_by(w=MASKED), InvalidInputError, W),
    # Parameters of metrics.
    (lambda: score_by(w=np.array([1, 1j])), InvalidTypeError, W),
    (lambda: score_by(w=["1", "2"]), InvalidTypeError, W),
    (lambda: score_by(w=np.array([1, 2], "m8[s]")), InvalidTypeError, W),
    (lambda: score_by(w=[SECONDS, 1]), InvalidTypeError, W),
    (lambda: score_by(w=[-1.0, 1.0]), InvalidInputError, W),
    (lambda: score_by(w=[[1.0], [1.0, 2.0]]), InvalidInputError, W),
    (lambda: score_by(p=10**400), InvalidInputError, f"{P} that a float can hold, or infinity"),
    (lambda: score_by(p=SECONDS), InvalidTypeError, P),
    (lambda: score_by(p=True), InvalidTypeError, P),
    (lambda: score_by(p=math.nan), InvalidInputError, P),
    (
        lambda: disco_score(X, LABELS, metric="seuclidean", metric_params={"V": [1.0, -1.0]}),
        InvalidInputError,
        "metric_params of disco_score: V must be",
    ),
    # Arrays of no dimension hold nothing.
    (
        lambda: DensityTree.for_min_points(X, np.array(3)),
        InvalidTypeError,
        "min_points of .*for_min_points must be one",
    ),
    (
        lambda: explain(X, LABELS, row_names=np.ma.masked),
        InvalidTypeError,
        "row_names of explain must hold one",
    ),
]


@pytest.mark.parametrize(("call", "kind", "message"), REFUSED)
def test_it_is_refused_by_its_name(
    call: Callable[[], object], kind: type[ArgumentError], message: str
) -> None:
    with pytest.raises(kind, match=f"^{message}") as caught:
        call()
    assert len(str(caught.value)) < 300


class Panic(BaseException):
    """As polars has, where it has no array for a type."""


@pytest.mark.parametrize("error", [Panic, ValueError, RecursionError, KeyboardInterrupt])
def test_a_container_that_fails_is_refused(error: type[BaseException]) -> None:
    class Container:
        def __array__(self, *_: object, **__: object) -> NoReturn:
            raise error("no array")

    given: Any = Container()
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            disco_score(given, LABELS)
        return
    with pytest.raises(InvalidInputError, match=r"X of disco_score cannot be .*: no array\."):
        disco_score(given, LABELS)
    with pytest.raises(InvalidInputError, match=r"labels of disco_score cannot be .*: no array\."):
        disco_score(X, given)


def test_an_index_of_names_without_a_hash() -> None:
    points = pd.DataFrame(X, index=pd.Index([[i] for i in range(24)]))
    same, shifted = (
        pd.Series(LABELS, index=pd.Index([[i + shift] for i in range(24)])) for shift in (0, 1)
    )
    assert disco_score(points, same) == disco_score(X, LABELS)
    with pytest.raises(InvalidInputError, match=r"row 0 is \[1\], in X \[0\]"):
        disco_score(points, shifted)


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
    "first": lambda v: DensityTree.from_spanning_tree(v, [1], [1.0], CORE[:2], min_points=1),
    "heights": lambda v: DensityTree.from_spanning_tree([0], [1], v, CORE[:2], min_points=1),
    "report": lambda value: write_report(X, value, "never.html"),
    "weights": lambda value: score_by(w=value),
}


@pytest.mark.parametrize("case", TAKES_ANYTHING)
def test_objects_that_fail_when_they_are_asked(case: str) -> None:
    with pytest.raises((InvalidInputError, InvalidTypeError)):
        TAKES_ANYTHING[case](NoArray())
