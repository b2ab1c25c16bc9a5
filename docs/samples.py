"""What the code of two pages makes, made with every build, so that the pages can show it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def write_samples(app: Sphinx) -> None:
    """Write all of it into one folder of the site."""
    folder = Path(app.outdir) / "sample"
    (folder / "start").mkdir(parents=True, exist_ok=True)
    write_for_report(folder)
    write_for_start(folder / "start")


def write_for_report(folder: Path) -> None:
    """Write what the code of guide/report.md writes."""
    from disco_cvi.datasets import three_rings
    from disco_cvi.report import write_report

    rings = three_rings()
    labelings = {"rings": rings.good_labels, "k-means": rings.bad_labels}
    write_report(rings.points, labelings, folder / "rings.html", title="Three rings")


def write_for_start(folder: Path) -> None:
    """Write what the code of start.md writes, and its picture for a dark page."""
    from disco_cvi import explain
    from disco_cvi.datasets import three_rings
    from disco_cvi.report import write_report
    from disco_cvi.selection import suggest

    X = three_rings().points
    suggestion = suggest(X)
    explanation = explain(X, suggestion.labels)
    explanation.plot().figure_.savefig(folder / "map.png")
    explanation.plot(theme="dark").figure_.savefig(folder / "map_dark.png")
    write_report(X, suggestion, folder / "rings.html", title="Three rings")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write them when a build begins; Sphinx calls this."""
    app.connect("builder-inited", write_samples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
