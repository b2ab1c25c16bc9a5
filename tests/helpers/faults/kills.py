"""``kill -9`` at moments that a seed draws: files are whole or absent, and drafts do not stay."""

from __future__ import annotations

import random
import shutil
import signal
from pathlib import Path

from disco_cvi._output.files import write_file
from helpers.faults.moments import Moment, count_lines, draw_moment, run_child, warm_up
from helpers.faults.writers import Writer, write_inputs

_OLD = b"what was there before"


def kill_often(writer: Writer, folder: Path, n_kills: int, seed: int) -> tuple[int, list[str]]:
    """Kill a writer so many times; return how often it was hit, and what was wrong."""
    chance = random.Random(seed)
    warm_up(writer.call, fresh(folder))
    expected, seconds = whole(writer, fresh(folder))
    n_lines = count_lines(writer.call, fresh(folder), writer.modules)
    here, killed, wrong = fresh(folder), 0, list[str]()
    while killed < n_kills:
        moment = draw_moment(chance, seconds, n_lines)
        old = writer.replaces and chance.random() < 0.5
        if not writer.continues:
            here = fresh(folder)
        for name in writer.files if old else ():
            (here / name).write_bytes(_OLD)
        ended = run_child(writer.call, here, signal.SIGKILL, moment, writer.modules)
        killed += ended.code == -signal.SIGKILL
        if ended.code not in (0, -signal.SIGKILL):
            wrong.append(f"{moment}: ended with {ended.code}: {ended.said}")
        found = left(writer, here)
        wrong += [
            f"{moment}: {name} holds {content!r:.80}"
            for name, content in found.items()
            if content not in (expected[name], _OLD if old else None)
        ]
        if writer.continues and ended.code != 0:
            continue
        wrong += _after_the_next(writer, here, expected, moment)
        here = fresh(folder)
    return killed, wrong


def fresh(folder: Path) -> Path:
    """Give an empty folder with what the commands read."""
    here = folder / "here"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    write_inputs(here)
    return here


def whole(writer: Writer, here: Path) -> tuple[dict[str, bytes | None], float]:
    """What is left when nothing happens, and how long that takes."""
    ended = run_child(writer.call, here)
    assert ended.code == 0, ended.said
    found = left(writer, here)
    assert None not in found.values()
    return found, ended.seconds


def left(writer: Writer, here: Path) -> dict[str, bytes | None]:
    """The files of a writer that are there."""
    paths = {name: here / name for name in writer.files}
    return {name: path.read_bytes() if path.exists() else None for name, path in paths.items()}


def _after_the_next(
    writer: Writer, here: Path, expected: dict[str, bytes | None], moment: Moment
) -> list[str]:
    """The next write leaves the files of a whole run, and nothing that was half written."""
    if writer.replaces:  # any file that is written clears the folder; the command itself takes long
        write_file(here / "another", lambda stream: stream.write(b"another"))
    else:
        ended = run_child(writer.call, here)
        if ended.code != 0 or left(writer, here) != expected:
            return [f"{moment}: the next one ended with {ended.code}: {ended.said}"]
    drafts = [path.name for path in here.rglob(".*")]
    return [f"{moment}: {drafts} stay"] if drafts else []
