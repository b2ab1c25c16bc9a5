"""The map as a picture, for print and wherever the script of the page does not run."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import numpy as np

from disco_cvi.report.pictures import default_style, picture_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from disco_cvi._compute.arrays import FloatArray

# Readable on a white page and on a dark one, as the picture has no ground of its own.
_RAMP = ("#f08418", "#d6914c", "#8d8780", "#5a90cc", "#4f7fd0")
_SIZE = (6.0, 4.0)


def map_png(xy: FloatArray, score: FloatArray, is_noise: NDArray[np.bool_]) -> str:
    """Points in the plane, colored by score, as a PNG in base64; noise points are crosses.

    The lowest scores are drawn last. Nothing else is in the picture: the page says what it shows.
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure

    colors = LinearSegmentedColormap.from_list("between", _RAMP)
    area = float(np.clip(26_000 / len(xy), 0.4, 14.0))
    with default_style("map"):
        figure = Figure(figsize=_SIZE)
        figure.patch.set_alpha(0.0)
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        ax.set_axis_off()
        ax.set_aspect("equal")
        # Noise below clusters would hide the worst points, so that only the score decides.
        order = np.argsort(-score, kind="stable")
        for noise, marker, width in ((True, "x", 0.6 + 0.03 * area), (False, "o", 0.0)):
            rows = order[is_noise[order] == noise]
            ax.scatter(
                xy[rows, 0],
                xy[rows, 1],
                c=score[rows],
                cmap=colors,
                vmin=-1.0,
                vmax=1.0,
                s=area,
                marker=marker,
                linewidths=width,
            )
        ax.margins(0.03)
        image = picture_bytes(figure, "png")
    return base64.b64encode(image).decode("ascii")
