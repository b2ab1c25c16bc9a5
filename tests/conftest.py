"""Settings that must hold before the package is imported, and fixtures for every test."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import settings

PROJECT = Path(__file__).resolve().parent.parent


def _numba_cache_folder() -> Path:
    """A folder of compiled kernels for exactly the source code that kernels come from.

    numba's cache looks at the file of a kernel only: it misses changes in kernels that this one
    calls from other files, and it does not know whether bounds checks were compiled in.
    """
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    package = PROJECT / "src" / "disco_cvi"
    for home in (package, package / "indices", package / "experiments" / "published"):
        for path in sorted(home.glob("*.py")):
            digest.update(path.relative_to(PROJECT).as_posix().encode())
            digest.update(path.read_bytes())
    return PROJECT / ".cache" / "numba" / digest.hexdigest()[:16]


os.environ.setdefault("NUMBA_CACHE_DIR", str(_numba_cache_folder()))

# No deadline: the first example of a test may compile kernels. In continuous integration every run
# draws the same examples, so that a failure there is a failure everywhere.
settings.register_profile("everywhere", deadline=None)
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")


@pytest.fixture(scope="session")
def project() -> Path:
    """The root folder of the project."""
    return PROJECT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data beside the project, or wherever DISCO_SHARED points."""
    folder = Path(os.environ.get("DISCO_SHARED") or PROJECT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(
            "no reference data: put the folder 'shared' beside the project or set DISCO_SHARED"
        )
    return folder
