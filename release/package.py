"""Build the two wheels and the source archive, and try them outside the checkout.

``python release/package.py`` builds them, checks what they hold, installs the wheels into a fresh
environment, runs ``disco demo`` there, and runs a part of the tests that the source archive holds
against the installed wheels. ``python release/package.py all`` runs all of them, but for those in a
browser, and keeps what each came to for release/trust.py. Words after it go to pytest; then nothing
is kept, for it may be a part of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from archives import LARGEST_WHEELS, source_faults, wheel_faults
from environment import CACHE, PROJECT, install, make_environment, run

FOLDER = CACHE / "package"
# Names, a command, and a page from templates: each needs other files.
PART = (
    "tests/house/test_door.py",
    "tests/cli/test_demo.py",
    "tests/report/test_facts.py",
)
WHERE = """
import disco_cvi, sysconfig
print(disco_cvi.__file__)
assert disco_cvi.__file__.startswith(sysconfig.get_path("purelib"))
"""


def build() -> tuple[list[Path], Path]:
    """Build the source archive, and the wheels of library and paper; return wheels and archive."""
    python = make_environment("package/tools")
    install(python, "build", "twine")
    folder = FOLDER / "archives"
    run(python, "-m", "build", "--outdir", folder, ".")
    run(python, "-m", "build", "--wheel", "--outdir", folder, "paper")
    run(python, "-m", "twine", "check", "--strict", *sorted(folder.iterdir()))
    wheels = [next(folder.glob(f"{Path(place).name}-*.whl")) for place in LARGEST_WHEELS]
    return wheels, next(folder.glob("*.tar.gz"))


def tracked_files() -> set[str]:
    """The files that git knows; none where this is no checkout."""
    words = ["git", "ls-files", "-z"]
    try:
        found = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {name for name in found.stdout.split("\0") if name and (PROJECT / name).is_file()}


def try_outside(folder: Path, wheels: list[Path], source: Path, words: list[str]) -> None:
    """Install the wheels in a folder, and run the demonstration and tests there."""
    with tarfile.open(source) as opened:
        opened.extractall(folder / "source", filter="data")
    (unpacked,) = (folder / "source").iterdir()
    os.environ["NUMBA_CACHE_DIR"] = str(folder / "kernels")  # compiled once, for demo and tests
    shared = PROJECT.parent / "shared"
    if shared.is_dir():
        os.environ.setdefault("DISCO_SHARED", str(shared))
    everything, more = words[:1] == ["all"], words[1:]
    python = make_environment(str(folder / "installed"))
    library, paper = wheels
    asked = [f"{library}[test]"] if everything else [f"{library}[report]", "pytest", "hypothesis"]
    install(python, *asked, paper)
    run(python, "-c", WHERE, folder=unpacked)
    run(python, "-m", "disco_cvi", "demo", "--out", folder / "demo.html", folder=folder)
    run(python, "-m", "disco_cvi", "reproduce", "--list", folder=folder)
    if not everything:
        run(python, "-m", "pytest", "-q", *PART, *words, folder=unpacked)
        return
    options = more or ["-n", "auto", f"--junit-xml={folder / 'wheel-tests.xml'}"]
    run(python, "-m", "pytest", "-q", "-m", "not browser", *options, folder=unpacked)
    if not more:
        shutil.copy(folder / "wheel-tests.xml", CACHE)


def main(words: list[str]) -> None:
    """Do what the words of the command say."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    wheels, source = build()
    faults = source_faults(source, tracked_files())
    for wheel, place in zip(wheels, LARGEST_WHEELS, strict=True):
        faults += wheel_faults(wheel, PROJECT, place)
    if faults:
        sys.exit("\n".join(faults))
    # Not in the checkout, where its files could be found by accident.
    with tempfile.TemporaryDirectory(prefix="disco-cvi-", ignore_cleanup_errors=True) as folder:
        try_outside(Path(folder), wheels, source, words)
    for path in (*wheels, source):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
