"""`disco compare`: many labelings of one file of points, by many indices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from disco_cvi.cli.data_options import (
    add_data_options,
    add_density_options,
    add_jobs_option,
    check_metric_options,
    check_standard_input,
    column_hint,
    noise_hint,
    noise_label,
    read_options,
    standardized,
)
from disco_cvi.cli.parser import Parser, note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

    from numpy.typing import ArrayLike, NDArray

    from disco_cvi._input.labels import Labels
    from disco_cvi.cli.tables import PointsFile

NAME = "compare"
SUMMARY = "compare labelings of points from files, by many indices"
DESCRIPTION = """\
Compare labelings of the same points: a table of labelings by indices, the best
of each index marked. To choose one of them, go by the pair score."""
EPILOG = """\
examples:
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco compare table.csv --label-column dbscan --label-column kmeans
  disco compare points.csv --labels labels.csv --label-column a --label-column b
  disco compare points.npy --labels a.npy b.npy --truth true.npy --json
  disco compare points.csv --labels a.csv b.csv --metric manhattan --min-points 10"""


def add_options(parser: Parser) -> None:
    """Add the options of `disco compare`."""
    parser.usage = "disco compare POINTS --labels FILE [FILE ...] [options]"
    labels = add_data_options(parser, several=True)
    labels.add_argument(
        "--truth", metavar="FILE", help="file of true labels: adds ARI and AMI with them"
    )
    labels.add_argument(
        "--truth-column",
        metavar="NAME",
        help="column of POINTS that holds the true labels (with --truth: column of that file)",
    )
    add_density_options(parser, of_each_index=True)
    parser.add_argument(
        "--indices",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help="names of indices, see 'disco indices' (default: all)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    add_jobs_option(parser)


def run(options: argparse.Namespace) -> None:
    """Compare and print."""
    _check(options)
    names = _check_indices(options)
    from disco_cvi.cli import tables

    reading = read_options(options)
    file = tables.read_points(options.points, reading, label_columns=_own_columns(options))
    labelings = {place.name: _read(place, file, options) for place in _places(options)}
    truth = _truth_place(options)
    true = None if truth is None else _read(truth, file, options)
    _note_guesses(file, [*labelings.values(), *([] if true is None else [true])])
    _note_noise(options, [labeling.checked for labeling in labelings.values()])
    from disco_cvi.results.comparison import compare

    comparison = compare(
        standardized(file.points, options),
        # Checked labels: each file has its own type, in which its noise is named.
        {name: cast("ArrayLike", labeling.checked) for name, labeling in labelings.items()},
        names,
        metric=options.metric,
        metric_params=options.metric_params,
        min_points=options.min_points,
        truth=None if true is None else cast("ArrayLike", true.checked),
        n_jobs=options.jobs,
    )
    if options.json:
        print(json.dumps(comparison.to_dict(), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        print(comparison)


def _check(options: argparse.Namespace) -> None:
    error = options.parser.error
    if options.points is None:
        error("no points: name their file first, before --labels")
    if not options.labels and not options.label_column:
        hint = column_hint(options.points)
        error(f"no labels: give --labels FILE ... or --label-column NAME{hint}")
    check_standard_input(options, [*options.labels, options.truth])
    check_metric_options(options)


def _check_indices(options: argparse.Namespace) -> list[str] | str:
    """Find out before the work whether all indices exist."""
    from disco_cvi.indices.registry import available_indices

    given = [name for text in options.indices for name in text.split(",") if name]
    if not given or "all" in given:
        return "all"
    lister = "'disco indices'"
    try:
        found = [available_indices().find(name, "--indices", NAME, lister=lister) for name in given]
    except InvalidInputError as error:
        options.parser.error(error.worded("--indices"))
    return list(dict.fromkeys(info.name for info in found))


def _own_columns(options: argparse.Namespace) -> list[str]:
    """Return the columns of POINTS that hold labels."""
    own = [] if options.labels else options.label_column
    has_truth = options.truth is None and options.truth_column is not None
    return [*own, *([options.truth_column] if has_truth else [])]


class Place(NamedTuple):
    """Where a labeling stands: its name, file and column, and the option that chooses that.

    A column of POINTS has no file of its own.
    """

    name: str
    path: str | None
    column: str | None
    option: str = "--label-column"

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"labels of {self.path if self.column is None else f'{self.option} {self.column}'}"


class Labeling(NamedTuple):
    """Labels as they stand in a file, and as trusted codes with names."""

    given: NDArray[Any]
    checked: Labels


def _places(options: argparse.Namespace) -> list[Place]:
    """Return the place of each labeling; files of one name are told apart by their path."""
    paths = list(dict.fromkeys(options.labels))
    columns = list(dict.fromkeys(options.label_column))
    if len(paths) < 2 and columns:
        path = paths[0] if paths else None
        return [Place(column, path, column) for column in columns]
    stems = [Path(path).name.split(".")[0] for path in paths]
    names = stems if len(set(stems)) == len(stems) else paths
    return [
        Place(name if len(columns) < 2 else f"{name} {column}", path, column)
        for name, path in zip(names, paths, strict=True)
        for column in columns or [None]
    ]


def _truth_place(options: argparse.Namespace) -> Place | None:
    path, column = options.truth, options.truth_column
    if path is None and column is None:
        return None
    return Place("truth", path, column, "--truth-column")


def _read(place: Place, file: PointsFile, options: argparse.Namespace) -> Labeling:
    from disco_cvi._input.labels import check_labels
    from disco_cvi.cli import tables

    if place.path is None:
        given = file.labelings[str(place.column)]
    else:
        columns = [] if place.column is None else [place.column]
        given = tables.read_labels(
            place.path, file, read_options(options), columns=columns, option=place.option
        ).labels
    noise = noise_label(options.noise_label, given)
    return Labeling(given, check_labels(given, len(given), noise, NAME, argument=place.shown))


def _note_guesses(file: PointsFile, labelings: list[Labeling]) -> None:
    """Note what was guessed, and features that are labels."""
    from disco_cvi.cli.tables import doubtful_features

    doubts = doubtful_features(file, [labeling.given for labeling in labelings])
    for message in (*file.notes, *doubts):
        note(message)


def _note_noise(options: argparse.Namespace, labelings: list[Labels]) -> None:
    """Note once what is probably not the noise that the user means."""
    if options.noise_label is not None and any(labels.n_noise for labels in labelings):
        return
    hints = [noise_hint(options, list(labels.names), labels.n_noise) for labels in labelings]
    for hint in dict.fromkeys(hints):
        if hint is not None:
            note(hint)
