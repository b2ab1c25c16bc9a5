"""Claims about curves, as far as the curves are known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from disco_cvi.experiments.cells.cell import Found
from disco_cvi.experiments.judging.rows import Row


def as_far_as_known(
    claims: list[Row], curves: Iterable[NDArray[np.float64]], found: Found, *, cut: str = ""
) -> list[Row]:
    """Take back claims that cannot be made.

    Parameters
    ----------
    claims : list of Row
    curves : iterable of ndarray
        What they were made from, NaN where there is no value: then no claim is judged.
    found : Found
        Where to look for the reason.
    cut : str
        How the recipe was cut, if it was: then no claim is judged.
    """
    if cut:
        claims = [replace(row, verdict="not judged").with_note(cut) for row in claims]
    if any(np.isnan(curve).any() for curve in curves):
        reason = next((outcome.reason for outcome in found.values() if outcome.reason), "")
        note = " ".join(filter(None, ("Not all scores were computed.", reason, cut)))
        claims = [replace(row, ours=None, verdict="not judged", note=note) for row in claims]
    return claims
