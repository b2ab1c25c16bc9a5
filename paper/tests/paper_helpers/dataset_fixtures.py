"""A server of files on this machine, an empty cache folder, and data sets small enough to read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from disco_paper.datasets import DatasetInfo, catalogue
from paper_helpers.archives import Server, toy_info


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder, which does not exist yet; no folder is named by DISCO_DATA."""
    pooch: Any = pytest.importorskip("pooch")
    folder = tmp_path / "cache"
    monkeypatch.setattr(pooch, "os_cache", lambda project: folder / project)
    monkeypatch.delenv("DISCO_DATA", raising=False)
    return folder / "disco-cvi"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            content = found.contents.get(self.path)
            if content is None:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            end = len(content) // 2 if self.path in found.cut else len(content)
            self.wfile.write(content[:end])

        def log_message(self, *arguments: object) -> None:
            """Keep the error stream free."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        found = Server(f"http://127.0.0.1:{http.server_address[1]}")
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        http.shutdown()
        thread.join()


@pytest.fixture
def plain(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> DatasetInfo:
    """The only data set that is known: published as it is, at /toy.data of the server."""
    info = toy_info(tmp_path, f"{server.address}/toy.data")
    monkeypatch.setattr(catalogue, "CATALOGUE", (info,))
    return info


@pytest.fixture
def packed(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> DatasetInfo:
    """The only data set that is known: published in the archive /pack.zip of the server."""
    info = toy_info(tmp_path, f"{server.address}/pack.zip")
    monkeypatch.setattr(catalogue, "CATALOGUE", (info,))
    return info
