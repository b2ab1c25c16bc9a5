"""One page that shows a run: every number beside the paper's, every figure, and what was found."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import IO

from disco_cvi._output.files import write_file
from disco_paper.cells.cell import Scope
from disco_paper.page.facts import Picture, Section, page_facts
from disco_paper.page.render import render

__all__ = ["Picture", "Section", "write_page"]


def write_page(
    path: str | os.PathLike[str],
    sections: Sequence[Section],
    *,
    versions: Mapping[str, str],
    scope: Scope | None = None,
) -> None:
    """Write the page of a run; same sections, same bytes.

    The page holds its style and its pictures, and links to the files beside it. It appears only
    when it is complete.

    Parameters
    ----------
    path : path-like
        The page, in the folder of the tables and figures that it links to.
    sections : sequence of Section
        One per experiment, in the order of the paper.
    versions : mapping of str to str
        What computed the numbers, by name.
    scope : Scope, optional
        How much was run, if not everything: the page says so.
    """
    facts = page_facts(sections, versions=versions, scope=scope or Scope())
    text = render("paper.html", facts)

    def write(stream: IO[bytes]) -> None:
        stream.write(text.encode("utf-8"))

    write_file(os.fspath(path), write)
