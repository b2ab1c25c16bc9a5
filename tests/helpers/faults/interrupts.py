"""Ctrl-C at moments that a seed draws: one line, code 130, files whole, nothing half written."""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path

from helpers.faults.kills import fresh, left, whole
from helpers.faults.moments import Ended, Moment, count_lines, draw_moment, run_child, warm_up
from helpers.faults.writers import Writer

_EVERYTHING = ("disco_cvi",)
# Seconds from the signal to the end on a machine that pauses; on a quiet one it is one.
_PATIENCE = 60.0
# What it may compute after the signal; seconds of the processor, which others do not lengthen.
_ANSWER = 1.0
# What goes wrong where Python itself clears something away is told, and it goes on.
_IGNORED = re.compile(
    r"Exception ignored [^\n]*\nTraceback [^\n]*\n(?:(?: [^\n]*)?\n)+(?P<error>\w[^\n]*)\n"
)


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
        allowed = [expected] if ended.code == 0 else [expected, dict.fromkeys(expected)]
        is_right = (
            _is_told(ended)
            and _is_soon(writer, moment, ended)
            and not drafts
            and all(content in {one[name] for one in allowed} for name, content in found.items())
        )
        if not is_right:
            wrong.append(f"{moment}: {ended}, {drafts}")
    return hits, wrong


def _is_told(ended: Ended) -> bool:
    """One line and code 130; or all was done, before the signal or because Python dropped it."""
    has_dropped = False
    for ignored in _IGNORED.finditer(ended.said):
        is_signal = ignored["error"].startswith("KeyboardInterrupt")
        if not is_signal and "disco_cvi" in ignored[0]:
            return False  # what Python's own objects lack after an interrupt is not ours
        has_dropped |= is_signal
    said = _IGNORED.sub("", ended.said)
    told = [line for line in said.splitlines() if "interrupted" in line]
    return (
        ended.code in ((0,) if has_dropped else (0, 130))
        and len(told) == (ended.code == 130)
        and "Traceback" not in said
        and "Exception ignored" not in said
    )


def _is_soon(writer: Writer, moment: Moment, ended: Ended) -> bool:
    if moment.line or ended.code == 0:
        return True
    is_quick = writer.works_on or ended.answered < _ANSWER
    return is_quick and ended.seconds < moment.seconds + _PATIENCE
