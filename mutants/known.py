"""survivors.toml: mutants that change no result, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from mutants.trials import Trial

FILE = Path(__file__).with_name("survivors.toml")


class Key(NamedTuple):
    """What a mutant is recognised by, whatever is written above it."""

    module: str
    function: str
    line: str
    becomes: str


def key_of(trial: Trial) -> Key:
    """Return what a mutant is recognised by."""
    mutant = trial.mutant
    module = trial.module.removeprefix("disco_cvi.")
    return Key(module, mutant.function, mutant.line, mutant.becomes)


def read_known(file: Path = FILE) -> dict[Key, str]:
    """Return the reason for each mutant in the file."""
    found: dict[Key, str] = {}
    for reason in tomllib.loads(file.read_text(encoding="utf-8")).get("reason", []):
        for row in reason["mutants"]:
            becomes = row["becomes"]
            for each in [becomes] if isinstance(becomes, str) else becomes:
                key = Key(row["module"], row["function"], row["line"], each)
                found[key] = reason["why"]
    return found


def gone(known: Mapping[Key, str], trials: Iterable[Trial]) -> list[Key]:
    """Return what the file lists of the modules of these trials, but they no longer offer."""
    offered = {key_of(trial) for trial in trials}
    modules = {key.module for key in offered}
    return [key for key in known if key.module in modules and key not in offered]
