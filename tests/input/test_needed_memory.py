"""What cannot fit is said before it begins: what is needed, what is free, what helps."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import disco_cvi
from disco_cvi import DensityTree, available_indices, disco_score
from disco_cvi._compute import free_memory
from disco_cvi.exceptions import NotEnoughMemoryError

X = np.random.default_rng(0).normal(size=(500, 2))
NOT_SPANNED = "the work has begun"


@pytest.fixture
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """50 kB are free, and a look at the system is always worth it."""
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 50_000)
    monkeypatch.setattr(free_memory, "_SMALL", 0)


def test_a_tree_that_cannot_fit_is_refused_before_the_work(
    little: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError(NOT_SPANNED)

    monkeypatch.setattr("disco_cvi.density_tree.tree.spanning_tree_of", fail)
    monkeypatch.setattr("disco_cvi._input.needed_memory._PER_POINT", 2_000_000)
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 50_000_000)
    with pytest.raises(NotEnoughMemoryError) as caught:
        DensityTree(X)
    assert str(caught.value) == (
        "X of DensityTree needs about 1.0 GB of memory beside itself; 50 MB is free. "
        "Score a random sample of the rows, or use disco_cvi.distributed, which spreads them over "
        "the workers of a Dask cluster. DISCO_MEMORY=unlimited in the environment tries it "
        "nevertheless."
    )
    assert isinstance(caught.value, MemoryError)
    with pytest.raises(NotEnoughMemoryError, match="X of disco_score needs about"):
        disco_score(X, np.zeros(500, int) - np.arange(500) % 2)


def test_it_is_tried_where_the_user_says_so(little: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCO_MEMORY", "unlimited")
    assert DensityTree(X).n_points == 500


def test_trees_for_many_min_points_need_lists(
    little: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 200_000)
    assert DensityTree(X).n_points == 500
    with pytest.raises(NotEnoughMemoryError, match=r"Ask for smaller min_points, or for one"):
        DensityTree.for_min_points(X, range(1, 31))


@pytest.mark.parametrize("form", ["condensed", "float32", "Fortran"])
def test_distances_that_have_to_be_copied(little: None, form: str) -> None:
    square = np.abs(X[:, :1] - X[:, 0])
    given = {
        "condensed": square[np.triu_indices(500, 1)],
        "float32": square.astype(np.float32),
        "Fortran": np.asfortranarray(square + np.eye(500)),
    }[form]
    with pytest.raises(NotEnoughMemoryError, match=r"float64, which is not copied; or points"):
        DensityTree(given, metric="precomputed")


def test_an_error_in_the_middle_has_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("disco_cvi.density_tree.tree.spanning_tree_of", fail)
    with pytest.raises(NotEnoughMemoryError, match=r"X of DensityTree needs more memory than"):
        DensityTree(X)


# --- what is free ---------------------------------------------------------------------------------

FILES = {
    "proc/meminfo": "MemTotal: 100 kB\nMemAvailable: 50 kB\nSwapFree: 10 kB\n",
    "proc/self/cgroup": "5:cpu,memory:/a\n0::/b/c\n",
    "sys/fs/cgroup/b/c/memory.max": "max\n",
    "sys/fs/cgroup/b/c/memory.current": "1000\n",
    "sys/fs/cgroup/b/memory.max": "9000\n",
    "sys/fs/cgroup/b/memory.current": "6000\n",
    "sys/fs/cgroup/b/memory.stat": "file 900\ninactive_file 500\n",
    "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "8000\n",
    "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "6000\n",
    "sys/fs/cgroup/memory/a/memory.stat": "total_inactive_file 700\n",
}


@pytest.mark.parametrize(
    ("left_out", "expected"),
    [("", 2700), ("memory/a", 3500), ("cgroup", 60 * 1024), ("proc", None)],
)
def test_the_least_of_machine_and_groups(
    left_out: str, expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in FILES.items():
        if not left_out or left_out not in name:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
    monkeypatch.setattr(free_memory, "_FILES", tmp_path)
    monkeypatch.setattr(free_memory, "_process", lambda: None)
    assert free_memory.free_bytes() == expected


LIMITED = """
import resource, sys
import numpy as np
from disco_cvi import DensityTree
from disco_cvi._compute.free_memory import free_bytes
from disco_cvi.exceptions import NotEnoughMemoryError

X = np.random.default_rng(0).normal(size=(1_000_000, 2)).astype(np.float32)
DensityTree(X)  # compiled, for the compiler's own memory is not ours to foresee
pages = int(open("/proc/self/statm").read().split()[0])
for extra in map(int, sys.argv[1:]):
    used = pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + extra, resource.RLIM_INFINITY))
    try:
        n_points = DensityTree(X).n_points
    except NotEnoughMemoryError as error:
        assert "X of DensityTree needs" in str(error)
        n_points = "refused" if "beside itself" in str(error) else "ran out"
    print(extra, n_points)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it takes /proc and a limit that holds")
def test_under_a_limit_it_works_or_says_so() -> None:
    sizes = [20, 60, 150, 3000]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *(str(size * 1_000_000) for size in sizes)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = [line.split(" ", 1)[1] for line in done.stdout.splitlines()]
    assert said[0] == "refused"
    assert said[-1] == "1000000"
    assert set(said) <= {"refused", "ran out", "1000000"}


# --- where it runs out all the same ---------------------------------------------------------------

OF_POINTS = sorted(
    name
    for name in dir(disco_cvi)
    if inspect.isfunction(function := getattr(disco_cvi, name))
    if next(iter(inspect.signature(function).parameters), None) == "X"
)


LABELS_OF = {"compare": {"one": [0, 0, 1]}}


def test_all_indices_take_points() -> None:
    assert {info.function_name for info in available_indices()} < set(OF_POINTS)
    assert {"evaluate", "compare", "explain", "disco_curve"} < set(OF_POINTS)


@pytest.mark.parametrize("name", OF_POINTS)
@pytest.mark.parametrize(
    ("asked", "free", "figures"),
    [
        (33_000_000, 20_000_000, ": 33 MB more at once; 20 MB is free"),
        (33_000_000, 40_000_000, ": 33 MB more at once"),
        (0, 20_000_000, "; 20 MB is free"),
        (0, None, ""),
    ],
)
def test_whatever_takes_points_says_what_memory_lacks(
    name: str, asked: int, free: int | None, figures: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = MemoryError("Unable to allocate")
    if asked:
        error._total_size = asked  # type: ignore[attr-defined]

    def run_out(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr("disco_cvi._input.points._check_data", run_out)
    monkeypatch.setattr(free_memory, "free_bytes", lambda: free)
    with pytest.raises(NotEnoughMemoryError) as caught:
        getattr(disco_cvi, name)([[0.0], [1.0], [2.0]], LABELS_OF.get(name, [0, 0, 1]))
    assert str(caught.value) == (
        f"X of {name} needs more memory than there is{figures}. Take a random sample of the rows, "
        "or n_jobs=1, which needs least."
    )


@pytest.mark.parametrize("name", OF_POINTS)
def test_what_tells_of_memory_is_pickled_by_name(name: str) -> None:
    function = getattr(disco_cvi, name)
    assert pickle.loads(pickle.dumps(function)) is function


RUNNING_OUT = """
import resource
import numpy as np
import disco_cvi

X = np.random.default_rng(0).normal(size=(8000, 2)) + 9
labels = np.arange(len(X)) % 3
names = ("silhouette_score", "dbcv_score", "dcsi_score", "disco_score")
for name in names:  # compiled, for the compiler's own memory is not ours to foresee
    getattr(disco_cvi, name)(X, labels, metric="canberra")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 3_000_000, resource.RLIM_INFINITY))
for name in names:
    try:
        getattr(disco_cvi, name)(X, labels, metric="canberra")
    except MemoryError as error:
        print(f"{type(error).__name__}: {error}")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="it takes /proc and a limit that holds")
def test_blocks_of_distances_that_do_not_fit_are_told_with_figures() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUNNING_OUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert any("X of silhouette_score" in line for line in said)
    for line in said:
        assert line.startswith("NotEnoughMemoryError: X of "), line
        assert re.search(r"needs more memory than there is: \d+ MB more at once", line), line
