"""What there is to know about an index, and the table of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from disco_cvi._output.tables import (
    Card,
    CardTable,
    FieldsDisplay,
    RichDisplay,
    data_frame,
    text_table,
)
from disco_cvi._output.words import describe, did_you_mean, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

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


# A column by its heading: the attribute of an info that it shows, or a function of the info.
Columns = Mapping[str, str | Callable[[IndexInfo], object]]
_OTHER_NAMES = {"pairs": "pair"}
_NAMED = 5  # names in the repr of a table


class IndexTable(tuple[IndexInfo, ...], RichDisplay):
    """The indices in a row; `print` shows a table."""

    __slots__ = ()

    # The columns that are printed, and those of a data frame.
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

    def __str__(self) -> str:
        """A line per index."""
        return text_table(self._rows())

    def __repr__(self) -> str:
        names = [info.name for info in self[:_NAMED]] + ["..."] * (len(self) > _NAMED)
        return f"IndexTable({len(self)}: {', '.join(names)})"

    def _card(self) -> Card:
        return Card("IndexTable", tables=[CardTable(self._rows())])

    def _rows(self) -> list[tuple[str, ...]]:
        columns = self._columns(self.shown)
        return [
            tuple(columns),
            *(tuple(map(str, row)) for row in zip(*columns.values(), strict=True)),
        ]

    def _columns(self, asked: Columns) -> dict[str, list[Any]]:
        """Return the values of columns by their headings."""
        return {
            heading: [getattr(info, what) if isinstance(what, str) else what(info) for info in self]
            for heading, what in asked.items()
        }

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per index as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
        """
        return data_frame(self._columns(self.framed), backend)

    def find(
        self, name: object, argument: str, caller: str, *, lister: str = "available_indices()"
    ) -> IndexInfo:
        """Return the info of a name; case, blanks, hyphens and underscores do not matter."""
        if not isinstance(name, str):
            raise InvalidTypeError(
                argument=argument, caller=caller, rule="be given as str", got=describe(name)
            )
        known = {_plain(info.name): info for info in self}
        plain = _plain(name)
        plain = _OTHER_NAMES.get(plain, plain)
        if plain in known:
            return known[plain]
        names = [info.name for info in self]
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule=f"be among those that {lister} lists",
            got=shorten(name),
            remedy=did_you_mean(plain, dict(zip(known, names, strict=True)))
            or f"There are {', '.join(names)}.",
        )

    def choose(
        self, names: object, argument: str, caller: str, *, lister: str = "available_indices()"
    ) -> IndexTable:
        """Return the infos that a user names, "all", one name or several, in their order."""
        if isinstance(names, str):
            if names == "all":
                return self
            names = [names]
        if not isinstance(names, Iterable) or getattr(names, "shape", None) == ():
            rule = "be 'all', a name (str) or several"
            raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(names))
        found = IndexTable(self.find(name, argument, caller, lister=lister) for name in names)
        if not found:
            raise InvalidInputError(
                argument=argument,
                caller=caller,
                rule="name one or more, or be 'all'",
                remedy=f"The names are those that {lister} lists.",
            )
        return found


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in " -_")
