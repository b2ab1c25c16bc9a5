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
