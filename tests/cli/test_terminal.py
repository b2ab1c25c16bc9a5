"""Colors and progress: on a terminal, and there alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from helpers.terminal import is_wiped, run_in_terminal

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no pseudo-terminals")

_ESCAPE = "\x1b["


def test_help_has_colors_on_a_terminal() -> None:
    code, text = run_in_terminal("-m", "disco_cvi", "score", "--help")
    assert code == 0
    assert _ESCAPE in text
    code, text = run_in_terminal("-m", "disco_cvi", "score", "--help", TERM="dumb")
    assert (code, _ESCAPE in text) == (0, False)


def test_complaints_and_notes_have_colors_on_a_terminal(tmp_path: Path) -> None:
    code, text = run_in_terminal("-m", "disco_cvi", "score", "nowhere.csv", "--label-column", "1")
    assert (code, text.count(_ESCAPE)) == (1, 3)
    assert text.endswith("disco:\x1b[0m nowhere.csv: No such file or directory\r\n")


# Points in so many dimensions are searched by products of matrices, some thousand points at once.
_SCORE = (
    "import sys; from disco_cvi._compute import progress; from disco_cvi.cli import main; "
    "progress._PATIENCE = -1.0; progress._PAUSE = 0.0; "
    "sys.exit(main(sys.argv[1:]))"
)


@pytest.fixture
def many_features(tmp_path: Path) -> list[str]:
    """A command that scores points of many features."""
    random = np.random.default_rng(0)
    points, labels = tmp_path / "points.npy", tmp_path / "labels.npy"
    np.save(points, random.normal(size=(6000, 40)))
    np.save(labels, random.integers(0, 2, 6000))
    return ["-c", _SCORE, "score", str(points), "--labels", str(labels)]


def test_products_of_matrices_show_progress(many_features: list[str]) -> None:
    code, text = run_in_terminal(*many_features)
    assert code == 0
    assert is_wiped(text, "Spanning tree")
    assert "DISCO score" in text


def test_without_a_terminal_nothing_is_drawn(many_features: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *many_features], capture_output=True, text=True, check=True
    )
    assert "Spanning tree" not in done.stdout + done.stderr
