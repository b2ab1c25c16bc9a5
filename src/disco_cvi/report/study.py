"""All that a report tells of: points, their labelings, and what was computed of them, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from disco_cvi._input.clustering import label_points
from disco_cvi._input.labels import warn_of_noise
from disco_cvi._input.points import check_row_names, names_in, open_points
from disco_cvi._output.words import describe, shorten
from disco_cvi.density_tree.tree import density_tree_of
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.indices.registry import NEAR_LINEAR, available_indices, choose_indices
from disco_cvi.plots.plane import plane_of
from disco_cvi.results.agreement import adjusted_rand, agreement
from disco_cvi.results.comparison import Comparison, check_labelings
from disco_cvi.results.evaluation import check_parameters, evaluate_in
from disco_cvi.results.explanation import explain_clustering

if TYPE_CHECKING:
    from collections.abc import Iterable

    from disco_cvi._input.clustering import Clustering
    from disco_cvi._input.labels import Labels
    from disco_cvi._input.points import Points
    from disco_cvi.density_tree.tree import DensityTree
    from disco_cvi.plots.plane import Plane
    from disco_cvi.results.explanation import Explanation

ONLY = "labels"  # the name of a labeling that has none
# What indices whose time grows with the square of the number of points may cost: pairs of points
# times features. Some seconds each, for 15,000 points in the plane.
_MOST_WORK = 1e9
_LEAST_FEATURES = 4
_LEFT_OUT = (
    "Left out: it compares all pairs of points, which takes long with so many. "
    'Ask for it by indices=["{}"].'
)
# The adjusted mutual information of more pairs of classes takes longer than some seconds.
_MOST_CLASS_PAIRS = 2e6


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a report was asked for beside points and labels; see `write_report`."""

    title: str | None = None
    about: str | None = None
    row_names: Iterable[Any] | None = None
    truth: Any = None
    embedding: Any = None
    indices: str | Iterable[str] | None = None
    date: str | None = None
    min_points: int | None = None
    metric: Any = None
    metric_params: dict[str, Any] | None = None
    noise_label: Any = -1
    n_jobs: int | None = None


@dataclass(frozen=True, eq=False)
class Study:
    """Points with their labelings, and what was computed of them.

    Attributes
    ----------
    request : Request
        What was asked for.
    labelings : dict of str to Clustering
        The labelings by name, the best pair score first.
    explanations : dict of str to Explanation
        In the same order.
    name : str
        The labeling that the report is about.
    tree : DensityTree or None
        None where there are fewer points than it needs, and labels alone decide the score.
    plane : Plane or None
        Where the points stand in the map; None where nobody knows.
    values : dict of str to dict
        The value of each index, or the reason why it has none, of the labeling that the report is
        about.
    agreements : dict of str to dict, or None
        ARI and AMI of each labeling with the truth, if that was given; None for an AMI that would
        take too long.
    """

    request: Request
    labelings: dict[str, Clustering]
    explanations: dict[str, Explanation]
    name: str
    tree: DensityTree | None
    plane: Plane | None
    values: dict[str, dict[str, Any]]
    agreements: dict[str, dict[str, float | None]] | None

    @property
    def clustering(self) -> Clustering:
        """The points with the labeling that the report is about."""
        return self.labelings[self.name]

    @property
    def explanation(self) -> Explanation:
        """What is known of it."""
        return self.explanations[self.name]


def make_study(X: Any, labels: Any, request: Request, caller: str) -> Study:
    """Check everything that was given, then compute what a report tells of."""
    given = _name_labelings(labels, caller)
    _check_words(request, given, caller)
    points = open_points(
        X,
        caller,
        n_jobs=request.n_jobs,
        metric=request.metric,
        metric_params=request.metric_params,
        min_points=request.min_points,
        takes_tree=True,
        is_shared=True,
    )
    labelings = {
        name: label_points(points, one, request.noise_label, argument=_argument(name))
        for name, one in given.items()
    }
    checked = [clustering.labels for clustering in labelings.values()]
    warn_of_noise(zip(given.values(), checked, strict=True), request.noise_label)
    truth = request.truth
    if truth is not None:
        truth = label_points(points, truth, request.noise_label, argument="truth").labels
    given_points = None if points.metric.name == "precomputed" else points.given
    plane = None
    if given_points is not None or request.embedding is not None:
        plane = plane_of(given_points, request.embedding, caller, points.n_points)
    chosen, left_out = _affordable_indices(points, request.indices, caller)
    explanations = _explain_all(labelings, request, caller)
    name = request.about or next(iter(explanations))
    tree = _tree_if_any(points, request.min_points)
    values: dict[str, dict[str, Any]] = {
        name: {"value": None, "reason": _LEFT_OUT.format(name)} for name in left_out
    }
    if tree is not None and any(info.name == "disco" for info in chosen):
        # Not a second time: the explanation holds it.
        values["disco"] = {"value": explanations[name].score, "reason": None}
        chosen = tuple(info for info in chosen if info.name != "disco")
    own = check_parameters(None, request.min_points, chosen, caller)
    for value in evaluate_in(labelings[name], chosen, own, None).values:
        known = value.to_dict()
        values[value.index] = {"value": known["value"], "reason": known["reason"]}
    agreements = None
    if truth is not None:
        agreements = {one: _agree(truth, labelings[one].labels) for one in explanations}
    return Study(
        request=request,
        labelings={one: labelings[one] for one in explanations},
        explanations=explanations,
        name=name,
        tree=tree,
        plane=plane,
        values=values,
        agreements=agreements,
    )


def _argument(name: str) -> str:
    return "labels" if name == ONLY else f"labels[{shorten(name)}]"


def _agree(truth: Labels, labels: Labels) -> dict[str, float | None]:
    """ARI and AMI; the time of AMI grows with the number of pairs of classes, noise points too."""
    if (truth.n_clusters + 1) * (labels.n_clusters + labels.n_noise) <= _MOST_CLASS_PAIRS:
        return {**agreement(truth, labels)}
    return {"ari": adjusted_rand(truth, labels), "ami": None}


def _check_words(request: Request, given: dict[str, Any], caller: str) -> None:
    words = {"title": request.title, "date": request.date, "about": request.about}
    for argument, text in words.items():
        if text is not None and not isinstance(text, str):
            rule, got = "be text", describe(text)
            raise InvalidTypeError(argument=argument, caller=caller, rule=rule, got=got)
    if request.about is not None and request.about not in given:
        rule, got = "name a labeling", shorten(request.about)
        raise InvalidInputError(argument="about", caller=caller, rule=rule, got=got)


def _explain_all(
    labelings: dict[str, Clustering], request: Request, caller: str
) -> dict[str, Explanation]:
    """Explain every labeling; the best pair score comes first."""
    points = next(iter(labelings.values())).points
    names = names_in(points.index)
    if request.row_names is not None:
        names = check_row_names(request.row_names, points.n_points, points.index, caller)
    found = {
        name: explain_clustering(one, request.min_points, names) for name, one in labelings.items()
    }
    best_first = sorted(found, key=lambda name: (-found[name].pair_score, -found[name].score))
    return {name: found[name] for name in best_first}


def _affordable_indices(
    points: Points, asked: str | Iterable[str] | None, caller: str
) -> tuple[Any, tuple[str, ...]]:
    """Return the indices to compute, and those that are left out for their cost."""
    if asked is not None:
        return choose_indices(asked, caller), ()
    n_features = 1 if points.given is None else points.given.shape[1]
    if points.n_points**2 * max(n_features, _LEAST_FEATURES) <= _MOST_WORK:
        return available_indices(), ()
    names = [info.name for info in available_indices()]
    kept = choose_indices([name for name in names if name in NEAR_LINEAR], caller)
    return kept, tuple(name for name in names if name not in NEAR_LINEAR)


def _tree_if_any(points: Points, min_points: int | None) -> DensityTree | None:
    """The tree; fewer points than it needs are no error where labels alone decide the score."""
    if points.tree is None and points.choose_min_points(min_points) > points.n_points:
        return None
    return density_tree_of(points, min_points)


# --- what may be given as labels ------------------------------------------------------------------


def _name_labelings(labels: Any, caller: str) -> dict[str, Any]:
    """Return labelings by name, as they were given.

    A search is a fitted clusterer too: its labels go by the settings that were chosen.
    """
    refused = {"argument": "labels", "caller": caller}
    if isinstance(labels, Comparison):
        found = {name: one.clustering for name, one in labels.evaluations.items()}
        if None in found.values():
            raise InvalidInputError(
                **refused,
                rule="be labels",
                got="a Comparison that does not know them",
                remedy="Pass the dict of labelings that was compared.",
            )
        return {name: one.labels for name, one in found.items() if one is not None}
    # First: pandas answers with columns, and rows, that have the name of an attribute.
    if isinstance(labels, Mapping) or hasattr(type(labels), "columns"):
        named = check_labelings(labels, caller, "labels")
        return {str(name): labeling for name, labeling in named.items()}
    candidates = getattr(labels, "candidates", None)
    if candidates is not None:  # of a suggestion, the best first
        return {candidate.call: candidate.labels for candidate in candidates}
    if hasattr(type(labels), "fit"):
        if getattr(labels, "labels_", None) is None:
            raise InvalidInputError(
                **refused,
                rule="be labels or a clusterer that has found some",
                got=f"a {type(labels).__name__} that is not fitted",
                remedy="Call its fit(X) first.",
            )
        return {_name_clusterer(labels): labels.labels_}
    return {ONLY: labels}


def _name_clusterer(clusterer: Any) -> str:
    """Its class, and of a search the class and the settings that it chose."""
    chosen = getattr(clusterer, "best_params_", None)
    if chosen is None:
        return type(clusterer).__name__
    settings = ", ".join(f"{name}={value}" for name, value in chosen.items())
    return f"{type(clusterer.estimator).__name__}({settings})"
