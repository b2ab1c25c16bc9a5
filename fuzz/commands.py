"""Lines for the shell: a command, files, and options with values of all kinds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from disco_cvi import available_indices
from disco_cvi._input.metric import METRIC_NAMES
from fuzz import files, subjects
from fuzz.doors import command_options
from fuzz.draws import Draws

Words = list[str]
Writer = Callable[[Draws], Words]

# Given where something else is asked for.
NONSENSE: tuple[str, ...] = (
    "",
    "x",
    "-1",
    "0",
    "1.5",
    "nan",
    "1e999",
    "9" * 400,
    "\x1b[31m",
    "\udcff",
    "--",
    "a=b",
)
NONSENSE = (*NONSENSE, "{}", "[1]", '{"p": 1e999}', "1:2:3:4", ",", "/dev/null", "..", "\t", "é")


def words(*choices: str) -> Writer:
    """Return a writer of one of some words."""
    return lambda draws: [draws.one_of(choices)]


def flag(_draws: Draws) -> Words:
    """An option without a value."""
    return []


def output(*endings: str) -> Writer:
    """Return a writer of the name of a file to write."""
    return lambda draws: [str(draws.folder / f"out{draws.one_of(endings)}")]


def points_file(draws: Draws, *, with_labels: bool = False) -> Words:
    """A file of points, and of labels beside them."""
    return [str(files.write(draws, files.table(draws, with_labels=with_labels)))]


def labels_file(draws: Draws) -> Words:
    """A file of labels."""
    return [str(files.write(draws, {"label": files.label_column(draws)}))]


def embedding_file(draws: Draws) -> Words:
    """A file of places in the plane."""
    plane = draws.random.normal(size=(draws.n_points, 2))
    return [str(files.write(draws, {"u": plane[:, 0], "v": plane[:, 1]}))]


def scheduler(draws: Draws) -> Words:
    """The cluster of this process, or what is none; where nobody answers is waited for 10 s."""
    if draws.chance(0.5):
        return [subjects.client().scheduler.address]
    silent = "tcp://127.0.0.1:9" if draws.chance(0.1) else "tcp://"
    return [draws.one_of(["x", "", "a://b", "tcp://127.0.0.1", silent])]


COLUMN = words("label", "x0", "0", "1", "-1", "nothing")
OPTIONS: dict[str, Writer] = {
    "--labels": labels_file,
    "--label-column": COLUMN,
    "--noise-label": words("-1", "noise", "a", "none"),
    "--truth": labels_file,
    "--truth-column": COLUMN,
    "--id": COLUMN,
    "--columns": COLUMN,
    "--drop": COLUMN,
    "--header": words("yes", "no"),
    "--sep": words(",", ";", "tab", "space", "|"),
    "--decimal": words(".", ","),
    "--encoding": words("utf-8", "latin-1", "utf-16", "cp037"),
    "--standardize": flag,
    "--max-size": words("1", "2", "10M", "1G", "0", "x"),
    "--min-points": words("1", "2", "5"),
    "--metric": words("euclidean", *METRIC_NAMES),
    "--metric-params": words("{}", '{"p": 3}'),
    "--algorithm": words("exact", "approximate", "auto", "dbscan", "hdbscan"),
    "--seed": words("0", "7"),
    "--jobs": words("1", "2"),
    "--json": flag,
    "--samples": output(".csv", ".tsv.gz", ".parquet", ".npy", ".xyz"),
    "--plot": output(".png", ".svg", ".gif"),
    "--worst": words("0", "1", "50"),
    "--indices": words(*(info.name for info in available_indices()), "all"),
    "--out": output(".html", ".csv", ".tsv", ""),
    "--title": words("a", "<script>", "\x1b[31m"),
    "--about": words("label", "a"),
    "--embedding": embedding_file,
    "--no-null": flag,
    "--tree": words("exact", "approximate"),
    "--report": output(".html", ".txt"),
    "--references": flag,
    "--sources": flag,
    "--list": flag,
    "--no-report": flag,
    "--help": flag,
    # Processes of a cluster take half a minute to start on a busy machine: only what is refused
    # before. Its work is done by the cluster of `--scheduler`, too.
    "--dask": lambda _: ["--min-points", "0"],
    "--scheduler": scheduler,
    "--open": flag,
    "--version": flag,
    "--blocks": words("0", "2"),
    "points": lambda draws: points_file(draws, with_labels=True),
    "names": words("nothing", "Tabel 2", "\x1b[31m", ""),
}


def write_line(draws: Draws, command: str) -> Words:
    """Return what follows the word `disco`."""
    offered = command_options(command)
    draws.n_points = max(draws.n_points, 4)
    line: Words = []
    if "--scheduler" in offered and draws.chance(0.1):
        return [command, *_of_blocks(draws)]
    if "points" in offered:
        make = OPTIONS["points"] if "--label-column" in offered else points_file
        line += make(draws) if draws.chance(0.95) else []
        line += _labeled(draws, offered)
    if "names" in offered and draws.chance(0.7):
        line += OPTIONS["names"](draws)
    options = [name for name in offered if name.startswith("--")]
    for name in draws.random.permutation(options)[: draws.weighted(3, 4, 2, 1)].tolist():
        # Some have a short form.
        shown = draws.one_of(getattr(offered[name], "opts", [name]))
        line += [shown, *OPTIONS[name](draws)]
    return [*command.split(), *_kept_small(draws, command, with_nonsense(draws, line))]


def _of_blocks(draws: Draws) -> Words:
    """Points and labels in files that a cluster reads, and a cluster."""
    X, labels = subjects.plain(draws)
    paths = [draws.path(".npy"), draws.path(".npy")]
    for path, values in zip(paths, (X, labels), strict=True):
        np.save(path, values)
    line = [str(paths[0]), "--labels", str(paths[1]), "--scheduler", *scheduler(draws)]
    for name in ("--blocks", "--min-points", "--metric", "--json", "--noise-label"):
        line += [name, *OPTIONS[name](draws)] if draws.chance(0.2) else []
    return with_nonsense(draws, line)


def with_nonsense(draws: Draws, line: Words) -> Words:
    """Insert a word that nobody asked for into some lines, or put it in the place of another."""
    if draws.chance(0.1):
        line.insert(draws.whole(0, len(line)), draws.one_of(NONSENSE))
    if draws.chance(0.1) and line:
        line[draws.whole(0, len(line) - 1)] = draws.one_of(NONSENSE)
    return line


def precompile_line(draws: Draws) -> Words:
    """What is refused, or help: to compile takes minutes, and is done once before all cases."""
    line = with_nonsense(draws, draws.one_of([["--jobs"], ["--help"], ["--jobs", "0"], ["x"]]))
    return [*line, draws.one_of(["--jobs=0", "--jobs=x", "--jobs=-1", "--job=1.5", "--help"])]


def _labeled(draws: Draws, offered: dict[str, object]) -> Words:
    if "--label-column" not in offered:
        return []
    if draws.chance(0.6):
        # The last one; a file may hold no names.
        return ["--label-column", draws.one_of(["label", "-1", "-1"])]
    return ["--drop", draws.one_of(["label", "-1"]), "--labels", *labels_file(draws)]


def _kept_small(draws: Draws, command: str, line: Words) -> Words:
    """Leave out what would download, or compute for minutes."""
    if command != "reproduce" or "--list" in line:
        return line
    if draws.chance(0.2):  # one that takes a second
        return ["tab-implementation", "--quick", "--jobs", "1", "--out", str(draws.folder / "out")]
    return [*line, "--runs", "0"]
