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
    names = name.split()
    return typer.Option(
        *names, metavar=metavar, show_default=False, help=text, rich_help_panel=panel, **settings
    )


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
RowIds = Annotated[
    str | None,
    option(
        "--id",
        "NAME",
        READING,
        "column of POINTS with row IDs: not a feature, used to match files of labels that "
        "have it too, and to name points",
    ),
]
Columns = Annotated[
    list[str] | None,
    option(
        "--columns",
        "NAME ...",
        READING,
        "columns of POINTS that are features, by name or number (default: all others)",
    ),
]
Drop = Annotated[
    list[str] | None,
    option("--drop", "NAME ...", READING, "columns of POINTS to leave out, by name or number"),
]
Header = Annotated[
    str | None,
    option(
        "--header",
        "yes|no",
        READING,
        "whether text files begin with column names (default: detected)",
        **one_of("yes", "no"),
    ),
]
Separator = Annotated[
    str | None,
    option(
        "--sep",
        "CHAR",
        READING,
        "separator of values: a character, 'tab' or 'space' (default: detected)",
        parser=separator,
    ),
]
Decimal = Annotated[
    str | None,
    option(
        "--decimal",
        ".|,",
        READING,
        "decimal sign of numbers (default: detected)",
        **one_of(".", ","),
    ),
]
Encoding = Annotated[
    str | None,
    option(
        "--encoding",
        "NAME",
        READING,
        "encoding of text files, such as latin-1 (default: utf-8 or utf-16)",
        parser=encoding,
    ),
]
MaxSize = Annotated[
    int | None,
    option(
        "--max-size",
        "SIZE",
        READING,
        "most bytes to read of a file, or to unpack, such as 500M or 20G (default: 2G)",
        parser=byte_size,
    ),
]
Standardize = Annotated[
    bool,
    option(
        "--standardize",
        None,
        READING,
        "bring each feature to mean 0 and standard deviation 1 first. DISCO depends on the "
        "scale of the features: one in grams outweighs one in kilograms. Use this when the "
        "features have different units. A constant feature becomes 0",
    ),
]

# --- labels ---------------------------------------------------------------------------------------

_LABEL_COLUMN = (
    "column of POINTS that holds labels (with --labels: column of that file), by name or by "
    "number; 1 is the first, -1 the last"
)
OneLabels = Annotated[
    str | None,
    option("--labels", "FILE", LABELS, "file of labels, one per point; the same formats"),
]
OneLabelColumn = Annotated[str | None, option("--label-column", "NAME", LABELS, _LABEL_COLUMN)]
Labels = Annotated[
    list[str] | None,
    option(
        "--labels",
        "FILE ...",
        LABELS,
        "files of labels, one label per point, in the same formats, or folders of such "
        "files; each is a labeling named after its file",
    ),
]
LabelColumns = Annotated[
    list[str] | None, option("--label-column", "NAME ...", LABELS, _LABEL_COLUMN)
]
NoiseLabel = Annotated[
    str | None,
    option(
        "--noise-label",
        "VALUE",
        LABELS,
        "label of noise points, as it stands in the file (default: -1); 'none' if there is "
        "no noise",
    ),
]
Truth = Annotated[
    str | None, option("--truth", "FILE", LABELS, "file of true labels: adds ARI and AMI with them")
]
TruthColumn = Annotated[
    str | None,
    option(
        "--truth-column",
        "NAME",
        LABELS,
        "column of POINTS that holds the true labels (with --truth: column of that file)",
    ),
]

# --- density --------------------------------------------------------------------------------------

MinPoints = Annotated[
    int | None,
    option(
        "--min-points",
        "N",
        DENSITY,
        "points that make a place dense, the point itself counted (default: 5)",
        parser=whole_number,
    ),
]
Metric = Annotated[
    str | None,
    option(
        "--metric",
        "NAME",
        DENSITY,
        "distance between points: euclidean, sqeuclidean, cosine, any name that scikit-learn "
        "knows (manhattan, ...), or precomputed: POINTS is a square matrix of distances, or one "
        "per pair of points (default: euclidean)",
        autocompletion=_complete_metric,
    ),
]
Algorithm = Annotated[
    str,
    option(
        "--algorithm",
        "NAME",
        DENSITY,
        "density tree: exact, or approximate for many points of many features; then only "
        "indices that need no more than the tree have a value (default: exact)",
        **one_of("exact", "approximate"),
    ),
]

# --- output ---------------------------------------------------------------------------------------

Samples = Annotated[
    str | None,
    option(
        "--samples",
        "OUT",
        OUTPUT,
        "also write one row per point, with its score and what made it, to a file: .csv, "
        ".tsv (each also .gz), .parquet; or .npy for the scores alone",
    ),
]
Plot = Annotated[
    str | None,
    option(
        "--plot",
        "OUT",
        OUTPUT,
        "also draw a map of the points, colored by their scores (of a matrix of distances: "
        "bars of the scores by cluster): .png, .svg or .pdf",
    ),
]
Indices = Annotated[
    list[str] | None,
    option(
        "--indices",
        "NAME ...",
        OUTPUT,
        "names of indices, see 'disco indices' (default: all; of a report, slow ones only "
        "where they take seconds)",
        autocompletion=_complete_index,
    ),
]
Json = Annotated[bool, option("--json", None, OUTPUT, "print JSON, for programs")]
Jobs = Annotated[
    int | None,
    option(
        "--jobs",
        "N",
        None,
        "threads to use (default: all CPUs); the result is the same for any number",
        parser=whole_number,
    ),
]

# --- a cluster of machines ------------------------------------------------------------------------

Dask = Annotated[
    bool,
    option(
        "--dask",
        None,
        CLUSTER,
        "read POINTS part by part in processes of this machine (--jobs says how many) or of a "
        "cluster: files of many points, .parquet or .npy; the name of a folder, or a pattern in "
        "quotes, names several. The scores are the same",
    ),
]
Scheduler = Annotated[
    str | None,
    option(
        "--scheduler",
        "ADDRESS",
        CLUSTER,
        "address of the cluster's Dask scheduler, such as tcp://10.0.0.1:8786; all its "
        "workers must see the files (default: this machine)",
    ),
]
Blocks = Annotated[
    int | None,
    option(
        "--blocks",
        "N",
        CLUSTER,
        "number of blocks the points are cut into; more need less memory (default: by the "
        "memory of the workers)",
        parser=whole_number,
    ),
]
