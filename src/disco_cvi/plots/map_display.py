"""Points in the plane: their labels on the left, the score of every point on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_count
from disco_cvi._output.letters import in_font
from disco_cvi._output.words import count, percent
from disco_cvi.plots.display import (
    ExplanationDisplay,
    check_explanation,
    name_cluster,
    signed,
)
from disco_cvi.plots.maps import (
    frame_map,
    label_colors,
    scatter_labels,
    scatter_scores,
    show_pixels,
    view_of,
)
from disco_cvi.plots.plane import Pixels, Plane, find_pixels, plane_of
from disco_cvi.plots.style import Theme, pointwise_colors, put_head, score_scale
from disco_cvi.results.explanation import explain
from disco_cvi.results.words import score_meaning

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from disco_cvi.results.explanation import Explanation

# From so many points on, a map is an image of pixels.
MANY_POINTS = 100_000
PIXELS = (560, 480)
# So many clusters have their name in the map, the largest ones.
# On a side of an image.
_MOST_PIXELS = 10_000
_MOST_NAMES = 40


class PointwiseMapDisplay(ExplanationDisplay):
    """A map of all points, by label and by score.

    Clusters have their names; noise points are crosses. Scores have a scale from -1 to 1, orange,
    grey at 0, blue; those below 0 are larger and lie on top. Points of more than two features are
    shown by their principal components or where an embedding says. From 100,000 points on, each
    pixel shows the mean score and the usual label of its points.

    Parameters
    ----------
    plane : Plane
        Where the points are.
    scores : array-like of shape (n,)
        The score of each point.
    codes : array-like of int of shape (n,)
        The number of each point's cluster, -1 for noise.
    names : sequence
        The names of the clusters.
    score : float
        The DISCO score.
    flags : sequence of str, optional
        Why the score rests on little, in words.

    Attributes
    ----------
    plane, scores, codes, names, score, flags
        As given.
    n_points : int
        Number of points.
    is_aggregated : bool
        Whether there are so many points that pixels are drawn.
    ax_, axes_, figure_
        After `plot`: the axes of the scores, those of labels and scores, the figure.
    labels_ : list of artists
        After `plot`: the points by label, noise first, or the image of them.
    scores_ : list of artists
        After `plot`: the points by score, those below 0 last, or the image of them.

    Examples
    --------
    >>> from disco_cvi.plots import PointwiseMapDisplay
    >>> X = [[0, 0], [1, 0], [0, 1], [9, 9], [9, 8], [4, 5]]
    >>> labels = [0, 0, 0, 1, 1, -1]
    >>> display = PointwiseMapDisplay.from_predictions(X, labels, min_points=2)
    >>> display.title
    'The labels follow the density of the data well'
    >>> display.plot().ax_.get_title(loc="left")
    'No point scores below 0'
    """

    axes_: list[Axes]
    labels_: list[Any]
    scores_: list[Any]

    def __init__(
        self,
        plane: Plane,
        scores: Any,
        codes: Any,
        names: Any,
        score: float,
        flags: Any = (),
    ) -> None:
        self.plane = plane
        self.scores: FloatArray = np.asarray(scores, np.float64)
        self.codes: NDArray[np.int64] = np.asarray(codes, np.int64)
        self.names = tuple(names)
        self.score = score
        self.flags: tuple[str, ...] = tuple(flags)

    @classmethod
    def from_explanation(cls, explanation: Explanation, *, embedding: Any = None) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand. It is needed where the points are not known: of a tree,
            or of a matrix of distances.

        Returns
        -------
        PointwiseMapDisplay
            Computed, not drawn yet.
        """
        facts = check_explanation(explanation, cls.__name__)
        points, labels = facts.clustering.points, facts.clustering.labels
        known = None if points.metric.name == "precomputed" else points.given
        plane = plane_of(known, embedding, cls.__name__, labels.n_points)
        flags = [flag.text for flag in facts.flags]
        return cls(plane, facts.points.score, labels.codes, labels.names, facts.score, flags)

    @classmethod
    def from_predictions(
        cls, X: Any, labels: Any, *, embedding: Any = None, **options: Any
    ) -> Self:
        """Make the display of points and labels.

        Parameters
        ----------
        X : array-like of shape (n, d), or DensityTree
            The points, or their tree: then an embedding is needed.
        labels : array-like of shape (n,)
            One label per point.
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand.
        **options : Any
            What `explain` takes besides: min_points, metric, metric_params, noise_label, n_jobs.

        Returns
        -------
        PointwiseMapDisplay
            Computed, not drawn yet.
        """
        return cls.from_explanation(explain(X, labels, **options), embedding=embedding)

    @property
    def n_points(self) -> int:
        """Number of points."""
        return len(self.scores)

    @property
    def is_aggregated(self) -> bool:
        """Whether there are so many points that pixels are drawn."""
        return self.n_points >= MANY_POINTS

    def pixels(self, width: int = PIXELS[0], height: int = PIXELS[1]) -> Pixels:
        """Count the points in an image.

        Parameters
        ----------
        width, height : int
            Number of columns and rows.

        Returns
        -------
        Pixels
            Which can tell the mean of any values, and the usual label, of the points of each pixel.
        """
        sides = (
            check_count(side, name, "pixels", most=_MOST_PIXELS)
            for name, side in (("width", width), ("height", height))
        )
        return find_pixels(self.plane.xy, *sides)

    @property
    def spots(self) -> list[tuple[int, int]]:
        """Of the largest clusters, the number and the row of a point in its middle.

        Names that stand there are of points: the middle of a ring is not in it.
        """
        sizes = np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))
        found = []
        for code in np.argsort(-sizes, kind="stable")[:_MOST_NAMES].tolist():
            rows = np.flatnonzero(self.codes == code)
            away = self.plane.xy[rows] - np.median(self.plane.xy[rows], axis=0)
            found.append((code, int(rows[np.abs(away).sum(axis=1).argmin()])))
        return found

    @property
    def title(self) -> str:
        """What the score says of the labels."""
        n_noise = int(np.count_nonzero(self.codes < 0))
        if n_noise == self.n_points:
            return "Every point is noise"
        if n_noise == 0 and len(self.names) == 1:
            return "There is one cluster and no noise"
        if self.flags:
            return "The score of these labels rests on little"
        meaning = score_meaning(self.score)
        return f"{meaning[0].upper()}{meaning[1:]}"

    @property
    def facts(self) -> tuple[str, ...]:
        """What the labels are, what they rest on, and where the points stand."""
        noise = percent(float((self.codes < 0).mean()))
        clusters = count(len(self.names), "cluster")
        drawn = " Pixels have the usual label of their points." * self.is_aggregated
        if len(self.names) > _MOST_NAMES:
            drawn += f" The {_MOST_NAMES} largest are named."
        points = count(self.n_points, "point")
        told = f"DISCO {signed(self.score)}; {points}, {clusters}, {noise} noise.{drawn}"
        return tuple(line for line in (told, *self.flags, self.plane.note) if line)

    @property
    def score_title(self) -> str:
        """How many points score below 0."""
        n_bad = int(np.count_nonzero(self.scores < 0))
        if n_bad == 0:
            return "No point scores below 0"
        return f"{percent(n_bad / self.n_points)} of all points score below 0"

    @property
    def score_facts(self) -> tuple[str, ...]:
        """How scores are drawn."""
        if not self.is_aggregated:
            below = "Points below 0 are larger and on top." if (self.scores < 0).any() else ""
            crosses = "Noise as crosses." if (self.codes < 0).any() else ""
            return (" ".join(filter(None, (below, crosses))) or "One dot per point.",)
        pixels = self.pixels()
        shared = f"{pixels.n_shared:,} of {pixels.n_used:,} pixels hold several points."
        return (f"Pixels: mean score of their points, paler where there are few; {shared}",)

    def _size(self) -> tuple[float, float]:
        across, up = np.ptp(view_of(self.plane.xy), axis=1).tolist()
        return 11.4, 0.4 + 5.2 * min(up / across, 0.95) + 0.17 * (len(self.facts) + 1)

    def _fill(self, figure: Figure, look: Theme) -> None:
        figure.set_facecolor(look.ground)
        left, right = figure.subplots(1, 2)
        frame_map(left, self.plane, look)
        self.labels_ = self._draw_labels(left, look)
        self._name(left, look)
        put_head(left, self.title, self.facts, look, width=74)
        self._draw(right, look, is_alone=True)
        self.axes_ = [left, right]

    def _draw(self, ax: Axes, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.axes_, self.labels_ = ax, [ax], getattr(self, "labels_", [])
        frame_map(ax, self.plane, look)
        self.scores_ = self._draw_scores(ax, look)
        score_scale(ax, look)
        facts = self.score_facts if is_alone else ()
        put_head(ax, self.score_title, facts, look, width=74)

    def _draw_labels(self, ax: Axes, look: Theme) -> list[Any]:
        if not self.is_aggregated:
            return list(scatter_labels(ax, self.plane.xy, self.codes, self.names, look))
        pixels = self.pixels()
        return [show_pixels(ax, label_colors(pixels.usual(self.codes), look), pixels, look)]

    def _draw_scores(self, ax: Axes, look: Theme) -> list[Any]:
        if not self.is_aggregated:
            noise = self.codes < 0
            return list(scatter_scores(ax, self.plane.xy, self.scores, noise, look))
        pixels = self.pixels()
        colors = pointwise_colors(look)((pixels.means(self.scores) + 1) / 2)[..., :3]
        return [show_pixels(ax, colors, pixels, look)]

    def _name(self, ax: Axes, look: Theme) -> None:
        """Names at the clusters, those of larger ones first; none over another."""
        from matplotlib.patheffects import withStroke

        taken: list[tuple[float, float]] = []
        span = np.maximum(np.ptp(self.plane.xy, axis=0), 1e-300)
        for code, row in self.spots:
            x, y = self.plane.xy[row].tolist()
            if any(
                abs(x - other[0]) < 0.035 * span[0] and abs(y - other[1]) < 0.04 * span[1]
                for other in taken
            ):
                continue
            taken.append((x, y))
            ax.text(
                x,
                y,
                in_font(name_cluster(self.names[code])),
                ha="center",
                va="center",
                color=look.ink,
                fontweight="bold",
                fontsize=10,
                parse_math=False,
                path_effects=[withStroke(linewidth=3, foreground=look.ground)],
                zorder=5,
            )
