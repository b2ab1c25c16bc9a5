"""Downloads from a server on this machine, and everything that can go wrong on the way."""

from __future__ import annotations

import os
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi import InvalidInputError
from disco_paper.datasets import DatasetInfo, catalogue, fetch, load, loading
from disco_paper.datasets.catalogue import CATALOGUE
from disco_paper.datasets.downloads import fetch as fetch_module
from disco_paper.datasets.downloads.fetch import published_name
from helpers.terminal import is_wiped
from paper_helpers.archives import TOY, Server, packed_tar, packed_zip

OTHER = TOY.replace(b"3,4,1", b"3,4.0000001,1")


def files_in(folder: Path) -> list[str]:
    """Everything in a folder, hidden files too."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


# --- what works ---------------------------------------------------------------------------------


def test_a_plain_file_is_downloaded_once(plain: DatasetInfo, server: Server, cache: Path) -> None:
    server.contents["/toy.data"] = TOY
    for _ in range(2):
        toy = load("toy set", standardize=False)
        assert toy.X.tolist() == [[0.5, 1], [-1, 2000], [3, 4]]
        assert toy.labels.tolist() == [0, 0, 1]
    assert server.asked == ["/toy.data"]
    assert files_in(cache) == ["toy", "toy/toy.data"]
    assert (cache / "toy" / "toy.data").read_bytes() == TOY


@pytest.mark.parametrize(
    "content",
    [
        packed_zip({"toy.data": TOY}),
        packed_zip({"some/folder/TOY.DATA": TOY, "some/readme": b"hello"}),
        packed_zip({"inside.tar.gz": packed_tar({"x/toy.data": TOY})}),
        packed_zip({"inside.zip": packed_zip({"toy.data": TOY})}),
        packed_tar({"toy.data": TOY}),
    ],
    ids=["zip", "folders and capitals", "tar in zip", "zip in zip", "tar of the name zip"],
)
def test_a_packed_file_is_unpacked(
    packed: DatasetInfo, server: Server, cache: Path, content: bytes
) -> None:
    server.contents["/pack.zip"] = content
    assert load("toy set").X.shape == (3, 2)
    assert files_in(cache) == ["toy", "toy/toy.data"]


@pytest.mark.parametrize(
    "content",
    [
        TOY.replace(b"\n", b"\r\n"),
        TOY.replace(b"\n", b"\r"),
        b"\xef\xbb\xbf" + TOY,
        TOY.replace(b"-1,2e3", b"\n -1.0 , 2000"),
        TOY.replace(b"0.5,", b"5e-1,") + b"\n\n",
    ],
    ids=["CRLF", "CR", "mark of UTF-8", "blanks", "digits"],
)
def test_values_count_and_not_bytes(
    plain: DatasetInfo, server: Server, cache: Path, content: bytes
) -> None:
    server.contents["/toy.data"] = content
    assert load("toy set", standardize=False).X.tolist() == [[0.5, 1], [-1, 2000], [3, 4]]


def test_fetch_returns_the_files_and_downloads_what_is_missing(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    server.contents["/toy.data"] = TOY
    for names in ("all", "toy set", ["Toy-Set"], ("TOY_SET",)):
        assert fetch(names) == {"Toy set": (cache / "toy" / "toy.data",)}
    assert server.asked == ["/toy.data"]


def test_fetch_does_not_download_what_the_folder_has(
    plain: DatasetInfo, server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "toy.data").write_bytes(TOY)
    monkeypatch.setenv("DISCO_DATA", str(tmp_path))
    assert fetch("toy set") == {"Toy set": (tmp_path / "toy" / "toy.data",)}
    assert not server.asked
    (tmp_path / "toy" / "toy.data").write_bytes(OTHER)
    with pytest.raises(InvalidInputError, match=r"let DISCO_DATA name another folder\.$"):
        fetch("toy set")


def test_a_copy_of_the_published_file_is_used_instead_of_a_download(
    packed: DatasetInfo,
    server: Server,
    cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert published_name(packed) == "toy/pack.zip"
    for folder in (cache, tmp_path / "own"):
        (folder / "toy").mkdir(parents=True)
        (folder / "toy" / "pack.zip").write_bytes(packed_zip({"toy.data": TOY}))
        assert load("toy set").X.shape == (3, 2)
        shutil.rmtree(cache)
        monkeypatch.setenv("DISCO_DATA", str(tmp_path / "own"))
        (tmp_path / "own").mkdir(exist_ok=True)
    assert not server.asked


def test_a_copy_that_is_something_else(packed: DatasetInfo, server: Server, cache: Path) -> None:
    (cache / "toy").mkdir(parents=True)
    copy = cache / "toy" / "pack.zip"
    copy.write_bytes(b"<html>")
    with pytest.raises(InvalidInputError) as caught:
        load("toy set")
    assert str(caught.value).startswith(f"{copy} cannot be used as the data set 'Toy set': it is")
    assert str(caught.value).endswith("Put another copy there, or delete it to have it downloaded.")
    assert copy.exists()


def test_many_at_once(plain: DatasetInfo, server: Server, cache: Path) -> None:
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
    """COIL20 is left out, as packing 1440 images takes long; test_images.py has some of them."""
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
    for info in CATALOGUE:
        assert info.address.startswith("https://")
        assert not info.address_checked  # none could be tried: a person has to, and say so here
    names = [published_name(info) for info in CATALOGUE]
    assert len(set(names)) == len(CATALOGUE)


# --- what goes wrong ------------------------------------------------------------------------------


def check_nothing_is_kept(cache: Path) -> None:
    assert files_in(cache) == []


def test_offline_names_the_file_the_address_and_the_folder(
    packed: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = replace(packed, address="http://127.0.0.1:9/pack.zip")
    monkeypatch.setattr(catalogue, "CATALOGUE", (nobody,))
    with pytest.raises(ConnectionError) as caught:
        load("toy set")
    assert str(caught.value) == (
        "the data set 'Toy set' cannot be downloaded from http://127.0.0.1:9/pack.zip (an address "
        "that has not been checked): there is no connection to the server. To use it without a "
        f"download, put a copy of that file at {cache / 'toy' / 'pack.zip'}, or put toy/toy.data "
        "into a folder and let the environment variable DISCO_DATA name that folder."
    )
    check_nothing_is_kept(cache)


def test_offline_offers_to_draw_what_can_be_drawn(
    cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = next(info for info in CATALOGUE if info.name == "Synth_low")
    here = replace(info, address=f"{server.address}/low.npy")
    monkeypatch.setattr(catalogue, "CATALOGUE", (here,))
    monkeypatch.setattr(loading, "find_spec", lambda _name: None)
    with pytest.raises(ConnectionError, match=r"pip install disco-cvi\[experiments\]\.$"):
        load("Synth_low")


def test_offline_a_generated_set_is_drawn_again(
    cache: Path, server: Server, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = next(info for info in CATALOGUE if info.name == "Synth_low")
    here = replace(info, address=f"{server.address}/low.npy")
    monkeypatch.setattr(catalogue, "CATALOGUE", (here,))
    pytest.importorskip("densired")
    drawn = load("Synth_low", standardize=False)
    published = np.load(shared / "data" / "densired" / "low_data_100.npy")
    np.testing.assert_allclose(drawn.X, published[:, :-1], rtol=0, atol=1e-15)
    assert np.array_equal(drawn.labels, published[:, -1])
    check_nothing_is_kept(cache)


def test_a_file_that_is_not_there(plain: DatasetInfo, server: Server, cache: Path) -> None:
    with pytest.raises(ConnectionError, match=r"checked\): the server answered 404 Not Found\. To"):
        load("toy set")
    check_nothing_is_kept(cache)


def test_a_download_that_breaks_off_leaves_nothing(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    server.contents["/toy.data"] = TOY
    server.cut.add("/toy.data")
    with pytest.raises((ConnectionError, InvalidInputError)):
        load("toy set")
    check_nothing_is_kept(cache)
    server.cut.clear()
    assert load("toy set").X.shape == (3, 2)


def test_an_interrupted_download_leaves_nothing(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Any, size: int) -> None:
        raise KeyboardInterrupt

    server.contents["/toy.data"] = TOY
    monkeypatch.setattr(fetch_module.DownloadProgress, "update", interrupt)
    with pytest.raises(KeyboardInterrupt):
        load("toy set")
    check_nothing_is_kept(cache)


def test_a_silent_server(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import requests

    def wait(*arguments: object, timeout: float, **options: object) -> None:
        assert timeout == 30
        raise requests.ReadTimeout

    monkeypatch.setattr(requests, "get", wait)
    with pytest.raises(ConnectionError, match="the server did not answer within 30 seconds"):
        load("toy set")


@pytest.mark.parametrize(
    ("location", "refused"),
    [
        ("http://example.org/toy.data", True),
        ("ftp://example.org/toy.data", True),
        ("https://example.org/toy.data", False),
        ("/elsewhere/toy.data", False),
        ("//example.org/toy.data", False),
    ],
)
def test_a_server_must_not_lead_away_from_https(
    plain: DatasetInfo,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
    location: str,
    refused: bool,
) -> None:
    import requests

    def answer(*arguments: object, hooks: dict[str, Any], **options: object) -> None:
        response = requests.Response()
        response.url, response.status_code = "https://example.org/", 302
        response.headers["Location"] = location
        hooks["response"](response)
        raise requests.ConnectionError

    monkeypatch.setattr(requests, "get", answer)
    words = "the server leads to an address without https" if refused else "there is no connection"
    with pytest.raises(ConnectionError, match=words):
        load("toy set")
    check_nothing_is_kept(cache)


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
    with pytest.raises(InvalidInputError, match=pattern):
        load("toy set")
    check_nothing_is_kept(cache)


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (packed_zip({"../toy.data": TOY}), "it names the file '../toy.data', which lies outside"),
        (packed_zip({"/toy.data": TOY}), "it names the file '/toy.data', which lies outside"),
        (packed_zip({"other.data": TOY}), "it holds 0 of the 1 files that are looked for"),
        (packed_zip({"toy.data": TOY})[:-30], "it is no complete zip or tar file"),
        (b"<html>", "it is no complete zip or tar file"),
        (packed_zip({"toy.data": OTHER}), "does not hold the values"),
    ],
    ids=["above", "root", "other name", "cut", "page", "values"],
)
def test_a_wrong_archive_is_not_kept(
    packed: DatasetInfo, server: Server, cache: Path, content: bytes, pattern: str
) -> None:
    server.contents["/pack.zip"] = content
    with pytest.raises(InvalidInputError, match=pattern):
        load("toy set")
    check_nothing_is_kept(cache)


def test_an_endless_download_is_ended(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch_module, "_LARGEST", 1 << 20)
    server.contents["/toy.data"] = bytes(2 << 20)
    with pytest.raises(InvalidInputError, match="the download is larger than 1 MiB"):
        load("toy set")
    check_nothing_is_kept(cache)


@pytest.mark.parametrize("damage", [b"", TOY[:-3], OTHER], ids=["empty", "cut", "changed"])
def test_damage_in_the_cache_is_told_and_fetch_repairs_it(
    plain: DatasetInfo, server: Server, cache: Path, damage: bytes
) -> None:
    server.contents["/toy.data"] = TOY
    fetch("toy set")
    path = cache / "toy" / "toy.data"
    path.write_bytes(damage)
    with pytest.raises(InvalidInputError) as caught:
        load("toy set")
    assert str(caught.value).startswith(f"{path} ")
    assert str(caught.value).endswith("again, call disco_cvi.datasets.fetch('Toy set').")
    fetch("toy set")
    assert path.read_bytes() == TOY


def test_a_repair_that_fails_keeps_what_is_there(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    (cache / "toy").mkdir(parents=True)
    (cache / "toy" / "toy.data").write_bytes(OTHER)
    with pytest.raises(ConnectionError):
        fetch("toy set")
    assert (cache / "toy" / "toy.data").read_bytes() == OTHER


def test_half_of_the_files_are_as_good_as_none(
    packed: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = replace(packed, files=("toy/toy.data", "toy/more.data"))
    monkeypatch.setattr(catalogue, "CATALOGUE", (two,))
    (cache / "toy").mkdir(parents=True)
    (cache / "toy" / "toy.data").write_bytes(TOY)
    with pytest.raises(ConnectionError, match=r"put toy/toy\.data and toy/more\.data into"):
        load("toy set")


def test_a_cache_folder_that_cannot_be_made(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    cache.parent.write_bytes(b"")
    with pytest.raises(
        OSError, match=r"the folder of downloads .*disco-cvi cannot be used \("
    ) as e:
        load("toy set")
    assert not isinstance(e.value, ConnectionError)
    assert "let the environment variable DISCO_DATA name that folder" in str(e.value)
    assert not server.asked


def test_a_cache_folder_that_must_not_be_written_to(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    server.contents["/toy.data"] = TOY
    fetch("toy set")
    for path in (cache / "toy" / "toy.data", cache / "toy", cache):
        path.chmod(0o555)
    try:
        assert load("toy set").X.shape == (3, 2)  # what is there can be used
    finally:
        for path in (cache, cache / "toy"):
            path.chmod(0o755)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may write everywhere")
def test_a_download_into_a_folder_that_must_not_be_written_to(
    plain: DatasetInfo, server: Server, cache: Path
) -> None:
    server.contents["/toy.data"] = TOY
    cache.mkdir(parents=True)
    cache.chmod(0o555)
    with pytest.raises(OSError, match=r"cannot be used \(Permission denied\)"):
        load("toy set")
    cache.chmod(0o755)


def test_without_pooch(
    plain: DatasetInfo, server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError) as caught:
        load("toy set")
    assert str(caught.value) == (
        "downloading the data set 'Toy set' needs pooch, which is not installed. Run 'pip install "
        f"disco-cvi[experiments]', or put toy/toy.data, published at {plain.address}, into a "
        "folder and let the environment variable DISCO_DATA name it."
    )


def test_pooch_says_nothing_and_keeps_its_own_level(
    plain: DatasetInfo, server: Server, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pooch: Any = pytest.importorskip("pooch")
    server.contents["/toy.data"] = TOY
    level = pooch.get_logger().level
    load("toy set")
    assert pooch.get_logger().level == level
    assert capfd.readouterr() == ("", "")


def test_the_bar_shows_progress_and_is_wiped_away(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(100_000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    bar = fetch_module.DownloadProgress("downloading Iris", 0, shown=True)
    bar.total = 1000
    for _ in range(5):
        bar.update(100)
    shown = capfd.readouterr().err
    assert "downloading Iris" in shown
    assert " 50%" in shown
    assert bar.done == 500
    bar.reset()
    bar.update(1000)
    assert bar.done == 1000
    bar.close()
    assert is_wiped(capfd.readouterr().err, "downloading")


def test_the_bar_of_a_download_of_unknown_size_shows_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    bar = fetch_module.DownloadProgress("downloading Iris", 0, shown=True)
    bar.update(100)
    bar.close()
    assert capfd.readouterr().err == ""
