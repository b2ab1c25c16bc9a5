"""The study of choosing: its data sets, its candidates, regret, its rows and its mark."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from disco_cvi import DensityTree
from disco_paper import open_experiment
from disco_paper.cells import Outcome, Outcomes, Scope, spec
from disco_paper.choosing import (
    ARENAS,
    CRITERIA,
    DATA,
    IMBALANCED,
    LABELINGS,
    N_EPS,
    ROUND,
    SHAPES,
    STRUCTURELESS,
    TITLES,
    Candidate,
    Loss,
    automatic_regret,
    benchmark_regrets,
    benchmark_sets,
    bootstrap_interval,
    choose,
    cluster_sizes,
    eps_grid,
    regret,
    structureless_sets,
    study_sets,
    sum_up,
    weigh_alike,
)
from disco_paper.judging import Report, Row
from disco_paper.paper import INFOS, OURS
from disco_paper.sources import Source, make_labels, make_points
from paper_helpers.run_here import run_here

choose_eps = open_experiment("choose-eps")

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
    n_clusters = [len(set(made.labels.tolist()) - {-1}) for made in (first, other)]
    assert n_clusters[0] == (1 if name in STRUCTURELESS else n_clusters[1])


@pytest.mark.parametrize(
    ("name", "shares"), [("sizes 90/4/3/3", [0.9, 0.04, 0.03, 0.03]), ("sizes 97/3", [0.97, 0.03])]
)
def test_shares_of_imbalanced_clusters(name: str, shares: list[float]) -> None:
    sizes = np.bincount(IMBALANCED[name](seed=0).labels)
    np.testing.assert_allclose(sizes / sizes.sum(), shares, rtol=1e-12)


def test_sets_of_scikit_learn() -> None:
    found = {c.title: make_points(c.data, DATA) for c in study_sets(Scope()) if c.title == "wine"}
    assert found["wine"].points.shape == (178, 13)
    assert sorted(set(found["wine"].labels.tolist())) == [0, 1, 2]


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(spec("nested", seed=0), *SHAPES["nested"](seed=0))


def test_eps_lie_between_the_changes_of_the_tree(source: Source) -> None:
    tree = source.density_tree(5)
    grid = eps_grid(tree)
    assert grid.shape == (N_EPS,)
    assert (np.diff(grid) <= 0).all()
    changes = np.unique(np.concatenate([tree.heights, tree.core_distances]))
    assert not np.isin(grid, changes).any()
    # All points are core points at the greatest; two clusters or more are left.
    assert tree.heights.max() > grid[0] > np.sort(tree.heights)[-2]
    assert (tree.core_distances <= grid[-1]).mean() < 0.05


def test_eps_depend_on_neither_order_nor_call(source: Source) -> None:
    shuffled = np.random.default_rng(0).permutation(len(source.points))
    other = eps_grid(DensityTree(source.points[shuffled], min_points=5))
    np.testing.assert_array_equal(eps_grid(source.density_tree(5)), other)


def test_identical_points_have_one_eps() -> None:
    assert set(eps_grid(DensityTree(np.zeros((6, 1)), min_points=5)).tolist()) == {0.0}


def test_sizes_of_clusters() -> None:
    sizes = cluster_sizes(2000)
    assert (sizes[0], sizes[-1], len(sizes)) == (5, 200, 10)
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", ARENAS)
def test_candidates_of_an_arena(name: str, source: Source) -> None:
    arena = ARENAS[name]
    quick = arena.candidates(Scope(quick=True))
    assert set(quick) < set(arena.candidates(Scope()))
    for labeling in (quick[0], quick[-1]):
        labels = make_labels(labeling, source, LABELINGS)
        again = make_labels(labeling, Source(source.data, source.points, source.truth), LABELINGS)
        np.testing.assert_array_equal(labels, again)


@pytest.mark.parametrize("k", [2, 8, 20])
def test_ward_has_so_many_clusters(k: int, source: Source) -> None:
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.metrics import adjusted_rand_score

    labels = make_labels(spec("ward of one tree", k=k), source, LABELINGS)
    assert sorted(set(labels.tolist())) == list(range(k))
    theirs = AgglomerativeClustering(k, linkage="ward").fit_predict(source.points)
    assert adjusted_rand_score(labels, theirs) == 1.0


THREE = [Candidate(0.2, 5, 0), Candidate(0.9, 3, 10), Candidate(0.5, 3, 4)]


@pytest.mark.parametrize(
    ("scores", "lower_is_better", "place"),
    [
        ([0.3, 0.1, 0.2], False, 0),
        ([0.3, 0.1, 0.2], True, 1),
        ([None, -0.5, -0.7], False, 1),
        ([0.0, -0.5, None], False, 0),
        ([0.5, 0.5, 0.1], False, 1),  # fewer clusters
        ([0.1, 0.5, 0.5], False, 2),  # less noise
        ([None, None, None], False, None),
    ],
)
def test_the_best_score_is_chosen(
    scores: list[float | None], lower_is_better: bool, place: int | None
) -> None:
    assert choose(THREE, scores, lower_is_better=lower_is_better) == place


def test_of_equal_candidates_the_first_is_chosen() -> None:
    assert choose([THREE[1], THREE[1]], [0.5, 0.5]) == 0


def test_regret_is_what_the_choice_loses() -> None:
    assert regret(THREE, 1) == 0
    assert regret(THREE, 0) == pytest.approx(0.7, abs=1e-15)
    assert regret(THREE, None) == 0.9


def test_losses_are_summed_up() -> None:
    regrets = {"a": 0.0, "b": 0.04, "c": 0.05, "d": 0.31}
    loss = sum_up(regrets, dict.fromkeys(regrets, "one"))
    assert loss.mean == pytest.approx(0.1)
    assert loss == Loss(loss.mean, loss.mean, loss.mean, 0.5, 0.31, 4)


def test_families_are_drawn_whole() -> None:
    """Of two families, one of them twice as large, there are four draws; both ends are certain."""
    regrets = {"a": 0.0, "b": 0.2, "c": 0.7}
    families = {"a": "small", "b": "large", "c": "large"}
    means = sorted(
        sum(values) / len(values)
        for values in (one + other for one, other in product([[0.0], [0.2, 0.7]], repeat=2))
    )
    low, high = bootstrap_interval(regrets, families)
    assert low == pytest.approx(means[0])
    assert high == pytest.approx(means[-1])
    assert means[-1] == pytest.approx(0.45)


def test_the_interval_holds_the_mean_and_is_always_the_same() -> None:
    regrets = {str(i): i / 40 for i in range(40)}
    families = {name: name for name in regrets}
    low, high = bootstrap_interval(regrets, families)
    mean = math.fsum(regrets.values()) / 40
    spread = 1.96 * math.sqrt(sum((r - mean) ** 2 for r in regrets.values()) / 40) / math.sqrt(40)
    assert bootstrap_interval(regrets, families) == (low, high)
    # The bootstrap differs from the normal interval by its 2000 draws and by skewness.
    assert low == pytest.approx(mean - spread, abs=0.1 * spread)
    assert high == pytest.approx(mean + spread, abs=0.1 * spread)


def test_the_parts_of_cvnn_weigh_alike() -> None:
    assert weigh_alike([3.0, 2.5, None, 4.0], [2.0, 2.0, None, 4.0]) == [1.5, 1.0, None, 1.0]
    assert weigh_alike([0.0], [0.0]) == [0.0]
    assert weigh_alike([None], [None]) == [None]


def test_clear_clusters_are_found() -> None:
    assert automatic_regret(Source(spec("circles"), *SHAPES["circles"](seed=0))) < 0.02


def test_little_is_lost_on_the_benchmark_sets(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    regrets = benchmark_regrets()
    assert len(regrets) == 13
    assert math.fsum(regrets.values()) / 13 <= 0.08
    assert max(regrets.values()) < 0.4


FULL, QUICK = Scope(), Scope(quick=True)


@pytest.fixture(scope="module")
def found(shared: Path) -> Outcomes:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCO_DATA", str(shared / "data"))
        return run_here(choose_eps, QUICK)


@pytest.fixture(scope="module")
def report(found: Outcomes) -> Report:
    return choose_eps.report(found, QUICK)


def of_table(report: Report, title: str) -> dict[tuple[str, str], Row]:
    return {(row.row, row.column): row for row in report.rows if row.table.startswith(title)}


def test_it_says_that_it_is_ours(report: Report) -> None:
    assert INFOS["choose-eps"].is_ours
    assert report.notes[0].startswith(OURS)
    assert all(OURS in figure.caption for figure in report.figures)
    assert {row.verdict for row in report.rows} == {"not judged"}
    assert not any(row.paper for row in report.rows)


@pytest.mark.parametrize("arena", ARENAS)
def test_every_criterion_has_its_regret_in_every_arena(report: Report, arena: str) -> None:
    rows = of_table(report, f"{ARENAS[arena].title}: regret on 8 data sets")
    for criterion in CRITERIA:
        mean, low, high, worst = (
            rows[TITLES[criterion], column].ours
            for column in ("mean", "95 % from", "95 % to", "worst")
        )
        assert isinstance(mean, float)
        assert isinstance(low, float)
        assert isinstance(high, float)
        assert isinstance(worst, float)
        assert 0 <= low <= mean <= high <= worst <= 1.5


def test_the_pair_score_loses_less_than_disco_when_it_chooses_eps(report: Report) -> None:
    rows = of_table(report, "eps of DBSCAN: regret")
    pair, disco = (rows[title, "mean"].ours for title in ("Pair score", "DISCO"))
    assert isinstance(pair, float)
    assert isinstance(disco, float)
    assert pair < 0.1 < disco


def test_where_it_fails(report: Report) -> None:
    rows = of_table(report, "Where the pair score fails: mean ARI")
    assert all(rows[name, "what to do"].ours for name, _ in rows)
    assert rows["Nested clusters", "sets"].ours == 1
    weak, clear = (
        rows[group, "sets"].ours
        for group in ("Weak separation: best pair score below 0.1", "Best pair score 0.1 or more")
    )
    assert isinstance(weak, int)
    assert isinstance(clear, int)
    assert weak + clear == 8
    nested = {column: row.ours for (name, column), row in rows.items() if name.startswith("Nested")}
    coarse, again = (nested["DBSCAN by pair score"], nested["Pair score (every eps, twice)"])
    assert isinstance(coarse, float)
    assert isinstance(again, float)
    assert coarse < 0.7
    assert again > 0.95
    largest = of_table(report, "Where the pair score fails: the largest losses")
    assert largest["nested, seed 0", "clusters chosen"].ours == 4


def test_what_has_no_structure_stands_apart(report: Report) -> None:
    rows = of_table(report, "Nothing to find")
    best = rows["one Gaussian, 2 features", "best pair score"].ours
    assert isinstance(best, float)
    assert best < 0.1
    assert not [row for row in report.rows if "Gaussian" in row.row and row.column == "mean"]


def test_the_figure_is_drawn(report: Report) -> None:
    (figure,) = report.figures
    titles = [panel.get_title() for panel in figure.draw().axes]
    assert titles == [arena.title for arena in ARENAS.values()]


def test_a_set_that_cannot_be_read_is_left_out_and_named(found: Outcomes) -> None:
    lost = study_sets(QUICK)[0]
    outcomes = {
        cell: Outcome(None, "gone", is_error=True) if cell.data == lost.data else outcome
        for cell, outcome in found.items()
    }
    report = choose_eps.report(Outcomes(outcomes), QUICK)
    assert of_table(report, "eps of DBSCAN: regret on 7 data sets")
    assert f"left out: {lost.title}." in report.notes[-1]
    nothing = choose_eps.report(Outcomes({}), QUICK)
    assert (nothing.rows, nothing.figures) == ((), ())


def test_a_full_run_has_all_sets_candidates_and_criteria() -> None:
    cells = choose_eps.cells(FULL)
    assert len(cells) == len(set(cells))
    n_labelings = sum(len(arena.labelings) for arena in ARENAS.values())
    n_of_structureless = 4 * len(ARENAS["eps"].labelings) * 4
    n_measures = len(CRITERIA) + 4
    # The last two of each set are what its tree chooses by itself.
    assert len(cells) == 68 * (n_labelings * n_measures + 2) + n_of_structureless
