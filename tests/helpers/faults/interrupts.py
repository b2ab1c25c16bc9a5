"""Ctrl-C at moments that a seed draws: one line, code 130, files whole, nothing half written."""

from __future__ import annotations

import random
import signal
from pathlib import Path

from helpers.faults.kills import fresh, left, whole
from helpers.faults.moments import count_lines, draw_moment, run_child, warm_up
from helpers.faults.writers import Writer

_EVERYTHING = ("disco_cvi",)
# Seconds from the signal to the end, on a busy machine; on a quiet one it is one.
_PATIENCE = 10.0


def interrupt_often(writer: Writer, folder: Path, n_times: int, seed: int) -> tuple[int, list[str]]:
    """Interrupt a writer so many times; return how often it was hit, and what was wrong."""
    chance = random.Random(seed)
    warm_up(writer.call, fresh(folder))
    expected, seconds = whole(writer, fresh(folder))
    n_lines = count_lines(writer.call, fresh(folder), _EVERYTHING)
    hits, wrong = 0, list[str]()
    while hits < n_times:
        moment = draw_moment(chance, seconds, n_lines)
        modules = _EVERYTHING if moment.line else ()
        here = fresh(folder)
        ended = run_child(writer.call, here, signal.SIGINT, moment, modules)
        hits += ended.code != 0
        found = left(writer, here)
        drafts = [path.name for path in here.rglob(".*")]
        # Where Python itself clears something away, it tells of the interrupt and goes on.
        is_ignored = ended.code == 0 and ended.said.startswith("Exception ignored in")
        told = [line for line in ended.said.splitlines() if "interrupted" in line]
        is_right = (
            ended.code in (0, 130)
            and len(told) == (ended.code == 130)
            and (is_ignored or "Traceback" not in ended.said)
            and not drafts
            and all(content in (None, expected[name]) for name, content in found.items())
            and (moment.line or ended.seconds < moment.seconds + _PATIENCE)
        )
        if not is_right:
            wrong.append(f"{moment}: {ended}, {drafts}")
    return hits, wrong
