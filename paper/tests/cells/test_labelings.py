"""The labelings of experiments: eps for a number of clusters, and what common clusterings make."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, datasets, disco_score
from disco_cvi.exceptions import InvalidInputError
from disco_paper.cells.cell import GROUND_TRUTH, Spec, spec
from disco_paper.cells.labelings import eps_for_k, make_labels
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source
from helpers.reference_values import golden_labels, load

# As the authors' own search found them, to the digits that are known.
EPS = [
    ("3-spiral", 3, 0.526316644),
    ("complex9", 9, 0.088938280),
    ("cluto-t4-8k", 7, 0.107940465),
    ("cluto-t8-8k", 9, 0.065068014),
    ("Synth_high", 11, 0.793490154),
    ("Synth_low", 11, 0.880603289),
]


def source(shared: Path, name: str) -> Source:
    return Source(spec(name), *load(shared, name))


def groups(*positions: int, size: int = 5) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Groups of points one apart, beginning at the positions on a line."""
    rows = [position + np.arange(size) for position in positions]
    return np.concatenate(rows).astype(np.float64).reshape(-1, 1)


# --- eps for k ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "k", "expected"), EPS)
def test_eps_is_that_of_the_authors(shared: Path, name: str, k: int, expected: float) -> None:
    assert eps_for_k(load(shared, name)[0], [k])[0] == pytest.approx(expected, rel=0, abs=6e-10)


@pytest.mark.parametrize(("data", "is_raw"), [("3-spiral", True), ("Synth_high", False)])
def test_eps_of_the_search_figures(
    shared: Path, monkeypatch: pytest.MonkeyPatch, data: str, is_raw: bool
) -> None:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    text = (shared / "expected" / "reproduced_findeps.csv").read_text()
    rows = [row for row in csv.DictReader(text.splitlines()) if row["dataset"].startswith(data)]
    points = datasets.load(data, standardize=not is_raw).X
    found = eps_for_k(points, [int(row["k_requested"]) for row in rows], core_rank=2)
    assert len(rows) == (6 if is_raw else 19)
    assert found == pytest.approx([float(row["eps"]) for row in rows], rel=0, abs=6e-5)


@pytest.mark.parametrize("name", ["aggregation", "cluto-t8-8k"])
def test_eps_does_not_depend_on_the_order_of_rows(shared: Path, name: str) -> None:
    points, _ = load(shared, name)
    ks = range(2, 300)
    shuffled = np.random.default_rng(0).permutation(points)
    assert eps_for_k(points, ks).tolist() == eps_for_k(shuffled, ks).tolist()


def test_small_groups_do_not_count() -> None:
    far = np.array([[1000.0], [1001.0], [1002.0], [1003.0]])
    points = np.concatenate([groups(0, 20), far])
    assert eps_for_k(points, [2], core_rank=2) == pytest.approx([16.0])


def test_groups_that_meet_at_one_height_meet_at_once() -> None:
    points = groups(0, 20, 40, 100)
    assert eps_for_k(points, [2, 3, 4], core_rank=2) == pytest.approx([56.0, 16.0, 16.0])


def test_too_many_clusters_get_the_last_eps() -> None:
    assert eps_for_k(groups(0, 20), [2, 9], core_rank=2) == pytest.approx([16.0, 16.0])


def test_eps_lies_below_the_height() -> None:
    tree = DensityTree(groups(0, 20), min_points=2)
    assert 16.0 - eps_for_k(tree, [2])[0] == pytest.approx(3e-12, rel=1e-2)


def test_one_cluster_is_no_question() -> None:
    with pytest.raises(InvalidInputError, match="2 or more"):
        eps_for_k(groups(0, 20), [3, 1])


def test_one_group_has_no_eps() -> None:
    with pytest.raises(InvalidInputError, match="no two groups"):
        eps_for_k(groups(0), [2])


# --- labelings ----------------------------------------------------------------------------------


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
    labels = make_labels(labeling, source(shared, "aggregation"))
    assert labels.dtype == np.int64
    assert labels.tolist() == golden_labels(shared, "aggregation", golden).tolist()


def test_dbscan_of_the_paper(shared: Path) -> None:
    labels = make_labels(spec("dbscan", eps=0.04, min_samples=5), source(shared, "cluto-t8-8k"))
    assert (labels.max() + 1, (labels == -1).sum()) == (173, 1101)


@pytest.mark.parametrize("name", ["random", "k-means"])
def test_a_seed_gives_the_same_labels_again(shared: Path, name: str) -> None:
    points = source(shared, "3-spiral")
    one, again, other = (make_labels(spec(name, k=40, seed=s), points) for s in (1, 1, 2))
    assert one.tolist() == again.tolist() != other.tolist()
    assert sorted(set(one.tolist())) == list(range(40))


def test_the_tree_is_built_once(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = source(shared, "aggregation")
    first = make_labels(spec("dbscan for k", k=7), points)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("another tree")

    monkeypatch.setattr("disco_cvi.density_tree.tree._build", refuse)
    again = make_labels(spec("dbscan for k", k=6), points)
    assert len(set(first.tolist())) != len(set(again.tolist()))
    with pytest.raises(AssertionError, match="another tree"):
        make_labels(spec("dbscan for k", k=7, core_rank=2), points)


def test_labeling_and_index_share_the_tree(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = source(shared, "aggregation")
    labels = make_labels(spec("dbscan for k", k=7), points)
    monkeypatch.setattr("disco_cvi.density_tree.tree._build", None)
    assert measure(spec("disco"), Case(points, labels)) == disco_score(
        points.density_tree(5), labels
    )


def test_own_labelings_come_first(shared: Path) -> None:
    def own(given: Source, shift: int) -> Any:
        return given.truth + shift

    points = source(shared, "3-spiral")
    labels = make_labels(spec("ward", shift=4), points, {"ward": own})
    assert labels.tolist() == (points.truth + 4).tolist()


def test_an_unknown_labeling_is_refused(shared: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"no labeling 'optics'.*hdbscan"):
        make_labels(spec("optics"), source(shared, "3-spiral"))
