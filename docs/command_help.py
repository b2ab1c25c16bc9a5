"""The directive ``command-help``: what a command of `disco` prints when it is asked for help."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, ClassVar
from unittest.mock import patch

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def help_of(words: list[str]) -> str:
    """The text of ``disco <words> --help``, as wide as a page."""
    from disco_cvi.cli import main

    printed = io.StringIO()
    plain = {"COLUMNS": "96", "NO_COLOR": "1", "TERM": "dumb"}
    with patch.dict(os.environ, plain), redirect_stdout(printed):
        main([*words, "--help"])
    return printed.getvalue().rstrip()


class CommandHelp(SphinxDirective):
    """A literal block with the help of the command that the argument names."""

    optional_arguments = 2
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """Make the block."""
        text = help_of(self.arguments)
        block = nodes.literal_block(text, text, language="none")
        return [block]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive; Sphinx calls this."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
