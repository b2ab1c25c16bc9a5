"""What the script of a report needs to draw its map."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from disco_cvi._input.row_names import plain_name
from disco_cvi._output.words import count
from disco_cvi.plots.style import LABEL_PALETTES, NOISE_COLOR, SCORE_RAMPS
from disco_cvi.report.map_picture import map_png
from disco_cvi.report.point_block import encode
from disco_cvi.report.sample import choose_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._compute.arrays import FloatArray
    from disco_cvi._input.labels import Labels
    from disco_cvi.plots.plane import Plane
    from disco_cvi.results.explanation import Explanation

# Beyond, axes of the same scale would leave a thin strip.
_MOST_STRETCHED = 10.0
_NAMES_IN_MAP = 40
# So many bytes of row names at most go into the page; beyond, only the worst points have one.
_NAME_BYTES = 900_000
_NAMED_WORST = 1_000


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
        "spots": _spots(xy, labels, rows),
        "ramps": SCORE_RAMPS,
        "palettes": LABEL_PALETTES,
        "noise": NOISE_COLOR,
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


def _spots(xy: FloatArray, labels: Labels, rows: NDArray[np.intp]) -> list[list[int]]:
    """Of the largest clusters, the point nearest to the middle of each: there its name stands."""
    codes = labels.codes[rows]
    spots = []
    for code in np.argsort(-labels.sizes, kind="stable")[:_NAMES_IN_MAP].tolist():
        members = np.flatnonzero(codes == code)
        away = ((xy[members] - np.median(xy[members], axis=0)) ** 2).sum(axis=1)
        spots.append([code, int(members[away.argmin()])])
    return spots


def _caption(plane: Plane, n_shown: int, n_points: int, *, is_true_to_scale: bool) -> str:
    parts = []
    if n_shown < n_points:
        parts.append(
            f"The map shows {n_shown:,} of {count(n_points, 'point')}: the 1,000 lowest scores, "
            "some of each cluster, the rest evenly by row; all numbers are of all points."
        )
    across, upward = plane.axis_names
    if across or upward:
        parts.append(f"Across: {across or 'nothing'}; up: {upward or 'nothing'}.")
    if plane.note:
        parts.append(plane.note)
    if not is_true_to_scale:
        parts.append("The two axes have different scales.")
    return " ".join(parts)
