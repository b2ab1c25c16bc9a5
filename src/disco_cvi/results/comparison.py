"""Many labelings of the same points beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from disco_cvi._compute.dask_backend import has_cluster, send_once
from disco_cvi._compute.progress import Progress
from disco_cvi._compute.progress import progress as progress_bar
from disco_cvi._input.clustering import Clustering, label_points
from disco_cvi._input.labels import Labels, warn_of_noise
from disco_cvi._input.options import check_flag
from disco_cvi._input.points import Points, open_points
from disco_cvi._output.drawing import draw
from disco_cvi._output.tables import Card, CardTable, RichDisplay, data_frame, text_table
from disco_cvi._output.words import describe, shorten, visible
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.index_info import IndexInfo, IndexTable
from disco_cvi.indices.registry import choose_indices
from disco_cvi.results.agreement import agreement
from disco_cvi.results.evaluation import Evaluation, Parameters, check_parameters, evaluate_in
from disco_cvi.results.words import flag_words

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame


@dataclass(frozen=True, repr=False)
class Comparison(RichDisplay):
    """Labelings by indices.

    Attributes
    ----------
    evaluations : dict of str to Evaluation
        What `evaluate` says of each labeling, in the order in which they were given.
    truth : dict of str to dict of str to float, or None
        Agreement with the ground truth, by labeling: "ari" and "ami".
    """

    evaluations: dict[str, Evaluation]
    truth: dict[str, dict[str, float]] | None

    @property
    def indices(self) -> IndexTable:
        """The indices that were computed."""
        first = next(iter(self.evaluations.values()))
        return choose_indices([value.index for value in first.values], "compare")

    @property
    def scores(self) -> dict[str, dict[str, float | None]]:
        """The values by labeling and index; None where there is none."""
        return {name: evaluation.scores for name, evaluation in self.evaluations.items()}

    @property
    def ranks(self) -> dict[str, dict[str, int | None]]:
        """Rank of each labeling by index: 1 is the best, equal values share a rank."""
        ranks: dict[str, dict[str, int | None]] = {name: {} for name in self.evaluations}
        for info in self.indices:
            for name, rank in self._rank(info).items():
                ranks[name][info.name] = rank
        return ranks

    def _rank(self, info: IndexInfo) -> dict[str, int | None]:
        sign = -1.0 if info.greater_is_better else 1.0
        values = {name: scores[info.name] for name, scores in self.scores.items()}
        costs = [sign * value for value in values.values() if value is not None]
        return {
            name: None if value is None else 1 + sum(cost < sign * value for cost in costs)
            for name, value in values.items()
        }

    @property
    def best(self) -> dict[str, tuple[str, ...]]:
        """By index, the labelings that rank first; none where the index has no value at all.

        To choose between labelings, take ``best["pair"]``: the pair score is made for it. The first
        of another index may be one giant cluster and a few far points.
        """
        ranks = self.ranks
        return {
            info.name: tuple(name for name in ranks if ranks[name][info.name] == 1)
            for info in self.indices
        }

    def __str__(self) -> str:
        """Return a table, the best value of each index marked, and reasons for missing values."""
        rows = self._rows()
        table = text_table(rows, right=frozenset(range(1, len(rows[0]))))
        return "\n\n".join([table, "\n".join(self._notes())]).rstrip()

    def __repr__(self) -> str:
        names = shorten(list(self.evaluations))
        shown = [info.name for info in self.indices][:4]
        shown += ["..."] if len(self.indices) > 4 else []
        return f"Comparison({names}; {', '.join(shown)})"

    def _card(self) -> Card:
        # Before the number, as the letters of a page have widths of their own.
        rows = self._rows("{star}{value}")
        right = frozenset(range(1, len(rows[0])))
        return Card("Comparison", tables=[CardTable(rows, right)], lists=[("", self._notes())])

    def _rows(self, cell: str = "{value}{star:1}") -> list[tuple[str, ...]]:
        """The table: the shorter of labelings and indices goes across."""
        starred = self._starred()
        rows = [("labeling", "clusters", "noise", *(info.title for info in self.indices))]
        for name, evaluation in self.evaluations.items():
            cells = [
                cell.format(value=value.shown, star="*" * (name in starred[value.index]))
                for value in evaluation.values
            ]
            rows.append((name, f"{evaluation.n_clusters}", f"{evaluation.n_noise}", *cells))
        if self.truth is not None:
            agreements = (("ARI", "ari"), ("AMI", "ami"))
            extra = [tuple(title for title, _ in agreements)] + [
                tuple(f"{self.truth[name][key]:.3f}" for _, key in agreements)
                for name in self.evaluations
            ]
            rows = [(*row, *more) for row, more in zip(rows, extra, strict=True)]
        return list(zip(*rows, strict=True)) if len(self.evaluations) < len(self.indices) else rows

    def _starred(self) -> dict[str, tuple[str, ...]]:
        """By index, what a star marks: the best of several that group anything at all."""
        grouping = {
            name: evaluation
            for name, evaluation in self.evaluations.items()
            if evaluation.n_clusters < evaluation.n_points
        }
        if len(self.evaluations) == 1 or not grouping:
            return {info.name: () for info in self.indices}
        return Comparison(grouping, None).best

    def _notes(self) -> list[str]:
        """What stands below the table."""
        notes = ["* best of its index"] if any(self._starred().values()) else []
        alone = [
            name
            for name, evaluation in self.evaluations.items()
            if evaluation.n_clusters == evaluation.n_points
        ]
        if notes and alone:
            notes[0] += f", {', '.join(map(visible, alone))} aside: every point is alone there"
        lower = [info.title for info in self.indices if not info.greater_is_better]
        if lower:
            notes.append(f"lower is better for {', '.join(lower)}")
        notes = ["; ".join(notes)] if notes else []
        if self.truth is not None:
            notes.append(
                "ARI, AMI: agreement with the truth. A point that a labeling calls noise counts as "
                "a cluster of its own; the noise of the truth is one cluster."
            )
        return [*notes, *self._choice(), *self._reasons()]

    def _choice(self) -> list[str]:
        """What to choose by, and the labelings whose scores rest on little."""
        lines = [
            f"{visible(name)} rests on little. {flag_words(evaluation.flags)}"
            for name, evaluation in self.evaluations.items()
            if evaluation.flags
        ]
        first = self.best.get("pair")
        if len(self.evaluations) == 1 or first == ():
            return lines
        if first is None:
            lines.append("To choose between labelings, use the pair score (index 'pair').")
        elif (self.scores[first[0]]["pair"] or 0) > 0:
            lines.append(f"To choose, go by the pair score: {', '.join(map(visible, first))}.")
        else:
            lines.append("By the pair score, no labeling is better than no clusters.")
        return lines

    def _reasons(self) -> list[str]:
        """Why values are missing; a reason that holds for all labelings is told once."""
        told: dict[tuple[str, str], list[str]] = {}
        for name, evaluation in self.evaluations.items():
            for info, value in zip(self.indices, evaluation.values, strict=True):
                if value.reason:
                    told.setdefault((info.title, value.reason), []).append(visible(name))
        lines = []
        for (title, reason), names in told.items():
            whose = "" if len(names) == len(self.evaluations) else f"{', '.join(names)}, "
            lines.append(f"{whose}{title}: {reason}")
        return lines

    def plot(self, *, embedding: Any = None, **options: Any) -> Any:
        """Draw the labelings beside each other, the best first; needs matplotlib.

        Parameters
        ----------
        embedding : array-like of shape (n, 2), optional
            Where the points are to stand in the maps.
        **options : Any
            ``ax``, where to draw; ``theme``, "light" or "dark".

        Returns
        -------
        disco_cvi.plots.ComparisonDisplay
            ``plot().figure_.savefig(path)`` saves the picture.
        """
        display = draw("ComparisonDisplay.from_comparison", self, embedding=embedding)
        return display.plot(**options)

    def to_frame(self, *, backend: str = "pandas") -> Any:
        """Return one row per labeling and index as a data frame of pandas or polars.

        Parameters
        ----------
        backend : {"pandas", "polars"}, default="pandas"
            The library of the data frame; it must be installed.

        Returns
        -------
        pandas.DataFrame or polars.DataFrame
            Columns labeling, index, value, rank, reason, seconds.
        """
        ranks = self.ranks
        rows = [
            (name, value.index, value.value, ranks[name][value.index], value.reason, value.seconds)
            for name, evaluation in self.evaluations.items()
            for value in evaluation.values
        ]
        names = ("labeling", "index", "value", "rank", "reason", "seconds")
        return data_frame(dict(zip(names, zip(*rows, strict=True), strict=True)), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything ready for JSON: no NaN and no infinity, but None with a reason."""
        return {
            "labelings": {
                name: evaluation.to_dict() for name, evaluation in self.evaluations.items()
            },
            "ranks": self.ranks,
            "best": {index: list(names) for index, names in self.best.items()},
            "truth": self.truth,
        }


def compare(
    X: ArrayLike | DensityTree,
    labelings: Mapping[str, ArrayLike] | IntoDataFrame,
    indices: str | Iterable[str] = "all",
    *,
    truth: ArrayLike | None = None,
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    parameters: Parameters | None = None,
    noise_label: int | str | bool | None = -1,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compute many validity indices of many labelings of the same points.

    What depends on the points alone (trees, neighbors) is computed once for all labelings. Each
    index has its own best labeling; to choose one, go by the pair score (see `pair_score`).

    Within ``joblib.parallel_config(backend="dask")`` the first labeling is evaluated here; then the
    points, with all that was computed of them, are sent to the workers of the cluster once, and
    the other labelings are evaluated there.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed", or DensityTree
        The points, or their tree: then indices that need the points have a reason.
    labelings : dict of str to array-like of shape (n,), or data frame
        Labelings by name; a column of a data frame of pandas or polars is one.
    indices : str or iterable of str, default="all"
        Names of indices, see `available_indices`.
    truth : array-like of shape (n,), optional
        Ground truth; adds the adjusted Rand index (ARI) and the adjusted mutual information (AMI)
        of every labeling with it. For these, each point that a labeling calls noise counts as a
        cluster of its own, while the noise of the truth is one class.
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
        The label of noise in all labelings; None: there is none.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors.
    progress : bool, optional
        Whether to show a progress bar on long work; None: if the error stream is a terminal.

    Returns
    -------
    Comparison
        Values, ranks and the best labeling by index; printing it shows a table.

    Examples
    --------
    >>> from disco_cvi import compare
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [8, 8], [8, 9], [9, 8], [9, 9]]
    >>> labelings = {"sides": [0, 0, 0, 0, 1, 1, 1, 1], "mixed": [0, 1, 0, 1, 0, 1, 0, 1]}
    >>> compare(X, labelings, "silhouette").best
    {'silhouette': ('sides',)}
    """
    caller = "compare"
    chosen = choose_indices(indices, caller)
    own = check_parameters(parameters, min_points, chosen, caller)
    by_name = check_labelings(labelings, caller)
    points = open_points(
        X,
        caller,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
        is_shared=True,
    )
    shown = None if progress is None else check_flag(progress, "progress", caller)
    checked = {
        str(name): label_points(points, labels, noise_label, argument=f"labelings[{shorten(name)}]")
        for name, labels in by_name.items()
    }
    as_checked = [clustering.labels for clustering in checked.values()]
    warn_of_noise(zip(by_name.values(), as_checked, strict=True), noise_label)
    true = None if truth is None else label_points(points, truth, noise_label, argument="truth")
    with progress_bar("comparing", len(checked) * len(chosen), shown=shown) as bar:
        found = _evaluate_all(list(checked.values()), chosen, own, bar, min_points)
        evaluations = dict(zip(checked, found, strict=True))
    agreements = None
    if true is not None:
        agreements = {name: agreement(true.labels, found.labels) for name, found in checked.items()}
    return Comparison(evaluations, agreements)


def _evaluate_all(
    clusterings: list[Clustering],
    chosen: IndexTable,
    own: Parameters,
    bar: Progress,
    min_points: int | None,
) -> list[Evaluation]:
    """Evaluate the first here and, if joblib sends its work to a cluster, the others there."""
    n_here = 1 if has_cluster() else len(clusterings)
    found = [evaluate_in(each, chosen, own, bar, min_points) for each in clusterings[:n_here]]
    if others := clusterings[n_here:]:
        import joblib

        (points,) = send_once(clusterings[0].points)
        jobs = (
            joblib.delayed(_evaluate_there)(points, each.labels, chosen, own, min_points)
            for each in others
        )
        there = zip(others, joblib.Parallel()(jobs), strict=True)
        found += [replace(evaluation, clustering=each) for each, evaluation in there]
    return found


def _evaluate_there(
    points: Points, labels: Labels, chosen: IndexTable, own: Parameters, min_points: int | None
) -> Evaluation:
    evaluation = evaluate_in(Clustering(points, labels), chosen, own, None, min_points)
    return replace(evaluation, clustering=None)  # which need not come back


def check_labelings(labelings: Any, caller: str, argument: str = "labelings") -> dict[Any, Any]:
    """Return labelings by name, whatever they came in."""
    if isinstance(labelings, Mapping):
        named = list(labelings.items())
    elif _is_frame(labelings):
        # By place: pandas has columns of the same name.
        named = [
            (name, labelings.iloc[:, place] if hasattr(labelings, "iloc") else labelings[:, place])
            for place, name in enumerate(labelings.columns)
        ]
    else:
        named = []
    if not named:
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="be a dict of one labeling or more by name, such as {'dbscan': labels}, or a data "
            "frame with a column for each",
            got=describe(labelings),
        )
    if len({str(name) for name, _ in named}) < len(named):
        raise InvalidInputError(
            argument=argument,
            caller=caller,
            rule="have names that differ as text",
            got=shorten([name for name, _ in named]),
        )
    return dict(named)


def _is_frame(value: object) -> bool:
    """Whether a value is a data frame; a lazy one warns if it is itself asked for its columns."""
    return hasattr(type(value), "columns") and hasattr(type(value), "to_dict")
