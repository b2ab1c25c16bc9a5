"""The data sets of the study: what they are, and that they are always the same."""

from __future__ import annotations

import numpy as np
import pytest

from disco_paper.cells.cell import Scope
from disco_paper.cells.data import make_points
from disco_paper.choosing.made import IMBALANCED, SHAPES, STRUCTURELESS
from disco_paper.choosing.sets import (
    DATA,
    ROUND,
    benchmark_sets,
    structureless_sets,
    study_sets,
)

MAKERS = {**SHAPES, **IMBALANCED, **STRUCTURELESS}


def test_families() -> None:
    sets = study_sets(Scope())
    assert len(sets) == len({chosen.title for chosen in sets}) == 68
    assert len(benchmark_sets()) == 13
    sizes: dict[str, int] = {}
    for chosen in sets:
        sizes[chosen.family] = sizes.get(chosen.family, 0) + 1
    assert {family for family, size in sizes.items() if size > 1} == {
        *("cluto", "complex", "DENSIRED"),
        *SHAPES,
        *IMBALANCED,
    }
    assert sizes["cluto"] == 4
    assert sizes["moons"] == 3
    assert set(ROUND) <= set(sizes)


def test_a_quick_run_has_few_sets_of_every_kind_that_the_report_speaks_of() -> None:
    sets = study_sets(Scope(quick=True))
    assert len(sets) == 8
    assert {chosen.kind for chosen in sets} == {"benchmark", "real", "shape", "imbalanced"}
    assert "nested" in {chosen.family for chosen in sets}
    assert len(structureless_sets(Scope(quick=True))) == 1
    assert len(study_sets(Scope(runs=1))) == 68 - 2 * 13


@pytest.mark.parametrize("name", MAKERS)
def test_made_points_are_standardized_and_depend_on_the_seed_alone(name: str) -> None:
    first, again, other = (MAKERS[name](seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.points, again.points)
    assert not np.array_equal(first.points, other.points)
    np.testing.assert_allclose(first.points.std(axis=0), 1.0, rtol=1e-12)
    assert len(first.points) == len(first.labels)
    assert first.n_clusters == (1 if name in STRUCTURELESS else other.n_clusters)


@pytest.mark.parametrize(
    ("name", "shares"),
    [
        ("sizes 90/4/3/3", [0.9, 0.04, 0.03, 0.03]),
        ("sizes 97/3", [0.97, 0.03]),
    ],
)
def test_shares_of_imbalanced_clusters(name: str, shares: list[float]) -> None:
    sizes = np.bincount(IMBALANCED[name](seed=0).labels)
    np.testing.assert_allclose(sizes / sizes.sum(), shares, rtol=1e-12)


def test_sets_of_scikit_learn() -> None:
    found = {c.title: make_points(c.data, DATA) for c in study_sets(Scope()) if c.title == "wine"}
    assert found["wine"].points.shape == (178, 13)
    assert found["wine"].n_clusters == 3
