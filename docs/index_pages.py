"""The generated parts of the index pages; ``python docs/tables.py`` writes them.

Each takes an index and returns Markdown: what the registry, the docstrings, the measurements and
other pages know, so that the pages cannot say otherwise.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from index_pictures import PICTURES, describe, tasks, verdicts
from index_sketches import SKETCHES

from disco_cvi import IndexInfo, available_indices
from disco_cvi._output.tables import markdown_table
from disco_cvi.indices.index_info import options_of

PROJECT = Path(__file__).resolve().parents[1]

# The edge cases that tell indices apart; the whole table has a page of its own.
CASES = (
    "two clusters and noise",
    "all noise",
    "one cluster, no noise",
    "one cluster and noise",
    "two clusters and a lone point",
    "every point alone",
    "six copies of a point",
    "a cluster of one repeated point",
    "every cluster one repeated point",
    "two clusters with one center",
    "all points identical",
)
NOISE = {
    "judged": "each noise point gets a score of its own",
    "affects": "changes the value without being judged",
    "ignored": "left out",
}
ORDER = {
    "yes": "no influence, to the last bit",
    "except ties": "no influence unless distances are equal",
}
NEEDS = {
    "tree": "a density tree, or points",
    "tree of min_points 1": "a density tree of `min_points=1`, or points",
    "points": "points",
}


def contents() -> str:
    """The pages of all indices, for the side of the site."""
    names = [info.name for info in available_indices()]
    names.insert(1, "disco_theory")
    return "\n".join(["```{toctree}", ":hidden:", "", *names, "```"])


def scoreboard() -> str:
    """On which of the four data sets each index prefers the right labeling."""
    header = ("index", *(f"{task.name}, or {task.wrong_by}" for task in tasks()))
    rows = [
        (link(info), *(found.prefers for found in verdicts(info))) for info in available_indices()
    ]
    return markdown_table([header, *rows])


def link(info: IndexInfo) -> str:
    """The title of an index, which leads to its page."""
    return f"[{info.title}]({info.name}.md)"


def facts(info: IndexInfo) -> str:
    """What the registry promises."""
    functions = (info.function_name, *info.other_functions)
    rows = [
        ("functions", ", ".join(f"`{name}`" for name in functions)),
        ("better", f"**{info.better}**"),
        ("range", info.shown_range),
        ("made for clusters of", f"{info.shapes} shape" if info.shapes == "any" else "round shape"),
        ("noise", NOISE[info.noise]),
        ("metric", info.metric if info.metric == "any" else "Euclidean"),
        ("order of rows", ORDER[info.order_proof]),
        ("computed from", NEEDS[info.needs]),
    ]
    return markdown_table([("property", info.title), *rows])


def pictures(info: IndexInfo) -> str:
    """The pictures, and the numbers in them as a table."""
    images = [
        f"![{describe(info, picture)}](pictures/{info.name}_{picture}.svg)" for picture in PICTURES
    ]
    header = ("data", "right labeling", "wrong labeling", f"{info.title} prefers")
    rows = [
        (found.task.name, found.right, f"{found.wrong} ({found.task.wrong_by})", found.prefers)
        for found in verdicts(info)
    ]
    key = (
        "Above a right labeling, below it a wrong one; crosses are noise. A thick frame and bold "
        f"letters mark the one that {info.title} prefers."
    )
    return "\n".join([*images, "", key, "", markdown_table([header, *rows])])


def sketch(info: IndexInfo) -> str:
    """What the index looks at, and what the lines are."""
    image = f"![What {info.title} looks at.](pictures/{info.name}_sketch.svg)"
    return f"{image}\n\n{SKETCHES[info.name]().caption}"


def edge_cases(info: IndexInfo, table: Sequence[Sequence[str]]) -> str:
    """The column of an index in the table of edge cases."""
    place = table[0].index(info.title)
    answers = {row[0]: row[place] for row in table[1:]}
    return markdown_table([("labeling", info.title), *((case, answers[case]) for case in CASES)])


def options(info: IndexInfo) -> str:
    """The options of the public function that are its own, and the metric, as the docstring has."""
    told = dict(_parameters(info))
    signature = inspect.signature(info.function).parameters
    names = [name for name in signature if name in {*options_of(info), "metric", "noise_label"}]
    return "\n".join(
        f"- `{name}={_quote(signature[name].default)}`: {told[name]}" for name in names
    )


def _quote(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def chosen(info: IndexInfo, table: Sequence[Sequence[str]]) -> str:
    """What was lost when the index chose, from the page of that study."""
    criteria = {row[0]: row[1:] for row in table[1:]}
    study = "[what is lost when an index chooses](../evidence/choosing.md)"
    if info.title not in criteria:
        return f"It was not part of our study of {study}."
    rows = [(name, *criteria[name]) for name in (info.title, "Any candidate, at random")]
    return (
        "The labeling with the best value, of many of the same points: how much lower its adjusted "
        "Rand index is than that of the best one there was. Mean over 68 data sets (95 % interval; "
        f"share that lost less than 0.05; worst), from our study of {study}.\n\n"
    ) + markdown_table([("chosen by", *table[0][1:]), *rows])


def cost(info: IndexInfo) -> str:
    """How time and memory grow, what was measured, and what is promised."""
    measured = _measured()
    _, seconds, _, ratio, floor = measured[
        f"{info.title}, cluto-t8-8k / scikit-learn silhouette_score"
    ]
    lines = [
        f"- Time grows as `{info.cost}` (n points, k clusters, few features), memory as `n`.",
        f"- 8,000 points in the plane (cluto-t8-8k): {seconds}.",
        f"- That is {ratio} of scikit-learn's `silhouette_score`; at most {floor} is promised.",
    ]
    memory = measured[f"{info.title}, n = 100,000, peak memory of the process / 2 GB"][1]
    many = measured.get(f"{info.title}, n = 100,000 / SciPy build and query")
    time = f"{many[1]}, and " if many else ""
    lines.append(f"- 100,000 points in the plane: {time}{memory} of memory for the whole process.")
    return "\n".join(lines)


def reference(info: IndexInfo) -> str:
    """The full citation, from the docstring."""
    doc = inspect.getdoc(info.function) or ""
    found = re.search(r"^References\n-+\n(.*?)(?:\n\n\w+\n-+|\Z)", doc, re.MULTILINE | re.DOTALL)
    if found is None:
        made_of = next(other for other in available_indices() if other.name == "disco")
        return f"{info.reference} It is made of the scores of points of DISCO: {reference(made_of)}"
    text = " ".join(found[1].split())
    text = re.sub(r"doi:(10\.\S+)", r"https://doi.org/\1", text)
    text = re.sub(r"arXiv:(\d+\.\d+)", r"[arXiv:\1](https://arxiv.org/abs/\1)", text)
    return re.sub(r"(?<!\()(https://\S+)", r"<\1>", text)


def _parameters(info: IndexInfo) -> Iterator[tuple[str, str]]:
    """Every documented parameter and what the docstring tells of it."""
    doc = inspect.getdoc(info.function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)\n\n\w+\n-+", doc, re.MULTILINE | re.DOTALL)
    assert section is not None
    for name, text in re.findall(r"^(\w+) : .*\n((?:    .*\n?)+)", section[1], re.MULTILINE):
        yield name, " ".join(text.split()).replace("``", "`")


def _measured() -> Mapping[str, Sequence[str]]:
    kept = json.loads((PROJECT / "benchmarks" / "measured.json").read_text())
    return {row[0]: row for row in kept["table"]}
