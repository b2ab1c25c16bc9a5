"""What the figures share: colors, axes, pictures of labelings, and the scaling of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import labels_map
from disco_paper.cells import Spec
from disco_paper.paper import INDEX_TITLES
from disco_paper.sources import Source, make_labels, make_points

FloatArray = NDArray[np.float64]
# One color per index, the same in every figure.
INDEX_COLORS = {
    "disco": "#0b3c8c",
    "dbcv": "#cc3311",
    "dcsi": "#ee7733",
    "lccv": "#009988",
    "viasckde": "#aa4499",
    "cvdd": "#7d7a1f",
    "cdbw": "#d4ac2b",
    "cvnn": "#6b1f45",
    "mmj_sc": "#33a6e0",
    "silhouette": "#7f7f7f",
    "s_dbw": "#e58fae",
}


@dataclass(frozen=True)
class Column:
    """A column of the paper's table: its name there, the points and the labeling."""

    name: str
    data: Spec
    labeling: Spec

    @property
    def title(self) -> str:
        """Its name in words: first the data, then the labeling."""
        data, _, labeling = self.name.partition("_")
        return f"{data}, {labeling.replace('_', ' ').replace('kMeans', 'k-means')}"


def draw_labelings(
    columns: Sequence[Column],
    titles: Sequence[str] = (),
    labelings: Mapping[str, Callable[..., Any]] | None = None,
) -> Drawing:
    """Draw the points of each column, colored by cluster.

    Parameters
    ----------
    columns : sequence of Column
    titles : sequence of str, optional
        One per column; the names of the columns by default.
    labelings : mapping, optional
        The experiment's own labelings.
    """
    drawing = open_drawing(width=2.6 * len(columns), height=2.9)
    panels = drawing.subplots(1, len(columns), squeeze=False)[0]
    for panel, column, title in zip(
        panels, columns, titles or [column.title for column in columns], strict=True
    ):
        source = Source(column.data, *make_points(column.data))
        labels = make_labels(column.labeling, source, labelings)
        labels_map(source.points, labels, ax=panel)
        panel.set_title(title, fontsize=9)
    return drawing


def open_drawing(width: float, height: float) -> Drawing:
    """An empty figure that needs no window and leaves no state behind."""
    return Drawing(figsize=(width, height), layout="constrained")


def tidy(ax: Axes, grid: Literal["x", "y"] = "y") -> None:
    """No frame but two axes, and faint lines to read by."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_axisbelow(True)
    ax.grid(visible=True, axis=grid, color="#dddddd", linewidth=0.7)


def draw_histogram(ax: Axes, scores: FloatArray, bins: int, color: str, label: str) -> None:
    """Bars, a density curve and a dashed line at the mean; equal scores are one solid line."""
    from scipy.stats import gaussian_kde

    if np.ptp(scores) <= 1e-9 * max(1.0, float(np.abs(scores).max())):  # equal up to rounding
        ax.axvline(scores[0], color=color, linewidth=2.2, label=label)
        return
    ax.hist(scores, bins=bins, density=True, color=color, alpha=0.35, label=label)
    margin = 0.1 * np.ptp(scores)
    grid = np.linspace(scores.min() - margin, scores.max() + margin, 400)
    ax.plot(grid, gaussian_kde(scores)(grid), color=color, linewidth=1.8)
    ax.axvline(float(scores.mean()), color=color, linewidth=1.5, linestyle="--")


# --- scaling ------------------------------------------------------------------------------------

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
