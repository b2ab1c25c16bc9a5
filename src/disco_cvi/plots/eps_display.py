"""What DBSCAN is worth at every eps: pair score, clusters and noise above each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.options import check_choice, check_count
from disco_cvi._input.points import open_points
from disco_cvi._output.words import describe
from disco_cvi.density_tree.paths import EpsChoice, EpsPath, SizeChoice, SizePath
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.exceptions import InvalidTypeError
from disco_cvi.plots.display import ExplanationDisplay, check_explanation, labels_of, tree_of
from disco_cvi.plots.path_words import Story, names_of, tell
from disco_cvi.plots.paths import draw_path, find_good
from disco_cvi.plots.steps import Span, Steps, steps_of
from disco_cvi.plots.style import SMALL
from disco_cvi.results.explanation import explain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from disco_cvi.plots.style import Theme
    from disco_cvi.results.explanation import Explanation

Values = Literal["score", "disco", "n_clusters", "noise_share"]


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

    @property
    def steps(self) -> Steps:
        """The rows of the path by rising parameter."""
        return steps_of(self.path)

    @property
    def view(self) -> Span:
        """The part of the parameter that is worth looking at."""
        return self.steps.find_view()

    @property
    def good(self) -> Span | None:
        """The part of the view that scores within 5 % of the best; None: nothing is above 0."""
        return find_good(self.path, self.view)

    @property
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
        steps = self.steps
        return steps.curve(getattr(steps, values), steps.find_view())

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
        steps = self.steps
        return steps.find_runs(steps.n_clusters == n_clusters, steps.find_view())

    @property
    def title(self) -> str:
        """Where the most is told apart."""
        return tell(self.path).title

    @property
    def facts(self) -> tuple[str, ...]:
        """How many results there are, how wide the best range is, and what was chosen."""
        facts = tell(self.path).facts
        if self.chosen is None or self._sees(self.chosen):
            return facts
        _, parameter = names_of(self.path)
        return (*facts, f"The {parameter} that was chosen, {self.chosen:.4g}, is out of view.")

    def _sees(self, value: float) -> bool:
        view = self.view
        return view.low <= value <= view.high

    def _story(self) -> Story:
        return replace(tell(self.path), facts=self.facts, of_labels=self.of_labels)

    def _size(self) -> tuple[float, float]:
        return 7.6, 5.8

    def _draw(self, ax: Axes, look: Theme, *, is_alone: bool) -> None:
        self.ax_, self.chosen_ = ax, []
        self.axes_ = draw_path(ax, self.path, self._story(), look, is_alone=is_alone)
        if self.chosen is None or not self._sees(self.chosen):
            return
        for panel in self.axes_:
            line = panel.axvline(self.chosen, color=look.zones[2], linewidth=1.3, zorder=2.8)
            self.chosen_.append(line)
        last = self.axes_[-1]
        last.annotate(
            f"chosen: {self.chosen:.4g}",
            (self.chosen, 0.86 if is_alone else 0.06),
            xycoords=("data", "axes fraction"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=SMALL,
            color=look.zones[2],
            bbox={"facecolor": look.ground, "edgecolor": "none", "alpha": 0.85, "pad": 1},
            zorder=4,
        )
