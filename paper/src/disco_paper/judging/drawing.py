"""Small pictures of labelings beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from disco_paper.cells.cell import Spec
from disco_paper.cells.data import make_points
from disco_paper.cells.labelings import make_labels
from disco_paper.cells.source import Source

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

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
    from disco_cvi.plots import labels_map

    drawing = open_drawing(width=2.6 * len(columns), height=2.9)
    panels = drawing.subplots(1, len(columns), squeeze=False)[0]
    for panel, column, title in zip(
        panels,
        columns,
        titles or [column.title for column in columns],
        strict=True,
    ):
        source = Source(column.data, *make_points(column.data))
        labels = make_labels(column.labeling, source, labelings)
        labels_map(source.points, labels, ax=panel)
        panel.set_title(title, fontsize=9)
    return drawing


def open_drawing(width: float, height: float) -> Drawing:
    """An empty figure that needs no window and leaves no state behind."""
    from matplotlib.figure import Figure as Drawing

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
