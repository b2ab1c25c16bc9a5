"""The density tree as a line of leaves.

Single linkage is laid out so that every subtree is a run of neighboring leaves, the larger part of
each merge first. Then one number between two neighboring leaves is enough, the height at which
they meet: the height at which any two leaves meet is the largest number between them. Leaf p
begins the part that ``joins[p]`` adds to the leaves before it, and that part ends before
``ends[p]``. So the leaves after p, up to ``ends[p]``, fall into parts that join p one after the
other, at rising heights::

    for the path that begins at p:  q = p + 1
        part q .. ends[q] joins at joins[q],  q = ends[q],  until q = ends[p]

Parts that join at one height stand side by side, so equal heights make one node. Because the
larger part of a merge comes first, a leaf lies in at most log2(n) parts inside one another.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import kernel


class LeafLine(NamedTuple):
    """A density tree: the row at each leaf, where it joins, where its part ends.

    `joins` begins with a 0 that means nothing. `core` holds the core distances in row order.
    """

    leaves: NDArray[np.int32]
    joins: NDArray[np.float64]
    ends: NDArray[np.int32]
    core: NDArray[np.float64]


def make_line(
    leaves: NDArray[np.int32], joins: NDArray[np.float64], core: NDArray[np.float64]
) -> LeafLine:
    """Complete a line by the ends of its parts."""
    ends = np.empty(len(joins), np.int32)
    find_ends(joins, ends)
    return LeafLine(leaves, joins, ends, core)


@kernel
def find_ends(joins, ends):
    """A part ends before the next join no lower than its own."""
    n_leaves = joins.shape[0]
    ends[0] = n_leaves
    for p in range(n_leaves - 1, 0, -1):
        end = p + 1
        while end < n_leaves and joins[end] < joins[p]:
            end = ends[end]
        ends[p] = end
