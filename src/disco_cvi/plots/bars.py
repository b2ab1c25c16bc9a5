"""The scores of each cluster's points, sorted, with the noise last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._output.letters import in_font
from disco_cvi._output.shown_values import score_text
from disco_cvi._output.words import count, percent, printable
from disco_cvi.plots.display import ExplanationDisplay, check_explanation
from disco_cvi.plots.style import SMALL, TICKS, Theme, put_head, quiet_axes

if TYPE_CHECKING:
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

    from disco_cvi.results.explanation import Explanation

# So many clusters have a block of their own.
MOST_BLOCKS = 12
# More corners than that are not seen in one block.
_CORNERS = 200
# The height of the lowest block, as a share of all: a line of text fits into it.
_LOWEST = 0.024
_GAP = 0.01
# Columns of numbers to the right, and where each ends, in points from the axes.
_COLUMNS = {"points": 54, "mean": 104, "below 0": 156}


@dataclass(frozen=True, eq=False)
class ScoreBlock:
    """The scores of a cluster, of several small ones together, or of the noise.

    Attributes
    ----------
    name : str
        As it is shown.
    kind : {"cluster", "others", "noise"}
        Whose scores these are.
    code : int
        Number of the cluster in the order of the names, which says its color; -1 if it is none.
    scores : ndarray
        One per point, falling.
    mean : float
        Their mean.
    """

    name: str
    kind: Literal["cluster", "others", "noise"]
    code: int
    scores: FloatArray
    mean: float

    @property
    def size(self) -> int:
        """Number of points."""
        return len(self.scores)

    @property
    def share_negative(self) -> float:
        """Share of its points that score below 0."""
        return int(np.count_nonzero(self.scores < 0)) / self.size

    def thinned(self, most: int = _CORNERS) -> FloatArray:
        """At most so many of the scores, evenly, the first and the last among them."""
        if self.size <= most:
            return self.scores
        return self.scores[np.linspace(0, self.size - 1, most).round().astype(np.intp)]


class ScoreBarsDisplay(ExplanationDisplay):
    """The scores of each cluster's points, sorted; the height is the number of points.

    Blue is above 0 and orange below, the black stroke is the mean of a block, the dashed line the
    score of the labeling. Of many clusters those with the largest ``size * (1 - mean)``, which
    cost the score most, have a block of their own; the others share one. Noise comes last, hatched.

    Parameters
    ----------
    blocks : sequence of ScoreBlock
        From top to bottom.
    score : float
        The DISCO score of the labeling.
    n_clusters : int
        Number of all clusters.

    Attributes
    ----------
    blocks : tuple of ScoreBlock
        As given.
    score, n_clusters
        As given.
    n_points : int
        Number of points in all blocks.
    ax_, figure_
        After `plot`: where it was drawn.
    areas_ : list of matplotlib.collections.PolyCollection
        After `plot`: what is above 0 and below 0, block after block.
    means_ : list of matplotlib.lines.Line2D
        After `plot`: the mean of each block.

    Examples
    --------
    >>> from disco_cvi.plots import ScoreBarsDisplay
    >>> X = [[0], [1], [2], [10], [12], [14], [30], [31]]
    >>> labels = [0, 0, 0, 1, 1, 1, -1, -1]
    >>> display = ScoreBarsDisplay.from_predictions(X, labels, min_points=2)
    >>> [(block.name, block.size, round(block.mean, 3)) for block in display.blocks]
    [('1', 3, 0.75), ('0', 3, 0.875), ('noise', 2, -0.5)]
    >>> display.plot().ax_.get_title(loc="left")
    'The noise scores lowest: \N{MINUS SIGN}0.500 on average'
    """

    areas_: list[PolyCollection]
    means_: list[Line2D]

    def __init__(self, blocks: Any, score: float, n_clusters: int) -> None:
        self.blocks: tuple[ScoreBlock, ...] = tuple(blocks)
        self.score = score
        self.n_clusters = n_clusters

    @property
    def n_points(self) -> int:
        """Number of points in all blocks."""
        return sum(block.size for block in self.blocks)

    @classmethod
    def from_explanation(cls, explanation: Explanation) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.

        Returns
        -------
        ScoreBarsDisplay
            Computed, not drawn yet.
        """
        facts = check_explanation(explanation, cls.__name__)
        return cls(_make_blocks(facts), facts.score, len(facts.clusters))

    @property
    def title(self) -> str:
        """Which block scores lowest."""
        lowest = min(self.blocks, key=lambda block: block.mean)
        if len(self.blocks) == 1:
            only = "All points are noise" if lowest.kind == "noise" else "There is one cluster"
            return f"{only}: {score_text(lowest.mean)} on average"
        names = {"noise": "The noise scores", "others": f"The {lowest.name} score"}
        who = names.get(lowest.kind, f"Cluster {lowest.name} scores")
        return f"{who} lowest: {score_text(lowest.mean)} on average"

    @property
    def facts(self) -> tuple[str, ...]:
        """What is shown, and how to read it."""
        n_noise = sum(block.size for block in self.blocks if block.kind == "noise")
        shown = sum(block.kind == "cluster" for block in self.blocks)
        clusters = count(self.n_clusters, "cluster")
        if shown < self.n_clusters:
            clusters += f", the {shown} that cost most by themselves"
        noise = percent(n_noise / self.n_points)
        return (
            f"{count(self.n_points, 'point')}, {clusters}, {noise} noise.",
            "One line per point, sorted; height is the number of points; stroke: mean.",
        )

    def _size(self) -> tuple[float, float]:
        return 9.0, 2.2 + 4.0 * min(1.0, max(len(self.blocks), 3) / 8)

    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.areas_, self.means_ = ax, [], []
        quiet_axes(ax, grid="x", look=look)
        top, lowest = 0.0, _LOWEST * self.n_points
        for block in self.blocks:
            height = max(float(block.size), lowest)
            self._draw_block(ax, block, top, height, look)
            _name_block(ax, block, top, height, look)
            top += height + _GAP * self.n_points
        ax.set_xlim(-1, 1)
        ax.set_ylim(top - _GAP * self.n_points + lowest / 4, -lowest / 4)
        ax.axvline(0, color=look.ink, linewidth=1.2, zorder=3)
        ax.axvline(self.score, color=look.ink, linewidth=1.2, linestyle=(0, (4, 3)), zorder=2.5)
        # What the numbers to the right are, and which line is the score.
        above = {"textcoords": "offset points", "fontsize": SMALL, "annotation_clip": False}
        for name, end in _COLUMNS.items():
            place = {"xycoords": "axes fraction", "xytext": (end, 3), "ha": "right"}
            ax.annotate(name, (1, 1), color=look.faint, va="bottom", **place, **above)
        place = {"xycoords": ("data", "axes fraction"), "xytext": (0, 3), "ha": "center"}
        score = f"score {score_text(self.score)}"
        bold = {"color": look.ink, "fontweight": "bold", "va": "bottom"}
        ax.annotate(score, (self.score, 1), **bold, **place, **above)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_xticks(TICKS, [score_text(tick, 1) for tick in TICKS])
        ax.tick_params(length=0, labelsize=SMALL)
        ax.set_xlabel("score of a point", fontsize=SMALL, color=look.faint)
        put_head(ax, self.title, self.facts if is_alone else (), look, lift=14)

    def _draw_block(
        self, ax: Any, block: ScoreBlock, top: float, height: float, look: Theme
    ) -> None:
        """What is above 0, what is below, and the mean."""
        scores = np.repeat(block.thinned(), 2)
        edges = np.repeat(top + np.linspace(0, height, len(scores) // 2 + 1), 2)[1:-1]
        fill = {"edgecolor": look.ground, "linewidth": 0}
        fill["hatch"] = "////" if block.kind == "noise" else None
        for color, part in ((look.good, np.maximum(scores, 0)), (look.bad, np.minimum(scores, 0))):
            self.areas_.append(ax.fill_betweenx(edges, part, 0, facecolor=color, **fill))
        stroke = {"color": look.ink, "linewidth": 2.4, "solid_capstyle": "butt", "zorder": 4}
        self.means_ += ax.plot([block.mean] * 2, [top, top + height], **stroke)


def _name_block(ax: Any, block: ScoreBlock, top: float, height: float, look: Theme) -> None:
    """Its name and color to the left, its numbers to the right."""
    from matplotlib.patches import Rectangle

    if block.kind == "cluster":
        color = look.labels[block.code % len(look.labels)]
        chip = {"color": color, "transform": ax.get_yaxis_transform(), "clip_on": False}
        ax.add_patch(Rectangle((-0.022, top), 0.014, height, **chip))
    texts = [
        (-0.022, -5, in_font(block.name), look.ink),
        (1, _COLUMNS["points"], f"{block.size:,}", look.ink),
        (1, _COLUMNS["mean"], score_text(block.mean), look.ink),
    ]
    if share := block.share_negative:
        color = look.zones[2] if share > 0.25 else look.ink
        texts.append((1, _COLUMNS["below 0"], percent(share), color))
    for x, offset, text, color in texts:
        ax.annotate(
            text,
            (x, top + height / 2),
            # Offsets in points, so that the layout knows how much space they take.
            xytext=(offset, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            color=color,
            fontsize=SMALL,
            va="center",
            ha="right",
            annotation_clip=False,
            parse_math=False,
        )


def _make_blocks(explanation: Explanation) -> list[ScoreBlock]:
    """Blocks of the clusters that cost most, lowest mean first; the others; the noise."""
    scores, codes = explanation.points.score, explanation.clustering.labels.codes
    clusters = explanation.clusters
    cost = np.array([cluster.size * (1 - cluster.mean_score) for cluster in clusters])
    by_cost = np.argsort(-cost, kind="stable")
    # One other cluster is not hidden behind a word.
    n_own = len(clusters) if len(clusters) <= MOST_BLOCKS + 1 else MOST_BLOCKS
    own = sorted(by_cost[:n_own].tolist(), key=lambda code: (clusters[code].mean_score, code))
    blocks = []
    for code in own:
        name, members = printable(str(clusters[code].name)), _falling(scores[codes == code])
        blocks.append(ScoreBlock(name, "cluster", code, members, clusters[code].mean_score))
    others = by_cost[n_own:]
    if len(others):
        largest = max(clusters[code].size for code in others)
        are_small = largest <= min(clusters[code].size for code in own)
        name = f"{len(others):,} {'smaller' if are_small else 'others'}"
        rest = scores[np.isin(codes, others)]
        blocks.append(ScoreBlock(name, "others", -1, _falling(rest), exact_mean(rest)))
    if explanation.noise.mean_score is not None:
        noise = _falling(scores[codes < 0])
        blocks.append(ScoreBlock("noise", "noise", -1, noise, explanation.noise.mean_score))
    return blocks


def _falling(scores: FloatArray) -> FloatArray:
    return np.sort(scores)[::-1]
