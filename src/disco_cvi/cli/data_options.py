"""Options that name points and labels, for every command that scores."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from disco_cvi._output.words import did_you_mean
from disco_cvi.cli.parser import Parser, json_object, note, whole_number
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

    import numpy as np
    from numpy.typing import NDArray

    from disco_cvi.cli.tables import ReadOptions

# What the shell calls the arguments of the Python functions behind the commands.
_SHELL_NAMES = {
    "X": "POINTS",
    "metric": "--metric",
    "metric_params": "--metric-params",
    "min_points": "--min-points",
    "n_jobs": "--jobs",
    "noise_label": "--noise-label",
    "out": "--out",
}
_NO_NOISE = "none"
_DEFAULT_NOISE = "-1"
_LIKE_NOISE = frozenset(
    ["noise", "outlier", "outliers", "unclustered", "unassigned", "none", "nan"]
)


class Data(NamedTuple):
    """Points, labels and the label that means noise."""

    points: NDArray[np.float64]
    labels: NDArray[Any]
    noise_label: int | str | bool | None


def add_data_options(parser: Parser, *, several: bool = False) -> argparse._ArgumentGroup:
    """Add the options that say where points and labels are; return the group of the labels.

    Of `several` labelings each has a file or a column of its own, and POINTS must be named.
    """
    _add_points(parser, or_nothing=not several)
    labels = parser.add_argument_group(
        f"{'labelings' if several else 'labels'} (one of the first two is needed)"
    )
    files: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    columns: dict[str, Any] = {"action": "append", "default": []}
    labels.add_argument(
        "--labels",
        metavar="FILE",
        **(files if several else {}),
        help="file of labels, one per point; the same formats"
        + ("; several, each a labeling that is named after its file" if several else ""),
    )
    labels.add_argument(
        "--label-column",
        metavar="NAME",
        **(columns if several else {}),
        help="column of POINTS that holds labels (with --labels: column of that file), by name or "
        "by number; 1 is the first, -1 the last"
        + ("; may be given several times" if several else ""),
    )
    labels.add_argument(
        "--noise-label",
        metavar="VALUE",
        help="the label of noise points, as it stands in the file (default: -1); "
        "'none' if there is no noise",
    )
    _add_reading_options(parser)
    return labels


def add_points_options(parser: Parser) -> None:
    """Add the options that say where points are and how to read them."""
    _add_points(parser, or_nothing=True)
    _add_reading_options(parser)


def _add_points(parser: Parser, *, or_nothing: bool) -> None:
    parser.add_argument(
        "points",
        metavar="POINTS",
        nargs="?",
        help="file of points, one per row: .csv, .tsv, .txt (each also .gz), .npy or .parquet; "
        f"-{' or nothing' if or_nothing else ''}: CSV from the standard input",
    )


def _add_reading_options(parser: Parser) -> None:
    """Add the options that say how to read points."""
    reading = parser.add_argument_group("reading")
    reading.add_argument(
        "--drop",
        metavar="NAME",
        action="append",
        default=[],
        help="column of POINTS to leave out, by name or number; may be given several times",
    )
    reading.add_argument(
        "--header",
        choices=("yes", "no"),
        help="whether text files begin with column names (default: found by looking)",
    )
    reading.add_argument(
        "--standardize",
        action="store_true",
        help="bring each feature to mean 0 and standard deviation 1 first. DISCO depends on the "
        "scale of the features: one in grams outweighs one in kilograms. Use this when the "
        "features have different units. A constant feature becomes 0",
    )


def add_density_options(parser: Parser, *, of_each_index: bool = False) -> None:
    """Add the options that say what near and what dense means; indices may have own defaults."""
    min_points, metric = ("that of each index",) * 2 if of_each_index else ("5", "euclidean")
    but_not = ", but not in DCSI" if of_each_index else ""
    density = parser.add_argument_group("density")
    density.add_argument(
        "--min-points",
        metavar="N",
        type=whole_number,
        help=f"points that make a place dense, the point itself counted{but_not} "
        f"(default: {min_points})",
    )
    density.add_argument(
        "--metric",
        metavar="NAME",
        help="distance between points: euclidean, sqeuclidean, cosine, any name that scikit-learn "
        "knows (manhattan, ...), or precomputed: POINTS is a square matrix of distances (default: "
        f"{metric})",
    )
    density.add_argument(
        "--metric-params",
        metavar="JSON",
        type=json_object,
        help="parameters of the metric as a JSON object, such as '{\"p\": 3}' for minkowski",
    )


def add_jobs_option(parser: Parser) -> None:
    """Add the option for the number of threads."""
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=whole_number,
        default=-1,
        help="threads to use (default: all CPUs); the result is the same for any number",
    )


def shell_name(argument: str | None, options: argparse.Namespace) -> str:
    """Return what the shell calls an argument of a Python function."""
    if argument == "labels" and "label_column" in options:
        return f"labels of {options.labels or f'--label-column {options.label_column}'}"
    return _SHELL_NAMES.get(str(argument), str(argument))


def read_options(options: argparse.Namespace) -> ReadOptions:
    """Return what the options say about how to read files."""
    from disco_cvi.cli.tables import ReadOptions

    header = None if options.header is None else bool(options.header == "yes")
    return ReadOptions(header=header, drop=tuple(options.drop))


def read_data(options: argparse.Namespace) -> Data:
    """Read what the options name, and note on the error stream what was guessed."""
    from disco_cvi.cli import tables

    if options.points is None:
        options.points = tables.STANDARD_INPUT
    check_standard_input(options, [options.labels])
    if options.labels is None and options.label_column is None:
        hint = column_hint(options.points)
        options.parser.error(f"no labels: give --labels FILE or --label-column NAME{hint}")
    check_metric_options(options)
    reading = read_options(options)
    columns = [] if options.label_column is None else [options.label_column]
    own = columns if options.labels is None else []
    file = tables.read_points(options.points, reading, label_columns=own)
    notes = list(file.notes)
    if own:
        labels = file.labelings[own[0]]
    else:
        other = tables.read_labels(options.labels, file, reading, columns=columns)
        labels = other.labels
        notes.extend(other.notes)
    for message in (*notes, *tables.doubtful_features(file, [labels])):
        note(message)
    points = standardized(file.points, options)
    return Data(points, labels, noise_label(options.noise_label, labels))


def standardized(points: NDArray[np.float64], options: argparse.Namespace) -> NDArray[np.float64]:
    """Return the points, standardized if the options say so."""
    if not options.standardize:
        return points
    from disco_cvi._input.standardize import standardize

    return standardize(points)


def check_standard_input(options: argparse.Namespace, labels: Sequence[str | None]) -> None:
    """Refuse to await points from a keyboard, and to read the standard input twice."""
    from disco_cvi.cli.tables import STANDARD_INPUT

    if options.points != STANDARD_INPUT:
        return
    if sys.stdin is None or sys.stdin.isatty():
        options.parser.error("no points: name a file, or pipe CSV into the command")
    if STANDARD_INPUT in labels:
        options.parser.error("points and labels cannot both come from the standard input")


def check_metric_options(options: argparse.Namespace) -> None:
    """Find out before the work whether there is such a metric, and whether it takes parameters."""
    from disco_cvi._input.metric import METRIC_NAMES, check_metric

    error, metric = options.parser.error, options.metric or "euclidean"
    if metric not in METRIC_NAMES:
        question = did_you_mean(metric, METRIC_NAMES)
        error(f"--metric must be one of {', '.join(METRIC_NAMES)}; got {metric!r}. {question}")
    try:
        check_metric(metric, options.metric_params, options.parser.prog)
    except InvalidInputError as wrong:
        error(wrong.worded(shell_name(wrong.argument, options)))
    if options.standardize and options.metric == "precomputed":
        error("--standardize is for features, and a precomputed matrix holds distances")


def column_hint(path: str) -> str:
    """Return the names of a file's columns, to end a complaint with."""
    from disco_cvi.cli import tables

    names = () if path == tables.STANDARD_INPUT else tables.column_names(path)
    return f" ({path} has the columns {', '.join(names)})" if 1 < len(names) < 20 else ""


def noise_label(given: str | None, labels: NDArray[Any]) -> int | str | bool | None:
    """Return the noise label in the type of the labels, as it stands in their file."""
    if given == _NO_NOISE:
        return None
    text = _DEFAULT_NOISE if given is None else given
    if labels.dtype.kind == "b":
        return {"true": True, "false": False}.get(text.lower(), text)
    if labels.dtype.kind in "iuf":
        return _whole_number(text)
    return text


def _whole_number(text: str) -> int | str:
    """Return the number that a text writes, or the text if it writes none: it matches no label."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else text


def noise_hint(options: argparse.Namespace, names: list[Any], n_noise: int) -> str | None:
    """Return a sentence if the noise is probably not the one that the user means."""
    if n_noise:
        return None
    if options.noise_label not in (None, _NO_NOISE):
        return f"no point has the noise label {options.noise_label!r}."
    for name in names:
        if options.noise_label is None and str(name).lower() in _LIKE_NOISE:
            return (
                f"the cluster {name!r} is scored as a cluster; if it is noise, say "
                f"--noise-label {name}."
            )
    return None
