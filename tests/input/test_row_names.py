"""Labels of pandas must name the rows that the points name."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans

import disco_cvi
from disco_cvi import (
    DensityTree,
    InvalidInputError,
    available_indices,
    compare,
    disco_score,
    evaluate,
    explain,
)
from disco_cvi._input.points import check_row_names, names_in, plain_name
from disco_cvi.plots import labels_map
from disco_cvi.selection import ClusteringSearch

VALUES = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [9, 9], [9, 8], [8, 9], [8, 8]])
X = pd.DataFrame(VALUES, index=list("abcdefgh"))
LABELS = pd.Series([0, 0, 0, 0, 1, 1, 1, 1], index=X.index)
BACKWARDS = LABELS[::-1]
NUMBERED = LABELS.reset_index(drop=True)

OTHER_ORDER = (
    r"labels of disco_score must have the index of X in the same order; row 0 is 'h', in X 'a'. "
    r"Pass labels.loc\[X.index\] to join them by name, or labels.to_numpy\(\) if row belongs to "
    "row."
)
OTHER_INDEX = (
    r"labels of disco_score must have the index of X; row 0 is 0, in X 'a'. Pass "
    r"labels.to_numpy\(\) if row belongs to row."
)


@pytest.mark.small
@pytest.mark.parametrize(("labels", "message"), [(BACKWARDS, OTHER_ORDER), (NUMBERED, OTHER_INDEX)])
@pytest.mark.parametrize("points", [X, DensityTree(X, min_points=2)], ids=["points", "tree"])
def test_labels_of_other_rows_are_refused(points: Any, labels: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=f"^{message}$"):
        disco_score(points, labels, min_points=2)


@pytest.mark.small
def test_remedies_help() -> None:
    right = disco_score(VALUES, LABELS.to_numpy(), min_points=2)
    for labels in (LABELS, BACKWARDS.loc[X.index], NUMBERED.to_numpy(), LABELS.to_list()):
        assert disco_score(X, labels, min_points=2) == right


@pytest.mark.small
def test_only_two_indices_can_differ() -> None:
    right = disco_score(VALUES, BACKWARDS.to_numpy(), min_points=2)
    assert disco_score(VALUES, BACKWARDS, min_points=2) == right
    with pytest.raises(InvalidInputError, match="row 0 is 'h', in X 0"):
        disco_score(pd.DataFrame(VALUES), BACKWARDS, min_points=2)


@pytest.mark.small
def test_numbers_of_rows_are_told_as_people_write_them() -> None:
    with pytest.raises(InvalidInputError, match="row 0 is 7, in X 0"):
        disco_score(pd.DataFrame(VALUES), NUMBERED.set_axis(np.arange(8)[::-1]))


@pytest.mark.small
def test_equal_names_of_two_types_are_the_same_rows() -> None:
    counted = pd.Series(LABELS.to_numpy(), index=np.arange(8.0))
    assert disco_score(pd.DataFrame(VALUES), counted, min_points=2) > 0
    missing = pd.DataFrame(VALUES, index=[None, *"bcdefgh"])
    assert disco_score(missing, pd.Series(LABELS.to_numpy(), missing.index), min_points=2) > 0
    swapped = pd.Series(LABELS.to_numpy(), index=[None, *"cbdefgh"])
    with pytest.raises(InvalidInputError, match="in the same order; row 1 is 'c', in X 'b'"):
        disco_score(missing, swapped, min_points=2)


@pytest.mark.small
def test_labels_of_another_length_are_told_so() -> None:
    with pytest.raises(InvalidInputError, match="one label per point: 8 points, 7 labels"):
        disco_score(X, LABELS[:7], min_points=2)


FUNCTIONS = sorted(
    {name for info in available_indices() for name in (info.function_name, *info.other_functions)}
)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_index_refuses_labels_of_other_rows(name: str) -> None:
    labels, argument = BACKWARDS, "labels"
    if name == "cvnn_indices":
        labels, argument = [BACKWARDS], "labelings[0]"
    message = re.escape(f"{argument} of {name} must have the index of X")
    with pytest.raises(InvalidInputError, match=message):
        getattr(disco_cvi, name)(X, labels)


def search_for(truth: Any) -> dict[str, Any]:
    found = ClusteringSearch(KMeans(random_state=0), {"n_clusters": [2, 3]}, min_points=2)
    best: dict[str, Any] = found.fit(X, truth).best_params_
    return best


@pytest.mark.parametrize(
    ("call", "subject"),
    [
        (lambda: evaluate(X, BACKWARDS), "labels of evaluate"),
        (lambda: explain(X, BACKWARDS), "labels of explain"),
        (lambda: labels_map(X, BACKWARDS), "labels of labels_map"),
        (lambda: compare(X, {"a": LABELS, "b": BACKWARDS}, "disco"), "labelings['b'] of compare"),
        (lambda: compare(X, {"a": LABELS}, "disco", truth=BACKWARDS), "truth of compare"),
        (lambda: search_for(BACKWARDS), "y of ClusteringSearch"),
    ],
)
def test_results_and_plots_refuse_labels_of_other_rows(
    call: Callable[[], object], subject: str
) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(f"{subject} must have the index of X")):
        call()
    assert search_for(LABELS) == {"n_clusters": 2}


@pytest.mark.small
def test_names_given_as_a_column_belong_to_its_rows() -> None:
    names = pd.Series(list("stuvwxyz"), index=X.index)
    assert list(check_row_names(names, 8, X.index, "test")) == list("stuvwxyz")
    with pytest.raises(InvalidInputError, match="row_names of test must have the index of X"):
        check_row_names(names[::-1], 8, X.index, "test")


@pytest.mark.small
@pytest.mark.parametrize(
    ("index", "counts"),
    [
        (pd.RangeIndex(8), True),
        (pd.RangeIndex(8, name="id"), False),
        (pd.RangeIndex(1, 9), False),
        (pd.RangeIndex(0, 16, 2), False),
        (pd.Index(range(7, -1, -1)), False),
        (pd.MultiIndex.from_product([[0, 1], list("abcd")]), False),
    ],
)
def test_an_index_that_only_counts_has_no_names(index: Any, *, counts: bool) -> None:
    assert (names_in(index) is None) == counts


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "plain"),
    [
        (np.int64(3), 3),
        (np.str_("a"), "a"),
        (float("nan"), "nan"),
        (1.5, 1.5),
        (None, None),
        (True, True),
        (("a", 1), "('a', 1)"),
        (pd.Timestamp("2026-01-02"), "2026-01-02 00:00:00"),
        (pd.NA, "<NA>"),
    ],
)
def test_plain_names(name: object, plain: object) -> None:
    found = plain_name(name)
    assert found == plain
    assert type(found) is type(plain)
