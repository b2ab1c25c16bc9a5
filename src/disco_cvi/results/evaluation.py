"""Many indices at once, for one labeling or for many, with shared work."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from numpy.typing import ArrayLike

from disco_cvi._compute.progress import Progress
from disco_cvi._input.clustering import Clustering, open_clustering
from disco_cvi._input.options import check_options
from disco_cvi._input.points import Points
from disco_cvi._output.drawing import draw_explanation
from disco_cvi._output.tables import (
    Card,
    CardTable,
    FieldsDisplay,
    RichDisplay,
    data_frame,
    text_table,
)
from disco_cvi._output.words import count, describe
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import (
    InvalidInputError,
    InvalidTypeError,
    UndefinedScoreError,
)
from disco_cvi.indices.index_info import IndexInfo, IndexTable, options_of
from disco_cvi.indices.registry import choose_indices
from disco_cvi.results.explanation import explain_clustering
from disco_cvi.results.flags import Flag, flags_of
from disco_cvi.results.words import flag_words

# Own parameters of indices by their names.
Parameters = Mapping[str, Mapping[str, Any]]

_NUMBERS = frozenset([1, 4])  # the columns of numbers in the table of an evaluation


@dataclass(frozen=True)
class IndexValue(FieldsDisplay):
    """The value of one index, or the reason why it has none.

    Attributes
    ----------
    index : str
        Name of the index.
    value : float or None
        Infinite where an unbounded index says so; None if there is no value.
    reason : str or None
        Why there is no value.
    seconds : float
        Time that it took, without what an index before it had already computed.
    """

    index: str
    value: float | None
    reason: str | None
    seconds: float

    @property
    def shown(self) -> str:
        """The value with a few digits, or a dash."""
        return "-" if self.value is None else f"{self.value:.4g}"

    def to_dict(self) -> dict[str, Any]:
        """Return the value ready for JSON: an infinite one as None with a reason."""
        if self.value is None or math.isfinite(self.value):
            value, reason = self.value, self.reason
        else:
            value, reason = None, f"The value is {self.value:+}."
        return {"index": self.index, "value": value, "reason": reason, "seconds": self.seconds}


@dataclass(frozen=True, repr=False)
class Evaluation(RichDisplay):
    """All chosen indices for one labeling.

    Attributes
    ----------
    values : tuple of IndexValue
        In the order in which the indices were named.
    n_points, n_clusters, n_noise : int
        What was evaluated.
    flags : tuple of Flag
        Why scores of this labeling rest on little; empty if they do not.
    clustering : Clustering or None
        The points and labels that were evaluated, for pictures.
    min_points : int or None
        What was asked for, for DISCO; None: the default.
    """

    values: tuple[IndexValue, ...]
    n_points: int
    n_clusters: int
    n_noise: int
    flags: tuple[Flag, ...] = ()
    clustering: Clustering | None = field(default=None, repr=False, compare=False)
    min_points: int | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, index: str) -> float | None:
        """Return the value of an index by its name."""
        return self.scores[index]

    @property
    def scores(self) -> dict[str, float | None]:
        """The values by name; None where there is none."""
        return {value.index: value.value for value in self.values}

    def __repr__(self) -> str:
        values = [f"{value.index}={value.shown}" for value in self.values[:4]]
        values += ["..."] if len(self.values) > 4 else []
        return (
            f"Evaluation({', '.join(values)}; n_points={self.n_points}, "
            f"n_clusters={self.n_clusters}, n_noise={self.n_noise})"
        )

    def __str__(self) -> str:
        """A table with the reasons below it, and above it what its scores rest on, if little."""
        table = text_table(self._rows(), right=_NUMBERS)
        parts = ["\n".join(self._head()), table, "\n".join(self._reasons())]
        return "\n\n".join(part for part in parts if part)

    def _card(self) -> Card:
        table = CardTable(self._rows(), _NUMBERS)
        reasons = [("No value", self._reasons())] if self._reasons() else []
        return Card("Evaluation", self._head(), [table], reasons)

    @property
    def _infos(self) -> IndexTable:
        return choose_indices([value.index for value in self.values], "Evaluation")

    def _head(self) -> list[str]:
        size = f"{count(self.n_points, 'point')}, {count(self.n_clusters, 'cluster')}"
        flags = [f"Scores rest on little. {flag_words(self.flags)}"] if self.flags else []
        return [f"{size}, {count(self.n_noise, 'noise point')}", *flags]

    def _rows(self) -> list[tuple[str, ...]]:
        head = ("index", "value", "better", "range", "seconds")
        rows = (
            (info.title, value.shown, info.better, info.shown_range, f"{value.seconds:.3f}")
            for info, value in zip(self._infos, self.values, strict=True)
        )
        return [head, *rows]

    def _reasons(self) -> list[str]:
        return [
            f"{info.title}: {value.reason}"
            for info, value in zip(self._infos, self.values, strict=True)
            if value.reason
        ]

    def plot(self, kind: str | None = None, **options: Any) -> Any:
        """Draw a picture of the DISCO score; needs matplotlib.

        Parameters
        ----------
        kind : {"map", "bars", "noise", "line", "eps"}, optional
            Points by label and score, scores by cluster, the zones of noise, all points in the
            order of their density, or what other eps are worth. Default: "map", or "bars" where it
            is not known where the points are.
        **options : Any
            ``ax``, where to draw; ``theme``, "light" or "dark"; ``embedding`` of a map, an array of
            two columns.

        Returns
        -------
        Display
            One of `disco_cvi.plots`; ``plot().figure_.savefig(path)`` saves the picture.
        """
        if self.clustering is None:
            message = (
                "This evaluation does not remember its points: evaluate() makes those that do."
            )
            raise InvalidInputError(message)
        return draw_explanation(explain_clustering(self.clustering, self.min_points), kind, options)

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per index as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns index, value, reason, seconds.
        """
        names = ("index", "value", "reason", "seconds")
        columns = {name: [getattr(value, name) for value in self.values] for name in names}
        return data_frame(columns, backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON: no NaN and no infinity, but None with a reason."""
        return {
            "n_points": self.n_points,
            "n_clusters": self.n_clusters,
            "n_noise": self.n_noise,
            "flags": [asdict(flag) for flag in self.flags],
            "values": [value.to_dict() for value in self.values],
        }


def evaluate(
    X: ArrayLike | DensityTree,
    labels: ArrayLike,
    indices: str | Iterable[str] = "all",
    *,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    parameters: Parameters | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
) -> Evaluation:
    """Compute many validity indices of one labeling, with shared work.

    An index that is not defined for the labeling has a reason in words in place of a value; the
    others are computed all the same.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed", or DensityTree
        The points, or their tree: then indices that need the points have a reason.
    labels : array-like of shape (n,)
        Cluster of each point.
    indices : str or iterable of str, default="all"
        Names of indices, see `available_indices`.
    min_points : int, optional
        For all indices that have it; DCSI does not count the point itself. Default: that of each
        index, or of the tree.
    metric : str or callable, optional
        For all indices whose definition allows it, see `DensityTree`; those that are Euclidean by
        definition have a reason. Default: that of each index, or of the tree.
    metric_params : dict, optional
        Further arguments of the metric.
    parameters : dict of dict, optional
        Own parameters of indices by name, such as ``{"disco": {"min_points": 10}}``.
    noise_label : int, str, bool or None, default=-1
        The label of noise; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors.

    Returns
    -------
    Evaluation
        Values, reasons and times; printing it shows a table.

    Raises
    ------
    InvalidInputError, TypeError
        If an argument cannot be used, a misspelt parameter among them, before anything is computed.

    Examples
    --------
    >>> from disco_cvi import evaluate
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9]]
    >>> labels = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> evaluation = evaluate(X, labels, ["disco", "cvnn"], min_points=3)
    >>> {name: round(value, 3) for name, value in evaluation.scores.items()}
    {'disco': 0.899, 'cvnn': 2.848}
    """
    caller = "evaluate"
    chosen = choose_indices(indices, caller)
    own = check_parameters(parameters, min_points, chosen, caller)
    clustering = open_clustering(
        X,
        labels,
        caller,
        noise_label=noise_label,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
        is_shared=True,
    )
    return evaluate_in(clustering, chosen, own, min_points=min_points)


def check_parameters(
    parameters: object, min_points: int | None, chosen: IndexTable, caller: str
) -> Parameters:
    """Return the parameters of the chosen indices, each checked as its function checks it."""
    rule = (
        "be a dict of dicts by the names of the chosen indices, such as "
        "{'disco': {'min_points': 10}}"
    )
    given = {} if parameters is None else parameters
    if not isinstance(given, Mapping):
        got = describe(given)
        raise InvalidTypeError(argument="parameters", caller=caller, rule=rule, got=got)
    named: dict[str, Mapping[str, Any]] = {}
    for name, own in given.items():
        # Users may spell the names as they like.
        index = chosen.find(name, "parameters", caller, lister="indices").name
        if not isinstance(own, Mapping):
            argument = f"parameters[{index!r}]"
            raise InvalidTypeError(
                argument=argument, caller=caller, rule="be a dict of options", got=describe(own)
            )
        if index in named:
            rule, got = "name each index once", f"{index} twice"
            raise InvalidInputError(argument="parameters", caller=caller, rule=rule, got=got)
        named[index] = own
    checked = {}
    for info in chosen:
        options, own = options_of(info), dict(named.get(info.name, {}))
        if min_points is not None and "min_points" in options:
            own.setdefault("min_points", min_points)
        checked[info.name] = check_options(options, f"{info.name} in {caller}", own)
    return checked


def evaluate_in(
    clustering: Clustering,
    chosen: IndexTable,
    own: Parameters,
    bar: Progress | None = None,
    min_points: int | None = None,
) -> Evaluation:
    """Compute the chosen indices of a clustering; each is a step of the progress bar."""
    values = []
    for info in chosen:
        values.append(value_of(clustering, info, own.get(info.name, {})))
        if bar is not None:
            bar.step()
    labels = clustering.labels
    return Evaluation(
        values=tuple(values),
        n_points=labels.n_points,
        n_clusters=labels.n_clusters,
        n_noise=labels.n_noise,
        flags=flags_of(labels),
        clustering=clustering,
        min_points=own.get("disco", {}).get("min_points", min_points),
    )


def value_of(clustering: Clustering, info: IndexInfo, own: Mapping[str, Any]) -> IndexValue:
    """Compute one index of a clustering, or say why it has no value."""
    begin = time.perf_counter()
    value: float | None = None
    reason = _obstacle(clustering.points, info)
    if reason is None:
        try:
            value = float(info.evaluate(clustering, **own))
        except UndefinedScoreError as error:
            reason = str(error)
    return IndexValue(info.name, value, reason, time.perf_counter() - begin)


def _obstacle(points: Points, info: IndexInfo) -> str | None:
    """Say why an index cannot be computed from what is known of the points, or return None."""
    if info.metric == "euclidean" and not points.metric.is_plain:
        return (
            f"{info.title} is defined by Euclidean distances; the metric is {points.metric.shown}."
        )
    if points.tree is None or info.needs == "tree":
        return None
    if info.needs == "points":
        return f"{info.title} needs the points; their density tree is not enough."
    if points.tree.min_points == 1:
        return None
    return (
        f"{info.title} needs the points, or their density tree with min_points=1; this tree has "
        f"min_points={points.tree.min_points}."
    )
