"""What a number depends on beside its cell: versions of packages, and the source that computes."""

from __future__ import annotations

import ast
import hashlib
import json
import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from disco_cvi import __version__
from disco_cvi.experiments._running.batch import own_makers

_HOME = Path(__file__).parent.parent
_EXPERIMENTS = "disco_cvi.experiments"
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "densired")
_OWN_MAKERS = ("DATA", "LABELINGS", "INDICES")

# Files that show, keep or distribute numbers and compute none: a change there leaves all cells as
# they are.
_SHOWING = frozenset(
    [
        "__main__.py",
        "_explanation_text.py",
        "_frames.py",
        "_progress.py",
        "_text_table.py",
        "comparison.py",
    ]
)
_SHOWING_FOLDERS = ("_files/", "cli/", "plots/", "experiments/_page/", "experiments/_running/")
_RUNS_ALL = "experiments/_running/batch.py"

# Of this package, what every cell goes through.
_COMMON = frozenset(
    ["_case.py", "_cells.py", "_data.py", "_hdbscan.py", "_labelings.py", "_measures.py"]
)
# What experiments import to name and to show things.
_NAMING = frozenset(["_common.py", "_drawing.py", "_paper.py", "_report.py", "_scaling.py"])


def versions(experiment: Any) -> str:
    """Everything that the numbers of an experiment depend on, as JSON: same text, same numbers."""
    return json.dumps({**package_versions(), "source": _source_digest(experiment)}, sort_keys=True)


@cache
def package_versions() -> dict[str, str]:
    """Versions of this package, of Python and of the packages that compute."""
    found = {"disco-cvi": __version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _source_digest(experiment: Any) -> str:
    return _digest([*_computing_files(), *_own_files(experiment)])


def _own_files(experiment: Any) -> list[Path]:
    """The files of an experiment that has makers of its own: its own, and what that imports."""
    if not any(own_makers(experiment, kind) for kind in _OWN_MAKERS):
        return []
    found: list[Path] = []
    waiting = [Path(experiment.__file__)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.append(path)
            waiting += [other for other in _imported(path) if other.name not in _COMMON | _NAMING]
    return sorted(found)


def _imported(path: Path) -> list[Path]:
    """The files of this package that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module == _EXPERIMENTS:
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and f"{node.module}".startswith(f"{_EXPERIMENTS}."):
            names.add(f"{node.module}".removeprefix(f"{_EXPERIMENTS}."))
    return [file for name in names if (file := _HOME / f"{name}.py").is_file()]


@cache
def _computing_files() -> tuple[Path, ...]:
    package = _HOME.parent
    return tuple(
        path for path in sorted(package.rglob("*.py")) if _computes(path.relative_to(package))
    )


def _computes(path: Path) -> bool:
    """Whether numbers come out of a file, named as it is in the package."""
    if path.parts[:-1] == ("experiments",):
        return path.name in _COMMON
    name = path.as_posix()
    shows = name in _SHOWING or name.startswith(_SHOWING_FOLDERS)
    return name == _RUNS_ALL or not shows


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
