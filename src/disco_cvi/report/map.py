"""The map of a report: which points it shows, the data for its script, and a still picture."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._input.points import plain_name
from disco_cvi._output.words import count
from disco_cvi.plots.maps import spots_of
from disco_cvi.plots.style import LIGHT, THEMES
from disco_cvi.report.pictures import default_style, picture_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._compute.arrays import FloatArray
    from disco_cvi._input.labels import Labels
    from disco_cvi.plots.plane import Plane
    from disco_cvi.results.explanation import Explanation

# The points of the map at most, and which of them are always there.
MOST = 100_000
_WORST, _OF_EACH = 1_000, 200
# Beyond, axes of the same scale would leave a thin strip.
_MOST_STRETCHED = 10.0
# So many bytes of row names at most go into the page; beyond, only the worst points have one.
_NAME_BYTES = 900_000
_NAMED_WORST = 1_000
# Readable on a white page and on a dark one, as the still picture has no ground of its own.
_RAMP = ("#f08418", "#d6914c", "#8d8780", "#5a90cc", "#4f7fd0")


def map_data(explanation: Explanation, labels: Labels, plane: Plane) -> dict[str, Any]:
    """Return what the template puts into the page: picture, block of points, facts, caption.

    Also `codes`, the number of each cluster by its name, and `places`, where rows stand in the
    block.
    """
    facts = explanation.points
    rows = choose_rows(facts.score, labels.codes)
    xy, is_true_to_scale = _fit(plane.xy[rows])
    codes = {name: code for code, name in enumerate(labels.names)}
    layout, block = encode(_columns(explanation, labels.codes, rows, xy, codes))
    shown = {
        "count": len(rows),
        "columns": layout,
        "names": [visible(str(name)) for name in labels.names],
        "rows": _row_names(explanation, rows),
        "spots": spots_of(xy, labels.codes[rows]),
        "ramps": {name: look.ramp for name, look in THEMES.items()},
        "palettes": {name: look.labels for name, look in THEMES.items()},
        "noise": LIGHT.noise,
    }
    return {
        "count": len(rows),
        "png": map_png(xy, facts.score[rows], facts.is_noise[rows]),
        "block": block,
        "json": json_in_page(shown),
        "caption": _caption(plane, len(rows), labels.n_points, is_true_to_scale=is_true_to_scale),
        "codes": codes,
        "places": dict(zip(rows.tolist(), range(len(rows)), strict=True)),
    }


def _fit(xy: FloatArray) -> tuple[FloatArray, bool]:
    """Bring the points around 0, at most 1 away; and whether both axes have the same scale."""
    low, high = xy.min(axis=0), xy.max(axis=0)
    # Halves first: the sum of two large numbers may be infinite.
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    longest, shortest = float(half.max()), float(half.min())
    is_true = longest <= _MOST_STRETCHED * shortest or shortest == 0
    scale = np.full(2, longest) if is_true else half * np.array([1.0, 1.6])
    return (xy - middle) / np.where(scale > 0, scale, 1.0), is_true


def _columns(
    explanation: Explanation,
    codes: NDArray[np.int32],
    rows: NDArray[np.intp],
    xy: FloatArray,
    code_of: dict[Any, int],
) -> dict[str, NDArray[Any]]:
    facts = explanation.points
    is_noise = facts.is_noise[rows]
    near = np.where(is_noise, facts.claimed_by[rows], facts.nearest_cluster[rows])
    columns = {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "score": facts.score[rows],
        "first": np.where(is_noise, facts.rho_sparse[rows], facts.compactness[rows]),
        "second": np.where(is_noise, facts.rho_far[rows], facts.separation[rows]),
        "label": codes[rows],
        "near": np.array([code_of.get(name, -1) for name in near.tolist()], dtype=np.int32),
    }
    if len(rows) < len(codes):
        columns["row"] = rows.astype(np.int32)
    return columns


def _row_names(explanation: Explanation, rows: NDArray[np.intp]) -> str | None:
    """The names of rows, a line for each; an empty one where the row has none."""
    if explanation.row_names is None:
        return None
    names = [visible(str(plain_name(explanation.row_names[row]))) for row in rows.tolist()]
    text = "\n".join(names)
    if len(json_in_page(text)) > _NAME_BYTES:
        lowest = np.argsort(explanation.points.score[rows], kind="stable")[:_NAMED_WORST]
        kept = set(lowest.tolist())
        text = "\n".join(name if place in kept else "" for place, name in enumerate(names))
    return text


def _caption(plane: Plane, n_shown: int, n_points: int, *, is_true_to_scale: bool) -> str:
    parts = []
    if n_shown < n_points:
        parts.append(
            f"The map shows {n_shown:,} of {count(n_points, 'point')}: the 1,000 lowest scores, "
            "some of each cluster, the rest evenly by row; all numbers are of all points."
        )
    if any(plane.axis_names):
        across, upward = (name or "nothing" for name in plane.axis_names)
        parts.append(f"Across: {across}; up: {upward}.")
    if plane.note:
        parts.append(plane.note)
    if not is_true_to_scale:
        parts.append("The two axes have different scales.")
    return " ".join(parts)


def json_in_page(value: object) -> str:
    """JSON that no part of can end the element it stands in."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text


def visible(text: str) -> str:
    """A name as a canvas may show it: what is invisible or turns the direction is replaced."""
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text
    )


# --- the still picture ----------------------------------------------------------------------------


def map_png(xy: FloatArray, score: FloatArray, is_noise: NDArray[np.bool_]) -> str:
    """Points in the plane, colored by score, as a PNG in base64; noise points are crosses.

    The lowest scores are drawn last. Nothing else is in the picture: the page says what it shows.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    colors = LinearSegmentedColormap.from_list("between", _RAMP)
    area = float(np.clip(26_000 / len(xy), 0.4, 14.0))
    with default_style("map"):
        figure = Figure(figsize=(6.0, 4.0))
        figure.patch.set_alpha(0.0)
        ax: Any = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        ax.set_axis_off()
        ax.set_aspect("equal")
        # Noise below clusters would hide the worst points, so that only the score decides.
        order = np.argsort(-score, kind="stable")
        scale = {"cmap": colors, "vmin": -1.0, "vmax": 1.0, "s": area}
        for noise, marker, width in ((True, "x", 0.6 + 0.03 * area), (False, "o", 0.0)):
            rows = order[is_noise[order] == noise]
            look = {"c": score[rows], "marker": marker, "linewidths": width, **scale}
            ax.scatter(xy[rows, 0], xy[rows, 1], **look)
        ax.margins(0.03)
        image = picture_bytes(figure, "png")
    return base64.b64encode(image).decode("ascii")


# --- points as text -------------------------------------------------------------------------------


def encode(columns: Mapping[str, NDArray[Any]]) -> tuple[list[list[str]], str]:
    """Return names and kinds of the columns, and their values as text.

    Numbers with a fraction become 4 bytes, whole ones 2 or, where these are not enough, 4. Scripts
    read arrays in place, which must begin at multiples of their size: the wider ones come first.

    Parameters
    ----------
    columns : mapping of str to ndarray
        All of the same length.

    Returns
    -------
    tuple of list and str
        ``[name, kind]`` in the order of the block, and the block.

    Examples
    --------
    >>> encode({"x": np.array([0.5]), "label": np.array([-1])})
    ([['x', 'f4'], ['label', 'i2']], 'AAAAP///')
    """
    kinds = {name: _kind(column) for name, column in columns.items()}
    order = sorted(columns, key=lambda name: kinds[name] == "i2")
    with np.errstate(over="ignore"):  # what exceeds 4 bytes is shown as infinite
        data = b"".join(columns[name].astype(f"<{kinds[name]}").tobytes() for name in order)
    return [[name, kinds[name]] for name in order], base64.b64encode(data).decode("ascii")


def _kind(column: NDArray[Any]) -> str:
    if column.dtype.kind == "f":
        return "f4"
    return "i2" if np.abs(column).max(initial=0) <= np.iinfo(np.int16).max else "i4"


# --- which points ---------------------------------------------------------------------------------


def choose_rows(score: FloatArray, codes: NDArray[np.int32], most: int = MOST) -> NDArray[np.intp]:
    """Choose the rows that a map shows, in ascending order.

    Parameters
    ----------
    score : ndarray of shape (n,)
        The score of each point.
    codes : ndarray of shape (n,)
        The cluster of each point, -1 for noise.
    most : int, default 100,000
        How many rows at most; all of them if there are no more.

    Returns
    -------
    ndarray of int
        Among them the 1,000 lowest scores, and 200 of each cluster and of the noise, or all of a
        smaller one; the rest is spread evenly over the rows. Very many clusters share what there
        is.

    Examples
    --------
    >>> choose_rows(np.array([0.1, 0.9, 0.5, 0.3]), np.array([0, 0, 1, 1]), most=2).tolist()
    [0, 1]
    """
    n_points = len(score)
    if n_points <= most:
        return np.arange(n_points)
    chosen = np.zeros(n_points, dtype=np.bool_)
    # Of equal scores the first rows, as in the table of the worst points.
    chosen[np.argsort(score, kind="stable")[: min(_WORST, most // 2)]] = True
    room = most - int(chosen.sum())
    chosen[_some_of_each(codes, room)] = True
    # The rest evenly.
    free, room = np.flatnonzero(~chosen), most - int(chosen.sum())
    chosen[free[np.arange(room) * len(free) // max(room, 1)]] = True
    return np.flatnonzero(chosen)


def _some_of_each(codes: NDArray[np.int32], room: int) -> NDArray[np.intp]:
    """As many rows of each group, evenly spread in it; no more than there is room for."""
    rows = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes + 1)
    sizes = sizes[sizes > 0]
    wanted = np.minimum(sizes, min(_OF_EACH, room // len(sizes)))
    begins = np.repeat(np.cumsum(sizes) - sizes, wanted)
    place = np.arange(wanted.sum()) - np.repeat(np.cumsum(wanted) - wanted, wanted)
    chosen: NDArray[np.intp] = rows[
        begins + place * np.repeat(sizes, wanted) // np.repeat(wanted, wanted)
    ]
    return chosen
