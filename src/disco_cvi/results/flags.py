"""Flags: the score of a labeling rests on little, whatever index gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from disco_cvi._output.tables import FieldsDisplay
from disco_cvi._output.words import count, percent, printable
from disco_cvi.indices.pair import pairs_apart
from disco_cvi.results.words import FLAGS

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
        giant = int(labels.sizes.argmax())
        size = int(labels.sizes[giant])
        share = size / n_clustered
        of = f"{size:,} of {n_clustered:,} clustered points ({percent(share)})"
        words = {
            "name": printable(repr(labels.names[giant])),
            "of": of if size < n_clustered else "all clustered points",
        }
        flags.append(Flag("giant cluster", share, FLAGS["giant cluster"].format(**words)))
    if 10 * apart < n_points**2:
        share = apart / n_points**2
        text = FLAGS["few pairs" if apart else "no pairs"].format(share=percent(share))
        flags.append(Flag("few pairs", share, text))
    if 2 * n_noise > n_points:
        share, of = n_noise / n_points, f"{n_noise:,} of {count(n_points, 'point')}"
        text = FLAGS["mostly noise"].format(of=of, share=percent(share))
        flags.append(Flag("mostly noise", share, text))
    return tuple(flags)
