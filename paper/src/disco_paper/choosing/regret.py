"""What is lost by a choice: regret, and its mean over data sets with an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

# A choice that loses less is a hit.
HIT = 0.05
_N_DRAWS = 2000
_SEED = 0


class Candidate(NamedTuple):
    """A labeling among which to choose: its agreement with the truth, and what breaks ties."""

    ari: float
    n_clusters: int
    n_noise: int


def choose(
    candidates: Sequence[Candidate],
    scores: Sequence[float | None],
    *,
    lower_is_better: bool = False,
) -> int | None:
    """The place of the candidate with the best score; None if no score is defined.

    Of equally good ones it is that with fewer clusters, then with less noise, then the first.

    >>> choose([Candidate(0.2, 2, 0), Candidate(0.9, 3, 0), Candidate(1.0, 4, 0)], [0.1, 0.7, None])
    1
    """
    sign = -1.0 if lower_is_better else 1.0
    known = [place for place, score in enumerate(scores) if score is not None]

    def rank(place: int) -> tuple[float, int, int, int]:
        _, n_clusters, n_noise = candidates[place]
        return -sign * float(scores[place] or 0.0), n_clusters, n_noise, place

    return min(known, key=rank, default=None)


def regret(candidates: Sequence[Candidate], chosen: int | None) -> float:
    """The best agreement that there was, minus that of the choice.

    Choosing nothing agrees with the truth as much as chance: 0.

    >>> round(regret([Candidate(0.2, 2, 0), Candidate(0.9, 3, 0)], 0), 3)
    0.7
    """
    best = max(candidate.ari for candidate in candidates)
    return best - (0.0 if chosen is None else candidates[chosen].ari)


class Loss(NamedTuple):
    """Regret over data sets: its mean with a 95 % interval, the share of hits, the worst."""

    mean: float
    low: float
    high: float
    hits: float
    worst: float
    n_sets: int


def sum_up(regrets: Mapping[str, float], families: Mapping[str, str]) -> Loss:
    """Sum up the regrets of data sets, by name; `families` says which count as one.

    >>> sum_up({"a": 0.0, "b": 0.5}, {"a": "x", "b": "x"})
    Loss(mean=0.25, low=0.25, high=0.25, hits=0.5, worst=0.5, n_sets=2)
    """
    values = list(regrets.values())
    low, high = bootstrap_interval(regrets, families)
    n_hits = sum(value < HIT for value in values)
    mean = math.fsum(values) / len(values)
    return Loss(mean, low, high, n_hits / len(values), max(values), len(values))


def bootstrap_interval(
    regrets: Mapping[str, float], families: Mapping[str, str]
) -> tuple[float, float]:
    """The 95 % interval of the mean, by drawing families with replacement, always the same."""
    names = sorted({families[name] for name in regrets})
    members = [[value for name, value in regrets.items() if families[name] == f] for f in names]
    sums = np.array([math.fsum(values) for values in members])
    counts = np.array([len(values) for values in members])
    drawn = np.random.default_rng(_SEED).integers(len(names), size=(_N_DRAWS, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975]).tolist()
    return low, high
