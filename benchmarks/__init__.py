"""Benchmarks: ratios measured in one run, because machines differ and are noisy."""

import sys
from pathlib import Path

# The driver of the browser stands beside the tests.
sys.path.append(str(Path(__file__).parents[1] / "tests"))
