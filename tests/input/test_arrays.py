"""What means "not there"."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from disco_cvi._input.arrays import is_missing

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.small


# --- missing values -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.ma.masked, Decimal("nan")],
)
def test_missing(value: Any) -> None:
    assert is_missing(value)


@pytest.mark.parametrize("value", [0, "", "nan", np.inf, False, [], b""])
def test_not_missing(value: Any) -> None:
    assert not is_missing(value)
