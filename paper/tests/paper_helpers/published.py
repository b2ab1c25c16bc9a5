"""The paper's programs, called as experiments call them.

Tests say: from paper_helpers.published import score_published
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from disco_cvi._input.clustering import open_clustering
from disco_paper.cells.measures import _function


def score_published(name: str, X: ArrayLike, labels: ArrayLike, **options: Any) -> float:
    """What the paper's program of an index makes of points and labels."""
    clustering = open_clustering(X, labels, noise_label=-1, n_jobs=None, caller="reproduce")
    return _function(name, is_published=True)(clustering, **options)
