"""The process that computes: reads batches, answers each cell as soon as it is done.

It is started as a program of its own, so that no script needs a guard for it, and it ends as soon
as its input does: that is, with the process that started it, however that ended.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import sys
import threading
import time
import traceback
from importlib import import_module
from typing import IO, Any

from disco_paper.cells.cell import Cell, Outcome, Spec

# Clearing away takes half a second, too long after each of a thousand small batches.
_LONG = 10.0


def order_line(module: str, cells: list[Cell]) -> bytes:
    """A batch as a line of text: the experiment's module, and cells."""
    parts = [
        [(part.name, part.options) for part in (cell.data, cell.labeling, cell.index)]
        for cell in cells
    ]
    return _line({"module": module, "cells": parts})


def read_order(line: bytes) -> tuple[str, list[Cell]]:
    """The same back."""
    order = json.loads(line)
    cells = [
        Cell(*(Spec(name, tuple((key, value) for key, value in options)) for name, options in cell))
        for cell in order["cells"]
    ]
    return order["module"], cells


def answer_line(place: int, outcome: Outcome) -> bytes:
    """What became of the cell at a place of the batch, as a line of text."""
    return _line({"place": place, "outcome": vars(outcome)})


def read_answer(line: bytes) -> tuple[int, Outcome]:
    """The same back."""
    answer = json.loads(line)
    return answer["place"], Outcome(**answer["outcome"])


def _line(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode() + b"\n"


def main() -> None:
    """Compute batches until there is nobody left to answer."""
    answers = _own_output()
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    try:
        while True:
            order = orders.get()
            begin = time.monotonic()
            _compute(order, answers)
            if time.monotonic() - begin > _LONG:
                gc.collect()  # trees and neighbors of the last data make room
    except BaseException:  # noqa: BLE001 - the last line of it reaches the user
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)  # at once: Python's way out would wait for the other thread


def _own_output() -> IO[bytes]:
    """The way to the parent, kept free of what programs print: that goes to the error stream."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def _listen(orders: queue.SimpleQueue[bytes]) -> None:
    for line in sys.stdin.buffer:
        orders.put(line)
    os._exit(0)  # at once, whatever the other thread is doing: nobody waits for it any more


def _compute(line: bytes, answers: IO[bytes]) -> None:
    from disco_paper.running.batch import compute_batch

    module, cells = read_order(line)
    experiment = import_module(module).EXPERIMENT
    places = {cell: place for place, cell in enumerate(cells)}
    for cell, outcome in compute_batch(experiment, cells):
        answer = answer_line(places[cell], outcome)
        while answer:  # a pipe may take a long line in parts
            answer = answer[answers.write(answer) :]


if __name__ == "__main__":
    main()
