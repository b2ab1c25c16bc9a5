"""Archives and images that strangers made: nothing is written, nothing absurd is unpacked."""

from __future__ import annotations

import io
import re
import struct
import tarfile
import zipfile
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from disco_paper.datasets.downloads import archive
from disco_paper.datasets.downloads.archive import IMAGES, gather, read_members
from disco_paper.datasets.downloads.files import parse
from paper_helpers.archives import Packer, packed_tar, packed_zip

WANTED = re.compile(r"[ab]\.txt", re.IGNORECASE)
BOTH = {"a.txt": b"1", "b.txt": b"2"}
PACKERS = [packed_zip, *(partial(packed_tar, kind=kind) for kind in ("gz", "bz2", "xz", ""))]
each_kind = pytest.mark.parametrize("pack", PACKERS, ids=["zip", "gz", "bz2", "xz", "tar"])
FACES, OBJECTS = IMAGES


def read(folder: Path, content: bytes, count: int = 2) -> dict[str, bytes]:
    path = folder / "archive"
    path.write_bytes(content)
    before = sorted(folder.parent.rglob("*"))
    try:
        return read_members(path, WANTED, count)
    finally:
        assert sorted(folder.parent.rglob("*")) == before, "reading writes nothing"


@each_kind
def test_members_are_found_by_name_in_any_folder(tmp_path: Path, pack: Packer) -> None:
    members = {"readme": b"no", "deep/er/A.txt": b"1", "b.txt": b"2", "ab.txt": b"no"}
    assert read(tmp_path, pack(members)) == BOTH
    # It is not taken for the archive at its end.
    assert read(tmp_path, pack({**BOTH, "inside.zip": packed_zip({"a.txt": b"3"})})) == BOTH
    # Nothing is written, so that it does not matter where a path leads.
    for path in ("../a.txt", "/a.txt", "..\\a.txt", "C:\\a.txt"):
        assert read(tmp_path, pack({"b.txt": b"2", path: b"1"})) == BOTH


@each_kind
@pytest.mark.parametrize("ending", ["tar.gz", "zip", "TGZ"])
def test_members_are_found_in_archives_within(tmp_path: Path, pack: Packer, ending: str) -> None:
    pack_inside: Packer = packed_zip if ending == "zip" else packed_tar
    inside = pack_inside({"x/a.txt": b"1", "x/b.txt": b"2"})
    assert read(tmp_path, pack({f"y/inside.{ending}": inside})) == BOTH


def test_own_members_go_before_those_within_and_small_archives_before_large(tmp_path: Path) -> None:
    small = packed_tar({"a.txt": b"small", "b.txt": b"small"})
    rest = np.random.default_rng(0).bytes(5000)
    large = packed_tar({"a.txt": b"large", "b.txt": b"large", "rest": rest})
    both = {"large.tar.gz": large, "small.tar.gz": small}
    assert read(tmp_path, packed_zip(both)) == {"a.txt": b"small", "b.txt": b"small"}
    with_own = both | {"a.txt": b"own"}
    assert read(tmp_path, packed_zip(with_own)) == {"a.txt": b"own", "b.txt": b"small"}
    # A complete search opens no further archives.
    assert read(tmp_path, packed_zip({**BOTH, "damaged.zip": b"PK"})) == BOTH


def test_nesting_has_an_end(tmp_path: Path) -> None:
    content = packed_zip(BOTH)
    for _ in range(2):
        content = packed_zip({"inside.zip": content})
    assert read(tmp_path, content) == BOTH
    with pytest.raises(ValueError, match="it holds 0 of the 2 files"):
        read(tmp_path, packed_zip({"inside.zip": content}))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_not_followed(tmp_path: Path, kind: bytes) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as made:
        header = tarfile.TarInfo("a.txt")
        header.type = kind
        header.linkname = str(tmp_path / "secret")
        made.addfile(header)
    with pytest.raises(ValueError, match="it holds 0 of the 1 files"):
        read(tmp_path, stream.getvalue(), count=1)
    info = zipfile.ZipInfo("a.txt")
    info.external_attr = 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as zipped:
        zipped.writestr(info, str(tmp_path / "secret"))
    assert b"secret" not in set(read(tmp_path, stream.getvalue(), count=1).values())


@each_kind
def test_absurd_sizes_are_refused(
    tmp_path: Path, pack: Packer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = pack({"a.txt": bytes(1 << 20), "b.txt": bytes(1 << 20)})
    assert len(read(tmp_path, bomb)) == 2
    monkeypatch.setattr(archive, "_LARGEST", (2 << 20) - 1)
    with pytest.raises(ValueError, match="more than 1 MiB"):
        read(tmp_path, bomb)
    # Sizes add up over archives within, and names count.
    inside = packed_tar({"c.txt": bytes(1 << 20)})
    for members in (
        {f"{number}.tar.gz": inside for number in range(5)},
        {f"{number}": b"" for number in range(1000)},
    ):
        with pytest.raises(ValueError, match="more than 1 MiB"):
            read(tmp_path, pack(members))


def test_a_stated_size_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a.txt")
    header.size = 1 << 40
    with pytest.raises(ValueError, match="more than 512 MiB"):
        read(tmp_path, header.tobuf() + bytes(1024))


@pytest.mark.parametrize("content", [b"", b"PK", b"<html>sign in</html>" * 50, bytes(2000)])
def test_other_files_are_no_archive(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"it is no complete zip or tar file|it holds 0 of the 2"):
        read(tmp_path, content)


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    content = bytearray(packed_zip({"a.txt": b"1"}))
    content[6] |= 1  # the flag in the member's own header
    content[content.index(b"PK\x01\x02") + 8] |= 1  # and in the directory
    with pytest.raises(ValueError, match="is encrypted"):
        read(tmp_path, bytes(content), count=1)


@each_kind
def test_damage_is_refused_or_harmless(tmp_path: Path, pack: Packer) -> None:
    """No other error may come out; changed contents are for the checksum of values to find."""
    rng = np.random.default_rng(1)
    content = pack({"a.txt": b"1" * 300, "b.txt": rng.bytes(300)})
    damaged = [content[:end] for end in range(0, len(content), len(content) // 40)]
    for place in rng.integers(min(len(content), 2048), size=60):
        changed = bytearray(content)
        changed[place] ^= 1 << rng.integers(8)
        damaged.append(bytes(changed))
    refused = 0
    for attempt in damaged:
        try:
            assert set(read(tmp_path, attempt)) == set(BOTH)
        except ValueError:
            refused += 1
    assert refused > len(damaged) / 10


# --- images ---------------------------------------------------------------------------------------


def png(pixels: Any, mode: str = "L") -> bytes:
    stream = io.BytesIO()
    Image.fromarray(np.asarray(pixels, dtype=np.uint8)).convert(mode).save(stream, "PNG")
    return stream.getvalue()


def test_faces_are_sorted_by_person_and_scaled_by_their_largest_value(tmp_path: Path) -> None:
    names = ["bob_up_sad_open_4.pgm", "ann_up_sad_open_4.pgm", "bob_left_sad_sunglasses_4.pgm"]
    heads = [b"P5 32 30 100 ", b"P5\r\n# by 7 7 7\n32 30 # wide\n101\n", b"P5\n32 30\n255\n"]
    images = {name: heads[i] + bytes([i, 50] * 480) for i, name in enumerate(names)}
    gather(images, tmp_path / FACES)
    points, labels = parse("images", [tmp_path / FACES])
    assert labels.tolist() == [0, 1, 1]
    assert points[:, :2].tolist() == [[3, 126], [2, 50], [0, 128]]  # 255 / 101, 50 * 255 / 101, ...
    assert points.shape == (3, 960)


@pytest.mark.parametrize("mode", ["L", "RGB", "P"])
def test_objects_are_sorted_by_number(tmp_path: Path, mode: str) -> None:
    pixels = np.arange(128 * 128).reshape(128, 128) % 251
    values = {"obj10__0.png": 3, "obj2__10.png": 2, "obj2__9.png": 1, "obj1__71.png": 0}
    images = {name: png((pixels + value) % 251, mode) for name, value in values.items()}
    gather(images, tmp_path / OBJECTS)
    points, labels = parse("images", [tmp_path / OBJECTS])
    assert labels.tolist() == [0, 1, 1, 9]
    assert np.array_equal(points, [((pixels + value) % 251).ravel() for value in range(4)])


def _huge(side: int) -> bytes:
    content = bytearray(png(np.zeros((128, 128))))
    content[16:24] = struct.pack(">II", side, side)
    content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"P2\n1 1\n9\n5", b"P5\n128 128\n255\nabc", b"P5\n128 128\n0\na", b"<html>"),
        *(b"P5\n0 4\n255\n", b"P5\n99999999999 99999999999\n255\na"),
        png(np.zeros((128, 127))),
        png(np.zeros((128, 128)))[:60],
        *map(_huge, (10_000, 60_000)),  # of the first pillow warns, the second it refuses
    ],
    ids=lambda content: repr(content[:20]),
)
def test_other_images_are_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^obj1__0\.png (is no image|does not have 128 x 128)"):
        gather({"obj1__0.png": content}, tmp_path / OBJECTS)
    assert not list(tmp_path.iterdir())


def test_file_names_are_those_of_the_data_sets(shared: Path) -> None:
    for folder, file in (("cmu_faces", FACES), ("coil20", OBJECTS)):
        with np.load(shared / "data" / folder / file) as arrays:
            names = [name.rpartition("/")[2] for name in arrays["names"].tolist()]
        assert all(IMAGES[file][0].fullmatch(name) for name in names)
        assert len(set(names)) == len(names)
    assert not IMAGES[FACES][0].fullmatch("an2i_left_angry_open_2.pgm")
    assert not IMAGES[FACES][0].fullmatch("an2i_left_angry_open.pgm")
