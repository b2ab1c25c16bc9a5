"""The report on the rings, written beside the pages, so that they can show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write_sample(app: Sphinx) -> None:
    """Write what the guide's code writes."""
    from disco_cvi.datasets import three_rings
    from disco_cvi.report import write_report

    folder = Path(app.outdir) / "sample"
    folder.mkdir(parents=True, exist_ok=True)
    rings = three_rings()
    labelings = {"rings": rings.good_labels, "k-means": rings.bad_labels}
    write_report(rings.points, labelings, folder / "rings.html", title="Three rings")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write it when a build begins; Sphinx calls this."""
    app.connect("builder-inited", write_sample)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
