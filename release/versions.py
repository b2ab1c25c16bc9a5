"""Run the tests with the oldest or the newest versions that a pyproject.toml allows.

``python release/versions.py oldest`` (or ``newest``) makes an environment in .cache with the Python
that runs it, and runs the tests there. What they say is kept for release/trust.py, for each Python
by itself. Words after it go to pytest; then nothing is kept, for it may be a part of the tests.

The lower bounds stand in the two pyproject.toml alone; the newest versions are those that pip
finds.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from environment import CACHE, PROJECT, install, make_environment, run

_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?P<extras>\[[\w,-]+\])?(?P<sign>>=|==)(?P<bound>[\d.]+)"
)
# Of the style and of types: what they say depends on their version, and they compute nothing.
TOOLS = {"mypy", "ruff"}
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def stated_requirements() -> list[str]:
    """Everything that library and paper ask for, in any of their extras; not the two themselves."""
    stated: set[str] = set()
    for path in (PROJECT / "pyproject.toml", PROJECT / "paper" / "pyproject.toml"):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        extras = project["optional-dependencies"].values()
        stated |= {*project["dependencies"], *(line for lines in extras for line in lines)}
    return sorted(line for line in stated if not line.startswith("disco-cvi"))


def oldest_requirements(stated: list[str]) -> tuple[list[str], list[str]]:
    """The lower bounds as exact versions, and what is asked for by an exact version anyway.

    The latter are left out, and their tests skipped: they may need newer versions of others than
    we do (densired 1.1.0 draws the paper's data with NumPy 2 alone), and pip sees to it.
    """
    bounds: list[str] = []
    exact: list[str] = []
    for line in stated:
        found = _REQUIREMENT.fullmatch(line)
        if found is None:
            raise ValueError(
                f"{line!r} in pyproject.toml has no lower bound, or one of another form"
            )
        if found["name"] in TOOLS:
            continue
        version = f"{found['name']}{found['extras'] or ''}=={found['bound']}"
        (exact if found["sign"] == "==" else bounds).append(version)
    return bounds, exact


def prepare(which: str) -> Path:
    """Make the environment, and return its Python."""
    python = make_environment(f"{which}-{PYTHON}")
    if which == "newest":
        both = ("--editable", ".[test]", "--editable", "./paper[test]")
        install(python, "--upgrade", "--upgrade-strategy", "eager", *both)
        return python
    bounds, _ = oldest_requirements(stated_requirements())
    asked = CACHE / f"oldest-{PYTHON}.txt"
    asked.write_text("\n".join(bounds) + "\n", encoding="utf-8")
    install(python, "--requirement", asked, "--editable", ".")
    # Without what it pins to one version, densired: its tests are skipped.
    install(python, "--no-deps", "--editable", "./paper")
    return python


def main(words: list[str]) -> None:
    """Do what the words of the command say."""
    if not words or words[0] not in {"oldest", "newest"}:
        sys.exit(__doc__)
    which, *more = words
    python = prepare(which)
    kept = f"{which}-{PYTHON}"
    installed = None if more else CACHE / f"{kept}-packages.txt"
    run(python, "-m", "pip", "list", "--disable-pip-version-check", log=installed)
    # Old versions of others complain of new versions of yet others.
    quiet = ["-W", "ignore::DeprecationWarning"] if which == "oldest" else []
    options = [*quiet, *(more or ["-n", "auto"])]
    log = None if more else CACHE / f"{kept}-tests.txt"
    run(python, "-m", "pytest", "-q", "-m", "not browser", *options, log=log)


if __name__ == "__main__":
    main(sys.argv[1:])
