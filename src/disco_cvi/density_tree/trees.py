"""Density trees of the same points for several min_points, each laid out when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

from disco_cvi._output.rich_display import Card, RichDisplay, facts_table
from disco_cvi._output.words import list_numbers
from disco_cvi._spanning_tree.mutual_reachability import Spanned

Tree = TypeVar("Tree")


class DensityTrees(RichDisplay, Mapping[int, Tree], Generic[Tree]):
    """Density trees by their `min_points`, in rising order; nothing can be added or taken away.

    The edges of all trees are known. A tree is laid out when it is first asked for, and then kept.

    Parameters
    ----------
    edges : mapping of int to Spanned
        What spans the points, by min_points.
    lay_out : callable
        Makes a tree of what spans the points and of min_points.
    """

    __slots__ = ("_edges", "_lay_out", "_trees")

    def __init__(
        self, edges: Mapping[int, Spanned], lay_out: Callable[[Spanned, int], Tree]
    ) -> None:
        self._edges: dict[int, Spanned | None] = {value: edges[value] for value in sorted(edges)}
        self._lay_out = lay_out
        self._trees: dict[int, Tree] = {}

    def __getitem__(self, min_points: int) -> Tree:
        found = self._edges[min_points]
        if found is not None:
            self._trees[min_points] = self._lay_out(found, min_points)
            self._edges[min_points] = None  # the tree says it all
        return self._trees[min_points]

    def __iter__(self) -> Iterator[int]:
        return iter(self._edges)

    def __len__(self) -> int:
        return len(self._edges)

    def __contains__(self, min_points: object) -> bool:
        return min_points in self._edges

    def __repr__(self) -> str:
        return f"DensityTrees(min_points=[{list_numbers(list(self))}])"

    def _card(self) -> Card:
        facts = [("min_points", list_numbers(list(self))), ("laid out", len(self._trees))]
        return Card("DensityTrees", tables=[facts_table(facts)])
