"""Two at once in one folder: one of them works, the other says so or comes after it."""

from __future__ import annotations

import os
import pickle
import random
import time
from pathlib import Path

from helpers.faults.kills import fresh, left, whole
from helpers.faults.moments import Ended, run_child, warm_up
from helpers.faults.writers import Writer


def begin_often(writer: Writer, folder: Path, n_times: int, seed: int) -> tuple[int, list[str]]:
    """Begin a writer twice so many times; return how often one was refused, and what was wrong."""
    chance = random.Random(seed)
    warm_up(writer.call, fresh(folder))
    expected, seconds = whole(writer, fresh(folder))
    hits, wrong = 0, list[str]()
    while hits < n_times:
        here = fresh(folder)
        # Half of them begin at the same moment, as far as there is one.
        later = max(0.0, chance.uniform(-seconds, seconds))
        ends = _two_ends(writer, here, later)
        hits += any(ended.code == 1 for ended in ends)
        drafts = [path.name for path in here.rglob(".*")]
        is_right = all(map(_is_told, ends)) and any(ended.code == 0 for ended in ends)
        if not is_right or drafts or left(writer, here) != expected:
            wrong.append(f"{later} s later: {ends}, {drafts}")
    return hits, wrong


def _two_ends(writer: Writer, here: Path, later: float) -> list[Ended]:
    """Let another process begin the second one, that much later than the first."""
    path = here.parent / "second"
    other = os.fork()
    if other == 0:
        time.sleep(later)
        path.write_bytes(pickle.dumps(run_child(writer.call, here)))
        os._exit(0)
    first = run_child(writer.call, here)
    os.waitpid(other, 0)
    return [first, pickle.loads(path.read_bytes())]


def _is_told(ended: Ended) -> bool:
    """Done, or refused in one line."""
    lines = ended.said.splitlines()
    refused = len(lines) == 1 and "is in use: another run" in lines[0]
    return "Traceback" not in ended.said and (ended.code == 0 or (ended.code == 1 and refused))
