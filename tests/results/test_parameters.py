"""Parameters of evaluate and compare: refused before anything is computed, by any spelling."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from disco_cvi import (
    DensityTree,
    InvalidInputError,
    available_indices,
    compare,
    disco_score,
    evaluate,
    pair_score,
)
from disco_cvi.exceptions import ArgumentError
from disco_cvi.report import report_facts
from helpers.messages import says

X = np.random.default_rng(0).normal(size=(24, 2))
LABELS = np.arange(24) % 2
TOO_LONG = 10**5000


class Wordless:
    """Something that cannot be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.fixture(name="_nothing_computed")
def nothing_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> float:
        pytest.fail("something is computed")

    for info in available_indices():
        monkeypatch.setattr(f"disco_cvi.indices.{info.name}.evaluate_{info.name}", refuse)


@pytest.mark.usefixtures("_nothing_computed")
@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"min_points": 100}, "evaluate"),
        ({"parameters": {"disco": {"min_points": 100}}}, "disco in evaluate"),
        ({"min_points": 3, "parameters": {"disco": {"min_points": 100}}}, "disco in evaluate"),
    ],
)
def test_too_few_points_are_refused_before_anything_is_computed(options: Any, place: str) -> None:
    message = (
        f"min_points of {place} must be an integer from 1 to the number of points (24); got 100. "
        "Lower it or give more points."
    )
    with pytest.raises(InvalidInputError, match=says(message)):
        evaluate(X, LABELS, ["dunn", "disco"], **options)
    with pytest.raises(InvalidInputError, match=says(message.replace("evaluate", "compare"))):
        compare(X, {"one": np.zeros(24, int), "two": LABELS}, ["dunn", "disco"], **options)


@pytest.mark.usefixtures("_nothing_computed")
def test_wrong_parameters_of_a_metric_are_refused_before_anything_is_computed() -> None:
    options: Any = {"metric": "minkowski", "metric_params": {"p": -1}}
    message = "metric_params of evaluate: p must be a number above 0; got -1."
    with pytest.raises(InvalidInputError, match=says(message)):
        evaluate(X, LABELS, ["davies_bouldin", "disco"], **options)


@pytest.mark.usefixtures("_nothing_computed")
def test_another_min_points_than_that_of_the_tree_is_refused_at_once() -> None:
    with pytest.raises(InvalidInputError, match="min_points of disco in evaluate must be left out"):
        evaluate(DensityTree(X), LABELS, "all", parameters={"disco": {"min_points": 3}})


BESIDE = np.where(np.arange(24) < 23, 0, -1)


@pytest.mark.parametrize(
    ("name", "labels"), [("disco", 0 * BESIDE), ("pair", 0 * BESIDE), ("pair", BESIDE)]
)
def test_labels_that_need_no_tree_need_no_points_for_it(
    name: str, labels: NDArray[np.int64]
) -> None:
    """As by the function of the index alone: one cluster has no pairs, with or without noise."""
    assert evaluate(X, labels, [name], min_points=100)[name] == 0
    assert {"disco": disco_score, "pair": pair_score}[name](X, labels, min_points=100) == 0


@pytest.mark.usefixtures("_nothing_computed")
def test_the_score_of_noise_needs_a_tree() -> None:
    with pytest.raises(InvalidInputError, match="min_points of evaluate must be an integer from"):
        evaluate(X, BESIDE, ["disco"], min_points=100)


@pytest.mark.parametrize("name", ["pairs", "pair", "PAIR"])
def test_parameters_name_indices_as_indices_does(name: str) -> None:
    found = evaluate(X, LABELS, [name], parameters={name: {"min_points": 3}})
    assert found["pair"] == evaluate(X, LABELS, "pair", min_points=3)["pair"]


def test_two_spellings_of_one_index_are_refused() -> None:
    parameters: Any = {"pairs": {"min_points": 3}, "pair": {}}
    message = "parameters of evaluate must name each index once; got pair twice."
    with pytest.raises(InvalidInputError, match=says(message)):
        evaluate(X, LABELS, ["pair"], parameters=parameters)


@pytest.mark.parametrize(
    "name", [TOO_LONG, Wordless(), "x" * 10_000, 5], ids=lambda name: type(name).__name__
)
def test_names_that_cannot_be_shown_are_refused_in_few_words(name: Any) -> None:
    given: tuple[Any, ...] = ({name: {}}, {"disco": {name: 1}})
    for parameters in given:
        with pytest.raises(InvalidInputError, match=r"^.{20,250}$"):
            evaluate(X, LABELS, ["disco"], parameters=parameters)


@pytest.mark.parametrize("name", [TOO_LONG, Wordless()], ids=lambda name: type(name).__name__)
def test_names_of_labelings_that_cannot_be_written_are_refused(name: Any) -> None:
    message = "labelings of compare must have names that can be written as text; got <"
    with pytest.raises(InvalidInputError, match=message):
        compare(X, {name: LABELS})


def test_a_long_name_of_a_labeling_is_shortened_in_messages() -> None:
    with pytest.raises(ArgumentError, match=r"^labelings\['x{12}\.\.\.x{13}'\] of compare"):
        compare(X, {"x" * 10_000: LABELS[1:]})


def test_a_lazy_frame_of_labelings_is_refused_without_a_warning() -> None:
    lazy: Any = pl.DataFrame({"a": LABELS}).lazy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for refuse in (compare, report_facts):
            with pytest.raises(ArgumentError, match=r"must be a dict of one labeling or more"):
                refuse(X, lazy)
