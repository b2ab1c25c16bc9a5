"""Flags: the score of a labeling rests on little, whatever index gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from disco_cvi._output.rich_display import FieldsDisplay
from disco_cvi._output.words import count, percent, printable
from disco_cvi.indices.pair import pairs_apart

if TYPE_CHECKING:
    from disco_cvi._input.labels import Labels


@dataclass(frozen=True)
class Flag(FieldsDisplay):
    """A fact of a labeling for which its scores, however high, rest on little.

    Attributes
    ----------
    name : str
        "giant cluster", "few pairs", "mostly noise": one cluster holds 95 % of the clustered points
        or more; two points, drawn at random, lie in two different clusters with a probability below
        0.1; more than half the points are noise.
        Of a suggestion also "structureless", "weak", "fragile", "disputed": data without clusters
        reach as much; its pair score is below 0.1; its parameter has less than 1 % of room; its
        agreement with the second opinion (adjusted Rand index) is below 0.5.
    share : float
        The share that the name speaks of: of the clustered points, of all pairs, of all points. Of
        a suggestion: the pair score, of what data without clusters reach, or itself; the room, of
        the parameter; the agreement.
    text : str
        The same as a sentence, with its figures.
    """

    name: Literal[
        "giant cluster",
        "few pairs",
        "mostly noise",
        "structureless",
        "weak",
        "fragile",
        "disputed",
    ]
    share: float
    text: str


def flags_of(labels: Labels) -> tuple[Flag, ...]:
    """Return the flags of a labeling; borders are decided in whole numbers.

    The share of the giant is that of the clustered points: noise does not make one cluster two.
    Below 0.1, the probability of "few pairs" keeps the pair score below 0.1 even if every point
    scores 1, and a pair score below 0.1 is weak. A giant cluster implies few pairs.
    """
    flags = []
    n_points, n_noise = labels.n_points, labels.n_noise
    n_clustered, apart = n_points - n_noise, int(pairs_apart(labels).sum())
    if n_clustered and 100 * int(labels.sizes.max()) >= 95 * n_clustered:
        flags.append(_giant(labels, n_clustered))
    if 10 * apart < n_points**2:
        share = apart / n_points**2
        text = f"Of all pairs of points, the clusters tell {percent(share)} apart."
        if not apart:
            text = "The clusters tell no two points apart."
        flags.append(Flag("few pairs", share, text))
    if 2 * n_noise > n_points:
        share = n_noise / n_points
        of = f"{n_noise:,} of {count(n_points, 'point')} ({percent(share)})"
        flags.append(Flag("mostly noise", share, f"More than half is noise: {of}."))
    return tuple(flags)


def flag_words(flags: tuple[Flag, ...]) -> str:
    """Return the sentences of all flags in one line."""
    return " ".join(flag.text for flag in flags)


def _giant(labels: Labels, n_clustered: int) -> Flag:
    giant = int(labels.sizes.argmax())
    size = int(labels.sizes[giant])
    share = size / n_clustered
    of = "all clustered points"
    if size < n_clustered:
        of = f"{size:,} of {n_clustered:,} clustered points ({percent(share)})"
    name = printable(repr(labels.names[giant]))
    return Flag("giant cluster", share, f"Cluster {name} holds {of}.")
