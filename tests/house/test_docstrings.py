"""Docstrings and signatures agree, and public functions show an example."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import disco_cvi
from disco_cvi import cluster, distributed, report, selection
from helpers.source import homes


def documented_names(docstring: str, section: str) -> list[str]:
    """Names in a numpydoc section such as Parameters, in their order."""
    pattern = rf"^{section}\n-+\n(.*?)(?=^[^\s-][^\n]*\n--+$|\Z)"
    match = re.search(pattern, docstring, re.MULTILINE | re.DOTALL)
    lines = match[1].splitlines() if match else []
    heads = [line.partition(" : ")[0] for line in lines if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.split(",")]


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in {"self", "cls"}]


def public_callables() -> dict[str, Any]:
    """Public functions and classes, and the public methods of these classes."""
    found = {}
    public = {name: getattr(disco_cvi, name) for name in homes()}
    for room in (cluster, report, selection):
        named = {name: getattr(room, name) for name in room.__all__}
        public |= {name: value for name, value in named.items() if callable(value)}
    # Some are called as functions of the door are.
    public |= {f"distributed {name}": getattr(distributed, name) for name in distributed.__all__}
    for name, value in public.items():
        if inspect.isclass(value) and issubclass(value, Exception):
            continue
        found[name] = value
        if inspect.isclass(value):
            members = inspect.getmembers(value, inspect.isroutine)
            own = {key: member for key, member in members if key in vars(value)}
            found |= {f"{name}.{key}": member for key, member in own.items() if key[0] != "_"}
    return found


def test_signature_and_docstring_name_the_same_parameters() -> None:
    for name, function in public_callables().items():
        docstring = inspect.getdoc(function) or ""
        assert docstring, f"{name} has no docstring"
        if dataclasses.is_dataclass(function):
            section = "Attributes"
            expected = [field.name for field in dataclasses.fields(function)]
        else:
            section, expected = "Parameters", parameters(function)
        assert documented_names(docstring, section)[: len(expected)] == expected, name


def test_public_functions_show_an_example_that_runs() -> None:
    for name, function in public_callables().items():
        if inspect.isfunction(function) and "." not in name:
            assert ">>> " in (inspect.getdoc(function) or ""), name


def test_documented_names_are_read() -> None:
    docstring = """Summary.

Parameters
----------
X : array-like
    Points.
i, j : int
    Indices.
*rest : object
    Others.

Returns
-------
float
    A number.
"""
    assert documented_names(docstring, "Parameters") == ["X", "i", "j", "rest"]
    assert documented_names(docstring, "Attributes") == []
