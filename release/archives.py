"""What the wheel and the source archive must hold, and how large they may be."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

PACKAGE = "disco_cvi"
LARGEST_WHEEL = 1_500_000  # bytes
LARGEST_SOURCE = 3_000_000
_COMPILED = {".pyc", ".nbi", ".nbc"}


def package_files(source: Path) -> set[str]:
    """The files of the package below src, as a wheel names them."""
    return {
        path.relative_to(source).as_posix()
        for path in (source / PACKAGE).rglob("*")
        if path.is_file() and path.suffix not in _COMPILED
    }


def wheel_faults(wheel: Path, source: Path) -> list[str]:
    """What is wrong with a wheel: it holds the package, all of it, and words about it."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    inside = {name for name in names if ".dist-info/" not in name}
    licence = any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    return [
        *_differences(wheel, inside, package_files(source)),
        *(
            f"{wheel.name} holds {name}, which is not of the package"
            for name in sorted(inside - package_files(source))
        ),
        *([] if licence else [f"{wheel.name} holds no LICENSE"]),
        *_too_large(wheel, LARGEST_WHEEL),
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
