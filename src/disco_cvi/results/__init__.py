"""What the numbers mean: evaluation, comparison, explanation."""

from __future__ import annotations

# Through the door, as everybody: its functions say what memory lacks.
from disco_cvi import (
    Comparison,
    Evaluation,
    Explanation,
    MinPointsCurve,
    compare,
    disco_curve,
    evaluate,
    explain,
    pair_curve,
)
from disco_cvi.results.evaluation import IndexValue

__all__ = [
    "Comparison",
    "Evaluation",
    "Explanation",
    "IndexValue",
    "MinPointsCurve",
    "compare",
    "disco_curve",
    "evaluate",
    "explain",
    "pair_curve",
]
