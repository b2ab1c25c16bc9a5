"""A cache of kernels that is missing, full, damaged or stale costs time and nothing else.

And what a kernel that is put in place must not do is refused.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import disco_cvi
from disco_cvi._compute.compiler import KnownAnswers
from disco_cvi._compute.kernels import inline_kernel, kernel
from helpers.zoo import COMPILER_IS_OFF

CODE = (
    "import numpy as np;"
    "from disco_cvi.density_tree.walks import block_maxima, meeting_heights as f;"
    "j = np.arange(9.0); h = np.empty(1); p = np.array([1], np.int32); q = np.array([7], np.int32);"
    "f(j, block_maxima(j), p, q, h); print(h[0])"
)


def run(
    cache: Path, package: Path | None = None, code: str = CODE, answer: str = "7.0"
) -> subprocess.CompletedProcess[str]:
    # Bytecode of a source that changes within a second, but not in size, is taken for its own.
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(cache), PYTHONDONTWRITEBYTECODE="1")
    environment.pop("NUMBA_DISABLE_JIT", None)
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{answer}\n"
    return done


def test_kernels_are_compiled_once_and_the_user_is_told(tmp_path: Path) -> None:
    told = "disco-cvi: compiling its kernels; this takes some seconds, and they are kept.\n"
    assert run(tmp_path).stderr == told
    assert run(tmp_path).stderr == ""


@pytest.mark.skipif(COMPILER_IS_OFF, reason="nothing is kept")
def test_a_file_beside_the_data_does_not_say_where_kernels_are_kept(tmp_path: Path) -> None:
    pytest.importorskip("yaml")  # without it, numba reads no such file
    (tmp_path / ".numba_config.yaml").write_text("cache_dir: kept\n")
    code = (
        "from disco_cvi._compute.kernels import kept_in; from numba import config;"
        "from disco_cvi.density_tree.walks import meeting_heights;"
        "print(config.CACHE_DIR, kept_in(meeting_heights))"
    )
    environment = {name: os.environ[name] for name in os.environ if name != "NUMBA_CACHE_DIR"}
    environment.pop("NUMBA_DISABLE_JIT", None)
    environment["PYTHONPATH"] = str(Path(disco_cvi.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    theirs, ours = done.stdout.split(maxsplit=1)
    assert theirs == "kept"  # whoever else uses numba is not disturbed
    assert ours.strip() != "None"
    assert not (tmp_path / ours.strip()).is_relative_to(tmp_path)


def test_nothing_is_said_to_be_kept_where_nothing_can_be(tmp_path: Path) -> None:
    told = run(tmp_path, code="import os; os.access = lambda *_: False;" + CODE).stderr
    assert "each time anew: there is no folder to keep them in" in told


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    run(tmp_path)
    for path in tmp_path.rglob("*.nb[ic]"):
        path.write_bytes(path.read_bytes()[:20])
    assert "compiling" in run(tmp_path).stderr
    assert run(tmp_path).stderr == ""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may change."""
    import disco_cvi

    package = tmp_path / "copy" / "disco_cvi"
    shutil.copytree(Path(disco_cvi.__file__).parent, package)
    return package


def test_a_change_elsewhere_compiles_nothing(tmp_path: Path, copy: Path) -> None:
    cache = tmp_path / "cache"
    run(cache, copy.parent)
    with (copy / "cli" / "__init__.py").open("a") as file:
        file.write("# changed\n")
    assert run(cache, copy.parent).stderr == ""


def write_kernel(package: Path, name: str, body: str, imports: str = "") -> None:
    """A file with one kernel `f` in a folder that no list can know."""
    folder = package / "unheard_of" / "deeper"
    folder.mkdir(parents=True, exist_ok=True)
    head = f"from disco_cvi._compute.kernels import kernel\n{imports}\n"
    (folder / f"{name}.py").write_text(f"{head}\n@kernel\ndef f(x):\n    return {body}\n")


def test_a_changed_kernel_that_another_calls_gives_the_new_answer(
    tmp_path: Path, copy: Path
) -> None:
    cache, code = tmp_path / "cache", "from disco_cvi.unheard_of.deeper.two import f; print(f(1.0))"
    write_kernel(copy, "one", "x + 1.0")
    write_kernel(copy, "two", "g(x) * 2.0", "from disco_cvi.unheard_of.deeper.one import f as g")
    run(cache, copy.parent, code, "4.0")
    write_kernel(copy, "one", "x + 5.0")
    run(cache, copy.parent, code, "12.0")
    assert run(cache, copy.parent, code, "12.0").stderr == ""


compiled = pytest.mark.skipif(COMPILER_IS_OFF, reason="nothing is compiled")


def tail_and_number(values: Any) -> Any:
    return values[1:], 1


@compiled
def test_an_inline_kernel_that_returns_arrays_or_is_called_from_python_is_refused() -> None:
    refused = inline_kernel(tail_and_number)
    caller = numba.njit(lambda values: len(refused(values)))
    with pytest.raises(RuntimeError, match="tail_and_number returns arrays: make it a kernel"):
        caller(np.zeros(3))
    with pytest.raises(RuntimeError, match="can be called by kernels only"):
        refused(np.zeros(3))


def next_number(number: Any) -> Any:
    return number + 1


def third(values: Any) -> Any:
    return values[2]


BEYOND_THE_END = """
import numpy as np
from disco_cvi._compute.compiler import KnownAnswers
from disco_cvi._compute.kernels import inline_kernel, kernel
third = inline_kernel(lambda values: values[2])
f = kernel(lambda values: third(values))
print(f(np.arange(3.0)))
try:
    f(np.arange(2.0))
except IndexError as error:
    assert "out of bounds" in str(error), error
else:
    raise AssertionError("nothing was noticed")
"""


def test_bounds_are_checked_within_inline_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    run(tmp_path, code=BEYOND_THE_END, answer="2.0")


@compiled
def test_answers_about_types_are_remembered_for_our_kernels_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))  # what is kept asks nothing
    questions = []

    def answer(answers: Any, *question: Any) -> Any:
        questions.append(question)
        return answers._ask(*question)

    monkeypatch.setattr(KnownAnswers, "_answer", answer)
    numba.njit(next_number)(3)
    assert questions == []
    monkeypatch.setattr(next_number, "__module__", "disco_cvi")
    kernel(next_number)(3)
    assert questions != []
    with pytest.raises(numba.TypingError):
        kernel(next_number)("")
    questions.clear()
    numba.njit(third)(np.arange(3.0))
    assert questions == []


@compiled
def test_a_remembered_answer_is_that_of_numba() -> None:
    answers, add = KnownAnswers(), numba.njit(lambda one, other: one + other)
    expected = [numba.njit(add.py_func)(one, 2) for one in (1, 1.5, 1j)]
    answers.begin()
    try:
        found = [add(one, 2) for one in (1, 1.5, 1j)]
        again = [numba.njit(add.py_func)(one, 2) for one in (1, 1.5, 1j)]
    finally:
        answers.end()
    assert found == again == expected
    assert [*map(type, found)] == [*map(type, again)] == [*map(type, expected)]
