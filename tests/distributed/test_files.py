"""Parquet and NPY files: found, cut into pieces, read, and refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from disco_cvi.distributed import files
from disco_cvi.distributed.files import (
    group_pieces,
    open_files,
    read_labels,
    read_points,
)
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError

CALLER = "density_tree"


def numbers(n_rows: int, width: int = 2) -> NDArray[np.float64]:
    return np.arange(n_rows * width, dtype=np.float64).reshape(n_rows, width)


def write_parquet(path: Path, columns: dict[str, Any], **options: Any) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(arrow.table(columns), path, **options)


def read_all(names: Any, columns: Any = None) -> NDArray[np.float64]:
    found = open_files(names, CALLER)
    chosen = found.columns if columns is None else columns
    groups = group_pieces(found.pieces, len(chosen))
    return np.concatenate([read_points(group, chosen, CALLER) for group in groups])


def test_files_of_a_pattern_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        np.save(tmp_path / f"part-{number}.npy", np.full((2, 1), float(number)))
    expected = [1, 1, 2, 2, 10, 10]
    assert read_all(str(tmp_path / "part-*.npy"))[:, 0].tolist() == expected
    assert read_all(tmp_path)[:, 0].tolist() == expected
    given = [tmp_path / "part-10.npy", str(tmp_path / "part-1.npy")]
    assert read_all(given)[:, 0].tolist() == [10, 10, 1, 1]


@pytest.mark.parametrize("part_bytes", [16, 100, 10**6])
def test_parts_of_any_size_hold_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part_bytes: int
) -> None:
    monkeypatch.setattr(files, "PART_BYTES", part_bytes)
    points = numbers(50)
    np.save(tmp_path / "a.npy", points[:20])
    np.save(tmp_path / "b.npy", np.asfortranarray(points[20:]))
    assert np.array_equal(read_all(str(tmp_path / "*.npy")), points)
    for name, some in (("a", points[:20]), ("b", points[20:])):
        columns = {"x": some[:, 0], "y": some[:, 1]}
        write_parquet(tmp_path / f"{name}.parquet", columns, row_group_size=3)
    pattern = str(tmp_path / "*.parquet")
    assert np.array_equal(read_all(pattern), points)
    assert np.array_equal(read_all(pattern, ("y", "x")), points[:, ::-1])
    largest = max(piece.n_rows for piece in open_files(pattern, CALLER).pieces)
    assert largest <= max(3, part_bytes // 16)


def test_row_names_of_data_frames_are_no_features(tmp_path: Path) -> None:
    columns = {"x": [1.0, 2.0], "__null_dask_index__": [0, 1], "__index_level_0__": [5, 6]}
    write_parquet(tmp_path / "a.parquet", columns)
    assert open_files(tmp_path / "a.parquet", CALLER).columns == ("x",)


def test_numbers_of_all_kinds_are_read(tmp_path: Path) -> None:
    columns = {"a": np.array([1, 2], np.int8), "b": [True, False], "c": np.array([1, 2], "f4")}
    write_parquet(tmp_path / "a.parquet", columns)
    assert read_all(tmp_path / "a.parquet").tolist() == [[1, 1, 1], [2, 0, 2]]
    np.save(tmp_path / "line.npy", np.arange(3, dtype=np.int16))
    assert read_all(tmp_path / "line.npy").tolist() == [[0], [1], [2]]


@pytest.mark.parametrize("values", [[1, 1, -1], ["a", "b", "a"]])
def test_labels_are_a_column(tmp_path: Path, values: list[Any]) -> None:
    arrow = pytest.importorskip("pyarrow")
    columns = {"plain": values, "encoded": arrow.array(values).dictionary_encode()}
    write_parquet(tmp_path / "a.parquet", columns, row_group_size=2)
    found = open_files(tmp_path / "a.parquet", CALLER)
    for column in columns:
        assert read_labels(found.pieces, column, "labels", CALLER).tolist() == values
    np.save(tmp_path / "a.npy", values)
    pieces = open_files(tmp_path / "a.npy", CALLER).pieces
    assert read_labels(pieces, 0, "labels", CALLER).tolist() == values


def test_missing_labels_are_refused(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", {"kind": ["a", None]})
    pieces = open_files(tmp_path / "a.parquet", CALLER).pieces
    with pytest.raises(InvalidInputError, match=r"column 'kind' of .* holds no label in row 1"):
        read_labels(pieces, "kind", "labels", CALLER)


def test_a_value_that_is_not_finite_is_found(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", {"x": [1.0, 2.0, 3.0], "y": [1.0, 2.0, None]})
    message = r"a.parquet, holds NaN or infinity in 1 row \(first: row 2, column 'y'\)\. Drop"
    with pytest.raises(InvalidInputError, match=message):
        read_all(tmp_path / "a.parquet")
    np.save(tmp_path / "a.npy", [[1.0, np.inf]])
    with pytest.raises(InvalidInputError, match=r"a.npy, holds .* \(first: row 0, column 1\)"):
        read_all(tmp_path / "a.npy")


def test_text_is_no_feature(tmp_path: Path) -> None:
    write_parquet(tmp_path / "a.parquet", {"x": [1.0], "name": ["a"]})
    message = r"X of density_tree, .*a.parquet, must hold real numbers; column 'name' holds string"
    with pytest.raises(InvalidTypeError, match=message):
        read_all(tmp_path / "a.parquet")


def write_bad_files(folder: Path) -> None:
    np.save(folder / "cube.npy", np.zeros((2, 2, 2)))
    np.save(folder / "wide.npy", np.zeros((2, 3)))
    np.save(folder / "flat.npy", np.zeros((2, 2)))
    np.save(folder / "none.npy", np.zeros((0, 2)))
    np.save(folder / "object.npy", np.array([{}]), allow_pickle=True)
    (folder / "torn.parquet").write_bytes(b"PAR1 and no more")
    (folder / "points.csv").write_text("1,2\n")
    write_parquet(folder / "good.parquet", {"x": [1.0]})
    write_parquet(folder / "index.parquet", {"__index_level_0__": [1.0]})


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("absent.npy", "X of density_tree: there is no file '.*absent.npy'. Name files that this"),
        ("absent-*.npy", r"there is no file '.*absent-\*.npy'"),
        ("cube.npy", "cube.npy, cannot be read: it holds an array of 3 dimensions. All workers"),
        ("object.npy", "object.npy, cannot be read: "),
        ("torn.parquet", "torn.parquet, cannot be read: "),
        ("points.csv", "must name files that end in .parquet or .npy; got .*points.csv. Conv"),
        ("none.npy", "none.npy, holds no rows"),
        ("index.parquet", "index.parquet, holds no column of features"),
        (["wide.npy", "flat.npy"], r"same columns; got \[0, 1, 2\], and in .*flat.npy \[0, 1\]"),
        (["flat.npy", "good.parquet"], "must name files of one kind; got Parquet and NPY files"),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, names: Any, message: str) -> None:
    write_bad_files(tmp_path)
    named = [tmp_path / name for name in ([names] if isinstance(names, str) else names)]
    with pytest.raises(ArgumentError, match=message):
        open_files([str(name) for name in named], CALLER)


def test_what_names_no_files(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="Open what is elsewhere by dask"):
        open_files("s3://bucket/points.parquet", CALLER)
    with pytest.raises(InvalidTypeError, match=r"must be names of Parquet or NPY files; got \[\]"):
        open_files([], CALLER)


def test_a_file_that_a_worker_does_not_see_is_named(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", numbers(3))
    pieces = open_files(tmp_path / "a.npy", CALLER).pieces
    (tmp_path / "a.npy").unlink()
    with pytest.raises(InvalidInputError, match=r"a.npy, cannot be read: .* All workers must see"):
        read_points(pieces, (0, 1), CALLER)
