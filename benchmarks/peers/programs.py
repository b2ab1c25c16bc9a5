"""What is measured: ours and theirs, each as a function of points and labels.

This file runs in the environments of all programs, so it imports nothing but on use. Every function
uses one thread. What a function computes is its `kind`; programs of one kind answer one question.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

MIN_POINTS = 5
EVERY_MIN_POINTS = range(1, 31)


class Program(NamedTuple):
    """A program: how it is called, what it computes, and the package it comes from.

    `package` is what pip installs into the throw-away environment; "" is this project, or what it
    depends on.
    """

    title: str
    kind: str
    package: str
    score: Callable[[Any, Any], Any]

    @property
    def is_ours(self) -> bool:
        """Whether it is this project's."""
        return self.title.startswith("disco_cvi")


# --- ours ---------------------------------------------------------------------------------------


def _our_index(name: str) -> Callable[[Any, Any], Any]:
    def score(X: Any, labels: Any) -> Any:
        import disco_cvi

        return getattr(disco_cvi, name)(X, labels)

    return score


def _our_tree(X: Any, _labels: Any) -> float:
    from disco_cvi import DensityTree

    return float(DensityTree(X, min_points=MIN_POINTS).heights[-1])


def _our_trees(X: Any, _labels: Any) -> float:
    from disco_cvi import DensityTree

    trees = DensityTree.for_min_points(X, EVERY_MIN_POINTS)
    return float(sum(tree.heights[-1] for tree in trees.values()))


def _literal_disco(X: Any, labels: Any) -> Any:
    from definitions.disco import disco_score

    return disco_score(X, labels)


# --- theirs -------------------------------------------------------------------------------------


def _sklearn_silhouette(X: Any, labels: Any) -> Any:
    from sklearn.metrics import silhouette_score

    return silhouette_score(X, labels)


def _hdbscan_validity(X: Any, labels: Any) -> Any:
    from hdbscan.validity import validity_index

    return validity_index(X, labels)


def _hdbscan_tree(X: Any, _labels: Any) -> float:
    import hdbscan

    model = hdbscan.HDBSCAN(
        min_samples=MIN_POINTS - 1,
        gen_min_span_tree=True,
        approx_min_span_tree=False,
        core_dist_n_jobs=1,
    )
    return float(model.fit(X).minimum_spanning_tree_.to_numpy()[:, 2].max())


def _nacvi(X: Any, labels: Any) -> Any:
    from nacvi import sil_plus_score

    return sil_plus_score(X, labels)


def _permetrics(name: str) -> Callable[[Any, Any], Any]:
    def score(X: Any, labels: Any) -> Any:
        from permetrics import ClusteringMetric

        return getattr(ClusteringMetric(X=X, y_pred=labels), name)()

    return score


def _s_dbw(X: Any, labels: Any) -> Any:
    from s_dbw import S_Dbw

    return S_Dbw(X, labels, method="Halkidi", alg_noise="filter")


def _cdbw(X: Any, labels: Any) -> Any:
    from cdbw import CDbw

    return CDbw(X, labels, alg_noise="filter")


def _viasckde(X: Any, labels: Any) -> Any:
    from viasckde import viasckde_score

    return viasckde_score(X, labels)


def _quitefastmst(X: Any, _labels: Any) -> float:
    import quitefastmst

    # Its M counts other points only.
    return float(quitefastmst.mst_euclid(X, M=MIN_POINTS - 1)[0][-1])


def _fast_hdbscan(X: Any, _labels: Any) -> float:
    from fast_hdbscan.hdbscan import compute_minimum_spanning_tree

    return float(compute_minimum_spanning_tree(X, min_samples=MIN_POINTS - 1)[0][:, 2].max())


def _core_sg(X: Any, _labels: Any) -> float:
    from core_sg import CoreSG

    graph = CoreSG().fit(X, k_max=EVERY_MIN_POINTS[-1])
    # It has no tree for one point.
    return float(sum(graph.extract_mst_from_core_sg(k)[:, 2].max() for k in EVERY_MIN_POINTS[1:]))


PROGRAMS = (
    Program("disco_cvi: disco_score", "DISCO", "", _our_index("disco_score")),
    Program("DISCO word for word, n by n", "DISCO", "", _literal_disco),
    Program("disco_cvi: silhouette_score", "silhouette", "", _our_index("silhouette_score")),
    Program("scikit-learn: silhouette_score", "silhouette", "", _sklearn_silhouette),
    Program("permetrics: SI", "silhouette", "permetrics", _permetrics("SI")),
    Program("nacvi: sil_plus_score", "silhouette that judges noise", "nacvi", _nacvi),
    Program("disco_cvi: dbcv_score", "DBCV", "", _our_index("dbcv_score")),
    Program("hdbscan: validity_index", "DBCV", "hdbscan", _hdbscan_validity),
    Program("permetrics: DBCVI", "DBCV", "permetrics", _permetrics("DBCVI")),
    Program("disco_cvi: s_dbw_index", "S_Dbw", "", _our_index("s_dbw_index")),
    Program("s-dbw: S_Dbw", "S_Dbw", "s-dbw", _s_dbw),
    Program("disco_cvi: cdbw_score", "CDbw", "", _our_index("cdbw_score")),
    Program("cdbw: CDbw", "CDbw", "cdbw", _cdbw),
    Program("disco_cvi: viasckde_score", "VIASCKDE", "", _our_index("viasckde_score")),
    Program("viasckde: viasckde_score", "VIASCKDE", "viasckde", _viasckde),
    Program("disco_cvi: DensityTree", "tree", "", _our_tree),
    Program("quitefastmst: mst_euclid", "tree", "quitefastmst", _quitefastmst),
    Program("fast_hdbscan: spanning tree", "tree", "fast_hdbscan", _fast_hdbscan),
    Program("hdbscan: spanning tree", "tree", "hdbscan", _hdbscan_tree),
    Program("disco_cvi: for_min_points", "trees for 30 min_points", "", _our_trees),
    Program("core-sg-mustache: CoreSG", "trees for 30 min_points", "core-sg-mustache", _core_sg),
)
