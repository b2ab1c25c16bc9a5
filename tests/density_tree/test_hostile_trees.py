"""Files that somebody made to pass for saved trees: all are refused, at once and in a sentence."""

from __future__ import annotations

import json
import time
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import DensityTree
from disco_cvi.density_tree.leaf_order import heavier_comes_first, make_line
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small

NO_TREE = "is not a density tree that DensityTree.save wrote"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file may be written."""
    return tmp_path / "tree.npz"


def arrays_of(path: Path, **others: Any) -> dict[str, Any]:
    """The arrays of a good tree of four points, some of them replaced."""
    DensityTree([[0.0], [1.0], [3.0], [9.0]], min_points=2).save(path)
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files} | others


def refuse(path: Path, reason: str) -> None:
    begin = time.process_time()
    tracemalloc.start()
    with pytest.raises(InvalidInputError, match=f"{NO_TREE}: .*{reason}"):
        DensityTree.load(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50 << 20
    assert time.process_time() - begin < 10


DAMAGED = "it is damaged, or a file of another kind"


def test_packed_zeros_are_not_unpacked(path: Path) -> None:
    arrays = arrays_of(path)
    np.savez_compressed(path, **arrays | {"joins": np.zeros(1 << 25)})  # 256 MB in 0.3
    assert path.stat().st_size < 1 << 20
    refuse(path, DAMAGED)


def test_an_array_that_is_shorter_than_it_says(path: Path) -> None:
    arrays = arrays_of(path)
    del arrays["joins"]
    np.savez(path, **arrays)
    words = "{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000,)}".ljust(117) + "\n"
    header = b"\x93NUMPY\x01\x00" + len(words).to_bytes(2, "little") + words.encode()
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("joins.npy", header + bytes(80))
    with pytest.raises(InvalidInputError, match=DAMAGED):
        DensityTree.load(path)


def test_an_archive_of_other_arrays(path: Path) -> None:
    np.savez(path, other=np.arange(5.0))
    refuse(path, DAMAGED)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "{", "5", "NaN", "9" * 5000])
def test_parameters_of_the_metric_that_are_none(path: Path, text: str) -> None:
    arrays = arrays_of(path, metric_params=text)
    np.savez(path, **arrays)
    refuse(path, "metric_params is not")


@pytest.mark.parametrize(("name", "params"), [("euclidean", {"p": 3}), ("\x1b[31m", {}), ("", {})])
def test_a_metric_that_there_is_not(path: Path, name: str, params: dict[str, Any]) -> None:
    arrays = arrays_of(path, metric=name, metric_params=json.dumps(params))
    np.savez(path, **arrays)
    refuse(path, "its metric is")


@pytest.mark.parametrize("size", [4, 4000])
def test_falling_joins(path: Path, size: int) -> None:
    """Parts inside one another: a walk over them takes quadratic time."""
    joins = np.concatenate([[0.0], np.linspace(1.0, 0.5, size - 1)])
    arrays = arrays_of(
        path, leaves=np.arange(size, dtype=np.int32), joins=joins, core=np.zeros(size)
    )
    np.savez(path, **arrays)
    refuse(path, "the heavier part of a merge does not come first")


def test_equal_joins_and_copies_keep_the_order_of_a_tree(path: Path) -> None:
    random = np.random.default_rng(0)
    for number in range(60):
        points = random.integers(0, 2 + number % 7, (1 + number, 2)).astype(float)
        tree = DensityTree(points, min_points=1 + number % min(5, len(points)))
        tree.save(path)
        assert np.array_equal(DensityTree.load(path).steps, tree.steps)


def is_heavier_first(joins: np.ndarray[Any, Any]) -> bool:
    """The same, leaf by leaf."""
    ends = make_line(np.zeros(len(joins), np.int32), joins, joins).ends
    for p in range(1, len(joins)):
        higher = [q for q in range(p) if q == 0 or joins[q] > joins[p]]
        if ends[p] - p > p - higher[-1]:
            return False
    return True


def test_the_order_of_parts_by_its_definition() -> None:
    random, answers = np.random.default_rng(0), set()
    for _ in range(400):
        joins = random.integers(0, 4, random.integers(1, 7)) / 4.0
        joins[0] = 0.0
        line = make_line(np.zeros(len(joins), np.int32), joins, joins)
        assert heavier_comes_first(line) is is_heavier_first(joins)
        answers.add(is_heavier_first(joins))
    assert answers == {True, False}


# --- exponents ------------------------------------------------------------------------------------

LARGEST, LEAST = np.finfo(np.float64).max, 5e-324


@pytest.mark.parametrize("exponent", [-5000, -2201, 2201, 5000])
def test_distances_that_no_points_have(path: Path, exponent: int) -> None:
    np.savez(path, **arrays_of(path, exponent=np.array(exponent)))
    refuse(path, f"its exponent is {exponent}, and no points are so near or far")


@pytest.mark.parametrize(
    ("metric", "params"),
    [
        ("euclidean", None),
        ("sqeuclidean", None),
        ("manhattan", None),
        ("minkowski", {"p": 0.1}),
        ("minkowski", {"p": 0.01}),
    ],
)
@pytest.mark.parametrize(
    "points",
    [
        [[LARGEST] * 50, [-LARGEST] * 50, [0.0] * 50],
        [[0.0], [LEAST], [2 * LEAST]],
        [[LARGEST] * 50] * 3,
        [[LEAST]] * 3,
        [[0.0]] * 3,
    ],
)
def test_the_nearest_and_the_farthest_points_have_trees(
    path: Path, metric: str, params: dict[str, float] | None, points: list[list[float]]
) -> None:
    tree = DensityTree(np.array(points), min_points=1, metric=metric, metric_params=params)
    tree.save(path)
    assert DensityTree.load(path).parts.exponent == tree.parts.exponent


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_points_that_are_far_farther_apart_are_other_points(path: Path, scale: float) -> None:
    points = np.array([[0.0], [1.0], [3.0], [9.0]])
    DensityTree(points * scale, min_points=2).save(path)
    with pytest.raises(InvalidInputError, match="got points with other core distances"):
        DensityTree.load(path).dbscan(scale, X=points / scale)
