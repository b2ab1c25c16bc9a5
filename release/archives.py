"""What the wheel and the source archive must hold, and how large they may be."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

# The source folder of each package, and the bytes that its wheel may have.
LARGEST_WHEELS = {"src/disco_cvi": 1_200_000, "paper/src/disco_paper": 400_000}
LARGEST_SOURCE = 3_000_000
_COMPILED = {".pyc", ".nbi", ".nbc"}


def package_files(package: Path) -> set[str]:
    """The files of a package, as a wheel names them."""
    return {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix not in _COMPILED
    }


def wheel_faults(wheel: Path, project: Path, place: str) -> list[str]:
    """What is wrong with a wheel: it holds the package, all of it, and words about it."""
    wanted = package_files(project / place)
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    inside = {name for name in names if ".dist-info/" not in name}
    licence = any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    return [
        *_differences(wheel, inside, wanted),
        *(
            f"{wheel.name} holds {name}, which is not of the package"
            for name in sorted(inside - wanted)
        ),
        *([] if licence else [f"{wheel.name} holds no LICENSE"]),
        *_too_large(wheel, LARGEST_WHEELS[place]),
    ]


def source_faults(archive: Path, tracked: set[str]) -> list[str]:
    """What is wrong with a source archive: it holds all files that git knows."""
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    return [*_differences(archive, names, tracked), *_too_large(archive, LARGEST_SOURCE)]


def _differences(archive: Path, names: set[str], wanted: set[str]) -> list[str]:
    return [f"{archive.name} lacks {name}" for name in sorted(wanted - names)]


def _too_large(archive: Path, limit: int) -> list[str]:
    size = archive.stat().st_size
    return [f"{archive.name} has {size:,} bytes; at most {limit:,}"] if size > limit else []
