"""Indices with some deviations of the paper's programs: none and all are known."""

from __future__ import annotations

import numpy as np
import pytest

from disco_paper.cells.cell import spec
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source
from disco_paper.judging.paper_names import name_published
from disco_paper.published.deviations import DEVIATIONS
from disco_paper.published.single_deviations import KNOWN, evaluate_partly_published


def _case(seed: int) -> Case:
    """Three clusters that overlap a little, and noise between their rows."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(-1, 3, 90)
    centers = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 3.0], [1.0, 1.0]])
    points = centers[truth] + 0.6 * generator.standard_normal((90, 2))
    return Case(Source(spec("blobs"), points, truth), truth)


@pytest.mark.parametrize("index", KNOWN)
@pytest.mark.parametrize("seed", range(5))
def test_none_is_the_definition_and_all_are_the_program(index: str, seed: int) -> None:
    case = _case(seed)
    every = " ".join(DEVIATIONS[index])
    assert evaluate_partly_published(case, index, "") == pytest.approx(measure(spec(index), case))
    assert evaluate_partly_published(case, index, every) == pytest.approx(
        measure(name_published(index), case)
    )


@pytest.mark.parametrize(
    ("index", "deviation"),
    [(index, deviation) for index in KNOWN for deviation in DEVIATIONS[index]],
)
def test_each_alone_makes_a_difference(index: str, deviation: str) -> None:
    cases = [_case(seed) for seed in range(5)]
    moved = [evaluate_partly_published(case, index, deviation) for case in cases]
    assert moved != pytest.approx([evaluate_partly_published(case, index, "") for case in cases])
