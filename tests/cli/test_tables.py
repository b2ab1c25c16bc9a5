from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from disco_cvi.cli.tables import read_labels, read_points
from disco_cvi.cli.tables.text import TextTable
from disco_cvi.exceptions import InvalidInputError
from helpers.zoo import examples

pytestmark = pytest.mark.small

Write = Callable[..., str]

EXPECTED = np.array([[1.5, 2.0], [-3.0, 4e2], [5.0, 0.25]])


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty folder that is the current one, and return its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content: str | bytes, name: str = "points.csv") -> str:
        raw = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(raw)
        return name

    return write_file


# --- layouts of text ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name"),
    [
        pytest.param("x,y\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="comma"),
        pytest.param("1.5,2\n-3,4e2\n5,.25", "a.csv", id="no header, no last line end"),
        pytest.param("x;y\n1.5;2\n-3;4e2\n5;.25\n", "a.csv", id="semicolon"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n", "a.tsv", id="tab"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n", "a.csv", id="tab in csv"),
        pytest.param("1.5 2\n-3   4e2\n  5 .25 \n", "a.txt", id="blanks"),
        pytest.param("x y\n1.5 2\n-3 4e2\n5 .25\n", "a.dat", id="blanks with header"),
        pytest.param("# made by hand\n\n1.5, 2\n\n-3, 4e2\n5, .25\n\n", "a.csv", id="comments"),
        pytest.param("x,y\r\n1.5,2\r\n-3,4e2\r\n5,.25\r\n", "a.csv", id="crlf"),
        pytest.param("x,y\r1.5,2\r-3,4e2\r5,.25\r", "a.csv", id="cr"),
        pytest.param("\ufeffx,y\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="byte order mark"),
        pytest.param("x\ty\n1.5\t2\n-3\t4e2\n5\t.25\n".encode("utf-16"), "a.txt", id="utf-16"),
        pytest.param('"x, cm",y\n"1.5",2\n"-3","4e2"\n5,.25\n', "a.csv", id="quotes"),
        pytest.param("x,y\n 1.5 , 2 \n -3 ,4e2\n5,.25 \n", "a.csv", id="padded"),
        pytest.param(gzip.compress(b"x,y\n1.5,2\n-3,4e2\n5,.25\n"), "a.csv.gz", id="gzip"),
        pytest.param("x,y\n1.5,2\n-3,4e2\n5,.25\n", "no_ending", id="no ending"),
        pytest.param("x,1\n1.5,2\n-3,4e2\n5,.25\n", "a.csv", id="half a header"),
    ],
)
def test_points_are_read_from_every_layout(write: Write, content: str | bytes, name: str) -> None:
    file = read_points(write(content, name))
    assert file.points.dtype == np.float64
    assert file.points.flags.c_contiguous
    assert file.points.tolist() == EXPECTED.tolist()
    assert file.labels is None
    assert file.notes == ()


def test_names_become_features(write: Write) -> None:
    assert read_points(write('"a b",y\n1,2\n3,4\n')).features == ("a b", "y")
    assert read_points(write("1,2\n3,4\n")).features == ("1", "2")


def test_one_column_is_one_feature(write: Write) -> None:
    assert read_points(write("0\n1\n5\n")).points.tolist() == [[0.0], [1.0], [5.0]]
    assert read_points(write("height\n0\n1\n")).points.tolist() == [[0.0], [1.0]]


def test_one_row_is_a_point(write: Write) -> None:
    assert read_points(write("1,2\n")).points.tolist() == [[1.0, 2.0]]


def test_points_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x,y\n1,2\n3,4\n")))
    file = read_points("-")
    assert file.points.tolist() == [[1, 2], [3, 4]]
    assert file.source == "standard input"


# --- header ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["0,1\n0.5,1.5\n2.5,3.5\n", "0,1\n0.5,7\n2.5,8\n"])
def test_names_that_pandas_gives_are_a_header_and_noted(write: Write, content: str) -> None:
    file = read_points(write(content))
    assert file.points[:, 0].tolist() == [0.5, 2.5]
    assert "say --header no" in file.notes[0]


@pytest.mark.parametrize("content", ["0,1\n2,3\n4,5\n", "0\n0.5\n1.5\n", "1,2\n1.5,2.5\n"])
def test_other_rows_of_numbers_are_points(write: Write, content: str | bytes) -> None:
    file = read_points(write(content))
    assert len(file.points) == len(content.splitlines())


def test_header_may_be_said(write: Write) -> None:
    name = write("0,1\n0.5,1.5\n2.5,3.5\n")
    assert len(read_points(name, header=False).points) == 3
    assert read_points(name, header=False).notes == ()
    assert read_points(write("7,8\n1,2\n"), header=True).features == ("7", "8")


def test_a_wanted_name_makes_a_header(write: Write) -> None:
    file = read_points(write("2019,2020,group\n1,2,a\n3,4,b\n"), label_column="group")
    assert file.points.tolist() == [[1, 2], [3, 4]]


def test_missing_values_do_not_hide_a_header(write: Write) -> None:
    with pytest.raises(InvalidInputError, match=r"1 row \(first: line 2, column 'y'\)"):
        read_points(write("x,y\n1,\n3,4\n"))


# --- label columns --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["0", "1", "-1"], [0, 1, -1]),
        (["0.0", "1.0", "-1.0"], [0, 1, -1]),
        (["red", "blue", "-1"], ["red", "blue", "-1"]),
        (["C#", "C", "#ff"], ["C#", "C", "#ff"]),
        (["True", "False", "True"], ["True", "False", "True"]),
        (['"a, b"', '"a"', '"a, b"'], ["a, b", "a", "a, b"]),
        (["a", "None", "b"], ["a", "None", "b"]),
        ([str(2**63 - 1), "0", "-1"], [2**63 - 1, 0, -1]),
        (
            ["18446744073709551617", "18446744073709551618", "0"],
            ["18446744073709551617", "18446744073709551618", "0"],
        ),
        (["1.5", "2", "3"], [1.5, 2.0, 3.0]),
    ],
)
def test_label_columns_become_integers_or_text(
    write: Write, cells: list[str], expected: list[Any]
) -> None:
    rows = "".join(f"{i}.5,{i},{cell}\n" for i, cell in enumerate(cells))
    for column, header in [("group", "x,y,group\n"), ("3", ""), ("-1", "x,y,group\n")]:
        file = read_points(write(header + rows), label_column=column)
        assert file.labels is not None
        assert file.labels.tolist() == expected
        assert file.points.tolist() == [[0.5, 0], [1.5, 1], [2.5, 2]]


def test_name_goes_before_number(write: Write) -> None:
    file = read_points(write("2,y,x\n7,8,9\n5,6,1\n"), label_column="2")
    assert file.labels is not None
    assert file.labels.tolist() == [7, 5]


def test_drop_leaves_columns_out(write: Write) -> None:
    name = write("id,x,note,y\n7,1,good,2\n9,3,bad,4\n")
    file = read_points(name, drop=["id", "3"])
    assert file.points.tolist() == [[1, 2], [3, 4]]
    assert file.features == ("x", "y")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["0", "", "1"], r"column 'group' holds no label in 1 row \(first: line 3\)"),
        (["0", "NaN", "NA"], r"in 2 rows \(first: line 3\)"),
        (["a", "", "NA"], r"in 1 row \(first: line 3\)"),
    ],
)
def test_missing_labels_are_refused(write: Write, cells: list[str], expected: str) -> None:
    rows = "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write("x,group\n" + rows), label_column="group")


# --- label files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        pytest.param("0\n0\n-1\n", "l.csv", [0, 0, -1], id="numbers"),
        pytest.param("label\n0\n0\n-1\n", "l.csv", [0, 0, -1], id="named numbers"),
        pytest.param("0\n1\n0\n-1\n", "l.csv", [1, 0, -1], id="name that pandas gives"),
        pytest.param("red\nred\nblue\n", "l.txt", ["red", "red", "blue"], id="text"),
        pytest.param("color\nred\nred\nblue\n", "l.txt", ["red", "red", "blue"], id="named text"),
        pytest.param("group 1\ngroup 2\ngroup 1\n", "l.txt", ["group 1", "group 2", "group 1"]),
        pytest.param("1.0\n2.0\n1.0\n", "l.csv", [1, 2, 1], id="floats"),
        pytest.param("5.000000000000000000e+00\n-1.0e+00\n0\n", "l.txt", [5, -1, 0], id="savetxt"),
    ],
)
def test_label_files(write: Write, content: str | bytes, name: str, expected: list[Any]) -> None:
    labels = read_labels(write(content, name), 3)
    assert labels.tolist() == expected


def test_label_file_with_several_columns_needs_a_choice(write: Write) -> None:
    name = write("id,group\n1,a\n2,b\n", "labels.csv")
    with pytest.raises(InvalidInputError, match=r"holds 2 columns \(id, group\).*--label-column"):
        read_labels(name, 2)
    assert read_labels(name, 2, column="group").tolist() == ["a", "b"]


def test_wrong_number_of_labels(write: Write) -> None:
    name = write("0\n1\n", "labels.csv")
    with pytest.raises(InvalidInputError, match=r"3 points, 2 labels in labels\.csv"):
        read_labels(name, 3)


def test_label_arrays(write: Write) -> None:
    for labels in ([0, 1, -1], ["a", "b", "c"], [True, False, True]):
        np.save("labels.npy", np.array(labels))
        assert read_labels("labels.npy", 3).tolist() == labels
    np.save("labels.npy", np.array([[0], [1], [2]]))
    assert read_labels("labels.npy", 3).tolist() == [0, 1, 2]


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
    file = read_points("points.npy", label_column="-1", drop=["1"])
    assert file.points.tolist() == [[1], [3]]
    assert file.labels is not None
    assert file.labels.tolist() == [7, 8]


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[1, "a"]], dtype=object), "cannot be read as a NumPy array"),
        (np.zeros((2, 2, 2)), "one or two dimensions"),
        (np.zeros(2, dtype=[("x", float)]), "without field names"),
        (np.array([["a", "b"]]), "must hold real numbers"),
        (np.zeros((0, 2)), "no points"),
        (np.array([[1.0, np.nan], [np.inf, 2], [3, 4]]), "2 rows .first: row 0, counting from 0"),
    ],
)
def test_arrays_that_hold_no_points(write: Write, array: NDArray[Any], expected: str) -> None:
    np.save("points.npy", array, allow_pickle=True)
    with pytest.raises(InvalidInputError, match=expected):
        read_points("points.npy")


def test_damaged_array_file(write: Write) -> None:
    for raw in (b"", b"\x93NUMPY\x01", b"nothing of the kind"):
        with pytest.raises(InvalidInputError, match="cannot be read as a NumPy array"):
            read_points(write(raw, "points.npy"))


def test_parquet(write: Write) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame(
        {"x": [1.5, -3, 5], "n": [2, 400, 1], "yes": [True, False, True], "kind": ["a", "b", "a"]},
        index=["p", "q", "r"],
    )
    frame.astype({"kind": "category"}).to_parquet("points.parquet")
    file = read_points("points.parquet", label_column="kind")
    assert file.points.tolist() == [[1.5, 2, 1], [-3, 400, 0], [5, 1, 1]]
    assert file.labels is not None
    assert file.labels.tolist() == ["a", "b", "a"]
    with pytest.raises(InvalidInputError, match=r"column 'kind' is not numeric.*--drop kind"):
        read_points("points.parquet")
    assert read_points("points.parquet", label_column="n", drop=["kind"]).labels is not None


def test_parquet_gaps_and_damage(write: Write) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"x": [1.5, None], "g": pandas.array([1, None], dtype="Int64")})
    frame.to_parquet("points.parquet")
    with pytest.raises(InvalidInputError, match=r"missing or infinite values in 1 row"):
        read_points("points.parquet", drop=["g"])
    with pytest.raises(InvalidInputError, match=r"column 'g' holds no label in 1 row"):
        read_points("points.parquet", label_column="g")
    with pytest.raises(InvalidInputError, match="cannot be read as Parquet"):
        read_points(write(b"PAR1 and so on", "broken.parquet"))


def test_parquet_without_pyarrow_says_what_to_install(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    name = write(b"PAR1", "points.parquet")
    with pytest.raises(InvalidInputError, match=r'pip install "disco-cvi\[parquet\]"'):
        read_points(name)


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "name", "expected"),
    [
        ("", "a.csv", r"a\.csv holds no data"),
        ("# nothing\n\n", "a.csv", "holds no data"),
        ("x,y\n", "a.csv", "column names but no points"),
        ("x,y\n1,2\n3\n", "a.csv", "line 3 holds 1 value, but line 1 holds 2"),
        ("# hm\nx,y\n\n1,2\n3,4,5\n", "a.csv", "line 5 holds 3 values, but line 2 holds 2"),
        ("1 2\n3 4 5\n", "a.txt", "line 2 holds 3 values, but line 1 holds 2"),
        ("x,y\n1,2\n3,four\n", "a.csv", r"'y' is not numeric \(line 3 holds 'four'\).*--drop y"),
        ("x,my col\n1,2\n3,four\n", "a.csv", r"--drop 'my col'"),
        ("1,a\n2,b\n", "a.csv", r"column 2 is not numeric \(line 1 holds 'a'\).*--drop 2"),
        ("x;y\n1,5;2\n3;4\n", "a.csv", r"decimal comma \(1,5, line 2\)"),
        ("x,y\n1,2\n3,nan\n4,\n", "a.csv", r"in 2 rows \(first: line 3, column 'y'\)"),
        ("x,y\n1,2\n3,1e999\n", "a.csv", "missing or infinite values in 1 row"),
        (b"x,y\n\xe9,1\n", "a.csv", "is not UTF-8 text"),
        (b"PK\x00\x01\x00", "a.csv", "is not a text file"),
        (b"not packed", "a.csv.gz", "cannot be unpacked"),
        (gzip.compress(b"x,y\n1,2\n" * 99, mtime=0)[:-9], "a.csv.gz", "cannot be unpacked"),
        ("x,y\n1,1_000\n2,3\n", "a.csv", "line 2 holds '1_000'"),
        ('x,"y\ncm"\n1,2\n3,"no"\n', "a.csv", r"column 'y\\ncm' is not numeric \(line 4 holds"),
        ('x,y\n1,2\n3,"4\n5,6\n', "a.csv", "line 4 holds '4"),
        ('x,y\n1,"' + "2" * 200_000, "a.csv", "cannot be read as CSV: field larger"),
        (b"", "a.npz", r"\.npz files are not read.*numpy\.save"),
        (b"", "a.xlsx", "Save the sheet as CSV"),
    ],
)
def test_unusable_files_are_refused_with_reason_and_place(
    write: Write, content: str | bytes, name: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content, name))


@pytest.mark.parametrize(
    ("content", "column", "expected"),
    [
        ("x,y,label\n1,2,3\n4,5,6\n", "lable", "no column 'lable'. Did you mean 'label'"),
        ("x,y,label\n1,2,3\n4,5,6\n", "team", "Its columns: x, y, label"),
        ("x,y,label\n1,2,3\n4,5,6\n", "4", "no column '4'"),
        ("x,y,label\n1,2,3\n4,5,6\n", "0", "no column '0'"),
        ("1,2,3\n4,5,6\n", "label", r"have no names\. Give a number from 1 to 3"),
        ("x,x,y\n1,2,3\n4,5,6\n", "x", r"2 columns named 'x'.*\(the first is 1\)"),
        ("x\n1\n2\n", "x", "no column of features"),
    ],
)
def test_columns_that_cannot_be_found(
    write: Write, content: str | bytes, column: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content), label_column=column)


def test_missing_file_is_an_os_error(write: Write) -> None:
    with pytest.raises(FileNotFoundError):
        read_points("nowhere.csv")


def test_row_numbers_are_noted(write: Write) -> None:
    file = read_points(write(",x\n0,5.5\n1,6.5\n2,1.5\n"))
    assert file.points.shape == (3, 2)
    assert "column 1 counts the rows" in file.notes[0]
    assert "--drop 1" in file.notes[0]
    assert read_points("points.csv", drop=["1"]).notes == ()


@examples(1000)
@given(st.text(alphabet='01.,;\t \n"#-ax', max_size=30))
def test_any_text_is_a_table_or_refused(text: str) -> None:
    try:
        table = TextTable(text.encode(), "file")
        numbers = table.matrix(range(table.width)) if table.n_rows else np.empty((0, table.width))
    except InvalidInputError:
        return
    assert numbers.shape == (table.n_rows, table.width)


def test_wide_files(write: Write) -> None:
    names = ",".join(f'"feature {j}"' for j in range(20_000))
    row = ",".join(map(str, range(20_000)))
    for header in ("", names + "\n"):
        file = read_points(write(header + row + "\n" + row + "\n"))
        assert file.points.shape == (2, 20_000)


def test_many_rows_with_text_labels_match(write: Write) -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(2000, 3))
    labels = rng.choice(["a b", "c", "-1"], 2000)
    rows = "".join(
        f"{x!r},{label},{y!r},{z!r}\n"
        for (x, y, z), label in zip(points.tolist(), labels, strict=True)
    )
    file = read_points(write("x,who,y,z\n" + rows), label_column="who")
    assert np.array_equal(file.points, points)
    assert file.labels is not None
    assert np.array_equal(file.labels, labels)
