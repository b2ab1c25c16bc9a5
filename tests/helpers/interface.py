"""The public interface as text: names, parameters, defaults, fields and commands.

``python -m tests.helpers.interface`` writes tests/house/interface.txt anew. Read the difference
before you keep it: docs/house/stability.md says which changes need a warning first.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from fuzz.doors import command_names, command_parameters, public_objects

FROZEN = Path(__file__).resolve().parents[1] / "house" / "interface.txt"


def written() -> str:
    """Everything public, one line for each, in the order of names."""
    lines = {*_of_objects(), *_of_commands()}
    return "\n".join(sorted(lines)) + "\n"


def _of_objects() -> Iterator[str]:
    exceptions = import_module("disco_cvi.exceptions")
    named = {f"exceptions.{name}": getattr(exceptions, name) for name in exceptions.__all__}
    for name, value in (public_objects() | named).items():
        if inspect.isclass(value):
            yield from _of_class(name, value)
        elif callable(value):
            yield f"{name}{_shown(value)}"
        elif name != "__version__":
            yield f"{name}: {type(value).__name__}"


def _of_class(name: str, kind: type) -> Iterator[str]:
    if issubclass(kind, BaseException):
        builtin = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"]
        yield f"{name} is {' '.join(builtin)}"
    elif hasattr(kind, "_fields") or _is_ours(kind.__init__):
        yield f"{name}{_shown(kind)}"
    else:
        yield name
    for field in sorted(_fields(kind)):
        yield f"{name}.{field}"
    for method, function in inspect.getmembers(kind, inspect.isroutine):
        if not method.startswith("_") and _is_ours(function):
            yield f"{name}.{method}{_shown(function)}"


def _fields(kind: type) -> set[str]:
    """What an object has that is not called: fields, properties, parts of a named tuple."""
    found = set(getattr(kind, "_fields", ()))
    if dataclasses.is_dataclass(kind):
        found |= {field.name for field in dataclasses.fields(kind)}
    for base in kind.__mro__:
        if base.__module__.startswith("disco_cvi"):
            properties = (property, cached_property)
            found |= {name for name, value in vars(base).items() if isinstance(value, properties)}
    return {name for name in found if not name.startswith("_")}


def _is_ours(function: Any) -> bool:
    """Methods that scikit-learn adds depend on its version."""
    return str(getattr(function, "__module__", "")).startswith("disco_cvi")


def _shown(function: Any) -> str:
    """The parameters without types, which may say more at any time."""
    signature = inspect.signature(function)
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for name, parameter in signature.parameters.items()
        if name != "self"
    ]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def _of_commands() -> Iterator[str]:
    for name in command_names():
        yield f"$ disco {name}"
        for option, parameter in command_parameters(name).items():
            words = [*parameter.opts, *parameter.secondary_opts]
            shown = " ".join(words) if option.startswith("-") else option.upper()
            needed = " (needed)" if parameter.required else ""
            yield f"$ disco {name} {shown}{needed}"


if __name__ == "__main__":
    FROZEN.write_text(written(), encoding="utf-8", newline="\n")
    print(f"{FROZEN.name} has {len(written().splitlines())} lines.")  # noqa: T201
