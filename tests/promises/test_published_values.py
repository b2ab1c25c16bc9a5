"""Values that the program published with the DISCO paper returns, and the paper's own table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from definitions import disco as definition
from disco_cvi import DensityTree, disco_score, explain
from helpers.reference_values import (
    GOLDEN_SETS,
    LABELINGS,
    golden_labels,
    golden_noise,
    golden_samples,
    golden_values,
    load,
    paper_scores,
)

if TYPE_CHECKING:
    from pathlib import Path

# How far the published program can be trusted: it rounds dc-distances in another place, which moves
# single points by up to 2e-12 and the mean by 1e-14 (both measured against exact sums).
MEAN_TOLERANCE = 1e-13
POINTWISE_TOLERANCE = 5e-12


@cache
def build_tree(shared: Path, name: str) -> DensityTree:
    """Return the one tree that all labelings of a data set share."""
    points, _ = load(shared, name)
    return DensityTree(points, n_jobs=2)


@pytest.mark.parametrize("labeling", LABELINGS)
@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str, labeling: str) -> None:
    labels = golden_labels(shared, name, labeling)
    explanation = explain(build_tree(shared, name), labels)
    facts = explanation.points
    score = golden_values(shared, "disco")[name, labeling]
    assert explanation.score == pytest.approx(score, rel=0, abs=MEAN_TOLERANCE)
    samples = golden_samples(shared, name, labeling)
    np.testing.assert_allclose(facts.score, samples, rtol=0, atol=POINTWISE_TOLERANCE)
    noise = labels == -1
    sparse, far = golden_noise(shared, name, labeling)
    assert len(sparse) == noise.sum()
    # Core distances are not rounded anew there, so rho_sparse is the same division.
    np.testing.assert_allclose(facts.rho_sparse[noise], sparse, rtol=0, atol=1e-15)
    np.testing.assert_allclose(facts.rho_far[noise], far, rtol=0, atol=POINTWISE_TOLERANCE)


def test_all_golden_values_are_compared(shared: Path) -> None:
    pairs = {(name, labeling) for name in GOLDEN_SETS for labeling in LABELINGS}
    assert pairs == set(golden_values(shared, "disco"))
    assert len(pairs) == 105


def test_golden_ground_truth_is_the_one_of_the_files(shared: Path) -> None:
    for name in GOLDEN_SETS:
        assert load(shared, name)[1].tolist() == golden_labels(shared, name, "gt").tolist()


@pytest.mark.parametrize("labeling", ["gt", "hdbscan", "random_k"])
@pytest.mark.parametrize("name", ["3-spiral", "aggregation", "compound"])
def test_the_definition_gives_the_golden_values_too(shared: Path, name: str, labeling: str) -> None:
    points, _ = load(shared, name)
    labels = golden_labels(shared, name, labeling)
    found = definition.disco_pointwise(points, labels)
    samples = golden_samples(shared, name, labeling)
    np.testing.assert_allclose(found.score, samples, rtol=0, atol=POINTWISE_TOLERANCE)


PAPER_SETS = (
    "smile1",
    "dartboard1",
    "chainlink",
    "3-spiral",
    "complex8",
    "complex9",
    "compound",
    "aggregation",
    "cluto-t8-8k",
    "cluto-t7-10k",
    "cluto-t4-8k",
    "diamond9",
    "Synth_high",
    "Synth_low",
    "htru2",
    "COIL20",
    "Pendigits",
    "cmu_faces",
    "Optdigits",
)


@pytest.mark.parametrize("name", PAPER_SETS)
def test_table_of_the_paper(shared: Path, name: str) -> None:
    points, labels = load(shared, name)
    tree = build_tree(shared, name) if name in GOLDEN_SETS else DensityTree(points, n_jobs=2)
    assert f"{disco_score(tree, labels):.2f}" == paper_scores(shared)[name]


def test_all_rows_of_the_paper_are_compared(shared: Path) -> None:
    assert set(PAPER_SETS) == set(paper_scores(shared))
