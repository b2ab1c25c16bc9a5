"""JSON lines that somebody made to do harm: few bytes that want much room, text that is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from disco_cvi.cli.tables import ReadOptions, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


def test_rows_that_lack_all_names_are_counted_with_every_column(write: Write) -> None:
    names = ",".join(f'"{j:x}":0' for j in range(2000))
    name = write(f"{{{names}}}\n" + "{}\n" * 100, "bomb.jsonl")
    assert Path(name).stat().st_size < 1 << 15
    with pytest.raises(InvalidInputError, match=r"bomb\.jsonl holds more than 1 MiB"):
        read_points(name, ReadOptions(most_bytes=1 << 20))
    with pytest.raises(InvalidInputError, match="missing or infinite values in 100 rows"):
        read_points(name, ReadOptions(most_bytes=8 * 101 * 2000))


def test_the_row_beyond_the_limit_is_the_last_that_is_looked_at(write: Write) -> None:
    rows = "[1, 2]\n" * 65 + "this is no JSON\n"
    with pytest.raises(InvalidInputError, match="holds more than 1 KiB"):
        read_points(write(rows, "a.jsonl"), ReadOptions(most_bytes=1 << 10))
    with pytest.raises(InvalidInputError, match="line 66 is not JSON"):
        read_points("a.jsonl", ReadOptions(most_bytes=1 << 11))
