"""`disco compare`: many labelings of one file of points, by many indices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disco_cvi.cli._data import add_jobs_option, add_reading_options, noise_label, standardized
from disco_cvi.cli._parser import Parser, note

if TYPE_CHECKING:
    import argparse

    from numpy.typing import NDArray

NAME = "compare"
SUMMARY = "compare labelings of points from files, by many indices"
DESCRIPTION = """\
Compare labelings of the same points: a table of labelings by indices, the best
of each index marked."""
EPILOG = """\
examples:
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco compare table.csv --label-column dbscan --label-column kmeans
  disco compare points.npy --labels a.npy b.npy --truth true.npy --json"""


def add_options(parser: Parser) -> None:
    """Add the options of `disco compare`."""
    parser.add_argument(
        "points",
        metavar="POINTS",
        help="file of points, one per row: .csv, .tsv, .txt (each also .gz), .npy or .parquet",
    )
    labels = parser.add_argument_group("labelings (at least one)")
    labels.add_argument(
        "--labels",
        metavar="FILE",
        nargs="+",
        default=[],
        help="files of labels, one per point; a labeling is named after its file",
    )
    labels.add_argument(
        "--label-column",
        metavar="NAME",
        action="append",
        default=[],
        help="column of POINTS that holds a labeling, by name or number; may be repeated",
    )
    labels.add_argument(
        "--truth", metavar="FILE", help="file of true labels: adds ARI and AMI with them"
    )
    labels.add_argument(
        "--noise-label",
        metavar="VALUE",
        default=None,
        help="the label of noise points, as it stands in the files (default: -1); 'none' if there "
        "is no noise",
    )
    parser.add_argument(
        "--indices",
        metavar="NAME",
        nargs="+",
        default=["all"],
        help="names of indices, see 'disco indices' (default: all)",
    )
    add_reading_options(parser.add_argument_group("reading"))
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    add_jobs_option(parser)


def run(options: argparse.Namespace) -> None:
    """Compare and print."""
    names = _check_indices(options)
    if not options.labels and not options.label_column:
        options.parser.error("no labels: give --labels FILE ... or --label-column NAME")
    from disco_cvi import _files

    header = None if options.header is None else options.header == "yes"
    columns = [*options.drop, *options.label_column]
    file = _files.read_points(options.points, label_column=None, drop=columns, header=header)
    for message in file.notes:
        note(message)
    n_points = len(file.points)
    labelings = {
        name: _files.read_labels(path, n_points, column=column, header=header)
        for name, path, column in _places(options)
    }
    truth = None
    if options.truth is not None:
        truth = _files.read_labels(options.truth, n_points, column=None, header=header)
    from disco_cvi.comparison import compare

    comparison = compare(
        standardized(file.points, options),
        labelings,
        names,
        truth=truth,
        noise_label=_common_noise(
            options, [*labelings.values(), *([] if truth is None else [truth])]
        ),
        n_jobs=options.jobs,
    )
    print(
        json.dumps(comparison.to_dict(), indent=2, allow_nan=False) if options.json else comparison
    )


def _check_indices(options: argparse.Namespace) -> list[str] | str:
    """Find out before the work whether all indices exist."""
    from disco_cvi.indices._registry import available_indices

    if options.indices == ["all"]:
        return "all"
    known = [info.name for info in available_indices()]
    for name in options.indices:
        if name not in known:
            options.parser.error(f"no index {name!r}; there are {', '.join(known)}, or all")
    return list(dict.fromkeys(options.indices))


def _places(options: argparse.Namespace) -> list[tuple[str, str, str | None]]:
    """Name, file and column of each labeling; files of one name are told apart by their path."""
    stems = [Path(path).name.split(".")[0] for path in options.labels]
    names = stems if len(set(stems)) == len(stems) else options.labels
    places = [(name, path, None) for name, path in zip(names, options.labels, strict=True)]
    return places + [(column, options.points, column) for column in options.label_column]


def _common_noise(options: argparse.Namespace, labelings: list[NDArray[Any]]) -> Any:
    """The noise label in the type of the labels; labelings of several types have one each."""
    found = {noise_label(options.noise_label, labels) for labels in labelings}
    if len(found) > 1:
        options.parser.error("labelings of numbers and of text cannot be compared in one call")
    return found.pop()
