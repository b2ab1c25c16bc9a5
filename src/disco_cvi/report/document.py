"""The text of a whole report: with its style, its script, and a policy that forbids more."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, from_to, percent
from disco_cvi.plots.style import THEMES

SCORE_RAMPS = {name: look.ramp for name, look in THEMES.items()}
LABEL_PALETTES = {name: look.labels for name, look in THEMES.items()}
from disco_cvi.report.drawings import draw_all
from disco_cvi.report.map_data import map_data
from disco_cvi.report.page import read_template, render
from disco_cvi.results.words import CHOOSE, decided_by_labels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from disco_cvi.report.study import Study

_LINES_AT_ONCE = 3
_SECTIONS = {
    "map": "Map",
    "clusters-title": "Clusters",
    "bars": "Scores by cluster",
    "noise": "Noise",
    "eps": "Eps",
    "line": "One line",
    "worst-title": "Worst points",
    "comparison": "Comparison",
    "indices": "Indices",
    "computed": "Computed",
    "reading": "How to read",
}


def document(study: Study, facts: Mapping[str, Any]) -> str:
    """Return the page of a study; same study, same text."""
    colors = {"ramps": SCORE_RAMPS, "palettes": LABEL_PALETTES, "themes": THEMES}
    style, script = render("report.css", colors), read_template("report.js")
    charts = draw_all(study)
    shown_map = None
    if study.plane is not None:
        shown_map = map_data(study.explanation, study.clustering.labels, study.plane)
    return render(
        "report.html",
        {
            "facts": facts,
            "charts": charts,
            "map": shown_map,
            "style": style,
            "script": script,
            "policy": policy(style, script),
            "contents": _contents(charts, facts, has_map=shown_map is not None),
            "headline": _headline(facts),
            "eps_words": _eps_words(facts),
            "noise_words": _noise_words(facts),
            "nothing": f"Nothing stands out. {CHOOSE}",
            "is_decided": decided_by_labels(dict(facts)) is not None,
            "has_row_names": any(point["name"] is not None for point in facts["worst"]),
            "has_truth": study.agreements is not None,
            "has_comparison": shows_comparison(facts),
            "lines_at_once": _LINES_AT_ONCE,
        },
    )


def policy(style: str, script: str) -> str:
    """What the page may do: its own style and script, pictures inside it, and nothing else.

    A policy inside a page cannot say who may frame it or where to report; these stay out.
    """
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _contents(
    charts: Mapping[str, Any], facts: Mapping[str, Any], *, has_map: bool
) -> list[tuple[str, str]]:
    missing = {name for name in ("bars", "noise", "eps", "line") if charts[name] is None}
    missing |= {"clusters-title"} if has_map else {"map"}
    if not shows_comparison(facts):
        missing.add("comparison")
    return [(name, title) for name, title in _SECTIONS.items() if name not in missing]


def shows_comparison(facts: Mapping[str, Any]) -> bool:
    """Whether there is anything to compare: other labelings, or the truth."""
    return len(facts["labelings"]) > 1 or "ari" in facts["labelings"][0]


def _headline(facts: Mapping[str, Any]) -> str:
    noise = count(facts["n_noise"], "noise point")
    if facts["n_noise"]:
        noise += f" ({percent(facts['n_noise'] / facts['n_points'])})"
    return (
        f"{count(facts['n_points'], 'point')}, {count(facts['n_clusters'], 'cluster')}, {noise}; "
        f"{percent(facts['share_negative'])} of all points score below 0. Pair score "
        f"{score_text(facts['pair_score'])}. min_points {facts['min_points']}, "
        f"{facts['metric']} distance."
    )


def _eps_words(facts: Mapping[str, Any]) -> str:
    if facts["eps"] is None:
        return ""
    best, (low, high) = facts["eps"]["best"], facts["eps"]["almost"]
    words = "DBSCAN at every eps, border points counted as noise. "
    if best["score"] <= 0:
        return f"{words}No eps is better than no clusters by the pair score."
    return (
        f"{words}By the pair score, {score_text(best['score'])} at eps {best['eps']:.4g} is best: "
        f"{count(best['n_clusters'], 'cluster')}, {percent(best['noise_share'])} noise. "
        f"Within 5% of it: eps {from_to(low, high)}."
    )


def _noise_words(facts: Mapping[str, Any]) -> str:
    noise = facts["noise"]
    rightly = noise["size"] - noise["n_claimed"] - noise["n_dense_apart"]
    return (
        f"{rightly:,} rightly noise, in a sparse place and apart from every cluster; "
        f"{noise['n_dense_apart']:,} in a dense place, but apart: a cluster that was missed? "
        f"{noise['n_claimed']:,} joined to a cluster by steps of its density: part of it?"
    )
