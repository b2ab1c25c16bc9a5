"""The words that print(explanation) shows, made from the facts of Explanation.to_dict alone."""

from __future__ import annotations

import textwrap
from operator import itemgetter
from typing import Any, TypeAlias

from disco_cvi._output.rich_display import Card, CardTable
from disco_cvi._output.text_table import text_table
from disco_cvi._output.words import count, percent, printable

Facts: TypeAlias = dict[str, Any]

_WIDTH = 88
_CLUSTERS_SHOWN = 10
_CLUSTERS = "Clusters, lowest mean score first"
_WORST = "Points with the lowest scores"
_NEXT = "Look at next"
_CLUSTERS_NAMED = 3
WELL = 0.5  # from here on b >= 2 a
IN_PART = 0.2  # below, b < 1.25 a: a cluster hardly stands apart
_STRAYS = 0.1  # the share of negative points from which a good cluster gets a remark
CHOOSE = "To choose between labelings, use the pair score (pair_score, compare)."
_BY_DEFINITION = {
    "all noise": "every point is noise",
    "one cluster": "one cluster without noise",
    "all alone": "every point is alone in its cluster",
}
_ADVICE_BY_DEFINITION = {
    "all noise": "No cluster was found. Ask the clustering for smaller or less dense clusters.",
    "one cluster": "There is nothing to compare with. Try a labeling with noise or more clusters.",
    "all alone": "Nothing is grouped. Ask the clustering for fewer, larger clusters.",
}


def explanation_text(facts: Facts) -> str:
    """Put the facts of one explanation into plain words: score, clusters, noise, what next."""
    paragraphs = ["\n".join(map(_wrap, _headline(facts)))]
    if decided_by_labels(facts) is not None:
        return "\n\n".join([*paragraphs, *map(_wrap, advice_lines(facts))])
    rows, left = _cluster_rows(facts)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  " + "  ".join(map(str.rjust, row, widths)) for row in rows]
    paragraphs.append("\n".join([f"{_CLUSTERS}:", *lines, *(f"  {line}" for line in left)]))
    if facts["n_noise"]:
        paragraphs.append(_wrap(_noise_words(facts)))
    if rows := _worst_rows(facts["worst"]):
        table = text_table(rows, right=frozenset([1]))
        paragraphs.append(f"{_WORST}:\n{textwrap.indent(table, '  ')}")
    paragraphs.append(_advice(advice_lines(facts)))
    return "\n\n".join(paragraphs)


def explanation_card(facts: Facts) -> Card:
    """Return the same for notebooks."""
    sentences, advice = _headline(facts), advice_lines(facts)
    if decided_by_labels(facts) is not None:
        return Card("Explanation", sentences, lists=[("", advice)])
    rows, left = _cluster_rows(facts)
    tables = [CardTable(rows, frozenset(range(1, 6)), " ".join([_CLUSTERS, *left]))]
    if worst := _worst_rows(facts["worst"]):
        tables.append(CardTable(worst, frozenset([1]), _WORST))
    if facts["n_noise"]:
        sentences.append(_noise_words(facts))
    next_steps = (_NEXT, advice) if advice else ("", [f"Nothing stands out. {CHOOSE}"])
    return Card("Explanation", sentences, tables, [next_steps])


def verdict(facts: Facts) -> str:
    """Say in one sentence what the score means; one that rests on little is not praised."""
    decided = decided_by_labels(facts)
    if decided is not None:
        return f"By definition: {_BY_DEFINITION[decided]}."
    if facts["flags"] and facts["score"] >= IN_PART:
        return "The score rests on little."
    words = score_meaning(facts["score"])
    return f"{words[0].upper()}{words[1:]}."


def advice_lines(facts: Facts) -> list[str]:
    """Say what to look at next, a sentence or two each; nothing if nothing stands out."""
    decided = decided_by_labels(facts)
    if decided is not None:
        return [_ADVICE_BY_DEFINITION[decided]]
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


def _verdict(facts: Facts) -> str:
    """What the score means; one that rests on little is not praised."""
    flags = " ".join(flag["text"] for flag in facts["flags"])
    if not flags:
        return f": {score_meaning(facts['score'])}."
    if facts["score"] < IN_PART:
        return f": {score_meaning(facts['score'])}, and it rests on little. {flags}"
    return f" rests on little. {flags}"


def score_meaning(score: float) -> str:
    """What a score says of labels."""
    if score >= WELL:
        return "the labels follow the density of the data well"
    if score >= IN_PART:
        return "the labels follow the density of the data in part"
    if score > -IN_PART:
        return "the labels hardly follow the density of the data"
    return "the labels go against the density of the data"


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


def _headline(facts: Facts) -> list[str]:
    """Sentences on the score, the pair score and the data."""
    decided = decided_by_labels(facts)
    verdict = f"(scale -1 to 1){_verdict(facts)}"
    if decided is not None:
        verdict = f"by definition: {_BY_DEFINITION[decided]}."
    n_noise = facts["n_noise"]
    noise = count(n_noise, "noise point")
    if n_noise:
        noise += f" ({percent(n_noise / facts['n_points'])})"
    score = f"DISCO score {facts['score']:z.3f} {verdict}"
    data = (
        f"{count(facts['n_points'], 'point')}, {count(facts['n_clusters'], 'cluster')}, {noise}; "
        f"min_points {facts['min_points']}, {facts['metric']} distance."
    )
    return [score, _pair_words(facts), data]


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


def _advice(advice: list[str]) -> str:
    if not advice:
        return _wrap(f"Nothing stands out. {CHOOSE}")
    return f"{_NEXT}:\n" + "\n".join(_wrap(line, "  - ", "    ") for line in advice)


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


def _wrap(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=first, subsequent_indent=rest)
