"""Nothing public is forgotten: every name, argument and option is called with something."""

from __future__ import annotations

import inspect
from importlib.util import find_spec

import pytest
from fuzz.commands import OPTIONS
from fuzz.doors import Target, command_options, targets
from fuzz.subjects import SUBJECTS
from fuzz.table import find_draw

from fuzz import doors

TARGETS = targets()


def test_every_public_class_is_made_or_is_a_result() -> None:
    assert doors.unknown_objects() == []


def test_every_public_function_is_called() -> None:
    functions = {
        name
        for name, value in doors.public_objects().items()
        if callable(value) and not inspect.isclass(value)
    }
    assert functions <= set(TARGETS)
    assert {"disco_score", "plots.histogram", "report.write_report", "DensityTree.dbscan"} <= set(
        TARGETS
    )
    assert {"disco score", "disco datasets fetch", "disco reproduce"} <= set(TARGETS)


def test_what_is_left_out_exists() -> None:
    public = doors.public_objects()
    for name, reason in doors.LEFT_OUT.items():
        owner, _, method = name.rpartition(".")
        is_there = name in public or hasattr(public[owner], method)
        assert is_there or (method == "set_callbacks" and find_spec("sklearn.callback") is None)
        assert name not in TARGETS
        assert reason


@pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)
def test_every_argument_can_be_drawn(target: Target) -> None:
    if target.is_command:
        offered = set(command_options(target.name.removeprefix("disco ")))
        assert offered <= set(OPTIONS)
        return
    named = [name for name, each in target.parameters.items() if each.kind is not each.VAR_KEYWORD]
    assert [name for name in named if find_draw(target.name, name) is None] == []
    assert target.owner == "" or target.is_estimator or target.owner in SUBJECTS
