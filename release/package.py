"""Build the wheel and the source archive, and try them outside the checkout.

``python release/package.py`` builds both, checks what they hold, installs the wheel into a fresh
environment, runs ``disco demo`` there, and runs a part of the tests that the source archive holds
against the installed wheel. ``python release/package.py all`` runs all of them, but for those in a
browser. Words after it go to pytest.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from archives import source_faults, wheel_faults
from environment import CACHE, PROJECT, install, make_environment, run

FOLDER = CACHE / "package"
# Names, a command, and a page from templates: each needs other files.
PART = (
    "tests/house/test_door.py",
    "tests/cli/test_demo.py",
    "tests/report/test_page.py",
)
WHERE = """
import disco_cvi, sysconfig
print(disco_cvi.__file__)
assert disco_cvi.__file__.startswith(sysconfig.get_path("purelib"))
"""


def build() -> tuple[Path, Path]:
    """Build the source archive, and the wheel from it; return wheel and source archive."""
    python = make_environment("package/tools")
    install(python, "build", "twine")
    run(python, "-m", "build", "--outdir", FOLDER / "archives", ".")
    archives = sorted((FOLDER / "archives").iterdir())
    run(python, "-m", "twine", "check", "--strict", *archives)
    wheel, source = (
        next(path for path in archives if path.name.endswith(end)) for end in (".whl", ".tar.gz")
    )
    return wheel, source


def tracked_files() -> set[str]:
    """The files that git knows; none where this is no checkout."""
    words = ["git", "ls-files", "-z"]
    try:
        found = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {name for name in found.stdout.split("\0") if name and (PROJECT / name).is_file()}


def main(words: list[str]) -> None:
    """Do what the words of the command say."""
    everything = words[:1] == ["all"]
    shutil.rmtree(FOLDER, ignore_errors=True)
    wheel, source = build()
    if faults := wheel_faults(wheel, PROJECT / "src") + source_faults(source, tracked_files()):
        sys.exit("\n".join(faults))
    with tarfile.open(source) as opened:
        opened.extractall(FOLDER / "source", filter="data")
    (unpacked,) = (FOLDER / "source").iterdir()
    os.environ["NUMBA_CACHE_DIR"] = str(FOLDER / "kernels")  # compiled once, for demo and tests
    python = make_environment("package/installed")
    if everything:
        install(python, f"{wheel}[test]")
    else:
        install(python, f"{wheel}[report]", "pytest", "hypothesis")
    run(python, "-c", WHERE, folder=unpacked)
    run(python, "-m", "disco_cvi", "demo", "--out", FOLDER / "demo.html", folder=FOLDER)
    chosen = ["-m", "not browser"] if everything else PART
    run(python, "-m", "pytest", "-q", *chosen, *words[everything:], folder=unpacked)
    for path in (wheel, source):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
