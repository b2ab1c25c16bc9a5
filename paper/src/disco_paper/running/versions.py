"""What a number depends on beside its cell: versions of packages, and the source that computes."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

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
    own = _folder_of(import_module(experiment.module))
    digests = [_library_digest(), _digest(*(PAPER / name for name in _COMPUTING), own)]
    return json.dumps({**package_versions(), "source": "".join(digests)}, sort_keys=True)


@cache
def package_versions() -> dict[str, str]:
    """Versions of this package, of Python and of the packages that compute."""
    return versions_of(_PACKAGES)


@cache
def _library_digest() -> str:
    places = _folder_of(disco_cvi).iterdir()
    return _digest(*sorted(place for place in places if place.name not in _SHOWING))


def _folder_of(module: ModuleType) -> Path:
    return Path(str(module.__file__)).parent


@cache
def _digest(*places: Path) -> str:
    """A digest of files, and of the sources in folders."""
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


PAPER = _folder_of(disco_paper)
