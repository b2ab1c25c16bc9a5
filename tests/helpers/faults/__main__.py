"""``python -m helpers.faults kill score,save 200 [seed]``: one line of JSON with what was wrong."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from helpers.faults.disks import fill_disk_often
from helpers.faults.interrupts import interrupt_often
from helpers.faults.kills import kill_often
from helpers.faults.pairs import begin_often
from helpers.faults.writers import WRITERS, toys_in_place
from paper_helpers.archives import TOY

FAULTS = {
    "kill": kill_often,
    "interrupt": interrupt_often,
    "disk": fill_disk_often,
    "twice": begin_often,
}


def main(fault: str, names: str, count: str, seed: str = "0") -> None:
    """Stop each writer so many times; names are joined by commas."""
    found: dict[str, Any] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory())).resolve()
        address = stack.enter_context(_server(folder / "published"))
        toys_in_place(stack, folder, address)
        for name in names.split(","):
            # A run of experiments starts processes of its own, which takes seconds.
            times = max(1, int(count) // (4 if name == "reproduce" else 1))
            hits, wrong = FAULTS[fault](WRITERS[name](), folder, times, int(seed))
            found[name] = {"hits": hits, "wrong": wrong}
    print(json.dumps(found))  # noqa: T201 - the answer


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Keep the error stream free."""


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """The toy data set, published by another process: children of this one have no threads."""
    folder.mkdir()
    (folder / "toy.data").write_bytes(TOY)
    handler = partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        child = os.fork()
        if child == 0:
            http.serve_forever()
        try:
            yield f"http://127.0.0.1:{http.server_address[1]}"
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
