"""`disco score`: one labeling of one file of points."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from disco_cvi.cli.cluster import ClusterOptions, explain_on_cluster
from disco_cvi.cli.command import Command
from disco_cvi.cli.options import JsonOptions, option
from disco_cvi.cli.outputs import (
    PICTURES,
    Output,
    check_outputs,
    write_picture,
    write_rows,
)
from disco_cvi.cli.reading import Data, Labeling, read_data
from disco_cvi.cli.screen import note, print_json, say

if TYPE_CHECKING:
    from disco_cvi.results.explanation import Explanation

_DESCRIPTION = """\
Score a labeling of points: one number from -1 to 1, whether it rests on little,
a table of the clusters, and what to look at next; or one number for each of
several --min-points."""
_EPILOG = """\
examples:
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --drop id --standardize
  disco score table.csv --label-column cluster --id name --samples samples.csv
  disco score table.parquet --label-column kind --noise-label outlier
  disco score distances.npy --metric precomputed --labels labels.npy
  disco score points.csv --labels labels.csv --plot map.png
  disco score points.csv --labels labels.csv --min-points 10
  disco score 'points-*.parquet' --dask --label-column cluster
  cat points.csv | disco score --label-column -1 --json"""


@dataclass
class LabelingOptions(JsonOptions, ClusterOptions):
    """The options of commands that explain one labeling."""

    samples: Annotated[
        str | None,
        option(
            "--samples",
            metavar="OUT",
            help="also write one row per point, with its score and what made it, to a file: "
            ".csv, .tsv (each also .gz), .parquet; or .npy for the scores alone",
            rich_help_panel="output",
        ),
    ] = None
    plot: Annotated[
        str | None,
        option(
            "--plot",
            metavar="OUT",
            help="also draw a map of the points, colored by their scores (of a matrix of "
            "distances: bars of the scores by cluster): .png, .svg or .pdf",
            rich_help_panel="output",
        ),
    ] = None


class Answer(NamedTuple):
    """An explanation, and what else is told to programs."""

    explanation: Explanation
    more: dict[str, Any]


def run(options: LabelingOptions) -> None:
    """Score and print."""
    answer = explained(options)
    try:
        if options.json:
            print_json(answer.explanation.to_dict(points=False) | answer.more)
        else:
            hint = "For the score of every point add --samples samples.csv."
            end = "" if options.samples else f"\n\n{hint}"
            say(f"{answer.explanation}{end}")
    finally:  # also if whoever read the answer has gone
        write_outputs(answer.explanation, options)


def explained(options: LabelingOptions) -> Answer:
    """Read what the options name, and explain its score."""
    if options.is_on_cluster:
        _check(options)
        explanation, labeling = explain_on_cluster(options)
        return Answer(explanation, _more(labeling, options))
    data, labeling = _read(options)
    from disco_cvi.results.explanation import explain

    points = options.tree_or_points(data.points, options.n_jobs)
    explanation = explain(
        points, labeling.labels, row_names=data.file.row_names, **_density(options)
    )
    return Answer(explanation, _more(labeling, options))


def _read(options: LabelingOptions) -> tuple[Data, Labeling]:
    _check(options)
    data = read_data(options)
    (labeling,) = data.labelings.values()
    return data, labeling


def _check(options: LabelingOptions) -> None:
    outputs = [Output("--samples", options.samples), Output("--plot", options.plot, PICTURES)]
    check_outputs(options, [options.points, options.labels], outputs)
    options.check_metric(is_standardized=options.standardize)
    if options.is_on_cluster and options.algorithm != "exact":
        options.fail("--dask makes exact trees only, without --algorithm approximate")


def _density(options: LabelingOptions) -> dict[str, Any]:
    names = ("min_points", "metric", "metric_params", "n_jobs")
    return {name: getattr(options, name) for name in names}


def _more(labeling: Labeling, options: LabelingOptions) -> dict[str, Any]:
    more = {"noise_label": labeling.noise_label, "standardized": options.standardize}
    return more | {"algorithm": options.algorithm}


def write_outputs(explanation: Explanation, options: LabelingOptions) -> None:
    """Write the files that were asked for."""
    points = explanation.points
    if options.samples is not None:
        columns = {field.name: getattr(points, field.name) for field in fields(points)}
        write_rows(options.samples, columns, options, explanation.row_names)
        note(f"wrote {len(points.score):,} rows to {options.samples}.")
    if options.plot is not None:
        write_picture(options.plot, "map", explanation.plot)


COMMAND = Command(run, LabelingOptions, "[POINTS] --labels FILE [options]", _DESCRIPTION, _EPILOG)
