"""Stops three writers at fixed moments, and prints as JSON what each left.

To be run in a process of its own, which forks: a fork has nothing to import or compile.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from disco_cvi import DensityTree
from disco_cvi import __main__ as command

POINTS = np.random.default_rng(0).normal(size=(600, 2))
LABELED = ["points.npy", "--labels", "labels.npy"]


def run_command(*words: str) -> int:
    """Run `disco` as a process does."""
    sys.argv = ["disco", *words]
    return command.main()


def save_tree() -> int:
    """Save a tree as a script does."""
    try:
        DensityTree(POINTS).save("out.npz")
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


WRITERS: dict[str, tuple[str, Callable[[], int]]] = {
    "tree": ("out.npz", save_tree),
    "command": ("out.csv", lambda: run_command("score", *LABELED, "--samples", "out.csv")),
    "report": ("out.html", lambda: run_command("report", *LABELED, "-o", "out.html")),
}


def fill_disk() -> None:
    """No file may be larger than 5 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


def kill_in_the_middle() -> None:
    """The system ends the process when its file grows beyond 5 kB."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    fill_disk()


def kill_at_the_end() -> None:
    """All is written, and the file has not its name yet."""
    os.fsync = lambda fd: os.kill(os.getpid(), signal.SIGKILL)  # noqa: ARG005


def interrupt_at_the_end() -> None:
    """The same by Ctrl-C."""
    os.fsync = lambda fd: os.kill(os.getpid(), signal.SIGINT)  # noqa: ARG005


FAULTS: dict[str, Callable[[], None]] = {
    "none": lambda: None,
    "killed in the middle": kill_in_the_middle,
    "killed at the end": kill_at_the_end,
    "interrupted": interrupt_at_the_end,
    "full disk": fill_disk,
}


def stop(name: str, fault: str, old: bytes | None) -> dict[str, object]:
    """Run a writer with a fault in a new folder, and then without; return what is there."""
    path, write = WRITERS[name]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        np.save("points.npy", POINTS)
        np.save("labels.npy", np.arange(600) % 4 - 1)
        if old is not None:
            Path(path).write_bytes(old)
        code = in_fork(write, FAULTS[fault])
        found = {
            "code": code,
            "said": Path("said").read_text(),
            "old": Path(path).read_bytes() == old if Path(path).exists() else None,
            "drafts": len(list(Path().glob(".*"))),
        }
        found["again"] = in_fork(write, FAULTS["none"])
        found["size"] = Path(path).stat().st_size
        os.chdir("/")
    return found


def in_fork(write: Callable[[], int], set_fault: Callable[[], None]) -> int:
    """Return the code of a forked process, or the negative number of the signal that ended it."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 99
    try:
        said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(said, stream)
        set_fault()
        code = write()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(  # noqa: T201 - the tests read it
        json.dumps(
            {
                name: {
                    f"{fault}, {'a new file' if old is None else 'an old file'}": stop(
                        name, fault, old
                    )
                    for fault in FAULTS
                    for old in (None, b"old")
                }
                for name in WRITERS
            }
        )
    )
