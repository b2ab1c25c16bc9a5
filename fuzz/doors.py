"""What is public, found at the doors: functions, methods, estimators, displays, commands."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import disco_cvi
from disco_cvi.cli import COMMANDS
from disco_cvi.cli.command import build
from fuzz.subjects import SUBJECTS

ROOMS: tuple[str, ...] = (
    "cluster",
    "datasets",
    "density_tree",
    "distributed",
    "experiments",
    "plots",
    "report",
)
ROOMS = (*ROOMS, "results", "selection")
ESTIMATORS = ("cluster.DensityDBSCAN", "cluster.DensityHDBSCAN", "selection.ClusteringSearch")
# Made by the package, with nothing to call.
RESULTS = {
    *("Dataset", "DatasetInfo", "DatasetTable", "EpsChoice", "IndexInfo", "InvalidInputError"),
    *("LabeledPoints", "Rings", "SizeChoice", "UndefinedScoreError"),
}
# What is callable and public, and not called here, with the reason.
LEFT_OUT = {
    "plots.ComparisonDisplay": "made by its from_ methods",
    "plots.DensityLineDisplay": "made by its from_ methods",
    "plots.EpsCurveDisplay": "made by its from_ methods",
    "plots.NoiseDisplay": "made by its from_ methods",
    "plots.PointwiseMapDisplay": "made by its from_ methods",
    "plots.ScoreBarsDisplay": "made by its from_ methods",
    "selection.ClusteringSearch.predict": "the estimator's own",
    "selection.ClusteringSearch.get_metadata_routing": "scikit-learn's manner",
    "selection.ClusteringSearch.set_callbacks": "scikit-learn's manner",
}
# Opens a browser, or writes to the settings of the shell.
LEFT_OUT_OPTIONS = {"--open", "--install-completion", "--show-completion", "--scheduler"}


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
        return self.name.startswith("disco ")

    @property
    def is_estimator(self) -> bool:
        """Whether it follows scikit-learn's manner."""
        return self.name.startswith(ESTIMATORS)

    @property
    def parameters(self) -> dict[str, inspect.Parameter]:
        """Its parameters without the object itself."""
        found = inspect.signature(self.function).parameters
        return {name: each for name, each in found.items() if name != "self"}


def public_objects() -> dict[str, Any]:
    """Everything that the doors name, once, by how it is reached."""
    door: Any = disco_cvi
    found = {name: getattr(disco_cvi, name) for name in door.__all__}
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
    for command in command_names():
        found[f"disco {command}"] = Target(f"disco {command}", import_module("disco_cvi.cli").main)
    return dict(sorted(found.items()))


def _of_object(name: str, value: Any) -> Iterator[Target]:
    short = name.rpartition(".")[2]
    if not inspect.isclass(value):
        if callable(value):
            yield Target(name, value)
        return
    if short in RESULTS:
        return
    if name == "DensityTree":
        yield Target(name, value)
    for method, function in inspect.getmembers(value, callable):
        ours = str(getattr(function, "__module__", "")).startswith("disco_cvi")
        if method.startswith("_") or not ours:
            continue
        needs_object = not inspect.ismethod(function)
        yield Target(f"{name}.{method}", function, short if needs_object else "")


def unknown_objects() -> list[str]:
    """Public classes of which nobody has said how their objects are made."""
    return [
        name
        for name, value in public_objects().items()
        if inspect.isclass(value)
        and not {name.rpartition(".")[2]} & {*RESULTS, *SUBJECTS}
        and name not in ESTIMATORS
    ]


def command_names() -> list[str]:
    """All commands, and commands of commands."""
    found = []
    for name in COMMANDS:
        found.append(name)
        found += [f"{name} {child}" for child in getattr(command_module(name), "CHILDREN", {})]
    return found


def command_module(name: str) -> Any:
    """The module of a command."""
    return import_module(f"disco_cvi.cli.{name.partition(' ')[0]}")


def command_parameters(name: str) -> dict[str, Any]:
    """Options of a command by their long name, as typer knows them; arguments by theirs."""
    first, _, child = name.partition(" ")
    module = command_module(first)
    command = build(first, module.COMMAND, *getattr(module, "CHILDREN", {}).items())
    if child:
        command = command.commands[child]
    found = {}
    for parameter in command.params:
        long = [word for word in parameter.opts if word.startswith("--")]
        found[long[0] if long else str(parameter.name)] = parameter
    return found


@cache
def command_options(name: str) -> dict[str, Any]:
    """The same without those that are left out."""
    found = command_parameters(name)
    return {option: each for option, each in found.items() if option not in LEFT_OUT_OPTIONS}
