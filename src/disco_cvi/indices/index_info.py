"""What there is to know about an index, and the table of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from disco_cvi._output.tables import Columns, FieldsDisplay, InfoTable

if TYPE_CHECKING:
    from disco_cvi._input.options import Option


@dataclass(frozen=True, kw_only=True, repr=False)
class IndexInfo(FieldsDisplay):
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
    other_functions: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"IndexInfo({self.name!r}: {self.title}, {self.better} is better, {self.shown_range})"
        )

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
        function: Callable[..., float] = self._find(self.function_name)
        return function

    @property
    def samples(self) -> Callable[..., Any] | None:
        """The public function that gives one value per point, if the index has such values."""
        name = f"{self.name}_samples"
        return self._find(name) if name in self.other_functions else None

    @property
    def evaluate(self) -> Callable[..., float]:
        """The function that computes the index of a clustering shared with others."""
        evaluate: Callable[..., float] = self._find(f"evaluate_{self.name}")
        return evaluate

    @property
    def shown_range(self) -> str:
        """The range in words."""
        return f"{self.range[0]:g} to {self.range[1]:g}"

    def _find(self, name: str) -> Any:
        return getattr(import_module(f"disco_cvi.indices.{self.name}"), name)


def options_of(info: IndexInfo) -> Mapping[str, Option]:
    """Return what may be asked of an index besides points, labels, metric and threads."""
    options: Mapping[str, Option] = import_module(f"disco_cvi.indices.{info.name}").OPTIONS
    return options


class IndexTable(InfoTable[IndexInfo]):
    """The indices in a row; `print` shows a table."""

    __slots__ = ()

    lister: ClassVar[str] = "available_indices()"
    other_names: ClassVar[Mapping[str, str]] = {"pairs": "pair"}
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
