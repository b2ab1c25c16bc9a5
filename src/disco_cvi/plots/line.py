"""All points as one line in the order of the density tree: valleys are groups, peaks are gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.clustering import label_points
from disco_cvi._input.options import check_count
from disco_cvi._input.points import open_points
from disco_cvi._output.letters import in_font
from disco_cvi._output.words import count, describe, percent, printable
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.plots.display import ExplanationDisplay, check_explanation, tree_of
from disco_cvi.plots.plane import usual_codes
from disco_cvi.plots.style import (
    LARGEST,
    SMALL,
    Theme,
    on_axis,
    put_head,
    quiet_axes,
    show_plain_numbers,
    size_of,
)

if TYPE_CHECKING:
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

    from disco_cvi._input.labels import Labels
    from disco_cvi.results.explanation import Explanation

# More columns than that are not told apart.
COLUMNS = 1600
# The strip of labels below the axes, in shares of their height.
_STRIP = (-0.115, -0.02)


class LineColumns(NamedTuple):
    """Neighboring points of the line, taken together.

    Attributes
    ----------
    edges : ndarray of shape (columns + 1,)
        Column i holds the points from ``edges[i]`` to before ``edges[i + 1]``.
    heights : ndarray of shape (columns,)
        The largest step of its points.
    codes : ndarray of int of shape (columns,)
        The cluster that most of them belong to, -1 for noise.
    """

    edges: NDArray[np.int64]
    heights: FloatArray
    codes: NDArray[np.int64]


class Run(NamedTuple):
    """Neighboring columns of one label, from `low` to before `high` in numbers of points."""

    low: int
    high: int
    code: int


class DensityLineDisplay(ExplanationDisplay):
    """All points in the order of the density tree, each as high as its step to the one before.

    Valleys are dense groups, peaks the gaps between them. One label over a peak joins two groups,
    two labels in one valley split a group. The strip below shows the labels, noise hatched. The
    dashed line is the bar for noise, the largest core distance of a point in a cluster: noise
    points of larger core distance score above 0. It shows points of any number of features.

    Parameters
    ----------
    steps : array-like of shape (n,)
        In the order of the line, the height at which each point meets the one before it; the first
        counts for nothing.
    codes : array-like of int of shape (n,), or None
        In the same order, the number of each point's cluster, -1 for noise; None: no labels.
    names : sequence
        The names of the clusters.
    noise_bar : float or None
        The largest core distance of a point in a cluster; None if there is none.

    Attributes
    ----------
    steps, codes, names, noise_bar
        As given.
    n_points : int
        Number of points.
    heights : ndarray of shape (n,)
        The steps as they are drawn, the first as high as the second.
    ax_, figure_
        After `plot`: where it was drawn.
    line_ : matplotlib.collections.PolyCollection
        After `plot`: the columns.
    noise_bar_ : matplotlib.lines.Line2D or None
        After `plot`: the bar for noise.

    Examples
    --------
    >>> from disco_cvi.plots import DensityLineDisplay
    >>> X = [[0], [1], [2], [10], [12], [14], [30], [31]]
    >>> labels = [0, 0, 0, 1, 1, 1, -1, -1]
    >>> display = DensityLineDisplay.from_predictions(X, labels, min_points=2)
    >>> display.steps
    array([inf,  1.,  1.,  8.,  2.,  2., 16.,  1.])
    >>> display.plot().ax_.get_title(loc="left")
    'Both clusters lie closer together than to any other'
    """

    line_: PolyCollection
    noise_bar_: Line2D | None

    def __init__(self, steps: Any, codes: Any, names: Any, noise_bar: float | None) -> None:
        self.steps: FloatArray = np.asarray(steps, np.float64)
        self.codes: NDArray[np.int64] | None = None
        if codes is not None:
            self.codes = np.asarray(codes, np.int64)
        self.names = tuple(names)
        self.noise_bar = noise_bar

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.

        Returns
        -------
        DensityLineDisplay
            Computed, not drawn yet.
        """
        facts = check_explanation(explanation, cls.__name__)
        return cls._of(tree_of(facts), facts.clustering.labels)

    @classmethod
    def from_tree(cls, tree: DensityTree, labels: Any = None, *, noise_label: Any = -1) -> Self:
        """Make the display of a tree, with labels or without.

        Parameters
        ----------
        tree : DensityTree
            The tree of the points.
        labels : array-like of shape (n,), optional
            One label per point.
        noise_label : int, str, bool or None, default -1
            The label of noise points; None: there are none.

        Returns
        -------
        DensityLineDisplay
            Computed, not drawn yet.
        """
        caller = f"{cls.__name__}.from_tree"
        if not isinstance(tree, DensityTree):
            rule, got = "be a DensityTree", describe(tree)
            raise InvalidTypeError(argument="tree", caller=caller, rule=rule, got=got)
        if labels is None:
            return cls(tree.steps, None, (), None)
        points = open_points(tree, caller, n_jobs=None, takes_tree=True)
        return cls._of(tree, label_points(points, labels, noise_label).labels)

    @classmethod
    def _of(cls, tree: DensityTree, labels: Labels) -> Self:
        clustered = tree.core_distances[labels.codes >= 0]
        bar = float(clustered.max()) if len(clustered) else None
        return cls(tree.steps, labels.codes[tree.order], labels.names, bar)

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.steps)

    @property
    def heights(self) -> FloatArray:
        """The steps as they are drawn, the first as high as the second."""
        heights = self.steps.copy()
        heights[0] = heights[1] if len(heights) > 1 else 0.0
        return heights

    @property
    def floor(self) -> float:
        """Where the logarithmic scale begins: below almost all steps; 0 if there is no scale."""
        positive = self.heights[self.heights > 0]
        return 0.9 * float(np.quantile(positive, 0.002)) if len(positive) else 0.0

    def columns(self, most: int = COLUMNS) -> LineColumns:
        """Take neighbors together, so that at most so many columns are left.

        Parameters
        ----------
        most : int, default 1600
            Number of columns; with fewer points each has a column of its own.

        Returns
        -------
        LineColumns
            Their edges, largest steps and usual labels.
        """
        n_columns = min(check_count(most, "most", "columns"), self.n_points)
        edges = np.linspace(0, self.n_points, n_columns + 1).astype(np.int64)
        heights = np.maximum.reduceat(self.heights, edges[:-1])
        if self.codes is None:
            return LineColumns(edges, heights, np.zeros(n_columns, np.int64))
        column = np.repeat(np.arange(n_columns), np.diff(edges))
        return LineColumns(edges, heights, usual_codes(column, self.codes)[1])

    def runs(self, columns: LineColumns) -> list[Run]:
        """Return the stretches of neighboring columns that have one label.

        Parameters
        ----------
        columns : LineColumns
            What `columns` returned.

        Returns
        -------
        list of Run
            From left to right.
        """
        if not isinstance(columns, LineColumns):
            rule, got = "be what columns() returned", describe(columns)
            raise InvalidTypeError(argument="columns", caller="runs", rule=rule, got=got)
        begins = np.flatnonzero(np.diff(columns.codes, prepend=-2))
        ends = np.append(begins[1:], len(columns.codes))
        return [
            Run(int(columns.edges[begin]), int(columns.edges[end]), int(columns.codes[begin]))
            for begin, end in zip(begins, ends, strict=True)
        ]

    @property
    def is_apart(self) -> NDArray[np.bool_]:
        """Of each cluster, whether its points are joined below all joins to other clusters."""
        inner, outer = np.zeros(len(self.names)), np.full(len(self.names), np.inf)
        codes = np.zeros(0, np.int64) if self.codes is None else self.codes
        places = np.flatnonzero(codes >= 0)
        if len(places) < 2:
            return np.ones(len(self.names), np.bool_)
        met = codes[places]
        # The largest step from each point of a cluster to the next one.
        gaps = np.maximum.reduceat(self.steps[: places[-1] + 1], places[:-1] + 1)
        inside = met[1:] == met[:-1]
        np.maximum.at(inner, met[1:][inside], gaps[inside])
        for side in (met[1:], met[:-1]):
            np.minimum.at(outer, side[~inside], gaps[~inside])
        n_runs = np.bincount(met[np.append(True, ~inside)], minlength=len(self.names))
        return np.asarray((n_runs == 1) & (inner < outer))

    @property
    def title(self) -> str:
        """How many clusters are dense groups apart from each other."""
        n_clusters = len(self.names)
        if self.codes is None:
            steps = np.minimum(self.heights[-max(len(self.heights) - 1, 1) :], LARGEST)
            if (middle := float(np.median(steps))) == 0:  # it adds two, which must be a float
                return "Most points are copies of others"
            widest = min(float(self.heights.max()) / middle, LARGEST)
            return f"The widest gap is {widest:.3g} times the usual step"
        if n_clusters == 0:
            return "All points are noise"
        if n_clusters == 1:
            share = percent(float((self.codes >= 0).mean()))
            return f"One cluster holds {share} of the points"
        n_apart = int(self.is_apart.sum())
        if n_apart == 0:
            return f"None of the {n_clusters:,} clusters lies closer together than to another"
        if n_apart == n_clusters:
            who = "Both" if n_clusters == 2 else f"All {n_clusters:,}"
        else:
            who = f"{n_apart:,} of {n_clusters:,}"
        return f"{who} clusters lie closer together than to any other"

    @property
    def facts(self) -> tuple[str, ...]:
        """How to read it, what the dashed line is, and what was taken together."""
        read = "Valleys are dense groups, peaks the gaps between them"
        if self.codes is not None:
            read += "; one label over a peak joins two groups, two in one valley split a group"
        lines = [f"{read}."]
        if self.noise_bar is not None:
            lines.append(
                f"Dashed: the bar for noise, {self.noise_bar:.3g}, the largest core distance of a "
                "cluster point; noise of a larger one scores above 0."
            )
        if self.n_points > COLUMNS:
            points = count(round(self.n_points / COLUMNS), "point")
            lines.append(f"Each column is the largest step of about {points}.")
        return tuple(lines)

    def _size(self) -> tuple[float, float]:
        return 9.6, 4.4

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.noise_bar_ = ax, None
        quiet_axes(ax, look=look)
        columns, floor = self.columns(), self.floor
        heights = np.clip(columns.heights, floor, LARGEST)
        self.line_ = _draw_boxes(
            ax,
            (columns.edges[:-1], columns.edges[1:], np.full(len(heights), floor), heights),
            self._hues(columns.codes, look),
            linewidths=0.3,
            rasterized=True,
        )
        ax.set_xlim(0, self.n_points)
        top = max(float(self.heights.max()), self.noise_bar or 0.0)
        if self.noise_bar is not None:
            dashes = {"linewidth": 1.1, "linestyle": (0, (4, 3)), "zorder": 3}
            self.noise_bar_ = ax.axhline(min(self.noise_bar, LARGEST), color=look.ink, **dashes)
        if floor == 0:  # no step is above 0: the scale is not logarithmic
            ax.set_ylim(0, top or 1.0)
        else:
            low, high = on_axis(min(floor, top / 1.5), 1.25 * top)
            ax.set(autoscaley_on=False, yscale="log", ylim=(low, high))
            show_plain_numbers(ax.yaxis, low, high)
        words = f"{count(self.n_points, 'point')} in the order of the density tree"
        pad = 4
        if self.codes is not None:
            self._draw_strip(ax, self.runs(columns), look)
            words, pad = f"{words}; below, their labels", 28
        ax.set_xticks([])
        ax.tick_params(length=0, labelsize=SMALL)
        ax.spines["left"].set_color(look.rule)
        ax.set_xlabel(words, labelpad=pad, fontsize=SMALL, color=look.faint)
        ax.set_ylabel("step to the point before (dc-distance)", fontsize=SMALL, color=look.faint)
        put_head(ax, self.title, self.facts if is_alone else (), look, width=128)

    def _hues(self, codes: NDArray[np.int64], look: Theme) -> NDArray[Any]:
        if self.codes is None:
            return np.full(len(codes), look.good)
        # Code -1, noise, picks the last color.
        hues = np.array([*look.labels, look.noise])
        return hues[np.where(codes < 0, -1, codes % len(look.labels))]

    def _draw_strip(self, ax: Any, runs: list[Run], look: Theme) -> None:
        """The labels below the line: names where there is space, noise hatched."""
        lows, highs, codes = (np.array(column) for column in zip(*runs, strict=True))
        hues = self._hues(codes, look)
        for chosen, hatch in ((codes >= 0, None), (codes < 0, "////")):
            bottom, top = (np.full(chosen.sum(), end) for end in _STRIP)
            place = (lows[chosen], highs[chosen], bottom, top)
            below = {"transform": ax.get_xaxis_transform(), "clip_on": False, "hatch": hatch}
            below |= {"edgecolors": look.ground, "linewidths": 0}
            _draw_boxes(ax, place, hues[chosen], **below)
        points_per_width = size_of(ax)[0] / self.n_points
        # The widest run of each label; of equals the first.
        widest: dict[int, Run] = {}
        for run in sorted(runs, key=lambda run: run.low - run.high):
            widest.setdefault(run.code, run)
        for code, run in widest.items():
            name = printable(str(self.names[code])) if code >= 0 else "noise"
            if (run.high - run.low) * points_per_width > 5 * len(name) + 1:
                ax.text(
                    (run.low + run.high) / 2,
                    sum(_STRIP) / 2,
                    in_font(name),
                    transform=ax.get_xaxis_transform(),
                    ha="center",
                    va="center_baseline",
                    color=look.ink,
                    fontsize=SMALL,
                    fontweight="bold",
                    parse_math=False,
                    bbox={"facecolor": look.ground, "edgecolor": "none", "alpha": 0.85, "pad": 1.2},
                )


def _draw_boxes(ax: Any, ends: tuple[NDArray[Any], ...], hues: NDArray[Any], **looks: Any) -> Any:
    """Draw boxes from left, right, bottom and top of each."""
    from matplotlib.collections import PolyCollection

    left, right, bottom, top = ends
    x = np.stack([left, right, right, left], axis=1)
    y = np.stack([bottom, bottom, top, top], axis=1)
    corners: Any = np.stack([x, y], axis=2).astype(np.float64)
    boxes = PolyCollection(list(corners), **{"facecolors": hues, "edgecolors": hues} | looks)
    return ax.add_collection(boxes, autolim="transform" not in looks)
