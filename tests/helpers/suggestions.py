"""A suggestion as displays see it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from disco_cvi import DensityTree


def suggested_for(
    tree: DensityTree, algorithm: str = "dbscan", reach: float | None = 0.05
) -> SimpleNamespace:
    """The best of a path, with a second opinion and what data without clusters reach."""
    parameters: dict[str, Any]
    best: Any
    if algorithm == "dbscan":
        best = tree.eps_path().best
        parameters = {"eps": best.eps, "min_samples": tree.min_points}
        call = "HDBSCAN(min_cluster_size=5, min_samples=5)"
    else:
        best = tree.size_path(method="leaf").best
        parameters = {"min_cluster_size": best.low, "cluster_selection_method": "leaf"}
        call = "DBSCAN(eps=4.5, min_samples=5)"
    verdict = "clearly more" if reach is None or reach < best.score else "no more"
    return SimpleNamespace(
        tree=tree,
        algorithm=algorithm,
        parameters=parameters,
        score=best.score,
        n_clusters=best.n_clusters,
        noise_share=best.noise_share,
        second=SimpleNamespace(call=call, n_clusters=3),
        agreement=0.875,
        null=None if reach is None else SimpleNamespace(reach=reach, verdict=verdict),
    )
