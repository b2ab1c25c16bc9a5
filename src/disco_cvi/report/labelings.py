"""What users may give as labels: one labeling, several by name, or what found them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from disco_cvi._input.kinds import probe
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.results.comparison import Comparison, check_labelings

ONLY = "labels"


def name_labelings(labels: Any, caller: str) -> dict[str, Any]:
    """Return labelings by name, as they were given.

    Parameters
    ----------
    labels : array-like, dict or data frame of these, Comparison, Suggestion, or fitted clusterer
        A search is a fitted clusterer too: its labels go by the settings that were chosen.
    caller : str
        Name of the public function, for messages.

    Returns
    -------
    dict of str to array-like

    Examples
    --------
    >>> name_labelings([0, 0, 1], "write_report")
    {'labels': [0, 0, 1]}
    """
    if isinstance(labels, Comparison):
        return _compared_labels(labels, caller)
    # First: pandas answers with columns, and rows, that have the name of an attribute.
    if isinstance(labels, Mapping) or hasattr(type(labels), "columns"):
        named = check_labelings(labels, caller, "labels")
        return {str(name): labeling for name, labeling in named.items()}
    candidates = probe(labels, "candidates")
    if candidates is not None:  # of a suggestion, the best first
        return {candidate.call: candidate.labels for candidate in candidates}
    if hasattr(type(labels), "fit"):
        return {_name_clusterer(labels): _found_labels(labels, caller)}
    return {ONLY: labels}


def _compared_labels(comparison: Comparison, caller: str) -> dict[str, Any]:
    found = {name: one.clustering for name, one in comparison.evaluations.items()}
    labels = {name: one.labels for name, one in found.items() if one is not None}
    if len(labels) < len(found):
        raise InvalidInputError(
            argument="labels",
            caller=caller,
            rule="be labels",
            got="a Comparison that does not know them",
            remedy="Pass the dict of labelings that was compared.",
        )
    return labels


def _found_labels(clusterer: Any, caller: str) -> Any:
    if probe(clusterer, "labels_") is None:
        raise InvalidInputError(
            argument="labels",
            caller=caller,
            rule="be labels or a clusterer that has found some",
            got=f"a {type(clusterer).__name__} that is not fitted",
            remedy="Call its fit(X) first.",
        )
    return clusterer.labels_


def _name_clusterer(clusterer: Any) -> str:
    """Its class, and of a search the class and the settings that it chose."""
    chosen = probe(clusterer, "best_params_")
    if chosen is None:
        return type(clusterer).__name__
    settings = ", ".join(f"{name}={value}" for name, value in chosen.items())
    return f"{type(clusterer.estimator).__name__}({settings})"
