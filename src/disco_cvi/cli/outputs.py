"""What commands write: files that are checked before the work, and take no input's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from disco_cvi.cli.data_options import PointsOptions
from disco_cvi.cli.options import Options
from disco_cvi.cli.screen import note
from disco_cvi.exceptions import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS = ()  # the endings that `_output.files` knows
PICTURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".htm")
# What an ending needs that not everybody has, and the extra that brings it.
_NEEDED = {PICTURES: ("plots", ["matplotlib"]), PAGES: ("report", ["matplotlib", "jinja2"])}


class Output(NamedTuple):
    """A file to write: the option that names it, and how it may end."""

    option: str
    path: str | None
    endings: tuple[str, ...] = COLUMNS


def check_outputs(
    options: Options, sources: Sequence[str | None], outputs: Sequence[Output]
) -> None:
    """Find out before the work whether its results can be written, each to its own place."""
    check_places(options, sources, outputs)
    for name, path, endings in outputs:
        if path is not None:
            _check_packages(name, endings)


def check_places(
    options: Options, sources: Sequence[str | None], outputs: Sequence[Output]
) -> None:
    """Find out before the work whether its results have a place of their own."""
    from disco_cvi._output.files import check_not_read, check_output, check_place

    taken: dict[Path, str] = {}
    for name, path, endings in outputs:
        if path is None:
            continue
        try:
            if endings == COLUMNS:
                check_output(path)
            else:
                _check_ending(path, endings)
                check_place(path)
            check_not_read(path, *sources)
        except InvalidInputError as error:
            options.fail(str(error))
        place = Path(path).resolve()
        if place in taken:
            options.fail(f"{taken[place]} and {name} both name {path}; name another file")
        taken[place] = name


def _check_ending(path: str, endings: tuple[str, ...]) -> None:
    if Path(path).suffix.lower() not in endings:
        shown = " or ".join(endings) if len(endings) == 2 else ", ".join(endings)
        raise InvalidInputError(f"{path} must end in {shown}, which names its format.")


def _check_packages(name: str, endings: tuple[str, ...]) -> None:
    extra, packages = _NEEDED.get(endings, ("", []))
    for package in packages:
        if find_spec(package) is None:
            raise InvalidInputError(f'{name} needs {package}: pip install "disco-cvi[{extra}]"')


def write_rows(
    path: str,
    columns: dict[str, NDArray[Any]],
    options: PointsOptions,
    row_names: Sequence[str] | None,
) -> None:
    """Write columns with the names of the rows first, if they have names."""
    from disco_cvi._output.files import write_columns

    # An array holds one column, and that is not the names.
    if row_names is not None and not path.lower().endswith(".npy"):
        columns = _named(columns, str(options.row_ids), row_names)
    write_columns(path, columns)


def _named(
    columns: dict[str, NDArray[Any]], given: str, row_names: Sequence[str]
) -> dict[str, NDArray[Any]]:
    import numpy as np

    name = "id" if given.lstrip("-").isdecimal() or given in columns else given
    return {name: np.array(row_names)} | columns


def write_picture(path: str, name: str, plot: Callable[[], Any]) -> None:
    """Write what `plot` draws, in the format that the path's ending names."""
    from disco_cvi._output.files import write_file

    picture = picture_of(name, plot, Path(path).suffix.lower().removeprefix("."))
    write_file(path, lambda stream: stream.write(picture))
    note(f"wrote a figure to {path}.")


def picture_of(name: str, plot: Callable[[], Any], form: Any = "png") -> bytes:
    """A drawing as the bytes of a file, with nothing of this machine in it."""
    from disco_cvi.report.pictures import default_style, picture_bytes

    with default_style(name):
        drawn = plot()  # a display, or axes
        return picture_bytes(getattr(drawn, "figure_", None) or drawn.figure, form)
