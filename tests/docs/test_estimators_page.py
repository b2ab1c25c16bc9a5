"""The page on clusterers shows code that runs and finds what it should."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.metrics import adjusted_rand_score

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "estimators.md"


def test_the_code_of_the_page() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, PAGE.name, "exec"), names)
    X, truth, clusterer = names["X"], names["truth"], names["clusterer"]
    assert adjusted_rand_score(truth, clusterer.labels_) > 0.99
    assert adjusted_rand_score(truth, names["labels"]) > 0.99
    expected = DBSCAN(eps=clusterer.eps_).fit_predict(X)
    assert np.array_equal(names["same"].fit_predict(X), expected)
