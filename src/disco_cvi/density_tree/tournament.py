"""A kinetic tournament: the lowest of many straight lines, at heights that only grow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.kernels import inline_kernel, kernel


class Tournament(NamedTuple):
    """A binary tree over the lines: node v has the children 2 v and 2 v + 1.

    `slope` and `intercept` of the lowest line below each node (intercept infinite: none), and the
    height up to which that holds.
    """

    slope: NDArray[np.float64]
    intercept: NDArray[np.float64]
    expiry: NDArray[np.float64]


def make_tournament(n_lines: int) -> Tournament:
    """Return a tournament that no line has entered yet."""
    width = 2
    while width < n_lines:
        width *= 2
    return Tournament(np.zeros(2 * width), np.full(2 * width, np.inf), np.full(2 * width, np.inf))


@inline_kernel
def enter(tournament, c, slope, intercept, height):
    """Let line c take part, or change it."""
    width = tournament.slope.shape[0] // 2
    tournament.slope[width + c] = slope
    tournament.intercept[width + c] = intercept
    _climb(tournament, width + c, height)


@kernel
def leave(tournament, c, height):
    """Take line c out."""
    enter(tournament, c, 0.0, np.inf, height)


@inline_kernel
def _climb(tournament, node, height):
    node >>= 1
    while node >= 1:
        _decide(tournament.slope, tournament.intercept, tournament.expiry, node, height)
        node >>= 1


@inline_kernel
def _decide(slope, intercept, expiry, node, height):
    """Set the lowest line of a node at this height, and the height at which that may change."""
    lowest = 2 * node
    other = lowest + 1
    value = slope[lowest] * height + intercept[lowest]
    other_value = slope[other] * height + intercept[other]
    until = min(expiry[lowest], expiry[other])
    if other_value < value or (other_value == value and slope[other] < slope[lowest]):
        lowest, other = other, lowest
    if slope[other] < slope[lowest] and intercept[other] < np.inf:
        until = min(until, (intercept[other] - intercept[lowest]) / (slope[lowest] - slope[other]))
    slope[node] = slope[lowest]
    intercept[node] = intercept[lowest]
    expiry[node] = until


@kernel
def renew(tournament, stack, height):
    """Bring all that has expired up to this height: children first, so a node is met twice."""
    slope, intercept, expiry = tournament.slope, tournament.intercept, tournament.expiry
    if expiry[1] > height:
        return
    stack[0] = 1
    n_stack = 1
    while n_stack > 0:
        node = stack[n_stack - 1]
        if node < 0:
            _decide(slope, intercept, expiry, -node, height)
            n_stack -= 1
            continue
        stack[n_stack - 1] = -node
        # A line itself never expires.
        for child in range(2 * node, 2 * node + 2):
            if expiry[child] <= height:
                stack[n_stack] = child
                n_stack += 1
