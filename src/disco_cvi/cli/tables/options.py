"""How files are to be read."""

from __future__ import annotations

import io
from dataclasses import dataclass

from disco_cvi._output.words import shorten
from disco_cvi.exceptions import InvalidInputError

_SEPARATORS = {r"\t": "\t", "tab": "\t", "space": " ", "blank": " "}
_NO_SEPARATORS = frozenset("\"'.+-_\r\n#\0")

MOST_COLUMNS = 100_000  # of text: each value takes fifty bytes and more until it is a number


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    r"""What the user says about the files, None where the reader is to look by itself.

    Parameters
    ----------
    most_bytes : int
        How many bytes are read of a file at most, and how many it may unpack to.
    header : bool, optional
        Whether text files begin with column names.
    separator : str, optional
        What stands between the values of text files: one character; "tab" and "\t" (as typed in
        a shell) are a tab, "space" is any white space.
    decimal : {".", ","}, optional
        What stands before the fraction of a number in text files.
    encoding : str, optional
        How text files write letters, such as "utf-8" or "latin-1".
    columns : tuple of str
        Names or numbers of the columns of POINTS that are features; if empty, all that are left.
    drop : tuple of str
        Names or numbers of columns of POINTS to leave out.
    id_column : str, optional
        Name or number of the column of POINTS that names the rows. It is no feature, and label
        files that have it too are joined by it.
    """

    most_bytes: int = 2 << 30
    header: bool | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    columns: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    id_column: str | None = None

    def __post_init__(self) -> None:
        if self.separator is not None:
            separator = _SEPARATORS.get(self.separator, self.separator)
            object.__setattr__(self, "separator", separator)
            if len(separator) != 1 or separator.isalnum() or separator in _NO_SEPARATORS:
                raise _refuse(
                    "--sep",
                    "be one character that no number holds, or 'tab', or 'space'",
                    separator,
                )
        if self.decimal not in (None, ".", ","):
            raise _refuse("--decimal", "be . or ,", self.decimal)
        if self.decimal == "," == self.separator:
            raise InvalidInputError(
                "--sep and --decimal cannot both be a comma: where would a number end?"
            )
        if self.encoding is not None:
            _check_encoding(self.encoding)
        both = [column for column in self.columns if column in (*self.drop, self.id_column)]
        if both:
            raise InvalidInputError(
                f"--columns names {both[0]!r} as a feature, and --drop or --id leaves it out."
            )


BY_LOOKING = ReadOptions()


def _check_encoding(name: str) -> None:
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=name)
    except (LookupError, ValueError):
        rule = "name an encoding that Python knows, such as utf-8, utf-16, latin-1 or cp1252"
        raise _refuse("--encoding", rule, name) from None


def _refuse(option: str, rule: str, got: str | None) -> InvalidInputError:
    return InvalidInputError(f"{option} must {rule}; got {shorten(got)}.")
