"""What all displays share: how they are made, drawn into axes or a figure, and shown."""

from __future__ import annotations

import copy
import io
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Self

from disco_cvi._input.points import check_points
from disco_cvi._output.words import count, describe
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.plots.style import LIGHT, Theme, check_theme, open_axes, open_figure
from disco_cvi.results.explanation import Explanation, explain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Display(ABC):
    """A picture that has been computed, but need not have been drawn.

    `plot` draws it. A notebook shows a display that has not been drawn by itself.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        After `plot`: the axes, the main ones if there are several.
    figure_ : matplotlib.figure.Figure
        After `plot`: the figure; ``display.figure_.savefig(path)`` saves it.
    """

    ax_: Axes
    figure_: Figure

    @property
    @abstractmethod
    def title(self) -> str:
        """What the picture says, in one statement."""

    @property
    @abstractmethod
    def facts(self) -> tuple[str, ...]:
        """What stands below the title: what is shown, and how to read it."""

    def plot(self, ax: Axes | None = None, *, theme: str = "light") -> Self:
        """Draw the display; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; a new figure if None.
        theme : {"light", "dark"}, default "light"
            Whether the background is white or almost black.

        Returns
        -------
        Display
            Itself, with `ax_`, `figure_` and what was drawn.
        """
        caller = f"{type(self).__name__}.plot"
        look = check_theme(theme, caller)
        if ax is None:
            self._fill(open_figure(caller, self._size()), look)
        else:
            self._draw(open_axes(ax, caller, self._size()), look, is_alone=False)
        self._find_figure()
        return self

    def _fill(self, figure: Figure, look: Theme) -> None:
        """Draw into a figure of its own."""
        figure.set_facecolor(look.ground)
        self._draw(figure.add_subplot(), look, is_alone=True)

    @abstractmethod
    def _draw(self, ax: Any, look: Theme, *, is_alone: bool) -> None:
        """Draw into axes, with all facts if they are the only ones; set `ax_` and artists."""

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height of a figure of its own, in inches."""

    def _find_figure(self) -> None:
        # The figure itself, also of axes in a part of it; Matplotlib 3.9 has no shorter way.
        self.figure_ = self.ax_.figure.canvas.figure

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title}>"

    def _repr_png_(self) -> bytes | None:
        """The picture, unless pyplot shows it at the end of a notebook's cell."""
        import matplotlib as mpl
        from matplotlib.figure import Figure

        if not hasattr(self, "figure_"):
            self._fill(Figure(figsize=self._size(), dpi=110, layout="constrained"), LIGHT)
            self._find_figure()
        elif "inline" in mpl.get_backend().lower() and _is_open(self.figure_):
            return None
        file = io.BytesIO()
        self.figure_.savefig(file, format="png", facecolor=self.figure_.get_facecolor())
        return file.getvalue()


def _is_open(figure: Figure) -> bool:
    """Whether pyplot knows a figure."""
    from matplotlib import pyplot as plt

    return plt.fignum_exists(getattr(figure, "number", 0))


class ExplanationDisplay(Display):
    """A display of what `explain` tells."""

    @classmethod
    @abstractmethod
    def from_explanation(cls, explanation: Explanation) -> Self:
        """Make the display of an explanation.

        Parameters
        ----------
        explanation : Explanation
            What `explain` returned.

        Returns
        -------
        Display
            Computed, not drawn yet.
        """

    @classmethod
    def from_predictions(cls, X: Any, labels: Any, **options: Any) -> Self:
        """Make the display of points and labels.

        Parameters
        ----------
        X : array-like of shape (n, d), or DensityTree
            The points, or their tree.
        labels : array-like of shape (n,)
            One label per point.
        **options : Any
            What `explain` takes besides: min_points, metric, metric_params, noise_label, n_jobs.

        Returns
        -------
        Display
            Computed, not drawn yet.
        """
        return cls.from_explanation(explain(X, labels, **options))

    @classmethod
    def from_estimator(cls, clusterer: Any, X: Any, **options: Any) -> Self:
        """Make the display of what a clusterer found.

        Parameters
        ----------
        clusterer : object
            A clusterer that was fitted on `X`, of which the ``labels_`` are taken; or one that was
            not fitted: a copy of it is.
        X : array-like of shape (n, d)
            The points.
        **options : Any
            As for `from_predictions`.

        Returns
        -------
        Display
            Computed, not drawn yet.
        """
        return cls.from_predictions(X, labels_of(clusterer, X, cls.__name__), **options)


def labels_of(clusterer: Any, X: Any, display: str) -> Any:
    """Return the labels that a clusterer found; one that was not fitted stays so."""
    caller = f"{display}.from_estimator"
    if not hasattr(clusterer, "labels_") and not hasattr(clusterer, "fit_predict"):
        rule = "be a clusterer, with labels_ or fit_predict"
        got = describe(clusterer)
        raise InvalidTypeError(argument="clusterer", caller=caller, rule=rule, got=got)
    # Before a clusterer of others says the same in words of its own.
    n_points = X.n_points if isinstance(X, DensityTree) else len(check_points(X, caller))
    if not hasattr(clusterer, "labels_"):
        return copy.deepcopy(clusterer).fit_predict(X)
    labels = clusterer.labels_
    if len(labels) != n_points:
        raise InvalidInputError(
            argument="clusterer",
            caller=caller,
            rule=f"have been fitted on X, {count(n_points, 'point')}",
            got=f"one that was fitted on {count(len(labels), 'point')}",
            remedy="Fit it on X, or pass the labels to from_predictions.",
        )
    return labels


def check_explanation(explanation: object, display: str) -> Explanation:
    """Refuse what is no explanation."""
    if not isinstance(explanation, Explanation):
        raise InvalidTypeError(
            argument="explanation",
            caller=f"{display}.from_explanation",
            rule="be what explain returns",
            got=describe(explanation),
        )
    return explanation


def tree_of(explanation: Explanation) -> DensityTree:
    """Return the tree of what is explained, also of fewer points than the default min_points."""
    points = explanation.clustering.points
    least = min(explanation.min_points, points.n_points)
    return density_tree_of(points, least if points.tree is None else None)
