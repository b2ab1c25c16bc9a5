"""What users rely on: nothing public changes unless someone meant it."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from disco_cvi import DensityTree
from helpers import interface


def difference() -> list[str]:
    """Lines that were, with a minus, and lines that are, with a plus."""
    frozen = interface.FROZEN.read_text(encoding="utf-8").splitlines()
    compared = difflib.ndiff(frozen, interface.written().splitlines())
    return [line for line in compared if line.startswith(("- ", "+ "))]


def test_the_public_interface_is_the_frozen_one() -> None:
    """If it was meant: python -m tests.helpers.interface, and see docs/house/stability.md."""
    assert difference() == []


def test_every_kind_of_name_is_frozen() -> None:
    lines = interface.FROZEN.read_text(encoding="utf-8").splitlines()
    assert "s_dbw_index(X, labels, *, noise_label=-1, n_jobs=None)" in lines
    assert "DensityTree.heights" in lines
    assert "InvalidInputError is ValueError Exception BaseException object" in lines
    assert "$ disco score --json" in lines
    assert not [line for line in lines if " at 0x" in line or "<" in line]


@pytest.mark.parametrize("name", ["heights", "dbscan"])
def test_what_is_gone_is_seen(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    owner = next(base for base in DensityTree.__mro__ if name in vars(base))
    monkeypatch.delattr(owner, name)
    assert any(line.startswith(f"- DensityTree.{name}") for line in difference())


def test_a_changed_default_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    method: Any = DensityTree.save

    def save(self: Any, path: Any, *, over: bool = True) -> None: ...

    save.__module__ = method.__module__
    monkeypatch.setattr(DensityTree, "save", save)
    assert "+ DensityTree.save(path, *, over=True)" in difference()
