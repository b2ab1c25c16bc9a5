"""The DBCV of the DISCO paper against the values of its tables and of its programs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from disco_cvi import InvalidInputError
from disco_paper.datasets import two_rings
from disco_paper.published.dbcv import published_dbcv
from helpers.reference_values import GOLDEN_SETS, golden_cases, load, table_2, table_3

if TYPE_CHECKING:
    from pathlib import Path

# --- tables -------------------------------------------------------------------------------------


def test_table_2(shared: Path) -> None:
    found = [published_dbcv(*column) for column in table_2(shared).values()]
    expected = [0.538503263463, -0.947288698054, -0.0543423773676, -0.878225733847]
    assert found == pytest.approx(expected, rel=0, abs=1e-9)


def test_table_3_columns_1_and_2(shared: Path) -> None:
    columns = table_3(shared)
    found = [published_dbcv(*columns[f"cluto-t8-8k, {kind}"]) for kind in ("truth", "cut")]
    assert found == pytest.approx([-0.04624674987, 0.170466953], rel=0, abs=1e-9)


def test_table_3_columns_3_and_4() -> None:
    rings = two_rings(build=1)
    good = published_dbcv(rings.points, rings.good_labels)
    bad = published_dbcv(rings.points, rings.bad_labels)
    assert good == pytest.approx(0.4612400124, rel=0, abs=1e-9)
    assert bad == pytest.approx(0.6325010323, rel=0, abs=1e-9)


# --- values of the programs ---------------------------------------------------------------------


@pytest.mark.parametrize("name", GOLDEN_SETS)
def test_golden_values(shared: Path, name: str) -> None:
    cases = golden_cases(shared, "dbcv", name)
    assert len(cases) == 7
    X, _ = load(shared, name)
    for _, labels, value in cases:
        if value is None:
            with pytest.raises(ValueError, match="alone in its cluster"):
                published_dbcv(X, labels)
        else:
            assert published_dbcv(X, labels) == pytest.approx(value, rel=1e-13, abs=0)


# What validity_index of hdbscan 0.8.44 returns for the true labels, by its default metric. It takes
# distances from squared norms and products, which cancel.
BY_DISTANCES = {
    "3-spiral": -0.3372690921542716,
    "aggregation": 0.011947077459819083,
    "chainlink": 0.37772286087026374,
    "complex9": -0.2986611918234907,
    "compound": -0.004692679812406571,
    "diamond9": -0.2782648973539946,
    "smile1": 0.6879780090415264,
}


@pytest.mark.parametrize("name", BY_DISTANCES)
def test_distances_that_are_not_squared(shared: Path, name: str) -> None:
    X, labels = load(shared, name)
    found = published_dbcv(X, labels, metric="euclidean")
    assert found == pytest.approx(BY_DISTANCES[name], rel=0, abs=1e-9)


@pytest.mark.small
def test_unknown_metric() -> None:
    with pytest.raises(InvalidInputError, match="metric of published_dbcv must be one of"):
        published_dbcv([[0], [1]], [0, 0], metric="cityblock")


# --- edge cases ---------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(
    ("line", "labels", "expected"),
    [
        pytest.param([0, 1, 2], [-1, -1, -1], 0.0, id="only noise"),
        pytest.param([0, 1, 2], [0, 0, 0], math.nan, id="one cluster"),
        pytest.param([0, 1, 2], [0, 0, -1], math.nan, id="one cluster and noise"),
        pytest.param([3] * 6, [0, 0, 0, 1, 1, 1], math.nan, id="identical points everywhere"),
        # The first rows, 1 and 10, are the inner ones, so the clusters are 9 apart (squared 81).
        pytest.param([1, 0, 10, 11], [0, 0, 1, 1], 1 - 1 / 81, id="two points: near rows first"),
        pytest.param([0, 1, 11, 10], [0, 0, 1, 1], 1 - 1 / 121, id="two points: far rows first"),
    ],
)
def test_edge_cases(line: list[float], labels: list[int], expected: float) -> None:
    score = published_dbcv(np.array(line, float).reshape(-1, 1), labels)
    assert score == pytest.approx(expected, rel=0, abs=1e-15, nan_ok=True)


@pytest.mark.small
def test_a_point_alone_in_its_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="alone in its cluster"):
        published_dbcv([[0], [1], [2]], [0, 0, 1])


@pytest.mark.small
def test_plain_powers_overflow_in_high_dimension() -> None:
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(20, 300)), np.repeat([0, 1], 10)
    # Powers too large: core distances are 0, and distances alone are left.
    assert -1 <= published_dbcv(1e-3 * X, labels) <= 1
    # Powers too small for some points but not for all: core distances are infinite.
    X[9] *= 1e3
    with pytest.raises(ValueError, match="infinite"):
        published_dbcv(0.04 * X, labels)
