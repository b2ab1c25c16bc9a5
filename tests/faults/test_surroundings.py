"""Homes, caches and installations that cannot be written to; other locales; names of all letters.

A damaged cache of kernels is in tests/compute/test_kernels.py, a folder of downloads that cannot be
used in paper/tests/datasets/downloads/test_fetch.py.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import disco_cvi
from disco_cvi.cli import main
from fuzz.workers import prefix, without_rights

SOURCE = Path(disco_cvi.__file__).parents[1]
POINTS = np.array([[0.0, 0], [0, 1], [1, 0], [9, 9], [9, 8], [8, 9], [30, 30]])
LABELS = ["a", "a", "a", "ü", "ü", "ü", "-1"]
SCORE = "DISCO score 0.919"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_table(tmp_path / "points.csv")
    return tmp_path


def write_table(path: Path) -> None:
    rows = [f"{x!r},{y!r},{name}" for (x, y), name in zip(POINTS.tolist(), LABELS, strict=True)]
    path.write_text("\n".join(["x,y,größe", *rows, ""]), encoding="utf-8")


def disco(
    folder: Path, *words: str, changed: dict[str, str] | None = None, rights: bool = True
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with other variables, perhaps as a user without rights."""
    settings: dict[str, Any] = {} if rights else without_rights()
    return subprocess.run(
        [*([] if rights else prefix()), sys.executable, "-m", "disco_cvi", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SOURCE), **(changed or {})},
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        check=False,
        **settings,
    )


def score(name: str = "points.csv", *more: str) -> list[str]:
    return ["score", name, "--label-column", "3", "--min-points", "2", *more]


# --- nothing can be written -----------------------------------------------------------------------

needs_rights_to_lose = pytest.mark.skipif(
    os.name != "posix" or (os.geteuid() == 0 and not (prefix() or without_rights())),
    reason="root may write everywhere, and cannot be another user here",
)


@pytest.fixture
def closed(tmp_path: Path) -> Any:
    """A folder that its owner may read and not write to."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    yield folder
    folder.chmod(0o755)


@needs_rights_to_lose
def test_a_home_and_a_cache_that_cannot_be_written_to(folder: Path, closed: Path) -> None:
    nowhere = {"HOME": str(closed), "XDG_CACHE_HOME": str(closed), "TMPDIR": str(closed)}
    done = disco(folder, *score(), rights=False, changed=nowhere)
    assert (done.returncode, done.stdout[: len(SCORE)]) == (0, SCORE), done.stderr
    assert "Traceback" not in done.stderr


@needs_rights_to_lose
@pytest.mark.parametrize("words", [score("points.csv", "--samples", "closed/out.csv")])
def test_a_folder_that_takes_no_file_is_named(folder: Path, closed: Path, words: list[str]) -> None:
    done = disco(folder, *words, rights=False)
    assert (done.returncode, done.stdout[: len(SCORE)]) == (1, SCORE)
    assert done.stderr.splitlines()[-1] == "disco: closed/out.csv: Permission denied"


# --- locales --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of samples that is written without any of this."""
    folder = tmp_path_factory.mktemp("usual")
    write_table(folder / "points.csv")
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        assert main(score("points.csv", "--samples", "usual.csv")) == 0
    return (folder / "usual.csv").read_bytes()


LOCALES = {
    "C": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "POSIX, UTF-8 mode": {"LC_ALL": "POSIX", "PYTHONUTF8": "1"},
    "Latin-1 streams": {"PYTHONIOENCODING": "latin-1"},
}


@pytest.mark.parametrize("name", LOCALES)
def test_any_locale_gives_the_same_answer_and_the_same_bytes(
    folder: Path, name: str, usual: bytes
) -> None:
    done = disco(folder, *score("points.csv", "--samples", "other.csv"), changed=LOCALES[name])
    assert (done.returncode, done.stdout[: len(SCORE)]) == (0, SCORE), done.stderr
    assert done.stderr == "disco: wrote 7 rows to other.csv.\n"
    assert (folder / "other.csv").read_bytes() == usual


def test_json_has_no_letter_that_the_locale_lacks(folder: Path) -> None:
    done = disco(folder, *score("points.csv", "--json"), changed=LOCALES["C"])
    assert done.stdout.isascii()
    assert [cluster["name"] for cluster in json.loads(done.stdout)["clusters"]] == ["a", "ü"]


# --- names ----------------------------------------------------------------------------------------

NAMES = ["größe 数据 🦀", "עברית", "e\u0301 and \u00e9", "-dash", "new\nline", "  ", "quo'te\"s"]

ALL_NAMES = """
import contextlib, io, sys
from disco_cvi.cli import main

for name in sys.argv[1:]:
    words = ["--label-column", "3", "--min-points", "2", "--samples", f"./{name}/{name}-out.csv"]
    codes = [main(["score", f"./{name}/{name}{end}", *words]) for end in (".csv", ".none")]
    assert codes == [0, 1], (name, codes)
"""


@pytest.mark.skipif(os.name != "posix", reason="Windows refuses such names")
@pytest.mark.parametrize("locale", ["C", "POSIX, UTF-8 mode"])
def test_files_of_any_name_are_read_and_written(tmp_path: Path, locale: str, usual: bytes) -> None:
    names = [*NAMES, os.fsdecode(b"caf\xe9")] if sys.platform == "linux" else NAMES
    for name in names:
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / f"{name}.csv")
    done = subprocess.run(
        [sys.executable, "-c", ALL_NAMES, *names],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCE), **LOCALES[locale]},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 2 * len(names)
    for name in names:
        assert (tmp_path / name / f"{name}-out.csv").read_bytes() == usual


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_tree_in_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    name = tmp_path / os.fsdecode(b"caf\xe9.npz")
    tree = disco_cvi.DensityTree(POINTS, min_points=2)
    tree.save(name)
    assert np.array_equal(disco_cvi.DensityTree.load(name).heights, tree.heights)
