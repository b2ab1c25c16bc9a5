"""The page on searches shows code that runs and finds what it should."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "search.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def run(word: str) -> dict[str, Any]:
    """Run the first blocks of the page and the one in which a word stands; return its names."""
    names: dict[str, Any] = {}
    (wanted,) = (place for place, block in enumerate(BLOCKS) if word in block)
    for place in dict.fromkeys((0, 1, wanted)):
        exec(compile(BLOCKS[place], f"{PAGE.name}, block {place}", "exec"), names)
    return names


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("import make_moons", "search"),
        ("make_pipeline", "outside"),
        ("silhouette", "search"),
        ("GridSearchCV", "search"),
    ],
)
def test_block(word: str, found: str) -> None:
    names = run(word)
    search = names[found]
    labels = search.best_estimator_.fit_predict(names["X"])
    assert adjusted_rand_score(names["truth"], labels) > 0.99
    if found == "outside":
        assert adjusted_rand_score(names["truth"], names["labels"]) > 0.99


def test_optuna_finds_the_same_clusters() -> None:
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    names = run("import optuna")
    assert names["study"].best_trial.user_attrs == {"clusters": 2}
    searched = names["search"].best_score_
    assert names["study"].best_value >= searched - 1e-3  # it looks at other eps


def test_topics() -> None:
    topics = run("HDBSCAN")["topics"]
    assert topics.results_["n_clusters"][topics.best_index_] >= 5
    assert np.isfinite(topics.results_["score"]).all()


def test_every_block_is_run() -> None:
    words = ["make_moons", "pandas.DataFrame(search", "make_pipeline", "davies_bouldin"]
    words += ["GridSearchCV", "optuna", "HDBSCAN"]
    assert [sum(word in block for block in BLOCKS) for word in words] == [1] * len(BLOCKS)
