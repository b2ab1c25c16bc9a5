"""The throw-away environment that other programs are installed into."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Environment(NamedTuple):
    """A Python with other programs, and what each of them is: a version, or why it is missing."""

    python: str
    versions: dict[str, str]
    missing: dict[str, str]


def make_environment(folder: Path, packages: list[str]) -> Environment:
    """Install each package by itself, so that one that cannot be had does not cost the others."""
    python = str(folder / "bin" / "python")
    if not Path(python).exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    versions, missing = {}, {}
    for package in packages:
        print(f"installing {package} ...", file=sys.stderr, flush=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", package],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            missing[package] = last_error(done.stderr)
        else:
            versions[package] = _version(python, package)
    return Environment(python, versions, missing)


def _version(python: str, package: str) -> str:
    code = f"from importlib.metadata import version; print(version({package!r}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def last_error(said: str) -> str:
    """The last line that pip calls an error, without its warnings."""
    errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if "ERROR" in line]
    return errors[-1] if errors else "pip gave no reason"
