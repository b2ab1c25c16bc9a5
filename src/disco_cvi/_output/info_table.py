"""One table for all that has a name: indices, data sets, experiments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Protocol, Self, TypeVar

from disco_cvi._output.data_frames import data_frame
from disco_cvi._output.rich_display import Card, CardTable, RichDisplay
from disco_cvi._output.text_table import text_table
from disco_cvi._output.words import describe, did_you_mean, shorten
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError

# A column by its heading: the attribute of an info that it shows, or a function of the info.
Columns = Mapping[str, str | Callable[[Any], object]]

_NAMED = 5  # names in the repr of a table


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Info = TypeVar("Info", bound=_Named)


class InfoTable(tuple[Info, ...], RichDisplay):
    """Infos of one kind in a row; printing it shows a table.

    A subclass says which columns are printed (`shown`, of these flush right: `right`), which a data
    frame has (`framed`), and how users come to know the names (`lister`).
    """

    __slots__ = ()

    shown: ClassVar[Columns]
    framed: ClassVar[Columns]
    right: ClassVar[frozenset[str]] = frozenset()
    lister: ClassVar[str]
    # Other spellings by their plain form, and how many names a wrong one makes us think of.
    other_names: ClassVar[Mapping[str, str]] = {}
    n_guesses: ClassVar[int] = 1

    def __str__(self) -> str:
        """A line per info."""
        rows, right, _, _ = self._table()
        return text_table(rows, right=right)

    def __repr__(self) -> str:
        names = [info.name for info in self[:_NAMED]] + ["..."] * (len(self) > _NAMED)
        return f"{type(self).__name__}({len(self)}: {', '.join(names)})"

    def _card(self) -> Card:
        return Card(type(self).__name__, tables=[self._table()])

    def _table(self) -> CardTable:
        rows = [tuple(self.shown)]
        rows += [tuple(str(_read(info, what)) for what in self.shown.values()) for info in self]
        right = (place for place, heading in enumerate(self.shown) if heading in self.right)
        return CardTable(rows, frozenset(right))

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per info as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
        """
        columns = {
            heading: [_read(info, what) for info in self] for heading, what in self.framed.items()
        }
        return data_frame(columns, backend)

    def find(self, name: object, argument: str, caller: str, *, lister: str = "") -> Info:
        """Return the info of a name; case, blanks, hyphens and underscores do not matter."""
        if not isinstance(name, str):
            raise InvalidTypeError(
                argument=argument, caller=caller, rule="be given as str", got=describe(name)
            )
        known = {_plain(info.name): info for info in self}
        plain = _plain(name)
        plain = self.other_names.get(plain, plain)
        if plain in known:
            return known[plain]
        words = {word: info.name for word, info in known.items()}
        words |= {other: words[word] for other, word in self.other_names.items() if word in words}
        names = ", ".join(info.name for info in self)
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule=f"be among those that {lister or self.lister} lists",
            got=shorten(name),
            remedy=did_you_mean(plain, words, self.n_guesses) or f"There are {names}.",
        )

    def choose(self, names: object, argument: str, caller: str, *, lister: str = "") -> Self:
        """Return the infos that a user names, "all", one name or several, in their order."""
        if isinstance(names, str):
            if names == "all":
                return self
            names = [names]
        if not isinstance(names, Iterable) or getattr(names, "shape", None) == ():
            rule = "be 'all', a name (str) or several"
            raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=describe(names))
        found = type(self)(self.find(name, argument, caller, lister=lister) for name in names)
        if not found:
            raise InvalidInputError(
                argument=argument,
                caller=caller,
                rule="name one or more, or be 'all'",
                remedy=f"The names are those that {lister or self.lister} lists.",
            )
        return found


def _read(info: object, what: str | Callable[[Any], object]) -> Any:
    return getattr(info, what) if isinstance(what, str) else what(info)


def _plain(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in " -_")
