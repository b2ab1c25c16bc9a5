"""`disco report`: a clustering as one page to look at, keep and send."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from disco_cvi.cli.command import Command
from disco_cvi.cli.data_options import AlgorithmOptions, LabelingsOptions
from disco_cvi.cli.options import JobsOptions, JsonOptions, complete_index, option
from disco_cvi.cli.outputs import PAGES, Output, check_outputs
from disco_cvi.cli.reading import Data, chosen_indices, read_data
from disco_cvi.cli.screen import note, print_json, say
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DESCRIPTION = """\
Write a report on a clustering: one HTML file with the score and what it means,
what to look at next, a map of the points, clusters, noise, the points of lowest
score, other indices, and how several labelings compare. It needs no network."""
_EPILOG = """\
With --json the facts of the report are printed, and the page is written only if
-o names it.

examples:
  disco report points.csv --labels labels.csv -o report.html --open
  disco report table.csv --label-column dbscan kmeans --id name
  disco report points.csv --labels a.csv b.csv --truth true.csv --title "Wells"
  disco report embeddings.npy --labels labels.npy --embedding umap.csv
  disco report large.npy --labels a.npy --algorithm approximate --embedding umap.csv
  disco report points.csv --labels labels.csv --json"""


@dataclass
class ReportOptions(JobsOptions, JsonOptions, AlgorithmOptions, LabelingsOptions):
    """The options of `disco report`."""

    out: Annotated[
        str | None,
        option(
            "-o",
            "--out",
            metavar="OUT",
            help="the page to write: .html (default: report.html)",
            rich_help_panel="output",
        ),
    ] = None
    title: Annotated[
        str | None,
        option(
            "--title",
            metavar="TEXT",
            help="what the page is about (default: the name of the file of points)",
            rich_help_panel="output",
        ),
    ] = None
    about: Annotated[
        str | None,
        option(
            "--about",
            metavar="NAME",
            help="of several labelings, the one that is shown in full (default: the best)",
            rich_help_panel="output",
        ),
    ] = None
    embedding: Annotated[
        str | None,
        option(
            "--embedding",
            metavar="FILE",
            help="file of two columns, where the points stand in the map (default: their two "
            "features, or the first two principal components; no map with --algorithm "
            "approximate)",
            rich_help_panel="output",
        ),
    ] = None
    indices: Annotated[
        list[str],
        option(
            "--indices",
            metavar="NAME ...",
            autocompletion=complete_index,
            help="names of indices, see 'disco indices' (default: all, slow ones only where "
            "they take seconds)",
            rich_help_panel="output",
        ),
    ] = field(default_factory=list)
    opened: Annotated[
        bool, option("--open", help="show the page in a browser", rich_help_panel="output")
    ] = False

    def shell_name(self, argument: str | None) -> str:
        """Return what the shell calls an argument of a Python function."""
        return (
            f"--{argument}" if argument in ("about", "embedding") else super().shell_name(argument)
        )


def run(options: ReportOptions) -> None:
    """Write the page, or print its facts."""
    path = options.out or (None if options.json else "report.html")
    sources = [options.points, *options.label_files, options.truth, options.embedding]
    check_outputs(options, sources, [Output("report", path, PAGES)])
    options.check_metric(is_standardized=options.standardize)
    indices = chosen_indices(options.indices, options) if options.indices else None
    data = read_data(options)
    embedding = None if options.embedding is None else _embedding(options, data)
    from disco_cvi.report.facts import facts_of
    from disco_cvi.report.study import Request, make_study
    from disco_cvi.report.writing import write_page

    request = Request(
        title=options.title or Path(data.file.source).name,
        about=options.about,
        row_names=data.file.row_names,
        truth=None if data.truth is None else data.truth.labels,
        embedding=embedding,
        indices=indices,
        date=None,
        min_points=options.min_points,
        metric=options.metric,
        metric_params=options.metric_params,
        noise_label=-1,
        n_jobs=options.n_jobs,
    )
    labelings = {name: labeling.labels for name, labeling in data.labelings.items()}
    points = options.tree_or_points(data.points, options.n_jobs)
    study = make_study(points, labelings, request, "write_report")
    facts = facts_of(study)
    # Before the page, which may find no place.
    if options.json:
        print_json(facts)
    else:
        say(f"DISCO score {facts['score']:z.3f}. {facts['verdict']}")
    if path is not None:
        write_page(study, facts, path)
        _show(path, options)


def _show(path: str, options: ReportOptions) -> None:
    if options.json:
        note(f"wrote a report to {path}.")
    else:
        say(f"The report is {Path(path).resolve().as_uri()}")
    if options.opened:
        import typer

        typer.launch(str(Path(path).resolve()))


def _embedding(options: ReportOptions, data: Data) -> NDArray[np.float64]:
    from disco_cvi.cli.tables import read_embedding

    path = str(options.embedding)
    read = read_embedding(path, data.file, options.read_options())
    if read.shape != (len(data.points), 2):
        rows, columns = read.shape
        raise InvalidInputError(
            f"--embedding must hold two columns and one row per point ({len(data.points):,}); "
            f"{path} holds {columns:,} columns and {rows:,} rows."
        )
    return read


COMMAND = Command(
    run, ReportOptions, "POINTS --labels FILE [FILE ...] [options]", _DESCRIPTION, _EPILOG
)
