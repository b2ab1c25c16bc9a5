"""``python -m benchmarks run`` measures ours, ``python -m benchmarks compare`` others beside it."""

from __future__ import annotations

import sys

from benchmarks import run
from benchmarks.peers import compare

if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare.main(sys.argv[2:])
    elif sys.argv[1:2] == ["run"]:
        run.main(sys.argv[2:])
    else:
        sys.exit(__doc__)
