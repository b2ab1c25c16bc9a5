"""What there is to know about each index: one row each, from which tables and tests follow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from disco_cvi._output.text_table import text_table
from disco_cvi.exceptions import InvalidInputError


@dataclass(frozen=True)
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
    needs : {"tree", "points"}
        What it is computed from: a density tree is enough, or the points themselves.
    cost : str
        How its time grows with the number of points n and of clusters k.
    reference : str
        Where it was defined.
    """

    name: str
    title: str
    better: Literal["greater", "lower"]
    range: tuple[float, float]
    order_proof: Literal["yes", "except ties"]
    noise: Literal["judged", "affects", "ignored"]
    shapes: Literal["any", "round"]
    needs: Literal["tree", "points"]
    cost: str
    reference: str

    @property
    def greater_is_better(self) -> bool:
        """The direction as a boolean."""
        return self.better == "greater"

    @property
    def bounded(self) -> bool:
        """Whether both ends of the range are finite."""
        return math.isfinite(self.range[0]) and math.isfinite(self.range[1])

    @property
    def function(self) -> Callable[..., float]:
        """The public function."""
        suffix = "score" if self.greater_is_better else "index"
        return self._find(f"{self.name}_{suffix}")

    @property
    def samples(self) -> Callable[..., Any] | None:
        """The public function that gives one value per point, if the index has such values."""
        module = import_module(f"disco_cvi.indices.{self.name}")
        return getattr(module, f"{self.name}_samples", None)

    @property
    def evaluate(self) -> Callable[..., float]:
        """The function that computes the index in a workspace shared with others."""
        return self._find(f"evaluate_{self.name}")

    def _find(self, function: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(
            import_module(f"disco_cvi.indices.{self.name}"), function
        )
        return found


class IndexTable(tuple[IndexInfo, ...]):
    """The indices in a row; `print` shows a table."""

    __slots__ = ()

    def __str__(self) -> str:
        """A line per index."""
        header = ("name", "index", "better", "range", "shapes", "noise", "order-proof", "cost")
        return text_table([header, *(_cells(info) for info in self)])


def _cells(info: IndexInfo) -> tuple[str, ...]:
    low, high = (f"{end:g}" for end in info.range)
    return (
        info.name,
        info.title,
        info.better,
        f"{low} to {high}",
        info.shapes,
        info.noise,
        info.order_proof,
        info.cost,
    )


_INDICES = IndexTable(
    (
        IndexInfo(
            "disco",
            "DISCO",
            "greater",
            (-1, 1),
            "yes",
            "judged",
            "any",
            "tree",
            "n log n",
            "Beer, Krieger, Weber, Ritzert, Assent, Plant: Internal Evaluation of Density-Based "
            "Clusterings with Noise. ICLR 2026.",
        ),
        IndexInfo(
            "silhouette",
            "Silhouette",
            "greater",
            (-1, 1),
            "yes",
            "affects",
            "round",
            "points",
            "n^2",
            "Rousseeuw: Silhouettes: a graphical aid to the interpretation and validation of "
            "cluster analysis. J. Computational and Applied Mathematics 20, 1987.",
        ),
        IndexInfo(
            "s_dbw",
            "S_Dbw",
            "lower",
            (0, math.inf),
            "yes",
            "ignored",
            "round",
            "points",
            "n k",
            "Halkidi, Vazirgiannis: Clustering validity assessment: finding the optimal "
            "partitioning of a data set. ICDM 2001.",
        ),
        IndexInfo(
            "dbcv",
            "DBCV",
            "greater",
            (-1, 1),
            "yes",
            "affects",
            "any",
            "points",
            "n^2",
            "Moulavi, Jaskowiak, Campello, Zimek, Sander: Density-based clustering validation. "
            "SDM 2014.",
        ),
        IndexInfo(
            "dcsi",
            "DCSI",
            "greater",
            (0, 1),
            "yes",
            "ignored",
            "any",
            "points",
            "n k log n",
            "Gauss, Scheipl, Herrmann: DCSI - An improved measure of cluster separability based on "
            "separation and connectedness. arXiv:2310.12806, 2023.",
        ),
        IndexInfo(
            "mmj_sc",
            "MMJ-SC",
            "greater",
            (-1, 1),
            "yes",
            "affects",
            "any",
            "tree",
            "n log n",
            "Liu: Min-Max-Jump distance and its applications. arXiv:2301.05994, 2023.",
        ),
        IndexInfo(
            "lccv",
            "LCCV",
            "greater",
            (-1, 1),
            "except ties",
            "affects",
            "any",
            "points",
            "n^2",
            "Cheng, Zhu, Huang, Wu, Yang: A novel cluster validity index based on local cores. "
            "IEEE Trans. Neural Networks and Learning Systems 30, 2019.",
        ),
        IndexInfo(
            "viasckde",
            "VIASCKDE",
            "greater",
            (-1, 1),
            "yes",
            "ignored",
            "any",
            "points",
            "n log n",
            "Senol: VIASCKDE index: a novel internal cluster validity index for arbitrary-shaped "
            "clusters based on the kernel density estimation. Computational Intelligence and "
            "Neuroscience 2022.",
        ),
        IndexInfo(
            "cvdd",
            "CVDD",
            "greater",
            (0, math.inf),
            "yes",
            "ignored",
            "any",
            "points",
            "n log n",
            "Hu, Zhong: An internal validity index based on density-involved distance. IEEE Access "
            "7, 2019.",
        ),
        IndexInfo(
            "cdbw",
            "CDbw",
            "greater",
            (0, math.inf),
            "except ties",
            "ignored",
            "any",
            "points",
            "n k",
            "Halkidi, Vazirgiannis: A density-based cluster validity approach using "
            "multi-representatives. Pattern Recognition Letters 29, 2008.",
        ),
        IndexInfo(
            "cvnn",
            "CVNN",
            "lower",
            (0, math.inf),
            "except ties",
            "affects",
            "any",
            "points",
            "n^2",
            "Liu, Li, Xiong, Gao, Wu, Wu: Understanding and enhancement of internal clustering "
            "validation measures. IEEE Trans. Cybernetics 43, 2013.",
        ),
    )
)


def available_indices() -> IndexTable:
    """Return all validity indices of this package, with what they promise.

    Returns
    -------
    tuple of IndexInfo
        In the order of the paper's tables, DISCO first; printing it shows a table.

    Examples
    --------
    >>> from disco_cvi import available_indices
    >>> [info.name for info in available_indices() if info.noise == "judged"]
    ['disco']
    """
    return _INDICES


def choose_indices(indices: object, caller: str) -> IndexTable:
    """Return the indices that a user names: "all", one name, or several."""
    if isinstance(indices, str):
        indices = [info.name for info in _INDICES] if indices == "all" else [indices]
    try:
        names = list(indices)  # type: ignore[call-overload]
    except TypeError:
        names = []
    known = {info.name: info for info in _INDICES}
    wrong = [name for name in names if name not in known]
    if wrong or not names or len(set(names)) < len(names):
        message = (
            f"indices of {caller} must be 'all' or different names among {', '.join(known)}; "
            f"got {indices!r}."
        )
        raise InvalidInputError(message)
    return IndexTable(known[name] for name in names)
