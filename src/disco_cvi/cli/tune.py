"""`disco tune`: which eps or min_cluster_size, for one file of points."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from disco_cvi._output.words import visible
from disco_cvi.cli import options as given
from disco_cvi.cli.data import (
    Density,
    PointsFile,
    Source,
    can_be_read_again,
    doubtful_features,
    note_pipes,
    read_points,
    standardized,
    unfolded,
)
from disco_cvi.cli.output import (
    PAGES,
    PICTURES,
    Output,
    check_outputs,
    note,
    picture_of,
    print_json,
    say,
    write_picture,
    write_rows,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from disco_cvi.selection.suggestion import Suggestion

EPILOG = """
Examples:
  disco tune points.csv --standardize
  disco tune points.csv --drop id --out labels.csv --plot curve.png
  disco tune points.csv --algorithm hdbscan --min-points 10
  disco tune points.npy --report report.html
  disco tune embeddings.npy --tree approximate
  disco tune distances.npy --metric precomputed --json"""

_FAR_APART = 10.0


def tune(
    points: given.Points = None,
    *,
    row_ids: given.RowIds = None,
    columns: given.Columns = None,
    drop: given.Drop = None,
    header: given.Header = None,
    sep: given.Separator = None,
    decimal: given.Decimal = None,
    encoding: given.Encoding = None,
    max_size: given.MaxSize = None,
    standardize: given.Standardize = False,
    min_points: given.MinPoints = None,
    metric: given.Metric = None,
    tree: given.Tree = "exact",
    algorithm: Annotated[
        str,
        given.option(
            "--algorithm",
            "NAME",
            given.SEARCH,
            "what to suggest: dbscan, hdbscan, or auto, the better of both (default: auto)",
            **given.one_of("auto", "dbscan", "hdbscan"),
        ),
    ] = "auto",
    no_null: Annotated[
        bool,
        given.option(
            "--no-null",
            None,
            given.SEARCH,
            "do not search data without clusters, which takes longer than all else",
        ),
    ] = False,
    out: Annotated[
        str | None,
        given.option(
            "--out",
            "FILE",
            given.OUTPUT,
            "write the labels, one per point, -1 for noise: .csv, .tsv (each also .gz), .parquet "
            "or .npy",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        given.option(
            "--plot", "FILE", given.OUTPUT, "draw the scores of all settings: .png, .svg or .pdf"
        ),
    ] = None,
    report: Annotated[
        str | None,
        given.option("--report", "FILE", given.OUTPUT, "write everything as one page: .html"),
    ] = None,
    json: given.Json = False,
    jobs: given.Jobs = None,
) -> None:
    """Suggest eps or min_cluster_size for points from a file.

    Finds clusters without choosing anything: DBSCAN at every eps and HDBSCAN at
    every min_cluster_size, from one tree, and the best of them by the pair
    score. Says why, how sure that is, and whether there is anything to find at
    all: data without clusters are searched, too.
    """
    source = Source(
        points, row_ids, columns, drop, header, sep, decimal, encoding, max_size, standardize
    )
    density = Density(min_points, metric, jobs, tree)
    source.check()
    note_pipes([source.place])
    density.check(source)
    outputs = [
        Output("--out", out),
        Output("--plot", plot, PICTURES),
        Output("--report", report, PAGES),
    ]
    check_outputs([points], outputs)
    read = read_points(source, labels_option="")
    file = unfolded(read, density)
    for message in (*read.table.notes, *_hints(file, source, metric)):
        note(message)
    from disco_cvi.selection.suggest import suggest

    features = standardized(file.points, source)
    suggestion = suggest(
        density.tree_or_points(features),
        algorithm=algorithm,
        n_null=0 if no_null else 9,
        **density.options,
    )
    facts = suggestion.to_dict(labels=False)
    facts |= {"source": file.table.source, "standardized": standardize}
    facts["python"] = "\n".join([*_reading_lines(file, source, tree, suggestion), facts["python"]])
    if no_null:
        why = "Whether data without clusters reach as much was not asked: --no-null."
        facts["null_left_out"] = why
    look = _look(source, density, out, shown=plot is not None or report is not None)
    try:
        if json:
            print_json(facts)
        else:
            from disco_cvi.results.words import suggestion_text

            say(suggestion_text(facts, look=look))
    finally:  # also if whoever read the answer has gone
        if out is not None:
            write_rows(out, {"label": suggestion.labels}, row_ids, file.row_names)
            note(f"wrote {len(suggestion.labels):,} labels to {out}.")
        if plot is not None:
            write_picture(plot, "curve", suggestion.plot)
        if report is not None:
            _write_page(report, suggestion, features, facts, look)


def _hints(file: PointsFile, source: Source, metric: str | None) -> list[str]:
    """Say what may be wrong with the features; neither stops the work."""
    hints = doubtful_features(file)
    factor = _scale_factor(file.points)
    if metric in (None, "euclidean") and not source.standardize and factor > _FAR_APART:
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


def _reading_lines(
    file: PointsFile, source: Source, tree: str, suggestion: Suggestion
) -> list[str]:
    """The lines of Python that read the points, and build an approximate tree, as this command."""
    path, table = source.place, file.table
    readers = {
        ".npy": ("numpy", "load"),
        ".csv": ("pandas", "read_csv"),
        ".parquet": ("pandas", "read_parquet"),
    }
    package, reader = readers.get(Path(path).suffix.lower(), ("", ""))
    is_all = not (source.drop or source.columns or source.row_ids)
    is_plain = (table.separator or ",", table.decimal or ".") == (",", ".") and (
        table.names is not None or package == "numpy"
    )
    lines = ["import disco_cvi  # X: the points"]
    if package and is_all and is_plain and can_be_read_again(path):
        lines = [f"import disco_cvi, {package}", f"X = {package}.{reader}({path!r})"]
    if source.standardize:
        lines.insert(1, "from sklearn.preprocessing import StandardScaler")
        lines.append("X = StandardScaler().fit_transform(X)")
    if tree != "exact":
        built = suggestion.tree
        metric = "" if built.metric == "euclidean" else f", metric={built.metric!r}"
        how = f"min_points={built.min_points}{metric}, algorithm={tree!r}"
        lines.append(f"tree = disco_cvi.DensityTree(X, {how})")
    return lines


def _look(source: Source, density: Density, out: str | None, *, shown: bool) -> str:
    """Where to look next, in words of the shell."""
    place = source.place if can_be_read_again(source.place) else "points.csv"
    words = ["disco", "score", place, "--labels", out or "labels.csv"]
    asked: dict[str, Any] = {
        "--id": source.row_ids,
        "--sep": source.separator,
        "--decimal": source.decimal,
        "--encoding": source.encoding,
        "--columns": source.columns,
        "--drop": source.drop,
        "--standardize": source.standardize,
        "--min-points": density.min_points,
        "--metric": density.metric,
        "--algorithm": None if density.algorithm == "exact" else density.algorithm,
    }
    for name, value in asked.items():
        if value:
            words += [
                name,
                *([] if value is True else value if isinstance(value, list) else [str(value)]),
            ]
    more = [] if shown else ["add --report report.html for a page with figures"]
    more += [] if out else ["add --out labels.csv for the labels"]
    more.append(f"see what each cluster is worth by: {visible(shlex.join(words))}")
    text = "; ".join(more)
    return f"{text[0].upper()}{text[1:]}."


def _write_page(
    path: str,
    suggestion: Suggestion,
    points: NDArray[np.float64],
    facts: dict[str, Any],
    look: str,
) -> None:
    from disco_cvi._output.drawing import draw
    from disco_cvi._output.files import write_file
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
    if points.shape[1] == 2 and suggestion.tree.metric != "precomputed":
        clusters = {
            "name": "The clusters",
            "caption": "The points, colored by cluster; noise points are gray crosses.",
            "alt": f"Map of the points in {suggestion.n_clusters} clusters.",
        }
        image = picture_of("clusters", lambda: draw("labels_map", points, suggestion.labels))
        pictures.append(clusters | embed_png(image))
    page = render(
        "suggestion.html",
        {
            "facts": facts,
            "headline": headline(facts),
            "sections": [one for one in sections(facts, look=look) if one[0] != "What else"],
            "pictures": [picture | {"svg": None} for picture in pictures],
            "python": facts["python"],
        },
    )
    write_file(path, lambda stream: stream.write(page.encode()))
    note(f"wrote a page to {path}.")
