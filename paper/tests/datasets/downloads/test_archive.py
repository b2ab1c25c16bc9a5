from __future__ import annotations

import io
import re
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

from disco_paper.datasets.downloads import archive
from disco_paper.datasets.downloads.archive import read_members
from paper_helpers.archives import Packer, packed_tar, packed_zip

pytestmark = pytest.mark.small

WANTED = re.compile(r"[ab]\.txt", re.IGNORECASE)


def packed_bz2(members: dict[str, bytes]) -> bytes:
    return packed_tar(members, "bz2")


def packed_xz(members: dict[str, bytes]) -> bytes:
    return packed_tar(members, "xz")


def packed_plain_tar(members: dict[str, bytes]) -> bytes:
    return packed_tar(members, "")


PACKERS = [packed_zip, packed_tar, packed_bz2, packed_xz, packed_plain_tar]


def read(folder: Path, content: bytes, count: int = 2) -> dict[str, bytes]:
    path = folder / "archive"
    path.write_bytes(content)
    before = sorted(folder.rglob("*"))
    try:
        return read_members(path, WANTED, count)
    finally:
        assert sorted(folder.rglob("*")) == before, "reading writes nothing"


@pytest.mark.parametrize("pack", PACKERS)
def test_members_are_found_by_name_in_any_folder(tmp_path: Path, pack: Packer) -> None:
    content = pack({"readme": b"no", "deep/er/A.txt": b"1", "b.txt": b"2", "ab.txt": b"no"})
    assert read(tmp_path, content) == {"a.txt": b"1", "b.txt": b"2"}


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize(
    ("ending", "pack_inside"), [("tar.gz", packed_tar), ("zip", packed_zip), ("TGZ", packed_tar)]
)
def test_members_are_found_in_archives_within(
    tmp_path: Path, pack: Packer, ending: str, pack_inside: Packer
) -> None:
    inside = pack_inside({"x/a.txt": b"1", "x/b.txt": b"2"})
    assert read(tmp_path, pack({f"y/inside.{ending}": inside})) == {"a.txt": b"1", "b.txt": b"2"}


@pytest.mark.parametrize("pack", PACKERS)
def test_an_archive_is_not_taken_for_the_one_at_its_end(tmp_path: Path, pack: Packer) -> None:
    content = pack({"a.txt": b"1", "b.txt": b"2", "inside.zip": packed_zip({"a.txt": b"3"})})
    assert read(tmp_path, content) == {"a.txt": b"1", "b.txt": b"2"}


def test_own_members_go_before_those_within_and_small_archives_before_large(tmp_path: Path) -> None:
    small = packed_tar({"a.txt": b"small", "b.txt": b"small"})
    rest = np.random.default_rng(0).bytes(5000)
    large = packed_tar({"a.txt": b"large", "b.txt": b"large", "rest": rest})
    both = {"large.tar.gz": large, "small.tar.gz": small}
    assert read(tmp_path, packed_zip(both)) == {"a.txt": b"small", "b.txt": b"small"}
    with_own = both | {"a.txt": b"own"}
    assert read(tmp_path, packed_zip(with_own)) == {"a.txt": b"own", "b.txt": b"small"}


def test_a_complete_search_does_not_open_further_archives(tmp_path: Path) -> None:
    content = packed_zip({"a.txt": b"1", "b.txt": b"2", "damaged.zip": b"PK"})
    assert read(tmp_path, content) == {"a.txt": b"1", "b.txt": b"2"}


def test_nesting_has_an_end(tmp_path: Path) -> None:
    content = packed_zip({"a.txt": b"1", "b.txt": b"2"})
    for _ in range(2):
        content = packed_zip({"inside.zip": content})
    assert len(read(tmp_path, content)) == 2
    with pytest.raises(ValueError, match="it holds 0 of the 2 files"):
        read(tmp_path, packed_zip({"inside.zip": content}))


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize(
    "path",
    ["../a.txt", "x/../../a.txt", "/a.txt", "/etc/a.txt", "..\\a.txt", "C:\\a.txt", "C:a.txt"],
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, pack: Packer, path: str) -> None:
    with pytest.raises(ValueError, match="which lies outside of its own folder"):
        read(tmp_path, pack({"b.txt": b"2", path: b"1"}))


@pytest.mark.parametrize("pack", PACKERS)
def test_dots_inside_names_are_harmless(tmp_path: Path, pack: Packer) -> None:
    assert len(read(tmp_path, pack({"..x/a.txt": b"1", "./x..y/b.txt": b"2"}))) == 2


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE])
def test_links_and_devices_in_tar_are_not_followed(tmp_path: Path, kind: bytes) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        header = tarfile.TarInfo("a.txt")
        header.type = kind
        header.linkname = str(tmp_path / "secret")
        archive.addfile(header)
    with pytest.raises(ValueError, match="it holds 0 of the 1 files"):
        read(tmp_path, stream.getvalue(), count=1)


def test_links_in_zip_are_not_followed(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("a.txt")
    info.external_attr = 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(info, str(tmp_path / "secret"))
    with pytest.raises(ValueError, match="it holds 0 of the 1 files"):
        read(tmp_path, stream.getvalue(), count=1)


@pytest.mark.parametrize("pack", PACKERS)
def test_absurd_sizes_are_refused(
    tmp_path: Path, pack: Packer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = pack({"a.txt": bytes(1 << 20), "b.txt": bytes(1 << 20)})
    assert len(read(tmp_path, bomb)) == 2
    monkeypatch.setattr(archive, "_LARGEST", (2 << 20) - 1)
    with pytest.raises(ValueError, match="more than 1 MiB"):
        read(tmp_path, bomb)


def test_a_stated_size_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    header = tarfile.TarInfo("a.txt")
    header.size = 1 << 40
    with pytest.raises(ValueError, match="more than 512 MiB"):
        read(tmp_path, header.tobuf() + bytes(1024))


def test_sizes_add_up_over_archives_within(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = packed_tar({"c.txt": bytes(1 << 20)})
    content = packed_zip({f"{number}.tar.gz": inside for number in range(5)})
    monkeypatch.setattr(archive, "_LARGEST", 4 << 20)
    with pytest.raises(ValueError, match="more than 4 MiB"):
        read(tmp_path, content)


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "_MOST_MEMBERS", 3)
    members = {f"{number}": b"" for number in range(3)}
    with pytest.raises(ValueError, match="it holds 0 of the 2 files"):
        read(tmp_path, packed_zip(members))
    with pytest.raises(ValueError, match="or 3 files"):
        read(tmp_path, packed_zip(members | {"a.txt": b"1"}))


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


@pytest.mark.parametrize("pack", PACKERS)
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
            found = read(tmp_path, attempt)
        except ValueError:
            refused += 1
        else:
            assert set(found) == {"a.txt", "b.txt"}
    assert refused > len(damaged) / 10
