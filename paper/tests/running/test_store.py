"""The store: what goes in comes out, and what is not a store is refused in plain words."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from disco_cvi.exceptions import InvalidInputError
from disco_paper.cells.cell import GROUND_TRUTH, Cell, Outcome, Value, spec
from disco_paper.running.store import FILE_NAME, Store, open_store

A = Cell(spec("line", size=3), GROUND_TRUTH, spec("disco", min_points=5))
B = Cell(spec("line", size=3), GROUND_TRUTH, spec("disco", min_points=6))


@pytest.mark.parametrize(
    "value",
    [0.1 + 0.2, -1e-300, 3, "text", True, None, [1.5, None, "a"], {"a": [0.1], "b": {"c": 2}}],
    ids=str,
)
def test_values_come_back_as_they_were(tmp_path: Path, value: Value) -> None:
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(value, seconds=0.25))
    with open_store(tmp_path) as store:
        assert store.get("toy", "1", [A, B]) == {A: Outcome(value, seconds=0.25)}
        assert type(store.get("toy", "1", [A])[A].value) is type(value)


def test_undefined_and_error_come_back(tmp_path: Path) -> None:
    undefined = Outcome(None, "No clusters.", seconds=1.0)
    error = Outcome(None, "ValueError: no.", is_error=True)
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, undefined)
        store.put("toy", "1", B, error)
        assert store.get("toy", "1", [B, A]) == {A: undefined, B: error}
        store.put("toy", "1", B, Outcome(2.0))
        assert store.get("toy", "1", [B]) == {B: Outcome(2.0)}


def test_experiment_versions_and_options_tell_cells_apart(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(1.0))
        store.put("toy", "2", A, Outcome(2.0))
        store.put("other", "1", A, Outcome(3.0))
        store.put("toy", "1", B, Outcome(4.0))
        assert store.get("toy", "1", [A]) == {A: Outcome(1.0)}
        assert store.get("toy", "2", [A, B]) == {A: Outcome(2.0)}
        assert store.get("other", "1", [A])[A].value == 3.0
        assert store.get("toy", "1", [B])[B].value == 4.0


def test_not_a_number_never_gets_in(tmp_path: Path) -> None:
    with open_store(tmp_path) as store, pytest.raises(ValueError, match="JSON"):
        store.put("toy", "1", A, Outcome([float("nan")]))


# --- files that are no stores -------------------------------------------------------------------


def test_another_file(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("a,b\n1,2\n" * 200)
    with pytest.raises(InvalidInputError, match=r"cannot be read as a store.*Move it away"):
        Store(tmp_path)


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE people (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(
        InvalidInputError, match=r"out of reproduce holds a database that is no store of cells"
    ):
        Store(tmp_path)
    assert path.read_bytes() == before


def test_newer_layout(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(1.0))
    other = sqlite3.connect(tmp_path / FILE_NAME)
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(InvalidInputError, match=r"newer release.*layout 99.*Update disco-cvi"):
        Store(tmp_path)


def test_damaged_file(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        for number in range(300):
            cell = Cell(spec("line", size=number), GROUND_TRUTH, spec("disco"))
            store.put("toy", "1", cell, Outcome("x" * 100))
    path = tmp_path / FILE_NAME
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match="cannot be read as a store"):  # noqa: SIM117
        with open_store(tmp_path) as store:
            store.get("toy", "1", [A])


def test_in_use_by_this_process_and_by_another(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from disco_paper.running.store import Store\n"
        "try: Store(pathlib.Path(sys.argv[1]))\n"
        "except ValueError as error: print(error)"
    )
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(1.0))
        with pytest.raises(InvalidInputError, match="is in use: another run"):
            Store(tmp_path)
        answer = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
        )
        assert "is in use: another run" in answer.stdout
        store.put("toy", "1", B, Outcome(2.0))
    with open_store(tmp_path) as store:
        assert len(store.get("toy", "1", [A, B])) == 2


# --- a disk that refuses ------------------------------------------------------------------------


def test_full_disk_keeps_what_was_stored(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(1.0))
        pages = store._file.execute("PRAGMA page_count").fetchone()[0]
        store._file.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(OSError, match=r"full\. What was stored before is safe") as caught:
            store.put("toy", "1", B, Outcome("x" * 100_000))
        assert caught.value.filename == str(tmp_path / FILE_NAME)
    with open_store(tmp_path) as store:
        assert store.get("toy", "1", [A, B]) == {A: Outcome(1.0)}


@pytest.mark.parametrize("name", ["", FILE_NAME])
def test_what_may_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with open_store(tmp_path) as store:
        store.put("toy", "1", A, Outcome(1.0))
    # To the administrator, who may run the tests, every file is writable.
    monkeypatch.setattr(os, "access", lambda path, _: path != tmp_path / name)
    with pytest.raises(PermissionError, match="may not be written to") as caught:
        Store(tmp_path)
    assert caught.value.filename == str(tmp_path / name)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"cannot be written \(unable to open database file\)"):
        Store(tmp_path / "nowhere")
