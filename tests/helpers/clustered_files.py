"""Points and labels in files of several forms, for the tests of commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import disco_cvi

X = np.array([[0.0], [1], [2], [3], [20], [22], [24], [26], [60], [90]]) * [[1.0, 10.0]]


LABELS = np.array([0, 0, 0, 0, 1, 1, 1, 1, -1, -1])


BENT = np.column_stack([X[:, 0], 20 * np.sin(X[:, 0])])  # no two metrics see it alike


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the kernels before anything is expected of the error stream, where that is said."""
    disco_cvi.explain(X, LABELS, min_points=2)


@pytest.fixture
def folder(compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the same points and labels in several files."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{x!r},{y!r}" for x, y in X.tolist()]
    names = np.array(["left", "right", "noise"])[LABELS]
    write_lines("points.csv", ["x,y", *rows])
    write_lines("labels.csv", ["label", *map(str, LABELS)])
    write_lines("table.csv", ["x,y,cluster", *map("{},{}".format, rows, LABELS)])
    write_lines("named.csv", ["x,y,kind", *map("{},{}".format, rows, names)])
    np.save("points.npy", X)
    np.save("labels.npy", LABELS)
    return tmp_path


def write_lines(name: str, lines: list[str]) -> None:
    Path(name).write_text("\n".join(lines) + "\n")
