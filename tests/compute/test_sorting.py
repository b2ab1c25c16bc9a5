"""Sorting in threads."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi._compute import sorting
from disco_cvi._compute.sorting import group_by, sorted_order
from helpers import zoo

pytestmark = pytest.mark.small


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few values be divided."""
    monkeypatch.setattr(sorting, "_MANY_VALUES", 8)
    monkeypatch.setattr(sorting, "_LEAST_RANGE", 4)
    monkeypatch.setattr(sorting, "_SAMPLES_PER_GROUP", 2)


VALUES = st.one_of(
    st.lists(st.integers(0, 3).map(float), max_size=60),
    st.lists(st.floats(0, 1), max_size=60),
    st.integers(8, 200).map(lambda n: [2.0**-i for i in range(n)]),
)


@pytest.mark.usefixtures("small_parts")
@zoo.examples(60)
@given(VALUES)
def test_any_number_of_threads_gives_one_sorted_order(values: list[float]) -> None:
    array = np.array(values, np.float64)
    found = [sorted_order(array, n_jobs) for n_jobs in (1, 2, 3, 8)]
    assert found[0].dtype == np.int32
    assert array[found[0]].tolist() == sorted(values)
    assert sorted(found[0].tolist()) == list(range(len(values)))
    assert all(np.array_equal(order, found[0]) for order in found)


@pytest.mark.usefixtures("small_parts")
@zoo.examples(30)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=60), st.sampled_from([1, 2, 8]))
def test_groups_hold_their_items_in_order(keys: list[int], n_jobs: int) -> None:
    array = np.array(keys)
    groups = group_by(lambda begin, stop: array[begin:stop], len(keys), 7, n_jobs)
    assert [group.tolist() for group in groups] == [
        np.flatnonzero(array == number).tolist() for number in range(7)
    ]
