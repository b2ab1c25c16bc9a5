"""Cells: the points behind them, the labelings of these, and what is measured."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from definitions import disco as definition
from disco_cvi import DensityTree, available_indices, cvdd_score, disco_samples, disco_score
from disco_cvi.datasets import three_rings
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_paper import EXPERIMENTS, datasets, open_experiment
from disco_paper import measures as module
from disco_paper.cells import GROUND_TRUTH, Cell, Outcome, Outcomes, Scope, Spec, cross, spec
from disco_paper.datasets import LabeledPoints, separated_discs, two_rings
from disco_paper.measures import measure, name_turned
from disco_paper.paper import (
    INDEX_NAMES,
    INDEX_TITLES,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    TABLE_SET_OF,
    TABLE_SETS,
    name_published,
    quick_sets,
    read_printed,
)
from disco_paper.published import PUBLISHED
from disco_paper.sources import (
    GENERATOR_SEEDS,
    Case,
    Source,
    eps_for_k,
    make_labels,
    make_points,
    permutation,
    seeds_of,
    shuffle_seeds,
)
from helpers.reference_values import golden_labels, load


@pytest.fixture
def data_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    return shared


# --- outcomes and names -------------------------------------------------------------------------

DATA, OTHER = spec("line", size=3), spec("line", size=4)
SCORE, COUNT, FLAG, WORD = spec("score"), spec("count"), spec("flag"), spec("word")
FOUND = Outcomes(
    {
        Cell(DATA, GROUND_TRUTH, SCORE): Outcome(0.5),
        Cell(DATA, GROUND_TRUTH, COUNT): Outcome(3),
        Cell(DATA, GROUND_TRUTH, FLAG): Outcome(True),
        Cell(DATA, GROUND_TRUTH, WORD): Outcome(None, "There is none."),
    }
)


def test_numbers_are_those_values_that_are_numbers() -> None:
    cells = cross([OTHER, DATA], [GROUND_TRUTH], [COUNT, WORD, FLAG, SCORE])
    assert FOUND.numbers(cells) == [3, 0.5]
    assert FOUND.number(DATA, GROUND_TRUTH, FLAG) is None
    assert FOUND.value(DATA, GROUND_TRUTH, FLAG) is True


def test_what_is_missing_has_a_reason() -> None:
    assert FOUND.reason(DATA, GROUND_TRUTH, WORD) == "There is none."
    assert FOUND.reason(OTHER, GROUND_TRUTH, WORD) == "not part of this run"
    assert FOUND.reason(DATA, GROUND_TRUTH, SCORE) == ""


def test_indices_and_sets_are_those_of_the_paper() -> None:
    names = {info.name for info in available_indices()}
    assert set(PAPER_INDICES) == set(INDEX_TITLES) == set(INDEX_NAMES.values()) <= names
    assert set(LOWER_IS_BETTER) == {"s_dbw", "cvnn"}
    assert [name for name in PAPER_INDICES if not name_published(name).options] == ["disco"]
    spelled = {row["dataset"] for row in read_printed("tab-pcc")}
    assert spelled == {chosen.spelling for chosen in TABLE_SETS}
    assert TABLE_SET_OF["three_spiral"] == TABLE_SET_OF["3-spiral"]
    # Noise is one of the true labels.
    assert [TABLE_SET_OF[name].n_labels for name in ("cluto-t8-8k", "complex9")] == [9, 9]
    assert sum(chosen.is_benchmark for chosen in TABLE_SETS) == 12
    assert sum(chosen.n_points > 3100 for chosen in quick_sets()) == 1


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_no_measure_has_the_name_of_an_index(name: str) -> None:
    assert not {info.name for info in available_indices()} & set(open_experiment(name).measures)


# --- points -------------------------------------------------------------------------------------


def test_seeds_are_those_of_the_paper() -> None:
    first_shuffles = (9394, 898, 2398, 5906, 2343, 8225, 5506, 6451, 2670, 3497)
    assert shuffle_seeds(10) == shuffle_seeds(1000)[:10] == first_shuffles
    assert len(set(shuffle_seeds(1000))) == 1000
    assert np.array_equal(permutation(2, 312), np.random.RandomState(2398).permutation(312))
    many = seeds_of(Scope(runs=12))
    assert len(set(many)) == 12
    assert many[:10] == GENERATOR_SEEDS == seeds_of(Scope())
    assert seeds_of(Scope(quick=True)) == GENERATOR_SEEDS[:1]


def test_data_set_as_it_is(data_folder: Path) -> None:
    points, truth = load(data_folder, "aggregation")
    made = make_points(spec("aggregation"))
    np.testing.assert_allclose(made.points, points, atol=1e-13)
    assert np.array_equal(made.labels, truth)
    assert np.abs(make_points(spec("aggregation", raw=True)).points).max() > 30


def test_rows_in_the_order_of_a_run(data_folder: Path) -> None:
    straight, shuffled = (make_points(s) for s in (spec("complex8"), spec("complex8", shuffle=3)))
    order = permutation(3, len(straight.points))
    assert np.array_equal(shuffled.points, straight.points[order])
    assert np.array_equal(shuffled.labels, straight.labels[order])
    assert shuffled.points.flags.c_contiguous


def test_noise_is_dropped_after_scaling_and_before_the_shuffle(data_folder: Path) -> None:
    whole = make_points(spec("cluto-t8-8k"))
    kept = make_points(spec("cluto-t8-8k", noise="dropped"))
    shuffled = make_points(spec("cluto-t8-8k", noise="dropped", shuffle=0))
    assert np.array_equal(kept.points, whole.points[whole.labels != -1])
    assert len(kept.points) == 8000 - 323
    assert np.array_equal(shuffled.labels, kept.labels[permutation(0, len(kept.labels))])


def test_other_noise_in_a_data_set(data_folder: Path) -> None:
    whole = make_points(spec("Synth_high"))
    poisson = make_points(spec("Synth_high", noise_distribution="poisson"))
    assert np.array_equal(poisson.points[:4500], whole.points[whole.labels != -1])
    assert (poisson.labels[4500:] == -1).all()
    assert np.array_equal(poisson.points[4500:], np.rint(poisson.points[4500:]))


def test_made_data() -> None:
    discs = make_points(spec("separated discs", seed=4280, half_distance=2.5))
    assert np.array_equal(make_points(spec("three rings")).labels, three_rings().good_labels)
    two = make_points(spec("two rings", build=1))
    assert np.array_equal(two.points, two_rings(build=1).points)
    assert np.array_equal(discs.points, separated_discs(seed=4280, half_distance=2.5).points)

    def own(*, size: int) -> LabeledPoints:
        return LabeledPoints(np.zeros((size, 2)), np.zeros(size, np.int64))

    assert make_points(spec("two moons", size=4), {"two moons": own}).points.shape == (4, 2)


# --- eps for k ----------------------------------------------------------------------------------

# As the authors' own search found them, to the digits that are known.
EPS = [
    ("3-spiral", 3, 0.526316644),
    ("complex9", 9, 0.088938280),
    ("cluto-t4-8k", 7, 0.107940465),
    ("cluto-t8-8k", 9, 0.065068014),
    ("Synth_high", 11, 0.793490154),
    ("Synth_low", 11, 0.880603289),
]


@pytest.mark.parametrize(("name", "k", "expected"), EPS)
def test_eps_is_that_of_the_authors(shared: Path, name: str, k: int, expected: float) -> None:
    tree = DensityTree(load(shared, name)[0], min_points=5)
    assert eps_for_k(tree, k) == pytest.approx(expected, rel=0, abs=6e-10)


@pytest.mark.parametrize(("data", "is_raw"), [("3-spiral", True), ("Synth_high", False)])
def test_eps_of_the_search_figures(data_folder: Path, data: str, is_raw: bool) -> None:
    text = (data_folder / "expected" / "reproduced_findeps.csv").read_text()
    rows = [row for row in csv.DictReader(text.splitlines()) if row["dataset"].startswith(data)]
    tree = DensityTree(datasets.load(data, standardize=not is_raw).X, min_points=2)
    found = [eps_for_k(tree, int(row["k_requested"])) for row in rows]
    assert len(rows) == (6 if is_raw else 19)
    assert found == pytest.approx([float(row["eps"]) for row in rows], rel=0, abs=6e-5)


@pytest.mark.parametrize("name", ["aggregation", "cluto-t8-8k"])
def test_eps_does_not_depend_on_the_order_of_rows(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    trees = [
        DensityTree(order, min_points=5)
        for order in (points, np.random.default_rng(0).permutation(points))
    ]
    one, other = ([eps_for_k(tree, k) for k in range(2, 300)] for tree in trees)
    assert one == other


def groups(*positions: int) -> DensityTree:
    """Groups of five points one apart, beginning at the positions on a line."""
    rows = np.concatenate([position + np.arange(5.0) for position in positions])
    return DensityTree(rows.reshape(-1, 1), min_points=2)


def test_groups_part_one_after_the_other() -> None:
    assert 16.0 - eps_for_k(groups(0, 20), 2) == pytest.approx(3e-12, rel=1e-2)
    # Too many clusters get the last eps; groups that meet at one height meet at once.
    assert eps_for_k(groups(0, 20), 9) == pytest.approx(16.0)
    several = groups(0, 20, 40, 100)
    assert [eps_for_k(several, k) for k in (2, 3, 4)] == pytest.approx([56.0, 16.0, 16.0])
    with pytest.raises(InvalidInputError, match="no two groups"):
        eps_for_k(groups(0), 2)


def test_small_groups_do_not_count() -> None:
    rows = [*range(5), *range(20, 25), 1000, 1001, 1002, 1003]
    tree = DensityTree(np.array(rows, float).reshape(-1, 1), min_points=2)
    assert eps_for_k(tree, 2) == pytest.approx(16.0)


# --- labelings ----------------------------------------------------------------------------------


def source_of(shared: Path, name: str) -> Source:
    return Source(spec(name), *load(shared, name))


@pytest.mark.parametrize(
    ("labeling", "golden"),
    [
        (spec("dbscan for k", k=7, core_rank=5), "dbscan"),
        (spec("hdbscan"), "hdbscan"),
        (spec("ward", k=7), "ward"),
        (GROUND_TRUTH, "gt"),
    ],
)
def test_labels_are_the_known_ones(shared: Path, labeling: Spec, golden: str) -> None:
    labels = make_labels(labeling, source_of(shared, "aggregation"))
    assert labels.dtype == np.int64
    assert labels.tolist() == golden_labels(shared, "aggregation", golden).tolist()


def test_dbscan_of_the_paper(shared: Path) -> None:
    labels = make_labels(spec("dbscan", eps=0.04, min_samples=5), source_of(shared, "cluto-t8-8k"))
    assert (labels.max() + 1, (labels == -1).sum()) == (173, 1101)


@pytest.mark.parametrize("name", ["random", "k-means"])
def test_a_seed_gives_the_same_labels_again(shared: Path, name: str) -> None:
    points = source_of(shared, "3-spiral")
    one, again, other = (make_labels(spec(name, k=40, seed=s), points) for s in (1, 1, 2))
    assert one.tolist() == again.tolist() != other.tolist()
    assert sorted(set(one.tolist())) == list(range(40))


def test_labeling_and_index_share_the_tree(shared: Path) -> None:
    points = source_of(shared, "aggregation")
    labels = make_labels(spec("dbscan for k", k=7), points)
    tree = points.density_tree(5)
    assert measure(spec("disco"), Case(points, labels)) == disco_score(tree, labels)
    assert points.density_tree(5) is tree


def test_own_labelings_come_first_and_unknown_ones_are_refused(shared: Path) -> None:
    points = source_of(shared, "3-spiral")
    own = {"ward": lambda given, shift: given.truth + shift}
    labels = make_labels(spec("ward", shift=4), points, own)
    assert labels.tolist() == (points.truth + 4).tolist()
    with pytest.raises(InvalidInputError, match=r"no labeling 'optics'.*hdbscan"):
        make_labels(spec("optics"), points)


def test_hdbscan_with_the_plain_sort(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.cluster import HDBSCAN
    from sklearn.cluster._hdbscan import hdbscan as program

    random = np.random.default_rng(0)
    points = random.normal(size=(200, 2)) + 6.0 * (np.arange(200) % 3)[:, np.newaxis]
    source = Source(spec(""), points, np.zeros(200, np.int64))
    labels = make_labels(spec("hdbscan", sort="plain"), source)
    assert set(labels.tolist()) == {0, 1, 2}
    np.testing.assert_array_equal(labels, HDBSCAN(copy=True).fit_predict(points))
    with pytest.raises(ValueError):
        make_labels(spec("hdbscan", sort="plain"), Source(spec(""), points[:0], source.truth[:0]))
    assert program.np is np, "it has its NumPy back"


# --- measures -----------------------------------------------------------------------------------

LINE = np.array([0.0, 0.1, 0.3, 1.0, 1.1, 1.3]).reshape(-1, 1)
COPIES = np.ones((6, 1))
PAIR, ONE = [0, 0, 0, 1, 1, 1], [0] * 6


def make_source(n_points: int = 90, seed: int = 0) -> Source:
    """Three loose groups, the first of them noise in truth; labels begin at 1."""
    random = np.random.default_rng(seed)
    truth = np.array([-1, 1, 2])[np.arange(n_points) % 3]
    points = random.normal(size=(n_points, 2)) + 4.0 * truth[:, np.newaxis]
    points.setflags(write=False)
    return Source(spec("made up", seed=seed), points, truth)


def relabel(source: Source, seed: int, k: int = 3) -> Case:
    """Labels at random, with noise."""
    return Case(source, np.random.default_rng(seed).integers(-1, k, len(source.points)))


@pytest.mark.parametrize("name", [info.name for info in available_indices()])
def test_an_index_is_its_public_function(name: str) -> None:
    case = relabel(make_source(), 1)
    info = next(info for info in available_indices() if info.name == name)
    assert measure(spec(name), case) == info.function(case.source.points, case.labels)


@pytest.mark.parametrize("name", PUBLISHED)
def test_kept_work_changes_nothing(name: str) -> None:
    """The same numbers, to the last bit, after other labelings and indices of the same points."""
    source, index = make_source(), spec(name, variant="published")
    for seed in range(4):
        case = relabel(source, seed, k=2 + seed)
        alone = Case(make_source(), case.labels)
        assert measure(index, case) == measure(index, alone)


def test_options_reach_the_function() -> None:
    source = make_source()
    case = Case(source, source.truth)
    expected = disco_score(source.points, case.labels, min_points=9)
    assert measure(spec("disco", min_points=9), case) == expected != measure(spec("disco"), case)
    raw = measure(spec("dcsi", variant="published", raw_labels=True), case)
    assert raw != measure(name_published("dcsi"), case)
    own = {"disco": lambda case, weight: weight * len(case.labels)}
    assert measure(spec("disco", weight=2), case, own) == 180


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "points", "labels", "reason"),
    [
        ("silhouette", LINE, ONE, "Silhouette needs 2 clusters"),
        ("s_dbw", COPIES, PAIR, "The published S_Dbw divides by 0"),
        ("viasckde", LINE, ONE, "VIASCKDE divides 0 by 0"),
        ("cdbw", LINE, ONE, "needs two clusters"),
        ("cvdd", LINE, ONE, "needs two clusters"),
        ("cvnn", LINE, PAIR, "more than 10 points"),
        ("dbcv", LINE, [0, 0, 0, 1, 1, 2], "alone in its cluster"),
        ("dcsi", LINE, ONE, "needs two clusters"),
        ("lccv", LINE[:2], [0, 1], "three points or more"),
        ("mmj_sc", COPIES, PAIR, "not all identical"),
    ],
)
def test_no_value_has_a_reason(
    name: str, points: np.ndarray[Any, Any], labels: list[int], reason: str
) -> None:
    case = Case(Source(spec("made up"), points, np.array(labels)), np.array(labels))
    with pytest.raises(UndefinedScoreError, match=reason) as found:
        measure(name_published(name), case)
    assert str(found.value).endswith(".")


@pytest.mark.small
def test_infinity_is_no_value() -> None:
    points = np.array([[0.0], [0.0], [5.0], [9.0]])
    case = Case(Source(spec("made up"), points, np.zeros(4, np.int64)), np.array([0, 0, 1, 2]))
    assert math.isinf(cvdd_score(points, case.labels))
    with pytest.raises(UndefinedScoreError, match=r"CVDD is \+inf here\."):
        measure(spec("cvdd"), case)


@pytest.mark.small
def test_unknown_names_are_errors() -> None:
    case = relabel(make_source(), 0)
    with pytest.raises(InvalidInputError, match="no index 'entropy'; there are disco, "):
        measure(spec("entropy"), case)
    with pytest.raises(InvalidInputError, match="no variant 'first' of dbcv"):
        measure(spec("dbcv", variant="first"), case)


@pytest.mark.small
@pytest.mark.parametrize(
    ("options", "classes", "predicted"),
    [
        # The noise of the labels is 7 and 8, then one class; left out, four points stay.
        ({}, [-1, -1, 0, 0, 1, 1], [7, 8, 0, 0, 0, 1]),
        ({"noise": "one class"}, [-1, -1, 0, 0, 1, 1], [7, 7, 0, 0, 0, 1]),
        ({"noise": "left out"}, [0, 0, 1, 1], [0, 0, 0, 1]),
    ],
)
def test_ari(options: dict[str, str], classes: list[int], predicted: list[int]) -> None:
    truth, labels = np.array([-1, -1, 0, 0, 1, 1]), np.array([-1, -1, 0, 0, 0, 1])
    case = Case(Source(spec("made up"), LINE, truth), labels)
    expected = _adjusted_rand(classes, predicted)
    assert measure(spec("ari", **options), case) == pytest.approx(expected, abs=1e-12)
    assert labels.tolist() == [-1, -1, 0, 0, 0, 1]


def _adjusted_rand(one: list[int], other: list[int]) -> float:
    """By counting pairs."""
    pairs = [(i, j) for i in range(len(one)) for j in range(i)]
    in_one = sum(one[i] == one[j] for i, j in pairs)
    in_other = sum(other[i] == other[j] for i, j in pairs)
    both = sum(one[i] == one[j] and other[i] == other[j] for i, j in pairs)
    chance = in_one * in_other / len(pairs)
    return (both - chance) / ((in_one + in_other) / 2 - chance)


@pytest.mark.small
def test_ari_without_any_point_has_no_value() -> None:
    case = Case(Source(spec("made up"), LINE, np.array(PAIR)), np.full(6, -1))
    with pytest.raises(UndefinedScoreError, match="All points are noise"):
        measure(spec("ari", noise="left out"), case)
    assert measure(spec("ari"), case) == 0.0


@pytest.mark.small
def test_counts_and_labels() -> None:
    source = make_source()
    case = Case(source, source.truth)
    names = ("n_points", "n_dimensions", "n_clusters", "n_noise")
    assert [measure(spec(name), case) for name in names] == [90, 2, 2, 30]
    assert measure(spec("labels"), case) == [-1, 1, 2] * 30


def test_disco_parts_are_means_by_definition() -> None:
    source = make_source(60)
    case = relabel(source, 5)
    expected = definition.disco_pointwise(source.points, case.labels, min_points=4)
    is_noise = case.labels == -1
    parts = measure(spec("disco parts", min_points=4), case)
    assert parts == pytest.approx(
        {
            "disco": expected.score.mean(),
            "rho_cluster": expected.score[~is_noise].mean(),
            "rho_sparse": expected.rho_sparse[is_noise].mean(),
            "rho_far": expected.rho_far[is_noise].mean(),
        },
        abs=1e-12,
    )
    samples = measure(spec("disco samples", min_points=4), case)
    assert samples == disco_samples(source.points, case.labels, min_points=4).tolist()
    only_noise = measure(spec("disco parts"), Case(source, np.full(60, -1)))
    assert only_noise == {"disco": -1, "rho_cluster": None, "rho_sparse": None, "rho_far": None}


def test_seconds_are_those_of_one_call_from_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    works = []

    def score(work: Any, name: str, **options: Any) -> float:
        works.append((work.n_points, name, options))
        assert not work.points._kept
        raise UndefinedScoreError("Time passes all the same.")

    monkeypatch.setattr(module, "_score", score)
    source = make_source(4000)
    asked = spec("seconds", index="lccv", variant="published")
    seconds = measure(asked, Case(source, source.truth))
    assert isinstance(seconds, float)
    assert seconds > 0
    # First some of the points, so that compiling is not timed.
    published = ("lccv", {"variant": "published"})
    assert works == [(1000, *published), (4000, *published)]


# --- turned axes --------------------------------------------------------------------------------

BOTH = [
    index for name in PAPER_INDICES for index in dict.fromkeys([name_published(name), spec(name)])
]


def wide(n_features: int) -> Case:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(3), 20)
    points = rng.normal(size=(60, n_features)) + labels[:, None] * 0.3
    return Case(Source(spec("made up"), points, labels), labels)


# VIASCKDE has no weights to speak of where all points are far apart.
@pytest.mark.parametrize("index", [index for index in BOTH if index.name != "viasckde"], ids=str)
def test_turning_the_axes_changes_no_value(index: Spec) -> None:
    turned, straight = measure(name_turned(index), wide(300)), measure(index, wide(300))
    assert turned == pytest.approx(straight, rel=1e-10)


def test_distances_stay_and_features_become_few() -> None:
    case = wide(300)
    measure(name_turned(spec("disco")), case)
    points, given = case.source.once(module._turn).points, case.source.points
    assert points.shape == (60, 60)
    for row in (0, 17, 59):
        expected = np.linalg.norm(given - given[row], axis=1)
        assert np.linalg.norm(points - points[row], axis=1) == pytest.approx(expected, abs=1e-11)
    few = wide(100)
    measure(name_turned(spec("dcsi")), few)
    assert not few.source._kept, "points with few features are not turned"
    assert "s_dbw" not in module._TURNABLE, "it looks at features"
