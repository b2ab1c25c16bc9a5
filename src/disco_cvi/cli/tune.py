"""`disco tune`: which eps or min_cluster_size, for one file of points."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from disco_cvi.cli.data_options import (
    add_density_options,
    add_jobs_option,
    add_points_options,
    check_metric_options,
    check_standard_input,
    read_options,
    standardized,
)
from disco_cvi.cli.parser import Parser, note, whole_number
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

    import numpy as np
    from numpy.typing import NDArray

    from disco_cvi.cli.tables import PointsFile
    from disco_cvi.selection.suggestion import Suggestion

NAME = "tune"
SUMMARY = "suggest eps or min_cluster_size for points from a file"
DESCRIPTION = """\
Find clusters without choosing anything: DBSCAN at every eps and HDBSCAN at every
min_cluster_size, from one tree, and the best of them by the pair score. Says
why, how sure that is, and whether there is anything to find at all: data
without clusters are searched, too."""
EPILOG = """\
examples:
  disco tune points.csv --standardize
  disco tune points.csv --drop id --out labels.csv --plot curve.png
  disco tune points.csv --algorithm hdbscan --min-points 10
  disco tune points.npy --report report.html
  disco tune distances.npy --metric precomputed --json"""

_PICTURES = (".png", ".svg")
_PAGES = (".html", ".htm")
_FAR_APART = 10.0


def add_options(parser: Parser) -> None:
    """Add the options of `disco tune`."""
    add_points_options(parser)
    add_density_options(parser)
    search = parser.add_argument_group("search")
    search.add_argument(
        "--algorithm",
        choices=("auto", "dbscan", "hdbscan"),
        default="auto",
        help="what to suggest (default: auto, the better of both)",
    )
    search.add_argument(
        "--no-null",
        action="store_true",
        help="do not search data without clusters, which takes longer than all else",
    )
    search.add_argument(
        "--seed",
        metavar="N",
        type=partial(whole_number, least=0),
        default=0,
        help="for drawing data without clusters (default: 0)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "--out",
        metavar="FILE",
        help="write the labels, one per point, -1 for noise: .csv, .tsv (each also .gz), .parquet "
        "or .npy",
    )
    output.add_argument(
        "--plot", metavar="FILE", help="draw the scores of all settings: .png or .svg"
    )
    output.add_argument("--report", metavar="FILE", help="write everything as one page: .html")
    output.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    add_jobs_option(parser)


def run(options: argparse.Namespace) -> None:
    """Suggest, write what was asked for, and print."""
    _check(options)
    from disco_cvi.cli import tables

    file = tables.read_points(options.points, read_options(options), may_hold_labels=False)
    for message in (*file.notes, *_hints(file, options)):
        note(message)
    from disco_cvi.selection.suggest import suggest

    points = standardized(file.points, options)
    suggestion = suggest(
        points,
        algorithm=options.algorithm,
        min_points=options.min_points,
        metric=options.metric,
        metric_params=options.metric_params,
        n_null=0 if options.no_null else 9,
        random_state=options.seed,
        n_jobs=options.jobs,
    )
    facts = _facts(suggestion, file, options)
    _write(suggestion, points, facts, options)
    if options.json:
        print(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        from disco_cvi.selection.suggestion_words import suggestion_text

        print(suggestion_text(facts, look=_look(options)))


def _check(options: argparse.Namespace) -> None:
    """Find out before the work whether its input and its results have a place."""
    from disco_cvi._output.files import check_not_read, check_output, check_place
    from disco_cvi.cli.tables import STANDARD_INPUT

    if options.points is None:
        options.points = STANDARD_INPUT
    check_standard_input(options, [])
    check_metric_options(options)
    try:
        if options.out is not None:
            check_output(options.out)
            check_not_read(options.out, options.points)
        for path, endings in ((options.plot, _PICTURES), (options.report, _PAGES)):
            if path is not None:
                _check_ending(path, endings)
                check_place(path)
                check_not_read(path, options.points)
    except InvalidInputError as error:
        options.parser.error(str(error))
    _check_packages(options)


def _check_ending(path: str, endings: tuple[str, ...]) -> None:
    if Path(path).suffix.lower() not in endings:
        message = f"{path} must end in {' or '.join(endings)}, which names its format."
        raise InvalidInputError(message)


def _check_packages(options: argparse.Namespace) -> None:
    needs = [("matplotlib", "--plot", options.plot), ("matplotlib", "--report", options.report)]
    for package, option, path in [*needs, ("jinja2", "--report", options.report)]:
        if path is not None and find_spec(package) is None:
            extra = "plots" if option == "--plot" else "report"
            message = f'{option} needs {package}: pip install "disco-cvi[{extra}]"'
            raise InvalidInputError(message)


def _hints(file: PointsFile, options: argparse.Namespace) -> list[str]:
    """Say what may be wrong with the features; neither stops the work."""
    from disco_cvi.cli.tables import doubtful_features

    hints = doubtful_features(file)
    deviations = file.points.std(axis=0)
    spread = deviations[deviations > 0]
    if (
        len(spread)
        and options.metric in (None, "euclidean")
        and not options.standardize
        and spread.max() > _FAR_APART * spread.min()
    ):
        hints.append(
            f"the features differ in scale, by a factor of {spread.max() / spread.min():.0f}: the "
            "large ones decide. If they have different units, add --standardize."
        )
    return hints


def _facts(suggestion: Suggestion, file: PointsFile, options: argparse.Namespace) -> dict[str, Any]:
    facts = suggestion.to_dict(labels=False)
    facts["source"] = file.source
    facts["standardized"] = options.standardize
    facts["python"] = "\n".join([*_reading_lines(file, options), facts["python"]])
    if options.no_null:
        why = "Whether data without clusters reach as much was not asked: --no-null."
        facts["null_left_out"] = why
    return facts


def _reading_lines(file: PointsFile, options: argparse.Namespace) -> list[str]:
    """The lines of Python that read the points as this command did."""
    from disco_cvi.cli.tables import STANDARD_INPUT

    path, name = options.points, options.points.lower().removesuffix(".gz")
    if path == STANDARD_INPUT:
        return ["import disco_cvi  # X: the points"]
    are_named = not all(feature.isdecimal() for feature in file.features)
    columns: list[Any] = [feature if are_named else int(feature) - 1 for feature in file.features]
    package, chosen = "pandas", f"[{columns}]" if options.drop else ""
    if name.endswith(".npy"):
        package, chosen = "numpy", f"[:, {columns}]" if options.drop else ""
        read = f"numpy.load({path!r})"
    elif name.endswith(".parquet"):
        read = f"pandas.read_parquet({path!r})"
    else:
        found = {" ": r"\s+"}.get(str(file.table.separator), file.table.separator)
        separator = "" if found == "," else f", sep={found!r}"
        read = f"pandas.read_csv({path!r}{separator}{'' if are_named else ', header=None'})"
    lines = [f"import disco_cvi, {package}", f"X = {read}{chosen}"]
    if options.standardize:
        lines.insert(1, "from sklearn.preprocessing import StandardScaler")
        lines.append("X = StandardScaler().fit_transform(X)")
    return lines


def _look(options: argparse.Namespace) -> str:
    """Where to look next, in words of the shell."""
    more = []
    if options.plot is None and options.report is None:
        more.append("add --report report.html for a page with figures")
    if options.out is None:
        more.append("add --out labels.csv for the labels")
    source = "points.csv" if options.points == "-" else options.points
    command = ["disco", "score", source, "--labels", options.out or "labels.csv"]
    for name in options.drop:
        command += ["--drop", name]
    command += ["--standardize"] * options.standardize
    density = {
        "--min-points": options.min_points,
        "--metric": options.metric,
        "--metric-params": options.metric_params and json.dumps(options.metric_params),
    }
    for option, value in density.items():
        command += [] if value is None else [option, str(value)]
    more.append(f"see what each cluster is worth by: {shlex.join(command)}")
    text = "; ".join(more)
    return f"{text[0].upper()}{text[1:]}."


def _write(
    suggestion: Suggestion,
    points: NDArray[np.float64],
    facts: dict[str, Any],
    options: argparse.Namespace,
) -> None:
    from disco_cvi._output.files import write_columns, write_file

    if options.out is not None:
        write_columns(options.out, {"label": suggestion.labels})
        note(f"wrote {len(suggestion.labels):,} labels to {options.out}.")
    if options.plot is not None:
        form = Path(options.plot).suffix.lower().removeprefix(".")
        picture = _picture("curve", suggestion.plot, form)
        write_file(options.plot, lambda stream: stream.write(picture))
        note(f"wrote a figure to {options.plot}.")
    if options.report is not None:
        page = _page(suggestion, points, facts, options)
        write_file(options.report, lambda stream: stream.write(page.encode()))
        note(f"wrote a page to {options.report}.")


def _picture(name: str, plot: Callable[[], Any], form: Any = "png") -> bytes:
    """A drawing as the bytes of a file, with nothing of this machine in it."""
    from disco_cvi.report.pictures import default_style, picture_bytes

    with default_style(name):
        return picture_bytes(plot().figure, form)


def _page(
    suggestion: Suggestion,
    points: NDArray[np.float64],
    facts: dict[str, Any],
    options: argparse.Namespace,
) -> str:
    from disco_cvi._output.drawing import draw
    from disco_cvi.report.page import render
    from disco_cvi.report.pictures import embed_png
    from disco_cvi.selection.suggestion_words import headline, sections

    curve = {
        "name": "Scores of all settings",
        "caption": "The pair score of every setting, the one that is suggested, and what data "
        "without clusters reach, if they were searched.",
        "alt": "Curve of the pair score over the parameter, with the suggested value marked.",
    }
    pictures = [curve | embed_png(_picture("curve", suggestion.plot))]
    if points.shape[1] == 2 and options.metric != "precomputed":
        clusters = {
            "name": "The clusters",
            "caption": "The points, colored by cluster; noise points are gray crosses.",
            "alt": f"Map of the points in {suggestion.n_clusters} clusters.",
        }
        image = _picture("clusters", lambda: draw("labels_map", points, suggestion.labels))
        pictures.append(clusters | embed_png(image))
    return render(
        "suggestion.html",
        {
            "facts": facts,
            "headline": headline(facts),
            "sections": [
                one for one in sections(facts, look=_look(options)) if one[0] != "What else"
            ],
            "pictures": [picture | {"svg": None} for picture in pictures],
            "python": facts["python"],
        },
    )
