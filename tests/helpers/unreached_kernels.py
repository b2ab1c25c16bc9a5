"""Prints the kernels of the package that the steps of `precompile` do not reach.

To be run in a process of its own: kernels remember all calls.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any

from numba.core.registry import CPUDispatcher

import disco_cvi
from disco_cvi import precompile

# Programs that the paper published, which the experiments run.
_LEFT_OUT = "disco_paper."

Function = Callable[..., Any]


def kernels() -> dict[Function, Any]:
    """All kernels by their functions."""
    found: dict[Function, Any] = {}
    for module in pkgutil.walk_packages(disco_cvi.__path__, "disco_cvi."):
        if not module.name.endswith("__main__") and not module.name.startswith(_LEFT_OUT):
            values = vars(import_module(module.name)).values()
            found |= {value.py_func: value for value in values if isinstance(value, CPUDispatcher)}
    return found


def called_by(function: Function) -> list[Function]:
    """The kernels that a kernel names: what it calls needs no call from Python."""
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    return [value.py_func for value in named if isinstance(value, CPUDispatcher)]


def main() -> None:
    """Run all steps and print what none of them reached."""
    for name in precompile.steps():
        precompile.run_step(name)
    found = kernels()
    waiting = [function for function, compiled in found.items() if compiled.signatures]
    reached = set(waiting)
    while waiting:
        new = set(called_by(waiting.pop())) - reached
        reached |= new
        waiting += new
    for function in found.keys() - reached:
        print(f"{function.__module__}.{function.__name__}")  # noqa: T201 - the test reads it


if __name__ == "__main__":
    main()
