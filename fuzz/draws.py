"""The random choices of one case, and what its arguments have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Choice = TypeVar("Choice")


@dataclass
class Draws:
    """A source of random choices.

    Attributes
    ----------
    random : numpy.random.Generator
        All chance comes from it.
    folder : Path
        Files that arguments need are written here.
    n_points, n_features : int
        The size of the points, to which labels and options are made to fit.
    known : dict of str to object
        The arguments that are drawn already.
    """

    random: np.random.Generator
    folder: Path
    n_points: int = 0
    n_features: int = 0
    known: dict[str, Any] = field(default_factory=dict)
    _n_files: int = 0

    def __post_init__(self) -> None:
        """Choose the size: mostly small, for what is wrong shows there and is found sooner."""
        sizes = [self.whole(12, 40), self.whole(1, 6), self.whole(2, 12), self.whole(41, 200)]
        self.n_points = sizes[self.weighted(6, 1, 2, 1)]
        self.n_features = [self.whole(1, 4), 1, self.whole(5, 9), 40][self.weighted(12, 2, 2, 1)]

    def chance(self, share: float) -> bool:
        """True in so large a share of cases."""
        return bool(self.random.random() < share)

    def whole(self, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self.random.integers(low, high + 1))

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        """One of some choices."""
        return choices[int(self.random.integers(len(choices)))]

    def weighted(self, *weights: float) -> int:
        """The number of one of some choices that are not equally likely."""
        shares = np.array(weights, dtype=np.float64)
        return int(self.random.choice(len(shares), p=shares / shares.sum()))

    def call(self, makers: Sequence[Callable[[Draws], Choice]]) -> Choice:
        """What one of some functions makes."""
        return self.one_of(makers)(self)

    def path(self, ending: str) -> Path:
        """The name of a new file."""
        self._n_files += 1
        return self.folder / f"file{self._n_files}{ending}"
