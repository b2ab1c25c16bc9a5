"""The lowest of many lines, by looking at all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi._compute.kernels import kernel
from disco_cvi.density_tree.tournament import enter, leave, make_tournament, renew

pytestmark = pytest.mark.small


@kernel
def put(tournament: Any, c: Any, slope: Any, intercept: Any, height: Any) -> None:
    enter(tournament, c, slope, intercept, height)


@pytest.mark.parametrize("n_lines", [1, 2, 3, 13])
@pytest.mark.parametrize("seed", range(3))
def test_the_lowest_line_at_every_height(n_lines: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    tournament, stack = make_tournament(n_lines), np.empty(128, np.int32)
    lines: dict[int, tuple[float, float]] = {}
    height = 0.0
    for _ in range(80):
        height += random.random()
        c = int(random.integers(n_lines))
        if random.random() < 0.3 and c in lines:
            leave(tournament, c, height)
            del lines[c]
        elif random.random() < 0.3:
            lines[c] = (random.random(), 30.0 * random.random())
            put(tournament, c, *lines[c], height)
        renew(tournament, stack, height)
        values = [slope * height + intercept for slope, intercept in lines.values()]
        found = tournament.slope[1] * height + tournament.intercept[1]
        assert found == pytest.approx(min(values, default=np.inf), rel=1e-12, abs=0)
