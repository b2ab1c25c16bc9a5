"""What a figure says of a path: a statement, facts, and names for what is marked."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from disco_cvi._output.words import count, from_to, percent
from disco_cvi.density_tree.paths import EpsPath, SizePath
from disco_cvi.indices.pair import WEAK

Path = EpsPath | SizePath


@dataclass(frozen=True)
class Story:
    """What a figure says.

    Attributes
    ----------
    title, short_title : str
        The statement; the short one is for axes that stand among others.
    facts : tuple of str
        What stands below the title.
    value, score : float
        The place that is marked.
    label : str
        What is said of it; empty: there is nothing to mark.
    null : float or None
        What data without clusters reach.
    of_labels : float or None
        The score of labels that stand beside the path.
    """

    title: str
    short_title: str
    facts: tuple[str, ...]
    value: float
    score: float
    label: str
    null: float | None = None
    of_labels: float | None = None


def tell(path: Path) -> Story:
    """What a path says by itself."""
    best = path.best
    program, parameter = names_of(path)
    value = path.best.eps if isinstance(path, EpsPath) else path.best.min_cluster_size
    rows = f"{count(len(path), 'different result')}."
    if best.score <= 0:
        title = f"{program} tells no two clusters apart at any {parameter}"
        return Story(title, "no two clusters told apart", (rows,), value, best.score, "")
    clusters = count(best.n_clusters, "cluster")
    at = f"{parameter} {_show(value)}"
    facts = [f"{rows} {_range_words(path)}"]
    if best.score < WEAK:
        facts.append("Weak: below a pair score of 0.1 groups are hardly apart.")
    label = f"best: {clusters}, {percent(best.noise_share)} noise\n"
    return Story(
        f"{program} tells {clusters} apart best at {at}",
        f"{clusters} at {at}",
        tuple(facts),
        value,
        best.score,
        f"{label}pair score {best.score:.3f} at {at}",
    )


def tell_suggestion(suggestion: Any, path: Path, value: float, score: float) -> Story:
    """What a suggestion says: its own facts, in which border points have their clusters."""
    story = tell(path)
    reach = None if suggestion.null is None else float(suggestion.null.reach)
    if suggestion.score <= 0:
        return replace(story, null=reach)
    program, parameter = names_of(path)
    clusters = count(suggestion.n_clusters, "cluster")
    at = f"{parameter} {_show(value)}"
    title = f"Suggested: {clusters} by {program} at {at}"
    if suggestion.null is not None and suggestion.null.verdict == "no more":
        title = "Perhaps there is nothing to find: data without clusters reach as much"
    label = f"suggested: {clusters}, {percent(suggestion.noise_share)} noise\n"
    return Story(
        title,
        f"suggested: {clusters} at {at}",
        (*story.facts, *_second_words(suggestion)),
        value,
        score,
        f"{label}pair score {suggestion.score:.3f} at {at}",
        reach,
    )


def _second_words(suggestion: Any) -> tuple[str, ...]:
    second = suggestion.second
    if second is None:
        return ()
    found = f"{second.call}, {count(second.n_clusters, 'cluster')}"
    return (f"Second opinion: {found}; adjusted Rand index {suggestion.agreement:.2f}.",)


def names_of(path: Path) -> tuple[str, str]:
    """The program and its parameter."""
    if isinstance(path, EpsPath):
        return "DBSCAN", "eps"
    return f"HDBSCAN ({path.method})", "min_cluster_size"


def _show(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _range_words(path: Path) -> str:
    low, high = path.stretch(0.95)
    _, parameter = names_of(path)
    if low == high:
        return f"No other {parameter} scores within 5% of the best."
    if isinstance(path, SizePath):
        span = f"from {low:,} to {high:,}"
    else:
        span = from_to(low, None if math.isinf(high) else high)
    return f"Any {parameter} {span} scores within 5% of the best."
