"""Labelings become rows of facts; equal ones are judged once."""

from __future__ import annotations

import hashlib
import math
import time
from dataclasses import dataclass, field, replace

import numpy as np

from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels
from disco_cvi._input.points import Points
from disco_cvi.results.agreement import adjusted_rand
from disco_cvi.selection.criteria import Criterion


@dataclass(frozen=True)
class Judgement:
    """What is known of a labeling; of a fit that failed: nothing but the error.

    Attributes
    ----------
    values : tuple of float
        One for each criterion; NaN if it has none.
    disco, noise_share, largest_share, adjusted_rand : float
        DISCO, share of noise, share of the largest cluster among the clustered points, agreement
        with the truth; NaN if there is none.
    n_clusters : int
        Number of clusters.
    error : str or None
        Why there are no labels, or why criteria have no value.
    seconds : float
        Time that it took to judge.
    """

    values: tuple[float, ...]
    disco: float = math.nan
    n_clusters: int = 0
    noise_share: float = math.nan
    largest_share: float = math.nan
    adjusted_rand: float = math.nan
    error: str | None = None
    seconds: float = math.nan

    @property
    def failed(self) -> bool:
        """Whether there are no labels."""
        return math.isnan(self.noise_share)


@dataclass
class Judge:
    """Judges labelings of the same points.

    Attributes
    ----------
    points : Points
        The points; their tree is built once and kept by them.
    criteria : tuple of Criterion
        What decides, and what else is asked for.
    disco : Criterion
        DISCO, which is told of every labeling.
    truth : Labels or None
        The true labels.
    must_raise : bool
        Whether an error in a user's function is raised.
    """

    points: Points
    criteria: tuple[Criterion, ...]
    disco: Criterion
    truth: Labels | None
    must_raise: bool
    _known: dict[bytes, Judgement] = field(default_factory=dict)

    def judge(self, labels: Labels) -> Judgement:
        """Judge a labeling, or remember what was said of the same clusters under other names."""
        begin = time.perf_counter()
        key = partition_key(labels)
        if key not in self._known:
            self._known[key] = self._judge(labels)
        return replace(self._known[key], seconds=time.perf_counter() - begin)

    def _judge(self, labels: Labels) -> Judgement:
        clustering = Clustering(self.points, labels)
        found = [
            criterion.judge(clustering, must_raise=self.must_raise) for criterion in self.criteria
        ]
        n_clustered = labels.n_points - labels.n_noise
        return Judgement(
            values=tuple(value for value, _ in found),
            disco=self.disco.judge(clustering, must_raise=self.must_raise)[0],
            n_clusters=labels.n_clusters,
            noise_share=labels.n_noise / labels.n_points,
            largest_share=int(labels.sizes.max()) / n_clustered if n_clustered else math.nan,
            adjusted_rand=math.nan if self.truth is None else adjusted_rand(self.truth, labels),
            error=" ".join(reason for _, reason in found if reason) or None,
        )


def partition_key(labels: Labels) -> bytes:
    """The same for labelings that differ in the names of their clusters alone."""
    codes = labels.codes
    first = np.zeros(labels.n_clusters + 1, np.int64)
    # Of several values for one place the last is kept: backwards, that of the first row.
    first[codes[::-1]] = np.arange(len(codes), 0, -1)
    renamed = np.empty(labels.n_clusters + 1, np.int32)
    renamed[np.argsort(first[:-1], kind="stable")] = np.arange(labels.n_clusters, dtype=np.int32)
    renamed[-1] = -1
    return hashlib.blake2b(renamed[codes].tobytes(), digest_size=16).digest()
