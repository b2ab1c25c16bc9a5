"""`disco demo`: the main job on data that code makes, and why its answer is what it is."""

from __future__ import annotations

import os
import shlex
import sys
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from disco_cvi._output.tables import text_table
from disco_cvi.cli import options as given
from disco_cvi.cli.output import PAGES, Output, check_outputs, note, print_json, say

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from disco_cvi.results.explanation import Explanation

    Points = NDArray[np.float64]
    Names = NDArray[np.str_]

EPILOG = """
Examples:
  disco demo"""

_NOISE = "noise"
_NAMES = ("by rings", "by k-means")
_MARKS = {"inner": "o", "middle": "x", "outer": "+", _NOISE: "."}
_PICTURE = (37, 19)  # columns and rows: a character is about twice as high as wide

_QUESTION = "Three rings in noise, 550 points, clustered twice. Which clustering is better?"

_WHY = """\
Why? DISCO walks: the distance of two points is the longest step on the easiest
path between them, through dense places. "within" is the mean distance to points
of the same cluster, "across" to those of the nearest other one. A cluster has a
high score where across is much larger than within, and 0 where they are equal."""

_VERDICT = """\
By rings: walking along a ring takes short steps, leaving it takes a longer one.
The noise lies where it is sparser than on any ring, as noise should.
By k-means: each cluster holds pieces of all three rings, and noise. Its own
points are about as near as those of the next one: no gap marks its borders.
The silhouette measures straight lines, and to it three sectors look tidy."""

_NEXT = """\
Your data, in the shell:
  {disco} tune points.csv      # no labels yet: which parameters to take
  {disco} score points.csv --labels labels.csv
  {disco} score table.csv --label-column cluster --standardize
and in Python:
  from disco_cvi import disco_score, explain, pair_score, suggest
  print(suggest(X))            # no labels yet: which parameters to take
  disco_score(X, labels)       # one number from -1 to 1; the label -1 is noise
  print(explain(X, labels))    # what pulled it up or down
  pair_score(X, labels)        # take the labeling where this is greatest"""


def demo(
    *,
    out: Annotated[
        str,
        given.option("-o --out", "OUT", None, "page to write (default: disco-demo.html)"),
    ] = "disco-demo.html",
    no_report: Annotated[bool, given.option("--no-report", None, None, "write no page")] = False,
    json: given.Json = False,
) -> None:
    """Score a good and a bad clustering of rings, and say why.

    Two labelings of the same points, three rings in noise: one that follows the
    rings, and one that k-means made. Needs no file, and writes a report to look
    at in a browser.
    """
    if not no_report:
        check_outputs((), [Output("--out", out, PAGES)], has_packages=True)
    import numpy as np

    from disco_cvi.datasets import three_rings
    from disco_cvi.indices.silhouette import silhouette_score
    from disco_cvi.results.explanation import explain

    rings = three_rings()
    good = np.array(list(_MARKS))[rings.good_labels]  # -1 picks the last name, the noise
    bad = np.array(["a", "b", "c"])[rings.bad_labels]
    scored = ((good, _NOISE), (bad, None))  # k-means knows no noise
    explained = [explain(rings.points, labels, noise_label=noise) for labels, noise in scored]
    # Noise is taken for a cluster, as scikit-learn takes it.
    silhouettes = [
        silhouette_score(rings.points, labels, noise="cluster", noise_label=noise)
        for labels, noise in scored
    ]

    labelings = dict(zip(_NAMES, (good, bad), strict=True))
    if not json:
        _print(rings.points, (good, bad), explained, silhouettes)
    missing = None if no_report else _write_report(out, rings.points, labelings)
    page = None if no_report or missing else str(Path(out).resolve())
    if json:
        print_json({"labelings": _facts(explained, silhouettes), "page": page})
        if missing:
            note(missing)
    elif missing:
        say(f"\n{missing}")
    elif page:
        say(f"\nThe same as a page to look at, of your data by 'disco report':\n  {page}")


def _facts(explained: list[Explanation], silhouettes: list[float]) -> dict[str, dict[str, float]]:
    scores = zip(_NAMES, explained, silhouettes, strict=True)
    return {name: {"disco": facts.score, "silhouette": other} for name, facts, other in scores}


def _print(
    points: Points,
    labelings: tuple[Names, Names],
    explained: list[Explanation],
    silhouettes: list[float],
) -> None:
    good, bad = labelings
    print(_QUESTION, end="\n\n")
    left = ["  By rings", "  o inner  x middle  + outer  . noise", *_picture(points, good)]
    right = ["  By k-means", "  a  b  c", *_picture(points, bad)]
    print(_side_by_side(left, right), end="\n\n")
    print(_scores([facts.score for facts in explained], silhouettes), end="\n\n")
    print(_WHY, end="\n\n")
    print(_side_by_side(*map(_distances, explained)), end="\n\n")
    print(_VERDICT, end="\n\n")
    say(_NEXT.format(disco=_command()))


def _write_report(path: str, points: Points, labelings: dict[str, Names]) -> str | None:
    """Write the report of the rings, or say what is missing to do so."""
    from disco_cvi.report import write_report

    try:
        write_report(
            points,
            labelings,
            path,
            title="Three rings in noise",
            about=_NAMES[0],
            noise_label=_NOISE,
            # Few, so that little is compiled when the demo runs for the first time.
            indices=["disco", "pair", "silhouette"],
        )
    except ImportError:
        return 'Also as a page to look at: pip install "disco-cvi[report]" and run this again.'
    return None


def _command() -> str:
    """Return what starts this program: its path as it was typed where `disco` is not found."""
    typed = Path(sys.argv[0])
    if typed.stem != "disco" or str(typed.parent.absolute()) in os.get_exec_path():
        return "disco"
    return shlex.quote(str(typed))


def _picture(points: Points, labels: Names) -> list[str]:
    """Draw the points with letters; clusters are drawn over noise."""
    low, high = points.min(axis=0), points.max(axis=0)
    width, height = _PICTURE
    places = ((points - low) / (high - low) * [width - 1, height - 1]).round().astype(int)
    canvas = [[" "] * width for _ in range(height)]
    for name in sorted(set(labels), key=lambda name: (name != _NOISE, name)):
        for column, row in places[labels == name]:
            canvas[height - 1 - row][column] = _MARKS.get(name, name)
    return ["  " + "".join(row) for row in canvas]


def _side_by_side(left: list[str], right: list[str]) -> str:
    width = _PICTURE[0] + 3
    pairs = zip_longest(left, right, fillvalue="")
    return "\n".join(f"{first:<{width}}{second}".rstrip() for first, second in pairs)


def _scores(disco: list[float], silhouettes: list[float]) -> str:
    rows = [("", "by rings", "by k-means", "better")]
    for name, (rings, k_means) in {"DISCO": disco, "silhouette": silhouettes}.items():
        better = "by rings" if rings > k_means else "by k-means"
        rows.append((name, f"{rings:.3f}", f"{k_means:.3f}", better))
    return text_table(rows, right=frozenset((1, 2)))


def _distances(explanation: Explanation) -> list[str]:
    points = explanation.points
    rows: list[tuple[str, ...]] = [("cluster", "points", "within", "across", "score")]
    for cluster in explanation.clusters:
        own = points.cluster == cluster.name
        within, across = points.compactness[own].mean(), points.separation[own].mean()
        numbers = (f"{number:.2f}" for number in (within, across, cluster.mean_score))
        rows.append((str(cluster.name), str(cluster.size), *numbers))
    noise = explanation.noise
    if noise.mean_score is not None:
        rows.append((_NOISE, str(noise.size), "", "", f"{noise.mean_score:.2f}"))
    return text_table(rows, right=frozenset(range(1, 5))).splitlines()
