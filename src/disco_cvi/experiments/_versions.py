"""What a number depends on beside its cell: versions of packages, and the source that computes."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from disco_cvi import __version__

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
_SHOWING_FOLDERS = ("_files/", "cli/", "plots/")

# Of this package, what every cell goes through.
_COMMON = frozenset(
    ["_batch.py", "_case.py", "_cells.py", "_data.py", "_labelings.py", "_measures.py"]
)
# What experiments import and do not compute with.
_NOT_COMPUTING = frozenset(
    ["_audit", "_common", "_deviations", "_drawing", "_paper", "_report", "_scaling"]
)


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
    """The files of an experiment that has makers of its own: its own, and what it imports."""
    if not any(hasattr(experiment, kind) for kind in _OWN_MAKERS):
        return []
    package = f"{__package__}."
    homes = {str(getattr(value, "__module__", "")) for value in vars(experiment).values()}
    names = sorted(
        home
        for home in homes - {experiment.__name__}
        if home.startswith(package) and home.removeprefix(package) not in _NOT_COMPUTING
    )
    files = [experiment.__file__, *(sys.modules[name].__file__ for name in names)]
    return [Path(file) for file in files if file]


@cache
def _computing_files() -> tuple[Path, ...]:
    package = Path(__file__).parent.parent
    return tuple(
        path for path in sorted(package.rglob("*.py")) if _computes(path.relative_to(package))
    )


def _computes(path: Path) -> bool:
    """Whether numbers come out of a file, named as it is in the package."""
    if path.parts[:-1] == ("experiments",):
        return path.name in _COMMON
    name = path.as_posix()
    return not (name in _SHOWING or name.startswith(_SHOWING_FOLDERS))


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
