"""Where the files of data sets lie on this machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal, NamedTuple

from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets.catalogue import DatasetInfo

VARIABLE = "DISCO_DATA"


class DatasetFiles(NamedTuple):
    """The files of a data set, and in which of the two places they lie."""

    place: Literal["folder", "cache"]
    paths: tuple[Path, ...]


def data_folder() -> Path | None:
    """Return the folder that the environment variable DISCO_DATA names, if it names one."""
    name = os.environ.get(VARIABLE, "").strip()
    if not name:
        return None
    folder = Path(name).expanduser()
    if not folder.is_dir():
        raise InvalidInputError(
            f"the environment variable {VARIABLE} must name a folder of data sets; got {name!r}, "
            "which is no folder. Correct it, or unset it to use downloaded files."
        )
    return folder


def cache_folder() -> Path | None:
    """Return the folder of downloads, or None where pooch, which knows it, is not installed."""
    pooch = import_pooch()
    return None if pooch is None else Path(pooch.os_cache("disco-cvi"))


def import_pooch() -> Any:
    """Return pooch, which downloads, or None where it is not installed."""
    try:
        import pooch  # type: ignore[import-untyped]
    except ImportError:
        return None
    return pooch


def locate(info: DatasetInfo) -> DatasetFiles | None:
    """Return the first place that has all files of a data set, or None."""
    folder = data_folder()
    if folder is not None and (paths := _paths(folder, info)):
        return DatasetFiles("folder", paths)
    cache = cache_folder()
    if cache is not None and (paths := _paths(cache, info)):
        return DatasetFiles("cache", paths)
    return None


def _paths(folder: Path, info: DatasetInfo) -> tuple[Path, ...]:
    paths = tuple(folder / file for file in info.files)
    return paths if all(path.is_file() for path in paths) else ()
