"""suggest: which eps or min_cluster_size, why, how sure that is, and whether there is anything."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from disco_cvi._input.options import check_choice, check_count
from disco_cvi._input.points import Points, open_points
from disco_cvi.density_tree.tree import DensityTree, density_tree_of
from disco_cvi.indices.pair import WEAK
from disco_cvi.results.agreement import mutual_agreement
from disco_cvi.results.flags import Flag, flags_of
from disco_cvi.results.words import FLAGS
from disco_cvi.selection.proposals import (
    CALLER,
    Candidate,
    propose_dbscan,
    propose_hdbscan,
    rank,
)
from disco_cvi.selection.structureless import MOST_SAMPLES, Structureless, draw_structureless
from disco_cvi.selection.suggestion import Suggestion

ALGORITHMS = ("auto", "dbscan", "hdbscan")
_DISPUTED = 0.5
_NARROW = 0.01


def suggest(
    X: ArrayLike | DensityTree,
    *,
    algorithm: str = "auto",
    min_points: int | None = None,
    metric: str | Callable[..., float] | None = None,
    metric_params: dict[str, Any] | None = None,
    n_null: int = 9,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Suggestion:
    """Suggest a clustering: which eps or min_cluster_size, why, how sure, and what else.

    DBSCAN at every eps and HDBSCAN at every min_cluster_size come from one density tree, and the
    pair score decides (see `pair_score`); equal scores: fewer clusters, less noise. Whether there
    is anything to find at all is judged against data without clusters. ``print`` the result for a
    summary in plain words.

    Parameters
    ----------
    X : array-like of shape (n, d), or (n, n) for the metric "precomputed", or DensityTree
        The points, features on comparable scales; or their tree, from which structureless data
        cannot be drawn.
    algorithm : {"auto", "dbscan", "hdbscan"}, default="auto"
        What to suggest; the other one gives a second opinion.
    min_points : int, optional
        Points that make a place dense, the point itself counted: scikit-learn's min_samples.
        Default: 5, or that of the tree.
    metric : str or callable, optional
        See `DensityTree`. Default: "euclidean", or that of the tree.
    metric_params : dict, optional
        Further arguments of the metric.
    n_null : int, default=9
        How many Gaussian and how many uniform samples without clusters to search, each at about the
        cost of the tree, but of at most 10,000 points; 0: none, at most a million. Only for the
        Euclidean metric.
    random_state : int, default=0
        Seed of these samples; nothing else is random.
    n_jobs : int, optional
        Number of threads; None means 1, -1 all processors. The result does not depend on it.

    Returns
    -------
    Suggestion
        Labels, parameters and scores; other candidates; warnings; a figure, a data frame and a
        JSON-ready dict on request.

    Raises
    ------
    ValueError
        If an argument holds an unusable value, among them fewer points than `min_points`.
    TypeError
        If an argument is of the wrong type.

    See Also
    --------
    disco_cvi.selection.ClusteringSearch : The same for any clusterer and any settings.

    Notes
    -----
    The clusters do not depend on the order of the rows. Without samples, the cost is at most that
    of two trees. The samples have the size of the points and their deviation, or their range, along
    their principal axes. What they reach hardly depends on their number from 1,000 points on (in
    two dimensions 0.06 at 1,000 and 0.05 at 100,000), so that those of 10,000 points are a fair and
    slightly strict measure for more. From seven dimensions on they reach almost nothing: then mind
    the pair score itself, which is weak below 0.1.

    Examples
    --------
    >>> from disco_cvi import suggest
    >>> X = [[x + place] for place in (0, 100, 200) for x in range(20)]
    >>> suggestion = suggest(X)
    >>> suggestion
    Suggestion(DBSCAN(eps=42.5, min_samples=5): 3 clusters, no noise, ...)
    >>> suggestion.eps_range, suggestion.null.verdict
    ((4.0, 81.0), 'clearly more')
    """
    tried = check_choice(algorithm, ALGORITHMS, "algorithm", CALLER)
    n_samples = check_count(n_null, "n_null", CALLER, least=0, most=MOST_SAMPLES)
    seed = check_count(random_state, "random_state", CALLER, least=0)
    points = open_points(
        X,
        CALLER,
        n_jobs=n_jobs,
        metric=metric,
        metric_params=metric_params,
        min_points=min_points,
        takes_tree=True,
        is_shared=True,
    )
    tree = density_tree_of(points, min_points)
    null, left_out = _ask_null(points, tree, n_samples, seed)
    most = 3 if tried == "dbscan" else 1
    proposed: dict[str, list[Candidate]] = {
        "dbscan": rank(propose_dbscan(tree, points.given, points.n_jobs, most=most)),
        "hdbscan": rank(propose_hdbscan(tree)),
    }
    candidates = _choose(proposed, tried)
    best, eps_range = candidates[0], tree.eps_path().stretch()
    second = _other(proposed, best)
    size_range = _size_range(tree, best, proposed["hdbscan"][0])
    room = _room(*(eps_range if best.algorithm == "dbscan" else size_range))
    agreement = None if second is None else mutual_agreement(best.checked, second.checked)
    return Suggestion(
        candidates=candidates,
        second=second,
        agreement=agreement,
        eps_range=eps_range,
        size_range=size_range,
        null=null,
        null_left_out=left_out,
        warnings=_warn(best, room, null, agreement),
        tried=tried,
        tree=tree,
    )


def _ask_null(
    points: Points, tree: DensityTree, n_samples: int, seed: int
) -> tuple[Structureless | None, str]:
    """Search data without clusters, or say why not."""
    why = "Whether data without clusters reach as much was not asked: "
    if n_samples == 0:
        return None, f"{why}n_null is 0."
    if points.given is None:
        return None, f"{why}that needs the points, not their tree."
    if not points.metric.is_plain:
        return None, f"{why}it is known for Euclidean distances only."
    null = draw_structureless(points.given, tree, n_samples, seed, points.n_jobs)
    return null, "All points are the same." if null is None else ""


def _choose(proposed: dict[str, list[Candidate]], tried: str) -> tuple[Candidate, ...]:
    """Rank what is to be suggested; what tells nothing apart stays only if it is all there is."""
    chosen = [one for name, some in proposed.items() if tried in ("auto", name) for one in some]
    ranked = rank(chosen)
    return tuple(one for one in ranked if one.score > 0) or (ranked[0],)


def _other(proposed: dict[str, list[Candidate]], best: Candidate) -> Candidate | None:
    """The best of the other algorithm, if it is any good."""
    other = proposed["hdbscan" if best.algorithm == "dbscan" else "dbscan"][0]
    return other if other.score > 0 and best.score > 0 else None


def _size_range(tree: DensityTree, best: Candidate, hdbscan: Candidate) -> tuple[int, int]:
    shown = best if best.algorithm == "hdbscan" else hdbscan
    method = shown.parameters["cluster_selection_method"]
    return tree.size_path(method=method).stretch()


def _warn(
    best: Candidate, room: float, null: Structureless | None, agreement: float | None
) -> tuple[Flag, ...]:
    """Return why to be careful; what tells nothing apart needs no further warning."""
    flags: list[Flag] = []
    if null is not None and null.verdict == "no more":
        share = null.found / null.reach if null.reach else 0.0
        flags.append(Flag("structureless", share, FLAGS["structureless"]))
    if best.score <= 0:
        return tuple(flags)
    of_labels = flags_of(best.checked)
    if best.score < WEAK:
        most = next((flag.share for flag in of_labels if flag.name == "few pairs"), 1.0)
        text = FLAGS["weak by sizes" if best.score > most / 2 else "weak"]
        flags.append(Flag("weak", best.score, text.format(score=best.score, most=most)))
    if room < _NARROW:
        other = "an eps not 1% away" if best.algorithm == "dbscan" else "any other min_cluster_size"
        flags.append(Flag("fragile", room, FLAGS["fragile"].format(other=other)))
    if agreement is not None and agreement < _DISPUTED:
        flags.append(Flag("disputed", agreement, FLAGS["disputed"]))
    return (*flags, *of_labels)


def _room(low: float, high: float) -> float:
    """How wide a range is, as a share of its greatest value."""
    return 1.0 if math.isinf(high) else (high - low) / high
