"""Gather many small images into one file."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.files import write_file

_FACE = re.compile(r"([a-z0-9]+)_[a-z]+_[a-z]+_(open|sunglasses)_4\.pgm", re.IGNORECASE)
_OBJECT = re.compile(r"obj([0-9]+)__([0-9]+)\.png", re.IGNORECASE)
_GAP = rb"\s+(?:#[^\n]*\n\s*)*"  # blanks, and comments up to the end of their lines
_PGM_HEADER = re.compile(rb"P5" + _GAP + rb"(\d+)" + _GAP + rb"(\d+)" + _GAP + rb"(\d+)\s")
_OBJECT_SHAPE = (128, 128)

# File names of images, by the file that they are gathered in.
IMAGE_NAMES = {"cmu_faces_4.npz": _FACE, "coil20_128x128.npz": _OBJECT}


class Gray(NamedTuple):
    """An image as its file holds it, and the largest gray value that the file speaks of."""

    pixels: NDArray[np.uint8]
    largest: int


def gather(images: dict[str, bytes], target: Path) -> None:
    """Write images, given by file name, into the file that the target's name stands for.

    Raises
    ------
    ValueError
        If one of them is no image of this kind.
    """
    is_faces = IMAGE_NAMES[target.name] is _FACE
    arrays = _gather_faces(images) if is_faces else _gather_objects(images)
    write_file(target, lambda stream: np.savez_compressed(stream, **arrays))


def _gather_faces(images: dict[str, bytes]) -> dict[str, Any]:
    """Sorted by name, which begins with the person; a person is a cluster."""
    names = sorted(images)
    people = [name.partition("_")[0] for name in names]
    faces = [read_pgm(images[name], name) for name in names]
    return {
        "images": np.stack([face.pixels for face in faces]),
        "labels": np.unique(people, return_inverse=True)[1].astype(np.int64),
        "names": np.array([f"{person}/{name}" for person, name in zip(people, names, strict=True)]),
        "maxval": np.array([face.largest for face in faces], dtype=np.int64),
    }


def _gather_objects(images: dict[str, bytes]) -> dict[str, Any]:
    """By object, then view, each in the order of its number."""
    numbers = {name: _numbers(name) for name in images}
    names = sorted(images, key=lambda name: numbers[name])
    return {
        "images": np.stack([_read_png(images[name], name) for name in names]),
        "labels": np.array([numbers[name][0] - 1 for name in names], dtype=np.int64),
        "names": np.array(names),
    }


def _numbers(name: str) -> tuple[int, ...]:
    match = _OBJECT.fullmatch(name)
    assert match is not None
    return tuple(map(int, match.groups()))


def read_pgm(content: bytes, name: str) -> Gray:
    """Read a binary gray image with one byte per pixel; values stay as they are."""
    match = _PGM_HEADER.match(content)
    if match is None:
        raise ValueError(f"{name} is no binary PGM image")
    width, height, largest = map(int, match.groups())
    pixels = content[match.end() :]
    if not 0 < largest < 256 or len(pixels) < width * height or not width * height:
        raise ValueError(f"{name} has {len(pixels)} bytes for {width} x {height} pixels")
    # What follows the last pixel would be another image: none of ours.
    array = np.frombuffer(pixels, dtype=np.uint8, count=width * height)
    return Gray(array.reshape(height, width), largest)


def _read_png(content: bytes, name: str) -> NDArray[np.uint8]:
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError(
            "reading the images of COIL20 needs pillow, which comes with matplotlib and is not "
            "installed. Run 'pip install disco-paper'."
        ) from error
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as image:
            if image.size != _OBJECT_SHAPE:  # looked at before memory is given to its pixels
                raise ValueError(f"{name} has {image.size[0]} x {image.size[1]} pixels")
            return np.asarray(image.convert("L"), dtype=np.uint8)
    except (
        OSError,
        SyntaxError,  # a damaged PNG
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise ValueError(f"{name} is no PNG image") from error
