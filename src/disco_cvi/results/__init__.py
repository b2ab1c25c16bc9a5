"""What the numbers mean: evaluation, comparison, explanation."""

from __future__ import annotations

from disco_cvi.results.comparison import Comparison, compare
from disco_cvi.results.evaluation import Evaluation, IndexValue, evaluate
from disco_cvi.results.explanation import Explanation, explain

__all__ = [
    "Comparison",
    "Evaluation",
    "Explanation",
    "IndexValue",
    "compare",
    "evaluate",
    "explain",
]
