"""Whether noise points are rightly noise: how sparse their place is, and how far they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_count
from disco_cvi._output.words import count, describe, percent
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.display import (
    ExplanationDisplay,
    check_explanation,
    signed,
)
from disco_cvi.plots.style import SMALL, Theme, put_head, quiet_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection

    from disco_cvi.results.explanation import Explanation

# More points than that are counted in cells, of which so many lie from -1 to 1.
MOST_POINTS = 3000
CELLS = 60
_MOST_CELLS = 10_000


class Zone(NamedTuple):
    """One of the three places where noise points can lie.

    Attributes
    ----------
    name, meaning : str
        What is said of the points there.
    marker : str
        How they are drawn; never told by color alone.
    """

    name: str
    meaning: str
    marker: str


ZONES = (
    Zone("rightly noise", "sparse place, apart from every cluster", "o"),
    Zone("dense, but apart", "a cluster that was missed?", "D"),
    Zone("joined to a cluster", "within reach of its own steps: belongs to it?", "^"),
)


class Cells(NamedTuple):
    """Noise points counted in square cells that are `side` wide; one entry per cell that has some.

    Attributes
    ----------
    x, y : ndarray
        Lower left corner of each cell.
    counts : ndarray of int
        Number of points in it.
    zones : ndarray of int
        Place of its zone in `ZONES`.
    side : float
        Width and height.
    """

    x: FloatArray
    y: FloatArray
    counts: NDArray[np.int64]
    zones: NDArray[np.int64]
    side: float


class NoiseDisplay(ExplanationDisplay):
    """Noise points by rho_sparse (across) and rho_far (up), in three zones.

    rho_sparse is the score of a noise point: above 0, its place is sparser than that of any point
    of a cluster. rho_far tells the points below 0 apart: above 0 they are a dense group that stands
    alone, else within reach of a cluster. rho_far is never below rho_sparse, so that half of the
    picture is empty, and holds the key.

    Parameters
    ----------
    rho_sparse, rho_far : array-like of shape (n_noise,)
        The two parts of each noise point's score; empty where there is nothing to compare with.
    n_noise, n_points : int
        Number of noise points, and of all points.

    Attributes
    ----------
    rho_sparse, rho_far, n_noise, n_points
        As given.
    zones : ndarray of int of shape (n_noise,)
        Place of each point's zone in `disco_cvi.plots.noise_display.ZONES`: 0 rightly noise,
        1 dense but apart, 2 joined to a cluster.
    counts : tuple of three int
        Number of points in each zone.
    ax_, figure_
        After `plot`: where it was drawn.
    points_ : list of matplotlib.collections.Collection
        After `plot`: the points, or above 3,000 their counts in cells, zone after zone.

    Examples
    --------
    >>> from disco_cvi.plots import NoiseDisplay
    >>> X = [[0], [1], [2], [10], [12], [14], [30], [31]]
    >>> display = NoiseDisplay.from_predictions(X, [0, 0, 0, 1, 1, 1, -1, -1], min_points=2)
    >>> display.counts
    (0, 2, 0)
    >>> display.plot().ax_.get_title(loc="left")
    '100% of the noise is dense, but apart'
    """

    points_: list[Collection]

    def __init__(self, rho_sparse: Any, rho_far: Any, n_noise: int, n_points: int) -> None:
        self.rho_sparse: FloatArray = np.asarray(rho_sparse, np.float64)
        self.rho_far: FloatArray = np.asarray(rho_far, np.float64)
        self.n_noise = n_noise
        self.n_points = n_points

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.

        Returns
        -------
        NoiseDisplay
            Computed, not drawn yet.
        """
        points = check_explanation(explanation, cls.__name__).points
        judged = points.is_noise & np.isfinite(points.rho_far)
        n_noise = int(np.count_nonzero(points.is_noise))
        return cls(points.rho_sparse[judged], points.rho_far[judged], n_noise, len(judged))

    @property
    def zones(self) -> NDArray[np.int64]:
        """The zone of each point."""
        return np.where(self.rho_far <= 0, 2, np.where(self.rho_sparse < 0, 1, 0))

    @property
    def counts(self) -> tuple[int, int, int]:
        """Number of points in each zone."""
        first, second, third = np.bincount(self.zones, minlength=3).tolist()
        return first, second, third

    @property
    def has_cells(self) -> bool:
        """Whether there are so many points that they are counted in cells."""
        return len(self.rho_far) > MOST_POINTS

    def count_cells(self, n_cells: int = CELLS) -> Cells:
        """Count the points in cells, of which none lies in two zones.

        Parameters
        ----------
        n_cells : int, default 60
            Even number of cells from -1 to 1.

        Returns
        -------
        Cells
            Those that hold points.
        """
        caller = "count_cells"
        if check_count(n_cells, "n_cells", caller, least=2, most=_MOST_CELLS) % 2:
            got = describe(n_cells)
            raise InvalidInputError(argument="n_cells", caller=caller, rule="be even", got=got)
        side = 2 / n_cells
        # A rho_far of 0 belongs to the zone below, a rho_sparse of 0 to the one on the right.
        across = np.clip(np.floor((self.rho_sparse + 1) / side), 0, n_cells - 1)
        up = np.clip(np.ceil((self.rho_far + 1) / side) - 1, 0, n_cells - 1)
        places = (across + n_cells * up).astype(np.int64)
        cells, first, counts = np.unique(places, return_index=True, return_counts=True)
        x, y = cells % n_cells * side - 1, cells // n_cells * side - 1
        return Cells(x, y, counts.astype(np.int64), self.zones[first], side)

    @property
    def title(self) -> str:
        """What most of the noise is."""
        if self.n_noise == 0:
            return "No point is noise"
        if len(self.rho_far) == 0:
            return "All points are noise, with no cluster to compare"
        most = int(np.argmax(self.counts))
        share = percent(self.counts[most] / self.n_noise)
        return f"{share} of the noise is {ZONES[most].name}"

    @property
    def facts(self) -> tuple[str, ...]:
        """How many there are, and how they are drawn."""
        words = f"{count(self.n_noise, 'noise point')} of {count(self.n_points, 'point')}"
        if len(self.rho_far) == 0:
            return (f"{words}.",)
        words += f", mean score {signed(float(self.rho_sparse.mean()))}."
        return (f"{words} Counts per cell, stronger is more.",) if self.has_cells else (words,)

    def _size(self) -> tuple[float, float]:
        return 6.4, 6.6

    def _draw(self, ax: Axes, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.points_ = ax, []
        quiet_axes(ax, grid="both", theme=look)
        ax.grid(visible=False)
        ax.fill_between([-1.03, 1.03], [-1.03, 1.03], -1.03, color=look.shade, linewidth=0)
        if self.has_cells:
            self._draw_cells(ax, look)
        else:
            self._draw_points(ax, look)
        ax.plot([-1.03, 1.03], [0, 0], color=look.ink, linewidth=1, zorder=2.5)
        ax.plot([0, 0], [0, 1.03], color=look.ink, linewidth=1, zorder=2.5)
        _name_zones(ax, look)
        _put_key(ax, self.counts, look)
        ticks = (-1, -0.5, 0, 0.5, 1)
        ax.set_xticks(ticks, [signed(tick, 1) for tick in ticks])
        ax.set_yticks(ticks, [signed(tick, 1) for tick in ticks])
        ax.set_xlim(-1.03, 1.03)
        ax.set_ylim(-1.03, 1.03)
        ax.set_aspect("equal")
        ax.tick_params(length=0, labelsize=SMALL)
        ax.spines[["left", "bottom"]].set_color(look.rule)
        label: dict[str, Any] = {"fontsize": SMALL, "color": look.faint}
        ax.set_xlabel("rho_sparse: is the place sparse enough? (the score of the point)", **label)
        ax.set_ylabel("rho_far: how far from being absorbed by a cluster?", **label)
        put_head(ax, self.title, self.facts if is_alone else (), look, width=78)

    def _draw_points(self, ax: Axes, look: Theme) -> None:
        area = float(np.clip(12000 / max(len(self.rho_far), 1), 8, 36))
        for number, zone in enumerate(ZONES):
            chosen = self.zones == number
            points = ax.scatter(
                self.rho_sparse[chosen],
                self.rho_far[chosen],
                s=area,
                c=look.zones[number],
                marker=zone.marker,
                linewidths=0,
                alpha=0.75,
                zorder=3,
                label=zone.name,
            )
            self.points_.append(points)

    def _draw_cells(self, ax: Axes, look: Theme) -> None:
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgb

        cells = self.count_cells()
        strength = 0.25 + 0.75 * np.log1p(cells.counts) / np.log1p(cells.counts.max())
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * cells.side
        squares = np.column_stack([cells.x, cells.y])[:, None] + corners
        ground = np.array(to_rgb(look.ground))
        for number, zone in enumerate(ZONES):
            chosen = cells.zones == number
            # Mixed with the ground, not translucent: neighbors would overlap at their edges.
            mixed = strength[chosen, None] * (np.array(to_rgb(look.zones[number])) - ground)
            drawn = PolyCollection(
                list(squares[chosen]), facecolors=ground + mixed, linewidths=0, label=zone.name
            )
            ax.add_collection(drawn)
            self.points_.append(drawn)


def _name_zones(ax: Axes, look: Theme) -> None:
    """The names of the zones, where they are."""
    places = ((0.52, 0.98, "center"), (-0.5, 0.98, "center"), (-0.98, -0.04, "left"))
    for zone, (x, y, side) in zip(ZONES, places, strict=True):
        box = {"facecolor": look.ground, "edgecolor": "none", "alpha": 0.75, "pad": 1}
        write: dict[str, Any] = {"ha": side, "va": "top", "fontsize": SMALL, "color": look.faint}
        ax.text(x, y, zone.name.removesuffix(" to a cluster"), bbox=box, zorder=4, **write)


def _put_key(ax: Axes, counts: tuple[int, int, int], look: Theme) -> None:
    """How many points lie in each zone, in the half where none can lie."""
    for number, (zone, n_points) in enumerate(zip(ZONES, counts, strict=True)):
        y = -0.3 - 0.19 * number
        ax.plot(0.96, y, zone.marker, color=look.zones[number], markersize=7, zorder=3)
        line: dict[str, Any] = {"ha": "right", "va": "center", "zorder": 3}
        ax.text(
            0.9,
            y,
            f"{zone.name}  {n_points:,}",
            fontsize=SMALL + 1.5,
            fontweight="bold",
            color=look.ink,
            **line,
        )
        ax.text(0.9, y - 0.075, zone.meaning, fontsize=SMALL - 0.5, color=look.faint, **line)
    ax.text(
        0.98,
        -0.98,
        "No point can lie in this half: rho_far is never below rho_sparse.",
        ha="right",
        fontsize=SMALL - 1,
        color=look.faint,
    )
