"""What a terminal is sent, and a terminal to send it to."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

_WIPE_LINE = "\x1b[2K"
_PATIENCE = 120.0


def is_wiped(sent: str, title: str) -> bool:
    """Whether the line of a bar was wiped away after its title was last shown."""
    return sent.rfind(_WIPE_LINE) > sent.rfind(title)


def run_in_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run Python with a terminal for output and errors; return its exit code and what it wrote."""
    import pty

    ours, theirs = pty.openpty()
    known = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**known, "TERM": "xterm", "COLUMNS": "100", **environment},
    ) as process:
        os.close(theirs)
        written, end = b"", time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            if not select.select([ours], [], [], 1.0)[0]:
                continue
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # all that had the terminal open have ended
                break
            if not part:
                break
            written += part
        else:
            process.kill()
    os.close(ours)
    return process.returncode, written.decode()
