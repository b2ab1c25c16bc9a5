"""Measure everything, print the table and keep it: ``python -m benchmarks.run [--write]``.

Every row is a ratio of two measurements of this run, beside the floor that the project promises.
With ``--write`` the table replaces the one in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree
from sklearn.cluster import MiniBatchKMeans
from sklearn.metrics import pairwise_distances, silhouette_score

from benchmarks.indices import INDEX_BENCHMARKS
from benchmarks.measure import JOBS, Row, best_commands, best_times, blobs, peak_memory
from disco_cvi import DensityTree, disco_score

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
MARK = "<!-- table -->"


def against_silhouette() -> Iterator[Row]:
    """The everyday size against the index that everybody uses."""
    points, labels = blobs(10_000, 2)
    ours, theirs = best_times(
        lambda: disco_score(points, labels, n_jobs=JOBS),
        lambda: silhouette_score(points, labels),
    )
    yield Row("disco_score, n = 10,000, 2-d / silhouette_score", ours, theirs, 0.05)


def against_scipy() -> Iterator[Row]:
    """The whole score against building SciPy's k-d tree and asking for 5 neighbors."""
    for n_points, dimension, floor in (
        (1_000_000, 2, 1.2),
        (100_000, 2, 1.5),
        (100_000, 5, 2.0),
        (100_000, 10, 2.0),
    ):
        points, labels = blobs(n_points, dimension)
        ours, theirs = best_times(
            lambda points=points, labels=labels: disco_score(points, labels, n_jobs=JOBS),  # type: ignore[misc]
            lambda points=points: cKDTree(points).query(points, k=5, workers=JOBS),  # type: ignore[misc]
        )
        name = f"disco_score, n = {n_points:,}, {dimension}-d / SciPy build and query"
        yield Row(name, ours, theirs, floor)


def growth() -> Iterator[Row]:
    """Ten times the points."""
    small, large = blobs(100_000, 2), blobs(1_000_000, 2)
    ours, theirs = best_times(
        lambda: disco_score(*large, n_jobs=JOBS), lambda: disco_score(*small, n_jobs=JOBS)
    )
    yield Row("disco_score, n = 1,000,000 / n = 100,000, 2-d", ours, theirs, 16)


def more_labelings() -> Iterator[Row]:
    """What the second labeling costs."""
    points, labels = blobs(1_000_000, 2)
    tree = DensityTree(points, n_jobs=JOBS)
    ours, theirs = best_times(
        lambda: disco_score(tree, labels), lambda: DensityTree(points, n_jobs=JOBS)
    )
    yield Row("one more labeling / building the tree, n = 1,000,000", ours, theirs, 0.3)


def more_clusters() -> Iterator[Row]:
    """Clusters that overlap everywhere, so that no part of the tree is pure."""
    points, _ = blobs(200_000, 2, n_blobs=5, deviation=4.0)
    tree = DensityTree(points, n_jobs=JOBS)
    many, few = (
        MiniBatchKMeans(k, n_init=1, random_state=0).fit_predict(points) for k in (2_000, 20)
    )
    ours, theirs = best_times(
        lambda: disco_score(tree, many), lambda: disco_score(tree, few), repeats=5
    )
    yield Row("scoring 2,000 clusters / 20 clusters, n = 200,000", ours, theirs, 4)


def copies() -> Iterator[Row]:
    """Half of the points are one and the same."""
    points, labels = blobs(500_000, 2)
    half = points.copy()
    half[::2] = half[0]
    ours, theirs = best_times(
        lambda: disco_score(half, labels, n_jobs=JOBS),
        lambda: disco_score(points, labels, n_jobs=JOBS),
    )
    yield Row("n = 500,000, half of them one point / all distinct", ours, theirs, 1.2)


def many_dimensions() -> Iterator[Row]:
    """Gaussian points where a k-d tree is of no use."""
    generator = np.random.default_rng(0)
    for shape in ((5_620, 64), (1_440, 16_384)):
        points = generator.normal(size=shape)
        labels = generator.integers(0, 10, shape[0])
        ours, theirs = best_times(
            lambda points=points, labels=labels: disco_score(points, labels, n_jobs=JOBS),  # type: ignore[misc]
            lambda points=points: pairwise_distances(points),  # type: ignore[misc]
        )
        name = f"disco_score, {shape[0]:,} x {shape[1]:,} Gaussian / pairwise_distances"
        yield Row(name, ours, theirs, 4)


def memory() -> Iterator[Row]:
    """The whole process, imports and data included."""
    code = (
        "from benchmarks.measure import blobs\n"
        "from disco_cvi import disco_score\n"
        f"disco_score(*blobs(1_000_000, 2), n_jobs={JOBS})"
    )
    name = "peak memory of the process, n = 1,000,000, 2-d / 1 GB"
    yield Row(name, peak_memory(code), 1, 1, "GB")


def start_up() -> Iterator[Row]:
    """New processes: importing, and the command on a small file."""
    python = sys.executable
    ours, theirs = best_commands([python, "-c", "import disco_cvi"], [python, "-c", "import numpy"])
    yield Row("import disco_cvi - import numpy / 0.3 s", max(ours - theirs, 0.0), 0.3, 1)
    with tempfile.TemporaryDirectory() as folder:
        points, labels = blobs(300, 2)
        table = Path(folder) / "points.csv"
        rows = np.column_stack([points, labels])
        np.savetxt(table, rows, delimiter=",", header="x,y,label", comments="")
        command = [python, "-m", "disco_cvi", "score", str(table), "--label-column", "label"]
        ours, theirs = best_commands(command, [python, "-c", "import numba, scipy.spatial"])
        yield Row("disco score, 300-point file / import numba, scipy", ours, theirs, 2.5)
        # An empty cache folder stands for a fresh installation.
        fresh = dict(os.environ, NUMBA_CACHE_DIR=str(Path(folder) / "cache"))
        (ours,) = best_times(
            lambda: subprocess.run(command, check=True, capture_output=True, env=fresh), repeats=1
        )
        yield Row("first ever disco score / 20 s", ours, 20, 1)


BENCHMARKS = (
    against_silhouette,
    against_scipy,
    growth,
    more_labelings,
    more_clusters,
    memory,
    copies,
    many_dimensions,
    start_up,
    *INDEX_BENCHMARKS,
)


def as_table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| what | measured | against | ratio | floor |", "|---|---|---|---|---|"]
    lines += [
        f"| {row.name} | {row.ours:.3g} {row.unit} | {row.theirs:.3g} {row.unit} "
        f"| {row.ratio:.3g}{'' if row.ratio <= row.floor else ' (missed)'} | {row.floor:g} |"
        for row in rows
    ]
    return "\n".join(lines)


def write_page(table: str) -> None:
    """Replace the table between the marks of the page."""
    before, _, after = PAGE.read_text().split(MARK)
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {JOBS} threads."
    PAGE.write_text(f"{before}{MARK}\n{machine}\n\n{table}\n{MARK}{after}")


def main() -> None:
    """Run the benchmarks whose names are given, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--write", action="store_true", help="keep the table in the docs")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.names) - names.keys())
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    disco_score(*blobs(2_000, 2), n_jobs=JOBS)
    rows = []
    for name in arguments.names or names:
        for row in names[name]():
            rows.append(row)
            print(f"{row.name}: {row.ratio:.3g} (floor {row.floor:g})", flush=True)
    table = as_table(rows)
    print(f"\n{table}")
    if arguments.write:
        write_page(table)


if __name__ == "__main__":
    main()
