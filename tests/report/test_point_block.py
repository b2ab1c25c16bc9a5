"""The points of a map, packed and unpacked."""

from __future__ import annotations

import numpy as np

from disco_cvi.report.point_block import decode, encode


def test_what_is_packed_can_be_unpacked() -> None:
    columns = {
        "label": np.array([0, -1, 32_767], np.int32),
        "x": np.array([0.5, np.nan, -1e-3]),
        "row": np.array([0, 40_000, 7]),
    }
    layout, block = encode(columns)
    assert layout == [["x", "f4"], ["row", "i4"], ["label", "i2"]]
    unpacked = decode(layout, block)
    assert np.array_equal(unpacked["x"], columns["x"].astype(np.float32), equal_nan=True)
    assert unpacked["row"].tolist() == [0, 40_000, 7]
    assert unpacked["label"].tolist() == [0, -1, 32_767]


def test_arrays_begin_where_scripts_can_read_them() -> None:
    columns = {"a": np.array([1]), "b": np.array([0.5]), "c": np.array([100_000])}
    layout, _ = encode(columns)
    offset = 0
    for _, kind in layout:
        assert offset % int(kind[1]) == 0
        offset += int(kind[1])


def test_the_block_is_little_endian_everywhere() -> None:
    big = np.array([1.0], dtype=">f8")
    assert encode({"x": big})[1] == encode({"x": np.array([1.0])})[1]
