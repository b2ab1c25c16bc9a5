"""Files as tables: what is found by looking, what pandas would not tell, what is refused.

Before pandas read them, our own readers did; both gave the same values, labels, names and lines of
errors for 10,000 generated files of text.
"""

from __future__ import annotations

import codecs
import gzip
import io
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from disco_cvi.cli.data import Source
from disco_cvi.cli.tables import Table, open_table
from disco_cvi.exceptions import InvalidInputError

Write = Callable[..., Table]


@pytest.fixture(params=[0, 1 << 18], ids=["pandas", "small"])
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty folder that is the current one, and open it.

    Text is read by pandas, and by Python where it is small.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("disco_cvi.cli.tables._SMALL", request.param)

    def write(content: str | bytes, name: str = "points.csv", **how: Any) -> Table:
        raw = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(raw)
        expected = how.pop("n_expected", None)
        wanted = how.pop("wanted", ())
        return open_table(name, Source(name, **how), wanted=wanted, n_expected=expected)

    return write


def numbers(read: Table) -> list[list[float]]:
    found: list[list[float]] = read.matrix(range(read.width)).tolist()
    return found


XY = [[1.5, 2.0], [3.0, 4.25]]


@pytest.mark.small
@pytest.mark.parametrize(
    ("content", "how"),
    [
        ("x,y\n1.5,2\n3,4.25\n", {}),
        ("1.5,2\n3,4.25", {}),
        ("x;y\n1,5;2\n3;4,25\n", {}),
        ("x\ty\r\n1.5\t2\r\n3\t4.25\r\n", {}),
        ("x y\r1.5 2\r3   4.25", {}),
        ("# made by hand\n\nx, y\n 1.5 , 2\n  \n3,+4.25 \n# end", {}),
        ('"x ""1""",y\n"1.5","2"\n3,4.25\n', {}),
        ('"a\nb",y\n1.5,2\n3,4.25\n', {}),
        ("a|b\n1.5|2\n3|4.25\n", {"separator": "|"}),
        ('"1,5","2"\n"3","4,25"\n', {"decimal": ","}),
        ("x\ty\n1.5\t2\n3\t4.25\n".encode("utf-16"), {}),
        (codecs.BOM_UTF8 + b"x,y\n1.5,2\n3,4.25\n", {}),
        ("größe,y\n1.5,2\n3,4.25\n".encode("latin-1"), {}),
        ("größe,y\n1.5,2\n3,4.25\n".encode("cp437"), {"encoding": "cp437"}),
        (gzip.compress(b"x,y\n1.5,2\n3,4.25\n", mtime=0), {}),
        ('{"x": 1.5, "y": 2}\n\n{"y": 4.25, "x": 3}\n', {"name": "a.jsonl"}),
        ("[1.5, 2]\n[3, 4.25]", {"name": "a.jsonl"}),
    ],
)
def test_every_layout_is_found(table: Write, content: str | bytes, how: dict[str, Any]) -> None:
    assert numbers(table(content, **how)) == XY


@pytest.mark.small
def test_numbers_are_what_float_makes_of_their_text(table: Write) -> None:
    draw = random.Random(0)
    texts = ["1e400", "-Infinity", "4.9e-324", "1e-400", "0.1", "12345678901234567890123", "\uff11"]
    for _ in range(3000):
        number = draw.gauss(0, 1) * 10.0 ** draw.randint(-300, 300)
        text = draw.choice(["{!r}", "{:.20g}", "{:.6E}"]).format(number)
        sign = "+" if number > 0 and draw.random() < 0.3 else ""
        texts.append(f"{sign}{text}{draw.choice(['', ' '])}")
    finite = [text for text in texts if math.isfinite(float(text))]
    read = table("\n".join(["x,y", *(f"{text},0" for text in finite)]))
    assert read.matrix([0])[:, 0].tolist() == list(map(float, finite))
    comma = "\n".join(["x;y", *(f"{text.replace('.', ',')};0,5" for text in finite)])
    assert table(comma).matrix([0])[:, 0].tolist() == list(map(float, finite))


@pytest.mark.small
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("x,y\n1,2\n3\n", "line 3 holds 1 value, but line 1 holds 2. Every row needs one value"),
        ("x,y\n1,2\n\n#\n3,4,5\n", "line 5 holds 3 values, but line 1 holds 2"),
        ('x,y\n"1",2\n3,4,5\n', "line 3 holds 3 values, but line 1 holds 2"),
        ("1 2\n3\n", "line 2 holds 1 value, but line 1 holds 2"),
        ("x,y\n1,2\n3,\n", "missing or infinite values in 1 row (first: line 3, column 'y')"),
        ("x,y\nNA,2\n3,inf\n", "missing or infinite values in 2 rows (first: line 2, column 'x')"),
        ("x,y\n1,2\n3,four\n", "column 'y' is not numeric (line 3 holds 'four'). Leave it out"),
        ("x,y\n1,2\n3,1_000\n", "(line 3 holds '1_000')"),
        ("x,y\n1,True\n3,False\n", "column 'y' is not numeric (line 2 holds 'True')"),
        ("x;y\n1.5;2\n1,5;2\n", "(line 3 holds '1,5'). Leave it out with --drop x, or say --id x "),
        ('x,y\n1,"2\n3,4\n', "points.csv"),
        ("", "holds no data"),
        ("# nothing\n\n", "holds no data"),
        ("\0\1\2", "is not a text file"),
        (b"x,y\n\x81\x01,2\n", "is not UTF-8 text"),
        ("," * 100_001, "holds a row of more than 100,000 values"),
        ("1 " * 100_001, "holds a row of more than 100,000 values"),
    ],
)
def test_what_pandas_would_fill_or_cut_is_refused(
    table: Write, content: str | bytes, message: str
) -> None:
    with pytest.raises(InvalidInputError) as refused:
        numbers(table(content))
    assert str(refused.value).startswith("points.csv")
    assert message in str(refused.value)


@pytest.mark.small
@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (["0", "-1", "1"], [0, -1, 1]),
        (["0.0", "-1.0", "1e0"], [0, -1, 1]),
        (["a", "NA", "None"], ["a", "NA", "None"]),
        (["a", "1", "01"], ["a", "1", "01"]),
        (["9007199254740993.0", "9007199254740992.0", "1"], None),
        (["123456789012345678", "123456789012345679", "1"], [123456789012345678, -1, 1]),
    ],
)
def test_labels_stay_as_they_are_written(
    table: Write, column: list[str], labels: list[Any] | None
) -> None:
    found = table("\n".join(["x,k", *(f"{i},{cell}" for i, cell in enumerate(column))])).labels(1)
    assert len(set(found.tolist())) == 3
    if labels is not None:
        assert found.tolist() == [labels[0], found.tolist()[1], labels[2]]
    else:
        assert found.tolist() == column


@pytest.mark.small
@pytest.mark.parametrize("cells", [["1", "NA"], ["a", ""], ["", ""]])
def test_a_missing_label_is_refused(table: Write, cells: list[str]) -> None:
    read = table("\n".join(["x,k", *(f"{i},{cell}" for i, cell in enumerate(cells))]))
    with pytest.raises(InvalidInputError, match="column 'k' holds no label in"):
        read.labels(1)


@pytest.mark.small
def test_ids_keep_their_zeros(table: Write) -> None:
    assert table("id,x\n007,1\nNA,2\n").texts(0) == ["007", "NA"]
    assert table(b'{"id": "007"}\n{"id": "008"}', "a.jsonl").texts(0) == ["007", "008"]


@pytest.mark.small
@pytest.mark.parametrize(
    ("content", "how", "names", "note"),
    [
        ("a,b\n1,2\n", {}, ("a", "b"), ""),
        ("1,2\n3,4\n", {}, None, ""),
        ("a,b\nc,d\n", {}, None, ""),
        ("a,b\nc,d\n", {"wanted": ["b"]}, ("a", "b"), ""),
        ("1,2\n3,4\n", {"header": "yes"}, ("1", "2"), ""),
        ("a,b\n1,2\n", {"header": "no"}, None, ""),
        ("label\na\nb\n", {"n_expected": 2}, ("label",), ""),
        ("a\na\nb\n", {"n_expected": 2}, ("a",), "the first line, 'a', was taken for column names"),
        ("0,1\n0.5,1.5\n", {}, ("0", "1"), "'0,1', was taken for column names"),
        ("0,1\n0.5,7\n", {}, ("0", "1"), "say --header no"),
        ("0,1\n5,7\n", {}, None, ""),
    ],
)
def test_a_header_is_found(
    table: Write, content: str, how: dict[str, Any], names: tuple[str, ...] | None, note: str
) -> None:
    read = table(content, **how)
    assert read.names == names
    assert note in " ".join(read.notes)
    assert bool(read.notes) == bool(note)


@pytest.mark.small
def test_what_was_guessed_is_noted(table: Write) -> None:
    assert "were read so; if the comma separates thousands" in table("1,5;2\n").notes[0]
    assert "was read as Windows-1252 (Latin-1)" in table("é,y\n1,2".encode("latin-1")).notes[0]


@pytest.mark.small
def test_columns_are_found_by_name_and_number(table: Write) -> None:
    read = table("x,y,x\n1,2,3\n")
    assert [read.find(column) for column in ("y", "1", "-1")] == [1, 0, 2]
    for column, message in [
        ("x", "2 columns named 'x'; give the column's number instead (the first is 1)"),
        ("yy", "has no column 'yy'. Did you mean 'y'?"),
        ("4", "has no column '4'. Its columns: 1, y, 3."),
    ]:
        with pytest.raises(InvalidInputError) as refused:
            read.find(column)
        assert message in str(refused.value)


# --- typed files ----------------------------------------------------------------------------------

FRAME = pd.DataFrame({"x": [1.5, 3.0], "y": [2.0, 4.25], "k": ["a", "b"], "n": [7, -1]})


def test_typed_files_keep_their_types(table: Write) -> None:
    for write, name in (("to_parquet", "a.parquet"), ("to_feather", "a.feather")):
        raw = io.BytesIO()
        getattr(FRAME, write)(raw)
        read = table(raw.getvalue(), name)
        assert read.matrix([0, 1]).tolist() == XY
        assert (read.labels(2).tolist(), read.labels(3).tolist()) == (["a", "b"], [7, -1])
        assert read.texts(3) == ["7", "-1"]
        with pytest.raises(InvalidInputError, match=r"column 'k' is not numeric \(row 0, counting"):
            numbers(read)
    raw = io.BytesIO()
    FRAME.set_index("k").to_parquet(raw)
    assert table(raw.getvalue(), "a.parquet").names == ("x", "y", "n", "k")
    raw = io.BytesIO()
    FRAME.iloc[[1, 0]].to_parquet(raw)  # rows have names, which are no column
    assert table(raw.getvalue(), "a.parquet").names == ("x", "y", "k", "n")


def test_streams_of_arrow_are_read(table: Write) -> None:
    arrow = pytest.importorskip("pyarrow")
    raw = io.BytesIO()
    with arrow.ipc.new_stream(raw, arrow.Table.from_pandas(FRAME).schema) as stream:
        stream.write_table(arrow.Table.from_pandas(FRAME))
    assert table(raw.getvalue(), "a.arrow").matrix([0, 1]).tolist() == XY


@pytest.mark.small
def test_arrays_are_read_without_pickles(table: Write, tmp_path: Path) -> None:
    def saved(array: Any) -> bytes:
        raw = io.BytesIO()
        np.save(raw, array, allow_pickle=True)
        return raw.getvalue()

    for name in ("a.npy", "a", "a.npy.gz"):
        raw = saved(np.array(XY))
        assert numbers(table(gzip.compress(raw) if "gz" in name else raw, name)) == XY
    assert table(saved(np.array([3, -1])), "a.npy").labels(0).tolist() == [3, -1]
    assert table(saved(np.array([3.0, -1])), "a.npy").texts(0) == ["3", "-1"]
    for array, message in [
        (np.array([{}]), "cannot be read as a NumPy array"),
        (np.zeros((2, 2, 2)), "must hold one array of one or two dimensions"),
        (np.array([(1, 2)], dtype="i4,i4"), "without field names"),
        (np.array([1j, 2]), "column 1 is not numeric"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            numbers(table(saved(array), "a.npy"))
    for raw in (
        b"no array",
        saved(np.zeros((9, 9)))[:-9],
        b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'",
    ):
        with pytest.raises(InvalidInputError, match="cannot be read as a NumPy array"):
            table(raw, "a.npy")


@pytest.mark.small
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"x": 1}\n{"x": 2\n', "cannot be read as JSON lines"),
        ("[" * 100_000, "cannot be read as JSON lines"),
        ('{"x": 1}\n{"y": 2}\n', "missing or infinite values"),
        ('{"x": 1}\n{"x": "2"}\n', "is not numeric (row 1, counting from 0 holds '2')"),
        ('{"x": [1]}\n', "is not numeric (row 0, counting from 0 holds [1])"),
        ("\n", "holds no data"),
    ],
)
def test_json_lines_that_are_no_table(table: Write, content: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        numbers(table(content, "a.jsonl"))
    assert message in str(refused.value)


@pytest.mark.small
@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.parquet", b"PAR1"),
        ("a.arrow", b"ARROW1\0\0"),
        ("a.csv.gz", b"\x1f\x8b\0"),
        ("a.npz", b""),
    ],
)
def test_damaged_and_other_files_are_refused(table: Write, name: str, raw: bytes) -> None:
    with pytest.raises(InvalidInputError, match=name):
        table(raw, name)
