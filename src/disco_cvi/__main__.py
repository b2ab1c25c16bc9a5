"""`python -m disco_cvi` is the command `disco`."""

import os
import sys

INTERRUPTED = 130


def main() -> int:
    """Run the command line and return its exit code."""
    os.environ["MPLBACKEND"] = "agg"  # the command draws into files only
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed, as by 2>&-: `print` would use the other stream
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    try:
        from disco_cvi.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("disco: interrupted\n")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
