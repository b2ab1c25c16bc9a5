"""One row for each index, from which public names, tables, reports and tests follow."""

from __future__ import annotations

from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.index_info import IndexInfo, IndexTable

_INDICES = IndexTable(
    (
        IndexInfo(
            name="disco",
            title="DISCO",
            range=(-1, 1),
            noise="judged",
            metric="any",
            needs="tree",
            cost="n log n",
            reference="Beer, Krieger, Weber, Ritzert, Assent, Plant: Internal Evaluation of "
            "Density-Based Clusterings with Noise. ICLR 2026.",
            other_functions=("disco_samples",),
        ),
        IndexInfo(
            name="pair",
            title="Pair score",
            range=(-1, 1),
            noise="affects",
            metric="any",
            needs="tree",
            cost="n log n",
            reference="Made here, no part of the DISCO paper: for choosing among labelings of the "
            "same points.",
            other_functions=("pair_samples",),
        ),
        IndexInfo(
            name="silhouette",
            title="Silhouette",
            range=(-1, 1),
            noise="affects",
            shapes="round",
            metric="any",
            cost="n^2",
            reference="Rousseeuw: Silhouettes: a graphical aid to the interpretation and "
            "validation of cluster analysis. J. Computational and Applied Mathematics 20, 1987.",
            other_functions=("silhouette_samples",),
        ),
        IndexInfo(
            name="s_dbw",
            title="S_Dbw",
            better="lower",
            noise="ignored",
            shapes="round",
            cost="n k",
            reference="Halkidi, Vazirgiannis: Clustering validity assessment: finding the optimal "
            "partitioning of a data set. ICDM 2001.",
        ),
        IndexInfo(
            name="dbcv",
            title="DBCV",
            range=(-1, 1),
            noise="affects",
            metric="any",
            cost="n^2",
            reference="Moulavi, Jaskowiak, Campello, Zimek, Sander: Density-based clustering "
            "validation. SDM 2014.",
        ),
        IndexInfo(
            name="dcsi",
            title="DCSI",
            range=(0, 1),
            noise="ignored",
            metric="any",
            cost="n k log n",
            reference="Gauss, Scheipl, Herrmann: DCSI - An improved measure of cluster "
            "separability based on separation and connectedness. arXiv:2310.12806, 2023.",
        ),
        IndexInfo(
            name="mmj_sc",
            title="MMJ-SC",
            range=(-1, 1),
            noise="affects",
            metric="any",
            needs="tree of min_points 1",
            cost="n log n",
            reference="Liu: Min-Max-Jump distance and its applications. arXiv:2301.05994, 2023.",
            other_functions=("mmj_sc_samples",),
        ),
        IndexInfo(
            name="lccv",
            title="LCCV",
            range=(-1, 1),
            order_proof="except ties",
            noise="affects",
            cost="n^2",
            reference="Cheng, Zhu, Huang, Wu, Yang: A novel cluster validity index based on local "
            "cores. IEEE Trans. Neural Networks and Learning Systems 30, 2019.",
        ),
        IndexInfo(
            name="viasckde",
            title="VIASCKDE",
            range=(-1, 1),
            noise="ignored",
            cost="n log n",
            reference="Senol: VIASCKDE index: a novel internal cluster validity index for "
            "arbitrary-shaped clusters based on the kernel density estimation. "
            "Computational Intelligence and Neuroscience 2022.",
            other_functions=("viasckde_samples",),
        ),
        IndexInfo(
            name="cvdd",
            title="CVDD",
            noise="ignored",
            cost="n log n",
            reference="Hu, Zhong: An internal validity index based on density-involved distance. "
            "IEEE Access 7, 2019.",
        ),
        IndexInfo(
            name="cdbw",
            title="CDbw",
            order_proof="except ties",
            noise="ignored",
            cost="n k",
            reference="Halkidi, Vazirgiannis: A density-based cluster validity approach using "
            "multi-representatives. Pattern Recognition Letters 29, 2008.",
        ),
        IndexInfo(
            name="cvnn",
            title="CVNN",
            better="lower",
            order_proof="except ties",
            noise="affects",
            metric="any",
            cost="n^2",
            reference="Liu, Li, Xiong, Gao, Wu, Wu: Understanding and enhancement of internal "
            "clustering validation measures. IEEE Trans. Cybernetics 43, 2013.",
            other_functions=("cvnn_indices",),
        ),
        IndexInfo(
            name="davies_bouldin",
            title="Davies-Bouldin",
            better="lower",
            noise="ignored",
            shapes="round",
            cost="n + k^2",
            reference="Davies, Bouldin: A cluster separation measure. IEEE Trans. Pattern Analysis "
            "and Machine Intelligence 1, 1979.",
        ),
        IndexInfo(
            name="calinski_harabasz",
            title="Calinski-Harabasz",
            noise="ignored",
            shapes="round",
            cost="n",
            reference="Calinski, Harabasz: A dendrite method for cluster analysis. "
            "Communications in Statistics 3, 1974.",
        ),
        IndexInfo(
            name="dunn",
            title="Dunn",
            noise="ignored",
            shapes="round",
            cost="n^2",
            reference="Dunn: Well-separated clusters and optimal fuzzy partitions. J. Cybernetics "
            "4, 1974.",
        ),
        IndexInfo(
            name="generalized_dunn",
            title="Generalized Dunn",
            noise="ignored",
            shapes="round",
            cost="n^2",
            reference="Bezdek, Pal: Some new indexes of cluster validity. IEEE Trans. Systems, Man "
            "and Cybernetics B 28, 1998.",
        ),
    )
)

# Made for a hundred thousand points and more.
NEAR_LINEAR = {
    *("disco", "pair", "s_dbw", "dcsi", "mmj_sc", "viasckde", "cdbw"),
    *("davies_bouldin", "calinski_harabasz"),
}


def available_indices() -> IndexTable:
    """Return all validity indices of this package, with what they promise.

    Returns
    -------
    tuple of IndexInfo
        DISCO and the pair score, the others of the DISCO paper in the order of its tables, then
        classics; printing it shows a table.

    Examples
    --------
    >>> from disco_cvi import available_indices
    >>> [info.name for info in available_indices() if info.noise == "judged"]
    ['disco']
    """
    return _INDICES


def choose_indices(indices: object, caller: str) -> IndexTable:
    """Return the indices that a user names: "all", one name, or several different ones."""
    chosen = _INDICES.choose(indices, "indices", caller)
    if len(set(chosen)) < len(chosen):
        raise InvalidInputError(
            argument="indices", caller=caller, rule="be different names", got=repr(indices)
        )
    return chosen
