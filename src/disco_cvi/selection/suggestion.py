"""A suggestion: the clustering to take, and all that is known of it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_flag
from disco_cvi._output.drawing import draw
from disco_cvi._output.tables import Card, RichDisplay, data_frame
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.results.flags import Flag
from disco_cvi.results.words import suggestion_card, suggestion_text
from disco_cvi.selection.proposals import Candidate
from disco_cvi.selection.structureless import Structureless

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Suggestion(RichDisplay):
    """What suggest returns: the clustering to take, and how sure that is.

    Attributes
    ----------
    candidates : tuple of Candidate
        Clusterings, the best first; each has `algorithm`, `parameters`, `labels`, `score`, `disco`,
        `n_clusters`, `noise_share`, `largest_share` and a `sentence`.
    second : Candidate or None
        The best of the other algorithm; None if it finds nothing.
    agreement : float or None
        Adjusted Rand index between the two, each noise point a cluster of its own.
    eps_range : tuple of float
        From the first to the second, every eps of DBSCAN scores within 5 % of its best.
    size_range : tuple of int
        The same for min_cluster_size of HDBSCAN, both included.
    null : Structureless or None
        What data without clusters reach.
    null_left_out : str
        Why that was not asked, in words; empty if it was.
    warnings : tuple of Flag
        Why to be careful: each has a `name`, a `share` and a `text`.
    tried : {"auto", "dbscan", "hdbscan"}
        What was to be suggested.
    tree : DensityTree
        The tree that all of this comes from.
    """

    candidates: tuple[Candidate, ...]
    second: Candidate | None
    agreement: float | None
    eps_range: tuple[float, float]
    size_range: tuple[int, int]
    null: Structureless | None
    null_left_out: str
    warnings: tuple[Flag, ...]
    tried: str
    tree: DensityTree

    @property
    def best(self) -> Candidate:
        """The first candidate."""
        return self.candidates[0]

    @property
    def labels(self) -> NDArray[np.int64]:
        """Cluster of each point, -1 for noise; of the first candidate, also if none is good."""
        return self.best.labels

    @property
    def algorithm(self) -> Literal["dbscan", "hdbscan"]:
        """What finds these labels."""
        return self.best.algorithm

    @property
    def parameters(self) -> dict[str, Any]:
        """Arguments of scikit-learn's DBSCAN or HDBSCAN.

        scikit-learn may give single points between two clusters to the other one, and splits ties
        of HDBSCAN in the order of the rows; `python` gives these very labels.
        """
        return self.best.parameters

    @property
    def score(self) -> float:
        """Pair score of the labels."""
        return self.best.score

    @property
    def disco(self) -> float:
        """DISCO of the labels."""
        return self.best.disco

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return self.best.n_clusters

    @property
    def noise_share(self) -> float:
        """Share of the points that are noise."""
        return self.best.noise_share

    @property
    def python(self) -> str:
        """The line of Python that gives the same labels; several where it would be too long.

        An approximate tree was handed in, and goes by the name of `tree`.
        """
        found = self.parameters
        options = [f"min_points={self.tree.min_points}"]
        for name in ("metric", "metric_params"):
            if name in found:
                # What cannot be written down goes by the name of the argument.
                shown = repr(found[name]) if _is_literal(found[name]) else name
                options.append(f"{name}={shown}")
        if self.algorithm == "dbscan":
            cut = f"dbscan({found['eps']!r})"
        else:
            method = found["cluster_selection_method"]
            cut = f"hdbscan({found['min_cluster_size']}, method={method!r})"
        if self.tree.algorithm != "exact":
            return f"labels = tree.{cut}"
        tree = f"DensityTree(X, {', '.join(options)})"
        line = f"labels = disco_cvi.{tree}.{cut}"
        if len(line) <= 86:
            return line
        return f"from disco_cvi import DensityTree\ntree = {tree}\nlabels = tree.{cut}"

    def __repr__(self) -> str:
        return f"Suggestion({self.best.sentence.removesuffix('.')})"

    def __str__(self) -> str:
        return suggestion_text(self.to_dict(labels=False))

    def _card(self) -> Card:
        return suggestion_card(self.to_dict(labels=False))

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the scores of all eps, and the one that was chosen; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes; `ax.figure.savefig(path)` saves it.
        """
        axes: Axes = draw("EpsCurveDisplay.from_suggestion", self).plot(ax).ax_
        return axes

    @property
    def steady_clusters(self) -> int:
        """The number of clusters that holds for most of the range that is as good."""
        if self.algorithm == "dbscan":
            return self.tree.eps_path().steady.n_clusters
        method = self.parameters["cluster_selection_method"]
        return self.tree.size_path(method=method).steady.n_clusters

    def to_dict(self, *, labels: bool = True) -> dict[str, Any]:
        """Return everything as plain Python values, ready for ``json.dumps``.

        Parameters
        ----------
        labels : bool, default=True
            Whether to include the labels.

        Returns
        -------
        dict
            None where a quantity does not exist; no NaN, no infinity, no NumPy types.
        """
        facts = self.best.to_dict() | {
            "n_points": self.tree.n_points,
            "min_points": self.tree.min_points,
            "metric": self.tree.parts.metric.shown.strip("'"),
            "tried": self.tried,
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "second": None if self.second is None else self.second.to_dict(),
            "agreement": self.agreement,
            "eps_range": [end if math.isfinite(end) else None for end in self.eps_range],
            "size_range": list(self.size_range),
            "steady_clusters": self.steady_clusters,
            "null": None if self.null is None else self.null.to_dict(),
            "null_left_out": self.null_left_out,
            "warnings": [asdict(flag) for flag in self.warnings],
            "python": self.python,
        }
        if check_flag(labels, "labels", "to_dict"):
            facts["labels"] = self.labels.tolist()
        return facts

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per candidate, the best first, as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns algorithm, eps, min_cluster_size, method, score, disco, n_clusters, noise_share,
            largest_share, sentence.
        """
        of_dict = {
            "eps": "eps",
            "min_cluster_size": "min_cluster_size",
            "method": "cluster_selection_method",
        }
        columns: dict[str, list[Any]] = {"algorithm": [one.algorithm for one in self.candidates]}
        for name, key in of_dict.items():
            columns[name] = [one.parameters.get(key) for one in self.candidates]
        for name in ("score", "disco", "n_clusters", "noise_share", "largest_share", "sentence"):
            columns[name] = [getattr(one, name) for one in self.candidates]
        return data_frame(columns, backend)


def _is_literal(value: Any) -> bool:
    if isinstance(value, dict):
        return len(value) == 1 and all(map(_is_literal, value.values()))
    return isinstance(value, str | int | float)
