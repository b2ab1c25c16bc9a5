"""`--dask`: points in Parquet or NPY files, scored by many processes or machines."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from disco_cvi._output.words import count
from disco_cvi.cli.data import Asked, Density, Labeling, Source, noise_label, note_noise
from disco_cvi.cli.output import CannotScoreError, fail, note

if TYPE_CHECKING:
    from disco_cvi.distributed.files import Column, Files
    from disco_cvi.results.explanation import Explanation

_ANSWER = 10  # seconds that a scheduler may take to answer
# What cannot be had when nobody reads all points at once, or is for text files.
_NOT_HERE = ("row_ids", "standardize", "header", "separator", "decimal", "encoding")
_NAMES = {"row_ids": "--id", "separator": "--sep"}


class Cluster(NamedTuple):
    """Where the work is done, and in how many blocks."""

    scheduler: str | None
    blocks: int | None


def explain_on_cluster(
    source: Source, asked: Asked, density: Density, cluster: Cluster
) -> tuple[Explanation, Labeling]:
    """Explain the score of a labeling of files that workers read."""
    if source.path in (None, "-"):
        fail("no points: --dask reads files, such as 'points-*.parquet'")
    if not asked.places:
        fail("no labels: give --labels FILE or --label-column NAME")
    for field in _NOT_HERE:
        if getattr(source, field):
            name = _NAMES.get(field, f"--{field}")
            fail(f"{name} cannot be used with --dask; prepare the files beforehand")
    if density.algorithm != "exact":
        fail("--dask makes exact trees only, without --algorithm approximate")
    from disco_cvi.distributed.dask_runner import import_dask
    from disco_cvi.distributed.files import open_files

    distributed = import_dask("--dask")
    files = open_files(str(source.path), "disco")
    own = [] if asked.files else [_find(str(asked.places[0].column), files)]
    features = _features(source, files, own)
    rows = count(sum(piece.n_rows for piece in files.pieces), "row")
    n_files = count(len({piece.path for piece in files.pieces}), "file")
    shown = ", ".join(name if isinstance(name, str) else str(name + 1) for name in features[:8])
    more = f", ... ({len(features)} in all)" if len(features) > 8 else ""
    note(f"{rows} in {n_files}; features: {shown}{more}.")
    with _open_client(distributed, cluster.scheduler, density.jobs) as client:
        labeling = _read_labels(asked, files, own, client)
        note_noise(asked.noise_label, [labeling.checked])
        from disco_cvi.distributed import explain

        explanation = explain(
            source.path,
            labeling.labels,
            min_points=density.min_points,
            metric=density.metric,
            columns=features,
            n_blocks=cluster.blocks,
            client=client,
        )
    return explanation, labeling


def _find(column: str, files: Files) -> Column:
    """Return a column by its name, or by its number: 1 is the first, -1 the last."""
    from disco_cvi.distributed.files import check_column

    if column in files.columns:
        return column
    number = int(column) if column.removeprefix("-").isdecimal() else 0
    if 1 <= abs(number) <= len(files.columns):
        return files.columns[number - 1 if number > 0 else number]
    shown = [name if isinstance(name, str) else name + 1 for name in files.columns]
    check_column(column, shown, files.pieces[0].path, "a column", "disco")
    return column


def _features(source: Source, files: Files, labels: Sequence[Column]) -> list[Column]:
    left_out = [*labels, *(_find(column, files) for column in source.drop or ())]
    asked = [_find(column, files) for column in source.columns or ()]
    for column in asked:
        if column in left_out:
            fail(f"{column} cannot be a feature (--columns) and labels or left out as well")
    features = asked or [column for column in files.columns if column not in left_out]
    if not features:
        raise CannotScoreError(f"{files.pieces[0].path} holds no column besides those left out.")
    return features


def _read_labels(asked: Asked, files: Files, own: Sequence[Column], client: Any) -> Labeling:
    from disco_cvi._input.labels import check_labels
    from disco_cvi.distributed.dask_runner import DaskRunner
    from disco_cvi.distributed.files import open_files
    from disco_cvi.distributed.sources import labels_of_files

    (place,) = asked.places
    if place.path is not None:
        files = open_files(place.path, "disco", "labels")
        own = [] if place.column is None else [_find(place.column, files)]
    with DaskRunner(client, "disco") as runner:
        given = labels_of_files(files, own[0] if own else None, runner, "disco")
    noise = noise_label(asked.noise_label, given)
    checked = check_labels(given, len(given), noise, "disco", argument=place.shown)
    return Labeling(given, checked, noise)


@contextmanager
def _open_client(distributed: Any, scheduler: str | None, jobs: int | None) -> Iterator[Any]:
    """Open the cluster, or one of this machine; what goes wrong there is told by us."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if scheduler is not None:
        try:
            client = distributed.Client(scheduler, timeout=_ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            message = f"--scheduler {scheduler}: no Dask scheduler answers there ({error})."
            raise CannotScoreError(message) from error
        with client:
            yield client
        return
    with (
        distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client
