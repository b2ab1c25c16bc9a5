"""What is public, found at the doors: functions, methods, estimators, displays, commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from typer.main import get_command

import disco_cvi
from disco_cvi.cli import COMMANDS, app
from fuzz.subjects import SUBJECTS

ROOMS = ["cluster", "datasets", "density_tree", "distributed", "exceptions", "plots", "report"]
ROOMS += ["results", "selection"]
ESTIMATORS = ("DensityDBSCAN", "DensityHDBSCAN", "selection.ClusteringSearch")
PRECOMPILE = "python -m disco_cvi.precompile"
# What is callable and public, and not called here, with the reason.
LEFT_OUT = {
    **dict.fromkeys(ESTIMATORS, "made anew before each call of a method"),
    **dict.fromkeys(
        ("Comparison", "Evaluation", "Explanation", "IndexInfo"),
        "a result, which the package makes of what it has computed",
    ),
    **dict.fromkeys(
        (
            "datasets.Rings",
            *(f"density_tree.{name}" for name in ("EpsChoice", "EpsPath", "SizeChoice")),
            *(f"density_tree.{name}" for name in ("SizePath", "TreeQuality")),
            *("results.IndexValue", "selection.Suggestion"),
        ),
        "a result, too",
    ),
}
# Options that no line has, with the reason.
LEFT_OUT_OPTIONS = {
    "--install-completion": "writes to the settings of the shell",
    "--show-completion": "typer's own, whose answer depends on the shell that started it",
}


@dataclass(frozen=True)
class Target:
    """Something public that can be called.

    Attributes
    ----------
    name : str
        How it is reached: "disco_score", "plots.histogram", "DensityTree.dbscan", "disco score".
    function : callable
        What is called; a method that needs an object gets it first.
    owner : str
        Name of the class whose object a method needs; else empty.
    """

    name: str
    function: Callable[..., Any]
    owner: str = ""

    @property
    def is_command(self) -> bool:
        """Whether it is a command of the shell."""
        return self.name in ("disco", PRECOMPILE) or self.name.startswith("disco ")

    @property
    def command(self) -> str:
        """What follows the word `disco`; empty for that word alone."""
        return self.name.removeprefix("disco").strip()

    @property
    def is_estimator(self) -> bool:
        """Whether it follows scikit-learn's manner."""
        return self.name.startswith(tuple(f"{name}." for name in ESTIMATORS))

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """Its parameters without the object itself."""
        found = inspect.signature(self.function).parameters
        return {name: each for name, each in found.items() if name != "self"}


def public_objects() -> dict[str, Any]:
    """Everything that the doors name, once, by how it is reached."""
    door: Any = disco_cvi
    named = {name: getattr(disco_cvi, name) for name in door.__all__}
    found = {name: value for name, value in named.items() if not inspect.ismodule(value)}
    for room in ROOMS:
        module = import_module(f"disco_cvi.{room}")
        for name in module.__all__:
            value = getattr(module, name)
            if found.get(name) is not value:
                found[f"{room}.{name}"] = value
    return found


@cache
def targets() -> dict[str, Target]:
    """Everything that is called, by name, in a fixed order."""
    found: dict[str, Target] = {}
    for name, value in public_objects().items():
        for target in _of_object(name, value):
            if target.name not in LEFT_OUT:
                found[target.name] = target
    main = import_module("disco_cvi.cli").main
    for name in ("disco", *(f"disco {command}" for command in command_names())):
        found[name] = Target(name, main)
    found[PRECOMPILE] = Target(PRECOMPILE, precompile)
    return dict(sorted(found.items()))


def precompile(arguments: list[str]) -> int:
    """What the command that compiles answers: its exit code."""
    try:
        return int(import_module("disco_cvi.precompile").main(arguments))
    except SystemExit as stop:
        return int(stop.code or 0)


def _of_object(name: str, value: Any) -> Iterator[Target]:
    if not callable(value) or is_error(value):
        return
    yield Target(name, value)
    if not inspect.isclass(value):
        return
    for method in public_methods(value):
        function = getattr(value, method)
        owner = "" if inspect.ismethod(function) else name.rpartition(".")[2]
        yield Target(f"{name}.{method}", function, owner)


def is_error(value: Any) -> bool:
    """Whether it is a class of errors, which the package makes of its own words."""
    return inspect.isclass(value) and issubclass(value, Exception)


def public_methods(kind: type) -> list[str]:
    """What can be called of an object, wherever it was inherited from but for Python itself."""
    return [
        name
        for name, _ in inspect.getmembers(kind, callable)
        if not name.startswith("_")
        and next(base for base in kind.__mro__ if name in vars(base)).__module__ != "builtins"
    ]


def unknown_objects() -> list[str]:
    """Public classes with methods of which nobody has said how their objects are made."""
    return [
        name
        for name, value in public_objects().items()
        if inspect.isclass(value)
        and not is_error(value)
        and public_methods(value)
        and name.rpartition(".")[2] not in SUBJECTS
        and name not in ESTIMATORS
    ]


def command_names() -> list[str]:
    """All commands."""
    return list(COMMANDS)


def command_parameters(name: str) -> dict[str, Any]:
    """Options of a command by their long name, as typer knows them; arguments by theirs."""
    if not name:
        return {"--version": None, "--help": None}
    disco: Any = get_command(app)
    found = {}
    for parameter in disco.commands[name].params:
        long = [word for word in parameter.opts if word.startswith("--")]
        found[long[0] if long else str(parameter.name)] = parameter
    return found


@cache
def command_options(name: str) -> dict[str, Any]:
    """The same without those that are left out."""
    found = command_parameters(name)
    return {option: each for option, each in found.items() if option not in LEFT_OUT_OPTIONS}
