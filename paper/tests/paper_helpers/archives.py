"""What tests of downloads share: archives made on the spot, a toy data set, a server's memory."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from disco_paper.datasets import DatasetInfo
from disco_paper.datasets.catalogue import Form
from disco_paper.datasets.downloads.files import parse, value_digest

Packer = Callable[[dict[str, bytes]], bytes]


def packed_zip(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def packed_tar(members: dict[str, bytes], kind: str = "gz") -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{kind}") as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
    return stream.getvalue()


@dataclass
class Server:
    """Gives out `contents` by path; `cut` paths break off in the middle. Counts what was asked."""

    address: str
    contents: dict[str, bytes] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)


TOY = b"0.5,1,0\n-1,2e3,0\n3,4,1\n"


def toy_info(
    folder: Path, address: str, *, file: str = "toy/toy.data", form: Form = "commas"
) -> DatasetInfo:
    """A data set of three points, to be found at an address."""
    path = folder / "original.data"
    path.write_bytes(TOY)
    return DatasetInfo(
        "Toy set",
        *(3, 2, 2, 0),
        description="Three points.",
        source="Nobody",
        licence="none",
        address=address,
        files=(file,),
        form=form,
        digest=value_digest(parse("commas", [path])),
    )
