"""Read the files of the data sets as their sources publish them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from disco_paper.datasets.catalogue import Form
from disco_paper.datasets.labeled_points import LabeledPoints

_NOISE = -1


def parse(form: Form, paths: Sequence[Path]) -> LabeledPoints:
    """Read the files of a data set, one below the other.

    Raises
    ------
    ValueError
        If a file does not have this form; it may be another file, or damaged.
    """
    parts = [_READERS[form](path) for path in paths]
    points = np.ascontiguousarray(np.vstack([part.points for part in parts]), dtype=np.float64)
    # Adding 0 turns the negative zero, which equals zero, into zero: equal values, equal bytes.
    points += 0.0
    return LabeledPoints(points, np.concatenate([part.labels for part in parts]).astype(np.int64))


def _lines(path: Path) -> list[str]:
    """Lines that are not blank, whichever of the three line ends a file has."""
    text = path.read_text(encoding="utf-8-sig")
    return [line for line in text.splitlines() if line.strip()]


def _read_arff(path: Path) -> LabeledPoints:
    lines = _lines(path)
    begins = [i for i, line in enumerate(lines) if line.strip().lower() == "@data"]
    if not begins:
        raise ValueError(f"{path.name} has no line @data")
    rows = [line for line in lines[begins[0] + 1 :] if not line.startswith("%")]
    return _table([line.split(",") for line in rows])


def _read_commas(path: Path) -> LabeledPoints:
    return _table([line.split(",") for line in _lines(path)])


def _read_blanks(path: Path) -> LabeledPoints:
    return _table([line.split() for line in _lines(path)])


def _read_semicolons(path: Path) -> LabeledPoints:
    """Below a line of names."""
    return _table([line.split(";") for line in _lines(path)[1:]])


def _read_named(path: Path) -> LabeledPoints:
    """Each row begins with a name, which is no feature."""
    return _table([line.split()[1:] for line in _lines(path)])


def _table(rows: list[list[str]]) -> LabeledPoints:
    """Features, and in the last column the class."""
    points = np.array([row[:-1] for row in rows], dtype=np.float64)
    if points.ndim != 2 or not points.size:
        raise ValueError("there are no rows of features and a class")
    return LabeledPoints(points, _labels([row[-1].strip() for row in rows]))


def _labels(classes: list[str]) -> NDArray[np.int64]:
    """Numbers stay what they are, the class `noise` is -1, other names count in sorted order."""
    if set(classes) - {"noise"} and all(_is_whole(name) for name in set(classes) - {"noise"}):
        numbers = [_NOISE if name == "noise" else int(name) for name in classes]
        return np.array(numbers, dtype=np.int64)
    return np.unique(classes, return_inverse=True)[1].astype(np.int64)


def _is_whole(name: str) -> bool:
    return name.removeprefix("-").isdecimal()


def _read_array(path: Path) -> LabeledPoints:
    table = np.load(path, allow_pickle=False)
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype.kind != "f":
        raise ValueError(f"{path.name} holds no table of numbers")
    return LabeledPoints(table[:, :-1], table[:, -1].astype(np.int64))


def _read_images(path: Path) -> LabeledPoints:
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
        return LabeledPoints(points, arrays["labels"])


_READERS: dict[Form, Callable[[Path], LabeledPoints]] = {
    "arff": _read_arff,
    "commas": _read_commas,
    "blanks": _read_blanks,
    "semicolons": _read_semicolons,
    "named": _read_named,
    "array": _read_array,
    "images": _read_images,
}
