"""Points behind cells: data sets as experiments change them, and made data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from disco_cvi.datasets import three_rings
from disco_paper.cells.cell import spec
from disco_paper.cells.data import (
    GENERATOR_SEEDS,
    generator_seeds,
    make_points,
    permutation,
    shuffle_seeds,
)
from disco_paper.datasets import LabeledPoints, separated_discs, two_rings
from helpers.reference_values import load


@pytest.fixture
def data_folder(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DISCO_DATA", str(shared / "data"))
    return shared


def test_seeds_are_those_of_the_paper() -> None:
    first_shuffles = (9394, 898, 2398, 5906, 2343, 8225, 5506, 6451, 2670, 3497)
    assert shuffle_seeds(10) == first_shuffles
    assert shuffle_seeds(1000)[:10] == first_shuffles
    assert len(set(shuffle_seeds(1000))) == 1000
    assert len(set(generator_seeds(12))) == 12
    assert generator_seeds(12)[:10] == GENERATOR_SEEDS == generator_seeds(10)
    assert generator_seeds(2) == GENERATOR_SEEDS[:2]


def test_a_run_has_its_own_order() -> None:
    legacy = np.random.RandomState(2398)
    assert np.array_equal(permutation(2, 312), legacy.permutation(312))


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
    three, two = make_points(spec("three rings")), make_points(spec("two rings", build=1))
    discs = make_points(spec("separated discs", seed=4280, half_distance=2.5))
    assert np.array_equal(three.labels, three_rings().good_labels)
    assert np.array_equal(two.points, two_rings(build=1).points)
    assert np.array_equal(discs.points, separated_discs(seed=4280, half_distance=2.5).points)
    for made in (three, two, discs):
        assert isinstance(made, LabeledPoints)


def test_own_makers_come_first() -> None:
    def own(*, size: int) -> LabeledPoints:
        return LabeledPoints(np.zeros((size, 2)), np.zeros(size, np.int64))

    made = make_points(spec("two moons", size=4), {"two moons": own})
    assert made.points.shape == (4, 2)
