"""What cannot fit is said before it begins: what is needed, what is free, what helps."""

from __future__ import annotations

import inspect
import os
import pickle
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

import disco_cvi
from disco_cvi import DensityTree, available_indices, disco_score, silhouette_score
from disco_cvi._compute import free_memory
from disco_cvi._input.needed_memory import TREE
from disco_cvi.exceptions import NotEnoughMemoryError, UndefinedScoreError
from disco_cvi.indices.index_info import IndexInfo

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
    monkeypatch.setattr("disco_cvi._input.needed_memory.TREE", TREE._replace(per_point=2_000_000))
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


NO_TREE = [info for info in available_indices() if info.needs == "points"]
LABELS = np.arange(500) % 2


@pytest.mark.parametrize("info", NO_TREE, ids=lambda info: info.name)
def test_an_index_that_cannot_fit_is_refused_before_the_work(
    info: IndexInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError(NOT_SPANNED)

    module = import_module(info.module)
    needed = 500 * (info.memory.per_point + 2 * info.memory.per_feature)
    monkeypatch.setattr(free_memory, "_SMALL", 0)
    monkeypatch.setattr(free_memory, "free_bytes", lambda: needed)
    info.function(X, LABELS)
    monkeypatch.setattr(free_memory, "free_bytes", lambda: needed - 1)
    monkeypatch.setattr(module, f"evaluate_{info.name}", fail)
    with pytest.raises(NotEnoughMemoryError) as caught:
        info.function(X, LABELS)
    assert str(caught.value).startswith(f"X of {info.function_name} needs about 0.")
    assert "MB of memory beside itself; 0." in str(caught.value)
    assert "MB is free. Score a random sample of the rows. DISCO_MEMORY" in str(caught.value)


@pytest.mark.parametrize("labels", [np.zeros(500, int), np.where(np.arange(500) < 490, -1, LABELS)])
def test_what_needs_little_is_not_refused(
    little: None, labels: NDArray[np.int64], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Noise may be left out, and one cluster has no score: that is said in place of a refusal."""
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 8_000)
    if labels.max() == 0:
        with pytest.raises(UndefinedScoreError):
            silhouette_score(X, labels)
    else:
        assert silhouette_score(X, labels, noise="filter") < 1


@pytest.mark.parametrize("call", ["evaluate", "compare"])
def test_many_indices_are_asked_for_once_before_the_first(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest need counts, though the index is the last, and the labeling too."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError(NOT_SPANNED)

    asked = []

    def free() -> int:
        asked.append(1)
        return 90_000

    monkeypatch.setattr(free_memory, "_SMALL", 0)
    monkeypatch.setattr(free_memory, "free_bytes", free)
    few = np.where(np.arange(500) < 490, -1, LABELS)
    given = {"evaluate": LABELS, "compare": {"few": few, "all": LABELS}}[call]
    names = ["dunn", "silhouette", "lccv"]
    getattr(disco_cvi, call)(X, given, names[:2])
    assert len(asked) == 1
    monkeypatch.setattr("disco_cvi.indices.dunn.evaluate_dunn", fail)
    with pytest.raises(
        NotEnoughMemoryError, match=f"X of {call} needs .* or leave out LCCV, which"
    ):
        getattr(disco_cvi, call)(X, given, names)
    # Of an index that the metric forbids, nothing is needed.
    getattr(disco_cvi, call)(np.abs(X), given, ["lccv", "silhouette"], metric="l1")


def test_several_labelings_of_cvnn_are_asked_for_together(little: None) -> None:
    with pytest.raises(NotEnoughMemoryError, match="X of cvnn_indices needs about"):
        disco_cvi.cvnn_indices(np.repeat(X, 9, axis=1), [LABELS, LABELS])


def test_what_was_asked_for_is_not_asked_again(
    little: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neighbors that the first labeling has found are kept: the next needs less than is said."""
    free = iter([10_000_000])
    monkeypatch.setattr(free_memory, "free_bytes", lambda: next(free, 0))
    disco_cvi.compare(X, {"one": LABELS, "other": 1 - LABELS}, ["cvnn", "dunn"])


def test_a_limit_of_the_process_counts_for_small_needs_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(free_memory, "_process", lambda: 1_000)
    with pytest.raises(NotEnoughMemoryError, match="X of dunn_score needs about"):
        disco_cvi.dunn_score(X, LABELS)


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
from disco_cvi._input.needed_memory import TREE
from disco_cvi.exceptions import NotEnoughMemoryError

X = np.random.default_rng(0).normal(size=(1_000_000, 2)).astype(np.float32)
DensityTree(X)  # compiled, for the compiler's own memory is not ours to foresee
needed = len(X) * (TREE.per_point + X.shape[1] * TREE.per_feature)
for share in map(float, sys.argv[1:]):
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    limit = used + int(share * needed)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    fits = free_bytes() >= needed
    try:
        said = DensityTree(X).n_points
    except NotEnoughMemoryError as error:
        assert "X of DensityTree needs" in str(error)
        said = "refused" if "beside itself" in str(error) else "ran out"
    print(share, fits, said)
"""


def lines_of(program: str, *arguments: object) -> list[list[str]]:
    """What a program prints, in a process of its own, whose allocator holds no large arrays."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [line.split(" ", 2) for line in done.stdout.splitlines()]


under_a_limit = pytest.mark.skipif(
    sys.platform != "linux", reason="it takes /proc and a limit that holds"
)


@under_a_limit
def test_under_a_limit_it_works_or_says_so() -> None:
    shares = [0.1, 0.4, 0.9, 1.2, 20]
    found = lines_of(LIMITED, *shares)
    assert [float(share) for share, _, _ in found] == shares
    for _, fits, said in found:
        # What runs out has begun: only where it was not certain that it would.
        assert said in (("1000000", "ran out") if fits == "True" else ("refused",))
    assert found[0][1] == "False"
    assert found[-1][2] == "1000000"


INDICES_LIMITED = """
import gc, resource, sys
import numpy as np
import disco_cvi
from disco_cvi import available_indices
from disco_cvi._compute.free_memory import free_bytes
from disco_cvi.exceptions import NotEnoughMemoryError

generator = np.random.default_rng(0)
labels = np.arange(600) % 3
X = generator.normal(size=(600, 4000)) + labels[:, None]
infos = [info for info in available_indices() if info.needs == "points"]
for info in infos:  # compiled, for the compiler's own memory is not ours to foresee
    info.function(X, labels)

def attempt(name, needed, work):
    for share in map(float, sys.argv[1:]):
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        gc.collect()  # of errors, which hold arrays: freed later, more would be free than was told
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        limit = used + int(share * needed)
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        fits = free_bytes() >= needed
        try:
            work()
            said = "works"
        except NotEnoughMemoryError as error:
            said = "refused" if "of memory beside itself" in str(error) else "ran out"
        print(name, fits, said)

for info in infos:
    needed = len(X) * (info.memory.per_point + X.shape[1] * info.memory.per_feature)
    # As users call it: at the door, what runs out on the way has our words.
    function = getattr(disco_cvi, info.function.__name__)
    attempt(info.name, needed, lambda: function(X, labels))
"""


@under_a_limit
def test_under_a_limit_every_index_works_or_says_so_before() -> None:
    found = lines_of(INDICES_LIMITED, 0.1, 0.5, 1.5, 40)
    for info in NO_TREE:
        fits, said = zip(*[line[1:] for line in found if line[0] == info.name], strict=True)
        assert said[0] == "refused", info.name
        for each, word in zip(fits, said, strict=True):
            assert word in (("works", "ran out") if each == "True" else ("refused",)), info.name
        assert said[-1] == "works", info.name


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
    assert {"evaluate", "compare", "explain"} < set(OF_POINTS)


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
        assert re.search(r"needs more memory than there is: [\d.]+ MB more at once", line), line
