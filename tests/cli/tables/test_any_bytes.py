"""Whatever a file holds, it is read as a whole or refused in words."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from disco_cvi.cli.tables import (
    ReadOptions,
    column_names,
    doubtful_features,
    read_labels,
    read_points,
)
from disco_cvi.exceptions import InvalidInputError
from helpers.zoo import examples

pytestmark = pytest.mark.small


CELLS = st.sampled_from(
    [
        "0",
        "1",
        "-1",
        "1.5",
        "1,5",
        "1e999",
        "nan",
        "",
        "a",
        '"a"',
        '"',
        "é",
        "\0",
        "1_0",
        "#",
        "9" * 400,
    ]
)
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=6)


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    """Tables of any layout, ragged ones among them."""
    separator = draw(st.sampled_from([",", ";", "\t", " "]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(separator.join(cells) for cells in draw(LINES))
    return text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1"])))


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A binary file with a few other bytes in it, or cut off."""
    raw = bytearray(draw(st.sampled_from(BINARY)))
    for _ in range(draw(st.integers(0, 4))):
        raw[draw(st.integers(0, len(raw) - 1))] = draw(st.integers(0, 255))
    return bytes(raw[: draw(st.integers(0, len(raw)))])


def binary_files() -> list[bytes]:
    """A file of each form, small."""
    table = pyarrow.table({"x": [1.5, 2.5], "k": ["a", None]})
    array, parquet, feather, stream = (io.BytesIO() for _ in range(4))
    np.save(array, np.arange(6.0).reshape(3, 2))
    pyarrow.parquet.write_table(table, parquet)
    pyarrow.feather.write_feather(table, feather)
    with pyarrow.ipc.new_stream(stream, table.schema) as writer:
        writer.write_table(table)
    files = [array, parquet, feather, stream]
    return [file.getvalue() for file in files] + [gzip.compress(b"x,y\n1,2\n", mtime=0)]


BINARY = binary_files()
ROWS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner),
    max_leaves=4,
)
JSON_LINES = st.lists(ROWS, max_size=4).map(lambda rows: "\n".join(map(json.dumps, rows)).encode())
ENDINGS = [
    ".csv",
    ".tsv",
    ".txt",
    ".jsonl",
    ".npy",
    ".parquet",
    ".feather",
    ".arrow",
    "",
    ".csv.gz",
]
COLUMNS = st.sampled_from([None, "1", "-1", "2", "x", "a"])
OPTIONS = st.builds(
    ReadOptions,
    header=st.sampled_from([None, True, False]),
    separator=st.sampled_from([None, ",", ";", "tab", "space"]),
    decimal=st.sampled_from([None, "."]),
    encoding=st.sampled_from([None, "utf-8", "utf-16", "latin-1", "cp037"]),
    id_column=COLUMNS,
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def assert_one_line(error: InvalidInputError) -> None:
    assert str(error)
    assert "\n" not in str(error)


@examples(1500)
@given(st.data())
def test_any_bytes_are_read_as_a_whole_or_refused(here: None, data: st.DataObject) -> None:
    raw = data.draw(texts() | JSON_LINES | damaged() | st.binary(max_size=40))
    name = "file" + data.draw(st.sampled_from(ENDINGS))
    options, column = data.draw(OPTIONS), data.draw(COLUMNS)
    Path(name).write_bytes(raw)
    assert isinstance(column_names(name), tuple)
    columns = [] if column is None else [column]
    try:
        file = read_points(name, options, label_columns=columns)
    except InvalidInputError as error:
        assert_one_line(error)
        return
    assert file.points.shape == (file.table.n_rows, len(file.features))
    assert np.isfinite(file.points).all()
    assert all(len(labels) == len(file.points) for labels in file.labelings.values())
    assert doubtful_features(file, list(file.labelings.values())) is not None
    assert file.row_names is None or len(set(file.row_names)) == len(file.points)


@examples(1000)
@given(st.data())
def test_any_bytes_are_labels_or_refused(here: None, data: st.DataObject) -> None:
    options, column = data.draw(OPTIONS), data.draw(COLUMNS)
    Path("points.csv").write_text("a,1,x\n1,0.5,7\n2,1.5,8\n")
    options = ReadOptions(**{**options.__dict__, "encoding": None, "separator": None})
    try:
        points = read_points("points.csv", options)
    except InvalidInputError:
        return
    name = "file" + data.draw(st.sampled_from(ENDINGS))
    Path(name).write_bytes(data.draw(texts() | JSON_LINES | damaged()))
    try:
        file = read_labels(name, points, options, columns=[] if column is None else [column])
    except InvalidInputError as error:
        assert_one_line(error)
        return
    assert all(len(labels) == 2 for labels in file.labelings.values())


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(b"x,y\n1,2\n3,4\n", [[1, 2], [3, 4]], id="text"),
        pytest.param(b'{"x": 1, "y": 2}\n', [[1, 2]], id="JSON lines"),
        pytest.param(BINARY[0], [[0, 1], [2, 3], [4, 5]], id="NumPy"),
    ],
)
def test_standard_input_may_hold_any_form(
    monkeypatch: pytest.MonkeyPatch, raw: bytes, expected: Any, packed: bool
) -> None:
    stream = io.BytesIO(gzip.compress(raw) if packed else raw)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    assert read_points("-").points.tolist() == expected


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("which", [1, 2, 3], ids=["Parquet", "Feather", "Arrow stream"])
def test_arrow_from_files_and_standard_input(
    here: None, monkeypatch: pytest.MonkeyPatch, which: int, packed: bool
) -> None:
    raw = gzip.compress(BINARY[which]) if packed else BINARY[which]
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    drop = ReadOptions(drop=("k",))
    assert read_points("-", drop).points.tolist() == [[1.5], [2.5]]
    ending = [".npy", ".parquet", ".feather", ".arrow"][which] + (".gz" if packed else "")
    Path("points" + ending).write_bytes(raw)
    file = read_points("points" + ending, drop)
    assert file.points.tolist() == [[1.5], [2.5]]
    with pytest.raises(InvalidInputError, match=r"'k' holds no label in 1 row \(first: row 1, cou"):
        read_points("points" + ending, label_columns=["k"])
    with pytest.raises(InvalidInputError, match=r"column 'k' is not numeric \(it holds string\)"):
        read_points("points" + ending)
    Path("points.arrow").write_bytes(b"nothing of the kind")
    with pytest.raises(InvalidInputError, match=r"points\.arrow cannot be read as Arrow: "):
        read_points("points.arrow")
