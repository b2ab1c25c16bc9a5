"""The words that printed results, notebooks, pages and the command show, made from plain facts.

Facts are what `Explanation.to_dict` and `Suggestion.to_dict` return.
"""

from __future__ import annotations

import textwrap
from operator import itemgetter
from typing import Any, TypeAlias

from disco_cvi._output.tables import Card, CardTable, text_table
from disco_cvi._output.words import count, from_to, percent, printable

Facts: TypeAlias = dict[str, Any]

_WIDTH = 88

# --- flags ----------------------------------------------------------------------------------------

FLAGS = {
    "giant cluster": "Cluster {name} holds {of}.",
    "few pairs": "Of all pairs of points, the clusters tell {share} apart.",
    "no pairs": "The clusters tell no two points apart.",
    "mostly noise": "More than half is noise: {of} ({share}).",
    "structureless": "Data without clusters reach as much: there may be no separate groups.",
    "weak": "Weak: the pair score is {score:.3f}; below 0.1 groups are hardly apart.",
    "weak by sizes": "Weak: the pair score is {score:.3f}; with clusters of these sizes it is "
    "{most:.3f} at most, however far apart.",
    "fragile": "Fragile: {other} gives other clusters, which are worse.",
    "disputed": "Disputed: the second opinion finds other clusters. Look at both.",
}


def flag_words(flags: Any) -> str:
    """Return the sentences of all flags in one line."""
    return " ".join(flag.text for flag in flags)


# --- explanations ---------------------------------------------------------------------------------

_CLUSTERS_SHOWN = 10
_CLUSTERS_NAMED = 3
_CLUSTERS = "Clusters, lowest mean score first"
_WORST = "Points with the lowest scores"
_NEXT = "Look at next"
WELL = 0.5  # from here on b >= 2 a
IN_PART = 0.2  # below, b < 1.25 a: a cluster hardly stands apart
_STRAYS = 0.1  # the share of negative points from which a good cluster gets a remark
CHOOSE = "To choose between labelings, use the pair score (pair_score, compare)."
_NOTHING = f"Nothing stands out. {CHOOSE}"
# What decides a score without a look at the points, and what to do then.
_BY_DEFINITION = {
    "all noise": (
        "every point is noise",
        "No cluster was found. Ask the clustering for smaller or less dense clusters.",
    ),
    "one cluster": (
        "one cluster without noise",
        "There is nothing to compare with. Try a labeling with noise or more clusters.",
    ),
    "all alone": (
        "every point is alone in its cluster",
        "Nothing is grouped. Ask the clustering for fewer, larger clusters.",
    ),
}


def explanation_text(facts: Facts) -> str:
    """Put the facts of one explanation into plain words: score, clusters, noise, what next."""
    paragraphs, advice = ["\n".join(map(_wrap, _score_words(facts)))], advice_lines(facts)
    if decided_by_labels(facts) is not None:
        return "\n\n".join([*paragraphs, *map(_wrap, advice)])
    rows, left = _cluster_rows(facts)
    table = "\n".join([text_table(rows, right=frozenset(range(len(rows[0])))), *left])
    paragraphs.append(f"{_CLUSTERS}:\n{textwrap.indent(table, '  ')}")
    if facts["n_noise"]:
        paragraphs.append(_wrap(_noise_words(facts)))
    if rows := _worst_rows(facts["worst"]):
        table = text_table(rows, right=frozenset([1]))
        paragraphs.append(f"{_WORST}:\n{textwrap.indent(table, '  ')}")
    lines = [_wrap(line, "  - ", "    ") for line in advice]
    paragraphs.append("\n".join([f"{_NEXT}:", *lines]) if advice else _wrap(_NOTHING))
    return "\n\n".join(paragraphs)


def explanation_card(facts: Facts) -> Card:
    """Return the same for notebooks."""
    sentences, advice = _score_words(facts), advice_lines(facts)
    if decided_by_labels(facts) is not None:
        return Card("Explanation", sentences, lists=[("", advice)])
    rows, left = _cluster_rows(facts)
    tables = [CardTable(rows, frozenset(range(1, 6)), " ".join([_CLUSTERS, *left]))]
    if worst := _worst_rows(facts["worst"]):
        tables.append(CardTable(worst, frozenset([1]), _WORST))
    if facts["n_noise"]:
        sentences.append(_noise_words(facts))
    next_steps = (_NEXT, advice) if advice else ("", [_NOTHING])
    return Card("Explanation", sentences, tables, [next_steps])


def verdict(facts: Facts) -> str:
    """Say in one sentence what the score means; one that rests on little is not praised."""
    decided = decided_by_labels(facts)
    if decided is not None:
        return f"By definition: {_BY_DEFINITION[decided][0]}."
    if facts["flags"] and facts["score"] >= IN_PART:
        return "The score rests on little."
    words = score_meaning(facts["score"])
    return f"{words[0].upper()}{words[1:]}."


def advice_lines(facts: Facts) -> list[str]:
    """Say what to look at next, a sentence or two each; nothing if nothing stands out."""
    decided = decided_by_labels(facts)
    if decided is not None:
        return [_BY_DEFINITION[decided][1]]
    worst_first = sorted(facts["clusters"], key=itemgetter("mean_score"))
    advice = [*_cluster_advice(worst_first), *_noise_advice(facts)]
    if facts["flags"]:
        advice.insert(0, f"Do not choose this labeling for its DISCO score. {CHOOSE}")
    return advice


def decided_by_labels(facts: Facts) -> str | None:
    """Name what decides the score without a look at the points, if anything does."""
    if facts["n_clusters"] == 0:
        return "all noise"
    if facts["n_noise"] == 0 and facts["n_clusters"] == 1:
        return "one cluster"
    return "all alone" if facts["n_clusters"] == facts["n_points"] else None


def score_meaning(score: float) -> str:
    """What a score says of labels."""
    if score >= WELL:
        return "the labels follow the density of the data well"
    if score >= IN_PART:
        return "the labels follow the density of the data in part"
    if score > -IN_PART:
        return "the labels hardly follow the density of the data"
    return "the labels go against the density of the data"


def _score_words(facts: Facts) -> list[str]:
    """Sentences on the score, the pair score and the data; what rests on little is not praised."""
    decided, meaning = decided_by_labels(facts), score_meaning(facts["score"])
    flags = " ".join(flag["text"] for flag in facts["flags"])
    verdict = f"(scale -1 to 1): {meaning}."
    if decided is not None:
        verdict = f"by definition: {_BY_DEFINITION[decided][0]}."
    elif flags and facts["score"] < IN_PART:
        verdict = f"(scale -1 to 1): {meaning}, and it rests on little. {flags}"
    elif flags:
        verdict = f"(scale -1 to 1) rests on little. {flags}"
    noise = count(facts["n_noise"], "noise point")
    if facts["n_noise"]:
        noise += f" ({percent(facts['n_noise'] / facts['n_points'])})"
    score = f"DISCO score {facts['score']:z.3f} {verdict}"
    data = (
        f"{count(facts['n_points'], 'point')}, {count(facts['n_clusters'], 'cluster')}, {noise}; "
        f"min_points {facts['min_points']}, {facts['metric']} distance."
    )
    return [score, _pair_words(facts), data]


def _pair_words(facts: Facts) -> str:
    """The pair score, and the clusters that made it what it is."""
    score = facts["pair_score"]
    words = f"Pair score {score:z.3f}"
    if facts["told_apart"]:
        words += f", at most {facts['told_apart']:.3f} with clusters of these sizes"
    by = "earned by" if score > 0 else "below 0, worse than no clusters: lost by"
    made = [cluster for cluster in facts["clusters"] if cluster["earned"] * score > 0]
    made.sort(key=lambda cluster: -abs(cluster["earned"]))
    return f"{words}; {by} {_listed(made, 'earned')}." if made else f"{words}."


def _cluster_rows(facts: Facts) -> tuple[list[tuple[str, ...]], list[str]]:
    """A table of the clusters that are worst, and a line on those that it leaves out."""
    worst_first = sorted(facts["clusters"], key=itemgetter("mean_score"))
    rows: list[tuple[str, ...]] = [
        ("cluster", "points", "mean score", "earned", "negative", "core distance", "nearest")
    ]
    for cluster in worst_first[:_CLUSTERS_SHOWN]:
        nearest = cluster["nearest_cluster"]
        rows.append(
            (
                printable(str(cluster["name"])),
                f"{cluster['size']:,}",
                f"{cluster['mean_score']:z.3f}",
                f"{cluster['earned']:z.3f}",
                percent(cluster["share_negative"]),
                f"{cluster['core_distance']:.4g}",
                "-" if nearest is None else printable(str(nearest)),
            )
        )
    rest = worst_first[_CLUSTERS_SHOWN:]
    left = [f"and {len(rest):,} more, up to {rest[-1]['mean_score']:z.3f}"] if rest else []
    return rows, left


def _noise_words(facts: Facts) -> str:
    noise, sparsest = facts["noise"], _sparsest(facts)
    return (
        f"Noise: {count(noise['size'], 'point')}, mean score {noise['mean_score']:z.3f}, "
        f"{percent(noise['share_negative'])} negative. A noise point scores above 0 where its "
        f"core distance exceeds {sparsest['core_distance']:.4g}, the largest in any cluster "
        f"({_quoted(sparsest)})."
    )


def _worst_rows(worst: list[Facts]) -> list[tuple[str, ...]]:
    """A table of the points of lowest score, as far as it is below 0, and why it is."""
    below = [point for point in worst if point["score"] < 0]
    if not below:
        return []
    named = any(point["name"] is not None for point in below)
    rows: list[tuple[str, ...]] = [("point" if named else "row", "score", "cluster", "because")]
    for point in below:
        name = printable(str(point["name"])) if named else str(point["row"])
        cluster = "noise" if point["is_noise"] else printable(str(point["cluster"]))
        rows.append((name, f"{point['score']:z.3f}", cluster, _cause(point)))
    return rows


def _cause(point: Facts) -> str:
    """Say what makes the score of a point negative."""
    if not point["is_noise"]:
        nearest = point["nearest_cluster"]
        other = "noise" if nearest is None else f"cluster {printable(str(nearest))}"
        return f"{point['separation']:.4g} to {other}, {point['compactness']:.4g} to its own"
    claimed = f"cluster {printable(str(point['claimed_by']))}"
    return f"joined to {claimed}" if point["rho_far"] <= 0 else f"dense, apart from {claimed}"


def _sparsest(facts: Facts) -> Facts:
    return max(facts["clusters"], key=itemgetter("core_distance"))


def _cluster_advice(worst_first: list[Facts]) -> list[str]:
    together = [cluster for cluster in worst_first if cluster["size"] > 1]
    weak = [cluster for cluster in together if cluster["mean_score"] < IN_PART]
    strays = [
        cluster
        for cluster in together
        if cluster["mean_score"] >= IN_PART and cluster["share_negative"] >= _STRAYS
    ]
    n_alone = len(worst_first) - len(together)
    other = "another cluster" if len(worst_first) > 1 else "a noise point"
    advice = []
    if weak:
        advice.append(
            f"Hardly separated: {_listed(weak)}. On average their points are about as near to "
            f"{other} as to their own cluster, or nearer. Either no sparse gap lies between, or "
            "the cluster is in pieces."
        )
    if strays:
        advice.append(
            f"Points that may belong elsewhere: {_listed(strays, 'share_negative')} are nearer to "
            f"{other} than to their own cluster."
        )
    if n_alone:
        advice.append(
            f"Alone in a cluster: {count(n_alone, 'point')}, each scoring 0. Noise may be the "
            "better label."
        )
    return advice


def _noise_advice(facts: Facts) -> list[str]:
    noise, advice = facts["noise"], []
    if noise["n_claimed"]:
        claims = [cluster for cluster in facts["clusters"] if cluster["n_claimed"]]
        claims.sort(key=itemgetter("n_claimed"), reverse=True)
        advice.append(
            f"Noise joined to a cluster by steps no longer than its core distance: "
            f"{count(noise['n_claimed'], 'point')} ({_listed(claims, 'n_claimed')}). Either they "
            "belong to it, or it reaches too far into sparse ground."
        )
    if noise["n_dense_apart"]:
        sparsest = _quoted(_sparsest(facts))
        advice.append(
            f"Dense noise apart from every cluster: {count(noise['n_dense_apart'], 'point')} in "
            f"places denser than the sparsest of {sparsest}. Either they are clusters of their "
            f"own, or {sparsest} reaches too far into sparse ground."
        )
    return advice


def _listed(clusters: list[Facts], figure: str | None = None) -> str:
    """Name the first few clusters, each with one of its figures."""
    texts = []
    for cluster in clusters[:_CLUSTERS_NAMED]:
        text = _quoted(cluster)
        if figure == "share_negative":
            text = f"{percent(cluster[figure])} of {text}"
        elif figure == "n_claimed":
            text = f"{cluster[figure]:,} to {text}"
        elif figure == "earned":
            text = f"{text} ({cluster[figure]:.3f})"
        texts.append(text)
    n_more = len(clusters) - _CLUSTERS_NAMED
    return ", ".join(texts) + (f" and {n_more:,} more" if n_more > 0 else "")


def _quoted(cluster: Facts) -> str:
    return f"cluster {printable(repr(cluster['name']))}"


# --- suggestions ----------------------------------------------------------------------------------

_OTHERS_SHOWN = 3
_AGREE = 0.9
_SIZES = (
    "Look at the small clusters: beside a giant one they earn little, and may still be real. "
    "DISCO judges them better."
)
_ADVICE = (
    "If you expect groups that are round or touch each other, try k-means, Ward or a Gaussian "
    "mixture, and choose by the silhouette."
)
_TRIED = {
    "auto": "DBSCAN at every eps and HDBSCAN at every min_cluster_size",
    "dbscan": "DBSCAN at every eps",
    "hdbscan": "HDBSCAN at every min_cluster_size",
}
LOOK = "Look at the scores of all settings: .plot(); at each cluster: explain(X, labels)."


def candidate_words(candidate: Any) -> str:
    """Return the setting of a candidate and what it gives."""
    noise = f"{percent(candidate.noise_share)} noise" if candidate.noise_share else "no noise"
    found = f"{count(candidate.n_clusters, 'cluster')}, {noise}"
    if candidate.n_clusters > 1:
        found += f", the largest {percent(candidate.largest_share)} of the clustered points"
    return f"{candidate.call}: {found}, pair score {candidate.score:z.3f}."


def suggestion_text(facts: Facts, *, look: str = LOOK) -> str:
    """Put the facts of one suggestion into plain words: what to take, why, how sure, what else.

    Where to look next is said in the words of those who ask.
    """
    keep_words: dict[str, Any] = {"break_long_words": False, "break_on_hyphens": False}
    lines = [_wrap(headline(facts), **keep_words)]
    for title, sentences in sections(facts, look=look):
        lines += ["", f"{title}:"]
        lines += [_wrap(f"- {sentence}", "  ", "    ", **keep_words) for sentence in sentences]
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
        ("How sure", [*_range_words(facts), *_second_words(facts), *_null_words(facts)]),
        ("Look out", [flag["text"] for flag in facts["warnings"]]),
        ("What else", _others(facts)),
        ("What next", _next(facts, look)),
    ]
    return [(title, sentences) for title, sentences in found if sentences]


def _has(facts: Facts, name: str) -> bool:
    return any(flag["name"] == name for flag in facts["warnings"])


def _why(facts: Facts) -> list[str]:
    tried = _TRIED[facts["tried"]]
    points = f"{count(facts['n_points'], 'point')}, {facts['metric']} distance"
    if facts["score"] <= 0:
        return [f"Tried: {tried} ({points})."]
    reason = (
        f"Of {tried} ({points}), these clusters have the greatest pair score: it counts "
        "how many pairs of points are told apart, and how sparse the gaps between them are. "
    )
    return [f"{reason}DISCO, which judges the noise too, is {facts['disco']:z.3f}."]


def _range_words(facts: Facts) -> list[str]:
    if facts["score"] <= 0:
        return []
    (low, high), steady = facts["size_range"], facts["steady_clusters"]
    values = f"min_cluster_size from {low:,} to {high:,}"
    if facts["algorithm"] == "dbscan":
        values = f"eps {from_to(*facts['eps_range'])}"
    elif low == high:
        return ["No other min_cluster_size has a pair score within 5% of the best."]
    words = f"Any {values} is as good: the pair score stays within 5% of the best."
    if steady != facts["n_clusters"]:  # the best setting may have another number than most of them
        words += (
            f" For most of it there are {count(steady, 'cluster')}, not {facts['n_clusters']:,}."
        )
    return [words]


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
    verdict = null["verdict"]
    if verdict == "more":
        verdict = "more, but not by much: look before you trust it"
    reach = f"reach a pair score of {null['reach']:.3f} by DBSCAN"
    here = f"these points reach {null['found']:z.3f} by it, {verdict}"
    return [f"Data without clusters, {size}, {reach}; {here}."]


def _others(facts: Facts) -> list[str]:
    """Other candidates; the second opinion has been told of."""
    told = facts["second"] and facts["second"]["call"]
    others = [one["sentence"] for one in facts["candidates"][1:] if one["call"] != told]
    return others[:_OTHERS_SHOWN]


def _next(facts: Facts, look: str) -> list[str]:
    if facts["eps_range"] == [0.0, None]:  # all points are the same
        return []
    if facts["score"] <= 0 or _has(facts, "structureless") or _has(facts, "weak"):
        return [_SIZES, _ADVICE] if _has(facts, "giant cluster") else [_ADVICE]
    if _others(facts):
        look = f"{look} If you expect fewer or finer clusters, see the other candidates."
    return [look]


def _wrap(text: str, first: str = "", rest: str = "", **options: Any) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=first, subsequent_indent=rest, **options)
