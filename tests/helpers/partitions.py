"""Two labelings are one partition if a renaming of clusters, not of noise, makes them equal."""

from __future__ import annotations

from typing import Any


def assert_same_partition(found: Any, expected: Any) -> None:
    """Compare labels up to the names of clusters; -1 stays noise."""
    pairs = set(zip(list(found), list(expected), strict=True))
    assert len({one for one, _ in pairs}) == len(pairs)
    assert len({other for _, other in pairs}) == len(pairs)
    assert all((one == -1) == (other == -1) for one, other in pairs)
