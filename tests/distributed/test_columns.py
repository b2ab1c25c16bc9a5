"""Columns of points that are elsewhere are asked for by name or number, each once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from disco_cvi.distributed.sources import open_source
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError
from helpers.messages import says

pytest.importorskip("distributed")

X = np.random.default_rng(0).normal(size=(24, 4))


def opened(kind: str, folder: Path, columns: Any) -> Any:
    if kind == "files":
        np.save(folder / "x.npy", X)
        return open_source(str(folder / "x.npy"), "density_tree", columns=columns)
    array = pytest.importorskip("dask.array").from_array(X, chunks=(8, 4))
    return open_source(array, "density_tree", columns=columns)


@pytest.mark.parametrize("kind", ["files", "array"])
@pytest.mark.parametrize(
    "columns",
    [[True, False, False, True], [np.True_], [1.0], [np.timedelta64(1, "s")], [None], [[0]]],
)
def test_what_is_no_name_and_no_number_is_refused(kind: str, columns: Any, tmp_path: Path) -> None:
    rule = r"^columns of density_tree must hold names \(str\) or numbers \(int\) of columns; got"
    with pytest.raises(InvalidTypeError, match=rule):
        opened(kind, tmp_path, columns)


@pytest.mark.parametrize("kind", ["files", "array"])
def test_a_column_is_asked_for_once(kind: str, tmp_path: Path) -> None:
    message = "columns of density_tree must hold each column once; got [0, 0]."
    with pytest.raises(InvalidInputError, match=says(message)):
        opened(kind, tmp_path, [0, 0])


@pytest.mark.parametrize("column", [4, -1, 10**5000, "x"], ids=["4", "-1", "huge", "x"])
@pytest.mark.parametrize("kind", ["files", "array"])
def test_a_column_that_is_not_there_is_refused(kind: str, column: Any, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"^columns of density_tree must name columns of"):
        opened(kind, tmp_path, [column])


@pytest.mark.parametrize("kind", ["files", "array"])
def test_columns_come_in_the_order_that_was_asked_for(kind: str, tmp_path: Path) -> None:
    assert opened(kind, tmp_path, [np.int64(2), 0]).columns == (2, 0)
