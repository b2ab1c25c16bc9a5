"""All drawings of a report, by name; one that has nothing to show is None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disco_cvi.report.charts.ruler import color_key, ruler

if TYPE_CHECKING:
    from disco_cvi.report.study import Study


def draw_all(study: Study) -> dict[str, Any]:
    """Return every drawing of the report of a study as SVG."""
    return {
        "ruler": ruler(study.explanation.score),
        "key": color_key(),
        "bars": None,
        "noise": None,
        "eps": None,
        "line": None,
        "strips": [""] * len(study.labelings),
    }
