"""From options to points and labelings, with notes on what was guessed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from disco_cvi.cli.data_options import LabelingsOptions, LabelsOptions, PointsOptions
from disco_cvi.cli.options import Options
from disco_cvi.cli.screen import note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from disco_cvi._input.labels import Labels
    from disco_cvi.cli.tables import LabelsFile, PointsFile

_NO_NOISE = "none"
_DEFAULT_NOISE = "-1"
_NO_COLUMN: list[str | None] = [None]


class Labeling(NamedTuple):
    """Labels as they stand in a file, as trusted codes with names, and which of them is noise."""

    given: NDArray[Any]
    checked: Labels
    noise_label: int | str | bool | None

    @property
    def labels(self) -> ArrayLike:
        """The labels as Python functions take them; each file has its own type, and its noise."""
        return cast("ArrayLike", self.checked)


class Data(NamedTuple):
    """Points, their file, and labelings by name."""

    points: NDArray[np.float64]
    file: PointsFile
    labelings: dict[str, Labeling]
    truth: Labeling | None = None


class Place(NamedTuple):
    """Where a labeling stands: its name, file and column, and the option that chooses that.

    A column of POINTS has no file of its own.
    """

    name: str
    path: str | None
    column: str | None
    option: str = "--label-column"

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"labels of {self.path if self.column is None else f'{self.option} {self.column}'}"


def read_data(options: LabelsOptions | LabelingsOptions) -> Data:
    """Read what the options name, and note on the error stream what was guessed."""
    from disco_cvi.cli import tables

    places, truth = _places(options), _truth_place(options)
    _check(options, [*places, *([] if truth is None else [truth])])
    own = [place.column for place in (*places, truth) if place is not None and not place.path]
    file = tables.read_points(
        options.path,
        options.read_options(),
        label_columns=[column for column in own if column is not None],
    )
    file = unfolded(file, options)
    notes = list(file.notes)
    found = _read_columns([*places, *([] if truth is None else [truth])], file, options, notes)
    labelings = {place.name: _checked(place, found[place], options) for place in places}
    true = None if truth is None else _checked(truth, found[truth], options)
    read = [*labelings.values(), *([] if true is None else [true])]
    doubts = tables.doubtful_features(file, [labeling.given for labeling in read])
    for message in dict.fromkeys([*notes, *doubts]):
        note(message)
    note_noise(options.noise_label, [labeling.checked for labeling in labelings.values()])
    return Data(standardized(file.points, options), file, labelings, true)


def _check(options: LabelsOptions | LabelingsOptions, places: list[Place]) -> None:
    """Find out before the work whether points and labels are given, each once."""
    if not options.label_files and not options.label_columns:
        more = " ..." if isinstance(options, LabelingsOptions) else ""
        hint = column_hint(options)
        options.fail(f"no labels: give --labels FILE{more} or --label-column NAME{hint}")
    check_points(options)
    from disco_cvi.cli.tables import STANDARD_INPUT

    paths = {place.path for place in places if place.option != "--truth-column"}
    truths = {place.path for place in places if place.option == "--truth-column"}
    named = [options.path, *(path for path in (*paths, *truths) if path is not None)]
    if named.count(STANDARD_INPUT) > 1:
        options.fail("points and labels cannot both come from the standard input")
    for path in dict.fromkeys(named):
        if named.count(path) > 1 and Path(path).is_fifo():
            options.fail(f"points and labels cannot both come from the pipe {path}")
    note_pipes(named)


def note_pipes(paths: list[str]) -> None:
    """Say what is waited for: nothing comes from a pipe before another program writes to it."""
    for path in paths:
        # Those that a shell makes, <(...), have a writer.
        if Path(path).is_fifo() and not path.startswith(("/dev/", "/proc/")):
            note(f"{path} is a pipe: reading waits until another program writes to it.")


def can_be_read_again(path: str) -> bool:
    """Tell whether a path means the same points later: no pipe, and nothing that a shell opens."""
    is_opened = path.startswith(("/dev/fd/", "/dev/stdin", "/proc/"))
    return Path(path).is_file() and not is_opened


def check_points(options: PointsOptions) -> None:
    """Refuse to await points from a keyboard."""
    from disco_cvi.cli.tables import STANDARD_INPUT

    if options.path == STANDARD_INPUT and (sys.stdin is None or sys.stdin.isatty()):
        options.fail("no points: name a file, or pipe CSV into the command")


def _places(options: LabelsOptions | LabelingsOptions) -> list[Place]:
    """Return the place of each labeling; files of one name are told apart by their path."""
    paths, columns = options.label_files, options.label_columns
    if len(paths) < 2 and columns:
        path = paths[0] if paths else None
        return [Place(column, path, column) for column in columns]
    stems = [Path(path).name.split(".")[0] for path in paths]
    names = stems if len(set(stems)) == len(stems) else paths
    return [
        Place(name if len(columns) < 2 else f"{name} {column}", path, column)
        for name, path in zip(names, paths, strict=True)
        for column in columns or _NO_COLUMN
    ]


def _truth_place(options: LabelsOptions | LabelingsOptions) -> Place | None:
    if isinstance(options, LabelsOptions):
        return None
    path, column = options.truth, options.truth_column
    if path is None and column is None:
        return None
    return Place("truth", path, column, "--truth-column")


def _read_columns(
    places: list[Place],
    file: PointsFile,
    options: LabelsOptions | LabelingsOptions,
    notes: list[str],
) -> dict[Place, NDArray[Any]]:
    """Read the labels of all places, each file once: the standard input cannot be read again."""
    from disco_cvi.cli import tables

    found = {place: file.labelings[str(place.column)] for place in places if place.path is None}
    files: list[LabelsFile] = []
    for path, option in dict.fromkeys((place.path, place.option) for place in places):
        here = [place for place in places if (place.path, place.option) == (path, option)]
        if path is None:
            continue
        columns = [place.column for place in here if place.column is not None]
        read = tables.read_labels(
            path, file, options.read_options(), columns=columns, option=option, others=files
        )
        files.append(read)
        notes.extend(read.notes)
        found |= zip(here, read.labelings.values(), strict=True)
    return found


def _checked(
    place: Place, given: NDArray[Any], options: LabelsOptions | LabelingsOptions
) -> Labeling:
    from disco_cvi._input.labels import check_labels

    noise = noise_label(options.noise_label, given)
    checked = check_labels(given, len(given), noise, "disco", argument=place.shown)
    return Labeling(given, checked, noise)


def unfolded(file: PointsFile, options: PointsOptions) -> PointsFile:
    """Return a file with the square matrix of its distances, if it holds one per pair of points."""
    is_matrix = getattr(options, "metric", None) == "precomputed"
    if not is_matrix or file.points.shape[1] != 1 or len(file.points) == 1:
        return file
    from disco_cvi._input.points import unfold

    matrix: Any = unfold(file.points[:, 0], "disco")
    return replace(file, points=matrix, features=tuple(map(str, range(1, len(matrix) + 1))))


def standardized(points: NDArray[np.float64], options: PointsOptions) -> NDArray[np.float64]:
    """Return the points, standardized if the options say so."""
    if not options.standardize:
        return points
    from disco_cvi._input.points import standardize

    return standardize(points)


def chosen_indices(given: list[str], options: Options) -> list[str] | str:
    """Find out before the work whether all indices exist; return their names, or "all"."""
    from disco_cvi.indices.registry import available_indices

    names = [name for text in given for name in text.split(",") if name]
    if not names or "all" in names:
        return "all"
    table, lister = available_indices(), "'disco indices'"
    try:
        found = [table.find(name, "--indices", "disco", lister=lister) for name in names]
    except InvalidInputError as error:
        options.fail(error.worded("--indices"))
    return list(dict.fromkeys(info.name for info in found))


def column_hint(options: PointsOptions) -> str:
    """Return the names of a file's columns, to end a complaint with."""
    from disco_cvi.cli import tables

    is_file = Path(options.path).is_file()  # what can be read once is not read for a hint
    names = tables.column_names(options.path, options.read_options()) if is_file else ()
    return f" ({options.path} has the columns {', '.join(names)})" if 1 < len(names) < 20 else ""


def noise_label(given: str | None, labels: NDArray[Any]) -> int | str | bool | None:
    """Return the noise label in the type of the labels, as it stands in their file."""
    if given == _NO_NOISE:
        return None
    text = _DEFAULT_NOISE if given is None else given
    if labels.dtype.kind == "b":
        return {"true": True, "false": False}.get(text.lower(), text)
    if labels.dtype.kind in "iuf":
        return _whole_number(text)
    return text


def _whole_number(text: str) -> int | str:
    """Return the number that a text writes, or the text if it writes none: it matches no label."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else text


def note_noise(given: str | None, labelings: list[Labels]) -> None:
    """Note once what is probably not the noise that the user means."""
    if given is not None and any(labels.n_noise for labels in labelings):
        return
    for hint in dict.fromkeys(_noise_hint(given, labels) for labels in labelings):
        if hint is not None:
            note(hint)


def _noise_hint(given: str | None, labels: Labels) -> str | None:
    """Return a sentence if the noise is probably not the one that the user means."""
    if labels.n_noise:
        return None
    if given not in (None, _NO_NOISE):
        return f"no point has the noise label {given!r}."
    from disco_cvi._input.labels import noise_like

    name = noise_like(labels.names)
    if given is not None or name is None:
        return None
    return f"the cluster {name!r} is scored as a cluster; if it is noise, say --noise-label {name}."
