"""All drawings of a report, by name; one that has nothing to show is None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disco_cvi.plots.bars import ScoreBarsDisplay
from disco_cvi.plots.eps import EpsCurveDisplay
from disco_cvi.plots.line import DensityLineDisplay
from disco_cvi.plots.noise import NoiseDisplay
from disco_cvi.report.charts.bars import bars
from disco_cvi.report.charts.density_line import density_line
from disco_cvi.report.charts.eps import eps_curve
from disco_cvi.report.charts.noise import noise
from disco_cvi.report.charts.ruler import color_key, ruler
from disco_cvi.report.charts.strip import strip

if TYPE_CHECKING:
    from disco_cvi.report.study import Study


def draw_all(study: Study) -> dict[str, Any]:
    """Return every drawing of the report of a study as SVG."""
    explanation, tree = study.explanation, study.tree
    of_noise = NoiseDisplay.from_explanation(explanation)
    labels = study.clustering.labels
    return {
        "ruler": ruler(explanation.score),
        "key": color_key(),
        "bars": bars(ScoreBarsDisplay.from_explanation(explanation)),
        "noise": noise(of_noise) if sum(of_noise.counts) else None,
        "eps": tree and eps_curve(EpsCurveDisplay(tree.eps_path(), explanation.pair_score)),
        "line": tree and density_line(DensityLineDisplay.from_tree(tree, labels)),
        "strips": [strip(one.points.score) for one in study.explanations.values()],
    }
