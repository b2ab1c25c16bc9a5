"""Read files out of archives that strangers made, and gather images of them in one file.

Nothing is ever written under a name that an archive gives. Members are found by their file name,
in whatever folder, and also in archives within the archive: publishers change their packaging.
"""

from __future__ import annotations

import io
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from disco_cvi._for_paper import write_file

# Of all members of an archive; the largest of ours has some 10**8 bytes.
_LARGEST = 1 << 29
_SIZE_OF_NAME = 1 << 12  # so that there are not too many members either
_DEEPEST = 3
_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# What the libraries raise when an archive is damaged, encrypted or of an unknown kind.
_DAMAGE = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, RuntimeError),
)
_FACE = re.compile(r"([a-z0-9]+)_[a-z]+_[a-z]+_(?:open|sunglasses)_4\.pgm", re.IGNORECASE)
_OBJECT = re.compile(r"obj([0-9]+)__([0-9]+)\.png", re.IGNORECASE)
# What images are called, and their size, by the file that they are gathered in.
IMAGES = {"cmu_faces_4.npz": (_FACE, (32, 30)), "coil20_128x128.npz": (_OBJECT, (128, 128))}


def read_members(archive: Path, pattern: re.Pattern[str], count: int) -> dict[str, bytes]:
    """Return the contents of the members whose file name matches, by file name in lower case.

    Parameters
    ----------
    archive : Path
        A zip or tar file, compressed or not.
    pattern : re.Pattern
        What a file name must match as a whole, folders not included.
    count : int
        How many such members there are; the search ends when it has them.

    Raises
    ------
    ValueError
        If the archive is damaged, too large, or does not have these members.
    """
    found: dict[str, bytes] = {}
    left = _LARGEST

    def look_into(stream: IO[bytes], depth: int) -> None:
        """Add members of an archive; its own come first, then those of its smallest archive."""
        nonlocal left
        inner = []
        for path, size, read in _members(stream):
            # Sizes are those that an archive states; no library reads more than that.
            left -= size + _SIZE_OF_NAME
            if left < 0:
                raise ValueError(f"it would unpack to more than {_LARGEST >> 20} MiB")
            name = re.split(r"[/\\]", path)[-1]
            if pattern.fullmatch(name):
                found.setdefault(name.lower(), read())
            elif name.lower().endswith(_ENDINGS):
                inner.append((size, path, read))
        for _, _, read in sorted(inner, key=lambda member: member[:2]):
            if len(found) < count and depth < _DEEPEST:
                look_into(io.BytesIO(read()), depth + 1)

    try:
        with archive.open("rb") as stream:
            look_into(stream, 1)
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0].rstrip(":") or type(error).__name__
        raise ValueError(f"it is no complete zip or tar file ({reason})") from error
    if len(found) < count:
        raise ValueError(f"it holds {len(found)} of the {count} files that are looked for")
    return found


def _members(stream: IO[bytes]) -> Iterator[tuple[str, int, Callable[[], bytes]]]:
    """Path, size and contents of regular files; links and devices in tar files are passed over."""
    # By its begin: zipfile.is_zipfile looks at the end, where a tar file may hold a zip file.
    is_zip = stream.read(2) == b"PK"
    stream.seek(0)
    if is_zip:
        packed = zipfile.ZipFile(stream)
        for info in packed.infolist():
            yield info.filename, info.file_size, partial(packed.read, info)
        return
    archive = tarfile.open(fileobj=stream)  # noqa: SIM115 - its stream is closed by who opened it
    for header in archive:
        if header.isreg():
            yield header.name, header.size, partial(_read_tar, archive, header)


def _read_tar(archive: tarfile.TarFile, header: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(header)
    return b"" if stream is None else stream.read()


def gather(images: dict[str, bytes], target: Path) -> None:
    """Write images, given by file name, into the file that the target's name stands for.

    People are sorted by name, and objects by number; both are clusters.

    Raises
    ------
    ValueError
        If one of them is no image of this kind.
    """
    pattern, size = IMAGES[target.name]
    parts = {name: re.fullmatch(pattern, name).groups() for name in images}  # type: ignore[union-attr]
    if pattern is _FACE:
        names = sorted(images)
        labels = np.unique([parts[name][0] for name in names], return_inverse=True)[1]
    else:
        names = sorted(images, key=lambda name: tuple(map(int, parts[name])))
        labels = np.array([int(parts[name][0]) - 1 for name in names])
    pixels = np.stack([_read_image(images[name], name, size) for name in names])
    write_file(target, lambda stream: np.savez_compressed(stream, images=pixels, labels=labels))


def _read_image(content: bytes, name: str, size: tuple[int, int]) -> Any:
    """Gray values from 0 to 255."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=["PNG", "PPM"]) as image:
            if image.size == size:  # looked at before memory is given to its pixels
                return np.asarray(image.convert("L"))
    except (
        OSError,
        SyntaxError,  # a damaged PNG
        ValueError,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ) as error:
        raise ValueError(f"{name} is no image") from error
    raise ValueError(f"{name} does not have {size[0]} x {size[1]} pixels")
