"""Score clusterings, noise included, by density-connectivity.

`disco_score` gives one number for a labeling, `disco_samples` one number per point, `explain` says
in numbers and words what pulled the score, and `DensityTree` keeps what many labelings of the same
points have in common.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from disco_cvi.density_tree import DensityTree
    from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
    from disco_cvi.explanation import Explanation, explain
    from disco_cvi.indices.disco import disco_samples, disco_score

__version__ = "0.1.0"

__all__ = [
    "DensityTree",
    "Explanation",
    "InvalidInputError",
    "UndefinedScoreError",
    "__version__",
    "disco_samples",
    "disco_score",
    "explain",
]

# Where each public name lives. Names load on first use, so that `import disco_cvi` does not pay for
# numba, SciPy and scikit-learn.
_HOMES = {
    "DensityTree": "disco_cvi.density_tree",
    "Explanation": "disco_cvi.explanation",
    "InvalidInputError": "disco_cvi.exceptions",
    "UndefinedScoreError": "disco_cvi.exceptions",
    "disco_samples": "disco_cvi.indices.disco",
    "disco_score": "disco_cvi.indices.disco",
    "explain": "disco_cvi.explanation",
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
