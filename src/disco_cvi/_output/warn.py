"""Warnings that point to the user's own line."""

from __future__ import annotations

import sys
import warnings

_PACKAGE = __name__.partition(".")[0]


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn of something at the line outside this package from which it was called."""
    frame, level = sys._getframe(1), 2  # noqa: SLF001 - warnings counts frames too
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == _PACKAGE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
