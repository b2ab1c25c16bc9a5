"""Labelings of the same points beside each other: a map, the scores of points, the facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.clustering import label_points
from disco_cvi._input.options import check_named
from disco_cvi._input.points import open_points
from disco_cvi._output.letters import in_font
from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, describe, percent, printable
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.plots.display import Display, check_explanation, labels_of
from disco_cvi.plots.maps import MANY_POINTS, frame_map, scatter_labels, show_label_pixels
from disco_cvi.plots.plane import Plane, find_pixels, plane_of
from disco_cvi.plots.style import SMALL, TICKS, Theme, put_head, quiet_axes, score_colors
from disco_cvi.results.explanation import Explanation, explain_clustering

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from disco_cvi.results.comparison import Comparison

BINS = 80
# Colors of more pairs of clusters than that are not matched: nobody could tell them apart.
_MOST_PAIRS = 1_000_000


@dataclass(frozen=True, eq=False)
class ComparisonRow:
    """One labeling.

    Attributes
    ----------
    name : str
        Of the labeling.
    score, pair_score : float
        DISCO and the pair score.
    codes : ndarray of int of shape (n,)
        The number of each point's cluster, -1 for noise.
    names : tuple
        The names of the clusters.
    hues : tuple of int
        The place of each cluster in the order of colors: clusters that hold mostly the same points
        have the same one in all rows.
    counts, noise_counts : ndarray of int of shape (80,)
        How many points of clusters, and of the noise, score from -1 to 1 in steps of 0.025.
    share_negative : float
        Share of all points that score below 0.
    """

    name: str
    score: float
    pair_score: float
    codes: NDArray[np.int64]
    names: tuple[Any, ...]
    hues: tuple[int, ...]
    counts: NDArray[np.int64]
    noise_counts: NDArray[np.int64]
    share_negative: float

    @property
    def noise_share(self) -> float:
        """Share of the points that are noise."""
        return float((self.codes < 0).mean())


class ComparisonDisplay(Display):
    """Labelings of the same points, the best first.

    Each row shows a small map, how the scores of its points spread (square roots of the counts, so
    that few points are seen beside many; noise hatched) with DISCO, their mean, and the facts. The
    order is that of the pair score, which is made for choosing. Colors in the maps follow the first
    labeling: clusters that share most points have the same color.

    Parameters
    ----------
    rows : sequence of ComparisonRow
        From top to bottom.
    plane : Plane or None
        Where the points are; None: without maps.

    Attributes
    ----------
    rows, plane
        As given.
    n_points : int
        Number of points.
    ax_, figure_
        After `plot`: the axes that hold all others, the figure.
    axes_ : list of matplotlib.axes.Axes
        After `plot`: the histograms, one per labeling.
    maps_ : list of matplotlib.axes.Axes
        After `plot`: the maps, one per labeling.

    Examples
    --------
    >>> from disco_cvi.plots import ComparisonDisplay
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9]]
    >>> labelings = {"mixed": [0, 1, 0, 1, 0, 1, 0, 1], "sides": [0, 0, 0, 0, 1, 1, 1, 1]}
    >>> display = ComparisonDisplay.from_predictions(X, labelings, min_points=3)
    >>> [(row.name, round(row.score, 3)) for row in display.rows]
    [('sides', 0.899), ('mixed', -0.214)]
    >>> display.plot().ax_.get_title(loc="left")
    'sides is the best of 2 labelings: pair score 0.449'
    """

    axes_: list[Axes]
    maps_: list[Axes]

    def __init__(self, rows: Any, plane: Plane | None) -> None:
        self.rows: tuple[ComparisonRow, ...] = tuple(rows)
        self.plane = plane

    @classmethod
    def from_predictions(
        cls,
        X: Any,
        labels: Mapping[str, Any],
        *,
        embedding: Any = None,
        noise_label: Any = -1,
        **options: Any,
    ) -> Self:
        """Make the display of points and several labelings.

        Parameters
        ----------
        X : array-like of shape (n, d), or DensityTree
            The points, or their tree: then there are no maps without an embedding.
        labels : mapping of str to array-like of shape (n,)
            Labelings by name.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand in the maps.
        noise_label : int, str, bool or None, default -1
            The label of noise in all labelings; None: there is none.
        **options : Any
            What `explain` takes besides: min_points, metric, metric_params, n_jobs.

        Returns
        -------
        ComparisonDisplay
            Computed, not drawn yet.
        """
        caller = f"{cls.__name__}.from_predictions"
        named = check_named(labels, "labels", caller)
        known = {"n_jobs": None, "takes_tree": True, "is_shared": True, **options}
        points = open_points(X, caller, **known)
        explanations = {
            name: explain_clustering(
                label_points(points, column, noise_label, argument=f"labels[{name!r}]"),
                options.get("min_points"),
            )
            for name, column in named.items()
        }
        return cls.from_explanation(explanations, embedding=embedding)

    @classmethod
    def from_estimator(cls, clusterer: Any, X: Any, **options: Any) -> Self:
        """Make the display of what several clusterers found.

        Parameters
        ----------
        clusterer : mapping of str to object, or object
            Clusterers by name, or a single one; as for the other displays.
        X : array-like of shape (n, d)
            The points.
        **options : Any
            As for `from_predictions`.

        Returns
        -------
        ComparisonDisplay
            Computed, not drawn yet.
        """
        named = _by_name(clusterer, type(clusterer).__name__)
        labels = {name: labels_of(one, X, cls.__name__) for name, one in named.items()}
        return cls.from_predictions(X, labels, **options)

    @classmethod
    def from_explanation(
        cls, explanation: Explanation | Mapping[str, Explanation], *, embedding: Any = None
    ) -> Self:
        """Make the display of explanations.

        Parameters
        ----------
        explanation : mapping of str to Explanation, or Explanation
            What `explain` returned of labelings of the same points, by name, or of a single one.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand in the maps.

        Returns
        -------
        ComparisonDisplay
            Computed, not drawn yet.
        """
        caller = f"{cls.__name__}.from_explanation"
        named = check_named(_by_name(explanation, "labels"), "explanation", caller)
        explanations = {name: check_explanation(one, cls.__name__) for name, one in named.items()}
        sizes = sorted({len(each.points.score) for each in explanations.values()})
        if len(sizes) > 1:
            rule, got = "be of the same points", f"explanations of {sizes[0]} and {sizes[1]} points"
            raise InvalidInputError(argument="explanation", caller=caller, rule=rule, got=got)
        points = next(iter(explanations.values())).clustering.points
        known = None if points.metric.name == "precomputed" else points.given
        plane = None
        if known is not None or embedding is not None:
            plane = plane_of(known, embedding, cls.__name__, points.n_points)
        return cls(_make_rows(explanations), plane)

    @classmethod
    def from_comparison(cls, comparison: Comparison, *, embedding: Any = None) -> Self:
        """Make the display of a comparison.

        Parameters
        ----------
        comparison : Comparison
            What `compare` returned.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand in the maps.

        Returns
        -------
        ComparisonDisplay
            Computed, not drawn yet.
        """
        evaluations = getattr(comparison, "evaluations", {})
        if not evaluations or any(each.clustering is None for each in evaluations.values()):
            raise InvalidInputError(
                argument="comparison",
                caller=f"{cls.__name__}.from_comparison",
                rule="be what compare returned, which remembers its points",
                got=describe(comparison),
            )
        explanations = {
            name: explain_clustering(each.clustering, each.min_points)
            for name, each in evaluations.items()
        }
        return cls.from_explanation(explanations, embedding=embedding)

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.rows[0].codes)

    @property
    def title(self) -> str:
        """Which labeling is the best."""
        best = self.rows[0]
        score = f"pair score {score_text(best.pair_score)}"
        if len(self.rows) == 1:
            return f"{_shorten(best.name)}: {score}"
        if best.pair_score <= 0:
            return f"None of {len(self.rows)} labelings is better than no clusters"
        return f"{_shorten(best.name)} is the best of {len(self.rows)} labelings: {score}"

    @property
    def facts(self) -> tuple[str, ...]:
        """How to read it."""
        order = ", best pair score first" if len(self.rows) > 1 else ""
        points = count(self.n_points, "point")
        read = "scores as square roots of counts, noise hatched; stroke: DISCO, their mean."
        lines = [f"{points}{order}; {read}"]
        if self.plane is not None:
            alike = "Clusters that share most points have one color." if len(self.rows) > 1 else ""
            drawn = "Pixels have the usual label." if self.n_points >= MANY_POINTS else ""
            lines.append(" ".join(filter(None, (self.plane.note, alike, drawn))))
        return tuple(line for line in lines if line)

    def _size(self) -> tuple[float, float]:
        return 11.0, 1.0 + 1.45 * len(self.rows)

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.axes_, self.maps_ = ax, [], []
        ax.set_axis_off()
        height = 1 / len(self.rows)
        for place, row in enumerate(self.rows):
            bottom = 1 - (place + 1) * height
            if self.plane is not None:
                self.maps_.append(ax.inset_axes((0, bottom, 0.19, 0.88 * height)))
                _draw_map(self.maps_[-1], self.plane, row, look)
            self.axes_.append(ax.inset_axes((0.215, bottom, 0.56, 0.88 * height)))
            _draw_scores(self.axes_[-1], row, look)
            _write_facts(ax, (0.8, bottom + 0.88 * height), row, look)
        for middle in self.axes_[:-1]:
            middle.tick_params(labelbottom=False)
        self.axes_[-1].set_xlabel("score of a point", fontsize=SMALL, color=look.faint)
        put_head(ax, self.title, self.facts if is_alone else (), look, width=130)


def _draw_map(ax: Any, plane: Plane, row: ComparisonRow, look: Theme) -> None:
    xy = plane.xy
    frame_map(ax, plane, look, has_names=False)
    if len(xy) < MANY_POINTS:
        size = float(np.clip(4000 / len(xy), 0.7, 10))
        scatter_labels(ax, xy, row.codes, row.names, look, hues=row.hues, size=size)
    else:
        show_label_pixels(ax, find_pixels(xy, 220, 160), row.codes, look, row.hues)


def _draw_scores(ax: Any, row: ComparisonRow, look: Theme) -> None:
    """How the scores spread: clusters in the colors of scores, noise hatched on top of them."""
    quiet_axes(ax, grid="", look=look)
    middles = (np.arange(BINS) + 0.5) * 2 / BINS - 1
    n_points = len(row.codes)
    low = np.sqrt(row.counts / n_points)
    high = np.sqrt((row.counts + row.noise_counts) / n_points)
    bars = {"width": 2 / BINS, "linewidth": 0}
    ax.bar(middles, low, color=score_colors(look)((middles + 1) / 2), **bars)
    noise = {"facecolor": look.shade, "edgecolor": look.noise, "hatch": "/////"}
    ax.bar(middles, high - low, bottom=low, **noise, **bars)
    ax.axvline(0, color=look.ink, linewidth=0.8)
    ax.plot([row.score] * 2, [0, 0.84], color=look.ink, linewidth=2.2)
    bold = {"fontsize": SMALL + 1.5, "fontweight": "bold", "color": look.ink}
    ax.text(row.score, 0.86, score_text(row.score), ha="center", va="bottom", **bold)
    ax.set(xlim=(-1, 1), ylim=(0, 1.08), yticks=[])
    ax.spines["left"].set_visible(False)
    ax.spines["bottom"].set_color(look.rule)
    ax.set_xticks(TICKS, [score_text(tick, 1) for tick in TICKS])
    ax.tick_params(length=0, labelsize=SMALL)


def _write_facts(ax: Any, place: tuple[float, float], row: ComparisonRow, look: Theme) -> None:
    name, bold = in_font(_shorten(row.name)), {"fontsize": 10.5, "fontweight": "bold"}
    place_of_name = {"transform": ax.transAxes, "va": "top", "parse_math": False}
    ax.text(*place, name, color=look.ink, **bold, **place_of_name)
    words = (
        f"pair score {score_text(row.pair_score)}, DISCO {score_text(row.score)}\n"
        f"{count(len(row.names), 'cluster')}, {percent(row.noise_share)} noise\n"
        f"{percent(row.share_negative)} of points below 0"
    )
    below = {"xycoords": "axes fraction", "xytext": (0, -19), "textcoords": "offset points"}
    small = {"fontsize": SMALL, "linespacing": 1.4, "color": look.faint}
    ax.annotate(words, place, va="top", **below, **small)


def _shorten(name: str) -> str:
    return name if len(name) <= 26 and name.isprintable() and name.strip() else printable(name)


def _by_name(given: Any, name: str) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {name: given}


def _make_rows(explanations: Mapping[str, Explanation]) -> list[ComparisonRow]:
    """Rows of the labelings, the best first; equals in the order in which they were given."""
    order = sorted(
        explanations, key=lambda name: (-explanations[name].pair_score, -explanations[name].score)
    )
    first = explanations[order[0]].clustering.labels.codes
    return [_make_row(name, explanations[name], first) for name in order]


def _make_row(name: str, explanation: Explanation, first: NDArray[np.int32]) -> ComparisonRow:
    labels, scores = explanation.clustering.labels, explanation.points.score
    places = np.minimum(((scores + 1) * (BINS / 2)).astype(np.int64), BINS - 1)
    noise = labels.codes < 0
    return ComparisonRow(
        name=name,
        score=explanation.score,
        pair_score=explanation.pair_score,
        codes=labels.codes.astype(np.int64),
        names=labels.names,
        hues=match_hues(labels.codes, first),
        counts=np.bincount(places[~noise], minlength=BINS),
        noise_counts=np.bincount(places[noise], minlength=BINS),
        share_negative=float((scores < 0).mean()),
    )


def match_hues(codes: NDArray[np.int32], first: NDArray[np.int32]) -> tuple[int, ...]:
    """The color of each cluster: that of a cluster of the first labeling that shares its points.

    The sum of shared points is the greatest that is possible when each color is given once; a
    cluster that shares no point has a color that is left.
    """
    from scipy.optimize import linear_sum_assignment

    n_clusters, n_first = int(codes.max()) + 1, int(first.max()) + 1
    if n_clusters * n_first > _MOST_PAIRS:
        return tuple(range(n_clusters))
    both = (codes >= 0) & (first >= 0)
    shared = np.zeros((n_clusters, n_first))
    np.add.at(shared, (codes[both], first[both]), 1)
    pairs = zip(*linear_sum_assignment(shared, maximize=True), strict=True)
    matched = {int(mine): int(other) for mine, other in pairs if shared[mine, other] > 0}
    taken = set(matched.values())
    spare = iter(hue for hue in range(n_clusters + len(taken)) if hue not in taken)
    return tuple(matched[code] if code in matched else next(spare) for code in range(n_clusters))
