"""The source files of the package and what stands in them, for tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "disco_cvi"
TESTS = PROJECT / "tests"


class Function(NamedTuple):
    name: str
    is_kernel: bool
    is_annotated: bool


def module_name(path: Path) -> str:
    """`indices/disco.py` is `indices.disco`, a package's `__init__.py` the package itself."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


STUB = SOURCE / "__init__.pyi"
MODULES = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
INSIDE = {name: path for name, path in MODULES.items() if name != "__init__"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def homes() -> dict[str, str]:
    """The module of each public name, as the stub of the package says."""
    imports = [node for node in parsed(STUB).body if isinstance(node, ast.ImportFrom)]
    return {
        alias.name: f"disco_cvi.{node.module}"
        for node in imports
        for alias in node.names
        if node.module
    }


def imported_modules(tree: ast.Module) -> set[str]:
    """Dotted names of everything imported, wherever the import stands."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{'.' * node.level}{node.module or ''}"}
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def imported_neighbors(tree: ast.Module) -> set[str]:
    """Modules of this package that are imported; a name stands for the module it comes from."""
    found = set()
    for name in imported_modules(tree):
        inner = name.removeprefix("disco_cvi.")
        home = homes().get(inner, "") if name.startswith("disco_cvi.") else ""
        inner = home.removeprefix("disco_cvi.") or inner
        if name.startswith("disco_cvi.") and inner in MODULES:
            found.add(inner)
    return {name for name in found if not _is_door_to(name, found)}


def _is_door_to(name: str, found: set[str]) -> bool:
    """Whether a package is named only on the way to a module in it."""
    return any(other.startswith(f"{name}.") for other in found)


def functions(tree: ast.Module) -> list[Function]:
    """All functions and methods of a module."""
    return [
        Function(
            node.name,
            any("kernel" in ast.unparse(decorator) for decorator in node.decorator_list),
            _is_annotated(node),
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def _is_annotated(function: ast.FunctionDef) -> bool:
    given = function.args
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    named = [argument for argument in arguments if argument and argument.arg not in {"self", "cls"}]
    return function.returns is not None and all(argument.annotation for argument in named)
