"""What experiments declare."""

from __future__ import annotations

import pytest

from disco_cvi.exceptions import InvalidInputError
from paper_helpers import toy_experiment as toy


def test_a_measure_may_not_have_the_name_of_an_index() -> None:
    with pytest.raises(InvalidInputError, match="must not have names of indices: disco, lccv"):
        toy.toy_of(measures={"lccv": print, "disco": print, "own": print})


def test_makers_of_its_own_are_known() -> None:
    assert toy.EXPERIMENT.has_makers
    assert not toy.toy_of(data={}, labelings={}, measures={}).has_makers
    assert toy.toy_of(labelings={}, measures={}).has_makers
