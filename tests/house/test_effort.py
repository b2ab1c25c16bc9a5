"""Searches look at no more than they did; `helpers.effort` says why that is a rule."""

from __future__ import annotations

import pytest

from helpers import effort, zoo


@pytest.mark.small
@pytest.mark.skipif(not zoo.COMPILER_IS_OFF, reason="compiled kernels call nothing to be counted")
@pytest.mark.parametrize("case", effort.CASES)
def test_no_search_looks_at_more_than_it_did(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it was meant: NUMBA_DISABLE_JIT=1 PYTHONPATH=tests python -m helpers.effort."""
    assert effort.figures(case, monkeypatch) == effort.frozen()[case]


@pytest.mark.parametrize("name", effort.WORST)
@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("tree of {} {} 64", 4),
        ("tree of {} {} 1", 4),
        ("cores of {} {} 40", 2),
        ("cores of {} {} 100", 2),
    ],
)
@pytest.mark.parametrize("dimension", [2, 3])
def test_worst_cases_take_a_few_times_as_much_as_even_points(
    name: str, what: str, most: int, dimension: int
) -> None:
    """Whoever freezes greater figures hears of it here."""
    frozen = effort.frozen()
    worst, even = (sum(frozen[what.format(one, dimension)].values()) for one in (name, "even"))
    assert worst < most * even
