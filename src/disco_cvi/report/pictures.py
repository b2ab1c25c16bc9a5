"""Drawings become pictures: files and parts of pages, with nothing of the machine in them."""

from __future__ import annotations

import base64
import io
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

PICTURE_FORMS: tuple[Literal["png", "svg"], ...] = ("png", "svg")

_DOTS_PER_INCH = 150
# Pictures are shown somewhat smaller, so that their letters are as large as those of the page.
_SHRUNK = 0.7
# What would tell when and by which program a file was made stays out of it.
_NOTHING_SAID: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


@contextmanager
def default_style(name: str) -> Iterator[None]:
    """Draw with matplotlib's own settings, not the user's, and with ids that do not change.

    Parameters
    ----------
    name : str
        Of the picture: ids inside an SVG depend on it.
    """
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = name
        yield


def picture_bytes(drawing: Drawing, form: Literal["png", "svg", "pdf"]) -> bytes:
    """A drawing as the bytes of a PNG, SVG or PDF file; the same drawing gives the same bytes."""
    stream = io.BytesIO()
    drawing.savefig(stream, format=form, dpi=_DOTS_PER_INCH, metadata=_NOTHING_SAID[form])
    return stream.getvalue()


def embed_png(image: bytes) -> dict[str, Any]:
    """What a page needs of a PNG file to hold it: `png`, as text, and `size`, how large to show it.

    >>> embed_png(bytes(16) + bytes([0, 0, 0, 100, 0, 0, 0, 50]))["size"]
    [70, 35]
    """
    # Width and height stand at the beginning of every PNG file.
    width, height = struct.unpack(">II", image[16:24])
    return {
        "png": base64.b64encode(image).decode("ascii"),
        "size": [round(_SHRUNK * width), round(_SHRUNK * height)],
    }
