"""Read files out of archives that strangers made.

Nothing is ever written under a name that an archive gives. Members are found by their file name,
in whatever folder, and also in archives within the archive: publishers change their packaging.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

_LARGEST = 1 << 29  # bytes of all members of an archive; the largest of ours has some 10**8
_MOST_MEMBERS = 100_000
_DEEPEST = 3
_ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
# What the libraries raise when an archive is damaged, encrypted or of an unknown kind.
_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    OSError,
    RuntimeError,
    NotImplementedError,
)


class _Member(NamedTuple):
    """A regular file in an archive."""

    path: str
    size: int
    read: Callable[[], bytes]

    @property
    def file_name(self) -> str:
        return PurePosixPath(self.path.replace("\\", "/")).name


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
        If the archive is damaged, too large, dangerous, or does not have these members.
    """
    search = _Search(pattern, count)
    try:
        with archive.open("rb") as stream:
            search.look_into(stream)
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0].rstrip(":") or type(error).__name__
        raise ValueError(f"it is no complete zip or tar file ({reason})") from error
    if len(search.found) < count:
        raise ValueError(f"it holds {len(search.found)} of the {count} files that are looked for")
    return search.found


class _Search:
    """Collects matching members, and refuses what would fill the memory."""

    def __init__(self, pattern: re.Pattern[str], count: int) -> None:
        self._pattern = pattern
        self._count = count
        self._n_bytes = 0
        self._n_members = 0
        self.found: dict[str, bytes] = {}

    def look_into(self, stream: IO[bytes], depth: int = 1) -> None:
        """Add members of an archive; its own come first, then those of its smallest archive."""
        with _open(stream) as archive:
            members = [self._counted(member) for member in _members(archive)]
            for member in members:
                if self._pattern.fullmatch(member.file_name):
                    self.found.setdefault(member.file_name.lower(), member.read())
            inner = [member for member in members if member.path.lower().endswith(_ENDINGS)]
            for member in sorted(inner, key=lambda member: member.size):
                if len(self.found) >= self._count or depth == _DEEPEST:
                    return
                self.look_into(io.BytesIO(member.read()), depth + 1)

    def _counted(self, member: _Member) -> _Member:
        """Sizes are those that an archive states; no library reads more than that."""
        self._n_bytes += member.size
        self._n_members += 1
        if self._n_bytes > _LARGEST or self._n_members > _MOST_MEMBERS:
            raise ValueError(
                f"it would unpack to more than {_LARGEST >> 20} MiB or {_MOST_MEMBERS:,} files"
            )
        return member


def _open(stream: IO[bytes]) -> zipfile.ZipFile | tarfile.TarFile:
    # By its begin: zipfile.is_zipfile looks at the end, where a tar file may hold a zip file.
    is_zip = stream.read(2) == b"PK"
    stream.seek(0)
    return zipfile.ZipFile(stream) if is_zip else tarfile.open(fileobj=stream, mode="r:*")


def _members(archive: zipfile.ZipFile | tarfile.TarFile) -> Iterator[_Member]:
    """Regular files; links and devices are passed over, as nothing good can come of them."""
    if isinstance(archive, zipfile.ZipFile):
        for info in archive.infolist():
            _refuse_escape(info.filename)
            # The upper half holds the Unix mode; a file from elsewhere has none, and is no link.
            kind = stat.S_IFMT(info.external_attr >> 16)
            if not info.is_dir() and kind in (0, stat.S_IFREG):
                yield _Member(info.filename, info.file_size, partial(archive.read, info))
        return
    for header in archive:
        _refuse_escape(header.name)
        if header.isreg():
            yield _Member(header.name, header.size, partial(_read_tar, archive, header))


def _read_tar(archive: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(info)
    return b"" if stream is None else stream.read()


def _refuse_escape(path: str) -> None:
    parts = path.replace("\\", "/").split("/")
    if not path or parts[0] == "" or ".." in parts or re.match(r"[A-Za-z]:", path):
        raise ValueError(f"it names the file {path!r}, which lies outside of its own folder")
