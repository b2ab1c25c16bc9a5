"""Small pictures of labelings beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from disco_cvi.experiments.cells.cell import Spec
from disco_cvi.experiments.cells.data import make_points
from disco_cvi.experiments.cells.labelings import make_labels
from disco_cvi.experiments.cells.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


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
    """An empty figure that needs no window and leaves no state behind.

    Raises
    ------
    ImportError
        If matplotlib is missing, with what to install.
    """
    try:
        from matplotlib.figure import Figure as Drawing
    except ImportError as error:
        message = (
            "Drawing needs matplotlib, which is not installed. Run 'pip install "
            "disco-cvi[experiments]'."
        )
        raise ImportError(message) from error
    return Drawing(figsize=(width, height), layout="constrained")
