"""`disco score`: one labeling of one file of points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from disco_cvi.cli.data_options import (
    add_data_options,
    add_density_options,
    add_jobs_option,
    noise_hint,
    read_data,
)
from disco_cvi.cli.parser import Parser, note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import argparse

    from disco_cvi.results.explanation import Explanation

NAME = "score"
SUMMARY = "score a labeling of points from files"
DESCRIPTION = """\
Score a labeling of points: one number from -1 to 1, whether it rests on little,
a table of the clusters, and what to look at next."""
EPILOG = """\
examples:
  disco score points.csv --labels labels.csv
  disco score table.csv --label-column cluster --drop id --standardize
  disco score table.parquet --label-column kind --noise-label outlier
  disco score distances.npy --metric precomputed --labels labels.npy
  cat points.csv | disco score --label-column -1 --json"""


def add_options(parser: Parser) -> None:
    """Add the options of `disco score`."""
    add_data_options(parser)
    add_density_options(parser)
    output = parser.add_argument_group("output")
    output.add_argument(
        "--samples",
        metavar="OUT",
        help="also write one row per point, with its score and what made it, to a file: .csv, .tsv "
        "(each also .gz), .parquet; or .npy for the scores alone",
    )
    output.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    add_jobs_option(parser)


def run(options: argparse.Namespace) -> None:
    """Score and print."""
    _check_samples(options)
    data = read_data(options)
    from disco_cvi.results.explanation import explain

    explanation = explain(
        data.points,
        data.labels,
        min_points=options.min_points,
        metric=options.metric,
        metric_params=options.metric_params,
        noise_label=data.noise_label,
        n_jobs=options.jobs,
    )
    names = [cluster.name for cluster in explanation.clusters]
    if hint := noise_hint(options, names, explanation.noise.size):
        note(hint)
    if options.samples is not None:
        _write_samples(options.samples, explanation)
    if options.json:
        print(_as_json(explanation, data.noise_label, options))
    else:
        print(explanation)
        if options.samples is None:
            print("\nFor the score of every point add --samples samples.csv.")


def _check_samples(options: argparse.Namespace) -> None:
    """Find out before the work whether its result could be written."""
    if options.samples is None:
        return
    from disco_cvi._output.files import check_not_read, check_output

    try:
        check_output(options.samples)
        check_not_read(options.samples, options.points, options.labels)
    except InvalidInputError as error:
        options.parser.error(str(error))


def _as_json(explanation: Explanation, noise_label: Any, options: argparse.Namespace) -> str:
    facts = explanation.to_dict(points=False)
    facts["noise_label"] = noise_label
    facts["standardized"] = options.standardize
    return json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False)


def _write_samples(path: str, explanation: Explanation) -> None:
    from dataclasses import fields

    from disco_cvi._output.files import write_columns

    points = explanation.points
    write_columns(path, {field.name: getattr(points, field.name) for field in fields(points)})
    note(f"wrote {len(points.score):,} rows to {path}.")
