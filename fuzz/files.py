"""Files that a command reads: of all kinds, whole and damaged, under names of all kinds."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import labelings, points
from fuzz.draws import Draws

NAMES = ["points", "with blank", "-dash", "ä", "$(x)", "new\nline", "\x1b[31mred\x1b[0m"]
NAMES += ["'quoted\"", "n" * 200, "\u202etxt", "*", "=1+1", "a;b", "\udcff", "%s", "{0}"]


def damage(draws: Draws, raw: bytes) -> bytes:
    """Return bytes of which some are lost, turned, doubled or replaced."""
    if not raw:
        return raw
    place = draws.whole(0, len(raw) - 1)
    kind = draws.whole(0, 4)
    if kind == 0:
        return raw[:place]
    if kind == 1:
        flipped = raw[place] ^ (1 << draws.whole(0, 7))
        return raw[:place] + bytes([flipped]) + raw[place + 1 :]
    if kind == 2:
        return raw[:place] + raw[place // 2 :]
    if kind == 3:
        return raw[:place] + bytes(draws.random.bytes(draws.whole(1, 9))) + raw[place:]
    return draws.one_of(
        [b"", b"\0" * 50, b"\xff\xfe\xfa", b"PK\x03\x04", b"{", b"[[1,2],[3]]", b"\n"]
    )


# --- forms --------------------------------------------------------------------------------------


def as_text(draws: Draws, columns: dict[str, Any], separator: str) -> bytes:
    """Return lines of values with a separator, some in odd ways of writing."""
    names, rows = list(columns), zip(*columns.values(), strict=True)
    lines = [separator.join(map(str, row)) for row in rows]
    if draws.chance(0.7):
        lines = [separator.join(names), *lines]
    if draws.chance(0.1):
        lines.insert(draws.whole(0, len(lines)), draws.one_of(["", "# comment", "a", ",,,", "nan"]))
    end = draws.one_of(["\n", "\n", "\n", "\r\n", "\r"])
    coding = draws.one_of(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
    return end.join(lines).encode(coding, errors="replace")


def as_json_lines(draws: Draws, columns: dict[str, Any]) -> bytes:
    """Return one JSON object per line, or a list."""
    rows = [
        {name: getattr(value, "item", lambda value=value: value)() for name, value in row}
        for row in (
            zip(columns, values, strict=True) for values in zip(*columns.values(), strict=True)
        )
    ]
    kept = [list(row.values()) for row in rows] if draws.chance(0.2) else rows
    return "\n".join(map(json.dumps, kept)).encode("utf-8", errors="surrogatepass")


def as_array(draws: Draws, columns: dict[str, Any], *, packed: bool) -> bytes:
    """Return an array file, or several in an archive."""
    array = np.column_stack([np.asarray(column) for column in columns.values()])
    array = array[:, 0] if array.shape[1] == 1 else array
    file = io.BytesIO()
    if not packed:
        np.save(file, array)
    elif draws.chance(0.3):
        np.savez(file, a=array, b=array)
    else:
        np.savez_compressed(file, a=array)
    return file.getvalue()


def as_parquet(columns: dict[str, Any]) -> bytes:
    """Return a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    written = {
        name.encode("utf-8", "replace").decode(): np.asarray(each) for name, each in columns.items()
    }
    pq.write_table(pa.table(written), file)
    return file.getvalue()


Form = Callable[[Draws, dict[str, Any]], bytes]
FORMS: dict[str, Form] = {
    ".csv": lambda draws, columns: as_text(draws, columns, draws.one_of(",;,,")),
    ".tsv": lambda draws, columns: as_text(draws, columns, "\t"),
    ".txt": lambda draws, columns: as_text(draws, columns, draws.one_of(" ,;|")),
    ".jsonl": as_json_lines,
    ".npy": lambda draws, columns: as_array(draws, columns, packed=False),
    ".npz": lambda draws, columns: as_array(draws, columns, packed=True),
    ".parquet": lambda _, columns: as_parquet(columns),
    ".csv.gz": lambda draws, columns: gzip.compress(as_text(draws, columns, ","), mtime=0),
}


def write(draws: Draws, columns: dict[str, Any]) -> Path:
    """Write columns to a file of some form, seldom damaged, and return its path."""
    ending = draws.one_of([".csv", ".csv", *FORMS])
    name = "data" if draws.chance(0.7) else draws.one_of(NAMES)
    path = draws.folder / f"{draws.path('').name}{name}{ending}"
    raw = FORMS[ending](draws, columns)
    path.write_bytes(damage(draws, raw) if draws.chance(0.15) else raw)
    return path


def table(draws: Draws, *, with_labels: bool) -> dict[str, Any]:
    """Columns of points, and of labels beside them."""
    X = points.plain_points(draws)
    odd = draws.chance(0.1)
    names = [draws.one_of(NAMES) if odd else f"x{place}" for place in range(X.shape[1])]
    columns: dict[str, Any] = {name: X[:, place] for place, name in enumerate(names)}
    if with_labels:
        columns["label"] = label_column(draws)
    return columns


def label_column(draws: Draws) -> Any:
    """Labels as files hold them: numbers or words."""
    codes = labelings.plain_labels(draws)
    if draws.chance(0.7):
        return codes
    words = np.array(["a", "bee", "noise", "=1+1", "\x1b[1m", "x y"])
    return words[codes % len(words)]
