"""One labeling, scored for many min_points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.clustering import Clustering, label_points, open_clustering
from disco_cvi._input.options import check_min_points_values
from disco_cvi._input.points import open_points
from disco_cvi._output.data_frames import data_frame
from disco_cvi._output.drawing import draw
from disco_cvi._output.rich_display import Card, CardTable, RichDisplay
from disco_cvi._output.text_table import text_table
from disco_cvi._output.words import describe, list_numbers, shorten
from disco_cvi.density_tree.tree import DensityTree, trees_in_turn
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.indices.disco import evaluate_disco
from disco_cvi.indices.pair import evaluate_pair
from disco_cvi.indices.registry import choose_indices

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST = 30
_EVALUATE = {"disco": evaluate_disco, "pair": evaluate_pair}


@dataclass(frozen=True, eq=False, repr=False)
class MinPointsCurve(RichDisplay):
    """The score of one labeling for each of several `min_points`.

    ``curve[5]`` is the score for 5.

    Attributes
    ----------
    index : str
        Name of the index, "disco" or "pair".
    min_points : ndarray of int of shape (m,)
        The values, rising.
    scores : ndarray of shape (m,)
        The score for each of them.
    """

    index: str
    min_points: NDArray[np.int64]
    scores: FloatArray

    def __post_init__(self) -> None:
        self.min_points.flags.writeable = False
        self.scores.flags.writeable = False

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, min_points: int) -> float:
        places = np.flatnonzero(self.min_points == min_points)
        if len(places) == 0:
            raise KeyError(min_points)
        return float(self.scores[places[0]])

    @property
    def best(self) -> int:
        """The `min_points` with the greatest score; of equal ones the smallest.

        It says for which density the labeling looks best, not which labeling is right: to choose
        between labelings, score all of them under one value.
        """
        return int(self.min_points[self.scores.argmax()])

    def __repr__(self) -> str:
        values = f"min_points=[{list_numbers(self.min_points.tolist())}]"
        return f"MinPointsCurve({self.index!r}, {values}; {self._in_words})"

    def __str__(self) -> str:
        """Return a table, and where the score is greatest."""
        return f"{text_table(self._rows(), right=frozenset((0, 1)))}\n\n{self._in_words}"

    def _card(self) -> Card:
        table = CardTable(self._rows(), frozenset((0, 1)))
        return Card("MinPointsCurve", [self._in_words], [table])

    @property
    def _in_words(self) -> str:
        low, high = self.scores.min(), self.scores.max()
        return f"from {low:.3f} to {high:.3f}, best at {self.best}"

    @property
    def _title(self) -> str:
        return choose_indices(self.index, "MinPointsCurve")[0].title

    def _rows(self) -> list[tuple[str, str]]:
        values = zip(self.min_points.tolist(), self.scores.tolist(), strict=True)
        rows = [(str(value), f"{score:.3f}") for value, score in values]
        return [("min_points", self._title), *rows]

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain values, for JSON.

        Returns
        -------
        dict
            index, min_points, scores and best.
        """
        return {
            "index": self.index,
            "min_points": self.min_points.tolist(),
            "scores": self.scores.tolist(),
            "best": self.best,
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the curve as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library, which must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns min_points and score.
        """
        columns = {"min_points": self.min_points.tolist(), "score": self.scores.tolist()}
        return data_frame(columns, backend)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the score along `min_points`, its greatest value circled; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib.axes.Axes
            ``ax.figure.savefig(path)`` saves the picture.
        """
        scores = {self.index: self.scores}
        axes: Axes = draw(
            "score_curve", self.min_points, scores, ax=ax, mark_best=True, legend=None
        )
        axes.set(xlabel="min_points", ylabel=self._title)
        return axes


def disco_curve(
    X: ArrayLike | Mapping[int, DensityTree],
    labels: ArrayLike,
    min_points: Iterable[int] | None = None,
    *,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> MinPointsCurve:
    """Score a clustering by DISCO for many `min_points`, from one search of the points.

    How much a score depends on its one parameter: a labeling that is good for all values from 4 to
    20 needs no defence of the 5. The values are those of `disco_score`, to the last bit; thirty of
    them cost about as much as seven.

    Parameters
    ----------
    X : array-like of shape (n, d), or mapping of int to DensityTree
        The points, or their trees by `min_points`, as `DensityTree.for_min_points` returns them.
    labels : array-like of shape (n,)
        Cluster of each point.
    min_points : iterable of int, optional
        The values. Default: 1 to 30, or to the number of points; those of the trees.
    metric : str or callable, optional
        See `DensityTree`. Default: "euclidean", or that of the trees.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The scores do not depend on it.

    Returns
    -------
    MinPointsCurve
        The score for each value; `plot` draws them.

    See Also
    --------
    pair_curve : The same by the pair score.
    DensityTree.for_min_points : The trees, for many labelings.

    Examples
    --------
    >>> from disco_cvi import disco_curve
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9], [4, 20]]
    >>> disco_curve(X, [0, 0, 0, 0, 1, 1, 1, 1, -1], range(1, 6))
    MinPointsCurve('disco', min_points=[1, 2, 3, 4, 5]; from 0.007 to 0.901, best at 3)
    """
    options = {"metric": metric, "metric_params": metric_params, "n_jobs": n_jobs}
    return _make_curve("disco", X, labels, min_points, {"noise_label": noise_label, **options})


def pair_curve(
    X: ArrayLike | Mapping[int, DensityTree],
    labels: ArrayLike,
    min_points: Iterable[int] | None = None,
    *,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> MinPointsCurve:
    """Score a clustering by the pair score for many `min_points`, from one search of the points.

    Labelings are compared under one value; curves of several say whether the choice between them
    depends on it.

    Parameters
    ----------
    X : array-like of shape (n, d), or mapping of int to DensityTree
        As in `disco_curve`, like all other parameters.
    labels : array-like of shape (n,)
        Cluster of each point.
    min_points : iterable of int, optional
        The values. Default: 1 to 30, or to the number of points; those of the trees.
    metric : str or callable, optional
        See `DensityTree`.
    metric_params : dict, optional
        Further arguments of the metric.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    MinPointsCurve
        The score for each value; `plot` draws them.

    Examples
    --------
    >>> from disco_cvi import DensityTree, pair_curve
    >>> trees = DensityTree.for_min_points([[0], [1], [2], [10], [11], [12], [50]], [1, 2, 3])
    >>> curve = pair_curve(trees, [0, 0, 0, 1, 1, 1, -1])
    >>> curve.scores.round(2), curve.best
    (array([0.32, 0.32, 0.28]), 1)
    """
    options = {"metric": metric, "metric_params": metric_params, "n_jobs": n_jobs}
    return _make_curve("pair", X, labels, min_points, {"noise_label": noise_label, **options})


def _make_curve(
    index: str, X: object, labels: object, min_points: object, options: dict[str, Any]
) -> MinPointsCurve:
    caller = f"{index}_curve"
    clusterings = (
        _with_trees(X, labels, min_points, caller, options)
        if isinstance(X, Mapping)
        else _with_points(X, labels, min_points, caller, options)
    )
    scores = {}
    for tree, clustering in clusterings:
        scores[tree.min_points] = _EVALUATE[index](clustering)
    values = sorted(scores)
    found = np.array([scores[value] for value in values])
    return MinPointsCurve(index, np.array(values, np.int64), found)


def _with_points(
    X: object, labels: object, min_points: object, caller: str, options: dict[str, Any]
) -> Iterator[tuple[DensityTree, Clustering]]:
    """The labeling with one tree after the other; none is kept."""
    if isinstance(X, DensityTree):
        rule, got = "be points, or a mapping of trees by their min_points", "one DensityTree"
        raise InvalidTypeError(argument="X", caller=caller, rule=rule, got=got)
    opened = open_clustering(X, labels, caller, **options)
    n_points = opened.n_points
    asked = range(1, min(_MOST, n_points) + 1) if min_points is None else min_points
    values = check_min_points_values(asked, n_points, caller)
    for tree in trees_in_turn(opened.points, values):
        points = open_points(tree, caller, n_jobs=opened.n_jobs, takes_tree=True)
        yield tree, Clustering(points, opened.labels)


def _with_trees(
    trees: Mapping[Any, Any],
    labels: object,
    min_points: object,
    caller: str,
    options: dict[str, Any],
) -> Iterator[tuple[DensityTree, Clustering]]:
    """The labeling with each of the trees that are asked for."""
    rule = "be points, or a mapping of trees by their min_points"
    values = (
        list(trees) if min_points is None else check_min_points_values(min_points, None, caller)
    )
    if not values:
        raise InvalidInputError(argument="X", caller=caller, rule=rule, got="no trees")
    for value in values:
        if value not in trees:
            known = f"be among those of the trees, {list_numbers(sorted(trees))}"
            raise InvalidInputError(
                argument="min_points", caller=caller, rule=known, got=str(value)
            )
        tree = trees[value]
        if not isinstance(tree, DensityTree) or tree.min_points != value:
            got = f"{describe(tree)} for {shorten(value)}"
            raise InvalidTypeError(argument="X", caller=caller, rule=rule, got=got)
        if value == values[0]:  # says what is doubtful about the labels, once
            opened = open_clustering(tree, labels, caller, takes_tree=True, **options)
        points = open_points(tree, caller, n_jobs=opened.n_jobs, takes_tree=True)
        yield tree, label_points(points, labels, options["noise_label"])
