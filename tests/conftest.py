"""Settings that must hold before the package is imported, and fixtures for every test."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from helpers.clusters import client, cluster

__all__ = ["client", "cluster", "project", "shared"]

PROJECT = Path(__file__).resolve().parent.parent


# Compiled kernels with and without bounds checks: numba's cache does not tell them apart.
_CHECKED = "checked" if os.environ.get("NUMBA_BOUNDSCHECK") else "plain"
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba" / _CHECKED))

# No deadline: the first example of a test may compile kernels. In continuous integration every run
# draws the same examples, so that a failure there is a failure everywhere.
settings.register_profile("everywhere", deadline=None)
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process run all tests that need the cluster, so that there is one cluster."""
    for item in items:
        if "client" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("cluster"))


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
