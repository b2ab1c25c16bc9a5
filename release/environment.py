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


def run(*words: str | Path, folder: Path = PROJECT) -> None:
    """Show a command and run it; its failure ends the program with the same number."""
    line = [str(word) for word in words]
    print(f"$ {' '.join(line)}", flush=True)
    # What is on the path of whoever calls is not to be found by what is tried here.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    code = subprocess.run(line, cwd=folder, env=variables, check=False).returncode
    if code:
        sys.exit(code)
