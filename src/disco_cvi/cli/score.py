"""`disco score`: one labeling of one file of points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from disco_cvi.cli.command import Command
from disco_cvi.cli.data_options import DensityOptions, LabelsOptions
from disco_cvi.cli.options import JobsOptions, JsonOptions, option
from disco_cvi.cli.reading import read_data
from disco_cvi.cli.screen import note, print_json
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.results.explanation import Explanation

_DESCRIPTION = """\
Score a labeling of points: one number from -1 to 1, whether it rests on little,
a table of the clusters, and what to look at next."""
_EPILOG = """\
examples:
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --drop id --standardize
  disco score table.parquet --label-column kind --noise-label outlier
  disco score distances.npy --metric precomputed --labels labels.npy
  cat points.csv | disco score --label-column -1 --json"""


@dataclass
class ScoreOptions(JobsOptions, JsonOptions, DensityOptions, LabelsOptions):
    """The options of `disco score`."""

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


def run(options: ScoreOptions) -> None:
    """Score and print."""
    _check_samples(options)
    options.check_metric(is_standardized=options.standardize)
    data = read_data(options)
    (labeling,) = data.labelings.values()
    from disco_cvi.results.explanation import explain

    explanation = explain(
        data.points,
        labeling.labels,
        min_points=options.min_points,
        metric=options.metric,
        metric_params=options.metric_params,
        row_names=data.file.row_names,
        n_jobs=options.n_jobs,
    )
    if options.json:
        facts = explanation.to_dict(points=False)
        print_json(
            facts | {"noise_label": labeling.noise_label, "standardized": options.standardize}
        )
    else:
        print(explanation)
        if options.samples is None:
            print("\nFor the score of every point add --samples samples.csv.")
    if options.samples is not None:
        _write_samples(options.samples, explanation, options.row_ids)


def _check_samples(options: ScoreOptions) -> None:
    """Find out before the work whether its result could be written."""
    if options.samples is None:
        return
    from disco_cvi._output.files import check_not_read, check_output

    try:
        check_output(options.samples)
        check_not_read(options.samples, options.points, options.labels)
    except InvalidInputError as error:
        options.fail(str(error))


def _write_samples(path: str, explanation: Explanation, row_ids: str | None) -> None:
    from dataclasses import fields

    import numpy as np

    from disco_cvi._output.files import write_columns

    points = explanation.points
    columns = {field.name: getattr(points, field.name) for field in fields(points)}
    if row_ids is not None and not path.lower().endswith(".npy"):  # which holds the scores alone
        name = "id" if row_ids.lstrip("-").isdecimal() or row_ids in columns else row_ids
        columns = {name: np.array(explanation.row_names)} | columns
    write_columns(path, columns)
    note(f"wrote {len(points.score):,} rows to {path}.")


COMMAND = Command(run, ScoreOptions, "[POINTS] --labels FILE [options]", _DESCRIPTION, _EPILOG)
