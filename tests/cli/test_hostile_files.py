"""Names and files that somebody made to do harm: terminals, memory and time are safe from them."""

from __future__ import annotations

import gzip
import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from disco_cvi.cli import main
from disco_cvi.cli.data import Source
from disco_cvi.cli.output import print_json
from disco_cvi.cli.tables import open_table

# To color, to ring, to go back to the begin of the line, the same in one byte, to turn the
# direction of writing, and half of a pair.
ORDERS = "a\x1b[31m\x07\r\x9b1m\u202eb"
COLUMN = ORDERS.replace("\r", "")  # a line ends with it


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files that are called, and hold columns and labels, in hostile words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCO_DATA", str(tmp_path / ORDERS))
    rows = [f"{i},{10 * (i // 6) + i % 3},{COLUMN}{i // 6},r{COLUMN}{i}" for i in range(12)]
    lines = "\n".join([f"{COLUMN}x,y,{COLUMN}label,{COLUMN}id", *rows])
    for name in ("table.csv", f"{ORDERS}.csv"):
        Path(name).write_text(lines, encoding="utf-8", newline="")
    labels = "\n".join(["cluster", *(f"{COLUMN}{i // 6}" for i in range(12))])
    for name in (f"{ORDERS}1.csv", f"{ORDERS}2.csv"):
        Path(name).write_text(labels, encoding="utf-8", newline="")
    Path("points.csv").write_text("\n".join(f"{i},{i // 6}" for i in range(12)))
    Path("cut.npy").write_bytes(b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', (")
    return tmp_path


OWN = ["--label-column", f"{COLUMN}label", "--id", f"{COLUMN}id"]
MIN_POINTS = ["--min-points", "2"]
LABEL_FILES = ["--labels", f"{ORDERS}1.csv", f"{ORDERS}2.csv"]


@pytest.mark.parametrize(
    "command",
    [
        ["score", f"{ORDERS}.csv", *OWN, *MIN_POINTS],
        ["score", f"{ORDERS}.csv", *OWN, *MIN_POINTS, "--json"],
        ["score", f"{ORDERS}.csv", *OWN, *MIN_POINTS, "--samples", f"{ORDERS}out.csv"],
        ["score", f"{ORDERS}.csv", "--label-column", ORDERS],
        ["score", f"{ORDERS}.csv", "--label-column", "y"],
        ["score", f"{ORDERS}.csv"],
        ["score", f"{ORDERS}.csv", *OWN, "--drop", "y", "1"],
        ["score", f"{ORDERS}.csv", *OWN, "--columns", f"{COLUMN}label"],
        ["score", f"{ORDERS}.csv", *OWN, "--noise-label", ORDERS, *MIN_POINTS],
        ["score", f"{ORDERS}.csv", *OWN, "--metric", ORDERS],
        ["score", f"{ORDERS}.csv", *OWN, "--sep", ORDERS],
        ["score", f"{ORDERS}.csv", *OWN, "--encoding", ORDERS],
        ["score", f"{ORDERS}.csv", *OWN, "--min-points", ORDERS],
        ["score", f"{ORDERS}.csv", *OWN, f"--{ORDERS}"],
        ["score", f"{ORDERS}.csv", *OWN, ORDERS],
        ["score", f"{ORDERS}.npz", *OWN],
        ["score", f"{ORDERS}none.csv", *OWN],
        ["score", f"{ORDERS}.csv", *OWN, *MIN_POINTS, "--samples", f"{ORDERS}/out.csv"],
        ["score", f"{ORDERS}.csv", *OWN, *MIN_POINTS, "--samples", f"{ORDERS}.csv"],
        ["score", "cut.npy", "--label-column", "1"],
        ["explain", f"{ORDERS}.csv", *OWN, *MIN_POINTS],
        ["explain", f"{ORDERS}.csv", *OWN, *MIN_POINTS, "--json"],
        ["compare", "points.csv", *LABEL_FILES, *MIN_POINTS, "--indices", "disco", "dbcv", "cvdd"],
        ["compare", "points.csv", *LABEL_FILES, *MIN_POINTS, "--indices", "disco", "--json"],
        ["compare", "points.csv", *LABEL_FILES, "--indices", ORDERS],
        ["compare", "table.csv", *LABEL_FILES, *MIN_POINTS, "--indices", "disco"],
        ["report", "points.csv", *LABEL_FILES, *MIN_POINTS, "-o", f"{ORDERS}.html", "--json"],
        ["report", "points.csv", *LABEL_FILES, *MIN_POINTS, "-o", ORDERS],
        ["tune", f"{ORDERS}.csv", "--columns", f"{COLUMN}x", "y", "--no-null"],
        ["tune", f"{ORDERS}.csv", "--id", ORDERS],
        ["tune", "points.csv", "--no-null", "--out", f"{ORDERS}out.csv"],
        ["reproduce", ORDERS],
        [ORDERS],
    ],
)
def test_no_name_gives_orders_to_the_terminal(
    hostile: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(command)
    shown = "".join(capsys.readouterr())
    assert code in (0, 1, 2)
    assert shown
    assert all(letter.isprintable() or letter == "\n" for letter in shown), ascii(shown)


def test_json_says_what_the_names_are(capsys: pytest.CaptureFixture[str]) -> None:
    names = [ORDERS, "caf\u00e9 \u732b", "\ud800", "\U000e0001", 'quote " \\ \x7f']
    print_json({"names": names})
    shown = capsys.readouterr().out
    assert json.loads(shown) == {"names": names}
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert "caf\u00e9 \u732b" in shown


# --- ends without a traceback ---------------------------------------------------------------------

INDICES = [sys.executable, "-m", "disco_cvi", "indices"]


@pytest.mark.skipif(os.name == "nt", reason="it takes a shell")
@pytest.mark.parametrize("command", ["{} >&-", "{} --json >&-", "{} >&- 2>&-", "{} nothing >&-"])
def test_a_closed_output_is_no_error(command: str) -> None:
    words = command.format(" ".join(INDICES))
    ended = subprocess.run(words, shell=True, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == (2 if "nothing" in command else 0)
    assert "Traceback" not in ended.stderr


@pytest.mark.skipif(os.name == "nt", reason="it takes a shell")
@pytest.mark.parametrize("words", ["", "score no-file.csv --labels l.csv", "nothing", "indices"])
def test_what_goes_to_a_closed_error_stream_does_not_go_to_the_output(words: str) -> None:
    command = f"{sys.executable} -m disco_cvi {words} 2>&-"
    ended = subprocess.run(command, shell=True, stdout=subprocess.PIPE, text=True, check=False)
    assert (ended.stdout == "") == (words != "indices")


@pytest.mark.skipif(os.name == "nt", reason="it takes a shell")
def test_ctrl_c_with_a_closed_error_stream_ends_with_its_code() -> None:
    script = INTERRUPTED.format(name="typer")
    words = f"{sys.executable} -c {shlex.quote(script)} 2>&-"
    assert subprocess.run(words, shell=True, check=False).returncode == 130


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a  b.csv", "a  b.csv"), ("a\tb.csv", "a\\tb.csv"), (" a\r\n\u2028b", " a\\r\\n\\u2028b")],
)
def test_names_of_files_are_told_letter_by_letter(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, shown: str
) -> None:
    assert main(["tune", name]) == 1
    assert capsys.readouterr().err == f"disco: {shown}: No such file or directory\n"


def test_numbers_whose_squares_are_too_large_warn_of_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"{i},{i % 7}\n" for i in range(20))
    Path("points.csv").write_text(f"x,y\n{rows}1e308,-1e308\n")
    assert main(["tune", "points.csv", "--no-null", "--min-points", "3"]) == 0
    assert "overflow" not in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="it takes a shell")
def test_a_reader_that_reads_nothing_is_no_error() -> None:
    words = " ".join(INDICES)
    ended = subprocess.run(
        f"{words} | head -n 0", shell=True, capture_output=True, text=True, check=False
    )
    assert (ended.stdout, ended.stderr) == ("", "")


INTERRUPTED = """
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from disco_cvi.__main__ import main
sys.argv = ["disco", "indices"]
sys.exit(main())
"""


@pytest.mark.parametrize("name", ["typer", "disco_cvi.cli.options", "disco_cvi.indices.registry"])
def test_ctrl_c_during_imports_is_answered_in_a_line(name: str) -> None:
    script = INTERRUPTED.format(name=name)
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (130, "")
    assert ended.stderr == "disco: interrupted\n"


# --- no more than is allowed ----------------------------------------------------------------------

TABLE = "x,y,c\n0,0,a\n0,1,a\n9,9,b\n9,8,b\n"
SCORE = ["--label-column", "c", "--min-points", "2"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], name: str, size: str = "1 MiB") -> None:
    assert main(["score", name, *SCORE, "--max-size", size.replace(" ", "")[:-2]]) == 1
    shown = capsys.readouterr().err
    assert f"{name} holds more than {size}, and no more is read of a file" in shown
    assert "--max-size 20G" in shown


@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb"])
def test_a_bomb_of_gzip_is_unpacked_to_the_limit_only(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_bytes(gzip.compress(bytes(200 << 20)))
    assert Path(name).stat().st_size < 1 << 20
    refused(capsys, name)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device on this system")
def test_a_device_without_end_is_read_to_the_limit_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    refused(capsys, "/dev/zero")


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no such file on this system")
def test_what_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", "/proc/self/mem"]) == 1
    assert capsys.readouterr().err == "disco: /proc/self/mem: Input/output error\n"


@pytest.mark.parametrize("name", ["holes.csv", "holes.npy", "holes.parquet"])
def test_a_file_that_is_larger_than_allowed_is_not_read(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path(name).open("wb") as stream:
        stream.truncate(1 << 40)
    refused(capsys, name, "2 GiB")


def test_equal_values_in_parquet_are_counted_before_they_are_read(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"x": np.zeros(1_000_000)}), "zeros.parquet")
    assert Path("zeros.parquet").stat().st_size < 1 << 20
    refused(capsys, "zeros.parquet")


def test_packed_arrow_is_counted_before_it_is_unpacked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    zeros = arrow.table({"x": np.zeros(300_000), "y": np.zeros(300_000)})
    feather.write_feather(zeros, "zeros.feather", compression="zstd")
    packed = arrow.ipc.IpcWriteOptions(compression="lz4")
    with arrow.ipc.new_stream("zeros.arrow", zeros.schema, options=packed) as stream:
        stream.write_table(zeros)
    nothing = arrow.table({"x": arrow.nulls(1 << 20)})
    with arrow.ipc.new_stream("nothing.arrow", nothing.schema) as stream:
        stream.write_table(nothing)
    unlike = {"s": ["".join("ab"[j >> i & 1] for i in range(20)) * 1000 for j in range(100)]}
    feather.write_feather(arrow.table(unlike), "texts.feather", compression="zstd")
    for name in ("zeros.feather", "zeros.arrow", "nothing.arrow", "texts.feather"):
        assert Path(name).stat().st_size < 1 << 20
        refused(capsys, name)


@pytest.mark.parametrize("name", ["words.parquet", "words.feather", "words.arrow"])
def test_long_words_of_a_dictionary_are_not_repeated_in_memory(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arrow = pytest.importorskip("pyarrow")
    feather, parquet = (pytest.importorskip(f"pyarrow.{form}") for form in ("feather", "parquet"))
    word, codes = "a" * 10_000, arrow.array(np.zeros(3000, np.int8))
    words = arrow.DictionaryArray.from_arrays(codes, [word])
    if name == "words.arrow":  # views of one word
        view = np.array([len(word), int.from_bytes(b"aaaa"), 0, 0], np.int32)
        parts = [None, arrow.py_buffer(np.tile(view, 3000)), arrow.py_buffer(word.encode())]
        try:
            words = arrow.Array.from_buffers(arrow.string_view(), 3000, parts)
        except ValueError:
            pytest.skip("this pyarrow makes no views of text")
    table = arrow.table({"x": np.arange(3000.0), "y": np.arange(3000), "c": words})
    if name == "words.parquet":
        parquet.write_table(
            table.cast(arrow.schema({"x": "double", "y": "int64", "c": "string"})), name
        )
    else:
        feather.write_feather(table, name, compression="zstd")
    assert Path(name).stat().st_size < 1 << 20
    refused(capsys, name)


@pytest.mark.parametrize("name", ["long.csv", "long.jsonl"])
def test_one_long_label_does_not_widen_all_others(
    here: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["a" * 100_000, *("b" for _ in range(100))]
    rows = [f'{{"x": {i}, "c": "{label}"}}' for i, label in enumerate(labels)]
    if name == "long.csv":
        rows = ["x,c", *(f"{i},{label}" for i, label in enumerate(labels))]
    Path(name).write_text("\n".join(rows))
    refused(capsys, name)


WIDE = 100_001


@pytest.mark.parametrize(
    "text",
    [
        "," * WIDE,
        "1 " * WIDE,
        "1\t" * WIDE,
        "1,2\n" * 60 + "," * WIDE,
        "1 2\n" * 60 + "1 " * WIDE,
        'x,y\n"' + '\n",1,"' * WIDE,
    ],
)
def test_a_row_of_very_many_values_is_not_cut(
    here: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("wide.csv").write_text(text)
    assert main(["score", "wide.csv", "--label-column", "1"]) == 1
    assert "wide.csv holds a row of more than 100,000 values" in capsys.readouterr().err


def test_many_columns_are_read(here: Path) -> None:
    Path("wide.csv").write_text("\n".join(["1," * 20_000 + "2"] * 3))
    assert open_table("wide.csv", Source(None)).matrix(range(20_001)).shape == (3, 20_001)


def test_an_option_allows_more(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("table.csv").write_text(TABLE)
    Path("packed.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    for name in ("table.csv", "packed.csv.gz"):
        assert main(["score", name, *SCORE, "--max-size", "10"]) == 1
        for enough in ("1k", "1KB", "1KiB", "100MB", "1 GiB", "1000B"):
            assert main(["score", name, *SCORE, "--max-size", enough]) == 0
    for wrong in ("0", "0MB", "-1", "many", "1.5G", "", "G", "MB", "1Mi", "1BB", "9" * 5000):
        assert main(["score", "table.csv", *SCORE, "--max-size", wrong]) == 2
    assert "--max-size must be a number of bytes, such as" in capsys.readouterr().err


# --- what can be read once ------------------------------------------------------------------------

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


def feed(name: str, content: bytes) -> threading.Thread:
    """Let another thread write to a new pipe."""
    os.mkfifo(name)
    writer = threading.Thread(target=lambda: Path(name).write_bytes(content))
    writer.start()
    return writer


@needs_pipes
@pytest.mark.parametrize("command", ["score", "explain", "compare"])
def test_a_named_pipe_is_read_once(
    here: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = feed("pipe", TABLE.encode())
    more = ["--indices", "disco"] if command == "compare" else []
    assert main([command, "pipe", *SCORE, *more]) == 0
    writer.join()
    shown = capsys.readouterr()
    assert "pipe is a pipe: reading waits until another program writes to it." in shown.err
    assert "0.912" in shown.out


@needs_pipes
def test_an_array_comes_through_a_pipe(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save("array.npy", np.array([[0, 0, 1], [0, 1, 1], [9, 9, 2], [9, 8, 2]]))
    writer = feed("pipe.npy", Path("array.npy").read_bytes())
    assert main(["score", "pipe.npy", "--label-column", "3", "--min-points", "2"]) == 0
    writer.join()
    assert "0.912" in capsys.readouterr().out


@needs_pipes
def test_a_pipe_is_not_read_for_a_hint_or_twice(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo("pipe")  # nobody writes to it: whoever read it would wait
    assert main(["score", "pipe"]) == 2
    assert main(["score", "pipe", "--labels", "pipe"]) == 2
    assert "cannot both come from the pipe pipe" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/bin/bash").exists(), reason="it takes a shell that has it")
def test_what_a_shell_substitutes_is_read(here: Path) -> None:
    Path("table.csv").write_text(TABLE)
    disco = f"{sys.executable} -m disco_cvi"
    words = (
        f"{disco} compare <(cut -d, -f1,2 table.csv) --labels <(cut -d, -f3 table.csv) "
        "--indices disco --min-points 2"
    )
    ended = subprocess.run(["/bin/bash", "-c", words], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "0.9123" in ended.stdout


@needs_pipes
def test_what_can_be_read_once_is_not_advised_to_be_read_again(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "x,y\n" + "".join(f"{10 * (i // 6) + i % 3},{i % 2}\n" for i in range(24))
    tune = ["--min-points", "2", "--no-null"]
    writer = feed("pipe", rows.encode())
    assert main(["tune", "pipe", *tune]) == 0
    writer.join()
    Path("table.csv").write_text(rows)
    with Path("table.csv").open("rb") as stream:
        assert main(["tune", f"/dev/fd/{stream.fileno()}", *tune]) == 0
    shown = capsys.readouterr().out
    assert shown.count("import disco_cvi  # X: the points") == 2
    assert shown.count("disco score points.csv --labels") == 2
    assert "read_csv" not in shown
    assert main(["tune", "table.csv", *tune]) == 0
    assert "pandas.read_csv('table.csv')" in capsys.readouterr().out
