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
# Seconds from the signal to the answer: those of a clock, and those that it computes.
_ANSWER = 1.0
# How often a moment is repeated whose answer came late: a busy machine is late once, not always.
_REPEATS = 3
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
        here = fresh(folder)
        ended = _interrupt(writer, here, moment)
        hits += ended.code != 0
        found = left(writer, here)
        drafts = [path.name for path in here.rglob(".*")]
        allowed = [expected] if ended.code == 0 else [expected, dict.fromkeys(expected)]
        is_right = (
            _is_told(ended)
            and not drafts
            and all(content in {one[name] for one in allowed} for name, content in found.items())
            and _is_quick(writer, ended)
            and (_is_soon(writer, ended) or _is_soon_again(writer, folder, moment))
        )
        if not is_right:
            wrong.append(f"{moment}: {ended}, {drafts}")
    return hits, wrong


def _interrupt(writer: Writer, here: Path, moment: Moment) -> Ended:
    modules = _EVERYTHING if moment.line else ()
    return run_child(writer.call, here, signal.SIGINT, moment, modules)


def _is_told(ended: Ended) -> bool:
    """One line and code 130; or all was done, before the signal or because Python dropped it."""
    said, ignored = _IGNORED.sub("", ended.said), list(_IGNORED.finditer(ended.said))
    if any(not _is_signal(one) and "disco_cvi" in one[0] for one in ignored):
        return False  # what Python's own objects lack after an interrupt is not ours
    told = [line for line in said.splitlines() if "interrupted" in line]
    return (
        ended.code in ((0,) if _has_dropped(ended) else (0, 130))
        and len(told) == (ended.code == 130)
        and "Traceback" not in said
        and "Exception ignored" not in said
    )


def _is_signal(ignored: re.Match[str]) -> bool:
    return ignored["error"].startswith("KeyboardInterrupt")


def _has_dropped(ended: Ended) -> bool:
    """Whether Python itself told that it went on in spite of the signal."""
    return any(_is_signal(ignored) for ignored in _IGNORED.finditer(ended.said))


def _is_quick(writer: Writer, ended: Ended) -> bool:
    """Whether it computes little after the signal, which no other process can lengthen."""
    return ended.code == 0 or writer.works_on or ended.answered < _ANSWER


def _is_soon(writer: Writer, ended: Ended) -> bool:
    """Whether a user had the answer within a second, wherever the signal came."""
    if ended.code == 0 and (writer.works_on or ended.missed or _has_dropped(ended)):
        return True  # nobody was there to answer
    waited = ended.told if writer.works_on else ended.waited
    return waited is not None and waited < _ANSWER


def _is_soon_again(writer: Writer, folder: Path, moment: Moment) -> bool:
    """Whether the same moment, repeated, has an answer within a second at least once."""
    for _ in range(_REPEATS):
        ended = _interrupt(writer, fresh(folder), moment)
        was_hit = ended.code != 0 and not ended.missed
        if was_hit and _is_soon(writer, ended):
            return True
    return False
