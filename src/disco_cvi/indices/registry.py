"""What there is to know about each index: one row each, from which tables and tests follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from disco_cvi._output.info_table import Columns, InfoTable
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi._input.options import Option


@dataclass(frozen=True, kw_only=True)
class IndexInfo:
    """One validity index, and what it promises.

    Attributes
    ----------
    name : str
        The word for it in code and on the command line.
    title : str
        How papers write it.
    better : {"greater", "lower"}
        The direction of the index.
    range : tuple of float
        The smallest and the largest possible value.
    order_proof : {"yes", "except ties"}
        Whether the value stays the same when rows are shuffled: always, or unless equal distances
        are told apart by the order of the rows.
    noise : {"judged", "affects", "ignored"}
        Whether noise points are judged, change the value without being judged, or are left out.
    shapes : {"any", "round"}
        Which shapes of clusters it is made for.
    metric : {"any", "euclidean"}
        Whether distances may be of any metric, or are Euclidean by definition.
    needs : {"tree", "tree of min_points 1", "points"}
        What it is computed from: a density tree is enough, or the points themselves.
    cost : str
        How its time grows with the number of points n and of clusters k.
    reference : str
        Where it was defined.
    color, marker : str
        How plots show it.
    floor : float
        Its time on 8,000 points is to be at most so many times that of scikit-learn's silhouette.
    near_linear : bool
        Whether it is made for a hundred thousand points and more.
    other_functions : tuple of str
        The public functions of its module beside `function`.
    """

    name: str
    title: str
    better: Literal["greater", "lower"] = "greater"
    range: tuple[float, float] = (0, math.inf)
    order_proof: Literal["yes", "except ties"] = "yes"
    noise: Literal["judged", "affects", "ignored"]
    shapes: Literal["any", "round"] = "any"
    metric: Literal["any", "euclidean"] = "euclidean"
    needs: Literal["tree", "tree of min_points 1", "points"] = "points"
    cost: str
    reference: str
    color: str
    marker: str
    floor: float
    near_linear: bool = False
    other_functions: tuple[str, ...] = ()

    @property
    def greater_is_better(self) -> bool:
        """The direction as a boolean."""
        return self.better == "greater"

    @property
    def bounded(self) -> bool:
        """Whether both ends of the range are finite."""
        return math.isfinite(self.range[0]) and math.isfinite(self.range[1])

    @property
    def function_name(self) -> str:
        """The name of the public function; one that ends in score promises: greater is better."""
        return f"{self.name}_{'score' if self.greater_is_better else 'index'}"

    @property
    def function(self) -> Callable[..., float]:
        """The public function."""
        return self._find(self.function_name)

    @property
    def samples(self) -> Callable[..., Any] | None:
        """The public function that gives one value per point, if the index has such values."""
        name = f"{self.name}_samples"
        return self._find(name) if name in self.other_functions else None

    @property
    def evaluate(self) -> Callable[..., float]:
        """The function that computes the index of a clustering shared with others."""
        return self._find(f"evaluate_{self.name}")

    @property
    def options(self) -> Mapping[str, Option]:
        """What may be asked of it beside points, labels, metric and threads."""
        options: Mapping[str, Option] = import_module(self.module).OPTIONS
        return options

    @property
    def module(self) -> str:
        """The module that holds all of it."""
        return f"disco_cvi.indices.{self.name}"

    @property
    def shown_range(self) -> str:
        """The range in words."""
        return f"{self.range[0]:g} to {self.range[1]:g}"

    def _find(self, function: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(self.module), function)
        return found


class IndexTable(InfoTable[IndexInfo]):
    """The indices in a row; `print` shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available_indices()"
    shown: ClassVar[Columns] = {
        "name": "name",
        "index": "title",
        "better": "better",
        "range": "shown_range",
        "shapes": "shapes",
        "noise": "noise",
        "order-proof": "order_proof",
        "cost": "cost",
    }
    framed: ClassVar[Columns] = {
        **{name: name for name in ("name", "title", "better", "order_proof", "noise", "shapes")},
        **{name: name for name in ("metric", "needs", "cost", "reference")},
        "lowest": lambda info: float(info.range[0]),
        "highest": lambda info: float(info.range[1]),
    }


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
            color="#0b3c8c",
            marker="o",
            floor=0.2,
            near_linear=True,
            other_functions=("disco_samples",),
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
            color="#7f7f7f",
            marker="s",
            floor=1.0,
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
            color="#e58fae",
            marker="v",
            floor=0.2,
            near_linear=True,
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
            color="#cc3311",
            marker="D",
            floor=1.0,
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
            color="#ee7733",
            marker="^",
            floor=0.2,
            near_linear=True,
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
            color="#33a6e0",
            marker="P",
            floor=0.2,
            near_linear=True,
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
            color="#009988",
            marker="X",
            floor=4.0,
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
            color="#aa4499",
            marker="<",
            floor=1.0,
            near_linear=True,
            other_functions=("viasckde_samples",),
        ),
        IndexInfo(
            name="cvdd",
            title="CVDD",
            noise="ignored",
            cost="n log n",
            reference="Hu, Zhong: An internal validity index based on density-involved distance. "
            "IEEE Access 7, 2019.",
            color="#7d7a1f",
            marker=">",
            floor=4.0,
        ),
        IndexInfo(
            name="cdbw",
            title="CDbw",
            order_proof="except ties",
            noise="ignored",
            cost="n k",
            reference="Halkidi, Vazirgiannis: A density-based cluster validity approach using "
            "multi-representatives. Pattern Recognition Letters 29, 2008.",
            color="#d4ac2b",
            marker="p",
            floor=1.0,
            near_linear=True,
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
            color="#6b1f45",
            marker="h",
            floor=1.0,
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
            color="#8c564b",
            marker="*",
            floor=0.2,
            near_linear=True,
        ),
        IndexInfo(
            name="calinski_harabasz",
            title="Calinski-Harabasz",
            noise="ignored",
            shapes="round",
            cost="n",
            reference="Calinski, Harabasz: A dendrite method for cluster analysis. "
            "Communications in Statistics 3, 1974.",
            color="#31a354",
            marker="d",
            floor=0.2,
            near_linear=True,
        ),
        IndexInfo(
            name="dunn",
            title="Dunn",
            noise="ignored",
            shapes="round",
            cost="n^2",
            reference="Dunn: Well-separated clusters and optimal fuzzy partitions. J. Cybernetics "
            "4, 1974.",
            color="#54278f",
            marker="8",
            floor=0.2,
        ),
        IndexInfo(
            name="generalized_dunn",
            title="Generalized Dunn",
            noise="ignored",
            shapes="round",
            cost="n^2",
            reference="Bezdek, Pal: Some new indexes of cluster validity. IEEE Trans. Systems, Man "
            "and Cybernetics B 28, 1998.",
            color="#9e9ac8",
            marker="H",
            floor=1.0,
        ),
    )
)


def available_indices() -> IndexTable:
    """Return all validity indices of this package, with what they promise.

    Returns
    -------
    tuple of IndexInfo
        Those of the DISCO paper in the order of its tables, then others; printing it shows a table.

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
