"""Write the generated parts of the pages: ``python docs/tables.py``, or ``--check`` to compare.

They stand between two equal marks, such as <!-- table -->. Read the difference before you keep it:
a changed cell of the edge cases is a changed answer.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from inspect import ismodule
from pathlib import Path
from typing import Any

import index_pages
import numpy as np
import pandas as pd
import peer_tables
import polars as pl
from scipy.sparse import csr_array

import disco_cvi
from disco_cvi import IndexInfo, available_indices
from disco_cvi._output.tables import markdown_table, read_markdown_table
from disco_cvi.exceptions import InvalidInputError, NoiseLabelWarning, UndefinedScoreError

PROJECT = Path(__file__).resolve().parents[1]
INDICES = available_indices()


# --- the indices, from the registry -------------------------------------------------------------


def index_table() -> str:
    """The table of docs/indices/overview.md."""
    header = ("index", "function", "better", "range", "shapes", "noise", "order-proof", "time")
    rows = [
        (
            index_pages.link(info),
            f"`{info.function_name}`",
            info.better,
            info.shown_range,
            info.shapes,
            info.noise,
            info.order_proof,
            info.cost,
        )
        for info in INDICES
    ]
    return markdown_table([header, *rows])


def index_summary() -> str:
    """The table of the README: each index leads to its page."""
    header = ("index", "function", "better", "range", "shapes", "noise", "time")
    rows = [
        (
            f"[{info.title}](docs/indices/{info.name}.md)",
            f"`{info.function_name}`",
            info.better,
            info.shown_range,
            info.shapes,
            info.noise,
            info.cost,
        )
        for info in INDICES
    ]
    return markdown_table([header, *rows])


# --- the benchmarks, as measured last -----------------------------------------------------------


def benchmark_table() -> str:
    """The table of docs/evidence/benchmarks.md."""
    measured = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())
    return f"{measured['machine']}\n\n{markdown_table(measured['table'])}"


ALONE = ": what one thread does alone / all"
CORES = (8, 16, 64)


def thread_table() -> str:
    """Shares of phases that one thread does alone, and what many cores would gain by Amdahl."""
    rows = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())["table"]
    table = [("phase", "one thread", "alone", *(f"{cores} cores" for cores in CORES))]
    for what, _, whole, ratio, *_ in rows:
        if what.endswith(ALONE):
            alone = float(ratio.split()[0])
            gains = (f"{1 / (alone + (1 - alone) / cores):.1f} x" for cores in CORES)
            table.append((what.removesuffix(ALONE), whole, f"{alone:.1%}", *gains))
    return markdown_table(table)


# What a user wants to know first, by the beginnings of rows.
SIZES = (
    "disco_score, n = 10,000, 2-d",
    "disco_score, n = 100,000, 2-d",
    "disco_score, n = 100,000, 5-d",
    "disco_score, n = 100,000, 10-d",
    "disco_score, n = 1,000,000, 2-d",
    "disco_score, 5,620 x 64",
    "disco_score, 1,440 x 16,384",
    "scores at every eps / building the tree, n = 1,000,000",
    "peak memory of the process, n = 1,000,000",
    "report, n = 100,000, 2-d",
    "report, n = 1,000,000, 2-d",
)


def size_table() -> str:
    """The table of docs/guide/large.md: what was measured, without what it was compared with."""
    return _measured(*SIZES)


PLAIN = ": approximate / plain plan"


def error_table() -> str:
    """The table of docs/guide/large.md: errors of the score, ours and those of the plain plan."""
    rows = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())["table"]
    table = [("20,000 points, labeling", "error of the approximate tree", "of the plain plan")]
    for what, ours, theirs, *_ in rows:
        if what.endswith(PLAIN):
            named = what.removeprefix("error of the score, ").removesuffix(PLAIN)
            table.append((named, *(f"{float(error):.5f}" for error in (ours, theirs))))
    return markdown_table(table)


def worst_case_table() -> str:
    """The table of docs/evidence/trust.md: trees of points on which searches go astray."""
    return _promised("tree, n = ")


def memory_table() -> str:
    """The table of docs/evidence/trust.md: memory, of DISCO and of the index that takes most."""
    return _promised(
        "peak memory of the process, n = 1,000,000",
        "DISCO, n = 100,000, peak memory",
        "LCCV, n = 100,000, peak memory",
        "LCCV, n = 8,000, 2-d, 12 % one point / all differ, memory",
        "DensityTree, 20,000 x 784, peak memory",
    )


def trust_table() -> str:
    """The table of docs/evidence/trust.md: what checks found, as release/trust.py kept it."""
    rows = json.loads((PROJECT / "docs" / "evidence" / "trust.json").read_text())
    header = ("what was tried", "how much", "wrong", "command", "commit")
    return markdown_table([header, *((*row[:3], f"`{row[3]}`", row[4]) for row in rows)])


def report_table() -> str:
    """The table of docs/guide/report.md; without Chromium nothing is measured in it."""
    return _measured("report, ")


def _promised(*starts: str) -> str:
    """All rows that begin so, with what they were compared with and what is promised."""
    header, *rows = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())["table"]
    found = [row for row in rows if row[0].startswith(starts)]
    return markdown_table([(*header[:-1], "promised"), *found])


def _measured(*starts: str) -> str:
    """All rows that begin so; a row that was not measured is left out."""
    rows = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())["table"]
    found = [row for start in starts for row in rows if row[0].startswith(start)]
    return markdown_table(
        [("what", "measured"), *((_without_rival(row[0]), row[1]) for row in found)]
    )


def _without_rival(what: str) -> str:
    first, _, second = what.partition(" / ")
    return f"{first}, n = {second.partition(', n = ')[2]}" if ", n = " in second else first


# --- the edge cases, computed -------------------------------------------------------------------

_RANDOM = np.random.default_rng(0)
_CENTERS = np.repeat([[0.0, 0.0], [5.0, 5.0]], 20, axis=0)
POINTS = np.concatenate([_CENTERS + _RANDOM.normal(size=(40, 2)), _RANDOM.uniform(-4, 9, (8, 2))])
LABELS = np.repeat([0, 1, -1], [20, 20, 8])
BLOBS, HALVES = POINTS[:40], LABELS[:40]


def _replace(values: Any, where: Any, base: Any) -> Any:
    changed = np.array(base)
    changed[where] = values
    return changed


def _make_nested() -> np.ndarray[Any, Any]:
    inner = np.concatenate([BLOBS[:10], -BLOBS[:10]])
    return np.concatenate([inner, 3 * inner])


def _make_wide() -> np.ndarray[Any, Any]:
    return np.asarray(np.random.default_rng(1).normal(size=(48, 200)) + 4 * (LABELS == 1)[:, None])


CASES: dict[str, Callable[[], tuple[Any, Any]]] = {
    "two clusters and noise": lambda: (POINTS, LABELS),
    "two clusters, no noise": lambda: (BLOBS, HALVES),
    "all noise": lambda: (POINTS, np.full(48, -1)),
    "one cluster, no noise": lambda: (BLOBS, np.zeros(40, int)),
    "one cluster and noise": lambda: (POINTS, np.where(LABELS < 0, -1, 0)),
    "two clusters and a lone point": lambda: (POINTS, _replace(7, 47, LABELS)),
    "every point alone": lambda: (BLOBS, np.arange(40)),
    "every point alone, and noise": lambda: (POINTS, np.where(LABELS < 0, -1, np.arange(48))),
    "six copies of a point": lambda: (_replace(POINTS[0], slice(0, 6), POINTS), LABELS),
    "a cluster of one repeated point": lambda: (_replace(POINTS[0], slice(0, 20), POINTS), LABELS),
    "every cluster one repeated point": lambda: (np.repeat(POINTS[[0, 20]], 20, axis=0), HALVES),
    "two clusters with one center": lambda: (_make_nested(), HALVES),
    "all points identical": lambda: (np.ones((40, 2)), HALVES),
    "cluster names 0 and 7": lambda: (POINTS, np.where(LABELS == 1, 7, LABELS)),
    "text labels, noise unknown": lambda: (POINTS, np.array(["noise", "a", "b"])[LABELS + 1]),
    "labels in a list": lambda: (POINTS.tolist(), LABELS.tolist()),
    "32-bit points": lambda: (POINTS.astype(np.float32), LABELS),
    "pandas": lambda: (pd.DataFrame(POINTS, columns=["x", "y"]), pd.Series(LABELS)),
    "polars": lambda: (pl.DataFrame(POINTS, ["x", "y"]), pl.Series(LABELS)),
    "sparse points": lambda: (csr_array(POINTS), LABELS),
    "a missing value": lambda: (_replace(np.nan, (3, 1), POINTS), LABELS),
    "three points": lambda: (POINTS[[0, 1, 20]], [0, 0, 1]),
    "one point": lambda: (POINTS[:1], [0]),
    "200 features": lambda: (_make_wide(), LABELS),
    "one feature": lambda: (POINTS[:, :1], LABELS),
    "a constant feature": lambda: (_replace(1.0, (slice(None), 1), POINTS), LABELS),
}


def answer(info: IndexInfo, case: str) -> str:
    """What an index says in one case, as the table shows it."""
    X, labels = CASES[case]()
    try:
        with warnings.catch_warnings():
            # A cluster called noise is one of the cases.
            warnings.simplefilter("ignore", NoiseLabelWarning)
            return f"{info.function(X, labels):.3g}"
    except (InvalidInputError, TypeError):
        return "error"
    except UndefinedScoreError:
        return "undefined"


def edge_case_table() -> str:
    """The table of docs/evidence/edge_cases.md."""
    header = ("case", *(info.title for info in INDICES))
    rows = [(case, *(answer(info, case) for info in INDICES)) for case in CASES]
    return markdown_table([header, *rows])


# --- the public names ---------------------------------------------------------------------------

_TOP: Any = disco_cvi
PUBLIC_MODULES = tuple(name for name in _TOP.__all__ if ismodule(getattr(_TOP, name)))


def public_names() -> dict[str, list[str]]:
    """Public names by module; what `disco_cvi` has is listed there alone."""
    found: dict[str, list[str]] = {}
    seen: set[int] = set()
    for module in ("disco_cvi", *(f"disco_cvi.{name}" for name in PUBLIC_MODULES)):
        home = import_module(module)
        values = {name: getattr(home, name) for name in getattr(home, "__all__", [])}
        names = [
            name for name, value in values.items() if not ismodule(value) and id(value) not in seen
        ]
        seen |= set(map(id, values.values()))
        if names:
            found[module] = names
    return found


def reference() -> str:
    """The lists of docs/reference/index.md, from which Sphinx makes a page for each name."""
    return "\n\n".join(_reference_part(*part) for part in public_names().items())


def _reference_part(module: str, names: list[str]) -> str:
    about = (import_module(module).__doc__ or "").partition("\n")[0]
    return "\n".join(
        [
            f"## {module}",
            "",
            about,
            "",
            "```{eval-rst}",
            f".. currentmodule:: {module}",
            ".. autosummary::",
            "   :toctree: generated",
            "",
            *(f"   {name}" for name in names),
            "```",
        ]
    )


# --- pages --------------------------------------------------------------------------------------


def _take_from(
    page: str, make: Callable[[IndexInfo, Sequence[Sequence[str]]], str], info: IndexInfo
) -> str:
    """Make a part of an index page from the table of another page."""
    return make(info, read_markdown_table(read_part(page, "table")))


# By page and mark; a part that is taken from another page stands after it.
PARTS: dict[tuple[str, str], Callable[[], str]] = {
    ("README.md", "indices"): index_summary,
    ("docs/reference/index.md", "names"): reference,
    ("docs/indices/overview.md", "contents"): index_pages.contents,
    ("docs/indices/overview.md", "table"): index_table,
    ("docs/guide/large.md", "sizes"): size_table,
    ("docs/guide/large.md", "errors"): error_table,
    ("docs/guide/report.md", "sizes"): report_table,
    ("docs/indices/overview.md", "scoreboard"): index_pages.scoreboard,
    ("docs/evidence/edge_cases.md", "table"): edge_case_table,
    ("docs/evidence/benchmarks.md", "table"): benchmark_table,
    ("docs/evidence/benchmarks.md", "threads"): thread_table,
    ("docs/evidence/trust.md", "checks"): trust_table,
    ("docs/evidence/trust.md", "worst cases"): worst_case_table,
    ("docs/evidence/trust.md", "memory"): memory_table,
    ("docs/evidence/peers.md", "sizes"): peer_tables.size_table,
    ("docs/evidence/peers.md", "others"): peer_tables.other_table,
    ("docs/evidence/peers.md", "losses"): peer_tables.losses,
}
for _info in INDICES:
    _page = f"docs/indices/{_info.name}.md"
    PARTS |= {
        (_page, "sketch"): partial(index_pages.sketch, _info),
        (_page, "pictures"): partial(index_pages.pictures, _info),
        (_page, "facts"): partial(index_pages.facts, _info),
        (_page, "chosen"): partial(
            _take_from, "docs/evidence/choosing.md", index_pages.chosen, _info
        ),
        (_page, "edge cases"): partial(
            _take_from, "docs/evidence/edge_cases.md", index_pages.edge_cases, _info
        ),
        (_page, "options"): partial(index_pages.options, _info),
        (_page, "cost"): partial(index_pages.cost, _info),
        (_page, "reference"): partial(index_pages.reference, _info),
    }


def read_part(page: str, mark: str) -> str:
    """Return what stands between the marks of a page."""
    return _split(page, mark)[1].strip("\n").rstrip()


def write_part(page: str, mark: str, part: str) -> None:
    """Replace what stands between the marks of a page."""
    before, _, after = _split(page, mark)
    margin = before.rpartition("\n")[2]
    line = f"<!-- {mark} -->"
    (PROJECT / page).write_text(f"{before}{line}\n{part}\n{margin}{line}{after}")


def _split(page: str, mark: str) -> list[str]:
    return (PROJECT / page).read_text().split(f"<!-- {mark} -->")


def main(arguments: list[str] | None = None) -> int:
    """Write all parts, or name those that are out of date."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the pages.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if out of date")
    check = parser.parse_args(arguments).check
    is_changed = False
    for (page, mark), make in PARTS.items():
        part = make()
        if part != read_part(page, mark):
            is_changed = True
            print(f"{page}: {'out of date' if check else 'written'}")
            if not check:
                write_part(page, mark, part)
    return int(check and is_changed)


if __name__ == "__main__":
    sys.exit(main())
