"""Ctrl-C in the shape of other errors."""

from __future__ import annotations


def is_interrupt(error: BaseException | None) -> bool:
    """Whether an error is Ctrl-C, or came of one.

    A package that is interrupted while it is loaded may say that it cannot be.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
