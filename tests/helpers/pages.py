"""The pages of the site and the code in them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
DOCS = PROJECT / "docs"
# Everything but what Sphinx wrote.
PAGES = sorted(path for path in DOCS.rglob("*.md") if "generated" not in path.parts)


class Block(NamedTuple):
    """A block between fences, and whether it stands right below the one before it."""

    language: str
    text: str
    line: int
    follows: bool


def read_blocks(path: Path) -> list[Block]:
    """All fenced blocks of a page, in order."""
    text = path.read_text(encoding="utf-8")
    blocks, end = [], 0
    for found in re.finditer(r"^```(\S*)[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        follows = not text[end : found.start()].strip()
        line = text.count("\n", 0, found.start()) + 1
        blocks.append(Block(found[1], found[2], line, follows))
        end = found.end()
    return blocks


def run_page(path: Path, names: dict[str, Any]) -> dict[str, Any]:
    """Run the Python of a page from top to bottom; what it prints must be what the page shows.

    A block of `text` right below shows all that is printed; a line `...` stands for any lines.
    """
    blocks = read_blocks(path)
    for block, below in zip(blocks, [*blocks[1:], None], strict=True):
        if block.language != "python":
            continue
        printed = io.StringIO()
        # The line numbers of a traceback are those of the page.
        source = "\n" * block.line + block.text
        with redirect_stdout(printed):
            exec(compile(source, str(path), "exec"), names)
        if below is not None and below.language == "text" and below.follows:
            place = f"{path.name}, line {below.line}"
            assert is_shown(printed.getvalue(), below.text), f"{place}:\n{printed.getvalue()}"
    return names


def is_shown(printed: str, shown: str) -> bool:
    """Whether the lines are the same; `...` stands for any number of lines."""
    return re.fullmatch("".join(_patterns(shown)), _trim(printed)) is not None


def _patterns(shown: str) -> Iterator[str]:
    for line in _trim(shown).splitlines():
        yield "(?:.*\n)*" if line.strip() == "..." else f"{re.escape(line)}\n"


def _trim(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())
