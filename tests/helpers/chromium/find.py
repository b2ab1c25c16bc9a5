"""Where the installed Chromium is. As a program: prints its path, or says that there is none.

Tests say: from helpers.chromium.find import find_chromium
"""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NONE = "there is no Chromium. On Debian: make browser-install"


def find_chromium() -> str | None:
    """The path of Chromium or Chrome: the one that BROWSER names, else the first in PATH.

    Desktops set BROWSER to whatever opens links, so it counts only with `chrom` in its last part.
    """
    named = os.environ.get("BROWSER", "")
    if "chrom" not in os.path.basename(named):  # noqa: PTH119 (a list of programs is no path)
        return next((path for name in NAMES if (path := shutil.which(name))), None)
    if path := shutil.which(named):
        return path
    raise FileNotFoundError(f"BROWSER is {named!r}, which is no program.")


def is_needed() -> bool:
    """Whether a missing browser is a failure: DISCO_BROWSER_NEEDED is set, and not to 0."""
    return os.environ.get("DISCO_BROWSER_NEEDED", "0") not in {"", "0"}


if __name__ == "__main__":
    found = find_chromium()
    print(found or f"make browser: {'failed' if is_needed() else 'skipped'}, for {NONE}")  # noqa: T201
    sys.exit(not found)
