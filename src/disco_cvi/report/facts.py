"""What a report says, as plain values ready for JSON."""

from __future__ import annotations

from dataclasses import asdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._input.points import plain_name
from disco_cvi._output.words import count, shorten
from disco_cvi.indices.registry import available_indices
from disco_cvi.report.provenance import describe_data, labels_digest, versions_of
from disco_cvi.results.words import advice_lines, verdict

if TYPE_CHECKING:
    from disco_cvi.report.study import Study
    from disco_cvi.results.explanation import Explanation

_WORST = 20


def facts_of(study: Study) -> dict[str, Any]:
    """Return everything that the report of a study says; see `write_report`."""
    explanation = study.explanation
    known = explanation.to_dict(points=False)
    n_points = known["n_points"]
    return {
        "title": study.request.title or f"Clustering of {count(n_points, 'point')}",
        "date": study.request.date,
        "labeling": study.name,
        "score": known["score"],
        "verdict": verdict(known),
        "pair_score": known["pair_score"],
        "told_apart": known["told_apart"],
        "flags": known["flags"],
        "look_at_next": advice_lines(known),
        "n_points": n_points,
        "n_clusters": known["n_clusters"],
        "n_noise": known["n_noise"],
        "share_negative": _share_negative(explanation),
        "min_points": known["min_points"],
        "metric": known["metric"],
        "clusters": sorted(known["clusters"], key=itemgetter("mean_score")),
        "noise": known["noise"],
        "worst": [
            {**vars(point), "name": plain_name(point.name)} for point in explanation.worst(_WORST)
        ],
        "eps": _eps_facts(study),
        "indices": _index_facts(study),
        "labelings": [_labeling_facts(study, name) for name in study.labelings],
        "computed": _computed(study),
    }


def _share_negative(explanation: Explanation) -> float:
    return int(np.count_nonzero(explanation.points.score < 0)) / len(explanation.points.score)


def _eps_facts(study: Study) -> dict[str, Any] | None:
    """The best eps of DBSCAN by the pair score, and the range that is almost as good."""
    if study.tree is None:
        return None
    path = study.tree.eps_path()
    best = {name: value if np.isfinite(value) else None for name, value in vars(path.best).items()}
    low, high = path.stretch()
    return {"best": best, "almost": [low, high if np.isfinite(high) else None]}


def _index_facts(study: Study) -> list[dict[str, Any]]:
    """All indices in the order of the registry; those left out have a reason too."""
    rows = []
    for info in available_indices():
        if info.name in study.values:
            low, high = (end if np.isfinite(end) else None for end in info.range)
            row = {"name": info.name, "title": info.title, **study.values[info.name]}
            kind = {"better": info.better, "low": low, "high": high, "noise": info.noise}
            rows.append(row | kind)
    return rows


def _labeling_facts(study: Study, name: str) -> dict[str, Any]:
    explanation = study.explanations[name]
    agreement = {} if study.agreements is None else study.agreements[name]
    return {
        "name": name,
        "pair_score": explanation.pair_score,
        "score": explanation.score,
        "n_clusters": len(explanation.clusters),
        "n_noise": explanation.noise.size,
        "share_negative": _share_negative(explanation),
        "flags": [asdict(flag) for flag in explanation.flags],
        **agreement,
    }


def _computed(study: Study) -> dict[str, Any]:
    explanation, points = study.explanation, study.clustering.points
    parameters: dict[str, Any] = {
        "min_points": explanation.min_points,
        "metric": explanation.metric,
        **{name: shorten(value) for name, value in points.metric.params.items()},
    }
    noise = study.request.noise_label
    parameters["noise_label"] = "None" if noise is None else shorten(noise)
    return {
        "parameters": parameters,
        "data": describe_data(points),
        "labels_sha256": labels_digest(study.clustering.labels),
        "versions": versions_of(),
    }
