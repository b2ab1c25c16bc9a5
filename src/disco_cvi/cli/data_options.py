"""Options that name points and labels, for every command that scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from disco_cvi._output.words import did_you_mean
from disco_cvi.cli.options import (
    Options,
    argument,
    byte_size,
    complete_metric,
    json_object,
    one_of,
    option,
    whole_number,
)
from disco_cvi.cli.screen import note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from disco_cvi.cli.tables import ReadOptions

# What the shell calls the arguments of the Python functions behind the commands.
_SHELL_NAMES = {
    "X": "POINTS",
    "client": "--scheduler",
    "columns": "--columns",
    "labels": "--labels",
    "metric": "--metric",
    "metric_params": "--metric-params",
    "min_points": "--min-points",
    "n_blocks": "--blocks",
    "n_jobs": "--jobs",
    "noise_label": "--noise-label",
    "out": "--out",
}
_LABEL_COLUMN = (
    "column of POINTS that holds labels (with --labels: column of that file), by name or by "
    "number; 1 is the first, -1 the last"
)


@dataclass
class PointsOptions(Options):
    """Where points are, and how to read them."""

    points: Annotated[
        str | None,
        argument(
            metavar="POINTS",
            help="file of points, one per row: .csv, .tsv, .txt, .jsonl (each also .gz), .npy, "
            ".parquet or .arrow; -: the standard input",
        ),
    ] = None
    row_ids: Annotated[
        str | None,
        option(
            "--id",
            metavar="NAME",
            help="column of POINTS that names the rows: no feature; files of labels that have it "
            "too are joined by it, and points are called by it",
            rich_help_panel="reading",
        ),
    ] = None
    columns: Annotated[
        list[str],
        option(
            "--columns",
            metavar="NAME ...",
            help="columns of POINTS that are features, by name or number (default: all others)",
            rich_help_panel="reading",
        ),
    ] = field(default_factory=list)
    drop: Annotated[
        list[str],
        option(
            "--drop",
            metavar="NAME ...",
            help="columns of POINTS to leave out, by name or number",
            rich_help_panel="reading",
        ),
    ] = field(default_factory=list)
    header: Annotated[
        str | None,
        option(
            "--header",
            metavar="yes|no",
            **one_of("yes", "no"),
            help="whether text files begin with column names (default: found by looking)",
            rich_help_panel="reading",
        ),
    ] = None
    sep: Annotated[
        str | None,
        option(
            "--sep",
            metavar="CHAR",
            help="what stands between values: a character, 'tab' or 'space' (default: found by "
            "looking)",
            rich_help_panel="reading",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        option(
            "--decimal",
            metavar=".|,",
            help="what stands before the fraction of a number (default: found by looking)",
            rich_help_panel="reading",
        ),
    ] = None
    encoding: Annotated[
        str | None,
        option(
            "--encoding",
            metavar="NAME",
            help="how text files write letters, such as latin-1 (default: utf-8 or utf-16)",
            rich_help_panel="reading",
        ),
    ] = None
    max_size: Annotated[
        int | None,
        option(
            "--max-size",
            metavar="SIZE",
            parser=byte_size,
            help="how much is read of a file, or unpacked, at most, such as 500M or 20G (default: "
            "2G)",
            rich_help_panel="reading",
        ),
    ] = None
    standardize: Annotated[
        bool,
        option(
            "--standardize",
            help="bring each feature to mean 0 and standard deviation 1 first. DISCO depends on "
            "the scale of the features: one in grams outweighs one in kilograms. Use this when "
            "the features have different units. A constant feature becomes 0",
            rich_help_panel="reading",
        ),
    ] = False

    @property
    def path(self) -> str:
        """Where the points are; "-" is the standard input."""
        return "-" if self.points is None else self.points

    def read_options(self) -> ReadOptions:
        """Return what is said about how to read files."""
        from disco_cvi.cli.tables import ReadOptions

        try:
            return ReadOptions(
                **({} if self.max_size is None else {"most_bytes": self.max_size}),
                header=None if self.header is None else self.header == "yes",
                separator=self.sep,
                decimal=self.decimal,
                encoding=self.encoding,
                columns=tuple(self.columns),
                drop=tuple(self.drop),
                id_column=self.row_ids,
            )
        except InvalidInputError as error:
            self.fail(str(error))

    def shell_name(self, argument: str | None) -> str:
        """Return what the shell calls an argument of a Python function."""
        return _SHELL_NAMES.get(str(argument), str(argument))


NoiseLabel = Annotated[
    str | None,
    option(
        "--noise-label",
        metavar="VALUE",
        help="the label of noise points, as it stands in the file (default: -1); 'none' if there "
        "is no noise",
        rich_help_panel="labels",
    ),
]


@dataclass
class LabelsOptions(PointsOptions):
    """Points and one labeling of them."""

    labels: Annotated[
        str | None,
        option(
            "--labels",
            metavar="FILE",
            help="file of labels, one per point; the same formats",
            rich_help_panel="labels",
        ),
    ] = None
    label_column: Annotated[
        str | None,
        option("--label-column", metavar="NAME", help=_LABEL_COLUMN, rich_help_panel="labels"),
    ] = None
    noise_label: NoiseLabel = None

    @property
    def label_files(self) -> list[str]:
        """The files of labels."""
        return [] if self.labels is None else [self.labels]

    @property
    def label_columns(self) -> list[str]:
        """The columns of labels."""
        return [] if self.label_column is None else [self.label_column]


@dataclass
class LabelingsOptions(PointsOptions):
    """Points, several labelings of them, and perhaps the true one."""

    labels: Annotated[
        list[str],
        option(
            "--labels",
            metavar="FILE ...",
            help="files of labels, one label per point, in the same formats, or folders of such "
            "files; each is a labeling that is named after its file",
            rich_help_panel="labels",
        ),
    ] = field(default_factory=list)
    label_column: Annotated[
        list[str],
        option("--label-column", metavar="NAME ...", help=_LABEL_COLUMN, rich_help_panel="labels"),
    ] = field(default_factory=list)
    noise_label: NoiseLabel = None
    truth: Annotated[
        str | None,
        option(
            "--truth",
            metavar="FILE",
            help="file of true labels: adds ARI and AMI with them",
            rich_help_panel="labels",
        ),
    ] = None
    truth_column: Annotated[
        str | None,
        option(
            "--truth-column",
            metavar="NAME",
            help="column of POINTS that holds the true labels (with --truth: column of that file)",
            rich_help_panel="labels",
        ),
    ] = None

    @property
    def label_files(self) -> list[str]:
        """The files of labels, each once; of a folder all that are in it."""
        files = [file for path in self.labels for file in _files_of(path)]
        if self.labels and not files:
            self.fail(f"no labels: there are no files in {', '.join(self.labels)}")
        return list(dict.fromkeys(files))

    @property
    def label_columns(self) -> list[str]:
        """The columns of labels, each once."""
        return list(dict.fromkeys(self.label_column))


def _files_of(path: str) -> list[str]:
    if not Path(path).is_dir():
        return [path]
    inside = sorted(Path(path).iterdir())
    return [str(file) for file in inside if file.is_file() and not file.name.startswith(".")]


@dataclass
class DensityOptions(Options):
    """What near and what dense means."""

    min_points: Annotated[
        int | None,
        option(
            "--min-points",
            metavar="N",
            parser=whole_number,
            help="points that make a place dense, the point itself counted (default: 5)",
            rich_help_panel="density",
        ),
    ] = None
    metric: Annotated[
        str | None,
        option(
            "--metric",
            metavar="NAME",
            autocompletion=complete_metric,
            help="distance between points: euclidean, sqeuclidean, cosine, any name that "
            "scikit-learn knows (manhattan, ...), or precomputed: POINTS is a square matrix of "
            "distances, or one per pair of points (default: euclidean)",
            rich_help_panel="density",
        ),
    ] = None
    metric_params: Annotated[
        dict[str, Any] | None,
        option(
            "--metric-params",
            metavar="JSON",
            parser=json_object,
            help="parameters of the metric as a JSON object, such as '{\"p\": 3}' for minkowski",
            rich_help_panel="density",
        ),
    ] = None

    def check_metric(self, *, is_standardized: bool) -> None:
        """Find out before the work whether there is such a metric, and whether it takes these."""
        from disco_cvi._input.metric import METRIC_NAMES, check_metric

        metric = self.metric or "euclidean"
        if metric not in METRIC_NAMES:
            question = did_you_mean(metric, METRIC_NAMES)
            self.fail(
                f"--metric must be one of {', '.join(METRIC_NAMES)}; got {metric!r}. {question}"
            )
        try:
            check_metric(metric, self.metric_params, "disco")
        except InvalidInputError as wrong:
            self.fail(wrong.worded(_SHELL_NAMES.get(str(wrong.argument), str(wrong.argument))))
        if is_standardized and metric == "precomputed":
            self.fail("--standardize is for features, and a precomputed matrix holds distances")

    def approximate_tree(self, points: Any, n_jobs: int) -> Any:
        """Return an approximate tree, to be used in place of the points, and say so."""
        from disco_cvi.density_tree import DensityTree

        note("the density tree is approximate, and so are the scores.")
        return DensityTree(
            points,
            min_points=5 if self.min_points is None else self.min_points,
            metric=self.metric or "euclidean",
            metric_params=self.metric_params,
            n_jobs=n_jobs,
            algorithm="approximate",
        )


@dataclass
class AlgorithmOptions(DensityOptions):
    """How the density tree is found."""

    algorithm: Annotated[
        str,
        option(
            "--algorithm",
            metavar="NAME",
            **one_of("exact", "approximate"),
            help="how the density tree is found: exact, or approximate for many points of many "
            "features; then only indices that need no more than the tree have a value (default: "
            "exact)",
            rich_help_panel="density",
        ),
    ] = "exact"

    def tree_or_points(self, points: Any, n_jobs: int) -> Any:
        """Return the points, or an approximate tree in their place."""
        if self.algorithm == "exact":
            return points
        return self.approximate_tree(points, n_jobs)
