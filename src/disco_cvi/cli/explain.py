"""`disco explain`: what pulled a score up or down, down to single points."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from disco_cvi._output.tables import text_table
from disco_cvi._output.words import count, printable
from disco_cvi.cli.command import Command
from disco_cvi.cli.options import option, whole_number
from disco_cvi.cli.score import LabelingOptions, explained, write_outputs
from disco_cvi.cli.screen import print_json, say

if TYPE_CHECKING:
    from disco_cvi.results.explanation import Explanation, WorstPoint

_DESCRIPTION = """\
Explain the score of a labeling: what each cluster and the noise are worth, what
to look at next, and the points of lowest score by name, with what made it."""
_EPILOG = """\
within: the mean distance to points of the same cluster, through dense places;
across: to those of the nearest other one. The score of a point is high where
across is much larger than within. sparse, far: of a noise point, how much
sparser its place is than any cluster, and how far it lies from them; its score
is the lower of both.

examples:
  disco explain points.csv --labels labels.csv
  disco explain table.csv --label-column cluster --id name --worst 50
  disco explain points.csv --labels labels.csv --json"""


@dataclass
class ExplainOptions(LabelingOptions):
    """The options of `disco explain`."""

    worst: Annotated[
        int,
        option(
            "--worst",
            metavar="N",
            parser=whole_number,
            help="how many points of lowest score to name (default: 20)",
            rich_help_panel="output",
        ),
    ] = 20


def run(options: ExplainOptions) -> None:
    """Explain and print."""
    explanation, more = explained(options)
    facts = explanation.to_dict(points=False) | more
    worst = explanation.worst(options.worst)
    try:
        if options.json:
            facts["worst"] = [vars(point) | {"name": _plain(point.name)} for point in worst]
            print_json(facts)
        else:
            from disco_cvi.results.words import explanation_text

            text = explanation_text(facts | {"worst": []})
            say(f"{text}\n\n{_worst_words(explanation, worst)}")
    finally:  # also if whoever read the answer has gone
        write_outputs(explanation, options)


def _plain(name: Any) -> str | None:
    return None if name is None else str(name)


def _worst_words(explanation: Explanation, worst: tuple[WorstPoint, ...]) -> str:
    head = "row" if explanation.row_names is None else "point"
    rows: list[tuple[str, ...]] = [
        (head, "score", "cluster", "within", "across", "nearest", "sparse", "far")
    ]
    for point in worst:
        name = point.row if point.name is None else point.name
        cluster = "noise" if point.is_noise else printable(str(point.cluster))
        numbers = (point.compactness, point.separation)
        nearest = point.claimed_by if point.is_noise else point.nearest_cluster
        parts = (point.rho_sparse, point.rho_far)
        rows.append(
            (
                printable(str(name)),
                f"{point.score:z.3f}",
                cluster,
                *("" if number is None else f"{number:.4g}" for number in numbers),
                "" if nearest is None else printable(str(nearest)),
                *("" if part is None else f"{part:z.3f}" for part in parts),
            )
        )
    table = text_table(rows, right=frozenset([1, 3, 4, 6, 7]))
    title = f"{count(len(worst), 'point')} of lowest score, the lowest first:"
    return f"{title}\n{textwrap.indent(table, '  ')}"


COMMAND = Command(run, ExplainOptions, "[POINTS] --labels FILE [options]", _DESCRIPTION, _EPILOG)
