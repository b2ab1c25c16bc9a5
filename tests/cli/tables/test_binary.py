"""NumPy arrays and Parquet."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from disco_cvi.cli.tables import ReadOptions, read_labels, read_points
from disco_cvi.cli.tables.binary import ArrowTable
from disco_cvi.cli.tables.plain_text import PlainText
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


# --- arrays and Parquet ---------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, ">f8", bool])
def test_arrays_of_numbers(write: Write, dtype: Any) -> None:
    points = np.array([[0, 1], [1, 1], [1, 0]]).astype(dtype)
    np.save("points.npy", np.asfortranarray(points))
    file = read_points("points.npy")
    assert file.points.tolist() == [[0, 1], [1, 1], [1, 0]]
    assert file.points.flags.c_contiguous


def test_array_with_label_column(write: Write) -> None:
    np.save("points.npy", np.array([[0.5, 1, 7], [2, 3, 8]]))
    file = read_points("points.npy", ReadOptions(drop=("1",)), label_columns=["-1"])
    assert file.points.tolist() == [[1], [3]]
    assert file.labelings["-1"].tolist() == [7, 8]


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[1, "a"]], dtype=object), "as a NumPy array: it holds objects of Python, which"),
        (np.zeros((2, 2, 2)), "one or two dimensions"),
        (np.zeros(2, dtype=[("x", float)]), "without field names"),
        (np.array([["a", "b"]]), "must hold real numbers"),
        (np.zeros((0, 2)), "points.npy holds no points"),
        (np.array([[1.0, np.nan], [np.inf, 2], [3, 4]]), "2 rows .first: row 0, counting from 0"),
    ],
)
def test_arrays_that_hold_no_points(write: Write, array: NDArray[Any], expected: str) -> None:
    np.save("points.npy", array, allow_pickle=True)
    with pytest.raises(InvalidInputError, match=expected):
        read_points("points.npy")


def test_damaged_array_file(write: Write) -> None:
    whole = io.BytesIO()
    np.save(whole, np.zeros(2))
    damaged = whole.getvalue().replace(b"(2,)", b"(2, ")
    assert damaged != whole.getvalue()
    for raw in (b"\x93NUMPY\x01", whole.getvalue()[:-1], damaged):
        with pytest.raises(InvalidInputError, match="cannot be read as a NumPy array"):
            read_points(write(raw, "points.npy"))


@pytest.mark.parametrize("raw", [b"", b"x,y\n1,2\n", b"PK\x03\x04 and so on", b"\x80\x04N."])
def test_what_is_no_array_is_not_advised_to_be_trusted(write: Write, raw: bytes) -> None:
    with pytest.raises(InvalidInputError, match="does not begin as one does") as refused:
        read_points(write(raw, "points.npy"))
    assert "pickle" not in str(refused.value)


def test_an_array_of_a_long_header_is_not_advised_to_be_trusted(write: Write) -> None:
    facts, written = "{'descr': '|i1', 'fortran_order': False, 'shape': (9,), }", io.BytesIO()
    written.write(b"\x93NUMPY\x01\x00" + (20_000).to_bytes(2, "little"))
    written.write(facts.ljust(19_999).encode() + b"\n" + bytes(9))
    with pytest.raises(InvalidInputError, match=r"to load securely\. Save numbers") as refused:
        read_points(write(written.getvalue(), "points.npy"))
    assert "pickle" not in str(refused.value)


def header(kind: str, shape: tuple[int, ...]) -> bytes:
    """How an array begins."""
    written = io.BytesIO()
    facts = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(written, facts)
    return written.getvalue()


@pytest.mark.parametrize(
    ("kind", "shape"),
    [("<f8", (10**12, 2)), ("|i1", (1 << 17, 1)), ("<U0", (1 << 18,)), ("<U99", (1 << 12,))],
)
@pytest.mark.parametrize("name", ["points.npy", "points"])
def test_the_header_of_an_array_is_counted_before_it_is_read(
    write: Write, kind: str, shape: tuple[int, ...], name: str
) -> None:
    write(header(kind, shape) + bytes(1 << 17), name)
    with pytest.raises(InvalidInputError, match="holds more than 1023 KiB, and no more is read"):
        read_points(name, ReadOptions(most_bytes=1023 << 10))


def test_an_array_of_small_integers_may_become_as_many_floats_as_allowed(write: Write) -> None:
    write(header("|i1", (1 << 17,)) + bytes(1 << 17), "points.npy")
    assert len(read_points("points.npy", ReadOptions(most_bytes=1 << 20)).points) == 1 << 17


def test_an_array_of_less_than_no_values_is_refused(write: Write) -> None:
    write(header("|i1", (-1,)) + bytes(100), "points.npy")
    with pytest.raises(InvalidInputError, match="cannot be read as a NumPy array: its header says"):
        read_points("points.npy")


@pytest.mark.parametrize("code", [0xD800, 0xDFFF, 0x110000, 0xFFFFFFFF])
@pytest.mark.parametrize("order", "<>")
def test_text_in_arrays_is_unicode(write: Write, code: int, order: str) -> None:
    codes = np.array([97, 0x10FFFF, 0xD7FF, 0xE000, code, 98], f"{order}u4").tobytes()
    write(header(f"{order}U2", (3,)) + codes, "points.npy")
    with pytest.raises(InvalidInputError, match="text in row 2, counting from 0, is not Unicode"):
        read_points("points.npy", label_columns=["1"])
    write(header(f"{order}U2", (2,)) + codes[:16], "labels.npy")
    labels = read_labels("labels.npy", read_points(write("1\n2\n"))).labels
    assert labels.tolist() == ["a\U0010ffff", "\ud7ff\ue000"]


def test_parquet(write: Write) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(
        {"x": [1.5, -3, 5], "n": [2, 400, 1], "yes": [True, False, True], "kind": ["a", "b", "a"]},
        index=["p", "q", "r"],
    )
    frame.astype({"kind": "category"}).to_parquet("points.parquet")
    file = read_points("points.parquet", label_columns=["kind"])
    assert file.points.tolist() == [[1.5, 2, 1], [-3, 400, 0], [5, 1, 1]]
    assert file.labelings["kind"].tolist() == ["a", "b", "a"]
    with pytest.raises(InvalidInputError, match=r"column 'kind' is not numeric.*--drop kind"):
        read_points("points.parquet")
    file = read_points("points.parquet", ReadOptions(drop=("kind",)), label_columns=["n"])
    assert file.labelings["n"].tolist() == [2, 400, 1]


def test_parquet_gaps_and_damage(write: Write) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"x": [1.5, None], "g": pandas.array([1, None], dtype="Int64")})
    frame.to_parquet("points.parquet")
    with pytest.raises(InvalidInputError, match=r"missing or infinite values in 1 row"):
        read_points("points.parquet", ReadOptions(drop=("g",)))
    with pytest.raises(InvalidInputError, match=r"column 'g' holds no label in 1 row"):
        read_points("points.parquet", label_columns=["g"])
    with pytest.raises(InvalidInputError, match="cannot be read as Parquet"):
        read_points(write(b"PAR1 and so on", "broken.parquet"))


def test_parquet_without_pyarrow_says_what_to_install(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    name = write(b"PAR1", "points.parquet")
    with pytest.raises(InvalidInputError, match=r'pip install "disco-cvi\[parquet\]"'):
        read_points(name)


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_nested_columns_are_left_out_and_nothing_else(write: Write, form: str) -> None:
    arrow, module = pytest.importorskip("pyarrow"), pytest.importorskip(f"pyarrow.{form}")
    columns = {"x": [1.5, 2], "deep": [[1], [2, 3]], "c": ["a", "b"], "y": [3, 4]}
    save = module.write_table if form == "parquet" else module.write_feather
    save(arrow.table(columns), f"points.{form}")
    leave_out = ReadOptions(drop=("deep",))
    file = read_points(f"points.{form}", leave_out, label_columns=["c"])
    assert file.points.tolist() == [[1.5, 3], [2, 4]]
    assert file.labelings["c"].tolist() == ["a", "b"]
    with pytest.raises(InvalidInputError, match=r"'deep' is not numeric .it holds list<.*--drop"):
        read_points(f"points.{form}", label_columns=["c"])
    with pytest.raises(InvalidInputError, match=r"'deep' holds list<.*neither labels nor names"):
        read_points(f"points.{form}", label_columns=["deep"])
    with pytest.raises(InvalidInputError, match=r"'deep' holds list<.*neither labels nor names"):
        read_points(f"points.{form}", ReadOptions(id_column="deep"), label_columns=["c"])
    with pytest.raises(InvalidInputError, match=r"'c' is not numeric .it holds string"):
        read_points(f"points.{form}", leave_out)


def test_repeated_names_beside_nested_columns(write: Write) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.Table.from_arrays([[1.0], [2.0], [[3]]], names=["x", "x", "deep"])
    parquet.write_table(table, "points.parquet")
    file = read_points("points.parquet", ReadOptions(drop=("deep",)))
    assert file.points.tolist() == [[1, 2]]
    parquet.write_table(table.rename_columns(["x", "y", "x"]), "points.parquet")
    with pytest.raises(InvalidInputError, match="a nested column with the name of another"):
        read_points("points.parquet", ReadOptions(drop=("3",)))


def test_a_category_that_is_null_is_no_label(write: Write) -> None:
    arrow, feather = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.feather")
    kinds = arrow.DictionaryArray.from_arrays(arrow.array([0, 1, None]), arrow.array(["a", None]))
    feather.write_feather(arrow.table({"x": [1.0, 2, 3], "c": kinds}), "points.feather")
    with pytest.raises(InvalidInputError, match=r"'c' holds no label in 2 rows .first: row 1"):
        read_points("points.feather", label_columns=["c"])


@pytest.mark.parametrize("packed", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("kind", ["String", "Categorical"])
def test_arrow_of_polars(write: Write, packed: Any, kind: str) -> None:
    polars = pytest.importorskip("polars")
    words = ["a", "b", "a long word beyond the twelve letters of a view", "b", "a"]
    frame = polars.DataFrame({"x": np.arange(5.0), "c": words})
    frame = frame.with_columns(polars.col("c").cast(getattr(polars, kind)))
    frame.write_ipc("file.arrow", compression=packed)
    frame.write_ipc_stream("stream.arrow", compression=packed)
    for name in ("file.arrow", "stream.arrow"):
        file = read_points(name, label_columns=["c"])
        assert file.points.ravel().tolist() == [0, 1, 2, 3, 4]
        assert file.labelings["c"].tolist() == words
    raw = Path("file.arrow").read_bytes()
    for damaged in (raw[:-20], raw[: len(raw) // 2] + raw[-200:], raw[:6], raw[:6] + raw[-6:]):
        with pytest.raises(InvalidInputError, match="cannot be read as Arrow"):
            read_points(write(damaged, "damaged.arrow"), label_columns=["c"])


def test_arrow_that_leads_out_of_the_file_is_refused(write: Write) -> None:
    arrow = pytest.importorskip("pyarrow")
    offsets = arrow.py_buffer(np.array([0, 1 << 30, 3], np.int32))
    parts = [None, offsets, arrow.py_buffer(b"abc")]
    table = arrow.table({"c": arrow.Array.from_buffers(arrow.string(), 2, parts), "x": [1, 2]})
    with arrow.ipc.new_stream("points.arrow", table.schema) as stream:
        stream.write_table(table)
    with pytest.raises(InvalidInputError, match="cannot be read as Arrow"):
        read_points("points.arrow", label_columns=["c"])


def test_parquet_whose_text_is_no_unicode_is_refused(write: Write) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    half = arrow.array([b"\xed\xa0\x80", b"a"], arrow.binary()).buffers()
    words = arrow.Array.from_buffers(arrow.string(), 2, half)
    parquet.write_table(arrow.table({"c": words, "x": [1, 2]}), "points.parquet")
    with pytest.raises(InvalidInputError, match=r"cannot be read as Parquet: .*UTF8"):
        read_points("points.parquet", label_columns=["c"])


# --- a command that ends while threads of pyarrow still want something of Python is aborted -------


class Watched(io.BytesIO):
    """A stream that knows which threads read it."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.readers: set[int] = set()

    def read(self, size: int | None = -1) -> bytes:
        self.readers.add(threading.get_ident())
        return super().read(size)


@pytest.mark.parametrize("form", ["Parquet", "Arrow"])
def test_no_thread_of_pyarrow_reads_a_stream_of_python(form: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet, feather = (
        pytest.importorskip("pyarrow.parquet"),
        pytest.importorskip("pyarrow.feather"),
    )
    written = io.BytesIO()
    write = parquet.write_table if form == "Parquet" else feather.write_feather
    write(arrow.table({"x": np.arange(100.0), "y": np.arange(100.0)}), written)
    stream = Watched(written.getvalue())
    assert ArrowTable(stream, "table", form, 1 << 20).matrix([0, 1]).shape == (100, 2)
    assert stream.readers <= {threading.get_ident()}


def test_large_text_is_no_stream_of_python_to_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    arrow, text = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.csv")
    given, read_csv = [], text.read_csv

    def noted(file: Any, *options: Any) -> Any:
        given.append(file)
        return read_csv(file, *options)

    monkeypatch.setattr(text, "read_csv", noted)
    columns = PlainText(b"1,2\n3,4\n", ",", ".", 2).columns([0, 1], "float64", 0)
    assert columns is not None
    assert isinstance(given[0], arrow.NativeFile)
