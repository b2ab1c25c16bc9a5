from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_paper.datasets.downloads.file_forms import parse
from disco_paper.datasets.downloads.images import IMAGE_NAMES, gather, read_pgm

FACES, OBJECTS = "cmu_faces_4.npz", "coil20_128x128.npz"


def png(pixels: Any, mode: str = "L") -> bytes:
    image: Any = pytest.importorskip("PIL.Image")
    stream = io.BytesIO()
    image.fromarray(np.asarray(pixels, dtype=np.uint8)).convert(mode).save(stream, "PNG")
    return stream.getvalue()


@pytest.mark.small
@pytest.mark.parametrize(
    "header",
    [
        b"P5\n3 2\n99\n",
        b"P5 3 2 99 ",
        b"P5\r\n3\t2\r\n99\n",
        b"P5\n# made by\n# somebody 7 7 7\n3 2 # wide\n99\n",
    ],
)
def test_pgm_is_read_as_it_is(header: bytes) -> None:
    image = read_pgm(header + bytes([10, 35, 9, 32, 0, 99]), "image")  # pixels like # and blanks
    assert image.pixels.tolist() == [[10, 35, 9], [32, 0, 99]]
    assert image.largest == 99


@pytest.mark.small
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"P2\n1 1\n9\n5",
        b"P5\n2 2\n255\nabc",
        b"P5\n1 1\n65535\nab",
        b"P5\n1 1\n0\na",
        b"P5\n0 4\n255\n",
        b"P5\n99999999999 99999999999\n255\na",
        b"<html>",
    ],
)
def test_other_images_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^face\.pgm "):
        read_pgm(content, "face.pgm")


@pytest.mark.small
def test_faces_are_sorted_by_person_and_keep_their_largest_value(tmp_path: Path) -> None:
    names = ["bob_up_sad_open_4.pgm", "ann_up_sad_open_4.pgm", "bob_left_sad_sunglasses_4.pgm"]
    images = {name: b"P5 2 1 %d " % (100 + i) + bytes([i, 50]) for i, name in enumerate(names)}
    gather(images, tmp_path / FACES)
    with np.load(tmp_path / FACES) as arrays:
        assert {name: arrays[name].dtype.kind for name in arrays.files} == {
            "images": "u",
            "labels": "i",
            "names": "U",
            "maxval": "i",
        }
        assert arrays["labels"].tolist() == [0, 1, 1]
        assert arrays["maxval"].tolist() == [101, 102, 100]
        assert arrays["images"].tolist() == [[[1, 50]], [[2, 50]], [[0, 50]]]
        assert arrays["names"][1] == "bob/bob_left_sad_sunglasses_4.pgm"
    points = parse("images", [tmp_path / FACES]).points
    assert points.tolist() == [[3, 126], [5, 125], [0, 128]]  # 255 / 101, 50 * 255 / 101, ...


@pytest.mark.parametrize("mode", ["L", "RGB", "P"])
def test_objects_are_sorted_by_number(tmp_path: Path, mode: str) -> None:
    pixels = np.arange(128 * 128).reshape(128, 128) % 251
    values = {"obj10__0.png": 3, "obj2__10.png": 2, "obj2__9.png": 1, "obj1__71.png": 0}
    images = {name: png((pixels + value) % 251, mode) for name, value in values.items()}
    gather(images, tmp_path / OBJECTS)
    points, labels = parse("images", [tmp_path / OBJECTS])
    assert labels.tolist() == [0, 1, 1, 9]
    assert points.shape == (4, 128 * 128)
    for value, point in enumerate(points):
        assert np.array_equal(point, ((pixels + value) % 251).ravel())


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (lambda: png(np.zeros((128, 127))), "obj1__0.png has 127 x 128 pixels"),
        (lambda: png(np.zeros((128, 128)))[:60], "obj1__0.png is no PNG image"),
        (lambda: b"P5 1 1 255 a", "obj1__0.png is no PNG image"),
        (lambda: b"", "obj1__0.png is no PNG image"),
    ],
)
def test_other_objects_are_refused(tmp_path: Path, content: Any, pattern: str) -> None:
    pytest.importorskip("PIL")
    with pytest.raises(ValueError, match=f"^{re.escape(pattern)}$"):
        gather({"obj1__0.png": content()}, tmp_path / OBJECTS)


def test_an_absurd_image_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    import struct
    import zlib

    pytest.importorskip("PIL")
    content = bytearray(png(np.zeros((128, 128))))
    for side in (10_000, 60_000):  # the first makes pillow warn, the second makes it refuse
        content[16:24] = struct.pack(">II", side, side)
        content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
        with pytest.raises(ValueError, match=r"^obj1__0\.png "):
            gather({"obj1__0.png": bytes(content)}, tmp_path / OBJECTS)


def test_without_pillow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    content = png(np.zeros((128, 128)))
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"Run 'pip install disco-cvi\[experiments\]'\.$"):
        gather({"obj1__0.png": content}, tmp_path / OBJECTS)


def test_file_names_are_those_of_the_data_sets(shared: Path) -> None:
    for folder, file in (("cmu_faces", FACES), ("coil20", OBJECTS)):
        with np.load(shared / "data" / folder / file) as arrays:
            names = [name.rpartition("/")[2] for name in arrays["names"].tolist()]
        assert all(IMAGE_NAMES[file].fullmatch(name) for name in names)
        assert len(set(names)) == len(names)
    assert not IMAGE_NAMES[FACES].fullmatch("an2i_left_angry_open_2.pgm")
    assert not IMAGE_NAMES[FACES].fullmatch("an2i_left_angry_open.pgm")
