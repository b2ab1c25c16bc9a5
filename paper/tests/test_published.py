"""The paper's programs: its tables, what the programs returned on many labelings, edge cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from definitions import mmj_sc as definition
from definitions.distances import distances_of
from disco_cvi import silhouette_score
from disco_paper.cells import spec
from disco_paper.datasets import two_rings
from disco_paper.paper import COMPETITORS
from disco_paper.published import (
    DEVIATIONS,
    PUBLISHED,
    describe_deviations,
    published_dbcv,
)
from disco_paper.sources import Case, Source
from helpers import zoo
from helpers.reference_values import (
    GOLDEN_SETS,
    golden_labels,
    golden_values,
    load,
    table_2,
    table_3,
)

NAN = math.nan


def published(name: str, points: Any, labels: Any, **options: Any) -> float:
    """What the paper's program of an index makes of points and labels."""
    points, labels = np.asarray(points, float), np.asarray(labels)
    case = Case(Source(spec("made up"), points, labels), labels)
    if name == "silhouette":
        return silhouette_score(points, labels)
    return PUBLISHED[name](case.clustering, **options)


# --- tables and golden values -------------------------------------------------------------------

# The paper's tables 2 (3-spiral and complex9, truth and k-means each) and 3 (cluto-t8-8k, truth and
# cut; rings, good and bad noise) before rounding, to 1e-9.
TABLES = {
    "dbcv": (
        (0.538503263463, -0.947288698054, -0.0543423773676, -0.878225733847),
        (-0.04624674987, 0.170466953, 0.4612400124, 0.6325010323),
    ),
    "dcsi": (
        (0.932422229497, 0.00609934737448, 0.948161989286, 0.714356068248),
        (0.9202004365, 0.9585947539, 0.994033276, 0.9414854762),
    ),
    "mmj_sc": (
        (0.789484201001, -0.00567043450653, 0.442363771432, 0.0285732545301),
        (0.3091607233, 0.0143126091, 0.2447415995, 0.3234472925),
    ),
    "lccv": (
        (0.662633145546, 0.00586322530607, 0.550119224825, 0.169693932245),
        (0.1147905507, 0.2625828702, 0.3755765408, 0.4000393131),
    ),
    "viasckde": (
        (0.305072190804, 0.263338877969, 0.631905827796, 0.60344583875),
        (0.6575785625, 0.6471347949, NAN, NAN),
    ),
    "cvdd": (
        (189.34725614, 0.576056296333, 689.402844113, 25.859470135),
        (0.06996168715, 0.1523668867, 37.74071981, 0.06771486578),
    ),
    "cdbw": (
        (0.00883830797382, 0.00895697752432, 0.607409451658, 0.231835913335),
        (0.15601713, 0.5646008489, 0.001596302578, 0.001408870593),
    ),
    "cvnn": (
        (5.49366776159, 3.63320601327, 5.11083884864, 4.78879799013),
        (5.585068755, 4.855635491, 54.66766621, 58.1439757),
    ),
    "silhouette": (
        (0.00139300722684, 0.359607896016, -0.0117356455026, 0.403420451524),
        (0.06284062769, 0.09369351832, 0.06669828607, 0.3044063589),
    ),
    "s_dbw": (
        (2.79349300775, 1.89866275404, 0.591154274381, 0.485186358106),
        (0.7341501042, 0.3067693551, 0.5289851354, 0.5505434447),
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_the_paper(shared: Path, name: str) -> None:
    second, third = TABLES[name]
    found = [published(name, *column) for column in table_2(shared).values()]
    assert found == pytest.approx(second, rel=1e-9, abs=1e-9)
    found = [published(name, *column) for column in table_3(shared).values()]
    assert found == pytest.approx(third, rel=1e-9, abs=1e-9, nan_ok=True)


# How many values there are, how near ours are (relative, absolute), and what the program does where
# it has none.
GOLDEN: dict[str, tuple[int, float, float, str]] = {
    "dbcv": (105, 1e-13, 0, "alone in its cluster"),
    "dcsi": (90, 0, 1e-14, "without core points"),
    "mmj_sc": (75, 0, 1e-13, ""),
    # One of them lies itself 1e-13 from what its definition gives with exactly rounded sums.
    "lccv": (67, 2e-13, 0, ""),
    "viasckde": (63, 1e-9, 1e-12, "nan"),
    "cvdd": (63, 1e-12, 0, "of two points or more"),
    "cdbw": (52, 1e-12, 0, ""),
    "cvnn": (105, 1e-12, 0, "nan"),
    "silhouette": (105, 0, 1e-14, ""),
    "s_dbw": (90, 0, 1e-14, ""),
}


@pytest.mark.parametrize("data", GOLDEN_SETS)
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_values(shared: Path, name: str, data: str) -> None:
    n_values, rel, absolute, without = GOLDEN[name]
    values = golden_values(shared, name)
    assert len(values) == n_values
    options = {"raw_labels": True} if name == "dcsi" else {}
    points, _ = load(shared, data)
    for labeling in (labeling for of, labeling in values if of == data):
        labels, value = golden_labels(shared, data, labeling), values[data, labeling]
        if value is None and without != "nan":
            with pytest.raises(ValueError, match=without):
                published(name, points, labels, **options)
            continue
        found = published(name, points, labels, **options)
        expected = NAN if value is None else value
        assert found == pytest.approx(expected, rel=rel, abs=absolute, nan_ok=True), labeling


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
def test_dbcv_of_distances_that_are_not_squared(shared: Path, name: str) -> None:
    found = published_dbcv(*load(shared, name), metric="euclidean")
    assert found == pytest.approx(BY_DISTANCES[name], rel=0, abs=1e-9)


WITHOUT_THE_MISTAKE = {
    "3-spiral": 0.932422229497,
    "aggregation": 0.968155229402,
    "compound": 0.850194073256,
    "chainlink": 0.960356909479,
}


@pytest.mark.parametrize("name", WITHOUT_THE_MISTAKE)
def test_dcsi_of_the_truth_without_the_mistake_in_labels(shared: Path, name: str) -> None:
    found = published("dcsi", *load(shared, name))
    assert found == pytest.approx(WITHOUT_THE_MISTAKE[name], rel=0, abs=1e-11)


# --- edge cases ---------------------------------------------------------------------------------

# Two groups far apart: each point has one or two neighbors, and each group one local core or more.
FAR = [0, 1, 3, 6, 10, 15, 21, 100, 101, 103, 106, 110, 115, 121]
TWO = [0, 0, 0, 1, 1, 1]
PLACES = [0, 1, 2, 3, 4, 9] * 10
# Name, points on a line, labels, and the value or what the error says.
EDGE_CASES: list[tuple[str, Sequence[float], list[int], float | str]] = [
    ("dbcv", [0, 1, 2], [-1, -1, -1], 0.0),
    ("dbcv", [0, 1, 2], [0, 0, 0], NAN),
    ("dbcv", [0, 1, 2], [0, 0, -1], NAN),
    ("dbcv", [0, 1, 2], [0, 0, 1], "alone in its cluster"),
    ("dbcv", [3] * 6, TWO, NAN),
    # The first rows, 1 and 10, are the inner ones, so the clusters are 9 apart (squared 81).
    ("dbcv", [1, 0, 10, 11], [0, 0, 1, 1], 1 - 1 / 81),
    ("dbcv", [0, 1, 11, 10], [0, 0, 1, 1], 1 - 1 / 121),
    ("dcsi", [0.0] * 8 + [1.0] * 8, [0] * 8 + [1] * 8, NAN),
    ("dcsi", [0.0] * 16, [0] * 8 + [1] * 8, 0.0),
    ("dcsi", [0, 1, 2, 3, 4, 5, 50, 51, 52, 53, 54], [0] * 6 + [1] * 5, 0.0),
    ("dcsi", FAR, [0] * 14, "two clusters"),
    ("dcsi", FAR, [-1] * 14, "two clusters"),
    # A gap of 10 against steps of 1, both squared.
    ("dcsi", [*range(8), *range(17, 25)], [0] * 8 + [1] * 8, 100 / 101),
    # Fewer distinct distances than the rank asks for: the farthest counts, all are core points.
    (
        "dcsi",
        [0, 1, 2, 3, 4, 9] * 10 + [30, 31, 32, 33, 34, 39] * 10,
        [0] * 60 + [1] * 60,
        441 / 466,
    ),
    ("lccv", FAR, [-1] * 14, 0.0),
    ("lccv", FAR, [0] * 14, "all local cores belong to one cluster"),
    ("lccv", FAR, [*range(14)], 0.0),
    ("lccv", [0.0] * 12, [0, 1] * 6, 0.0),  # row 0 comes to stand for all
    ("lccv", [0], [0], "three points or more"),
    ("lccv", [0, 0], [0, 0], "three points or more"),
    # Lambda is 1, each point stands for itself, and there are no steps but those of length 0.
    ("lccv", [0, 0, 5, 5, 9, 9], [0, 0, 1, 1, 1, 1], NAN),
    ("viasckde", [0, 0.1, 0.3], [0, 0, 0], NAN),
    ("viasckde", [0, 0.1, 0.3], [-1, -1, -1], NAN),
    ("viasckde", [0, 0.1, 0.3, 9], [0, 0, 0, 1], NAN),
    ("viasckde", [0, 0.1, 0.3, 1, 1.1, 1.3, 9], [*TWO, -1], NAN),
    ("viasckde", [0, 0.1, 1, 1.1], [0, 0, 1, 1], NAN),
    ("viasckde", [0, 10, 30, 60, 100, 150], TWO, NAN),
    ("viasckde", [0, 0, 0.1, 0, 0, 0.1], TWO, NAN),
    ("viasckde", [3] * 4, [0, 0, 1, 1], NAN),
    # Only the middle points have a weight; the first cluster counts in both totals.
    ("viasckde", [0, 0.1, 0.2, 10, 10.1, 10.2], TWO, 3 * 9.8 / 9.9 / 9),
    ("viasckde", [0, 0.1, 0.2, 10, 10.1, 10.2], [-1, -1, -1, 0, 0, 0], 3 * 9.8 / 9.9 / 9),
    ("cvdd", [0, 1, 5], [0, 0, 0], "two clusters or more"),
    ("cvdd", [0, 1, 5], [0, 0, -1], "two clusters or more"),
    ("cvdd", [0, 1, 5], [0, 0, 1], "two clusters or more"),
    ("cvdd", [0, 1, 5], [-1, -1, -1], NAN),
    ("cvdd", [3] * 4, [0, 0, 1, 1], NAN),
    ("cvdd", [0.0] * 9 + [4, 5], [0] * 9 + [1, 1], 0.0),
    ("cvdd", [0.0] * 9 + [4] * 9 + [5], [0] * 9 + [1] * 10, 0.0),
    ("cdbw", [0, 1, 2, 9], [0, 0, 0, 1], 0.0),
    ("cdbw", [0, 1, 2, 9, 9], [0, 0, 0, 1, 1], 0.0),
    ("cdbw", [3] * 4, [0, 0, 1, 1], 0.0),
    ("cdbw", [0, 1, 2, 3], [0, 0, -1, -1], "two clusters"),
    # The radius is 1. A moved member is near itself alone: Intra is 1/2 throughout. The facing
    # members 1 and 9 are the only pair, 8 apart, nothing near 5: Inter is 0, Sep is 8 / 2.
    ("cdbw", [-1, 1, 9, 11], [0, 0, 1, 1], 1.0),
    ("cvnn", [*range(12)], [-1] * 12, "CVNN needs"),
    ("cvnn", [*range(10)], [0] * 10, "CVNN needs more than 10 points; got 10"),
    ("cvnn", [*range(12)], [0] * 11 + [1], NAN),
    # Mean distance of two of 12 equally spaced points: 13/3. The neighbors of a point are all
    # others but the farthest: all distances are 572, the farthest 102.
    ("cvnn", [*range(12)], [0] * 12, 13 / 3 + (572 - 102) / 120),
    ("s_dbw", [0, 1, 5, 6], [0, 0, 0, 0], "S_Dbw needs 2"),
    ("s_dbw", [0, 1, 5, 6], [0, 1, 2, -1], "S_Dbw needs 2"),
    ("s_dbw", [0, 1, 5, 6], [0, 0, -1, -1], "S_Dbw needs 2"),
    # Deviations 1/2 and 0; of all three points sqrt(14/3). The centers are 0 (nearest to 1/2 and
    # first) and 5, and nothing is near their middle.
    ("s_dbw", [0, 1, 5], [0, 0, 1], 1 / 4 / math.sqrt(14 / 3)),
]


@pytest.mark.small
@pytest.mark.parametrize(("name", "line", "labels", "expected"), EDGE_CASES)
def test_edge_cases(
    name: str, line: Sequence[float], labels: list[int], expected: float | str
) -> None:
    points = np.array(line, float).reshape(-1, 1)
    if isinstance(expected, str):
        with pytest.raises(ValueError, match=expected):
            published(name, points, labels)
    else:
        found = published(name, points, labels)
        assert found == pytest.approx(expected, rel=0, abs=1e-12, nan_ok=True)


@pytest.mark.small
def test_s_dbw_of_identical_points_divides_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        published("s_dbw", np.ones((4, 2)), [0, 0, 1, 1])


@pytest.mark.small
def test_powers_of_dbcv_overflow_in_high_dimension() -> None:
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(20, 300)), np.repeat([0, 1], 10)
    # Powers too large: core distances are 0, and distances alone are left.
    assert -1 <= published_dbcv(1e-3 * X, labels) <= 1
    # Powers too small for some points but not for all: core distances are infinite.
    X[9] *= 1e3
    with pytest.raises(ValueError, match="infinite"):
        published_dbcv(0.04 * X, labels)


@pytest.mark.small
def test_the_mistake_of_dcsi_in_labels_loses_pairs() -> None:
    points = np.concatenate([start + np.arange(8.0) for start in (0, 100, 200)]).reshape(-1, 1)
    labels = np.repeat(np.arange(3), 8)
    whole = published("dcsi", points, labels)
    assert published("dcsi", points, labels, raw_labels=True) == whole
    # Of the positions 0, 1, 2 only 1 and 2 are labels: one pair of three is left.
    lost = published("dcsi", points, labels + 1, raw_labels=True)
    assert lost == pytest.approx(whole / 3, rel=1e-3)
    assert published("dcsi", points, labels + 1) == whole
    assert published("dcsi", points, np.array([0, 5, 9])[labels], raw_labels=True) == 0.0


@pytest.mark.small
def test_cdbw_minds_the_numbers_of_clusters() -> None:
    points = [[-1.0], [1.0], [9.0], [13.0]]
    one, other = (published("cdbw", points, labels) for labels in ([0, 0, 1, 1], [1, 1, 0, 0]))
    assert not math.isclose(one, other)


@pytest.mark.small
def test_noise_is_a_rival_cluster_to_lccv() -> None:
    points = np.array(FAR, float).reshape(-1, 1)
    assert published("lccv", points, [0] * 7 + [-1] * 7) != 0.0


def test_lccv_depends_on_the_order_of_the_rows(shared: Path) -> None:
    points, labels = load(shared, "complex9")
    order = np.random.default_rng(0).permutation(len(points))
    found = published("lccv", points[order], labels[order])
    assert found != pytest.approx(0.550119224825, abs=1e-4)


def test_noise_at_the_end_meets_the_right_rows_of_cvdd() -> None:
    rings = two_rings(build=1)
    order = np.argsort(rings.bad_labels == -1, kind="stable")
    assert f"{published('cvdd', rings.points[order], rings.bad_labels[order]):.2f}" == "2.70"


def literal_mmj_sc(points: zoo.Points, labels: zoo.Codes) -> float | None:
    """By the definition, with steps of length 0 missing; None: an error."""
    distances = np.round(distances_of(points), 15)
    distances[distances == 0] = np.inf
    jumps = definition.min_max_jumps(distances)
    if np.isinf(jumps).any():
        return None
    samples = definition.samples_from(jumps, labels.tolist())
    return None if samples is None else math.fsum(samples) / len(samples)


@pytest.mark.small
@zoo.examples(300)
@given(zoo.cases(least=2, most=30))
def test_copies_are_as_far_apart_as_the_nearest_other_place(case: zoo.Case) -> None:
    expected = literal_mmj_sc(case.points, case.labels)
    if expected is None:
        with pytest.raises(ValueError, match=r"MMJ-SC needs two groups|not all identical"):
            published("mmj_sc", case.points, case.labels)
    else:
        found = published("mmj_sc", case.points, case.labels)
        assert found == pytest.approx(expected, rel=0, abs=1e-12)


def test_deviations_are_told_in_a_row() -> None:
    # The silhouette of the paper is the silhouette.
    assert set(DEVIATIONS) == set(PUBLISHED) == set(COMPETITORS) - {"silhouette"}
    every = "takes standard deviations for variances, takes members for centers, and counts around"
    assert describe_deviations("s_dbw").startswith(every)
    assert describe_deviations("s_dbw", ["members"]) == "takes members for centers"
    assert describe_deviations("silhouette") == ""
