"""JSON lines."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest

from disco_cvi.cli.tables import ReadOptions, read_labels, read_points
from disco_cvi.exceptions import InvalidInputError

pytestmark = pytest.mark.small


Write = Callable[..., str]


EXPECTED = [[1.5, 2.0], [-3.0, 4e2], [5.0, 0.25]]
OBJECTS = '{"x": 1.5, "y": 2}\n\n{"y": 4e2, "x": -3}\n{"x": 5, "y": 0.25}'


@pytest.mark.parametrize(
    ("content", "name"),
    [
        pytest.param(OBJECTS, "a.jsonl", id="objects"),
        pytest.param(OBJECTS, "a.ndjson", id="other ending"),
        pytest.param(gzip.compress(OBJECTS.encode()), "a.jsonl.gz", id="gzip"),
        pytest.param(OBJECTS, "a.log", id="found by looking"),
        pytest.param(OBJECTS.encode("utf-16"), "a.jsonl", id="utf-16"),
        pytest.param("[1.5, 2]\n[-3, 4e2]\n[5, 0.25]\n", "a.jsonl", id="arrays"),
    ],
)
def test_points_are_read(write: Write, content: str | bytes, name: str) -> None:
    assert read_points(write(content, name)).points.tolist() == EXPECTED


def test_names_and_truth_values(write: Write) -> None:
    file = read_points(write('{"a b": 1, "yes": true}\n{"a b": 2, "yes": false}\n', "a.jsonl"))
    assert file.features == ("a b", "yes")
    assert file.points.tolist() == [[1, 1], [2, 0]]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["0", "1", "-1"], [0, 1, -1]),
        (["0.0", "1.0", "-1"], [0, 1, -1]),
        (["0.5", "1", "2"], [0.5, 1, 2]),
        (['"a"', '"b"', "-1"], ["a", "b", "-1"]),
        (["true", "false", "true"], [True, False, True]),
        ([str(10**20), str(10**20 + 1), "0"], [str(10**20), str(10**20 + 1), "0"]),
    ],
)
def test_labels_are_whole_numbers_or_text(
    write: Write, values: list[str], expected: list[Any]
) -> None:
    rows = "".join(f'{{"x": {j}, "k": {value}}}\n' for j, value in enumerate(values))
    file = read_points(write(rows, "a.jsonl"), label_columns=["k"])
    assert file.labelings["k"].tolist() == expected
    labels = read_labels(write("\n".join(values), "labels.jsonl"), file)
    assert labels.labels.tolist() == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", "a.jsonl holds no data"),
        ("\n{}\n{}\n", "a.jsonl: line 2 holds no values"),
        ("[1]\n{}\n", "line 2 holds 0 values, unlike line 1"),
        ('{"x": 1}\n{"x": 2\n', r"a\.jsonl: line 2 is not JSON \(Expecting .*Write one object per"),
        ("[" * 100_000, r"line 1 is not JSON"),
        ("9" * 5000, "line 1 is not JSON|infinite values in 1 row"),
        ('{"x": 1}\n\n{"x": 2, "z": 3}\n', "line 3 holds the name 'z', unlike line 1. Every row"),
        ("[1, 2]\n[1]\n", "line 2 holds 1 value, unlike line 1. Every row needs one value per"),
        ('{"x": 1}\n[1]\n', "line 2 holds values without names, unlike line 1"),
        ('[1]\n{"x": 1}\n', "line 2 holds the name 'x', unlike line 1"),
        ('{"x": 1}\n{"x": "1"}\n', r"column 'x' is not numeric \(line 2 holds '1'\).*--drop x"),
        ('{"x": 1}\n{"x": [1]}\n', r"column 'x' is not numeric \(line 2 holds a list\)"),
        ('{"x": 1, "y": 1}\n{"x": 2}\n', r"in 1 row \(first: line 2, column 'y'\)"),
        ('{"x": null}\n', r"in 1 row \(first: line 1, column 'x'\)"),
        ('{"x": NaN}\n', r"in 1 row \(first: line 1, column 'x'\)"),
        (f'{{"x": 1{"0" * 400}}}\n', r"in 1 row \(first: line 1, column 'x'\)"),
    ],
)
def test_unusable_lines_are_refused_with_reason_and_place(
    write: Write, content: str, expected: str
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        read_points(write(content, "a.jsonl"))


@pytest.mark.parametrize("missing", ["null", '""', "NaN"])
def test_missing_labels_are_refused(write: Write, missing: str) -> None:
    rows = f'{{"x": 1, "k": 0}}\n{{"x": 2, "k": {missing}}}\n'
    with pytest.raises(InvalidInputError, match=r"'k' holds no label in 1 row \(first: line 2\)"):
        read_points(write(rows, "a.jsonl"), label_columns=["k"])


def test_ids_are_text(write: Write) -> None:
    rows = '{"x": 1, "id": 7}\n{"x": 2, "id": " b "}\n'
    assert read_points(write(rows, "a.jsonl"), ReadOptions(id_column="id")).row_names == ("7", "b")
