"""The commands on the pages exist, with the options that they are shown with."""

from __future__ import annotations

import re
import shlex

import pytest
from command_help import help_of

from disco_cvi.cli import COMMANDS as OWN
from helpers.pages import DOCS, PAGES, PROJECT, read_blocks

COMMANDS = [*OWN, "reproduce"]
LINES = sorted(
    {
        line
        for page in (PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *PAGES)
        for block in read_blocks(page)
        if block.language == "sh"
        for line in block.text.splitlines()
        if line.startswith("disco ")
    }
)


def test_lines_are_found() -> None:
    assert len(LINES) > 8


@pytest.mark.parametrize("line", LINES)
def test_command_and_options_exist(line: str) -> None:
    _, command, *words = shlex.split(line, comments=True)
    assert command in COMMANDS
    known = help_of([command])
    options = {word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word)}
    assert {option for option in options if not re.search(rf"{option}\b", known)} == set()


def test_the_page_shows_the_help_of_every_command() -> None:
    text = (DOCS / "guide" / "command_line.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\{command-help\}(.*)$", text, re.MULTILINE)
    assert [name.strip() for name in shown] == ["", *COMMANDS]
    assert re.findall(r"^## disco (.*)$", text, re.MULTILINE) == COMMANDS


@pytest.mark.parametrize("words", [[name] for name in COMMANDS])
def test_every_command_takes_json_as_the_page_says(words: list[str]) -> None:
    assert "--json" in help_of(words)


def test_help_is_text_without_colors() -> None:
    text = help_of(["score"])
    assert "--labels" in text
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 100
