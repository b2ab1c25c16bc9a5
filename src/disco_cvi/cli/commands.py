"""The commands on labelings: score, compare, explain, report; and the list of indices."""

from __future__ import annotations

import textwrap
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from disco_cvi._output.words import count, printable
from disco_cvi.cli import options as given
from disco_cvi.cli.cluster import Cluster, explain_on_cluster
from disco_cvi.cli.data import (
    Asked,
    Density,
    Source,
    chosen_indices,
    label_files,
    read_data,
    read_embedding,
)
from disco_cvi.cli.output import (
    PAGES,
    PICTURES,
    Output,
    check_outputs,
    fail,
    note,
    print_json,
    say,
    table_facts,
    write_picture,
    write_rows,
)

if TYPE_CHECKING:
    from disco_cvi.results.explanation import Explanation, WorstPoint

SCORE_EPILOG = """
Examples:
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --drop id --standardize
  disco score table.csv --label-column cluster --id name --samples samples.csv
  disco score table.parquet --label-column kind --noise-label outlier
  disco score distances.npy --metric precomputed --labels labels.npy
  disco score points.csv --labels labels.csv --plot map.png
  disco score 'points-*.parquet' --dask --label-column cluster
  cat points.csv | disco score --label-column -1 --json"""

EXPLAIN_EPILOG = """
Columns: within is the mean distance to points of the same cluster, through
dense places; across is that to points of the nearest other one. The score of
a point is high where across is much larger than within. For a noise point,
sparse is how much sparser its place is than any cluster, and far is how far
it lies from them; its score is the lower of both.

Examples:
  disco explain points.csv --labels labels.csv
  disco explain table.csv --label-column cluster --id name --worst 50
  disco explain points.csv --labels labels.csv --json"""

COMPARE_EPILOG = """
ARI and AMI, with --truth: 1 is full agreement, 0 what chance gives. Each
point that a labeling calls noise counts as a class of its own; the noise of
the truth is one class.

The indices have their own defaults of --min-points and --metric; --min-points
is that of each index but DCSI.

Examples:
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco compare table.csv --label-column dbscan kmeans
  disco compare points.csv --labels labels.csv --label-column a b
  disco compare points.npy --labels a.npy b.npy --truth true.npy --json
  disco compare points.csv --labels a.csv b.csv --metric manhattan"""

REPORT_EPILOG = """
With --json the facts of the report are printed, and the page is written only
if -o names it.

Examples:
  disco report points.csv --labels labels.csv -o report.html --open
  disco report table.csv --label-column dbscan kmeans --id name
  disco report points.csv --labels a.csv b.csv --truth t.csv --title Wells
  disco report embeddings.npy --labels labels.npy --embedding umap.csv
  disco report large.npy --labels a.npy --algorithm approximate
  disco report points.csv --labels labels.csv --json"""

INDICES_EPILOG = """
Noise is judged, or it affects the value without being judged, or it is ignored.

Examples:
  disco indices
  disco indices --references
  disco indices --json"""


def score(
    points: given.Points = None,
    *,
    labels: given.OneLabels = None,
    label_column: given.OneLabelColumn = None,
    noise_label: given.NoiseLabel = None,
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
    algorithm: given.Algorithm = "exact",
    dask: given.Dask = False,
    scheduler: given.Scheduler = None,
    blocks: given.Blocks = None,
    samples: given.Samples = None,
    plot: given.Plot = None,
    json: given.Json = False,
    jobs: given.Jobs = None,
) -> None:
    """Score a labeling of points from files.

    One number from -1 to 1, whether it rests on little, a table of the
    clusters, and what to look at next.
    """
    source = Source(
        points, row_ids, columns, drop, header, sep, decimal, encoding, max_size, standardize
    )
    asked = Asked(_listed(labels), _listed(label_column), noise_label)
    density = Density(min_points, metric, jobs, algorithm)
    check_outputs(
        [points, labels], [Output("--samples", samples), Output("--plot", plot, PICTURES)]
    )
    cluster = Cluster(scheduler, blocks) if dask or scheduler else None
    explanation, more = _explained(source, asked, density, cluster)
    try:
        if json:
            print_json(explanation.to_dict(points=False) | more)
        else:
            hint = "" if samples else "\n\nFor the score of every point add --samples samples.csv."
            say(f"{explanation}{hint}")
    finally:  # also if whoever read the answer has gone
        _write(explanation, samples, plot, row_ids)


def explain(
    points: given.Points = None,
    *,
    labels: given.OneLabels = None,
    label_column: given.OneLabelColumn = None,
    noise_label: given.NoiseLabel = None,
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
    algorithm: given.Algorithm = "exact",
    dask: given.Dask = False,
    scheduler: given.Scheduler = None,
    blocks: given.Blocks = None,
    samples: given.Samples = None,
    plot: given.Plot = None,
    worst: Annotated[
        int | None,
        given.option(
            "--worst",
            "N",
            given.OUTPUT,
            "points of lowest score to name (default: 20)",
            parser=given.whole_number,
        ),
    ] = None,
    json: given.Json = False,
    jobs: given.Jobs = None,
) -> None:
    """Explain a score: clusters, noise, and the points of lowest score.

    What each cluster and the noise are worth, what to look at next, and the
    points of lowest score by name, with what made it.
    """
    source = Source(
        points, row_ids, columns, drop, header, sep, decimal, encoding, max_size, standardize
    )
    asked = Asked(_listed(labels), _listed(label_column), noise_label)
    density = Density(min_points, metric, jobs, algorithm)
    check_outputs(
        [points, labels], [Output("--samples", samples), Output("--plot", plot, PICTURES)]
    )
    cluster = Cluster(scheduler, blocks) if dask or scheduler else None
    explanation, more = _explained(source, asked, density, cluster)
    facts = explanation.to_dict(points=False) | more
    lowest = explanation.worst(worst or 20)
    try:
        if json:
            names = (None if point.name is None else str(point.name) for point in lowest)
            facts["worst"] = [
                vars(point) | {"name": name} for point, name in zip(lowest, names, strict=True)
            ]
            print_json(facts)
        else:
            from disco_cvi.results.words import explanation_text

            text = explanation_text(facts | {"worst": []})
            say(f"{text}\n\n{_worst_words(explanation, lowest)}")
    finally:  # also if whoever read the answer has gone
        _write(explanation, samples, plot, row_ids)


def _listed(value: str | None) -> list[str]:
    return [] if value is None else [value]


def _explained(
    source: Source, asked: Asked, density: Density, cluster: Cluster | None
) -> tuple[Explanation, dict[str, Any]]:
    """Explain the one labeling that was asked for, and return what else programs are told."""
    density.check(source)
    if cluster is not None:
        explanation, labeling = explain_on_cluster(source, asked, density, cluster)
    else:
        data = read_data(source, asked, density)
        (labeling,) = data.labelings.values()
        from disco_cvi.results.explanation import explain

        explanation = explain(
            density.tree_or_points(data.points),
            labeling.labels,
            row_names=data.file.row_names,
            **density.options,
        )
    more = {"noise_label": labeling.noise_label, "standardized": source.standardize}
    return explanation, more | {"algorithm": density.algorithm}


def _write(
    explanation: Explanation, samples: str | None, plot: str | None, row_ids: str | None
) -> None:
    """Write the files that were asked for."""
    points = explanation.points
    if samples is not None:
        columns = {field.name: getattr(points, field.name) for field in fields(points)}
        write_rows(samples, columns, row_ids, explanation.row_names)
        note(f"wrote {len(points.score):,} rows to {samples}.")
    if plot is not None:
        write_picture(plot, "map", explanation.plot)


def _worst_words(explanation: Explanation, worst: tuple[WorstPoint, ...]) -> str:
    from disco_cvi._output.tables import text_table

    head = "row" if explanation.row_names is None else "point"
    rows: list[tuple[str, ...]] = [
        (head, "score", "cluster", "within", "across", "nearest", "sparse", "far")
    ]
    for point in worst:
        nearest = point.claimed_by if point.is_noise else point.nearest_cluster
        distances = (point.compactness, point.separation)
        parts = (point.rho_sparse, point.rho_far)
        rows.append(
            (
                printable(str(point.row if point.name is None else point.name)),
                f"{point.score:z.3f}",
                "noise" if point.is_noise else printable(str(point.cluster)),
                *("" if number is None else f"{number:.4g}" for number in distances),
                "" if nearest is None else printable(str(nearest)),
                *("" if part is None else f"{part:z.3f}" for part in parts),
            )
        )
    table = text_table(rows, right=frozenset([1, 3, 4, 6, 7]))
    title = f"{count(len(worst), 'point')} of lowest score, the lowest first:"
    return f"{title}\n{textwrap.indent(table, '  ')}"


def compare(
    points: given.Points = None,
    *,
    labels: given.Labels = None,
    label_column: given.LabelColumns = None,
    noise_label: given.NoiseLabel = None,
    truth: given.Truth = None,
    truth_column: given.TruthColumn = None,
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
    algorithm: given.Algorithm = "exact",
    indices: given.Indices = None,
    json: given.Json = False,
    jobs: given.Jobs = None,
) -> None:
    """Compare labelings of points from files, by many indices.

    A table of labelings by indices, the best of each index marked. To choose
    one of them, go by the pair score.
    """
    source = Source(
        points, row_ids, columns, drop, header, sep, decimal, encoding, max_size, standardize
    )
    density = Density(min_points, metric, jobs, algorithm)
    if points is None:
        fail("no points: name their file first, before --labels; - is the standard input")
    density.check(source)
    names = chosen_indices(indices)
    asked = Asked(label_files(labels), label_column, noise_label, truth, truth_column)
    data = read_data(source, asked, density)
    from disco_cvi.results.comparison import compare

    comparison = compare(
        density.tree_or_points(data.points),
        {name: labeling.labels for name, labeling in data.labelings.items()},
        names,
        truth=None if data.truth is None else data.truth.labels,
        **density.options,
    )
    if json:
        print_json(comparison.to_dict() | {"algorithm": algorithm})
    else:
        say(comparison)


def report(
    points: given.Points = None,
    *,
    labels: given.Labels = None,
    label_column: given.LabelColumns = None,
    noise_label: given.NoiseLabel = None,
    truth: given.Truth = None,
    truth_column: given.TruthColumn = None,
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
    algorithm: given.Algorithm = "exact",
    out: Annotated[
        str | None,
        given.option(
            "-o --out", "OUT", given.OUTPUT, "the page to write: .html (default: report.html)"
        ),
    ] = None,
    title: Annotated[
        str | None,
        given.option(
            "--title", "TEXT", given.OUTPUT, "title of the page (default: the name of POINTS)"
        ),
    ] = None,
    about: Annotated[
        str | None,
        given.option(
            "--about",
            "NAME",
            given.OUTPUT,
            "of several labelings, the one that is shown in full (default: the best)",
        ),
    ] = None,
    embedding: Annotated[
        str | None,
        given.option(
            "--embedding",
            "FILE",
            given.OUTPUT,
            "file of two columns, where the points stand in the map (default: their two features, "
            "or the first two principal components; no map with --algorithm approximate)",
        ),
    ] = None,
    indices: given.Indices = None,
    opened: Annotated[
        bool, given.option("--open", None, given.OUTPUT, "show the page in a browser")
    ] = False,
    json: given.Json = False,
    jobs: given.Jobs = None,
) -> None:
    """Write a report on a clustering, a page to look at and send.

    One HTML file with the score and what it means, what to look at next, a map
    of the points, clusters, noise, the points of lowest score, other indices,
    and how several labelings compare. It needs no network.
    """
    path = out or (None if json else "report.html")
    source = Source(
        points, row_ids, columns, drop, header, sep, decimal, encoding, max_size, standardize
    )
    density = Density(min_points, metric, jobs, algorithm)
    asked = Asked(label_files(labels), label_column, noise_label, truth, truth_column)
    check_outputs([points, *asked.files, truth, embedding], [Output("report", path, PAGES)])
    density.check(source)
    names = chosen_indices(indices) if indices else None
    data = read_data(source, asked, density)
    from disco_cvi.report.facts import facts_of
    from disco_cvi.report.study import Request, make_study
    from disco_cvi.report.writing import write_page

    request = Request(
        title=title or Path(data.file.table.source).name,
        about=about,
        row_names=data.file.row_names,
        truth=None if data.truth is None else data.truth.labels,
        embedding=None if embedding is None else read_embedding(embedding, data, source),
        indices=names,
        date=None,
        metric_params=None,
        noise_label=-1,
        **density.options,
    )
    labelings = {name: labeling.labels for name, labeling in data.labelings.items()}
    study = make_study(density.tree_or_points(data.points), labelings, request, "write_report")
    facts = facts_of(study)
    # Before the page, which may find no place.
    if json:
        print_json(facts)
    else:
        say(f"DISCO score {facts['score']:z.3f}. {facts['verdict']}")
    if path is None:
        return
    write_page(study, facts, path)
    if json:
        note(f"wrote a report to {path}.")
    else:
        say(f"The report is {Path(path).resolve().as_uri()}")
    if opened:
        typer.launch(str(Path(path).resolve()))


def indices(
    *,
    references: Annotated[
        bool, given.option("--references", None, None, "also say where each is defined")
    ] = False,
    json: given.Json = False,
) -> None:
    """List the validity indices and what they promise.

    Which values are better, their range, which shapes of clusters they are made
    for, what they do with noise, whether the order of the rows matters, and how
    their time grows with n points and k clusters.
    """
    from disco_cvi.indices.registry import available_indices

    table = available_indices()
    if json:
        print_json(table_facts(table))
        return
    print(table)
    if references:
        print("", *(f"{info.title}: {info.reference}" for info in table), sep="\n")
