"""Points with their truth, and one labeling of them: what labelings and measures are made from."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.clustering import Workspace, open_workspace
from disco_cvi.experiments.cells.cell import Spec

Kept = TypeVar("Kept")


@dataclass(frozen=True, eq=False)
class Source:
    """The points of one data set in one order of rows, their true labels, and kept work."""

    data: Spec
    points: NDArray[np.float64]
    truth: NDArray[np.int64]
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def keep(self, name: Hashable, compute: Callable[[], Kept]) -> Kept:
        """Compute something that depends on the points alone, once for all labelings of them."""
        if name not in self._kept:
            self._kept[name] = compute()
        return cast("Kept", self._kept[name])


@dataclass(frozen=True, eq=False)
class Case:
    """One labeling of the points of a source."""

    source: Source
    labels: NDArray[np.int64]

    @cached_property
    def work(self) -> Workspace:
        """Points and labels as indices need them; trees and neighbors are those of the source."""
        points, labels = self.source.points, self.labels
        work = open_workspace(points, labels, noise_label=-1, n_jobs=None, caller="reproduce")
        first = self.source.keep("workspace", lambda: work)
        return work if first is work else first.relabeled(work.labels)
