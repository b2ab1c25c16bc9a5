"""The words that print(suggestion) shows, made from the facts of Suggestion.to_dict alone."""

from __future__ import annotations

import textwrap
from typing import Any, TypeAlias

from disco_cvi._output.rich_display import Card
from disco_cvi._output.words import count, from_to

Facts: TypeAlias = dict[str, Any]

_WIDTH = 88
_OTHERS = 3
_AGREE = 0.9
_SIZES = (
    "Look at the small clusters: beside a giant one they earn little, and may still be real. "
    "DISCO judges them better."
)
_ADVICE = (
    "If you expect groups that are round or touch each other, try k-means, Ward or a Gaussian "
    "mixture, and choose by the silhouette."
)


LOOK = "Look at the scores of all settings: .plot(); at each cluster: explain(X, labels)."


def suggestion_text(facts: Facts, *, look: str = LOOK) -> str:
    """Put the facts of one suggestion into plain words: what to take, why, how sure, what else.

    Where to look next is said in the words of those who ask.
    """
    lines = [_wrap(headline(facts))]
    for title, sentences in sections(facts, look=look):
        lines += ["", f"{title}:", *(_wrap(f"- {sentence}", "  ") for sentence in sentences)]
    if facts["score"] > 0:
        lines += ["", "In Python:", textwrap.indent(facts["python"], "  ")]
    return "\n".join(lines)


def suggestion_card(facts: Facts) -> Card:
    """Return the same for notebooks."""
    code = facts["python"] if facts["score"] > 0 else ""
    return Card(headline(facts), lists=sections(facts), code=code)


def headline(facts: Facts) -> str:
    """What to take, or that there is nothing to take."""
    found = facts["candidates"][0]["sentence"]
    if facts["score"] <= 0:
        return "Take none: no setting tells points apart better than no clusters do."
    if _has(facts, "structureless"):
        return f"Perhaps take none. The best there is: {found}"
    if _has(facts, "weak"):
        return f"With care, take {found}"
    return f"Take {found}"


def sections(facts: Facts, *, look: str = LOOK) -> list[tuple[str, list[str]]]:
    """Return titles, each with its sentences; what is empty is left out."""
    found = [
        ("Why", _why(facts)),
        ("How sure", _how_sure(facts)),
        ("Look out", [flag["text"] for flag in facts["warnings"]]),
        ("What else", _others(facts)),
        ("What next", _next(facts, look)),
    ]
    return [(title, sentences) for title, sentences in found if sentences]


def _has(facts: Facts, name: str) -> bool:
    return any(flag["name"] == name for flag in facts["warnings"])


def _why(facts: Facts) -> list[str]:
    tried = {
        "auto": "DBSCAN at every eps and HDBSCAN at every min_cluster_size",
        "dbscan": "DBSCAN at every eps",
        "hdbscan": "HDBSCAN at every min_cluster_size",
    }[facts["tried"]]
    points = f"{count(facts['n_points'], 'point')}, {facts['metric']} distance"
    if facts["score"] <= 0:
        return [f"Tried: {tried} ({points})."]
    reason = (
        f"Of {tried} ({points}), these clusters have the greatest pair score: it counts "
        "how many pairs of points are told apart, and how sparse the gaps between them are. "
    )
    return [f"{reason}DISCO, which judges the noise too, is {facts['disco']:z.3f}."]


def _how_sure(facts: Facts) -> list[str]:
    return [*_range_words(facts), *_second_words(facts), *_null_words(facts)]


def _range_words(facts: Facts) -> list[str]:
    if facts["score"] <= 0:
        return []
    good = "is as good: the pair score stays within 5% of the best"
    if facts["algorithm"] == "dbscan":
        return [f"Any eps {from_to(*facts['eps_range'])} {good}.{_steady_words(facts)}"]
    low, high = facts["size_range"]
    if low == high:
        return ["No other min_cluster_size has a pair score within 5% of the best."]
    return [f"Any min_cluster_size from {low:,} to {high:,} {good}.{_steady_words(facts)}"]


def _steady_words(facts: Facts) -> str:
    """The best number of clusters need not be that of most settings that are as good."""
    steady = facts["steady_clusters"]
    if steady == facts["n_clusters"]:
        return ""
    return f" For most of it there are {count(steady, 'cluster')}, not {facts['n_clusters']:,}."


def _second_words(facts: Facts) -> list[str]:
    second, agreement = facts["second"], facts["agreement"]
    if second is None:
        return []
    if agreement == 1:
        return [f"Second opinion: {second['call']} finds the same clusters."]
    view = "agrees" if agreement >= _AGREE else "differs"
    return [
        f"Second opinion: {second['sentence']} It {view}: adjusted Rand index {agreement:z.2f}."
    ]


def _null_words(facts: Facts) -> list[str]:
    null = facts["null"]
    if null is None:
        return [facts["null_left_out"]]
    size = "of this size and shape"
    if null["n_points"] < facts["n_points"]:
        size = f"of this shape ({null['n_points']:,} points)"
    verdict = {
        "clearly more": "clearly more",
        "more": "more, but not by much: look before you trust it",
        "no more": "no more",
    }[null["verdict"]]
    reach = f"reach a pair score of {null['reach']:.3f} by DBSCAN"
    here = f"these points reach {null['found']:z.3f} by it, {verdict}"
    return [f"Data without clusters, {size}, {reach}; {here}."]


def _others(facts: Facts) -> list[str]:
    """Other candidates; the second opinion has been told of."""
    told = facts["second"] and facts["second"]["call"]
    others = [one["sentence"] for one in facts["candidates"][1:] if one["call"] != told]
    return others[:_OTHERS]


def _next(facts: Facts, look: str) -> list[str]:
    if facts["eps_range"] == [0.0, None]:  # all points are the same
        return []
    if facts["score"] <= 0 or _has(facts, "structureless") or _has(facts, "weak"):
        return [_SIZES, _ADVICE] if _has(facts, "giant cluster") else [_ADVICE]
    if _others(facts):
        look = f"{look} If you expect fewer or finer clusters, see the other candidates."
    return [look]


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  " if indent else "",
        break_long_words=False,
        break_on_hyphens=False,
    )
