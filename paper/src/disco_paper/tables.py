"""Tables of what has a name, experiments and data sets: printed in columns, searched by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol, Self, TypeVar

from disco_cvi.exceptions import InvalidInputError, InvalidTypeError


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Info = TypeVar("Info", bound=_Named)


class Table(tuple[Info, ...]):
    """Infos of one kind in a row; printing it shows a table of some columns."""

    __slots__ = ()

    columns: ClassVar[Mapping[str, Callable[[Any], object]]]
    lister: ClassVar[str]

    def __str__(self) -> str:
        rows = [[str(read(info)) for read in self.columns.values()] for info in self]
        return lay_out([list(self.columns), *rows])

    def spellings(self) -> dict[str, Info]:
        """Each info by its name and whatever else it is called, in plain letters."""
        return {plain(info.name): info for info in self}

    def find(self, name: str, argument: str, caller: str, *, lister: str = "") -> Info:
        """Return the info of a name; case, blanks, hyphens and underscores do not matter."""
        if not isinstance(name, str):
            got = f"{name!r} ({type(name).__name__})"
            raise InvalidTypeError(argument=argument, caller=caller, rule="be a name", got=got)
        known, asked = self.spellings(), plain(name)
        if asked in known:
            return known[asked]
        guesses = get_close_matches(asked, known, n=1)
        # A number that is nearly right is no better a guess than any other.
        if guesses and re.sub(r"\d", "", guesses[0]) != re.sub(r"\d", "", asked):
            remedy = f"Did you mean {known[guesses[0]].name!r}?"
        else:
            remedy = f"There are {', '.join(info.name for info in self)}."
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule=f"be among those that {lister or self.lister} lists",
            got=repr(name),
            remedy=remedy,
        )

    def choose(
        self, names: str | Iterable[str], argument: str, caller: str, *, lister: str = ""
    ) -> Self:
        """Return the infos that are named, "all", one name or several, in their own order."""
        if isinstance(names, str):
            names = [info.name for info in self] if names == "all" else [names]
        if not isinstance(names, Iterable):
            rule, got = "be 'all', a name (str) or several", f"{names!r} ({type(names).__name__})"
            raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=got)
        asked = {self.find(name, argument, caller, lister=lister).name for name in names}
        if not asked:
            rule = "name one or more, or be 'all'"
            raise InvalidInputError(argument=argument, caller=caller, rule=rule)
        return type(self)(info for info in self if info.name in asked)


def plain(name: str) -> str:
    """A name in small letters, without blanks, hyphens and underscores."""
    return re.sub(r"[\s_-]", "", name.casefold())


def lay_out(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table in plain text; numbers stand flush right.

    >>> print(lay_out([["name", "n"], ["a", "10"], ["bc", "9"]]))
    name   n
    a     10
    bc     9
    """
    columns = list(zip(*rows, strict=True))
    is_right = [all(re.fullmatch(r"[\d,]+|\d+ \w+.*", cell) for cell in c[1:]) for c in columns]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_right, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join(lines)
