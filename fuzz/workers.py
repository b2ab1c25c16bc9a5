"""Processes that run cases under a watch: what takes too long or dies is told and replaced."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from fuzz.cases import case
from fuzz.outcome import Outcome

PROJECT = Path(__file__).resolve().parents[1]
KERNELS = PROJECT / ".cache" / "numba" / "fuzz"
LIMIT = 20.0
# To import everything, on a slow machine.
START = 120.0
NOBODY = 65534


def can_be_nobody() -> bool:
    """Whether processes of the user without rights can be started, and can read this program."""
    if os.name != "posix" or os.geteuid() != 0:
        return False
    needed = [Path(sys.executable).resolve(), Path(os.__file__).resolve(), PROJECT / "src"]
    return all(folder.stat().st_mode & 0o1 for path in needed for folder in path.parents)


def without_rights() -> dict[str, Any]:
    """Settings of a process that make it a user without rights, if that can be."""
    if not can_be_nobody():
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def prefix() -> list[str]:
    """Words before a command that take from root what other users do not have."""
    program = shutil.which("setpriv")
    if os.name != "posix" or os.geteuid() != 0 or can_be_nobody() or program is None:
        return []
    return [program, "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"]


def rights() -> str:
    """As whom the cases run, in words."""
    if can_be_nobody():
        return "as a user without rights"
    return "as root without capabilities" if prefix() else "as the user who started them"


def own(folder: Path) -> None:
    """Give a folder and what is in it to the user without rights."""
    if can_be_nobody():
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a worker: nothing of the user's home, no network, no screen."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
    return {
        **kept,
        **nowhere,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
        "MPLBACKEND": "agg",
        # Pages are shown to nobody: the program that is asked to ends at once.
        "BROWSER": "true",
        "NUMBA_CACHE_DIR": str(KERNELS),
        "PYTHONPATH": f"{PROJECT / 'src'}{os.pathsep}{PROJECT}",
        "PYTHONWARNINGS": "ignore",
        "PYTHONDONTWRITEBYTECODE": "1",
        "DASK_DISTRIBUTED__WORKER__DAEMON": "False",
    }


def compile_kernels() -> None:
    """Compile all kernels into a folder that workers can write to; quick where it was done."""
    KERNELS.mkdir(parents=True, exist_ok=True)
    own(KERNELS)
    with tempfile.TemporaryDirectory() as name:
        own(Path(name))
        command = [*prefix(), sys.executable, "-m", "disco_cvi.precompile"]
        subprocess.run(
            command,
            check=True,
            env=surroundings(Path(name)),
            stdout=subprocess.DEVNULL,
            cwd=name,
            **without_rights(),
        )


class Late(str):
    """That no answer came in time, in words."""

    __slots__ = ()


class Worker:
    """One process at a time, and what it was asked."""

    def __init__(self, seed: int, limit: float = LIMIT) -> None:
        self.seed = seed
        self.limit = limit
        self.asked: int | None = None
        self._process: subprocess.Popen[str] | None = None
        self._folder = Path()

    def run(self, number: int) -> Outcome:
        """Run a case; one that is late is asked once more, for the machine may have been busy.

        One that ends the process is not: what dies now and then is not right, however seldom.
        """
        is_late = False
        answer = self._ask(number)
        if isinstance(answer, Late):
            is_late = True
            answer = self._ask(number)
        if isinstance(answer, str):
            name = case(self.seed, number).target.name
            return Outcome(number, name, "not right", f"{name}(...)", (answer,), late=is_late)
        lists = {name: tuple(answer[name]) for name in ("wrong", "asked")}
        return Outcome(**{**answer, **lists, "late": is_late})

    def _ask(self, number: int) -> dict[str, Any] | str:
        """Return the answer, or in words why there is none."""
        process = self._process or self._start()
        assert process.stdin is not None
        line, wrong = "", ""
        try:
            print(number, file=process.stdin, flush=True)
            line = self._read(self.limit)
        except BrokenPipeError:
            pass
        except TimeoutError:
            wrong = Late(f"no end within {self.limit:g} s")
        if line:
            found: dict[str, Any] = json.loads(line)
            return found
        self.close()
        # Of a process that had ended by itself it is its own code, whatever was sent to it later.
        return wrong or f"the process died: exit code {process.returncode}"

    def _start(self) -> subprocess.Popen[str]:
        self._folder = Path(tempfile.mkdtemp(prefix="disco-fuzz-"))
        own(self._folder)
        inner = self._folder / "cases"
        inner.mkdir()
        own(inner)
        self._process = subprocess.Popen(
            [*prefix(), sys.executable, "-m", "fuzz.worker", str(self.seed), str(inner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=surroundings(self._folder),
            cwd=self._folder,
            start_new_session=True,
            **without_rights(),
        )
        if not self._read(START).startswith("ready"):
            _, reason = self._process.communicate()
            message = f"the worker did not start:\n{reason}"
            raise RuntimeError(message)
        return self._process

    def _read(self, limit: float) -> str:
        """Return the next line; empty if the process has died."""
        assert self._process is not None
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(limit):
                raise TimeoutError
        return self._process.stdout.readline()

    def close(self) -> None:
        """End the process and what it started, and remove its folder."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()
        self._process = None
        shutil.rmtree(self._folder, ignore_errors=True)
