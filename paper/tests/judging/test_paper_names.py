"""Names that experiments share."""

from __future__ import annotations

from disco_cvi import available_indices
from disco_paper.judging.paper_names import (
    COMPETITORS,
    INDEX_NAMES,
    INDEX_TITLES,
    LOWER_IS_BETTER,
    PAPER_INDICES,
    TABLE_SET_OF,
    TABLE_SETS,
    name_published,
    quick_sets,
)
from disco_paper.judging.printed import read_printed
from disco_paper.published.deviations import DEVIATIONS
from disco_paper.published.single_deviations import KNOWN


def test_the_registry_has_all_indices_of_the_paper() -> None:
    assert set(PAPER_INDICES) <= {info.name for info in available_indices()}
    assert set(PAPER_INDICES) == set(INDEX_TITLES) == set(INDEX_NAMES.values())
    assert len(PAPER_INDICES) == 11
    assert set(LOWER_IS_BETTER) == {"s_dbw", "cvnn"}
    # The silhouette of the paper is the silhouette.
    assert set(DEVIATIONS) == set(COMPETITORS) - {"silhouette"}
    assert set(KNOWN) < set(DEVIATIONS)


def test_published_is_the_index_for_disco_alone() -> None:
    assert [name for name in PAPER_INDICES if not name_published(name).options] == ["disco"]


def test_sets_are_known_by_both_spellings() -> None:
    assert len(TABLE_SETS) == 19
    spelled = {row["dataset"] for row in read_printed("tab-pcc")}
    assert spelled == {chosen.spelling for chosen in TABLE_SETS}
    assert all(TABLE_SET_OF[name].spelling == name for name in spelled)
    assert TABLE_SET_OF["three_spiral"] == TABLE_SET_OF["3-spiral"]


def test_noise_is_one_of_the_true_labels() -> None:
    assert TABLE_SET_OF["cluto-t8-8k"].n_labels == 9
    assert TABLE_SET_OF["Synth_high"].n_labels == 11
    assert TABLE_SET_OF["complex9"].n_labels == 9
    assert sum(chosen.is_benchmark for chosen in TABLE_SETS) == 12


def test_quick_sets_are_small() -> None:
    assert sum(chosen.n_points > 3100 for chosen in quick_sets()) == 1
    assert any(chosen.n_noise for chosen in quick_sets())
