"""Nothing numerical changes unless someone meant it; `helpers.frozen` says what is compared."""

from __future__ import annotations

from pathlib import Path

from helpers import frozen


def test_the_zoo_has_the_frozen_values_and_bits() -> None:
    assert list(frozen.differences(frozen.read("zoo"), frozen.zoo_facts())) == []


def test_the_data_sets_have_the_frozen_values_and_bits(shared: Path) -> None:
    """With one labeling each; ``python -m helpers.frozen`` compares all seven."""
    facts = frozen.data_facts(shared, ("dbscan",))
    assert list(frozen.differences(frozen.read("data"), facts)) == []


def test_a_changed_bit_and_a_changed_value_are_seen() -> None:
    kept = {"a": {"disco": "0.5", "dbcv": "0.5", "heights": "ab", "dunn": None}}
    same = {**kept["a"], "dbcv": "0.50000000001"}
    assert list(frozen.differences(kept, iter([("a", same)]))) == []
    for change in ({"disco": "0.50000000001"}, {"dbcv": "0.5001"}, {"heights": "b"}, {"dunn": "1"}):
        assert len(list(frozen.differences(kept, iter([("a", {**same, **change})])))) == 1
