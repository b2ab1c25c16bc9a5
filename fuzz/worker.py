"""A process that runs cases, one number per line, and answers with one line of JSON each.

``python -m fuzz.worker SEED FOLDER``: started by `fuzz.run`, as a user without rights where that is
possible.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import joblib

from fuzz.cases import case
from fuzz.outcome import Outcome, run_case

# Whoever listens on standard output must not hear what a case writes there.
READY = "ready"


def main(seed: int, folder: Path) -> None:
    """Run the cases whose numbers come in, until none comes."""
    numbers = os.fdopen(os.dup(0), "r")
    answers = os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    # Processes take seconds each to start, on a busy machine more than a case may take.
    joblib.parallel_config(backend="threading")
    print(READY, file=answers, flush=True)
    for line in numbers:
        asked = case(seed, int(line))
        try:
            outcome = run_case(asked, folder)
        except Exception as error:  # noqa: BLE001 - an error of ours, which must be told
            wrong = f"the case itself: {type(error).__name__}: {error}"
            outcome = Outcome(asked.number, asked.target.name, "not right", "", (wrong,))
        print(json.dumps(outcome.to_dict()), file=answers, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
