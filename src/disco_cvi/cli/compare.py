"""`disco compare`: many labelings of one file of points, by many indices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from disco_cvi.cli.command import Command
from disco_cvi.cli.data_options import AlgorithmOptions, LabelingsOptions
from disco_cvi.cli.options import JobsOptions, JsonOptions, complete_index, option
from disco_cvi.cli.reading import chosen_indices, read_data
from disco_cvi.cli.screen import print_json, say

_DESCRIPTION = """\
Compare labelings of the same points: a table of labelings by indices, the best
of each index marked. To choose one of them, go by the pair score."""
_EPILOG = """\
ARI and AMI, with --truth: 1 is full agreement, 0 what chance gives. Each point
that a labeling calls noise counts as a class of its own; the noise of the truth
is one class.

The indices have their own defaults of --min-points and --metric; --min-points is
that of each index but DCSI.

examples:
  disco compare points.csv --labels dbscan.csv kmeans.csv --indices all
  disco compare table.csv --label-column dbscan kmeans
  disco compare points.csv --labels labels.csv --label-column a b
  disco compare points.npy --labels a.npy b.npy --truth true.npy --json
  disco compare points.csv --labels a.csv b.csv --metric manhattan --min-points 10"""


@dataclass
class CompareOptions(JobsOptions, JsonOptions, AlgorithmOptions, LabelingsOptions):
    """The options of `disco compare`."""

    indices: Annotated[
        list[str],
        option(
            "--indices",
            metavar="NAME ...",
            autocompletion=complete_index,
            help="names of indices, see 'disco indices' (default: all)",
            rich_help_panel="output",
        ),
    ] = field(default_factory=list)


def run(options: CompareOptions) -> None:
    """Compare and print."""
    if options.points is None:
        options.fail("no points: name their file first, before --labels; - is the standard input")
    options.check_metric(is_standardized=options.standardize)
    names = chosen_indices(options.indices, options)
    data = read_data(options)
    from disco_cvi.results.comparison import compare

    comparison = compare(
        options.tree_or_points(data.points, options.n_jobs),
        {name: labeling.labels for name, labeling in data.labelings.items()},
        names,
        metric=options.metric,
        metric_params=options.metric_params,
        min_points=options.min_points,
        truth=None if data.truth is None else data.truth.labels,
        n_jobs=options.n_jobs,
    )
    if options.json:
        print_json(comparison.to_dict() | {"algorithm": options.algorithm})
    else:
        say(comparison)


COMMAND = Command(
    run, CompareOptions, "POINTS --labels FILE [FILE ...] [options]", _DESCRIPTION, _EPILOG
)
