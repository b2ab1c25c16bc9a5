"""JSON lines that somebody made to do harm: few bytes that want much room, text that is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from disco_cvi.cli.tables import ReadOptions, read_labels, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


def test_rows_that_lack_all_names_are_counted_with_every_column(write: Write) -> None:
    names = ",".join(f'"{j:x}":0' for j in range(2000))
    name = write(f"{{{names}}}\n" + "{}\n" * 100, "bomb.jsonl")
    assert Path(name).stat().st_size < 1 << 15
    with pytest.raises(InvalidInputError, match=r"bomb\.jsonl holds more than 1 MiB"):
        read_points(name, ReadOptions(most_bytes=1 << 20))
    with pytest.raises(InvalidInputError, match="missing or infinite values in 100 rows"):
        read_points(name, ReadOptions(most_bytes=8 * 101 * 2000))


def test_the_row_beyond_the_limit_is_the_last_that_is_looked_at(write: Write) -> None:
    rows = "[1, 2]\n" * 65 + "this is no JSON\n"
    with pytest.raises(InvalidInputError, match="holds more than 1 KiB"):
        read_points(write(rows, "a.jsonl"), ReadOptions(most_bytes=1 << 10))
    with pytest.raises(InvalidInputError, match="line 66 is not JSON"):
        read_points("a.jsonl", ReadOptions(most_bytes=1 << 11))


@pytest.mark.parametrize(
    "second",
    [
        r'{"x": 2, "n": "\ud8001"}',
        r'{"x": 2, "n": "a\uDFFF"}',
        r'{"x": 2, "n": "\ude00\ud83d"}',
        r'{"x": 2, "\udc80": "a"}',
        r'[1, "\ud800"]',
        r'"\ud800"',
    ],
)
def test_half_of_a_pair_is_refused_before_the_work(write: Write, second: str) -> None:
    with pytest.raises(InvalidInputError, match=r"line 3 holds .*, which is not Unicode: .* half"):
        read_points(write('{"x": 1, "n": "a"}\n\n' + second, "a.jsonl"), label_columns=["n"])


def test_pairs_and_backslashes_are_letters(write: Write) -> None:
    rows = '{"x": 1, "n": "\\ud83d\\ude00"}\n{"x": 2, "n": "\\\\ud800"}\n'
    file = read_points(write(rows, "a.jsonl"), label_columns=["n"])
    assert file.labelings["n"].tolist() == ["\U0001f600", "\\ud800"]


@pytest.mark.parametrize("nested", ["[" * 400 + "]" * 400, "[]", '{"a": 1}'])
def test_values_that_hold_others_are_neither_features_nor_labels_nor_names(
    write: Write, nested: str
) -> None:
    rows = "".join(f'{{"x": {j}, "deep": {nested}, "c": "a"}}\n' for j in range(3))
    name, kind = write(rows, "a.jsonl"), "an object" if "a" in nested else "a list"
    leave_out = ReadOptions(drop=("deep",))
    assert read_points(name, leave_out, label_columns=["c"]).points.tolist() == [[0], [1], [2]]
    with pytest.raises(InvalidInputError, match=rf"'deep' is not numeric \(line 1 holds {kind}\)"):
        read_points(name, label_columns=["c"])
    refused = rf"column 'deep' holds {kind}, neither labels nor names\. Leave it out, or"
    with pytest.raises(InvalidInputError, match=refused):
        read_points(name, label_columns=["deep"])
    with pytest.raises(InvalidInputError, match=refused):
        read_points(name, ReadOptions(id_column="deep"), label_columns=["c"])
    points = read_points(write("0\n1\n2\n"))
    labels = write("".join(f'{{"l": {nested}}}\n' for _ in range(3)), "labels.jsonl")
    with pytest.raises(InvalidInputError, match=rf"column 'l' holds {kind}"):
        read_labels(labels, points)


def test_no_depth_of_nesting_ends_in_a_traceback(write: Write) -> None:
    """The parser's own limit depends on who calls it: one of these is just below."""
    for depth in range(900, 1000):
        name = write(f'{{"l": {"[" * depth}{"]" * depth}}}\n' * 3, "deep.jsonl")
        with pytest.raises(InvalidInputError, match=r"line 1 is not JSON|is not numeric"):
            read_points(name)


def test_columns_of_nested_values_do_not_hinder_a_file_of_labels(write: Write) -> None:
    rows = '{"x": 1, "deep": [1]}\n{"x": 2, "deep": [2]}\n'
    points = read_points(write(rows, "points.jsonl"), ReadOptions(drop=("deep",)))
    labels = write('{"l": 1, "deep": [2]}\n{"l": 2, "deep": [1]}\n', "labels.jsonl")
    assert read_labels(labels, points, columns=["l"]).labels.tolist() == [1, 2]
