"""What a density tree proposes: its best clusterings by DBSCAN and by HDBSCAN."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disco_cvi._compute.exact_sums import exact_mean
from disco_cvi._input.clustering import Clustering
from disco_cvi._input.labels import Labels, check_labels
from disco_cvi._input.points import METRIC, open_points
from disco_cvi._output.tables import FieldsDisplay
from disco_cvi._output.words import shorten
from disco_cvi.density_tree.paths import EpsChoice, EpsPath, SizePath
from disco_cvi.density_tree.tree import DensityTree
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.disco import disco_by_row
from disco_cvi.indices.pair import earnings
from disco_cvi.results.agreement import partition_key
from disco_cvi.results.words import candidate_words

CALLER = "suggest"
METHODS = {"eom": 3, "leaf": 1}
# From which share of the best score on settings are worth telling.
_LEAST = 0.5
# What scikit-learn does, or is going to do, unless it is told otherwise.
_USUAL = {"cluster_selection_method": "eom", "copy": True}


@dataclass(frozen=True, eq=False, repr=False)
class Candidate(FieldsDisplay):
    """One clustering of the points.

    Attributes
    ----------
    algorithm : {"dbscan", "hdbscan"}
        What finds it.
    parameters : dict
        Arguments of scikit-learn's class of that name.
    labels : ndarray of int of shape (n,)
        Cluster of each point, -1 for noise.
    score : float
        Pair score of the labels.
    disco : float
        DISCO of the labels.
    n_clusters : int
        Number of clusters.
    noise_share : float
        Share of the points that are noise.
    equals : tuple of str
        Other settings that give the same clusters.
    """

    algorithm: Literal["dbscan", "hdbscan"]
    parameters: dict[str, Any]
    labels: NDArray[np.int64]
    score: float
    disco: float
    n_clusters: int
    noise_share: float
    equals: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Candidate({self.sentence.removesuffix('.')})"

    @cached_property
    def checked(self) -> Labels:
        """The labels as codes, names and sizes."""
        return check_labels(self.labels, len(self.labels), -1, CALLER)

    @property
    def largest_share(self) -> float:
        """Share of the clustered points that the largest cluster holds; 0 if there is none."""
        sizes = self.checked.sizes
        return int(sizes.max()) / int(sizes.sum()) if len(sizes) else 0.0

    @cached_property
    def key(self) -> bytes:
        """The same for labels that differ in the names of their clusters alone."""
        return partition_key(self.checked)

    @property
    def call(self) -> str:
        """The setting as scikit-learn spells it, without what is usual there."""
        shown = {
            name: value for name, value in self.parameters.items() if _USUAL.get(name) != value
        }
        given = ", ".join(f"{name}={_shown(value)}" for name, value in shown.items())
        return f"{self.algorithm.upper()}({given})"

    @property
    def sentence(self) -> str:
        """The setting and what it gives, in words."""
        return candidate_words(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the labels as plain values."""
        names = ("algorithm", "score", "disco", "n_clusters", "noise_share", "largest_share")
        facts: dict[str, Any] = {name: getattr(self, name) for name in names}
        parameters = {name: _plain(value) for name, value in self.parameters.items()}
        texts = {"call": self.call, "sentence": self.sentence, "equals": list(self.equals)}
        return facts | {"parameters": parameters} | texts


def _shown(value: object) -> str:
    return str(getattr(value, "__name__", shorten(value)))


def _plain(value: Any) -> Any:
    """A parameter as JSON has it; a metric that is a function by its name."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return getattr(value, "__name__", repr(value)) if callable(value) else value


def propose_dbscan(
    tree: DensityTree, X: ArrayLike | None, n_jobs: int, *, most: int
) -> Iterator[Candidate]:
    """Yield the best DBSCAN, and up to `most` with coarser and finer ones.

    The path leaves border points out, so that their labels are scored anew, which takes time.
    """
    points = open_points(tree, CALLER, n_jobs=n_jobs, takes_tree=True)
    path = tree.eps_path()
    for row in _best_rows(path)[:most]:
        eps, codes = _find_eps(tree, path[row], X)
        labels = check_labels(codes, tree.n_points, -1, CALLER)
        samples = disco_by_row(Clustering(points, labels))
        yield Candidate(
            "dbscan",
            {"eps": eps, "min_samples": tree.min_points} | _metric_parameters(tree),
            codes,
            score=exact_mean(earnings(samples, labels)),
            disco=exact_mean(samples),
            n_clusters=labels.n_clusters,
            noise_share=labels.n_noise / labels.n_points,
        )


def propose_hdbscan(tree: DensityTree) -> Iterator[Candidate]:
    """Yield the best HDBSCAN of both methods, and coarser and finer ones of the first."""
    for method, most in METHODS.items():
        path = tree.size_path(method=method)
        for row in _best_rows(path)[:most]:
            choice = path[row]
            # All sizes from low to high give one clustering; the middle is far from others.
            size = max(choice.low, round(math.sqrt(choice.low * choice.high)))
            found = {
                "min_cluster_size": size,
                "min_samples": tree.min_points,
                "cluster_selection_method": method,
            }
            yield Candidate(
                "hdbscan",
                found | _metric_parameters(tree) | {"copy": True},
                tree.hdbscan(size, method=method),
                score=choice.score,
                disco=choice.disco,
                n_clusters=choice.n_clusters,
                noise_share=choice.noise_share,
            )


def rank(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort by the pair score, then fewer clusters, less noise; those of equal clusters are one.

    Scores that differ by rounding alone are equal: those of paths are computed in another way.
    """

    def order(candidate: Candidate) -> tuple[float, bool, int, float]:
        n_clusters = candidate.n_clusters
        return -round(candidate.score, 12), n_clusters == 0, n_clusters, candidate.noise_share

    found: dict[bytes, list[Candidate]] = {}
    for candidate in sorted(candidates, key=order):
        found.setdefault(candidate.key, []).append(candidate)
    return [
        replace(first, equals=tuple(other.call for other in others)) if others else first
        for first, *others in found.values()
    ]


def _best_rows(path: EpsPath | SizePath) -> list[int]:
    """Return the row of the best score, then the best ones with fewer and with more clusters.

    Those beside the best one are as good and as fine; others must not be much worse.
    """
    values = path.eps if isinstance(path, EpsPath) else path.min_cluster_size
    best, (low, high) = path.best, path.stretch()
    is_other = (path.score > 0) & (path.score >= _LEAST * best.score)
    is_coarser = (values >= high) & (path.n_clusters < best.n_clusters)
    is_finer = (values < low) & (path.n_clusters > best.n_clusters)
    others = [is_other & is_coarser, is_other & is_finer]
    return [
        int(np.flatnonzero(values == best.low)[0]),
        *(int(np.where(meant, path.score, -1.0).argmax()) for meant in others if meant.any()),
    ]


def _find_eps(
    tree: DensityTree, choice: EpsChoice, X: ArrayLike | None
) -> tuple[float, NDArray[np.int64]]:
    """Return an eps of few digits, and the labels, which are those of the middle of its stretch."""
    middle = choice.eps
    if math.isinf(choice.high):  # one cluster at any greater eps; scikit-learn takes no 0
        middle = min(1.5 * choice.low, sys.float_info.max) if choice.low > 0 else 1.0
    labels = _cut(tree, middle, X)
    for digits in range(3, 17):
        eps = float(f"{middle:.{digits}g}")
        if choice.low < eps < choice.high and np.array_equal(_cut(tree, eps, X), labels):
            return eps, labels
    return middle, labels


def _cut(tree: DensityTree, eps: float, X: ArrayLike | None) -> NDArray[np.int64]:
    try:
        return tree.dbscan(eps, X=X)
    except InvalidInputError:  # a tree from a file does not know who is near whom
        return tree.dbscan(eps, border="noise")


def _metric_parameters(tree: DensityTree) -> dict[str, Any]:
    if tree.metric == METRIC:
        return {}
    return {"metric": tree.metric} | (
        {"metric_params": tree.metric_params} if tree.metric_params else {}
    )
