"""A disk of 2 MB that is full but for some bytes: an error that says so, nothing half written."""

from __future__ import annotations

import os
import random
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from helpers.faults.kills import fresh, left, whole
from helpers.faults.moments import run_child, warm_up
from helpers.faults.writers import Writer, write_inputs

_SIZE = 2 << 20
_FULL = ("No space", "full", "too large", "I/O error")


def fill_disk_often(writer: Writer, folder: Path, n_times: int, seed: int) -> tuple[int, list[str]]:
    """Let a writer find a full disk so many times; return how often, and what was wrong."""
    chance = random.Random(seed)
    warm_up(writer.call, fresh(folder))
    expected, _ = whole(writer, fresh(folder))
    size = sum(len(content or b"") for content in expected.values())
    hits, wrong = 0, list[str]()
    while hits < n_times:
        room = int(chance.random() * size)
        with _small_disk(folder, room) as (here, limit):
            ended = run_child(partial(_limited, writer, limit), here)
            found = left(writer, here)
            drafts = [path.name for path in here.rglob(".*")]
        hits += ended.code != 0
        is_right = found == expected
        if ended.code == 1:
            is_right = (
                _says_why(ended.said)
                and "Traceback" not in ended.said
                and all(content in (None, expected[name]) for name, content in found.items())
            )
        if not is_right or drafts or ended.code not in (0, 1):
            wrong.append(f"room for {room}: {ended}, {drafts}")
    return hits, wrong


def _says_why(said: str) -> bool:
    """Whether one line tells of the disk; a run counts its cells before, a download sums up."""
    told = [line for line in said.splitlines() if line.startswith("disco: ")]
    why = [line for line in told if any(words in line for words in _FULL)]
    return len(why) == 1 and len(told) <= 2


def _limited(writer: Writer, limit: int | None) -> int:
    if limit is not None:
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    return writer.call()


@contextmanager
def _small_disk(folder: Path, room: int) -> Iterator[tuple[Path, int | None]]:
    """A folder on a disk with room for so many bytes, or a limit to the size of files."""
    here = fresh(folder)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(here)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield here, room // 10
        return
    try:
        write_inputs(here)
        _fill(here / "filler", room)
        yield here, None
    finally:
        subprocess.run(["umount", str(here)], check=True)


def _fill(path: Path, room: int) -> None:
    with path.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(bytes(4096))
        except OSError:
            stream.truncate(max(stream.tell() - room, 0))
