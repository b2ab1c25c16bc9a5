"""Nothing public is forgotten: every name, argument and option is called with something."""

from __future__ import annotations

import inspect
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from fuzz import doors
from fuzz.commands import OPTIONS, write_line
from fuzz.doors import command_options, targets
from fuzz.draws import Draws
from fuzz.subjects import SUBJECTS
from fuzz.table import find_draw
from helpers.interface import FROZEN

TARGETS = targets()


def test_every_public_class_is_made_or_has_nothing_to_call() -> None:
    assert doors.unknown_objects() == []


def callable_lines() -> list[str]:
    """What can be called of all that is frozen as public: functions, classes, methods, commands."""
    public, found = doors.public_objects(), []
    for line in FROZEN.read_text(encoding="utf-8").splitlines():
        name = line.partition("(")[0].partition(" is ")[0].removeprefix("$ ")
        plain = name.removeprefix("exceptions.")
        name = plain if plain.partition(".")[0] in public else name
        if doors.is_error(public.get(name.removesuffix(".worded"))):
            continue
        is_made = inspect.isclass(public.get(name))
        if "(" in line or is_made or (line.startswith("$ ") and not re.search(" -| [A-Z]", line)):
            found.append(name)
    return found


def test_everything_that_is_frozen_as_public_is_called_or_left_out_for_a_reason() -> None:
    frozen = callable_lines()
    assert [name for name in frozen if name not in {*TARGETS, *doors.LEFT_OUT}] == []
    for name in (
        *("disco_score", "plots.score_curve", "DensityTree.dbscan", "plots.NoiseDisplay"),
        "disco score",
    ):
        assert name in frozen
        assert name in TARGETS


def test_what_is_inherited_is_called_too() -> None:
    for estimator in doors.ESTIMATORS:
        kind = doors.public_objects()[estimator]
        methods = {name for name in dir(kind) if name[0] != "_" and callable(getattr(kind, name))}
        assert {"fit_predict", "get_params", "set_params", "get_metadata_routing"} <= methods
        named = {f"{estimator}.{method}" for method in methods}
        assert named <= {*TARGETS, *doors.LEFT_OUT}
    assert {"selection.ClusteringSearch.predict", "disco", doors.PRECOMPILE} <= set(TARGETS)


def test_what_is_left_out_exists() -> None:
    public = doors.public_objects()
    for name, reason in doors.LEFT_OUT.items():
        owner, _, method = name.rpartition(".")
        is_there = name in public or hasattr(public[owner], method)
        assert is_there or (method == "set_callbacks" and find_spec("sklearn.callback") is None)
        assert name not in TARGETS
        assert reason


def test_every_option_in_every_spelling_is_in_some_line(tmp_path: Path) -> None:
    spelled = set(re.findall(r" (--?\w[\w-]*)", FROZEN.read_text(encoding="utf-8")))
    assert spelled - {*doors.LEFT_OUT_OPTIONS} <= {*OPTIONS, "-o"}
    lines = [write_line(Draws(np.random.default_rng(n), tmp_path), "demo") for n in range(60)]
    assert {"-o", "--out"} <= {word for line in lines for word in line}


def test_every_argument_can_be_drawn() -> None:
    for target in TARGETS.values():
        if target.is_command:
            if target.name != doors.PRECOMPILE:
                assert set(command_options(target.command)) <= set(OPTIONS), target.name
            continue
        named = [
            name for name, each in target.parameters.items() if each.kind is not each.VAR_KEYWORD
        ]
        assert [name for name in named if find_draw(target.name, name) is None] == [], target.name
        assert target.owner == "" or target.is_estimator or target.owner in SUBJECTS, target.name
