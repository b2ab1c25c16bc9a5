"""How notebooks show an object: a card of plain facts as HTML.

No colors, no script, no style that decides anything: a card takes on the look of its page, light or
dark, and is readable where styles are taken away. All that is shown is escaped.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import fields
from html import escape
from typing import Any, NamedTuple

from disco_cvi._output.words import shorten

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
