"""Names of the types of arrays."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
# Points as users give them: what they take in 32 bits is worth keeping.
RawArray: TypeAlias = NDArray[np.float64 | np.float32]
BoolArray: TypeAlias = NDArray[np.bool_]
