"""The scaling of scores in the paper's plots, in which all indices share one axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_paper.judging.paper_names import INDEX_TITLES

# Indices for which lower is better are turned around, and those without an upper bound divided by
# their greatest value.
REVERSED = ("s_dbw", "cvnn")
NORMALIZED = ("s_dbw", "cvnn", "cvdd", "cdbw")

_NOTHING = 3e-6  # scores with a smaller maximum are drawn as 0


def scale_for_plot(scores: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Scale the scores of one plot as the paper does.

    The maxima are those over all places and runs of the plot. The smallest score is not subtracted:
    although the paper speaks of a normalization to [0, 1], its plots show this one.

    Parameters
    ----------
    scores : mapping of str to array-like
        Scores by name of the index, in an array of any shape; NaN or None where there is none.

    Returns
    -------
    dict of str to ndarray
        Scaled scores by title of the index, marked "r" if reversed and "n" if normalized.

    Examples
    --------
    >>> scale_for_plot({"disco": [0.5, 0.2], "cvdd": [1.0, 4.0], "s_dbw": [2.0, 0.5]})
    {'DISCO': array([0.5, 0.2]), 'CVDD (n)': array([0.25, 1.  ]), 'S_Dbw (r, n)': array([0., 1.])}
    """
    return {
        f"{INDEX_TITLES.get(name, name)}{_marks(name)}": _scale(name, values)
        for name, values in scores.items()
    }


def _marks(name: str) -> str:
    """What was done to an index, in parentheses."""
    done = ["r"] * (name in REVERSED) + ["n"] * (name in NORMALIZED)
    return f" ({', '.join(done)})" if done else ""


def _scale(name: str, values: Any) -> NDArray[np.float64]:
    """The scores of one index, scaled."""
    scaled = np.array(values, dtype=np.float64)
    if np.isnan(scaled).all():
        return scaled
    if name in REVERSED:
        scaled = np.nanmax(scaled) - scaled
    if name in NORMALIZED:
        greatest = np.nanmax(scaled)
        # Where there is no score there is none afterwards either: 0 times NaN is NaN.
        scaled = scaled / greatest if greatest >= _NOTHING else 0.0 * scaled
    return scaled
