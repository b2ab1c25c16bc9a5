"""`python -m disco_cvi` is the command `disco`."""

from __future__ import annotations

import sys

from disco_cvi.cli import main

if __name__ == "__main__":
    sys.exit(main())
