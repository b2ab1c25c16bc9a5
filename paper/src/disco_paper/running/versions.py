"""What a number depends on beside its cell: versions of packages, and the source that computes."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import import_module
from pathlib import Path

import disco_cvi
import disco_paper
from disco_cvi.report.provenance import versions_of
from disco_paper.judging.experiment import Experiment

_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "densired")
# Packages of the library that show numbers and compute none, and what of the paper every cell goes
# through. Whatever is new in the library computes.
_SHOWING = ("_output", "cli", "plots", "report")
_COMPUTING = ("cells", "datasets", "published", "running")


def versions(experiment: Experiment) -> str:
    """Everything that the numbers of an experiment depend on, as JSON: same text, same numbers."""
    own = Path(str(import_module(experiment.module).__file__)).parent
    folders = tuple(dict.fromkeys((*_COMPUTING, own.name)))
    digests = [_library_digest(), _digest(_package(disco_paper), folders)]
    return json.dumps({**package_versions(), "source": "".join(digests)}, sort_keys=True)


@cache
def package_versions() -> dict[str, str]:
    """Versions of this package, of Python and of the packages that compute."""
    return versions_of(_PACKAGES)


@cache
def _library_digest() -> str:
    library = _package(disco_cvi)
    rooms = sorted(path.name for path in library.iterdir() if path.name not in _SHOWING)
    return _digest(library, tuple(rooms))


def _package(package: object) -> Path:
    return Path(package.__file__).parent  # type: ignore[attr-defined]


@cache
def _digest(package: Path, names: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for name in names:
        place = package / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]
