"""Score clusterings, noise included, by density-connectivity.

`disco_score` gives one number for a labeling, `disco_samples` one number per point, `explain` says
in numbers and words what pulled the score, and `DensityTree` keeps what many labelings of the same
points have in common.
"""

# Public names are listed in __init__.pyi and imported on first use, so that `import disco_cvi`
# does not pay for numba, SciPy and scikit-learn.
from lazy_loader import attach_stub

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
