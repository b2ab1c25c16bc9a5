"""Download data sets into the cache folder of the user."""

from __future__ import annotations

import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from disco_cvi._for_paper import Progress, progress, write_file
from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets.catalogue import DatasetInfo, LabeledPoints
from disco_paper.datasets.downloads.archive import IMAGES, gather, read_members
from disco_paper.datasets.downloads.files import VARIABLE, cache_folder, data_folder, read_values

_LARGEST = 1 << 29
_WAIT = 30  # seconds without an answer
_ANOTHER_COPY = "Put another copy there, or delete it to have it downloaded."
_AGAIN = (
    "Nothing of it was kept. Try again; if that does not help, the publisher has changed the file "
    "or a page of the network stands in its place."
)


def download(info: DatasetInfo, *, shown: bool | None = None) -> LabeledPoints:
    """Download a data set, make sure of its values, keep its files, and return the values.

    A copy of the published file that lies in the folder of the data set is taken instead of a
    download. Files appear in the cache folder complete and checked, or not at all.

    Raises
    ------
    ConnectionError
        If the download fails.
    OSError
        If the cache folder cannot be written to.
    InvalidInputError
        If what was downloaded is something else.
    """
    cache = cache_folder()
    copy = _copy_by_hand(info, cache)
    origin, advice = (info.address, _AGAIN) if copy is None else (str(copy), _ANOTHER_COPY)
    with tempfile.TemporaryDirectory(prefix="disco-cvi-") as folder:
        package = copy or _retrieve(info, Path(folder), cache, shown=shown)
        try:
            drafts = _unpack(info, package, Path(folder))
        except ValueError as error:
            raise InvalidInputError(
                f"{origin} cannot be used as the data set {info.name!r}: {error}. {advice}"
            ) from error
        parsed = read_values(info, drafts, origin, advice)
        try:
            for draft, file in zip(drafts, info.files, strict=True):
                (cache / file).parent.mkdir(parents=True, exist_ok=True)
                _write(cache / file, draft.read_bytes())
        except OSError as error:
            raise OSError(
                f"the folder of downloads {cache} cannot be used ({error.strerror or error}). Make "
                "room and give the right to write there, or put the files elsewhere and let the "
                f"environment variable {VARIABLE} name that folder."
            ) from error
    return parsed


def published_name(info: DatasetInfo) -> str:
    """Return the path of a copy of the published file, in the cache folder or DISCO_DATA."""
    return f"{info.files[0].rpartition('/')[0]}/{info.address.rpartition('/')[2]}"


def _copy_by_hand(info: DatasetInfo, cache: Path) -> Path | None:
    if not info.address.endswith(".zip"):
        return None  # it would have been found, as it needs no unpacking
    copies = [folder / published_name(info) for folder in (data_folder(), cache) if folder]
    return next((copy for copy in copies if copy.is_file()), None)


def _unpack(info: DatasetInfo, package: Path, folder: Path) -> list[Path]:
    """Return the files of a data set, written into a folder under the names that they will have."""
    if not info.address.endswith(".zip"):
        return [package]
    drafts = [folder / "files" / Path(file).name for file in info.files]
    drafts[0].parent.mkdir()
    if drafts[0].name in IMAGES:
        gather(read_members(package, IMAGES[drafts[0].name][0], info.n_points), drafts[0])
    else:
        names = "|".join(re.escape(draft.name) for draft in drafts)
        members = read_members(package, re.compile(names, re.IGNORECASE), len(drafts))
        for draft in drafts:
            draft.write_bytes(members[draft.name.lower()])
    return drafts


def _write(path: Path, content: bytes) -> None:
    write_file(path, lambda stream: stream.write(content))


# --- the network ----------------------------------------------------------------------------------


def _retrieve(info: DatasetInfo, folder: Path, cache: Path, *, shown: bool | None) -> Path:
    """Download the published file into a folder."""
    import pooch
    import requests

    name = info.address.rpartition("/")[2]
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")  # it would print a checksum of bytes; ours is of values
    try:
        with progress(f"downloading {info.name}", 0, shown=shown) as bar:
            pooch.retrieve(
                info.address, None, fname=name, path=folder, downloader=partial(_download, bar=bar)
            )
    except requests.RequestException as error:
        raise ConnectionError(
            f"the data set {info.name!r} cannot be downloaded from {info.address} (an address that "
            f"has not been checked): {_reason(error)}. To use it without a download, put a copy of "
            f"that file at {cache / published_name(info)}, or put {' and '.join(info.files)} into "
            f"a folder and let the environment variable {VARIABLE} name that folder."
        ) from error
    finally:
        logger.setLevel(level)
    return folder / name


def _download(address: str, output: str, _: object, *, bar: Progress) -> None:
    """Write what an address gives into a file, as pooch asks; more than the limit is refused."""
    import requests

    size, hooks = 0, {"response": stay_secure}
    with (
        requests.get(address, stream=True, timeout=_WAIT, hooks=hooks) as response,
        Path(output).open("wb") as stream,
    ):
        response.raise_for_status()
        length = response.headers.get("Content-Length", "")
        bar.n_steps = int(length) if length.isdecimal() else 0
        for chunk in response.iter_content(1 << 16):
            size += len(chunk)
            if size > _LARGEST:
                raise InvalidInputError(
                    f"the download is larger than {_LARGEST >> 20} MiB, which none of the data "
                    "sets is."
                )
            stream.write(chunk)
            bar.step(len(chunk))


def stay_secure(response: Any, *_: Any, **__: Any) -> None:
    """Refuse to be led from https to anything else, before it is asked for."""
    import requests

    there = urljoin(response.url, response.headers.get("location", ""))
    if response.is_redirect and response.url.startswith("https:") and there[:6] != "https:":
        raise requests.exceptions.InvalidSchema(f"a redirect leads from https to {there}")


def _reason(error: Exception) -> str:
    """Say in words what the chain of libraries reports."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return f"the server did not answer within {_WAIT} seconds"
    if isinstance(error, requests.exceptions.InvalidSchema):
        return "the server leads to an address without https"
    if isinstance(error, requests.ConnectionError):
        return "there is no connection to the server"
    return f"the request failed ({type(error).__name__})"
