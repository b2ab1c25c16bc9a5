"""How many threads matrix products use at this moment."""

from __future__ import annotations

import numpy as np  # noqa: F401 - brings the library that is asked
from threadpoolctl import threadpool_info


def blas_threads() -> int:
    """The least of all libraries: SciPy may bring another one, which is never limited."""
    return min(
        int(found["num_threads"]) for found in threadpool_info() if found["user_api"] == "blas"
    )
