"""The files of data sets on this machine: where they lie, what they hold, what they must hold."""

from __future__ import annotations

import hashlib
import os
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets.catalogue import DatasetInfo, Form, LabeledPoints

VARIABLE = "DISCO_DATA"
_SEPARATORS = {"arff": ",", "commas": ",", "semicolons": ";"}
_NOISE = -1


class DatasetFiles(NamedTuple):
    """The files of a data set, and where they lie: "folder" or "cache"."""

    place: str
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


def cache_folder() -> Path:
    """Return the folder of downloads."""
    import pooch

    return Path(pooch.os_cache("disco-cvi"))


def locate(info: DatasetInfo) -> DatasetFiles | None:
    """Return the first place that has all files of a data set, or None."""
    for place, folder in (("folder", data_folder()), ("cache", cache_folder())):
        paths = tuple(folder / file for file in info.files) if folder else ()
        if paths and all(path.is_file() for path in paths):
            return DatasetFiles(place, paths)
    return None


def read_values(
    info: DatasetInfo, paths: Sequence[Path], origin: str, advice: str
) -> LabeledPoints:
    """Read the files of a data set and make sure that they hold its values.

    Parameters
    ----------
    info : DatasetInfo
    paths : sequence of Path
    origin : str
        Where the files come from: the begin of the message if they hold something else.
    advice : str
        What to do then: the end of the message.
    """
    try:
        parsed = parse(info.form, paths)
    except (ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise InvalidInputError(
            f"{origin} cannot be read as the data set {info.name!r}: {reason}. {advice}"
        ) from error
    digest = value_digest(parsed)
    if digest != info.digest:
        rows, columns = parsed.points.shape
        raise InvalidInputError(
            f"{origin} does not hold the values of the data set {info.name!r}: expected "
            f"{info.n_points} points with {info.n_features} features and the SHA-256 "
            f"{info.digest} of their values; got {rows} points with {columns} features and "
            f"{digest}. {advice}"
        )
    return parsed


def value_digest(parsed: LabeledPoints) -> str:
    """Return the SHA-256 of points and labels.

    It is that of one line with the shape ("150 x 4"), the features as little-endian float64, row
    by row, and the labels as little-endian int64. Line ends, archives and the way a number is
    written do not matter.
    """
    rows, columns = parsed.points.shape
    digest = hashlib.sha256(f"{rows} x {columns}\n".encode())
    digest.update(np.ascontiguousarray(parsed.points, dtype="<f8").data)
    digest.update(np.ascontiguousarray(parsed.labels, dtype="<i8").data)
    return digest.hexdigest()


def parse(form: Form, paths: Sequence[Path]) -> LabeledPoints:
    """Read the files of a data set, one below the other.

    Raises
    ------
    ValueError
        If a file does not have this form; it may be another file, or damaged.
    """
    readers = {"array": _read_array, "images": _read_images}
    parts = [readers[form](path) if form in readers else _read_text(form, path) for path in paths]
    points = np.ascontiguousarray(np.vstack([points for points, _ in parts]), dtype=np.float64)
    # Adding 0 turns the negative zero, which equals zero, into zero: equal values, equal bytes.
    points += 0.0
    return LabeledPoints(points, np.concatenate([labels for _, labels in parts]).astype(np.int64))


def _read_text(form: Form, path: Path) -> tuple[Any, Any]:
    """Rows of features, and in the last column the class."""
    text = path.read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip()]
    if form == "arff":
        begins = [i for i, line in enumerate(lines) if line.strip().lower() == "@data"]
        if not begins:
            raise ValueError(f"{path.name} has no line @data")
        lines = [line for line in lines[begins[0] + 1 :] if not line.startswith("%")]
    if form == "semicolons":
        del lines[:1]  # names of the columns
    rows = [line.split(_SEPARATORS.get(form)) for line in lines]
    n_names = 1 if form == "named" else 0  # of rows, which are no features
    points = np.array([row[n_names:-1] for row in rows], dtype=np.float64)
    if points.ndim != 2 or not points.size:
        raise ValueError("there are no rows of features and a class")
    return points, _labels([row[-1].strip() for row in rows])


def _labels(classes: list[str]) -> Any:
    """Numbers stay what they are, the class `noise` is -1, other names count in sorted order."""
    names = set(classes) - {"noise"}
    if names and all(name.removeprefix("-").isdecimal() for name in names):
        return np.array([_NOISE if name == "noise" else int(name) for name in classes])
    return np.unique(classes, return_inverse=True)[1]


def _read_array(path: Path) -> tuple[Any, Any]:
    table = np.load(path, allow_pickle=False)
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype.kind != "f":
        raise ValueError(f"{path.name} holds no table of numbers")
    return table[:, :-1], table[:, -1].astype(np.int64)


def _read_images(path: Path) -> tuple[Any, Any]:
    """One image per row; gray values go from 0 to 255 if the file names the largest one."""
    # Opened here, as NumPy leaves a damaged file open.
    with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
        missing = {"images", "labels"} - set(arrays.files)
        if missing:
            raise ValueError(f"{path.name} does not hold {' and '.join(sorted(missing))}")
        images = arrays["images"]
        points = images.reshape(len(images), -1).astype(np.float64)
        if "maxval" in arrays.files:
            points = np.round(points / arrays["maxval"][:, np.newaxis] * 255)
        return points, arrays["labels"]
