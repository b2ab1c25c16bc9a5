"""The options that commands share: what the shell calls them, what they take, what their help says.

Options stand in panels of the help, in the order in which a command takes them.
"""

from __future__ import annotations

import io
import re
from typing import Annotated, Any

import typer

from disco_cvi._output.words import did_you_mean

LABELS, READING, DENSITY, OUTPUT = "Labels", "Reading", "Density", "Output"
CLUSTER, SEARCH = "Cluster", "Search"

_SEPARATORS = {r"\t": "\t", "tab": "\t", "space": " ", "blank": " "}
_BYTES = re.compile(r"([0-9]{1,9}) ?(?:([KMGT])(?:i?B)?|B)?", re.IGNORECASE)


def option(name: str, metavar: str | None, panel: str | None, text: str, **settings: Any) -> Any:
    """Declare an option; its help says the default in its own words."""
    settings |= {"metavar": metavar or "", "help": text, "rich_help_panel": panel}
    return typer.Option(*name.split(), show_default=False, **settings)


# --- what options take ----------------------------------------------------------------------------


def one_of(*known: str) -> dict[str, Any]:
    """Settings of an option that takes one of a few words."""

    def read(text: str) -> str:
        if text not in known:
            remedy = did_you_mean(text, known)
            message = f"must be one of {', '.join(known)}; got {text!r}. {remedy}".rstrip()
            raise typer.BadParameter(message)
        return text

    def complete(incomplete: str) -> list[str]:
        return [word for word in known if word.startswith(incomplete)]

    return {"parser": read, "autocompletion": complete}


def whole_number(text: str) -> int:
    """Read a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise typer.BadParameter(f"must be a whole number of at least 1; got {text!r}")
    return int(text)


def byte_size(text: str) -> int:
    """Read a number of bytes, with K, M, G or T for 1024 of each other.

    >>> byte_size("2G"), byte_size("500"), byte_size("1KB"), byte_size("1 MiB")
    (2147483648, 500, 1024, 1048576)
    """
    found = _BYTES.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise typer.BadParameter(f"must be a number of bytes, such as 500M or 20G; got {text!r}")
    return int(found[1]) << 10 * " KMGT".index((found[2] or " ").upper())


def separator(text: str) -> str:
    r"""Read what stands between values: "tab" and "\t", as typed in a shell, are a tab.

    >>> separator("tab"), separator(";"), separator("space")
    ('\t', ';', ' ')
    """
    sign = _SEPARATORS.get(text, text)
    if len(sign) != 1 or not sign.isascii() or sign.isalnum() or sign in "\"'.+-_\r\n#\0":
        rule = "must be one character that no number holds, or 'tab', or 'space'"
        raise typer.BadParameter(f"{rule}; got {text!r}")
    return sign


def encoding(text: str) -> str:
    """Read the name of an encoding of text."""
    try:
        io.TextIOWrapper(io.BytesIO(), encoding=text)
    except (LookupError, ValueError):
        rule = "must be one that Python knows, such as utf-8, utf-16, latin-1 or cp1252"
        raise typer.BadParameter(f"{rule}; got {text!r}") from None
    return text


# --- what a shell offers for a word that is half typed --------------------------------------------


def _complete_index(incomplete: str) -> list[tuple[str, str]]:
    from disco_cvi.indices.registry import available_indices

    names = {"all": "every index"} | {info.name: info.title for info in available_indices()}
    return [(name, what) for name, what in names.items() if name.startswith(incomplete)]


def _complete_metric(incomplete: str) -> list[str]:
    from disco_cvi._input.metric import METRIC_NAMES

    return [name for name in METRIC_NAMES if name.startswith(incomplete)]


# --- points ---------------------------------------------------------------------------------------

Points = Annotated[
    str | None,
    typer.Argument(
        metavar="POINTS",
        show_default=False,
        help="file of points, one per row: .csv, .tsv, .txt, .jsonl (each also .gz), .npy, "
        ".parquet or .arrow; -: the standard input",
    ),
]
_ID = "column of row IDs: not a feature; joins files of labels that have it, and names points"
RowIds = Annotated[str | None, option("--id", "NAME", READING, _ID)]
_COLUMNS = "columns of POINTS that are features, by name or number (default: all others)"
Columns = Annotated[list[str] | None, option("--columns", "NAME ...", READING, _COLUMNS)]
_DROP = "columns of POINTS to leave out, by name or number"
Drop = Annotated[list[str] | None, option("--drop", "NAME ...", READING, _DROP)]
_HEADER = "whether text files begin with column names (default: detected)"
Header = Annotated[
    str | None, option("--header", "yes|no", READING, _HEADER, **one_of("yes", "no"))
]
_SEPARATOR = "separator of values: a character, 'tab' or 'space' (default: detected)"
Separator = Annotated[str | None, option("--sep", "CHAR", READING, _SEPARATOR, parser=separator)]
_DECIMAL = "decimal sign of numbers (default: detected)"
Decimal = Annotated[str | None, option("--decimal", ".|,", READING, _DECIMAL, **one_of(".", ","))]
_ENCODING = "encoding of text files, such as latin-1 (default: utf-8 or utf-16)"
Encoding = Annotated[str | None, option("--encoding", "NAME", READING, _ENCODING, parser=encoding)]
_MAX_SIZE = "most bytes to read of a file, or to unpack, such as 500M or 20G (default: 2G)"
MaxSize = Annotated[int | None, option("--max-size", "SIZE", READING, _MAX_SIZE, parser=byte_size)]
_STANDARDIZE = (
    "bring each feature to mean 0 and standard deviation 1 first. DISCO depends on the scale of "
    "the features: one in grams outweighs one in kilograms. Use this when the features have "
    "different units. A constant feature becomes 0"
)
Standardize = Annotated[bool, option("--standardize", None, READING, _STANDARDIZE)]

# --- labels ---------------------------------------------------------------------------------------

_FILE = "file of labels, one per point; the same formats"
OneLabels = Annotated[str | None, option("--labels", "FILE", LABELS, _FILE)]
_FILES = "files of labels as of points, or folders of them; each is a labeling named after its file"
Labels = Annotated[list[str] | None, option("--labels", "FILE ...", LABELS, _FILES)]
_COLUMN = (
    "column of POINTS that holds labels (with --labels: column of that file), by name or number; "
    "1 is the first, -1 the last"
)
OneLabelColumn = Annotated[str | None, option("--label-column", "NAME", LABELS, _COLUMN)]
LabelColumns = Annotated[list[str] | None, option("--label-column", "NAME ...", LABELS, _COLUMN)]
_NOISE = "label of noise, as it stands in the file (default: -1); 'none' if there is no noise"
NoiseLabel = Annotated[str | None, option("--noise-label", "VALUE", LABELS, _NOISE)]
_TRUTH = "file of true labels: adds ARI and AMI with them"
Truth = Annotated[str | None, option("--truth", "FILE", LABELS, _TRUTH)]
_TRUTH_COLUMN = "column of POINTS that holds the true labels (with --truth: column of that file)"
TruthColumn = Annotated[str | None, option("--truth-column", "NAME", LABELS, _TRUTH_COLUMN)]

# --- density --------------------------------------------------------------------------------------

_MIN_POINTS = "points that make a place dense, the point itself counted (default: 5)"
MinPoints = Annotated[
    int | None, option("--min-points", "N", DENSITY, _MIN_POINTS, parser=whole_number)
]
_METRIC = (
    "distance between points: euclidean, sqeuclidean, cosine, any name that scikit-learn knows "
    "(manhattan, ...), or precomputed: POINTS is a square matrix of distances, or one per pair of "
    "points (default: euclidean)"
)
Metric = Annotated[
    str | None, option("--metric", "NAME", DENSITY, _METRIC, autocompletion=_complete_metric)
]
_TREE = one_of("exact", "approximate")
_ALGORITHM = (
    "density tree: exact, or approximate for many points of many features; then only indices that "
    "need no more than the tree have a value (default: exact)"
)
Algorithm = Annotated[str, option("--algorithm", "NAME", DENSITY, _ALGORITHM, **_TREE)]
_NO_NULL_OF_TREES = (
    "density tree: exact, or approximate for many points of many features; then data without "
    "clusters are not searched (default: exact)"
)
Tree = Annotated[str, option("--tree", "NAME", DENSITY, _NO_NULL_OF_TREES, **_TREE)]

# --- output ---------------------------------------------------------------------------------------

_SAMPLES = (
    "also write one row per point, with its score and what made it: .csv, .tsv (each also .gz), "
    ".parquet; or .npy for the scores alone"
)
Samples = Annotated[str | None, option("--samples", "OUT", OUTPUT, _SAMPLES)]
_PLOT = (
    "also draw a map of the points, colored by their scores (of a matrix of distances: bars of the "
    "scores by cluster): .png, .svg or .pdf"
)
Plot = Annotated[str | None, option("--plot", "OUT", OUTPUT, _PLOT)]
_INDICES = (
    "names of indices, see 'disco indices' (default: all; of a report, slow ones only where they "
    "take seconds)"
)
Indices = Annotated[
    list[str] | None,
    option("--indices", "NAME ...", OUTPUT, _INDICES, autocompletion=_complete_index),
]
Json = Annotated[bool, option("--json", None, OUTPUT, "print JSON, for programs")]
_JOBS = "threads to use (default: all CPUs); the result is the same for any number"
Jobs = Annotated[int | None, option("--jobs", "N", None, _JOBS, parser=whole_number)]

# --- a cluster of machines ------------------------------------------------------------------------

_DASK = (
    "read POINTS part by part in processes of this machine (--jobs says how many) or of a cluster: "
    "files of many points, .parquet or .npy; the name of a folder, or a pattern in quotes, names "
    "several. The scores are the same"
)
Dask = Annotated[bool, option("--dask", None, CLUSTER, _DASK)]
_SCHEDULER = "address of a Dask scheduler, whose workers see the files (default: this machine)"
Scheduler = Annotated[str | None, option("--scheduler", "ADDRESS", CLUSTER, _SCHEDULER)]
_BLOCKS = "blocks to cut the points into; more need less memory (default: by the workers' memory)"
Blocks = Annotated[int | None, option("--blocks", "N", CLUSTER, _BLOCKS, parser=whole_number)]
