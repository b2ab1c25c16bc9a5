"""Score clusterings, noise included, by density-connectivity.

`disco_score` gives one number for a labeling, `disco_samples` one number per point, `explain` says
in numbers and words what pulled the score, and `DensityTree` keeps what many labelings of the same
points have in common.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from disco_cvi.density_tree.tree import DensityTree
    from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
    from disco_cvi.indices.cdbw import cdbw_score
    from disco_cvi.indices.cvdd import cvdd_score
    from disco_cvi.indices.cvnn import cvnn_index, cvnn_indices
    from disco_cvi.indices.dbcv import dbcv_score
    from disco_cvi.indices.dcsi import dcsi_score
    from disco_cvi.indices.disco import disco_samples, disco_score
    from disco_cvi.indices.lccv import lccv_score
    from disco_cvi.indices.mmj_sc import mmj_sc_samples, mmj_sc_score
    from disco_cvi.indices.registry import IndexInfo, available_indices
    from disco_cvi.indices.s_dbw import s_dbw_index
    from disco_cvi.indices.silhouette import silhouette_samples, silhouette_score
    from disco_cvi.indices.viasckde import viasckde_samples, viasckde_score
    from disco_cvi.results.comparison import Comparison, compare
    from disco_cvi.results.evaluation import Evaluation, evaluate
    from disco_cvi.results.explanation import Explanation, explain

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "DensityTree",
    "Evaluation",
    "Explanation",
    "IndexInfo",
    "InvalidInputError",
    "UndefinedScoreError",
    "__version__",
    "available_indices",
    "cdbw_score",
    "compare",
    "cvdd_score",
    "cvnn_index",
    "cvnn_indices",
    "dbcv_score",
    "dcsi_score",
    "disco_samples",
    "disco_score",
    "evaluate",
    "explain",
    "lccv_score",
    "mmj_sc_samples",
    "mmj_sc_score",
    "s_dbw_index",
    "silhouette_samples",
    "silhouette_score",
    "viasckde_samples",
    "viasckde_score",
]

# Where each public name lives. Names load on first use, so that `import disco_cvi` does not pay for
# numba, SciPy and scikit-learn.
_HOMES = {
    "Comparison": "disco_cvi.results.comparison",
    "DensityTree": "disco_cvi.density_tree.tree",
    "Evaluation": "disco_cvi.results.evaluation",
    "Explanation": "disco_cvi.results.explanation",
    "IndexInfo": "disco_cvi.indices.registry",
    "InvalidInputError": "disco_cvi.exceptions",
    "UndefinedScoreError": "disco_cvi.exceptions",
    "available_indices": "disco_cvi.indices.registry",
    "cdbw_score": "disco_cvi.indices.cdbw",
    "compare": "disco_cvi.results.comparison",
    "cvdd_score": "disco_cvi.indices.cvdd",
    "cvnn_index": "disco_cvi.indices.cvnn",
    "cvnn_indices": "disco_cvi.indices.cvnn",
    "dbcv_score": "disco_cvi.indices.dbcv",
    "dcsi_score": "disco_cvi.indices.dcsi",
    "disco_samples": "disco_cvi.indices.disco",
    "disco_score": "disco_cvi.indices.disco",
    "evaluate": "disco_cvi.results.evaluation",
    "explain": "disco_cvi.results.explanation",
    "lccv_score": "disco_cvi.indices.lccv",
    "mmj_sc_samples": "disco_cvi.indices.mmj_sc",
    "mmj_sc_score": "disco_cvi.indices.mmj_sc",
    "s_dbw_index": "disco_cvi.indices.s_dbw",
    "silhouette_samples": "disco_cvi.indices.silhouette",
    "silhouette_score": "disco_cvi.indices.silhouette",
    "viasckde_samples": "disco_cvi.indices.viasckde",
    "viasckde_score": "disco_cvi.indices.viasckde",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
