"""Download data sets into the cache folder of the user."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from disco_cvi._compute.progress import Progress
from disco_cvi._output.files import write_file
from disco_cvi.exceptions import InvalidInputError
from disco_paper.datasets.catalogue import DatasetInfo
from disco_paper.datasets.downloads.archive import read_members
from disco_paper.datasets.downloads.images import IMAGE_NAMES, gather
from disco_paper.datasets.downloads.known_values import read_values
from disco_paper.datasets.downloads.places import VARIABLE, cache_folder, data_folder, import_pooch
from disco_paper.datasets.labeled_points import LabeledPoints

_LARGEST = 1 << 29
_WAIT = 30  # seconds without an answer
_UNFINISHED = ".download-"  # how the names of folders for unfinished files begin
_DAY = 24 * 60 * 60


def download(info: DatasetInfo, *, progress: bool | None = None) -> LabeledPoints:
    """Download a data set, make sure of its values, keep its files, and return the values.

    A copy of the published file that lies in the folder of the data set is taken instead of a
    download. Files appear in the cache folder complete and checked, or not at all.

    Raises
    ------
    ImportError
        If pooch is not installed.
    ConnectionError
        If the download fails.
    OSError
        If the cache folder cannot be written to.
    InvalidInputError
        If what was downloaded is something else.
    """
    cache = cache_folder()
    if cache is None:
        raise ImportError(
            f"downloading the data set {info.name!r} needs pooch, which is not installed. Run "
            f"'pip install disco-paper', or put {' and '.join(info.files)}, published "
            f"at {info.address}, into a folder and let the environment variable {VARIABLE} name "
            "it."
        )
    copy = _copy_by_hand(info, cache)
    origin = str(copy or info.address)
    with _temporary_folder(cache) as folder:
        package = copy or _retrieve(info, folder, cache, progress=progress)
        try:
            drafts = _unpack(info, package, folder)
        except ValueError as error:
            raise InvalidInputError(
                f"{origin} cannot be used as the data set {info.name!r}: {error}. {_advice(copy)}"
            ) from error
        parsed = read_values(info, drafts, origin, _advice(copy))
        for draft, file in zip(drafts, info.files, strict=True):
            (cache / file).parent.mkdir(parents=True, exist_ok=True)
            draft.replace(cache / file)
    return parsed


def remove_unfinished() -> None:
    """Remove what killed downloads left in the cache, those too that had moved all files."""
    cache = cache_folder()
    if cache is not None:
        for left in cache.glob(f"{_UNFINISHED}*"):
            if time.time() - left.stat().st_mtime > _DAY:
                shutil.rmtree(left, ignore_errors=True)


def published_name(info: DatasetInfo) -> str:
    """Return the path of a copy of the published file, in the cache folder or DISCO_DATA."""
    return f"{info.files[0].rpartition('/')[0]}/{info.address.rpartition('/')[2]}"


def _copy_by_hand(info: DatasetInfo, cache: Path) -> Path | None:
    if not _is_packed(info):
        return None  # it would have been found, as it needs no unpacking
    folders = [folder for folder in (data_folder(), cache) if folder is not None]
    copies = [folder / published_name(info) for folder in folders]
    return next((copy for copy in copies if copy.is_file()), None)


def _advice(copy: Path | None) -> str:
    if copy is not None:
        return "Put another copy there, or delete it to have it downloaded."
    return (
        "Nothing of it was kept. Try again; if that does not help, the publisher has changed the "
        "file or a page of the network stands in its place."
    )


def _is_packed(info: DatasetInfo) -> bool:
    return info.address.endswith(".zip")


@contextmanager
def _temporary_folder(cache: Path) -> Iterator[Path]:
    """Give a folder for unfinished files, in the cache so that they can be moved to their place."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        remove_unfinished()
        with tempfile.TemporaryDirectory(prefix=_UNFINISHED, dir=cache) as folder:
            yield Path(folder)
    except ConnectionError:
        raise
    except OSError as error:
        raise OSError(
            f"the folder of downloads {cache} cannot be used ({error.strerror or error}). Make "
            "room and give the right to write there, or put the files elsewhere and let the "
            f"environment variable {VARIABLE} name that folder."
        ) from error


def _unpack(info: DatasetInfo, package: Path, folder: Path) -> list[Path]:
    """Write the files of a data set into a folder, under the names that they will have."""
    drafts = [folder / Path(file).name for file in info.files]
    if not _is_packed(info):
        if package != drafts[0]:
            shutil.copyfile(package, drafts[0])
    elif drafts[0].name in IMAGE_NAMES:
        images = read_members(package, IMAGE_NAMES[drafts[0].name], info.n_points)
        gather(images, drafts[0])
    else:
        names = "|".join(re.escape(draft.name) for draft in drafts)
        members = read_members(package, re.compile(names, re.IGNORECASE), len(drafts))
        for draft in drafts:
            content = members[draft.name.lower()]
            write_file(draft, lambda stream, content=content: stream.write(content))  # type: ignore[misc]
    return drafts


def _retrieve(info: DatasetInfo, folder: Path, cache: Path, *, progress: bool | None) -> Path:
    """Download the published file into a folder."""
    import requests

    pooch = import_pooch()

    name = info.address.rpartition("/")[2]
    bar = DownloadProgress(f"downloading {info.name}", 0, shown=progress)
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")  # it would print a checksum of bytes; ours is of values
    try:
        downloader = pooch.HTTPDownloader(
            progressbar=bar, chunk_size=1 << 16, timeout=_WAIT, hooks={"response": stay_secure}
        )
        pooch.retrieve(info.address, None, fname=name, path=folder, downloader=downloader)
    except requests.RequestException as error:
        raise ConnectionError(_offline(info, cache, _reason(error))) from error
    finally:
        bar.close()
        logger.setLevel(level)
    return folder / name


def stay_secure(response: Any, *_: Any, **__: Any) -> None:
    """Refuse to be led from https to anything else, before it is asked for."""
    import requests

    there = urljoin(response.url, response.headers.get("location", ""))
    if response.is_redirect and response.url.startswith("https:") and there[:6] != "https:":
        raise requests.exceptions.InvalidSchema(f"a redirect leads from https to {there}")


def _offline(info: DatasetInfo, cache: Path, reason: str) -> str:
    unchecked = "" if info.address_checked else " (an address that has not been checked)"
    return (
        f"the data set {info.name!r} cannot be downloaded from {info.address}{unchecked}: "
        f"{reason}. To use it without a download, put a copy of that file at "
        f"{cache / published_name(info)}, or put {' and '.join(info.files)} into a folder and let "
        f"the environment variable {VARIABLE} name that folder.{_draw_instead(info)}"
    )


def _draw_instead(info: DatasetInfo) -> str:
    if not info.files[0].startswith("densired/"):
        return ""
    return " Or draw it again, equal but for rounding: pip install disco-paper."


def _reason(error: Exception) -> str:
    """Say in words what the chain of libraries reports."""
    import requests

    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}"
    if isinstance(error, requests.Timeout):
        return f"the server did not answer within {_WAIT} seconds"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection broke off"
    if isinstance(error, requests.exceptions.InvalidSchema):
        return "the server leads to an address without https"
    if isinstance(error, requests.ConnectionError):
        return "there is no connection to the server"
    return f"the request failed ({type(error).__name__})"


class DownloadProgress(Progress):
    """A progress bar with the names that pooch uses, and a limit to the size."""

    @property
    def total(self) -> float:
        """How many bytes will come; 0 where the server does not say."""
        return self.n_steps

    @total.setter
    def total(self, size: float) -> None:
        self.n_steps = size

    def update(self, size: int) -> None:
        """So many bytes more have come."""
        self.step(size)
        if self.done > _LARGEST:
            raise InvalidInputError(
                f"the download is larger than {_LARGEST >> 20} MiB, which none of the data sets is."
            )

    def reset(self) -> None:
        """Count from the start again."""
        self.done = 0.0
