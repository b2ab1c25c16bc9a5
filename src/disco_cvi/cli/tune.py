"""`disco tune`: which eps or min_cluster_size, for one file of points."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from disco_cvi._output.words import visible
from disco_cvi.cli.command import Command
from disco_cvi.cli.data_options import DensityOptions, PointsOptions
from disco_cvi.cli.options import JobsOptions, JsonOptions, one_of, option, whole_number_or_0
from disco_cvi.cli.outputs import (
    PAGES,
    PICTURES,
    Output,
    check_outputs,
    picture_of,
    write_picture,
    write_rows,
)
from disco_cvi.cli.reading import (
    can_be_read_again,
    check_points,
    note_pipes,
    standardized,
    unfolded,
)
from disco_cvi.cli.screen import note, print_json, say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from disco_cvi.cli.tables import PointsFile
    from disco_cvi.selection.suggestion import Suggestion

_DESCRIPTION = """\
Find clusters without choosing anything: DBSCAN at every eps and HDBSCAN at every
min_cluster_size, from one tree, and the best of them by the pair score. Says
why, how sure that is, and whether there is anything to find at all: data
without clusters are searched, too."""
_EPILOG = """\
examples:
  disco tune points.csv --standardize
  disco tune points.csv --drop id --out labels.csv --plot curve.png
  disco tune points.csv --algorithm hdbscan --min-points 10
  disco tune points.npy --report report.html
  disco tune embeddings.npy --tree approximate
  disco tune distances.npy --metric precomputed --json"""

_FAR_APART = 10.0


@dataclass
class TuneOptions(JobsOptions, JsonOptions, DensityOptions, PointsOptions):
    """The options of `disco tune`."""

    algorithm: Annotated[
        str,
        option(
            "--algorithm",
            metavar="NAME",
            **one_of("auto", "dbscan", "hdbscan"),
            help="what to suggest: dbscan, hdbscan, or auto, the better of both (default: auto)",
            rich_help_panel="search",
        ),
    ] = "auto"
    tree: Annotated[
        str,
        option(
            "--tree",
            metavar="NAME",
            **one_of("exact", "approximate"),
            help="how the density tree is found: exact, or approximate for many points of many "
            "features; then data without clusters are not searched (default: exact)",
            rich_help_panel="density",
        ),
    ] = "exact"
    no_null: Annotated[
        bool,
        option(
            "--no-null",
            help="do not search data without clusters, which takes longer than all else",
            rich_help_panel="search",
        ),
    ] = False
    seed: Annotated[
        int,
        option(
            "--seed",
            metavar="N",
            parser=whole_number_or_0,
            help="for drawing data without clusters (default: 0)",
            rich_help_panel="search",
        ),
    ] = 0
    out: Annotated[
        str | None,
        option(
            "--out",
            metavar="FILE",
            help="write the labels, one per point, -1 for noise: .csv, .tsv (each also .gz), "
            ".parquet or .npy",
            rich_help_panel="output",
        ),
    ] = None
    plot: Annotated[
        str | None,
        option(
            "--plot",
            metavar="FILE",
            help="draw the scores of all settings: .png, .svg or .pdf",
            rich_help_panel="output",
        ),
    ] = None
    report: Annotated[
        str | None,
        option(
            "--report",
            metavar="FILE",
            help="write everything as one page: .html",
            rich_help_panel="output",
        ),
    ] = None


def run(options: TuneOptions) -> None:
    """Suggest, write what was asked for, and print."""
    _check(options)
    from disco_cvi.cli import tables

    read = tables.read_points(options.path, options.read_options(), may_hold_labels=False)
    file = unfolded(read, options)
    for message in (*file.notes, *_hints(file, options)):
        note(message)
    from disco_cvi.selection.suggest import suggest

    points = standardized(file.points, options)
    is_exact = options.tree == "exact"
    suggestion = suggest(
        points if is_exact else options.approximate_tree(points, options.n_jobs),
        algorithm=options.algorithm,
        min_points=options.min_points,
        metric=options.metric,
        metric_params=options.metric_params,
        n_null=0 if options.no_null else 9,
        random_state=options.seed,
        n_jobs=options.n_jobs,
    )
    facts = _facts(suggestion, file, options)
    try:
        _show(facts, options)
    finally:  # also if whoever read the answer has gone
        _write(suggestion, points, facts, options, file.row_names)


def _show(facts: dict[str, Any], options: TuneOptions) -> None:
    if options.json:
        print_json(facts)
        return
    from disco_cvi.results.words import suggestion_text

    say(suggestion_text(facts, look=_look(options)))


def _check(options: TuneOptions) -> None:
    """Find out before the work whether its input and its results have a place."""
    check_points(options)
    note_pipes([options.path])
    options.check_metric(is_standardized=options.standardize)
    outputs = [
        Output("--out", options.out),
        Output("--plot", options.plot, PICTURES),
        Output("--report", options.report, PAGES),
    ]
    check_outputs(options, [options.path], outputs)


def _hints(file: PointsFile, options: TuneOptions) -> list[str]:
    """Say what may be wrong with the features; neither stops the work."""
    from disco_cvi.cli.tables import doubtful_features

    hints = doubtful_features(file)
    factor = _scale_factor(file.points)
    are_compared = options.metric in (None, "euclidean") and not options.standardize
    if are_compared and factor > _FAR_APART:
        shown = f"{factor:.0f}" if factor < 1e6 else f"{factor:.0e}"
        hints.append(
            f"the features differ in scale, by a factor of {shown}: the large ones decide. If they "
            "have different units, add --standardize."
        )
    return hints


def _scale_factor(points: NDArray[np.float64]) -> float:
    """How many times as wide as the narrowest feature the widest is, among those that vary."""
    import numpy as np

    # Each by its own size first, whose squares are no overflow.
    size = np.abs(points).max(axis=0)
    wide = points[:, size > 0] / size[size > 0]
    spread = wide.std(axis=0) * size[size > 0]
    spread = spread[spread > 0]
    return float(spread.max()) / float(spread.min()) if len(spread) else 1.0


def _facts(suggestion: Suggestion, file: PointsFile, options: TuneOptions) -> dict[str, Any]:
    facts = suggestion.to_dict(labels=False)
    facts["source"] = file.source
    facts["standardized"] = options.standardize
    tree = [] if options.tree == "exact" else [_tree_line(suggestion, options)]
    facts["python"] = "\n".join([*_reading_lines(file, options), *tree, facts["python"]])
    if options.no_null:
        why = "Whether data without clusters reach as much was not asked: --no-null."
        facts["null_left_out"] = why
    return facts


def _tree_line(suggestion: Suggestion, options: TuneOptions) -> str:
    """The line of Python that builds the approximate tree."""
    tree = suggestion.tree
    metric = "" if tree.metric == "euclidean" else f", metric={tree.metric!r}"
    how = f"algorithm={options.tree!r}"
    return f"tree = disco_cvi.DensityTree(X, min_points={tree.min_points}{metric}, {how})"


def _reading_lines(file: PointsFile, options: TuneOptions) -> list[str]:
    """The lines of Python that read the points as this command did."""
    path, name = options.path, options.path.lower().removesuffix(".gz")
    if not can_be_read_again(path):
        return ["import disco_cvi  # X: the points"]
    are_named = not all(feature.isdecimal() for feature in file.features)
    columns: list[Any] = [feature if are_named else int(feature) - 1 for feature in file.features]
    is_part = bool(options.drop or options.columns or options.row_ids)
    package, chosen = "pandas", f"[{columns}]" if is_part else ""
    if name.endswith(".npy"):
        package, chosen = "numpy", f"[:, {columns}]" if is_part else ""
        read = f"numpy.load({path!r})"
    elif name.endswith((".parquet", ".pq")):
        read = f"pandas.read_parquet({path!r})"
    elif name.endswith((".jsonl", ".ndjson")):
        read = f"pandas.read_json({path!r}, lines=True)"
    elif name.endswith((".arrow", ".feather", ".ipc")):
        read = f"pandas.read_feather({path!r})"
    else:
        read = f"pandas.read_csv({path!r}{_text_settings(file, are_named=are_named)})"
    lines = [f"import disco_cvi, {package}", f"X = {read}{chosen}"]
    if options.standardize:
        lines.insert(1, "from sklearn.preprocessing import StandardScaler")
        lines.append("X = StandardScaler().fit_transform(X)")
    return lines


def _text_settings(file: PointsFile, *, are_named: bool) -> str:
    """How pandas is to read a text, where it would not find that by itself."""
    table = file.table
    separator = r"\s+" if table.separator == " " else table.separator
    settings = "" if separator == "," else f", sep={separator!r}"
    settings += f", decimal={table.decimal!r}" if table.decimal == "," else ""
    encoding = (table.encoding or "").lower()
    settings += "" if encoding in ("", "utf-8", "utf-8-sig") else f", encoding={encoding!r}"
    return settings if are_named else f"{settings}, header=None"


def _look(options: TuneOptions) -> str:
    """Where to look next, in words of the shell."""
    more = []
    if options.plot is None and options.report is None:
        more.append("add --report report.html for a page with figures")
    if options.out is None:
        more.append("add --out labels.csv for the labels")
    source = options.path if can_be_read_again(options.path) else "points.csv"
    command = ["disco", "score", source, "--labels", options.out or "labels.csv"]
    reading = {"--id": options.row_ids, "--sep": options.sep, "--decimal": options.decimal}
    for name, text in (reading | {"--encoding": options.encoding}).items():
        command += [] if text is None else [name, text]
    for name, columns in {"--columns": options.columns, "--drop": options.drop}.items():
        command += [name, *columns] if columns else []
    command += ["--standardize"] * options.standardize
    density = {
        "--min-points": options.min_points,
        "--metric": options.metric,
        "--metric-params": options.metric_params and json.dumps(options.metric_params),
    }
    for name, value in density.items():
        command += [] if value is None else [name, str(value)]
    if options.tree != "exact":
        command += ["--algorithm", options.tree]
    more.append(f"see what each cluster is worth by: {visible(shlex.join(command))}")
    text = "; ".join(more)
    return f"{text[0].upper()}{text[1:]}."


def _write(
    suggestion: Suggestion,
    points: NDArray[np.float64],
    facts: dict[str, Any],
    options: TuneOptions,
    row_names: Sequence[str] | None,
) -> None:
    from disco_cvi._output.files import write_file

    if options.out is not None:
        write_rows(options.out, {"label": suggestion.labels}, options, row_names)
        note(f"wrote {len(suggestion.labels):,} labels to {options.out}.")
    if options.plot is not None:
        write_picture(options.plot, "curve", suggestion.plot)
    if options.report is not None:
        page = _page(suggestion, points, facts, options)
        write_file(options.report, lambda stream: stream.write(page.encode()))
        note(f"wrote a page to {options.report}.")


def _page(
    suggestion: Suggestion,
    points: NDArray[np.float64],
    facts: dict[str, Any],
    options: TuneOptions,
) -> str:
    from disco_cvi._output.drawing import draw
    from disco_cvi.report.page import render
    from disco_cvi.report.pictures import embed_png
    from disco_cvi.results.words import headline, sections

    curve = {
        "name": "Scores of all settings",
        "caption": "The pair score of every setting, the one that is suggested, and what data "
        "without clusters reach, if they were searched.",
        "alt": "Curve of the pair score over the parameter, with the suggested value marked.",
    }
    pictures = [curve | embed_png(picture_of("curve", suggestion.plot))]
    if points.shape[1] == 2 and options.metric != "precomputed":
        clusters = {
            "name": "The clusters",
            "caption": "The points, colored by cluster; noise points are gray crosses.",
            "alt": f"Map of the points in {suggestion.n_clusters} clusters.",
        }
        image = picture_of("clusters", lambda: draw("labels_map", points, suggestion.labels))
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


COMMAND = Command(run, TuneOptions, "[POINTS] [options]", _DESCRIPTION, _EPILOG)
