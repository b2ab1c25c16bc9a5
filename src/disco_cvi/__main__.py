"""`python -m disco_cvi` is the command `disco`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code.

    Ctrl-C is answered while it is loaded, too, and between its last line and the end.
    """
    try:
        from disco_cvi.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("disco: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
