"""Downloads from a server on this machine, and everything that can go wrong on the way."""

from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pooch
import pytest
import requests

from disco_cvi import InvalidInputError
from disco_paper.datasets import DatasetInfo, catalogue, fetch, load
from disco_paper.datasets.catalogue import CATALOGUE
from disco_paper.datasets.downloads import fetch as fetch_module
from disco_paper.datasets.downloads.fetch import published_name
from paper_helpers.archives import TOY, Server, packed_tar, packed_zip

OTHER = TOY.replace(b"3,4,1", b"3,4.0000001,1")
VALUES = [[0.5, 1], [-1, 2000], [3, 4]]


def files_in(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


# --- what works ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        TOY,
        TOY.replace(b"\n", b"\r\n"),
        TOY.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + TOY,
        TOY.replace(b"-1,2e3", b"\n -1.0 , 2000"),
        TOY.replace(b"0.5,", b"5e-1,") + b"\n\n",
    ],
    ids=["LF", "CRLF", "CR", "mark of UTF-8", "blanks", "digits"],
)
def test_a_plain_file_is_downloaded_once_and_values_count(
    plain: DatasetInfo,
    server: Server,
    cache: Path,
    content: bytes,
    capfd: pytest.CaptureFixture[str],
) -> None:
    server.contents["/toy.data"] = content
    level = pooch.get_logger().level
    for _ in range(2):
        toy = load("toy set", standardize=False)
        assert toy.X.tolist() == VALUES
        assert toy.labels.tolist() == [0, 0, 1]
    assert server.asked == ["/toy.data"]
    assert files_in(cache) == ["toy", "toy/toy.data"]
    assert (cache / "toy" / "toy.data").read_bytes() == content
    assert pooch.get_logger().level == level
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "content",
    [
        packed_zip({"toy.data": TOY}),
        packed_zip({"some/folder/TOY.DATA": TOY, "some/readme": b"hello"}),
        packed_zip({"inside.tar.gz": packed_tar({"../../x/toy.data": TOY})}),
        packed_tar({"toy.data": TOY}),
    ],
    ids=["zip", "folders and capitals", "tar in zip", "tar of the name zip"],
)
def test_a_packed_file_is_unpacked(
    packed: DatasetInfo, server: Server, cache: Path, content: bytes
) -> None:
    server.contents["/pack.zip"] = content
    assert load("toy set", standardize=False).X.tolist() == VALUES
    assert files_in(cache) == ["toy", "toy/toy.data"]


def test_fetch_returns_the_files_and_downloads_what_is_missing(
    plain: DatasetInfo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.contents["/toy.data"] = TOY
    for names in ("all", "toy set", ["Toy-Set"], ("TOY_SET",)):
        assert fetch(names) == {"Toy set": (cache / "toy" / "toy.data",)}
    assert server.asked == ["/toy.data"]
    own = tmp_path / "toy" / "toy.data"
    own.parent.mkdir()
    own.write_bytes(TOY)
    monkeypatch.setenv("DISCO_DATA", str(tmp_path))
    assert fetch("toy set") == {"Toy set": (own,)}
    own.write_bytes(OTHER)
    with pytest.raises(InvalidInputError, match=r"let DISCO_DATA name another folder\.$"):
        fetch("toy set")
    assert server.asked == ["/toy.data"]


def test_a_copy_of_the_published_file_is_used_instead_of_a_download(
    packed: DatasetInfo,
    server: Server,
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for folder in (cache, own):
        copy = folder / "toy" / "pack.zip"
        copy.parent.mkdir(parents=True)
        copy.write_bytes(packed_zip({"toy.data": TOY}))
        assert load("toy set").X.shape == (3, 2)
        shutil.rmtree(cache)
        monkeypatch.setenv("DISCO_DATA", str(own))
    copy.write_bytes(b"<html>")
    with pytest.raises(InvalidInputError) as caught:
        load("toy set")
    assert str(caught.value).startswith(f"{copy} cannot be used as the data set 'Toy set': it is")
    assert str(caught.value).endswith("Put another copy there, or delete it to have it downloaded.")
    assert copy.exists()
    assert not server.asked


def test_many_threads(plain: DatasetInfo, server: Server, cache: Path) -> None:
    server.contents["/toy.data"] = TOY
    shapes = []
    threads = [
        threading.Thread(target=lambda: shapes.append(load("toy set").X.shape)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shapes == [(3, 2)] * 8
    assert files_in(cache) == ["toy", "toy/toy.data"]


# --- every data set, as it is published -----------------------------------------------------------


def _published(info: DatasetInfo, data: Path) -> bytes:
    """What the address of a data set would give."""
    paths = [data / file for file in info.files]
    if not info.address.endswith(".zip"):
        return paths[0].read_bytes()
    if info.form == "images":
        with np.load(paths[0]) as arrays:
            faces = zip(arrays["names"], arrays["images"], arrays["maxval"], strict=True)
            images = {
                f"faces_4/{name}": b"P5\n# a comment\n32 30\n%d\n" % largest + image.tobytes()
                for name, image, largest in faces
            }
        other = {"faces/an2i/an2i_left_angry_open.pgm": b"P5 1 1 255 0"}
        inside = {"faces_4.tar.gz": packed_tar(images), "faces.tar.gz": packed_tar(images | other)}
        return packed_zip({"faces.data.html": b"<html>"} | inside)
    return packed_zip({f"some folder/{path.name}": path.read_bytes() for path in paths})


@pytest.mark.parametrize(
    "info", [info for info in CATALOGUE if info.name != "COIL20"], ids=lambda info: info.name
)
def test_every_data_set_is_downloaded_and_known_again(
    info: DatasetInfo, shared: Path, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """COIL20 is left out, as packing 1440 images takes long; test_archive.py has some of them."""
    path = "/" + info.address.partition("//")[2].partition("/")[2]
    server.contents[path] = _published(info, shared / "data")
    here = replace(info, address=f"{server.address}{path}")
    monkeypatch.setattr(catalogue, "CATALOGUE", (here,))
    downloaded = load(info.name, standardize=False)
    again = load(info.name, standardize=False)
    assert server.asked == [path]
    assert np.array_equal(downloaded.X, again.X)
    assert np.array_equal(downloaded.labels, again.labels)
    assert sorted(file for file in files_in(cache) if "." in file) == sorted(info.files)


def test_addresses() -> None:
    assert all(info.address.startswith("https://") for info in CATALOGUE)
    assert len({published_name(info) for info in CATALOGUE}) == len(CATALOGUE)


# --- what goes wrong ------------------------------------------------------------------------------


def check_refused(cache: Path, error: Any, match: str) -> None:
    """It is said, and nothing is kept."""
    with pytest.raises(error, match=match):
        load("toy set")
    assert files_in(cache) == []


def test_offline_names_the_file_the_address_and_the_folder(
    packed: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = ("toy/toy.data", "toy/more.data")
    nobody = replace(packed, address="http://127.0.0.1:9/pack.zip", files=two)
    monkeypatch.setattr(catalogue, "CATALOGUE", (nobody,))
    (cache / "toy").mkdir(parents=True)
    (cache / "toy" / "toy.data").write_bytes(TOY)  # half of the files is as good as none
    with pytest.raises(ConnectionError) as caught:
        load("toy set")
    assert str(caught.value) == (
        "the data set 'Toy set' cannot be downloaded from http://127.0.0.1:9/pack.zip (an address "
        "that has not been checked): there is no connection to the server. To use it without a "
        f"download, put a copy of that file at {cache / 'toy' / 'pack.zip'}, or put toy/toy.data "
        "and toy/more.data into a folder and let the environment variable DISCO_DATA name that "
        "folder."
    )


def test_offline_a_generated_set_is_drawn_again(
    cache: Path, server: Server, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = next(info for info in CATALOGUE if info.name == "Synth_low")
    here = replace(info, address=f"{server.address}/low.npy")
    monkeypatch.setattr(catalogue, "CATALOGUE", (here,))
    drawn = load("Synth_low", standardize=False)
    published = np.load(shared / "data" / "densired" / "low_data_100.npy")
    np.testing.assert_allclose(drawn.X, published[:, :-1], rtol=0, atol=1e-15)
    assert np.array_equal(drawn.labels, published[:, -1])
    assert files_in(cache) == []


def test_downloads_that_fail_leave_nothing(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_refused(cache, ConnectionError, r"checked\): the server answered 404 Not Found\. To")
    server.contents["/toy.data"] = TOY
    server.cut.add("/toy.data")
    check_refused(cache, (ConnectionError, InvalidInputError), "toy.data")
    server.cut.clear()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt("stopped")

    with monkeypatch.context() as patch:
        patch.setattr("disco_cvi._compute.progress.Progress.step", interrupt)
        check_refused(cache, KeyboardInterrupt, "stopped")

    def wait(*_: object, timeout: float, **__: object) -> None:
        assert timeout == 30
        raise requests.ReadTimeout

    with monkeypatch.context() as patch:
        patch.setattr(requests, "get", wait)
        check_refused(cache, ConnectionError, "the server did not answer within 30 seconds")
    assert load("toy set").X.shape == (3, 2)


def test_an_endless_download_is_ended(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_module, "_LARGEST", 1 << 20)
    server.contents["/toy.data"] = bytes(2 << 20)
    check_refused(cache, InvalidInputError, "the download is larger than 1 MiB")


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://example.org/toy.data", "the server leads to an address without https"),
        ("ftp://example.org/toy.data", "the server leads to an address without https"),
        ("https://example.org/toy.data", "there is no connection"),
        ("/elsewhere/toy.data", "there is no connection"),
        ("//example.org/toy.data", "there is no connection"),
    ],
)
def test_a_server_must_not_lead_away_from_https(
    plain: DatasetInfo, cache: Path, monkeypatch: pytest.MonkeyPatch, location: str, reason: str
) -> None:
    def answer(*_: object, hooks: dict[str, Any], **__: object) -> None:
        response = requests.Response()
        response.url, response.status_code = "https://example.org/", 302
        response.headers["Location"] = location
        hooks["response"](response)
        raise requests.ConnectionError

    monkeypatch.setattr(requests, "get", answer)
    check_refused(cache, ConnectionError, reason)


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (OTHER, r"toy.data does not hold the values of the data set 'Toy set': expected 3 points"),
        (TOY + b"7,8,1\n", r"got 4 points with 2 features and [0-9a-f]{64}\. Nothing of it was"),
        (b"<html>sign in</html>\n", r"cannot be read as the data set 'Toy set': .*\. Nothing of"),
        (b"", r"cannot be read as the data set 'Toy set'"),
        (b"\xff\xfe\x00", r"cannot be read as the data set 'Toy set'"),
        (b"1,2,3\n4,5\n", r"cannot be read as the data set 'Toy set'"),
        (TOY.replace(b"3,4,1", b"3,nan,1"), r"does not hold the values"),
    ],
    ids=["digit", "row", "page", "empty", "bytes", "ragged", "missing value"],
)
def test_something_else_is_not_kept(
    plain: DatasetInfo, server: Server, cache: Path, content: bytes, pattern: str
) -> None:
    server.contents["/toy.data"] = content
    check_refused(cache, InvalidInputError, pattern)


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (packed_zip({"other.data": TOY}), "it holds 0 of the 1 files that are looked for"),
        (packed_zip({"toy.data": TOY})[:-30], "it is no complete zip or tar file"),
        (b"<html>", "it is no complete zip or tar file"),
        (packed_zip({"toy.data": OTHER}), "does not hold the values"),
    ],
    ids=["other name", "cut", "page", "values"],
)
def test_a_wrong_archive_is_not_kept(
    packed: DatasetInfo, server: Server, cache: Path, content: bytes, pattern: str
) -> None:
    server.contents["/pack.zip"] = content
    check_refused(cache, InvalidInputError, pattern)


@pytest.mark.parametrize("damage", [b"", TOY[:-3], OTHER], ids=["empty", "cut", "changed"])
def test_damage_in_the_cache_is_told_and_fetch_repairs_it(
    plain: DatasetInfo, server: Server, cache: Path, damage: bytes
) -> None:
    path = cache / "toy" / "toy.data"
    path.parent.mkdir(parents=True)
    path.write_bytes(damage)
    with pytest.raises(InvalidInputError) as caught:
        load("toy set")
    assert str(caught.value).startswith(f"{path} ")
    assert str(caught.value).endswith("again, call disco_paper.datasets.fetch('Toy set').")
    with pytest.raises(ConnectionError):
        fetch("toy set")
    assert path.read_bytes() == damage
    server.contents["/toy.data"] = TOY
    fetch("toy set")
    assert path.read_bytes() == TOY


def test_a_cache_folder_that_cannot_be_used(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    server.contents["/toy.data"] = TOY
    cache.parent.write_bytes(b"")
    with pytest.raises(OSError, match=r"folder of downloads .* cannot be used \(Not a d") as caught:
        load("toy set")
    assert "let the environment variable DISCO_DATA name that folder" in str(caught.value)
    cache.parent.unlink()
    fetch("toy set")
    for path in (cache / "toy" / "toy.data", cache / "toy", cache):
        path.chmod(0o555)
    assert load("toy set").X.shape == (3, 2)  # what is there can be used
    for path in (cache, cache / "toy"):
        path.chmod(0o755)
