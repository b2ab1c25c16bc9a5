"""Files are complete or not there; columns become CSV, TSV, NPY and Parquet."""

from __future__ import annotations

import gzip
import os
import re
import stat
import threading
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
import pytest

from disco_cvi import DensityTree
from disco_cvi._output.files import check_not_read, check_output, write_columns, write_file
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from helpers.source import MODULES

pytestmark = pytest.mark.small


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- complete or not there ------------------------------------------------------------------------


def test_a_new_file_has_the_mode_that_new_files_have(folder: Path) -> None:
    Path("usual").touch()
    write_file("new", lambda stream: stream.write(b"content"))
    assert Path("new").read_bytes() == b"content"
    assert Path("new").stat().st_mode == Path("usual").stat().st_mode
    assert names_in(folder) == ["new", "usual"]


def test_an_existing_file_keeps_its_mode(folder: Path) -> None:
    Path("old").touch()
    Path("old").chmod(0o600)

    def write(stream: IO[bytes]) -> None:
        assert stat.S_IMODE(os.fstat(stream.fileno()).st_mode) == 0o600
        assert Path("old").read_bytes() == b""
        stream.write(b"content")

    write_file(folder / "old", write)
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o600
    assert Path("old").read_bytes() == b"content"


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt(), ValueError("no")])
def test_after_an_error_there_is_no_draft_and_the_old_file(
    folder: Path, error: BaseException
) -> None:
    Path("old").write_bytes(b"old")

    def fail(stream: IO[bytes]) -> NoReturn:
        stream.write(b"half")
        raise error

    for name in ("old", "new"):
        with pytest.raises(type(error)):
            write_file(name, fail)
    assert names_in(folder) == ["old"]
    assert Path("old").read_bytes() == b"old"


def test_threads_that_write_to_one_path_do_not_meet(folder: Path) -> None:
    both = threading.Barrier(2, timeout=60)

    def save(letter: bytes) -> None:
        def write(stream: IO[bytes]) -> None:
            for _ in range(20):
                both.wait()
                stream.write(letter * 10_000)
                stream.flush()

        write_file("one", write)

    threads = [threading.Thread(target=save, args=(letter,)) for letter in (b"a", b"b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path("one").read_bytes() in (b"a" * 200_000, b"b" * 200_000)
    assert names_in(folder) == ["one"]


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_its_target_is_written(folder: Path, exists: bool) -> None:
    Path("there").mkdir()
    if exists:
        Path("there/real").write_bytes(b"old")
    Path("link").symlink_to("there/real")
    write_file("link", lambda stream: stream.write(b"content"))
    assert Path("link").is_symlink()
    assert Path("there/real").read_bytes() == b"content"
    assert names_in(folder / "there") == ["real"]
    assert names_in(folder) == ["link", "there"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_tree_goes_through_a_pipe(folder: Path) -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    tree = DensityTree([[0.0], [1.0], [3.0]], min_points=2)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_bytes()))
    reader.start()
    tree.save("link")
    reader.join(timeout=60)
    assert Path("pipe").is_fifo()
    Path("tree.npz").write_bytes(read[0])
    assert np.array_equal(DensityTree.load("tree.npz").heights, tree.heights)


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device on this system")
def test_a_device_is_written_to_and_not_replaced(folder: Path) -> None:
    DensityTree([[0.0], [1.0]], min_points=1).save("/dev/null")
    assert Path("/dev/null").is_char_device()


needs_descriptors = pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="no such folder here")


@needs_descriptors
def test_what_is_open_is_written_to_and_not_replaced(folder: Path) -> None:
    tree = DensityTree(np.array([[0.0], [1], [3]]), min_points=1)
    with Path("open").open("w+b") as stream:
        before = os.fstat(stream.fileno()).st_ino
        tree.save(f"/dev/fd/{stream.fileno()}")
    assert Path("open").stat().st_ino == before
    assert DensityTree.load("open").linkage().tolist() == tree.linkage().tolist()
    assert names_in(folder) == ["open"]


def test_an_error_names_the_path_alone(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"'/nonexistent/file'$"):
        write_file("/nonexistent/file", lambda stream: stream.write(b"content"))


def test_what_takes_a_name_is_on_the_disk_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a machine that loses its power has an empty file in the place of the old one."""
    done: list[str] = []
    monkeypatch.setattr(os, "fsync", lambda _: done.append("on the disk"))
    monkeypatch.setattr(Path, "replace", lambda *_: done.append("renamed"))
    write_file("file", lambda stream: stream.write(b"content"))
    assert done == ["on the disk", "renamed"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device on this system")
def test_an_error_of_a_device_names_it() -> None:
    with pytest.raises(OSError, match="/dev/full"):
        write_file("/dev/full", lambda stream: stream.write(b"content"))


@pytest.mark.parametrize("path", [None, 5, b"tree.npz", ["tree.npz"]])
def test_what_is_no_path_is_named(path: Any) -> None:
    tree = DensityTree([[0.0], [1.0]], min_points=1)
    with pytest.raises(InvalidTypeError, match="path of save must be a path; got"):
        tree.save(path)
    with pytest.raises(InvalidTypeError, match="path of load must be a path; got"):
        DensityTree.load(path)


@pytest.mark.parametrize("path", ["", "a\0b", "lone \ud800"])
def test_what_cannot_be_a_path_is_named(path: str) -> None:
    tree = DensityTree([[0.0], [1.0]], min_points=1)
    with pytest.raises(InvalidInputError, match="path of save must be a path that this system"):
        tree.save(path)
    with pytest.raises(InvalidInputError, match="path of load must be a path that this system"):
        DensityTree.load(path)


@pytest.mark.parametrize("module", MODULES)
def test_no_other_code_writes_files(module: str) -> None:
    writes = r"""write_text|write_bytes|open\(["'][wxa]b?["']|open\([^)]*, ["'][wxa]|os\.replace"""
    found = re.search(writes, MODULES[module].read_text())
    assert module == "_output.files" or found is None


# --- columns --------------------------------------------------------------------------------------

COLUMNS = {
    "score": np.array([0.1, -1.0, 1 / 3]),
    "cluster": np.array(["a, b", None, "c"], dtype=object),
    "rho_far": np.array([np.nan, 0.5, np.nan]),
    "is_noise": np.array([False, True, False]),
}


@pytest.mark.parametrize(("ending", "separator"), [(".csv", ","), (".tsv", "\t"), (".csv.gz", ",")])
def test_columns_as_text(folder: Path, ending: str, separator: str) -> None:
    write_columns("out" + ending, COLUMNS)
    raw = Path("out" + ending).read_bytes()
    text = (gzip.decompress(raw) if ending.endswith(".gz") else raw).decode()
    quote = '"' if separator == "," else ""
    assert text.split("\n") == [
        separator.join(COLUMNS),
        separator.join(["0.1", f"{quote}a, b{quote}", "", "False"]),
        separator.join(["-1.0", "", "0.5", "True"]),
        separator.join([repr(1 / 3), "c", "", "False"]),
        "",
    ]
    assert [path.name for path in Path().iterdir()] == ["out" + ending]


def test_columns_as_array(folder: Path) -> None:
    write_columns("out.npy", COLUMNS)
    assert np.array_equal(np.load("out.npy"), COLUMNS["score"])


def test_columns_as_parquet(folder: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    write_columns("out.parquet", COLUMNS)
    assert parquet.read_table("out.parquet").to_pydict() == {
        "score": [0.1, -1.0, 1 / 3],
        "cluster": ["a, b", None, "c"],
        "rho_far": [None, 0.5, None],
        "is_noise": [False, True, False],
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("out.xlsx", "must end in"),
        ("out", "must end in"),
        ("out.npy.gz", "must end in"),
        ("no/such/out.csv", "there is no folder"),
        ("folder.csv", "it is a folder"),
    ],
)
def test_outputs_are_checked_before_the_work(folder: Path, path: str, expected: str) -> None:
    Path("folder.csv").mkdir()
    with pytest.raises(InvalidInputError, match=expected):
        check_output(path)


def test_no_input_is_overwritten() -> None:
    Path("points.csv").touch()
    Path("link.csv").symlink_to("points.csv")
    check_not_read("new.csv", "points.csv", None)
    with pytest.raises(InvalidInputError, match=r"link.csv would overwrite points.csv, which is"):
        check_not_read("link.csv", None, "points.csv")
