"""Tables and cards: as text, Markdown, HTML for notebooks, and data frames."""

from __future__ import annotations

import importlib
import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from html import escape
from typing import Any, NamedTuple

from disco_cvi._output.words import shorten, visible
from disco_cvi.exceptions import InvalidInputError

# --- text and Markdown ----------------------------------------------------------------------------

Rows = Sequence[Sequence[str]]


def text_table(rows: Rows, *, right: frozenset[int] = frozenset()) -> str:
    """Lay out rows in columns; the first row is the header, `right` the columns set flush right.

    >>> print(text_table([("name", "n"), ("a", "10"), ("bc", "9")], right=frozenset([1])))
    name   n
    a     10
    bc     9
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)


def markdown_table(rows: Rows) -> str:
    r"""Write rows as a Markdown table; the first row is the header.

    >>> print(markdown_table([("name", "n"), ("a", "10"), ("b|c", "9")]))
    | name | n |
    |---|---|
    | a | 10 |
    | b\|c | 9 |
    """
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def read_markdown_table(text: str) -> list[list[str]]:
    r"""Return the rows of a Markdown table, the header first, as `markdown_table` was given them.

    >>> read_markdown_table("| name | n |\n|---|---|\n| b\\|c | 9 |")
    [['name', 'n'], ['b|c', '9']]
    """
    rows = [
        [cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0")[1:-1].split("|")]
        for line in text.strip().splitlines()
    ]
    return [rows[0], *rows[2:]]


# --- cards of notebooks ---------------------------------------------------------------------------

# Where text stands, and nothing of how it looks.
_LEFT, _RIGHT = (f"text-align:{side};padding:0.1em 0.6em" for side in ("left", "right"))


class CardTable(NamedTuple):
    """A table of a card: the first row is the header, `right` the columns set flush right.

    Without a header, the first cell of each row says what the others are.
    """

    rows: Sequence[Sequence[str]]
    right: frozenset[int] = frozenset()
    caption: str = ""
    has_header: bool = True


class Card(NamedTuple):
    """What a notebook shows of an object: one thing below the other; each list has a title."""

    title: str
    sentences: Sequence[str] = ()
    tables: Sequence[CardTable] = ()
    lists: Sequence[tuple[str, Sequence[str]]] = ()
    code: str = ""


class RichDisplay:
    """An object that notebooks show as a card."""

    __slots__ = ()

    @abstractmethod
    def _card(self) -> Card:
        """Return what to show."""

    def _repr_html_(self) -> str:
        return card_html(self._card())


class FieldsDisplay(RichDisplay):
    """A data class that notebooks show as a table of its fields."""

    __slots__ = ()

    def _card(self) -> Card:
        shown: Any = self  # whoever inherits is a data class
        facts = [(field.name, getattr(self, field.name)) for field in fields(shown) if field.repr]
        return Card(type(self).__name__, tables=[facts_table(facts)])


def facts_table(facts: Iterable[tuple[str, object]]) -> CardTable:
    """Return facts below each other, each with its name."""
    return CardTable([(name, fact_text(value)) for name, value in facts], has_header=False)


def fact_text(value: object) -> str:
    """Return a value in few letters; a dash where there is none.

    >>> fact_text(1 / 3), fact_text("a"), fact_text(None), fact_text(float("nan"))
    ('0.333333', 'a', '-', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.6g}"
    return value if isinstance(value, str) else shorten(value)


def card_html(card: Card) -> str:
    """Write a card as a part of a page.

    >>> card_html(Card("<b>", ["1 < 2"]))
    '<div><p><b>&lt;b&gt;</b></p><p>1 &lt; 2</p></div>'
    """
    parts = [f"<p><b>{_text(card.title)}</b></p>"]
    parts += [f"<p>{_text(sentence)}</p>" for sentence in card.sentences]
    parts += [table_html(table) for table in card.tables]
    for title, lines in card.lists:
        items = "".join(f"<li>{_text(line)}</li>" for line in lines)
        parts.append(f"<p>{_text(title)}:</p><ul>{items}</ul>" if title else f"<ul>{items}</ul>")
    if card.code:
        parts.append(f"<pre>{_text(card.code)}</pre>")
    return f"<div>{''.join(parts)}</div>"


def table_html(table: CardTable) -> str:
    """Write a table as a part of a page.

    >>> table_html(CardTable([("a", "10")], has_header=False))[:44]
    '<table><tbody><tr><th scope="row" style="tex'
    """
    caption = f'<caption style="{_LEFT}">{_text(table.caption)}</caption>'
    rows = list(table.rows)
    head = ""
    if table.has_header:
        cells = "".join(
            f'<th scope="col"{_aligned(place, table)}>{_text(cell)}</th>'
            for place, cell in enumerate(rows.pop(0))
        )
        head = f"<thead><tr>{cells}</tr></thead>"
    body = "".join(_row(row, table) for row in rows)
    return f"<table>{caption if table.caption else ''}{head}<tbody>{body}</tbody></table>"


def _row(row: Sequence[str], table: CardTable) -> str:
    first, *rest = row
    cells = [f'<th scope="row"{_aligned(0, table)}><bdi>{_text(first)}</bdi></th>']
    cells += [
        f"<td{_aligned(place, table)}><bdi>{_text(cell)}</bdi></td>"
        for place, cell in enumerate(rest, 1)
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _aligned(place: int, table: CardTable) -> str:
    return f' style="{_RIGHT if place in table.right else _LEFT}"'


def _text(text: str) -> str:
    """Text as a page shows it; what is invisible or turns the direction of writing shows up."""
    unseen = "\N{REPLACEMENT CHARACTER}"
    seen = (letter if letter.isprintable() or letter == "\n" else unseen for letter in text)
    return escape("".join(seen).rstrip())


# --- data frames ----------------------------------------------------------------------------------

BACKENDS = ("pandas", "polars")


def frame_library(backend: object) -> Any:
    """Import the library of a data frame, or say how to get it."""
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise InvalidInputError(
            argument="backend",
            caller="to_frame",
            rule="be 'pandas' or 'polars'",
            got=shorten(backend),
        )
    try:
        return importlib.import_module(backend)
    except ImportError as error:
        message = (
            f"to_frame needs {backend}, which is not installed. "
            f"Run 'pip install {backend}', or use to_dict."
        )
        raise ImportError(message) from error


@contextmanager
def held_by(backend: str) -> Iterator[None]:
    """Say what a library of data frames cannot hold: some text, and integers beyond its types."""
    try:
        yield
    except (OverflowError, UnicodeError) as error:
        raise InvalidInputError(
            argument="backend",
            caller="to_frame",
            problem=f", {backend}, cannot hold a name: {str(error).removesuffix('.')}",
            remedy="Use to_dict, or give clusters, labelings and points other names.",
        ) from error


def data_frame(columns: Mapping[str, Sequence[Any]], backend: str) -> Any:
    """Return columns of plain Python values as a data frame; None becomes a missing value."""
    library = frame_library(backend)
    with held_by(backend):
        frame = library.DataFrame(dict(columns))
        if backend == "polars":
            return frame
        import numpy as np

        with np.errstate(invalid="ignore"):  # pandas 2.2 asks whether infinity is an integer
            return frame.convert_dtypes()
