"""What the numbers mean: evaluation, comparison, explanation."""

from __future__ import annotations

from disco_cvi.results.comparison import Comparison, compare
from disco_cvi.results.curves import MinPointsCurve, disco_curve, pair_curve
from disco_cvi.results.evaluation import Evaluation, IndexValue, evaluate
from disco_cvi.results.explanation import Explanation, explain

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
