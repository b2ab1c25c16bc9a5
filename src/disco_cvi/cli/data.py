"""From options to points and labelings: files are read, joined by ids, and what is odd is noted."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from disco_cvi._output.words import count, did_you_mean, shorten
from disco_cvi.cli.output import fail, note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from disco_cvi._input.labels import Labels
    from disco_cvi.cli.tables import Table

STANDARD_INPUT = "-"
NO_NOISE = "none"
_NO_COLUMN: list[str | None] = [None]
_NAMES_OF_LABELS = re.compile(
    r"categor(y|ies)|class(es)?|clusters?|cluster_id|groups?|labels?|species|targets?|y_true",
    re.IGNORECASE,
)
_NAMES_OF_IDS = re.compile(r"(.*[_ -])?(ids?|index|key)|row", re.IGNORECASE)


# --- what was asked for ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """Where points are, and how files are read; None where that is to be found by looking.

    Attributes
    ----------
    path : str or None
        None and "-" are the standard input.
    row_ids : str or None
        The column that names the rows.
    columns, drop : list of str or None
        Columns that are features (else all others), and columns to leave out.
    header : {"yes", "no"} or None
        Whether text files begin with column names.
    separator : str or None
        What stands between values of text files; " " is any white space.
    decimal : {".", ","} or None
    encoding : str or None
        How text files write letters.
    max_size : int or None
        How many bytes are read of a file, or unpacked, at most (2 GiB).
    standardize : bool
    """

    path: str | None
    row_ids: str | None = None
    columns: Sequence[str] | None = None
    drop: Sequence[str] | None = None
    header: str | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    max_size: int | None = None
    standardize: bool = False

    @property
    def place(self) -> str:
        """The path of the points; "-" is the standard input."""
        return self.path or STANDARD_INPUT

    @property
    def most_bytes(self) -> int:
        """How many bytes are read of a file, or unpacked, at most."""
        return self.max_size or 2 << 30

    def check(self) -> None:
        """Refuse what contradicts itself, and to await points from a keyboard."""
        if self.decimal == "," == self.separator:
            fail("--sep and --decimal cannot both be a comma: where would a number end?")
        for column in self.columns or ():
            if column in (*(self.drop or ()), self.row_ids):
                fail(f"--columns names {column!r} as a feature, and --drop or --id leaves it out")
        if self.place == STANDARD_INPUT and (sys.stdin is None or sys.stdin.isatty()):
            fail("no points: name a file, or pipe CSV into the command")


@dataclass(frozen=True)
class Density:
    """How the density tree is built."""

    min_points: int | None
    metric: str | None
    jobs: int | None
    algorithm: str = "exact"

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of Python functions."""
        n_jobs = -1 if self.jobs is None else self.jobs
        return {"min_points": self.min_points, "metric": self.metric, "n_jobs": n_jobs}

    def check(self, source: Source) -> None:
        """Find out before the work whether there is such a metric."""
        from disco_cvi._input.metric import METRIC_NAMES

        if self.metric is not None and self.metric not in METRIC_NAMES:
            remedy = did_you_mean(self.metric, METRIC_NAMES)
            fail(
                f"--metric must be one of {', '.join(METRIC_NAMES)}; got {self.metric!r}. {remedy}"
            )
        if source.standardize and self.metric == "precomputed":
            fail("--standardize is for features, and a precomputed matrix holds distances")

    def tree_or_points(self, points: Any) -> Any:
        """Return the points, or an approximate tree in their place."""
        if self.algorithm == "exact":
            return points
        from disco_cvi.density_tree import DensityTree

        note("the density tree is approximate, and so are the scores.")
        given = {name: value for name, value in self.options.items() if value is not None}
        return DensityTree(points, algorithm="approximate", **given)


@dataclass(frozen=True)
class Asked:
    """Which labelings were asked for: files, columns, and the label of noise."""

    files: Sequence[str]
    columns: Sequence[str] | None
    noise_label: str | None
    truth: str | None = None
    truth_column: str | None = None

    @property
    def places(self) -> list[Place]:
        """The place of each labeling; files of one name are told apart by their path."""
        files, columns = list(dict.fromkeys(self.files)), list(dict.fromkeys(self.columns or ()))
        if len(files) < 2 and columns:
            return [Place(column, files[0] if files else None, column) for column in columns]
        stems = [Path(path).name.split(".")[0] for path in files]
        names = stems if len(set(stems)) == len(stems) else files
        return [
            Place(name if len(columns) < 2 else f"{name} {column}", path, column)
            for name, path in zip(names, files, strict=True)
            for column in columns or _NO_COLUMN
        ]


class Place(NamedTuple):
    """Where a labeling stands: its name, file (None: that of the points) and column."""

    name: str
    path: str | None
    column: str | None
    option: str = "--label-column"

    @property
    def shown(self) -> str:
        """What messages call it."""
        return f"labels of {self.path if self.column is None else f'{self.option} {self.column}'}"


def label_files(paths: Sequence[str] | None) -> list[str]:
    """Return files of labels; of a folder all that are in it."""
    files: list[str] = []
    for path in paths or ():
        inside = sorted(Path(path).iterdir()) if Path(path).is_dir() else []
        files += [str(file) for file in inside if file.is_file() and file.name[0] != "."]
        files += [] if Path(path).is_dir() else [path]
    if paths and not files:
        fail(f"no labels: there are no files in {', '.join(paths)}")
    return files


# --- what was read --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PointsFile:
    """Points with the names of their features, or numbers, and of their rows, if they have any."""

    points: NDArray[np.float64]
    features: tuple[str, ...]
    table: Table
    row_names: tuple[str, ...] | None = None


class Labeling(NamedTuple):
    """Labels as they stand in a file, as trusted codes with names, and which of them is noise."""

    given: NDArray[Any]
    checked: Labels
    noise_label: int | str | bool | None

    @property
    def labels(self) -> ArrayLike:
        """The labels as Python functions take them; each file has its own type, and its noise."""
        return cast("ArrayLike", self.checked)


@dataclass(frozen=True, eq=False)
class Data:
    """Points, their file, and labelings by name."""

    points: NDArray[np.float64]
    file: PointsFile
    labelings: dict[str, Labeling]
    truth: Labeling | None = None


def read_data(source: Source, asked: Asked, density: Density) -> Data:
    """Read points and labelings, and note on the error stream what was guessed."""
    places = asked.places
    truth = None
    if asked.truth is not None or asked.truth_column is not None:
        truth = Place("truth", asked.truth, asked.truth_column, "--truth-column")
    everything = [*places, truth] if truth else places
    _check_places(source, places, everything)
    own = [place.column for place in everything if place.path is None]
    file = unfolded(read_points(source, own), density)
    tables, found = _read_labels(source, file, everything)
    for message in (message for table in (file.table, *tables) for message in table.notes):
        note(message)
    labelings = {place: _checked(place, found[place], asked.noise_label) for place in everything}
    given = [labeling.given for place, labeling in labelings.items() if place in places]
    for message in doubtful_features(file, given):
        note(message)
    note_noise(asked.noise_label, [labelings[place].checked for place in places])
    return Data(
        standardized(file.points, source),
        file,
        {place.name: labelings[place] for place in places},
        labelings[truth] if truth else None,
    )


def _check_places(source: Source, places: list[Place], everything: list[Place]) -> None:
    """Find out before the work whether points and labels are given, each once."""
    if not places:
        fail(f"no labels: give --labels FILE or --label-column NAME{_column_hint(source)}")
    source.check()
    files = {(place.path, place.option) for place in everything if place.path is not None}
    paths = [source.place, *(str(path) for path, _ in files)]
    for path in {path for path in paths if paths.count(path) > 1}:
        if path == STANDARD_INPUT or Path(path).is_fifo():
            shown = "the standard input" if path == STANDARD_INPUT else f"the pipe {path}"
            fail(f"points and labels cannot both come from {shown}")
    note_pipes(paths)


def note_pipes(paths: Sequence[str]) -> None:
    """Say what is waited for: nothing comes from a pipe before another program writes to it."""
    for path in paths:
        # Those that a shell makes, <(...), have a writer.
        if Path(path).is_fifo() and not path.startswith(("/dev/", "/proc/")):
            note(f"{path} is a pipe: reading waits until another program writes to it.")


def can_be_read_again(path: str) -> bool:
    """Tell whether a path means the same points later: no pipe, and nothing that a shell opens."""
    return Path(path).is_file() and not path.startswith(("/dev/fd/", "/dev/stdin", "/proc/"))


def _column_hint(source: Source) -> str:
    """Return the names of a file's columns, to end a complaint with."""
    from disco_cvi.cli.tables import open_table

    try:  # what can be read once is not read for a hint
        names = open_table(source.place, source).names if Path(source.place).is_file() else None
    except (InvalidInputError, OSError):
        names = None
    is_short = names is not None and 1 < len(names) < 20
    return f" ({source.place} has the columns {', '.join(names or ())})" if is_short else ""


def read_points(
    source: Source, label_columns: Sequence[str | None] = (), labels_option: str = "--label-column"
) -> PointsFile:
    """Read points: all columns but those of labels, of ids, and those to be left out."""
    from disco_cvi.cli.tables import open_table

    ids = [] if source.row_ids is None else [source.row_ids]
    left_out = [
        *(source.drop or ()),
        *(column for column in label_columns if column is not None),
        *ids,
    ]
    table = open_table(source.place, source, wanted=[*left_out, *(source.columns or ())])
    without = [table.find(column) for column in left_out]
    features = list(dict.fromkeys(map(table.find, source.columns or ())))
    for position in features:
        if position in without:
            raise InvalidInputError(
                f"{table.source}: {table.describe(position)} cannot be a feature (--columns) and "
                "labels, id or left out as well."
            )
    features = features or [j for j in range(table.width) if j not in without]
    if not features:
        raise InvalidInputError(
            f"{table.source} holds no column of features besides those left out."
        )
    if table.n_rows == 0:
        held = "no points" if table.names is None else "column names but no points"
        raise InvalidInputError(f"{table.source} holds {held}.")
    return PointsFile(
        table.matrix(features, labels_option=labels_option),
        tuple(map(table.handle, features)),
        table,
        _row_names(table, table.find(ids[0])) if ids else None,
    )


def unfolded(file: PointsFile, density: Density) -> PointsFile:
    """Return a file with the square matrix of its distances, if it holds one per pair of points."""
    if density.metric != "precomputed" or file.points.shape[1] != 1 or len(file.points) == 1:
        return file
    from disco_cvi._input.points import unfold

    matrix: Any = unfold(file.points[:, 0], "disco")
    numbers = tuple(map(str, range(1, len(matrix) + 1)))
    return PointsFile(matrix, numbers, file.table, file.row_names)


def standardized(points: NDArray[np.float64], source: Source) -> NDArray[np.float64]:
    """Return the points, standardized if that was asked for."""
    if not source.standardize:
        return points
    from disco_cvi._input.points import standardize

    return standardize(points)


def read_embedding(path: str, data: Data, source: Source) -> NDArray[np.float64]:
    """Read where points stand in a picture: two columns, rows as in `read_data`."""
    table, ids = _open_other(path, data.file, source)
    features = [j for j in range(table.width) if j != ids]
    embedding = table.matrix(features)[_rows(table, data.file, ids, [])]
    if embedding.shape != (len(data.points), 2):
        raise InvalidInputError(
            f"--embedding must hold two columns and one row per point ({len(data.points):,}); "
            f"{path} holds {embedding.shape[1]:,} columns and {len(embedding):,} rows."
        )
    return embedding


def _read_labels(
    source: Source, file: PointsFile, places: list[Place]
) -> tuple[list[Table], dict[Place, NDArray[Any]]]:
    """Read the labels of all places, each file once: the standard input cannot be read again."""
    found = {
        place: file.table.labels(file.table.find(str(place.column)))
        for place in places
        if place.path is None
    }
    tables: list[Table] = []
    in_order: list[Table] = []
    for path, option in dict.fromkeys((place.path, place.option) for place in places if place.path):
        here = [place for place in places if (place.path, place.option) == (path, option)]
        columns = [place.column for place in here if place.column is not None]
        table, ids = _open_other(str(path), file, source, columns)
        positions = [table.find(column) for column in columns]
        positions = positions or [_only_column(table, file.table, ids, option)]
        if ids is None and table.n_rows != len(file.points):
            raise InvalidInputError(
                f"labels must hold one label per point: {count(len(file.points), 'point')}, "
                f"{count(table.n_rows, 'label')} in {table.source}."
            )
        rows = _rows(table, file, ids, positions)
        if ids is None:
            for other in in_order:
                _refuse_other_order(other, table, positions, file.table.source)
            in_order.append(table)
        tables.append(table)
        labels = [table.labels(position)[rows] for position in positions]
        found |= zip(here, labels, strict=True)
    return tables, found


# --- rows that belong together --------------------------------------------------------------------


def _open_other(
    path: str, file: PointsFile, source: Source, columns: Sequence[str] = ()
) -> tuple[Table, int | None]:
    """Open a file whose rows are those of the points, with the position of its column of ids.

    Without one (None) its rows stand in the order of the points.
    """
    from disco_cvi.cli.tables import open_table

    n_points = len(file.points)
    table = open_table(path, source, wanted=columns, n_expected=n_points, is_other=True)
    if source.row_ids is None:
        return table, None
    own = file.table
    if own.names is None and table.names is None and table.width > 1:
        return table, table.find(source.row_ids)
    position = own.find(source.row_ids)
    if own.names is not None and table.names is not None and own.names[position] in table.names:
        return table, table.find(own.names[position])
    table.notes.append(
        f"{table.source} does not have {own.describe(position)}: its rows were taken in the order "
        f"of {own.source}."
    )
    return table, None


def _only_column(table: Table, points: Table, ids: int | None, option: str) -> int:
    left = [j for j in range(table.width) if j != ids]
    if len(left) == 1:
        return left[0]
    shared = [name for name in table.names or () if name in (points.names or ())]
    hint = f" If {shared[0]!r} names the rows, say --id {shlex.quote(shared[0])}." if shared else ""
    raise InvalidInputError(
        f"{table.source} holds {table.width} columns ({table.shown_names()}), and one of labels is "
        f"needed. Choose it with {option}.{hint if ids is None else ''}"
    )


def _row_names(table: Table, position: int) -> tuple[str, ...]:
    """Return the names of the rows, which must all be there and differ."""
    names = table.texts(position)
    if "" in names:
        raise InvalidInputError(
            f"{table.source}: {table.describe(position)} holds no id in "
            f"{count(names.count(''), 'row')} (first: {table.place(names.index(''))}). "
            "Every row needs one."
        )
    first: dict[str, int] = {}
    for row, key in enumerate(map(_key, names)):
        if first.setdefault(key, row) != row:
            raise InvalidInputError(
                f"{table.source}: {table.describe(position)} holds ids more than once (first: "
                f"{shorten(names[row])}, {table.place(first[key])} and {table.place(row)}). Ids "
                "must be unique; choose another column with --id."
            )
    return tuple(names)


def _rows(
    table: Table, file: PointsFile, ids: int | None, labels: Sequence[int]
) -> NDArray[np.intp]:
    """Return the row of a table that belongs to each point: by its id, or the next one."""
    import numpy as np

    if ids is None:
        _refuse_other_order(file.table, table, labels)
        return np.arange(table.n_rows)
    found = {_key(name): row for row, name in enumerate(_row_names(table, ids))}
    wanted = {_key(name): name for name in file.row_names or ()}
    if missing := [name for key, name in wanted.items() if key not in found]:
        raise InvalidInputError(
            f"{table.source} has no label for {count(len(missing), 'id')} of {file.table.source} "
            f"({_shown(missing)}). Add their rows, with -1 where a point is noise."
        )
    if extra := [key for key in found if key not in wanted]:
        raise InvalidInputError(
            f"{table.source} has labels for {count(len(extra), 'id')} that {file.table.source} "
            f"does not have ({_shown(extra)}). Leave those rows out."
        )
    return np.array([found[key] for key in wanted], dtype=np.intp)


def _refuse_other_order(
    points: Table, labels: Table, label_positions: Sequence[int], without: str | None = None
) -> None:
    """Raise if a column that both tables have names their rows, and in another order.

    Both may be labels of points in a third file, `without` that column.
    """
    for position, name in enumerate(labels.names or ()):
        is_shared = (points.names or ()).count(name) == 1 == (labels.names or ()).count(name)
        if not is_shared or position in label_positions:
            continue
        own = points.find(name)
        names, others = list(map(_key, points.texts(own))), list(map(_key, labels.texts(position)))
        places = {key: row for row, key in enumerate(names)}
        if names == others or len(places) < len(names) or len(set(others)) < len(others):
            continue
        moved = [row for row, key in enumerate(others) if places.get(key, row) != row]
        if moved:
            row, handle = moved[0], labels.handle(position)
            join = "Join" if without is None else f"Add the column to {without} and join"
            raise InvalidInputError(
                f"{points.source} and {labels.source} both have {labels.describe(position)}, in "
                f"another order: {shorten(others[row])} is in {labels.place(row)} of "
                f"{labels.source} and in {points.place(places[others[row]])} of {points.source}. "
                f"{join} them with --id {handle}."
            )


def _key(name: str) -> str:
    """Return an id as files of all types write it: a whole number has no fraction."""
    whole, point, fraction = name.partition(".")
    is_whole = point and whole.lstrip("-").isdecimal() and not fraction.strip("0")
    return whole if is_whole else name


def _shown(names: Sequence[str]) -> str:
    return ", ".join(map(shorten, names[:3])) + (", ..." if len(names) > 3 else "")


# --- noise ----------------------------------------------------------------------------------------


def _checked(place: Place, given: NDArray[Any], asked: str | None) -> Labeling:
    from disco_cvi._input.labels import check_labels

    noise = noise_label(asked, given)
    checked = check_labels(given, len(given), noise, "disco", argument=place.shown)
    return Labeling(given, checked, noise)


def noise_label(given: str | None, labels: NDArray[Any]) -> int | str | bool | None:
    """Return the noise label in the type of the labels, as it stands in their file."""
    if given == NO_NOISE:
        return None
    text = "-1" if given is None else given
    if labels.dtype.kind == "b":
        return {"true": True, "false": False}.get(text.lower(), text)
    is_whole = labels.dtype.kind in "iuf" and re.fullmatch(r"[+-]?[0-9]+(\.0*)?", text)
    return int(text.partition(".")[0]) if is_whole else text


def note_noise(given: str | None, labelings: Sequence[Labels]) -> None:
    """Note once what is probably not the noise that the user means."""
    from disco_cvi._input.labels import noise_like

    if any(labels.n_noise for labels in labelings) and given is not None:
        return
    hints: list[str] = []
    for labels in labelings:
        name = noise_like(labels.names)
        if labels.n_noise or given == NO_NOISE:
            continue
        if given is not None:
            hints.append(f"no point has the noise label {given!r}.")
        elif name is not None:
            hints.append(
                f"the cluster {name!r} is scored as a cluster; if it is noise, say --noise-label "
                f"{name}."
            )
    for hint in dict.fromkeys(hints):
        note(hint)


# --- columns that are scored as features and are perhaps none -------------------------------------


def doubtful_features(file: PointsFile, labelings: Sequence[NDArray[Any]] = ()) -> list[str]:
    """Return a sentence for each feature that is perhaps none; nothing is left out.

    A feature that equals one of the labels that are scored was left in the file.
    """
    columns = list(zip(file.features, file.points.T, strict=True))
    codes = {name for name, column in columns if _holds_codes(column)}
    if len(codes) > 3 or len(codes) == len(columns):
        codes = set()  # whole numbers are how the data are: answers, counts
    notes = []
    for name, column in columns:
        if _counts_rows(column):
            looks, holds, remedy = (
                "counts the rows",
                "is only their number",
                "leave it out with --drop",
            )
        elif _NAMES_OF_IDS.fullmatch(name) and _is_unique(column):
            looks, holds, remedy = "looks like ids", "names the rows", "say --id"
        elif any(_equals(column, labels) for labels in labelings):
            looks, holds, remedy = (
                "equals the labels",
                "holds the labels",
                "leave it out with --drop",
            )
        elif name in codes or _NAMES_OF_LABELS.fullmatch(name):
            looks, holds, remedy = "looks like labels", "holds labels", "leave it out with --drop"
        else:
            continue
        shown = name if name.isdecimal() else repr(name)
        notes.append(
            f"{file.table.source}: column {shown} {looks} and is scored as a feature; if it "
            f"{holds}, {remedy} {shlex.quote(name)}."
        )
    return notes


def _counts_rows(column: NDArray[np.float64]) -> bool:
    return len(column) > 2 and all(column[1:] - column[:-1] == 1)


def _is_unique(column: NDArray[np.float64]) -> bool:
    """Tell whether a column holds another whole number in every row."""
    is_whole = bool((column == column.round()).all())
    return is_whole and len(column) > 2 and len(set(column.tolist())) == len(column)


def _equals(column: NDArray[np.float64], labels: NDArray[Any]) -> bool:
    """Tell whether a feature equals labels that tell anything apart."""
    is_number = labels.dtype.kind in "iufb" and (labels != labels[0]).any()
    return bool(is_number and len(labels) == len(column) and (column == labels).all())


def _holds_codes(column: NDArray[np.float64]) -> bool:
    """Tell whether a column holds few whole numbers from -1, 0 or 1 on, each in many rows."""
    low, high = column.min(), column.max()
    if low not in (-1, 0, 1) or not 1 <= high - low <= 20 or (column != column.round()).any():
        return False
    n_kinds = len(set(column.tolist()))
    return n_kinds * 10 <= len(column) and n_kinds > (high - low) / 2


def chosen_indices(given: Sequence[str] | None) -> list[str] | str:
    """Find out before the work whether all indices exist; return their names, or "all"."""
    from disco_cvi.indices.registry import available_indices

    names = [name for text in given or () for name in text.split(",") if name]
    if not names or "all" in names:
        return "all"
    table, lister = available_indices(), "'disco indices'"
    try:
        found = [table.find(name, "--indices", "disco", lister=lister) for name in names]
    except InvalidInputError as error:
        fail(error.worded("--indices"))
    return list(dict.fromkeys(info.name for info in found))
