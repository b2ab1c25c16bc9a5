"""``python -m fuzz``: see `fuzz.run`."""

from __future__ import annotations

import sys

from fuzz.run import main

if __name__ == "__main__":
    sys.exit(main())
