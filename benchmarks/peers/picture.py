"""Times of all programs over the number of points, as a picture for the docs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from benchmarks.peers.compare import Measurement

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "evidence" / "peers.svg"
_KINDS = ("DISCO", "silhouette", "silhouette that judges noise", "DBCV", "tree", "S_Dbw", "CDbw")
_OURS, _OTHERS = "#1b6ca8", ("#b5651d", "#7a7a7a", "#8a4f9e")


def draw(rows: Iterable[Measurement], path: Path = PICTURE) -> None:
    """Draw one panel for each kind, ours in blue; both axes are logarithmic."""
    sizes = [row for row in rows if (row.n_features, row.n_clusters, row.noise) == (2, 20, 0.1)]
    kinds = [kind for kind in _KINDS if any(row.kind == kind and row.seconds for row in sizes)]
    figure = Figure(figsize=(9.5, 2.5 * -(-len(kinds) // 3)), layout="constrained")
    panels = figure.subplots(-(-len(kinds) // 3), 3, squeeze=False, sharex=True, sharey=True)
    for panel, kind in zip(panels.flat, kinds, strict=False):
        panel.set_title(kind, fontsize=9, loc="left")
        _draw_kind(panel, [row for row in sizes if row.kind == kind])
    for panel in panels.flat[len(kinds) :]:
        panel.set_visible(False)
    for panel in panels[:, 0]:
        panel.set_ylabel("seconds", fontsize=8)
    with mpl.rc_context({"svg.hashsalt": "disco-cvi", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def _draw_kind(panel: object, rows: list[Measurement]) -> None:
    others = iter(_OTHERS)
    for title in dict.fromkeys(row.title for row in rows):
        timed = [(row.n_points, row.seconds) for row in rows if row.title == title and row.seconds]
        if not timed:
            continue
        color = _OURS if title.startswith("disco_cvi") else next(others)
        panel.loglog(*zip(*timed, strict=True), marker="o", ms=3, lw=1.2, color=color, label=title)  # type: ignore[attr-defined]
    panel.tick_params(labelsize=7)  # type: ignore[attr-defined]
    panel.grid(visible=True, lw=0.3)  # type: ignore[attr-defined]
    panel.legend(fontsize=6, frameon=False, loc="upper left")  # type: ignore[attr-defined]
