"""What the paper's programs do otherwise, in sentences."""

from __future__ import annotations

import pytest

from disco_paper.published.deviations import DEVIATIONS, describe_deviations


@pytest.mark.parametrize("index", DEVIATIONS)
def test_each_goes_on_after_it(index: str) -> None:
    for text in DEVIATIONS[index].values():
        assert text.split()[0].endswith("s") or text.startswith("never ")
        assert not text.endswith(".")


def test_some_or_all_are_told_in_a_row() -> None:
    every = "takes standard deviations for variances, takes members for centers, and counts around"
    assert describe_deviations("s_dbw").startswith(every)
    assert describe_deviations("s_dbw", ["members"]) == "takes members for centers"
    assert describe_deviations("silhouette") == ""
