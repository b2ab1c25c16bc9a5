"""Fresh environments of Python in .cache, for programs of this folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
CACHE = PROJECT / ".cache"


def make_environment(name: str) -> Path:
    """Make .cache/<name> anew with the Python that runs this, and return its Python."""
    folder = CACHE / name
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, "-m", "venv", folder)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python: Path, *words: str | Path) -> None:
    """Let pip install what the words say; nothing else is on its way."""
    quiet = ("--quiet", "--disable-pip-version-check", "--no-compile")
    run(python, "-m", "pip", "install", *quiet, *words)


def run(*words: str | Path, folder: Path = PROJECT, log: Path | None = None) -> None:
    """Show a command and run it; its failure ends the program with the same number.

    With a `log`, what it says is kept there, too, as soon as it has ended.
    """
    line = [str(word) for word in words]
    print(f"$ {' '.join(line)}", flush=True)
    # What is on the path of whoever calls is not to be found by what is tried here.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if log is None:
        code = subprocess.run(line, cwd=folder, env=variables, check=False).returncode
    else:
        code = _run_and_keep(line, folder, variables, log)
    if code:
        sys.exit(code)


def _run_and_keep(line: list[str], folder: Path, variables: dict[str, str], log: Path) -> int:
    # What was stopped on its way leaves no log, nor that of an earlier run.
    log.unlink(missing_ok=True)
    part = log.with_suffix(".part")
    with (
        part.open("w", encoding="utf-8") as kept,
        subprocess.Popen(
            line, cwd=folder, env=variables, stdout=subprocess.PIPE, text=True
        ) as process,
    ):
        assert process.stdout is not None
        for said in process.stdout:
            kept.write(said)
            print(said, end="", flush=True)
    part.replace(log)
    return process.returncode
