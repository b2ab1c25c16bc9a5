"""An installed Chromium without a window, driven over a pipe: the standard library only.

Tests say: from helpers.chromium.process import Chromium

The browser speaks JSON over the two ends of `--remote-debugging-pipe`: each message ends in a zero
byte; an answer carries the number of its question, an event carries none.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

LIMIT = 60.0  # seconds for one answer: machines of continuous integration are slow
CLOSING_LIMIT = 10.0

FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    # In a process of their own, sandboxed frames would need a conversation of their own.
    "--disable-features=IsolateSandboxedIframes,Translate",
    "--disable-gpu",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--no-default-browser-check",
    "--no-first-run",
)

# Chromium reads from 3 and writes to 4. Python can hand over open files, but not renumber them.
LAUNCHER = """
import os, sys
reading, writing = (os.dup(int(number)) for number in sys.argv[1:3])
high = [os.dup2(reading, 200), os.dup2(writing, 201)]
os.dup2(high[0], 3), os.dup2(high[1], 4)
os.closerange(5, 256)
os.execv(sys.argv[3], sys.argv[3:])
"""


class BrowserError(Exception):
    """The browser refused a command, was too slow, or has ended."""


class Chromium:
    """A running browser; use it in a `with` statement, which ends it and removes its folder."""

    def __init__(self, program: str, *, limit: float = LIMIT) -> None:
        self.limit = limit
        self.events: dict[str, list[dict[str, Any]]] = defaultdict(list)  # by session
        self._questions = 0
        self._unread = b""
        self._folder = Path(tempfile.mkdtemp(prefix="disco-chromium-"))
        to_browser, self._to_browser = os.pipe()
        self._from_browser, from_browser = os.pipe()
        try:
            self._process = self._start(program, to_browser, from_browser)
        except BaseException:
            self._release()
            raise
        finally:
            os.close(to_browser)
            os.close(from_browser)
        try:
            self.version = self.send("Browser.getVersion")["product"]
        except BaseException:
            self.close()
            raise

    def _start(self, program: str, reading: int, writing: int) -> subprocess.Popen[bytes]:
        flags = [*FLAGS, f"--user-data-dir={self._folder / 'profile'}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")  # root may not have one
        launcher = [sys.executable, "-ISc", LAUNCHER, str(reading), str(writing)]
        return subprocess.Popen(
            [*launcher, program, *flags],
            pass_fds=(reading, writing),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that its children can be ended with it
        )

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def folder(self) -> Path:
        """A folder that lives as long as the browser, for the pages of tests."""
        return self._folder

    def send(
        self,
        method: str,
        parameters: dict[str, Any] | None = None,
        *,
        session: str | None = None,
        limit: float | None = None,
    ) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._questions += 1
        number = self._questions
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        self._write(json.dumps(message).encode() + b"\0", method)
        limit = limit or self.limit
        end = time.monotonic() + limit
        while True:
            answer = self._read(end)
            if answer is None:
                raise BrowserError(f"{method}: no answer within {limit:g} s.")
            if answer.get("id") == number:
                break
            self._keep(answer)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def listen(self, seconds: float) -> None:
        """Keep the events that arrive within the time; returns after the first."""
        event = self._read(time.monotonic() + seconds)
        if event:
            self._keep(event)

    def _keep(self, event: dict[str, Any]) -> None:
        if "method" in event:  # late answers to questions that ran out of time have none
            self.events[event.get("sessionId", "")].append(event)

    def _write(self, message: bytes, method: str) -> None:
        try:
            while message:
                message = message[os.write(self._to_browser, message) :]
        except OSError as error:
            raise BrowserError(f"{method}: the browser has ended.") from error

    def _read(self, end: float) -> dict[str, Any] | None:
        """The next message, or None if there is none before the end."""
        while b"\0" not in self._unread:
            wait = max(end - time.monotonic(), 0.0)
            if not select.select([self._from_browser], [], [], wait)[0]:
                return None
            read = os.read(self._from_browser, 1 << 20)
            if not read:
                raise BrowserError("The browser has ended.")
            self._unread += read
        first, self._unread = self._unread.split(b"\0", 1)
        message: dict[str, Any] = json.loads(first)
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser with all its processes and remove its folder; again: does nothing."""
        if self._process.returncode is None:
            with contextlib.suppress(BrowserError, subprocess.TimeoutExpired):
                self.send("Browser.close", limit=min(self.limit, CLOSING_LIMIT))
                self._process.wait(CLOSING_LIMIT)
            with contextlib.suppress(ProcessLookupError):  # the whole group, also what it left
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._release()

    def _release(self) -> None:
        for end in (self._to_browser, self._from_browser):
            if end >= 0:
                os.close(end)
        self._to_browser = self._from_browser = -1
        # A child that was just killed may still hold a file for a moment.
        for _ in range(20):
            shutil.rmtree(self._folder, ignore_errors=True)
            if not self._folder.exists():
                break
            time.sleep(0.05)
