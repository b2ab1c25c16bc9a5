"""Settings that must hold before the package is imported, and fixtures for every test."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from helpers.clusters import client, cluster

__all__ = ["client", "cluster", "project", "shared"]

PROJECT = Path(__file__).resolve().parent


# Compiled kernels with and without bounds checks: numba's cache does not tell them apart.
_CHECKED = "checked" if os.environ.get("NUMBA_BOUNDSCHECK") else "plain"
os.environ.setdefault("NUMBA_CACHE_DIR", str(PROJECT / ".cache" / "numba" / _CHECKED))

# A shell that runs the tests in the background lets them ignore Ctrl-C, and so all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: the first example of a test may compile kernels. In continuous integration every run
# draws the same examples, so that a failure there is a failure everywhere.
settings.register_profile("everywhere", deadline=None)
settings.register_profile("ci", settings.get_profile("everywhere"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "everywhere")


# One process runs these files, so that there is one cluster; a new file with its own costs seconds.
WITH_CLUSTER = (
    "tests/cli/test_cluster.py",
    "tests/distributed/test_dask_runner.py",
    "tests/distributed/test_lost_workers.py",
    "tests/distributed/test_scores.py",
    "tests/faults/test_shared_trees.py::test_two_workers_of_dask_give_the_same_bits",
    "tests/selection/test_dask_backend.py",
)

# Tests of one file share cells or a notebook, which take seconds: one process makes them.
WITH_SHARED_WORK = (
    "paper/tests/test_",
    "tests/plots/test_notebooks.py",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give tests to processes one by one, but for those that share what is made for them."""
    scheduler: Any = import_module("xdist.scheduler").LoadScopeScheduling(config, log)
    scheduler._split_scope = _together_with
    return scheduler


def _together_with(test: str) -> str:
    if test.startswith(WITH_CLUSTER):
        return "cluster"
    return test.partition("::")[0] if test.startswith(WITH_SHARED_WORK) else test


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out the examples of what draws with a package that is not installed."""
    if find_spec("densired") is None:
        reason = pytest.mark.skip(reason="densired is not installed")
        for item in items:
            if item.nodeid.startswith("paper/src/disco_paper/datasets/generators.py"):
                item.add_marker(reason)


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close what a test drew: pyplot keeps figures, and warns of many."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


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
