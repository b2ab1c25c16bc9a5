"""`--dask`: points in Parquet or NPY files, scored by many processes or machines."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from disco_cvi._output.words import count
from disco_cvi.cli.command import CannotScoreError
from disco_cvi.cli.data_options import AlgorithmOptions, LabelsOptions
from disco_cvi.cli.options import JobsOptions, option, whole_number
from disco_cvi.cli.reading import Labeling, noise_label, note_noise
from disco_cvi.cli.screen import note

if TYPE_CHECKING:
    from disco_cvi.distributed.files import Column, Files
    from disco_cvi.results.explanation import Explanation

_ANSWER = 10  # seconds that a scheduler may take to answer
# What cannot be had when nobody reads all points at once, or is for text files.
_NOT_HERE = {
    "row_ids": "--id",
    "standardize": "--standardize",
    "header": "--header",
    "sep": "--sep",
    "decimal": "--decimal",
    "encoding": "--encoding",
    "metric_params": "--metric-params",
}


@dataclass
class ClusterOptions(JobsOptions, AlgorithmOptions, LabelsOptions):
    """Points and labels that may lie on a cluster of machines."""

    dask: Annotated[
        bool,
        option(
            "--dask",
            help="read POINTS part by part in processes of this machine (--jobs says how many) or "
            "of a cluster: files of many points, .parquet or .npy; the name of a folder, or a "
            "pattern in quotes, names several. The scores are the same",
            rich_help_panel="cluster",
        ),
    ] = False
    scheduler: Annotated[
        str | None,
        option(
            "--scheduler",
            metavar="ADDRESS",
            help="the cluster: address of its Dask scheduler, such as tcp://10.0.0.1:8786; all its "
            "workers must see the files (default: this machine)",
            rich_help_panel="cluster",
        ),
    ] = None
    blocks: Annotated[
        int | None,
        option(
            "--blocks",
            metavar="N",
            parser=whole_number,
            help="into how many blocks the points are cut; more need less memory (default: chosen "
            "by the memory of the workers)",
            rich_help_panel="cluster",
        ),
    ] = None

    @property
    def is_on_cluster(self) -> bool:
        """Whether Dask does the work."""
        return self.dask or self.scheduler is not None


def explain_on_cluster(options: ClusterOptions) -> tuple[Explanation, Labeling]:
    """Explain the score of a labeling of files that workers read."""
    _check(options)
    from disco_cvi.distributed.dask_runner import import_dask
    from disco_cvi.distributed.files import open_files

    distributed = import_dask("--dask")
    files = open_files(options.path, "disco")
    label_column = None
    if options.label_column is not None and options.labels is None:
        label_column = _find(options.label_column, files)
    features = _features(options, files, label_column)
    note(_what_is_read(files, features))
    with _open_client(options, distributed) as client:
        labeling = _read_labels(options, files, label_column, client)
        note_noise(options.noise_label, [labeling.checked])
        from disco_cvi.distributed import explain

        explanation = explain(
            options.path,
            labeling.labels,
            min_points=options.min_points,
            metric=options.metric,
            columns=features,
            n_blocks=options.blocks,
            client=client,
        )
    return explanation, labeling


def _check(options: ClusterOptions) -> None:
    """Find out before the work whether all options can be had together."""
    if options.points in (None, "-"):
        options.fail("no points: --dask reads files, such as 'points-*.parquet'")
    if options.labels is None and options.label_column is None:
        options.fail("no labels: give --labels FILE or --label-column NAME")
    for field, name in _NOT_HERE.items():
        if getattr(options, field) not in (None, False):
            options.fail(f"{name} cannot be used with --dask; prepare the files beforehand")


def _find(column: str, files: Files) -> Column:
    """Return a column by its name, or by its number: 1 is the first, -1 the last."""
    from disco_cvi.distributed.files import check_column

    if column in files.columns:
        return column
    digits = column.removeprefix("-")
    number = int(column) if digits.isdecimal() else 0
    if 1 <= abs(number) <= len(files.columns):
        return files.columns[number - 1 if number > 0 else number]
    shown = [name if isinstance(name, str) else name + 1 for name in files.columns]
    check_column(column, shown, files.pieces[0].path, "a column", "disco")
    return column


def _features(options: ClusterOptions, files: Files, labels: Column | None) -> list[Column]:
    left_out = [labels, *(_find(column, files) for column in options.drop)]
    asked = [_find(column, files) for column in options.columns]
    for column in asked:
        if column in left_out:
            options.fail(f"{column} cannot be a feature (--columns) and labels or left out as well")
    features = asked or [column for column in files.columns if column not in left_out]
    if not features:
        raise CannotScoreError(f"{files.pieces[0].path} holds no column besides those left out.")
    return features


def _what_is_read(files: Files, features: Sequence[Column]) -> str:
    rows = sum(piece.n_rows for piece in files.pieces)
    n_files = len({piece.path for piece in files.pieces})
    shown = ", ".join(name if isinstance(name, str) else str(name + 1) for name in features[:8])
    more = f", ... ({len(features)} in all)" if len(features) > 8 else ""
    return f"{count(rows, 'row')} in {count(n_files, 'file')}; features: {shown}{more}."


def _read_labels(
    options: ClusterOptions, files: Files, column: Column | None, client: Any
) -> Labeling:
    from disco_cvi._input.labels import check_labels
    from disco_cvi.distributed.dask_runner import DaskRunner
    from disco_cvi.distributed.files import open_files
    from disco_cvi.distributed.sources import labels_of_files

    shown = f"labels of --label-column {options.label_column}"
    if options.labels is not None:
        files = open_files(options.labels, "disco", "labels")
        shown = f"labels of {options.labels}"
        if options.label_column is not None:
            column = _find(options.label_column, files)
    with DaskRunner(client, "disco") as runner:
        given = labels_of_files(files, column, runner, "disco")
    noise = noise_label(options.noise_label, given)
    return Labeling(given, check_labels(given, len(given), noise, "disco", argument=shown), noise)


@contextmanager
def _open_client(options: ClusterOptions, distributed: Any) -> Iterator[Any]:
    """Open the cluster, or one of this machine; what goes wrong there is told by us."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if options.scheduler is not None:
        try:
            client = distributed.Client(options.scheduler, timeout=_ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            message = f"--scheduler {options.scheduler}: no Dask scheduler answers there ({error})."
            raise CannotScoreError(message) from error
        with client:
            yield client
        return
    with (
        distributed.LocalCluster(
            n_workers=options.jobs,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client
