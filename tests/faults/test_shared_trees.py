"""One tree in many threads and processes, however they were started: the same bits.

Searches with joblib's backends are in tests/selection/test_search.py, with that of Dask in
tests/selection/test_dask_backend.py.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree, disco_samples
from helpers.zoo import many_labels

POINTS = np.random.default_rng(0).normal(size=(2000, 2))
LABELINGS = [np.roll(many_labels(len(POINTS)), shift) for shift in range(8)]


@pytest.fixture(scope="module")
def tree() -> DensityTree:
    return DensityTree(POINTS)


@pytest.fixture(scope="module")
def expected() -> list[bytes]:
    """Of a tree of each labeling's own."""
    return [disco_samples(POINTS, labels).tobytes() for labels in LABELINGS]


def score(tree: DensityTree, labels: Any) -> bytes:
    return disco_samples(tree, labels, n_jobs=2).tobytes()


def test_eight_threads_that_are_the_first_to_ask(expected: list[bytes]) -> None:
    """What a tree keeps is made while all of them ask for it."""
    begin, found = threading.Barrier(8, timeout=60), dict[int, bytes]()
    tree = DensityTree(POINTS)

    def work(place: int) -> None:
        begin.wait()
        found[place] = score(tree, LABELINGS[place])

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[place] for place in range(8)] == expected


def test_two_workers_of_dask_give_the_same_bits(
    cluster: Any, tree: DensityTree, expected: list[bytes]
) -> None:
    workers = sorted(cluster.scheduler_info()["workers"])
    sent = cluster.scatter(tree, broadcast=True)
    futures = [
        cluster.submit(
            disco_samples, sent, labels, n_jobs=2, workers=[workers[place % 2]], pure=False
        )
        for place, labels in enumerate(LABELINGS)
    ]
    found = [samples.tobytes() for samples in cluster.gather(futures)]
    computed = {worker for places in cluster.who_has(futures).values() for worker in places}
    assert sorted(computed) == workers
    assert found == expected


# Started by fork, a process has the tree; by the others, it is sent to it. In a script of its own,
# for a test runner has threads, with which one does not fork.
PROCESSES = """
import multiprocessing, sys
import joblib
import numpy as np
from disco_cvi import DensityTree, disco_samples

def score(labels):
    return disco_samples(TREE, labels, n_jobs=2).tobytes()

def score_of(tree, labels):
    return disco_samples(tree, labels, n_jobs=2).tobytes()

def take(tree):
    global TREE
    TREE = tree

if __name__ == "__main__":
    points = np.random.default_rng(0).normal(size=(2000, 2))
    labelings = [np.arange(2000) % step - 1 for step in (3, 4)]
    TREE = DensityTree(points, n_jobs=2)
    here = [score(labels) for labels in labelings]
    for method in sys.argv[1:]:
        if method in ("loky", "threading", "multiprocessing"):
            calls = [joblib.delayed(score_of)(TREE, labels) for labels in labelings]
            found = joblib.Parallel(2, backend=method)(calls)
        else:
            with multiprocessing.get_context(method).Pool(2, take, (TREE,)) as pool:
                found = pool.map(score, labelings)
        assert found == here, method
    print("the same")
"""
METHODS = multiprocessing.get_all_start_methods()


@pytest.mark.parametrize(
    "methods", [METHODS, ["multiprocessing", "threading", "loky"]], ids="-".join
)
def test_processes_give_the_same_bits(methods: list[str], tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROCESSES)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), *methods],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    said = [line for line in done.stderr.splitlines() if "compiling its kernels" not in line]
    assert (done.stdout, said) == ("the same\n", [])
