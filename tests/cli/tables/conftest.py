"""Files in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into an empty folder that is the current one, and return its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(content: str | bytes, name: str = "points.csv") -> str:
        raw = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(raw)
        return name

    return write_file
