"""Whether noise points are rightly noise: how sparse their place is, and how far they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_count
from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, describe, percent
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.display import ExplanationDisplay, check_explanation
from disco_cvi.plots.style import SMALL, TICKS, Theme, put_head, quiet_axes

if TYPE_CHECKING:
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
        Place of each point's zone in `disco_cvi.plots.noise.ZONES`: 0 rightly noise,
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
        words += f", mean score {score_text(float(self.rho_sparse.mean()))}."
        return (f"{words} Counts per cell, stronger is more.",) if self.has_cells else (words,)

    def _size(self) -> tuple[float, float]:
        return 6.4, 6.6

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_ = ax
        quiet_axes(ax, grid="", look=look)
        ends = (-1.03, 1.03)
        ax.fill_between(ends, ends, -1.03, color=look.shade, linewidth=0)
        self.points_ = (self._draw_cells if self.has_cells else self._draw_points)(ax, look)
        ax.plot(ends, [0, 0], color=look.ink, linewidth=1, zorder=2.5)
        ax.plot([0, 0], [0, 1.03], color=look.ink, linewidth=1, zorder=2.5)
        _name_zones(ax, self.counts, look)
        shown = [score_text(tick, 1) for tick in TICKS]
        ax.set_xticks(TICKS, shown)
        ax.set_yticks(TICKS, shown)
        ax.set(xlim=ends, ylim=ends, aspect="equal")
        ax.tick_params(length=0, labelsize=SMALL)
        ax.spines[["left", "bottom"]].set_color(look.rule)
        across = "rho_sparse: is the place sparse enough? (the score of the point)"
        ax.set_xlabel(across, fontsize=SMALL, color=look.faint)
        up = "rho_far: how far from being absorbed by a cluster?"
        ax.set_ylabel(up, fontsize=SMALL, color=look.faint)
        put_head(ax, self.title, self.facts if is_alone else (), look, width=78)

    def _draw_points(self, ax: Any, look: Theme) -> list[Any]:
        shape = {"s": float(np.clip(12000 / max(len(self.rho_far), 1), 8, 36)), "linewidths": 0}
        drawn = []
        for number, zone in enumerate(ZONES):
            chosen = self.zones == number
            part = {"c": look.zones[number], "marker": zone.marker, "label": zone.name}
            x, y = self.rho_sparse[chosen], self.rho_far[chosen]
            drawn.append(ax.scatter(x, y, alpha=0.75, zorder=3, **part, **shape))
        return drawn

    def _draw_cells(self, ax: Any, look: Theme) -> list[Any]:
        from matplotlib.collections import PolyCollection
        from matplotlib.colors import to_rgb

        cells = self.count_cells()
        strength = 0.25 + 0.75 * np.log1p(cells.counts) / np.log1p(cells.counts.max())
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * cells.side
        squares = np.column_stack([cells.x, cells.y])[:, None] + corners
        ground = np.array(to_rgb(look.ground))
        drawn = []
        for number, zone in enumerate(ZONES):
            chosen = cells.zones == number
            # Mixed with the ground, not translucent: neighbors would overlap at their edges.
            mixed = strength[chosen, None] * (np.array(to_rgb(look.zones[number])) - ground)
            look_of_cells: dict[str, Any] = {"facecolors": ground + mixed, "linewidths": 0}
            part = PolyCollection(list(squares[chosen]), label=zone.name, **look_of_cells)
            drawn.append(ax.add_collection(part))
        return drawn


def _name_zones(ax: Any, counts: tuple[int, int, int], look: Theme) -> None:
    """The names of the zones where they are, and their counts in the half where none can lie."""
    places = ((0.52, 0.98, "center"), (-0.5, 0.98, "center"), (-0.98, -0.04, "left"))
    small = {"fontsize": SMALL, "color": look.faint}
    box = {"facecolor": look.ground, "edgecolor": "none", "alpha": 0.75, "pad": 1}
    for number, zone in enumerate(ZONES):
        x, top, side = places[number]
        name = zone.name.removesuffix(" to a cluster")
        ax.text(x, top, name, bbox=box, ha=side, va="top", zorder=4, **small)
        y = -0.3 - 0.19 * number
        ax.plot(0.96, y, zone.marker, color=look.zones[number], markersize=7, zorder=3)
        line = {"ha": "right", "va": "center", "zorder": 3}
        bold = {"fontsize": SMALL + 1.5, "fontweight": "bold", "color": look.ink}
        ax.text(0.9, y, f"{zone.name}  {counts[number]:,}", **bold, **line)
        ax.text(0.9, y - 0.075, zone.meaning, **small | {"fontsize": SMALL - 0.5}, **line)
    words = "No point can lie in this half: rho_far is never below rho_sparse."
    ax.text(0.98, -0.98, words, ha="right", **small | {"fontsize": SMALL - 1})
