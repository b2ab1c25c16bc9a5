"""Measure everything, print the table and keep it: ``python -m benchmarks.run [--write]``.

Every row is a ratio of two measurements of this run, beside the floor that the project promises.
With ``--write`` the table replaces the one in measured.json, or those of its rows that were
measured if only some were asked for; from there ``python docs/tables.py`` makes
docs/evidence/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from pathlib import Path

from benchmarks import (
    approximate,
    copies,
    dask_cluster,
    distributed,
    every_min_points,
    high_dimension,
    indices,
    memory,
    metrics,
    report,
    selection,
    start_up,
    threads,
    tree,
    worst_case,
)
from benchmarks.data import blobs
from benchmarks.measure import HEADER, JOBS
from disco_cvi import disco_score
from disco_cvi._output.tables import text_table

MEASURED = Path(__file__).parent / "measured.json"
FROZEN = MEASURED.with_name("frozen.json")

BENCHMARKS = (
    tree.against_silhouette,
    tree.against_scipy,
    tree.growth,
    tree.more_labelings,
    tree.more_clusters,
    memory.memory,
    tree.copies,
    worst_case.worst_cases,
    worst_case.nothing_promised,
    worst_case.many_min_points,
    worst_case.row_order,
    worst_case.interrupts,
    tree.many_dimensions,
    threads.serial_shares,
    threads.two_threads,
    high_dimension.against_nearest_rows,
    high_dimension.choice_of_search,
    high_dimension.high_dimension_memory,
    approximate.approximate,
    approximate.approximate_growth,
    every_min_points.every_min_points,
    metrics.places,
    metrics.metrics_by_rows,
    start_up.start_up,
    indices.indices_against_silhouette,
    indices.indices_at_scale,
    memory.indices_memory,
    copies.copies_in_indices,
    indices.all_at_once,
    indices.many_labelings,
    selection.dbscan_labelings,
    selection.eps_paths,
    selection.hdbscan_labelings,
    selection.kept_neighbors,
    selection.suggestion,
    selection.automatic_eps,
    distributed.distributed,
    dask_cluster.dask_cluster,
    report.report,
    report.report_in_browser,
    report.report_of_a_million,
)
# Minutes of work: only where they are named, or the table is kept.
LONG = (
    dask_cluster.dask_cluster,
    approximate.approximate,
    approximate.approximate_growth,
    report.report_of_a_million,
    worst_case.many_min_points,
)


def keep(table: list[tuple[str, ...]]) -> None:
    """Write the table to the file that the page is made from."""
    machine = f"{os.cpu_count()} cores, Python {platform.python_version()}, {JOBS} threads."
    rows = ",\n".join(map(json.dumps, table))  # one line each, so that changes can be read
    MEASURED.write_text(f'{{"machine": {json.dumps(machine)}, "table": [\n{rows}\n]}}\n')


def renew(table: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Put rows that were measured into the place of those that were kept; new ones come last."""
    kept = {row[0]: row for row in json.loads(MEASURED.read_text())["table"]}
    return list((kept | {row[0]: row for row in table}).values())


def compared(table: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Put the frozen ratio beside each that was measured, and how much of it that is."""
    frozen = {row[0]: row[3] for row in json.loads(FROZEN.read_text())["table"]}
    rows = [(*table[0], "frozen", "change")]
    for row in table[1:]:
        before, after = (float(ratio.split()[0]) for ratio in (frozen.get(row[0], "nan"), row[3]))
        change = f"{after / before - 1:+.0%}" if before else ""
        rows.append((*row, f"{before:.3g}", change))
    return rows


def main(asked_for: list[str] | None = None) -> None:
    """Run the benchmarks whose names are given, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = {benchmark.__name__: benchmark for benchmark in BENCHMARKS}
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--write", action="store_true", help="keep the rows for the docs")
    arguments = parser.parse_args(asked_for)
    unknown = sorted(set(arguments.names) - names.keys())
    if unknown:
        parser.error(f"no such benchmark: {', '.join(unknown)}")
    disco_score(*blobs(2_000, 2), n_jobs=JOBS)
    table: list[tuple[str, ...]] = [HEADER]
    asked = [name for name in names if arguments.write or names[name] not in LONG]
    for name in arguments.names or asked:
        for row in names[name]():
            table.append(row.shown())
            print(f"{row.name}: {row.ratio:.3g} (floor {row.floor:g})", flush=True)
    print(f"\n{text_table(compared(table))}")
    if arguments.write:
        keep(renew(table) if arguments.names else table)


if __name__ == "__main__":
    main()
