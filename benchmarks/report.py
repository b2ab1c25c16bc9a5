"""Benchmarks of the report: its size, the time to write it, and how it feels in a browser."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

from benchmarks.data import Data, blobs, blobs_in_noise
from benchmarks.measure import JOBS, Row
from disco_cvi.report import write_report
from helpers.chromium.find import NONE, find_chromium
from helpers.chromium.page import Page, chromium, open_page

MEGABYTE = 1e6
# Milliseconds from a move of the mouse to the end of the frame that shows its point.
WATCH = """window.hovered = []; addEventListener('pointermove', (event) => requestAnimationFrame(
    () => setTimeout(() => hovered.push(performance.now() - event.timeStamp))), true)"""
# Milliseconds per frame while the wheel turns in each of 60, in and out again.
ZOOM = """new Promise((done) => {
    const canvas = document.querySelector('#canvas'), box = canvas.getBoundingClientRect();
    const at = {clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, ctrlKey: true};
    let frame = 0, begin;
    const turn = (now) => {
        begin ??= now;
        if (frame === 60) { done((now - begin) / 60); return; }
        canvas.dispatchEvent(new WheelEvent('wheel', {...at, deltaY: frame++ < 30 ? -10 : 10}));
        requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
})"""


def report() -> Iterator[Row]:
    """Size and time at 2,000 and 100,000 points."""
    for n_points, megabytes, seconds in ((2_000, 0.5, 5), (100_000, 5, 20)):
        yield from _size_and_time(n_points, megabytes, seconds)


def report_of_a_million() -> Iterator[Row]:
    """The same for a million points, of which the map shows 100,000."""
    yield from _size_and_time(1_000_000, 5, 120)


def report_in_browser() -> Iterator[Row]:
    """Ready, hover and zoom at 100,000 points, if there is a browser."""
    program = find_chromium()
    if program is None:
        print(f"rows of the report in a browser are left out: {NONE}", file=sys.stderr)
        return
    with tempfile.TemporaryDirectory() as folder, chromium(program) as browser:
        path = Path(folder) / "report.html"
        _write(100_000, path)
        with open_page(browser) as page:
            name = "report, n = 100,000, in Chromium:"
            yield Row(f"{name} ready / 1 s", _ready(page, path), 1, 1)
            yield Row(f"{name} hover, median / 50 ms", _hover(page), 50, 1, "ms")
            yield Row(f"{name} frame while zooming / 33.3 ms", page.run(ZOOM), 1000 / 30, 1, "ms")


@cache
def _data(n_points: int) -> Data:
    return blobs_in_noise() if n_points == 100_000 else blobs(n_points, 2)


def _write(n_points: int, path: Path) -> float:
    """Seconds that the page takes; its trees are built anew."""
    points, labels = _data(n_points)
    begin = time.perf_counter()
    write_report(points, labels, path, n_jobs=JOBS)
    return time.perf_counter() - begin


def _size_and_time(n_points: int, megabytes: float, seconds: float) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        _write(2_000, path)  # so that kernels are compiled
        taken = _write(n_points, path)
        size = path.stat().st_size / MEGABYTE
    name = f"report, n = {n_points:,}, 2-d"
    yield Row(f"{name} / {megabytes:g} MB", size, megabytes, 1, "MB")
    yield Row(f"{name}, written / {seconds:g} s", taken, seconds, 1)


def _ready(page: Page, path: Path) -> float:
    """Seconds from the start of loading to the first drawing of the map, median of five."""
    found = []
    for _ in range(5):
        page.open(path, ready="window.discoReport")
        found.append(float(page.run("discoReport.ready")) / 1000)
    return median(found)


def _hover(page: Page, moves: int = 50) -> float:
    page.scroll_to("#canvas")
    page.run(WATCH)
    shown = int(page.run("discoReport.shown"))
    for number in range(moves):
        page.move(*page.call("(i) => discoReport.xy(i)", number * shown // moves))
    page.wait_until(f"hovered.length >= {moves}")
    return float(median(page.run("hovered")))
