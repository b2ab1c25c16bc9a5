"""One tree in many threads and processes, however they were started: the same bits.

Searches with joblib's backends are in tests/selection/test_search.py, with that of Dask in
tests/selection/test_dask_backend.py.
"""

from __future__ import annotations

import multiprocessing
import sys
import threading
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


def test_eight_threads_on_one_tree(tree: DensityTree, expected: list[bytes]) -> None:
    begin, found = threading.Barrier(8, timeout=60), dict[int, list[bytes]]()

    def work(place: int) -> None:
        begin.wait()
        found[place] = [score(tree, LABELINGS[place]) for _ in range(5)]

    threads = [threading.Thread(target=work, args=(place,)) for place in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[place] for place in range(8)] == [[bits] * 5 for bits in expected]


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


# Started by fork, a process has the tree; by the others, it is sent to it. In a script of its own,
# for a test runner has threads, with which one does not fork.
PROCESSES = """
import multiprocessing, sys
import numpy as np
from disco_cvi import DensityTree, disco_samples

def score(labels):
    return disco_samples(TREE, labels, n_jobs=2).tobytes()

def take(tree):
    global TREE
    TREE = tree

if __name__ == "__main__":
    points = np.random.default_rng(0).normal(size=(2000, 2))
    labelings = [np.arange(2000) % step - 1 for step in (3, 4)]
    TREE = DensityTree(points, n_jobs=2)
    here = [score(labels) for labels in labelings]
    with multiprocessing.get_context(sys.argv[1]).Pool(2, take, (TREE,)) as pool:
        assert pool.map(score, labelings) == here
    print("the same")
"""


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_give_the_same_bits(method: str, tmp_path: Any) -> None:
    import subprocess

    script = tmp_path / "script.py"
    script.write_text(PROCESSES)
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), method],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.stdout, done.stderr) == ("the same\n", "")
