"""What DBSCAN is worth at every eps: pair score, clusters and noise above each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_choice, check_count
from disco_cvi._input.points import open_points
from disco_cvi._output.words import count, describe, from_to, percent
from disco_cvi.density_tree.paths import EpsChoice, EpsPath, SizeChoice, SizePath
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.indices.pair import WEAK
from disco_cvi.plots.display import ExplanationDisplay, check_explanation, labels_of, tree_of
from disco_cvi.plots.style import (
    SMALL,
    Theme,
    on_axis,
    put_head,
    quiet_axes,
    show_plain_numbers,
    size_of,
)
from disco_cvi.results.explanation import explain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from disco_cvi.results.explanation import Explanation

Values = Literal["score", "disco", "n_clusters", "noise_share"]
# Columns of pixels that a figure has, at most; what differs within one of them is not seen.
COLUMNS = 1000
_MOSTLY_NOISE = 0.95


# --- a path as steps ------------------------------------------------------------------------------


class Span(NamedTuple):
    """A stretch of the parameter, in rising order."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Its width on a logarithmic scale."""
        return math.log(self.high) - math.log(self.low)  # the quotient may be no float

    @property
    def middle(self) -> float:
        """Its middle on a logarithmic scale."""
        return math.sqrt(self.low) * math.sqrt(self.high)  # the product may be no float

    def share(self, value: float) -> float:
        """Where a value lies: 0 at the low end, 1 at the high end."""
        return (math.log(value) - math.log(self.low)) / self.width

    def clip(self, other: Span) -> Span:
        """The part of another stretch that lies in this one; of no width if none does."""
        low = min(max(other.low, self.low), self.high)
        return Span(low, max(low, min(other.high, self.high)))


@dataclass(frozen=True, eq=False)
class Steps:
    """The rows of a path by rising parameter.

    Attributes
    ----------
    starts : ndarray of shape (rows,)
        Where each row begins; it ends where the next one begins, the last one at `end`.
    end : float
        Infinity for eps.
    score, disco, n_clusters, noise_share : ndarray of shape (rows,)
        As in the path.
    """

    starts: FloatArray
    end: float
    score: FloatArray
    disco: FloatArray
    n_clusters: NDArray[np.int64]
    noise_share: FloatArray

    def find_view(self) -> Span:
        """The part worth looking at: from almost only noise to one cluster, and some more.

        Where DISCO of one cluster beats that of the best score, this is worth seeing as well, but
        not on more than two fifths of the width.
        """
        positive = self.starts[self.starts > 0]
        if len(positive) == 0:
            return Span(0.5, 2.0)
        ends = np.append(self.starts[1:], self.end)
        is_good = (self.n_clusters >= 2) & (self.noise_share <= _MOSTLY_NOISE)
        for chosen in (is_good, self.n_clusters >= 2, np.isfinite(self.score)):
            if chosen.any():
                break
        low = max(float(self.starts[chosen][0]), float(positive[0]) / 2)
        high = float(ends[chosen][-1])
        if math.isinf(high):
            high = max(low, float(positive[-1])) * 2
        low, high = on_axis(low, high)
        high = max(high, min(self._end_of_trap(ends, high), high * (high / low) ** 0.75))
        margin = math.exp(max(0.12 * Span(low, high).width, 0.1))
        if math.isinf(self.end):
            return Span(*on_axis(low / margin, high * margin))
        return Span(0.9 * low, min(high * margin, self.end))

    def _end_of_trap(self, ends: FloatArray, high: float) -> float:
        """Where the row above `high` ends at which DISCO of one cluster is greatest; 0: nowhere."""
        is_meant = (self.n_clusters == 1) & (self.starts >= high)
        row = int(np.where(is_meant, self.disco, -np.inf).argmax())
        is_trap = is_meant[row] and self.disco[row] > self.disco[int(self.score.argmax())]
        return float(ends[row]) if is_trap else 0.0

    def score_at(self, value: float) -> float:
        """The score of the row that a value of the parameter belongs to."""
        return float(self.score[max(int(np.searchsorted(self.starts, value, side="right")) - 1, 0)])

    def rows_in(self, view: Span) -> slice:
        """The rows of which something is in view."""
        first = int(np.searchsorted(self.starts, view.low, side="right")) - 1
        last = int(np.searchsorted(self.starts, view.high, side="left"))
        return slice(max(first, 0), max(last, first + 1, 1))

    def curve(self, values: NDArray[Any], view: Span) -> tuple[FloatArray, FloatArray]:
        """The corners of the line of some values, so few that all of them can be drawn.

        Of all rows that begin in one column of pixels the first, the last and those with the
        smallest and the greatest value remain.
        """
        rows = np.arange(len(self.starts))[self.rows_in(view)]
        starts = np.maximum(self.starts[rows], view.low)
        y = np.asarray(values, dtype=np.float64)[rows]
        if len(rows) > 4 * COLUMNS:
            kept = _thin(np.log(starts / view.low) * (COLUMNS / view.width), y)
            starts, y = starts[kept], y[kept]
        x = np.append(np.repeat(starts, 2)[1:], view.high)
        return x, np.repeat(y, 2)

    def find_runs(self, is_meant: NDArray[np.bool_], view: Span) -> list[Span]:
        """The stretches in view in which rows are meant, if they can be seen."""
        rows = self.rows_in(view)
        last = view.high if rows.stop == len(self.starts) else self.starts[rows.stop]
        bounds = np.clip(np.append(self.starts[rows], last), *view)
        edges = np.flatnonzero(np.diff(is_meant[rows], prepend=False, append=False))
        low, high = bounds[edges.reshape(-1, 2)].T
        is_seen = (np.log(high) - np.log(low)) * COLUMNS > view.width
        return [
            Span(*ends) for ends in zip(low[is_seen].tolist(), high[is_seen].tolist(), strict=True)
        ]


def _thin(places: FloatArray, y: FloatArray) -> NDArray[np.int64]:
    """Rows that are seen, of rows at rising places in units of columns."""
    columns = places.astype(np.int64)
    first = np.flatnonzero(np.diff(columns, prepend=-1))
    ends = np.append(first[1:], len(y))
    kept = [first, ends - 1]
    for extreme in (np.fmin, np.fmax):  # these pass over what is no number
        rows = np.flatnonzero(y == np.repeat(extreme.reduceat(y, first), ends - first))
        kept.append(rows[np.flatnonzero(np.diff(columns[rows], prepend=-1))])
    return np.unique(np.concatenate(kept))


# --- the display ----------------------------------------------------------------------------------


class EpsCurveDisplay(ExplanationDisplay):
    """Which eps? The pair score of DBSCAN, its clusters and its noise at every eps.

    The best eps with two clusters or more is marked, and the range that is almost as good. Where
    there are fewer than two clusters the ground is grey and DISCO, which asks another question
    there, is dotted: its maximum is no choice. A path of HDBSCAN's min_cluster_size is drawn alike.

    Parameters
    ----------
    path : EpsPath or SizePath
        What `DensityTree.eps_path` or `DensityTree.size_path` returns.
    of_labels : float, optional
        The pair score of labels to compare with, drawn as a level.
    chosen : float, optional
        The value of the parameter that somebody chose, drawn as an upright line.

    Attributes
    ----------
    path, of_labels, chosen
        As given.
    suggestion : Suggestion or None
        What is marked instead of the best row, if the display was made of a suggestion.
    steps : Steps
        The rows of the path by rising parameter.
    view : Span
        The part of the parameter that is worth looking at, from `low` to `high`.
    good : Span or None
        The part of it that scores within 5 % of the best; None if nothing scores above 0.
    best : EpsChoice or SizeChoice
        The best row, by the pair score.
    ax_, axes_, figure_
        After `plot`: the axes of the scores, all axes, the figure.
    chosen_ : list of matplotlib.lines.Line2D
        After `plot`: the line at what was chosen, in each of the axes.

    Examples
    --------
    >>> from disco_cvi import DensityTree
    >>> from disco_cvi.plots import EpsCurveDisplay
    >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [12], [40], [41]], min_points=2)
    >>> display = EpsCurveDisplay.from_path(tree.eps_path())
    >>> display.best.eps, display.best.n_clusters
    (4.5, 3)
    >>> display.plot().ax_.get_title(loc="left")
    'DBSCAN tells 3 clusters apart best at eps 4.5'
    """

    axes_: list[Axes]
    chosen_: list[Line2D]

    def __init__(
        self,
        path: EpsPath | SizePath,
        of_labels: float | None = None,
        chosen: float | None = None,
    ) -> None:
        self.path = path
        self.of_labels = of_labels
        self.chosen = chosen
        self.suggestion: Any = None

    @classmethod
    def from_path(cls, path: EpsPath | SizePath) -> Self:
        """Make the display of a path.

        Parameters
        ----------
        path : EpsPath or SizePath
            What `DensityTree.eps_path` or `DensityTree.size_path` returns.

        Returns
        -------
        EpsCurveDisplay
            Computed, not drawn yet.
        """
        if not isinstance(path, EpsPath | SizePath):
            raise InvalidTypeError(
                argument="path",
                caller=f"{cls.__name__}.from_path",
                rule="be an EpsPath or a SizePath",
                got=describe(path),
                remedy="DensityTree.eps_path() and DensityTree.size_path() make them.",
            )
        return cls(path)

    @classmethod
    def from_suggestion(cls, suggestion: Any) -> Self:
        """Make the display of what was suggested, on the path that it was chosen from.

        Parameters
        ----------
        suggestion : Suggestion
            What `disco_cvi.suggest` returns.

        Returns
        -------
        EpsCurveDisplay
            Computed, not drawn yet.
        """
        if not hasattr(suggestion, "tree") or not hasattr(suggestion, "algorithm"):
            raise InvalidTypeError(
                argument="suggestion",
                caller=f"{cls.__name__}.from_suggestion",
                rule="be a Suggestion",
                got=describe(suggestion),
                remedy="disco_cvi.suggest(X) makes one.",
            )
        if suggestion.algorithm == "dbscan":
            display = cls(suggestion.tree.eps_path())
        else:
            method = suggestion.parameters["cluster_selection_method"]
            display = cls(suggestion.tree.size_path(method=method))
        display.suggestion = suggestion
        return display

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> Self:
        """Make the display of the points that were explained, their labels as a level.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.

        Returns
        -------
        EpsCurveDisplay
            Computed, not drawn yet.
        """
        facts = check_explanation(explanation, cls.__name__)
        return cls(tree_of(facts).eps_path(), facts.pair_score)

    @classmethod
    def from_predictions(cls, X: Any, labels: Any = None, **options: Any) -> Self:
        """Make the display of points, and of labels as a level if there are any.

        Parameters
        ----------
        X : array-like of shape (n, d), or DensityTree
            The points, or their tree.
        labels : array-like of shape (n,), optional
            One label per point.
        **options : Any
            What `explain` takes besides: min_points, metric, metric_params, noise_label, n_jobs.

        Returns
        -------
        EpsCurveDisplay
            Computed, not drawn yet.
        """
        if labels is not None:
            return cls.from_explanation(explain(X, labels, **options))
        min_points = options.get("min_points")
        options.pop("noise_label", None)
        known = {"n_jobs": None, "takes_tree": True, "is_shared": True, **options}
        points = open_points(X, f"{cls.__name__}.from_predictions", **known)
        return cls(density_tree_of(points, min_points).eps_path())

    @classmethod
    def from_estimator(cls, clusterer: Any, X: Any, **options: Any) -> Self:
        """Make the display of points and of what a clusterer found in them.

        Parameters
        ----------
        clusterer : object
            A clusterer, as for the other displays. The eps of DBSCAN is drawn as an upright line,
            and its min_samples, or its min_points, are the default of `min_points`.
        X : array-like of shape (n, d)
            The points.
        **options : Any
            As for `from_predictions`.

        Returns
        -------
        EpsCurveDisplay
            Computed, not drawn yet.
        """
        labels = labels_of(clusterer, X, cls.__name__)
        # What it found by itself, where it was not told.
        eps = getattr(clusterer, "eps_", getattr(clusterer, "eps", None))
        if eps is not None and not isinstance(X, DensityTree):
            own = getattr(clusterer, "min_points", getattr(clusterer, "min_samples", None))
            options.setdefault("min_points", own)
        display = cls.from_predictions(X, labels, **options)
        if eps is not None:
            best = display.best
            assert isinstance(best, EpsChoice)
            display.chosen = best.eps if eps == "auto" else float(eps)
        return display

    @cached_property
    def steps(self) -> Steps:
        """The rows of the path by rising parameter."""
        path = self.path
        rows: tuple[Any, ...] = (path.score, path.disco, path.n_clusters, path.noise_share)
        if isinstance(path, SizePath):
            return Steps(path.min_cluster_size.astype(np.float64), path.n_points + 1.0, *rows)
        return Steps(path.eps[::-1], math.inf, *(values[::-1] for values in rows))

    @cached_property
    def view(self) -> Span:
        """The part of the parameter that is worth looking at."""
        return self.steps.find_view()

    @property
    def good(self) -> Span | None:
        """The part of the view that scores within 5 % of the best; None: nothing is above 0."""
        if self.best.score <= 0:
            return None
        low, high = self.path.stretch(0.95)
        return self.view.clip(Span(low, high if isinstance(self.path, EpsPath) else high + 1))

    @cached_property
    def best(self) -> EpsChoice | SizeChoice:
        """The best row, by the pair score."""
        return self.path.best

    def curve(self, values: Values = "score") -> tuple[FloatArray, FloatArray]:
        """Return the corners of a line of steps, so few that all of them can be drawn.

        Parameters
        ----------
        values : {"score", "disco", "n_clusters", "noise_share"}, default "score"
            What the line shows.

        Returns
        -------
        tuple of two ndarray
            Values of the parameter in view, and what is shown there.
        """
        check_choice(values, get_args(Values), "values", "curve")
        return self.steps.curve(getattr(self.steps, values), self.view)

    def stretches(self, n_clusters: int) -> list[Span]:
        """Return the stretches in view that have a number of clusters, 0 for noise alone.

        Parameters
        ----------
        n_clusters : int
            Number of clusters.

        Returns
        -------
        list of Span
            Those that are wide enough to be seen.
        """
        n_clusters = check_count(n_clusters, "n_clusters", "stretches", least=0)
        return self.steps.find_runs(self.steps.n_clusters == n_clusters, self.view)

    # --- words

    @property
    def title(self) -> str:
        """Where the most is told apart, or what is suggested."""
        program, parameter = self._names
        found = self._found
        if found.score <= 0:
            return f"{program} tells no two clusters apart at any {parameter}"
        clusters = count(found.n_clusters, "cluster")
        if found is self.best:
            return f"{program} tells {clusters} apart best at {self._place}"
        if found.null is not None and found.null.verdict == "no more":
            return "Perhaps there is nothing to find: data without clusters reach as much"
        return f"Suggested: {clusters} by {program} at {self._place}"

    @property
    def facts(self) -> tuple[str, ...]:
        """How many results there are, how wide the best range is, and what was chosen."""
        facts = [f"{count(len(self.path), 'different result')}."]
        if self.best.score > 0:
            facts[0] += f" {self._range_words()}"
            if self.best.score < WEAK:
                facts.append("Weak: below a pair score of 0.1 groups are hardly apart.")
        if self._found is self.suggestion and (second := self.suggestion.second) is not None:
            found = f"{second.call}, {count(second.n_clusters, 'cluster')}"
            agreement = f"adjusted Rand index {self.suggestion.agreement:.2f}"
            facts.append(f"Second opinion: {found}; {agreement}.")
        if self.chosen is not None and not self._sees_chosen():
            chosen = f"The {self._names[1]} that was chosen, {self.chosen:.4g},"
            facts.append(f"{chosen} is out of view.")
        return tuple(facts)

    @property
    def _found(self) -> Any:
        """What is marked: the suggestion if it is above 0, else the best row."""
        suggestion = self.suggestion
        return self.best if suggestion is None or suggestion.score <= 0 else suggestion

    @property
    def _value(self) -> float:
        """The value of the parameter that is marked."""
        if self._found is self.suggestion:
            value: float = self.suggestion.parameters[self._names[1]]
        else:
            value = getattr(self.best, self._names[1])
        return value

    @property
    def _place(self) -> str:
        value = self._value
        return f"{self._names[1]} {f'{value:,}' if isinstance(value, int) else f'{value:.4g}'}"

    @property
    def _names(self) -> tuple[str, str]:
        """The program and its parameter."""
        if isinstance(self.path, EpsPath):
            return "DBSCAN", "eps"
        return f"HDBSCAN ({self.path.method})", "min_cluster_size"

    def _range_words(self) -> str:
        low, high = self.path.stretch(0.95)
        if low == high:
            return f"No other {self._names[1]} scores within 5% of the best."
        if isinstance(self.path, SizePath):
            span = f"from {low:,} to {high:,}"
        else:
            span = from_to(low, None if math.isinf(high) else high)
        return f"Any {self._names[1]} {span} scores within 5% of the best."

    def _sees_chosen(self) -> bool:
        return self.chosen is not None and self.view.low <= self.chosen <= self.view.high

    # --- drawing

    def _size(self) -> tuple[float, float]:
        return 7.6, 5.8

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.axes_, self.chosen_ = ax, [ax], []
        ax.set_xscale("log")
        ax.set_xlim(self.view)
        if is_alone:
            self.axes_ += self._draw_counts(ax, look)
        greys = [*self.stretches(0), *self.stretches(1)]
        for panel in self.axes_:
            for run in greys:
                panel.axvspan(*run, color=look.shade, linewidth=0, zorder=0)
            if self.good is not None:
                panel.axvspan(*self.good, color=look.pair, alpha=0.15, linewidth=0, zorder=0.5)
        self._draw_scores(ax, look)
        self._name_greys(ax, look)
        if self.good is not None:
            self._mark(ax, self._name_good(ax, self.good, look), look)
        if self.chosen is not None and self._sees_chosen():
            self._draw_chosen(self.chosen, look, height=0.86 if is_alone else 0.06)
        self._finish(look, is_alone=is_alone)
        title = self.title
        if not is_alone:
            title = "no two clusters told apart"
            if self._found.score > 0:
                title = f"{count(self._found.n_clusters, 'cluster')} at {self._place}"
                title = title if self._found is self.best else f"suggested: {title}"
        put_head(ax, title, self.facts if is_alone else (), look)

    def _draw_counts(self, ax: Any, look: Theme) -> list[Any]:
        """Number of clusters and share of noise, in axes of their own below the scores."""
        grid = ax.figure.add_gridspec(3, 1, height_ratios=[3, 1, 1])
        ax.set_subplotspec(grid[0])
        clusters, noise = (ax.figure.add_subplot(grid[row], sharex=ax) for row in (1, 2))
        x, y = self.curve("n_clusters")
        clusters.plot(x, y, color=look.ink, linewidth=1.2)
        # A logarithmic scale that has a 0.
        clusters.set_yscale("symlog", linthresh=1, linscale=0.6)
        most = max(int(y.max()), 2)
        clusters.set_ylim(-0.1, most * 1.25)
        powers = [10**k for k in range(len(str(most)))]
        some = [power * digit for power in powers for digit in (1, 2, 5)]
        ticks = [0, *(tick for tick in (some if most <= 50 else powers) if tick <= most)]
        clusters.set_yticks(ticks, [f"{tick:,}" for tick in ticks], fontsize=SMALL - 1)
        clusters.minorticks_off()
        clusters.set_ylabel("clusters")
        x, y = self.curve("noise_share")
        noise.fill_between(x, y, color=look.noise, alpha=0.6, linewidth=0)
        noise.set_ylim(0, 1)
        noise.set_yticks([0, 0.5, 1], ["0%", "50%", "100%"])
        noise.set_ylabel("noise")
        return [clusters, noise]

    def _draw_scores(self, ax: Any, look: Theme) -> None:
        """The lines, their names, and space above them for the name of the best."""
        from matplotlib.ticker import MaxNLocator

        steps, view = self.steps, self.view
        ax.axhline(0, color=look.ink, linewidth=0.8, zorder=1.5)
        x, y = self.curve("score")
        ax.plot(x, y, color=look.pair, linewidth=2.2, zorder=3)
        ends = [(float(y[-1]), "pair score", look.pair)]
        shown = [y, np.zeros(1)]
        # Of noise alone DISCO says nothing, of one cluster it says something else.
        for is_meant, line in ((steps.n_clusters > 1, "-"), (steps.n_clusters == 1, ":")):
            x, y = steps.curve(np.where(is_meant, steps.disco, np.nan), view)
            ax.plot(x, y, line, color=look.disco, linewidth=1.0, zorder=2.5)
            shown.append(y[np.isfinite(y)])
        rows = steps.rows_in(view)
        drawn = steps.disco[rows][steps.n_clusters[rows] > 0]
        if len(drawn):
            ends.append((float(drawn[-1]), "DISCO", look.disco))
        null = None if self.suggestion is None else self.suggestion.null
        reach = None if null is None else float(null.reach)
        levels = {"data without\nclusters": reach, "these labels": self.of_labels}
        for (name, level), dashes in zip(levels.items(), ("--", "-."), strict=True):
            if level is not None:
                ax.axhline(level, color=look.ink, linewidth=0.9, linestyle=dashes, zorder=2)
                ends.append((level, f"{name}: {level:z.3f}", look.ink))
                shown.append(np.array([level]))
        # Limits that leave space above all lines, for a label of three lines.
        y = np.concatenate(shown)
        low, high = float(y.min()), max(float(y.max()), WEAK)
        share = min(6 * SMALL / size_of(ax)[1], 0.5)
        height = 1.06 * (high - low) / (1 - share)
        ax.set_ylim(high - height * (1 - share), high + height * share)
        ticks = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
        ax.set_yticks([tick for tick in ticks if low <= tick <= 1.02 * high])
        _name_lines(ax, ends)

    def _name_good(self, ax: Any, good: Span, look: Theme) -> str:
        """Name the shaded stretch or, without space, return words for the label of the best."""
        null = None if self.suggestion is None else self.suggestion.null
        low, high = max(0.0 if null is None else null.reach, 0.0), self._height
        bottom, top = ax.get_ylim()
        width, height = size_of(ax)
        is_wide = good.width * width > 110 * self.view.width
        if not is_wide or (high - low) * height <= 30 * (top - bottom):
            return "\nshaded: within 5% of it"
        _write(ax, good.middle, (low + high) / 2, "within 5% of the best", look.pair)
        return ""

    def _name_greys(self, ax: Any, look: Theme) -> None:
        """Say what the widest grey stretches are."""
        low, high = ax.get_ylim()
        for n_clusters, name in ((0, "only\nnoise"), (1, "one\ncluster")):
            widest = max(self.stretches(n_clusters), key=lambda run: run.width, default=None)
            if widest is None or widest.width * size_of(ax)[0] < 38 * self.view.width:
                continue
            row = int(np.searchsorted(self.steps.starts, widest.middle, side="right")) - 1
            # Away from DISCO, which may be anywhere there.
            height = (float(self.steps.disco[row]) - low) / (high - low) if n_clusters else 0.0
            y = low + (0.16 if height > 0.3 else 0.45) * (high - low)
            _write(ax, widest.middle, y, name, look.faint, look.shade)

    @property
    def _height(self) -> float:
        """The score of the path at the value that is marked."""
        return self.steps.score_at(self._value)

    def _mark(self, ax: Any, more: str, look: Theme) -> None:
        """A dot on the line, and what it is in the space above all lines, as near as can be."""
        found = self._found
        what = "best" if found is self.best else "suggested"
        label = f"{what}: {count(found.n_clusters, 'cluster')}, {percent(found.noise_share)} noise"
        label += f"\npair score {found.score:.3f} at {self._place}{more}"
        # An eps of 0, which copies of points may ask for, has no place on a logarithmic axis.
        x, y = min(max(self._value, self.view.low), self.view.high), self._height
        ax.plot([x], [y], "o", color=look.pair, markersize=7, zorder=4)
        width = size_of(ax)[0]
        needed = 5.1 * max(map(len, label.split("\n")))
        place = self.view.share(x) * width
        left = max(min(place - needed / 2, width - needed), 0.0)
        relative = (min((place - left) / needed, 1.0), 0)
        arrow = {"arrowstyle": "-", "color": look.faint, "linewidth": 0.8, "shrinkB": 4}
        ax.annotate(
            label,
            (x, y),
            xytext=(left / width, 0.97),
            textcoords="axes fraction",
            va="top",
            fontsize=SMALL + 0.5,
            color=look.ink,
            bbox=_box(look.ground, 0.25),
            arrowprops={"relpos": relative, **arrow},
            zorder=5,
        )

    def _draw_chosen(self, x: float, look: Theme, *, height: float) -> None:
        """An upright line at what was chosen."""
        color = look.zones[2]
        for panel in self.axes_:
            self.chosen_.append(panel.axvline(x, color=color, linewidth=1.3, zorder=2.8))
        beside = {"textcoords": "offset points", "xytext": (5, 0), "va": "center", "zorder": 4}
        place = {"xy": (x, height), "xycoords": ("data", "axes fraction"), **beside}
        text: Any = {"fontsize": SMALL, "color": color, "bbox": _box(look.ground, 0.1), **place}
        self.axes_[-1].annotate(f"chosen: {x:.4g}", **text)

    def _finish(self, look: Theme, *, is_alone: bool) -> None:
        """Scales and names of the axes."""
        last = self.axes_[-1]
        program, parameter = self._names
        for panel in self.axes_:
            quiet_axes(panel, look=look)
            panel.spines[["left", "bottom"]].set_color(look.rule)
            panel.tick_params(labelbottom=panel is last, length=2)
        show_plain_numbers(last.xaxis, *last.get_xlim())
        self.axes_[0].set_ylabel("score")
        note = ", logarithmic" if is_alone else ""
        if isinstance(self.path, EpsPath) and is_alone:
            note += "; border points count as noise"
        last.set_xlabel(f"{parameter} of {program}{note}")


def _name_lines(ax: Any, ends: list[tuple[float, str, str]]) -> None:
    """Names to the right of where the lines end, not over each other."""
    low, high = ax.get_ylim()
    line = 1.35 * SMALL * (high - low) / size_of(ax)[1]
    floor = -math.inf
    beside = {"xytext": (4, 0), "textcoords": "offset points", "annotation_clip": False}
    for y, name, color in sorted(ends):
        half = line * (1 + name.count("\n")) / 2
        middle = max(y, floor + half)
        floor = middle + half
        place = {"xycoords": ("axes fraction", "data"), "va": "center", **beside}
        ax.annotate(name, (1, middle), color=color, fontsize=SMALL, **place)


def _write(ax: Any, x: float, y: float, text: str, color: str, back: str = "none") -> None:
    """A name in the middle of a stretch."""
    look = {"color": color, "fontsize": SMALL, "bbox": _box(back, 0.1, 1.0), "zorder": 2.2}
    ax.text(x, y, text, ha="center", va="center", **look)


def _box(color: str, pad: float, alpha: float = 0.85) -> dict[str, Any]:
    """A box behind text."""
    look = {"facecolor": color, "edgecolor": "none", "alpha": alpha}
    return {"boxstyle": f"square,pad={pad}", **look}
