"""Trees and scores of Dask arrays, Dask data frames and files: the same bits as in one process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import disco_cvi
from disco_cvi import DensityTree, distributed
from disco_cvi.distributed import density_tree, disco_score, explain, files, pair_score
from disco_cvi.exceptions import (
    ArgumentError,
    InvalidInputError,
    InvalidTypeError,
)

pytest.importorskip("distributed")

Points = NDArray[np.float64]
KINDS: dict[str, Callable[[np.random.Generator], Points]] = {
    "blobs": lambda draw: draw.standard_normal((900, 2)) + 9 * draw.integers(0, 4, (900, 1)),
    "lattice": lambda draw: draw.integers(0, 12, (700, 2)).astype(np.float64),
    "skewed": lambda draw: draw.pareto(1.5, (800, 3)) * 1e-3,
}


def labels_for(points: Points) -> NDArray[np.int64]:
    return np.random.default_rng(0).integers(-1, 4, len(points))


def dask_array(points: Points, _: Path) -> Any:
    array = pytest.importorskip("dask.array")
    return array.from_array(points, chunks=(len(points) // 3, 1))


def array_of_unknown_chunks(points: Points, _: Path) -> Any:
    array = pytest.importorskip("dask.array")
    given = array.from_array(points, chunks=(len(points) // 3, -1))
    return given[given[:, 0] >= points[:, 0].min()]


def dask_frame(points: Points, _: Path) -> Any:
    pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    names = [f"x{j}" for j in range(points.shape[1])]
    return frames.from_pandas(pandas.DataFrame(points, columns=names), npartitions=3)


def parquet_files(points: Points, folder: Path) -> str:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    for number, part in enumerate(np.array_split(points, 11)):
        columns = {f"x{j}": column for j, column in enumerate(part.T)}
        write_table(arrow.table(columns), folder / f"part-{number}.parquet", row_group_size=50)
    return str(folder / "part-*.parquet")


def array_files(points: Points, folder: Path) -> list[Path]:
    paths = [folder / f"{number}.npy" for number in range(3)]
    for path, part in zip(paths, np.array_split(points, 3), strict=True):
        np.save(path, part)
    return paths


SOURCES = (
    ("blobs", dask_array),
    ("lattice", array_of_unknown_chunks),
    ("skewed", dask_frame),
    ("blobs", parquet_files),
    ("lattice", array_files),
)


@pytest.mark.parametrize(("kind", "source"), SOURCES)
def test_the_tree_has_the_same_bits(
    cluster: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    source: Callable[[Points, Path], Any],
) -> None:
    points = KINDS[kind](np.random.default_rng(0))
    monkeypatch.setattr(files, "PART_BYTES", 4_000)
    one = DensityTree(points, min_points=4)
    found = density_tree(source(points, tmp_path), min_points=4, n_blocks=3)
    assert np.array_equal(found.heights, one.heights)
    assert np.array_equal(found.core_distances, one.core_distances)
    labels = labels_for(points)
    assert disco_cvi.disco_score(found, labels) == disco_cvi.disco_score(one, labels)


def labels_in_memory(labels: NDArray[Any], _: Path) -> Any:
    return labels


def labels_of_text(labels: NDArray[Any], _: Path) -> Any:
    return [str(label) for label in labels]


def labels_in_an_array(labels: NDArray[Any], _: Path) -> Any:
    return pytest.importorskip("dask.array").from_array(labels, chunks=100)


def labels_in_a_series(labels: NDArray[Any], _: Path) -> Any:
    pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    return frames.from_pandas(pandas.Series(labels), npartitions=2)


def labels_in_a_file(labels: NDArray[Any], folder: Path) -> Any:
    np.save(folder / "labels.npy", labels)
    return folder / "labels.npy"


def labels_in_files(labels: NDArray[Any], folder: Path) -> Any:
    (folder / "labels").mkdir()
    parquet_files(labels[:, np.newaxis], folder / "labels")
    return str(folder / "labels" / "part-*.parquet")


LABELS = (
    labels_in_memory,
    labels_of_text,
    labels_in_an_array,
    labels_in_a_series,
    labels_in_a_file,
    labels_in_files,
)


@pytest.mark.parametrize("kept", LABELS, ids=lambda kept: kept.__name__)
def test_labels_of_all_kinds(
    cluster: Any, tmp_path: Path, kept: Callable[[NDArray[Any], Path], Any]
) -> None:
    points = KINDS["blobs"](np.random.default_rng(0))
    labels = labels_for(points)
    given = kept(labels, tmp_path)
    noise = "-1" if kept is labels_of_text else -1
    score = disco_score(parquet_files(points, tmp_path), given, noise_label=noise, min_points=3)
    assert score == disco_cvi.disco_score(points, labels, min_points=3)
    tree = DensityTree(points, min_points=3)
    assert disco_score(tree, given, noise_label=noise) == score


@pytest.mark.parametrize("keep", [dask_frame, parquet_files], ids=lambda keep: keep.__name__)
def test_labels_in_a_column_of_the_points(
    cluster: Any, tmp_path: Path, keep: Callable[[Points, Path], Any]
) -> None:
    points = KINDS["blobs"](np.random.default_rng(0))
    labels = labels_for(points)
    given = keep(np.column_stack([points, labels, labels * 0.5]), tmp_path)
    chosen: dict[str, Any] = {"columns": ["x0", "x1"]}
    expected = disco_cvi.disco_score(points, labels)
    assert disco_score(given, "x2", **chosen) == expected
    assert pair_score(given, "x2", **chosen) == disco_cvi.pair_score(points, labels)
    more = np.column_stack([points, labels * 0.5])
    assert disco_score(given, "x2") == disco_cvi.disco_score(more, labels)
    facts = explain(given, "x2", **chosen)
    assert facts.to_dict() == disco_cvi.explain(points, labels).to_dict()


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_metrics(cluster: Any, tmp_path: Path, metric: str) -> None:
    points = KINDS["blobs"](np.random.default_rng(0))
    labels = labels_for(points)
    found = disco_score(array_files(points, tmp_path), labels, metric=metric)
    assert found == disco_cvi.disco_score(points, labels, metric=metric)


def test_the_client_stays_connected(client: Any) -> None:
    """The scheduler ends a connection over which tasks are cancelled that it does not expect."""

    def count_connections(dask_scheduler: Any) -> int:
        events = dask_scheduler.get_events("all")
        return sum(event.get("action") == "add-client" for _, event in events)

    before = client.run_on_scheduler(count_connections)
    kept = client.submit(sum, [1, 2])
    density_tree(dask_array(KINDS["blobs"](np.random.default_rng(0)), Path()), n_blocks=3)
    assert kept.result() == 3
    assert kept.status == "finished"
    assert client.run_on_scheduler(count_connections) == before
    kept.release()


def test_a_persisted_array_stays_the_users(client: Any) -> None:
    points = KINDS["blobs"](np.random.default_rng(0))
    kept = client.persist(dask_array(points, Path()))
    density_tree(kept)
    with pytest.raises(InvalidInputError):
        density_tree(kept, min_points=10_000)
    assert np.array_equal(client.gather(client.compute(kept)), points)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_points": 0}, "min_points of density_tree must be an integer of at least 1; got 0"),
        ({"min_points": 99}, r"from 1 to the number of points \(20\); got 99"),
        ({"min_points": 10**400}, r"from 1 to the number of points \(20\); got 1000"),
        ({"metric": "manhattan"}, "metric of density_tree must be 'euclidean', 'sqeuclidean', 'c"),
        ({"n_blocks": 0}, "n_blocks of density_tree must be an integer of at least 1; got 0"),
        ({"columns": "x"}, r"columns of density_tree must be a list of columns; got 'x' \(str\)"),
        ({"columns": [2]}, "columns of density_tree must name columns of .*, which are 0, 1; got"),
        ({"client": "here"}, "client of density_tree must be a dask.distributed.Client"),
    ],
)
def test_options_that_cannot_be_used(
    cluster: Any, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    paths = array_files(np.zeros((20, 2)), tmp_path)
    with pytest.raises(ArgumentError, match=message):
        density_tree(paths, **options)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "must hold one label per point: 900 points, 2 labels"),
        ("kind", "labels of disco_score must name columns of X, which are 'x0', 'x1'; got 'kind'"),
        ("kind.npy", "labels of disco_score: there is no file 'kind.npy'"),
    ],
)
def test_labels_that_cannot_be_used_are_refused_before_the_work(
    cluster: Any, tmp_path: Path, labels: Any, message: str
) -> None:
    given = parquet_files(KINDS["blobs"](np.random.default_rng(0)), tmp_path)
    with pytest.raises(InvalidInputError, match=message):
        disco_score(given, labels)


def test_a_file_of_several_columns_is_no_labels(cluster: Any, tmp_path: Path) -> None:
    given = parquet_files(np.zeros((20, 2)), tmp_path)
    with pytest.raises(InvalidInputError, match=r"be a file of one column; got .*\['x0', 'x1'\]"):
        disco_score(given, given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (np.zeros((3, 2)), "X of density_tree must be a Dask array, .*; got ndarray in memory. Wh"),
        ([[1.0, 2.0]], "got list in memory"),
        (3, r"got 3 \(int\)"),
        (None, "got None"),
    ],
)
def test_points_in_memory_are_refused(given: Any, message: str) -> None:
    with pytest.raises(InvalidTypeError, match=message):
        density_tree(given)


def test_dask_collections_that_hold_no_points(cluster: Any) -> None:
    array = pytest.importorskip("dask.array")
    pandas, frames = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    with pytest.raises(InvalidInputError, match=r"be two-dimensional, .*; got shape \(5,\)"):
        density_tree(array.zeros(5))
    with pytest.raises(InvalidTypeError, match="X of density_tree must hold real numbers; got co"):
        density_tree(array.zeros((5, 2), dtype=complex))
    frame = frames.from_pandas(pandas.DataFrame({"a": [1.0], "b": ["x"]}), npartitions=1)
    with pytest.raises(InvalidTypeError, match="the Dask data frame, must hold real numbers; col"):
        density_tree(frame)
    bad = np.zeros((20, 2))
    bad[15, 1] = np.nan
    message = r"X of density_tree, chunk 1, holds NaN or .* \(first: row 5, column 1\)"
    with pytest.raises(InvalidInputError, match=message):
        density_tree(array.from_array(bad, chunks=(10, 2)))


def test_a_tree_of_other_points_is_refused(cluster: Any) -> None:
    tree = DensityTree(KINDS["blobs"](np.random.default_rng(0)), min_points=3)
    with pytest.raises(InvalidInputError, match="min_points of pair_score must be left out or be"):
        pair_score(tree, labels_for(np.zeros((900, 1))), min_points=4)


def test_blocks_too_large_for_the_workers_are_refused_at_once(cluster: Any) -> None:
    array = pytest.importorskip("dask.array")
    huge = array.zeros((100_000_000, 2), chunks=(1_000_000, 2))
    with pytest.raises(InvalidInputError, match=r"Take \d+ blocks, or larger workers"):
        density_tree(huge, n_blocks=2)


def test_the_room_opens_without_dask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    paths = array_files(np.zeros((20, 2)), tmp_path)
    with pytest.raises(InvalidInputError, match=r'density_tree needs Dask: pip install "disco-cv'):
        distributed.density_tree(paths)
