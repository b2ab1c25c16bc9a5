"""The correlation of an index with another over labelings, run by run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from disco_paper.judging.paper_names import TableSet


@dataclass
class Correlation:
    """Of one index on one data set: a percentage for each run, and what is missing."""

    runs: list[float | None] = field(default_factory=list)
    missing: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)
    has_errors: bool = False

    @property
    def mean(self) -> float | None:
        """Over all runs; none if one is missing, as in the paper."""
        found = [value for value in self.runs if value is not None]
        return float(np.mean(found)) if found and len(found) == len(self.runs) else None

    @property
    def spread(self) -> float | None:
        """Standard deviation over runs."""
        found = [value for value in self.runs if value is not None]
        return float(np.std(found)) if 1 < len(found) == len(self.runs) else None

    def value(self, chosen: TableSet) -> float | None:
        """What the paper's table shows: the mean of ten runs, or one run of the larger sets."""
        return self.mean if chosen.is_benchmark else self.runs[0]

    def why_missing(self) -> str:
        """Which labelings lack a score, and why."""
        counts = ", ".join(
            f"{labeling} ({count} of {len(self.runs)} runs)"
            for labeling, count in self.missing.items()
        )
        return f"No score for {counts}. {' '.join(dict.fromkeys(self.reasons.values()))}"


def correlate(pairs: list[tuple[float, float]]) -> float | None:
    """Pearson's correlation times 100; none where all values are equal."""
    scores, ari = np.array(pairs).T
    if np.ptp(scores) == 0 or np.ptp(ari) == 0:
        return None
    # Scaled first: scores may be large enough for their squares to overflow.
    return 100 * float(np.corrcoef(scores / np.abs(scores).max(), ari)[0, 1])
