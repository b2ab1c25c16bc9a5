"""What a number depends on beside its cell: versions of packages, and the source that computes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path

from disco_cvi._compute.source_files import PACKAGE, files_behind
from disco_cvi.experiments.judging.experiment import Experiment
from disco_cvi.report.provenance import versions_of

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "densired")

# Rooms that show, keep or distribute numbers and compute none: a change there leaves all cells as
# they are. Every other room computes, a new one too.
_SHOWING = ("_output", "cli", "experiments", "plots", "report")
# Of the experiments, what every cell goes through.
_COMPUTING = ("experiments/cells", "experiments/published", "experiments/running/batch.py")
_NAMING = ("experiments/judging",)


def versions(experiment: Experiment) -> str:
    """Everything that the numbers of an experiment depend on, as JSON: same text, same numbers."""
    return json.dumps({**package_versions(), "source": _source_digest(experiment)}, sort_keys=True)


@cache
def package_versions() -> dict[str, str]:
    """Versions of this package, of Python and of the packages that compute."""
    return versions_of(_PACKAGES)


def _source_digest(experiment: Experiment) -> str:
    return _digest([*_computing_files(), *_own_files(experiment)])


def _own_files(experiment: Experiment) -> list[Path]:
    """The files of an experiment that has makers of its own: its own, and what that imports."""
    if not experiment.has_makers:
        return []
    own = Path(str(import_module(experiment.module).__file__))
    behind = [path for path in files_behind(own) if _is_in(path, ("experiments",))]
    return [own, *(path for path in behind if path != own and not _is_in(path, _NAMING))]


@cache
def _computing_files() -> tuple[Path, ...]:
    return tuple(path for path in sorted(PACKAGE.rglob("*.py")) if _computes(path))


def _computes(path: Path) -> bool:
    """Whether numbers may come out of a file of this package."""
    return _is_in(path, _COMPUTING) or not _is_in(path, _SHOWING)


def _is_in(path: Path, rooms: Iterable[str]) -> bool:
    return any(path.is_relative_to(PACKAGE / room) for room in rooms)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
