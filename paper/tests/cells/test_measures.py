"""What a cell may hold: indices in both variants, agreement with the truth, counts, parts, time."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest

from definitions import disco as definition
from disco_cvi import available_indices, cvdd_score, disco_samples, disco_score
from disco_cvi._spanning_tree import density_involved
from disco_cvi.exceptions import InvalidInputError, UndefinedScoreError
from disco_paper.cells import measures
from disco_paper.cells.cell import Spec, spec
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source
from disco_paper.judging.paper_names import COMPETITORS, PAPER_INDICES
from paper_helpers.published import score_published

published_cvdd = partial(score_published, "cvdd")
published_dcsi = partial(score_published, "dcsi")
published_lccv = partial(score_published, "lccv")
published_mmj_sc = partial(score_published, "mmj_sc")
published_viasckde = partial(score_published, "viasckde")


def make_source(n_points: int = 90, seed: int = 0) -> Source:
    """Three loose groups, the first of them noise in truth; labels begin at 1."""
    random = np.random.default_rng(seed)
    truth = np.array([-1, 1, 2])[np.arange(n_points) % 3]
    points = random.normal(size=(n_points, 2)) + 4.0 * truth[:, np.newaxis]
    points.setflags(write=False)
    return Source(spec("made up", seed=seed), points, truth)


def relabel(source: Source, seed: int, k: int = 3) -> Case:
    """Labels at random, with noise."""
    labels = np.random.default_rng(seed).integers(-1, k, len(source.points))
    labels.setflags(write=False)
    return Case(source, labels)


# --- indices ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [info.name for info in available_indices()])
def test_an_index_is_its_public_function(name: str) -> None:
    case = relabel(make_source(), 1)
    info = next(info for info in available_indices() if info.name == name)
    assert measure(spec(name), case) == info.function(case.source.points, case.labels)


@pytest.mark.parametrize("name", COMPETITORS)
def test_a_published_index_is_the_program_of_that_name(name: str) -> None:
    case = relabel(make_source(), 1)
    expected = score_published(name, case.source.points, case.labels)
    assert measure(spec(name, variant="published"), case) == expected


def test_options_reach_the_function() -> None:
    source = make_source()
    case = Case(source, source.truth)
    expected = disco_score(source.points, case.labels, min_points=9)
    assert measure(spec("disco", min_points=9), case) == expected != measure(spec("disco"), case)
    published = spec("dcsi", variant="published", raw_labels=True)
    expected = published_dcsi(source.points, case.labels, raw_labels=True)
    assert measure(published, case) == expected
    assert expected != published_dcsi(source.points, case.labels)


SHARING: dict[str, Any] = {
    "cvdd": published_cvdd,
    "lccv": published_lccv,
    "mmj_sc": published_mmj_sc,
    "viasckde": published_viasckde,
}


@pytest.mark.parametrize("name", SHARING)
def test_kept_work_changes_nothing(name: str) -> None:
    """The same numbers, to the last bit, after other labelings and indices of the same points."""
    source = make_source()
    for seed in range(4):
        case = relabel(source, seed, k=2 + seed)
        for index in PAPER_INDICES:
            measure(spec(index), case)
        expected = SHARING[name](source.points, case.labels)
        assert measure(spec(name, variant="published"), case) == expected


def test_what_does_not_depend_on_labels_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from disco_cvi.indices import cvdd, viasckde
    from disco_paper.published import lccv, mmj_sc

    calls: list[str] = []

    def counted(module: Any, name: str) -> None:
        function = getattr(module, name)

        def call(*args: Any, **options: Any) -> Any:
            calls.append(name)
            return function(*args, **options)

        monkeypatch.setattr(module, name, call)

    counted(lccv, "_local_cores")
    counted(cvdd, "density_involved_tree")
    counted(mmj_sc, "_rounded_line")
    counted(viasckde, "gaussian_sums")
    source = make_source()
    for seed in range(3):
        case = relabel(source, seed)
        for name in SHARING:
            measure(spec(name, variant="published"), case)
    assert sorted(calls) == sorted(
        ["_local_cores", "density_involved_tree", "_rounded_line", "gaussian_sums"]
    )


def test_both_variants_of_cvdd_share_their_tree_where_there_is_no_noise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = make_source()
    case = Case(source, np.abs(source.truth))
    expected = cvdd_score(source.points, case.labels)
    assert measure(spec("cvdd"), case) == expected

    def refuse(*_: Any) -> None:
        pytest.fail("the tree is made again")

    monkeypatch.setattr(density_involved, "_span", refuse)
    assert measure(spec("cvdd", variant="published"), case) != expected


# --- no value -----------------------------------------------------------------------------------

LINE = np.array([0.0, 0.1, 0.3, 1.0, 1.1, 1.3]).reshape(-1, 1)
COPIES = np.ones((6, 1))
PAIR, ONE = [0, 0, 0, 1, 1, 1], [0] * 6


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "points", "labels", "reason"),
    [
        pytest.param("silhouette", LINE, ONE, "Silhouette needs 2 clusters", id="original"),
        pytest.param("s_dbw", COPIES, PAIR, "The published S_Dbw divides by 0", id="s_dbw"),
        pytest.param("viasckde", LINE, ONE, "VIASCKDE divides 0 by 0", id="viasckde"),
        pytest.param("cdbw", LINE, ONE, "needs two clusters", id="cdbw"),
        pytest.param("cvdd", LINE, ONE, "needs two clusters", id="cvdd"),
        pytest.param("cvnn", LINE, PAIR, "more than 10 points", id="cvnn"),
        pytest.param("dbcv", LINE, [0, 0, 0, 1, 1, 2], "alone in its cluster", id="dbcv"),
        pytest.param("dcsi", LINE, ONE, "needs two clusters", id="dcsi"),
        pytest.param("lccv", LINE[:2], [0, 1], "three points or more", id="lccv"),
        pytest.param("mmj_sc", COPIES, PAIR, "not all identical", id="mmj_sc"),
    ],
)
def test_no_value_has_a_reason(
    name: str, points: np.ndarray[Any, Any], labels: list[int], reason: str
) -> None:
    case = Case(Source(spec("made up"), points, np.array(labels)), np.array(labels))
    variant = "original" if name == "silhouette" else "published"
    with pytest.raises(UndefinedScoreError, match=reason) as found:
        measure(spec(name, variant=variant), case)
    assert str(found.value).endswith(".")


@pytest.mark.small
def test_infinity_is_no_value() -> None:
    points = np.array([[0.0], [0.0], [5.0], [9.0]])
    case = Case(Source(spec("made up"), points, np.zeros(4, np.int64)), np.array([0, 0, 1, 2]))
    assert math.isinf(cvdd_score(points, case.labels))
    with pytest.raises(UndefinedScoreError, match=r"CVDD is \+inf here\."):
        measure(spec("cvdd"), case)


@pytest.mark.small
@pytest.mark.parametrize(
    ("index", "message"),
    [
        (spec("entropy"), "index of measure must be one of disco, .*seconds; got 'entropy'"),
        (spec("dbcv", variant="first"), "must be 'original' or 'published'; got 'first'"),
        (spec("disco", variant="published"), "index disco must be 'original'; got 'published'"),
        (spec("ari", noise="ignored"), "noise of ari must be .*; got 'ignored'"),
    ],
)
def test_unknown_names_are_errors(index: Spec, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        measure(index, relabel(make_source(), 0))


# --- others -------------------------------------------------------------------------------------


@pytest.mark.small
def test_own_measures_come_first() -> None:
    case = relabel(make_source(), 0)
    own = {"disco": lambda case, weight: weight * len(case.labels)}
    assert measure(spec("disco", weight=2), case, own) == 180


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
    assert measure(spec("ari", **options), case) == pytest.approx(
        _adjusted_rand(classes, predicted), abs=1e-12
    )
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
    assert measure(spec("n_points"), case) == 90
    assert measure(spec("n_dimensions"), case) == 2
    assert measure(spec("n_clusters"), case) == 2
    assert measure(spec("n_noise"), case) == 30
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


@pytest.mark.small
def test_disco_parts_that_do_not_exist_are_none() -> None:
    source = make_source()
    without_noise = measure(spec("disco parts"), Case(source, np.abs(source.truth)))
    assert isinstance(without_noise, dict)
    assert without_noise["rho_sparse"] is without_noise["rho_far"] is None
    only_noise = measure(spec("disco parts"), Case(source, np.full(90, -1)))
    assert only_noise == {"disco": -1, "rho_cluster": None, "rho_sparse": None, "rho_far": None}


def test_seconds_are_those_of_one_call_from_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    works = []

    def score(work: Any, name: str, **options: Any) -> float:
        works.append((work, name, options))
        assert not work.points._kept
        raise UndefinedScoreError("Time passes all the same.")

    monkeypatch.setattr(measures, "_score", score)
    source = make_source(4000)
    seconds = measure(
        spec("seconds", index="lccv", variant="published"), Case(source, source.truth)
    )
    assert isinstance(seconds, float)
    assert seconds > 0
    # First some of the points, so that compiling is not timed.
    assert [work.n_points for work, _, _ in works] == [1000, 4000]
    assert {name for _, name, _ in works} == {"lccv"}
    assert works[1][2] == {"variant": "published"}
