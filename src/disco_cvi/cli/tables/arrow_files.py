"""Parquet, Feather and Arrow files within limits: what they hold is counted before it is unpacked.

pyarrow has no limit: of a few bytes, packed zeros or repeated words, it makes gigabytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi._output.files import import_arrow
from disco_cvi.cli.tables.table import refuse_large
from disco_cvi.exceptions import InvalidInputError

_FILE = b"ARROW1"  # how files of Arrow begin and end, which streams do not
_FIRST_FEATHER = b"FEA1"
_FLOAT = 8  # bytes of a number in the matrix that columns become
# How the first version that packs, 0.17, says that it did.
_PACKED_BY_0_17 = b"ARROW:experimental_compression"


@dataclass(frozen=True, eq=False)
class ArrowColumn:
    """A column as the file types it; `values` are None where it is nested."""

    name: str
    kind: Any
    values: Any | None


def is_nested(kind: Any) -> bool:
    """Tell whether values of an Arrow type hold others: no numbers, no labels, of any length."""
    arrow = import_arrow("reading columns")
    kind = kind.storage_type if isinstance(kind, arrow.BaseExtensionType) else kind
    return bool(arrow.types.is_nested(kind) or arrow.types.is_run_end_encoded(kind))


def lengths_of_texts(column: Any) -> NDArray[np.int64]:
    """Return how many bytes each value of a column takes that is no category any more."""
    return np.concatenate([np.empty(0, np.int64), *map(_lengths, column.chunks)])


def _lengths(values: Any) -> NDArray[np.int64]:
    arrow = import_arrow("reading columns")
    from pyarrow.compute import binary_length

    values = values.storage if isinstance(values, arrow.ExtensionArray) else values
    kind, types = values.type, arrow.types
    if types.is_dictionary(kind):
        indices: NDArray[np.intp] = values.indices.drop_null().to_numpy()
        return _lengths(values.dictionary)[indices]
    if types.is_string_view(kind) or types.is_binary_view(kind):
        views = np.frombuffer(values.buffers()[1], np.int32).reshape(-1, 4)  # a length begins each
        return views[values.offset : values.offset + len(values), 0].astype(np.int64)
    if types.is_primitive(kind) or types.is_null(kind) or types.is_decimal(kind):
        return np.full(len(values), _FLOAT)
    lengths: NDArray[np.int64] = binary_length(values).fill_null(0).to_numpy()
    return lengths.astype(np.int64)


# --- Parquet --------------------------------------------------------------------------------------


def read_parquet(raw: bytes, most: int, source: str) -> tuple[list[ArrowColumn], int]:
    """Return the columns of a file and the number of its rows; what is nested is not read."""
    arrow = import_arrow(f"reading {source}")
    file = arrow.parquet.ParquetFile(arrow.BufferReader(raw))
    refuse_large(_parquet_size(file.metadata), most, source)
    schema = file.schema_arrow
    flat = [field.name for field in schema if not is_nested(field.type)]
    # A word that is written once, as one of a dictionary, stays so.
    file = arrow.parquet.ParquetFile(arrow.BufferReader(raw), read_dictionary=flat)
    wanted = None if len(flat) == len(schema) else flat
    batches, size = [], 0
    for batch in file.iter_batches(columns=wanted, use_threads=False):
        size += batch.nbytes
        refuse_large(size, most, source)
        batches.append(batch)
    table = arrow.Table.from_batches(batches) if batches else file.read(columns=wanted)
    if table.column_names != flat:
        raise InvalidInputError(
            f"{source} holds a nested column with the name of another. Rename one of them."
        )
    table.validate(full=True)  # text may be any bytes, which nobody can write or show
    return _columns(schema, table.columns), table.num_rows


def _columns(schema: Any, flat: Sequence[Any]) -> list[ArrowColumn]:
    values = iter(flat)
    return [
        ArrowColumn(field.name, field.type, None if is_nested(field.type) else next(values))
        for field in schema
    ]


def _parquet_size(facts: Any) -> int:
    """Return how many bytes a file says that it unpacks to, or that its numbers take."""
    groups = [facts.row_group(number) for number in range(facts.num_row_groups)]
    n_rows = max(facts.num_rows, sum(group.num_rows for group in groups))
    # Of equal values a few bytes are written, and all are read.
    columns = map(facts.schema.column, range(facts.num_columns))
    width = sum(max(_FLOAT, column.length or 0) for column in columns)
    return int(max(sum(group.total_byte_size for group in groups), n_rows * width))


# --- Arrow ----------------------------------------------------------------------------------------


def read_arrow(raw: bytes, most: int, source: str) -> tuple[list[ArrowColumn], int]:
    """Return the columns of an Arrow file, a stream, or a Feather file, and the number of rows."""
    table = _read_table(raw, most, source)
    table.validate(full=True)  # else crafted places are read wherever they lead
    flat = [column for column in table.columns if not is_nested(column.type)]
    return _columns(table.schema, flat), table.num_rows


def _read_table(raw: bytes, most: int, source: str) -> Any:
    arrow = import_arrow(f"reading {source}")
    if raw.startswith(_FIRST_FEATHER):  # nothing is packed
        from pyarrow import feather

        return feather.read_table(arrow.BufferReader(raw), use_threads=False)
    open_it = arrow.ipc.open_file if raw.startswith(_FILE) else arrow.ipc.open_stream
    reader, n_rows, unpacked = open_it(arrow.py_buffer(raw)), 0, 0
    for message in _messages(raw):
        length, size = _rows_and_bytes(message)
        n_rows += length
        unpacked += size
        refuse_large(max(n_rows * len(reader.schema) * _FLOAT, unpacked), most, source)
    return reader.read_all()


def _messages(raw: bytes) -> Iterator[Any]:
    """Yield the parts of a stream in their order, those of a file by the list at its end."""
    arrow = import_arrow("reading columns")
    if not raw.startswith(_FILE):
        yield from arrow.ipc.MessageReader.open_stream(arrow.py_buffer(raw))
        return
    end = len(raw) - len(_FILE) - 4
    footer, whole = raw[end - struct.unpack_from("<i", raw, end)[0] : end], memoryview(raw)
    for number in (2, 3):  # dictionaries and record batches
        if place := _field(footer, _follow(footer, 0), number):
            blocks = _structs(footer, place, "<qi4xq")
            for begin, n_facts, n_body in blocks:
                part = whole[begin : begin + n_facts + n_body]
                yield arrow.ipc.read_message(arrow.py_buffer(part))


def _rows_and_bytes(message: Any) -> tuple[int, int]:
    """Return how many rows a message adds to the table, and the bytes that it unpacks to."""
    facts, body = bytes(message.metadata), memoryview(message.body or b"")
    batch = _follow(facts, _field(facts, _follow(facts, 0), 2))
    n_rows = 0
    if message.type == "dictionary":
        batch = _follow(facts, _field(facts, batch, 1))
    elif message.type == "record batch":
        place = _field(facts, batch, 0)
        n_rows = struct.unpack_from("<q", facts, place)[0] if place else 0
    else:
        return 0, 0
    if not _field(facts, batch, 3) and _PACKED_BY_0_17 not in facts:
        return n_rows, len(body)
    spans = _structs(facts, _field(facts, batch, 2), "<qq")
    # Each begins with its size when it is unpacked, -1 if it is not packed.
    sizes = (struct.unpack_from("<q", body, begin)[0] for begin, length in spans if length)
    return n_rows, len(body) + sum(size for size in sizes if size > 0)


# Tables of flatbuffers: https://flatbuffers.dev/internals/


def _field(facts: bytes, table: int, number: int) -> int:
    """Return where a field of a table stands, 0 if the table does not have it."""
    fields = table - struct.unpack_from("<i", facts, table)[0]
    place = 4 + 2 * number
    if place >= struct.unpack_from("<H", facts, fields)[0]:
        return 0
    offset = struct.unpack_from("<H", facts, fields + place)[0]
    return table + offset if offset else 0


def _follow(facts: bytes, place: int) -> int:
    return int(place + struct.unpack_from("<I", facts, place)[0])


def _structs(facts: bytes, place: int, form: str) -> Iterator[tuple[Any, ...]]:
    """Yield the entries of a vector."""
    begin = _follow(facts, place) + 4
    (n_entries,) = struct.unpack_from("<I", facts, begin - 4)
    return struct.iter_unpack(form, facts[begin : begin + n_entries * struct.calcsize(form)])
