"""The implementations: what the paper used, beside what this package offers."""

from __future__ import annotations

import inspect

from disco_cvi import DensityTree, IndexInfo
from disco_paper.cells import Cell, Outcomes, Scope
from disco_paper.judging import Experiment, Report, Row, Verdict
from disco_paper.paper import (
    INDEX_INFOS,
    INDEX_NAMES,
    INFOS,
    PAPER_INDICES,
    read_printed,
    read_texts,
)

NAME = "tab-implementation"
TEXTS = read_texts(NAME)

# The paper's word for each parameter, and ours.
_PARAMETERS = {
    "disco": ("mu", "min_points", 5),
    "dcsi": ("minPts", "min_points", 5),
    "viasckde": ("bandwidth", "bandwidth", 0.05),
    "cvdd": ("number of neighbourhoods", "n_neighbors", 7),
    "cdbw": ("number of representative points", "n_representatives", 10),
    "cvnn": ("number of nearest neighbours", "n_neighbors", 10),
}
# What every index takes, how noise is treated, and what a definition leaves open: these are no
# parameters of an index.
_NO_PARAMETERS = (
    *("X", "labels", "metric", "metric_params", "noise", "noise_label", "n_jobs"),
    "paths",
)
# What a reader of the paper's program finds there.
_ON_PARAMETERS = {
    "cdbw": "In the paper's program this is the number of steps by which representatives move "
    "towards the center; all points are representatives.",
    "dbcv": "Ours is of squared Euclidean distances too; which spanning tree is taken is an "
    "option, and the default does not depend on the order of the rows.",
    "viasckde": "The kernel is Gaussian in ours too, without an option.",
}
_CREDITS = "The paper's program names an existing package as its source."
_ON_PROGRAMS = dict.fromkeys(("s_dbw", "cdbw", "dcsi", "cvnn"), _CREDITS)


def cells(scope: Scope) -> list[Cell]:  # noqa: ARG001
    """Nothing to compute: features that can be computed are those of tab-features."""
    return []


def report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """The paper's table beside the registry of this package, and the index missing from it."""
    by_name = {INDEX_NAMES[row["method"]]: row for row in read_printed(NAME)}
    names = [*by_name, *(name for name in PAPER_INDICES if name not in by_name)]
    rows = [row for name in names for row in _rows(INDEX_INFOS[name], by_name.get(name, {}))]
    return Report(tuple(rows), notes=(TEXTS["corrections"],))


def _rows(info: IndexInfo, paper: dict[str, str]) -> list[Row]:
    direction = "up" if info.greater_is_better else "down"
    low, high = info.range
    parameter = paper.get("hyperparameter_default", "")
    parameter_is_same, our_parameter = _parameter(info, parameter)
    bounded = paper.get("bounded", "")
    checked: list[tuple[str, str, str, bool | None]] = [
        ("direction", direction, paper.get("direction", ""), direction == paper.get("direction")),
        ("bounded", f"{low:g} to {high:g}", bounded, (bounded == "yes") == info.bounded),
        ("parameter", our_parameter, parameter, parameter_is_same),
    ]
    programs = [
        (
            "program",
            f"disco_cvi.{info.function.__name__}",
            paper.get("official_implementation", ""),
        ),
        ("programmed anew", "yes", paper.get("reimplemented_by_authors", "")),
    ]
    return [
        *(_judged(info, *entry[:3], _VERDICTS[entry[3]]) for entry in checked),
        *(_judged(info, *entry, "not judged") for entry in programs),
    ]


_VERDICTS: dict[bool | None, Verdict] = {True: "passes", False: "fails", None: "not judged"}


def _judged(info: IndexInfo, column: str, ours: str, paper: str, verdict: Verdict) -> Row:
    if not paper:
        return Row(info.title, column, ours, note="Missing from the paper's table.")
    notes = {"parameter": _ON_PARAMETERS, "programmed anew": _ON_PROGRAMS}.get(column, {})
    return Row(info.title, column, ours, paper, verdict, note=notes.get(info.name, ""))


def _parameter(info: IndexInfo, paper: str) -> tuple[bool | None, str]:
    """Whether the paper's parameter and its default are ours, None if no option; and ours."""
    if info.name == "dbcv":  # no option of ours, so there is no default to look up
        return None, "squared Euclidean distance"
    if info.name not in _PARAMETERS:
        known = inspect.signature(info.function).parameters
        further = [f"{key} = {known[key].default}" for key in known if key not in _NO_PARAMETERS]
        return (paper == "none") == (not further), ", ".join(further) or "none"
    theirs, ours, value = _PARAMETERS[info.name]
    default = inspect.signature(info.function).parameters[ours].default
    if default is None:  # the density tree knows it
        default = inspect.signature(DensityTree).parameters["min_points"].default
    return default == value and f"{theirs} = {value}" in paper, f"{ours} = {default}"


EXPERIMENT = Experiment(INFOS[NAME], cells, report)
