"""Small data with clusters and noise for reports, and names that try to break out of a page."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from disco_cvi.report.facts import facts_of
from disco_cvi.report.study import Request, make_study

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(2)>',
    "a&b 'q' \u202e rtl",
    "Ünïcode 数据 😀",
    "x" * 80,
    "{{ 7 * 7 }}",
    "new\nline",
)


def toy_points(
    n_points: int = 200, n_features: int = 2, *, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Round clusters in noise; labels are the clusters, -1 for the noise."""
    generator = np.random.default_rng(seed)
    n_noise = n_points // 8
    labels = np.sort(generator.integers(0, 4, n_points - n_noise))
    centers = generator.uniform(-10, 10, (4, n_features))
    inside = centers[labels] + generator.normal(0, 0.4, (len(labels), n_features))
    noise = generator.uniform(-12, 12, (n_noise, n_features))
    order = generator.permutation(n_points)
    return np.vstack([inside, noise])[order], np.append(labels, [-1] * n_noise)[order]


def hostile_labels(labels: NDArray[np.int64]) -> list[Any]:
    """The same clusters under hostile names, noise as the text "noise"."""
    return ["noise" if code < 0 else HOSTILE[code % len(HOSTILE)] for code in labels.tolist()]


def report_facts(points: Any, labels: Any, **options: Any) -> dict[str, Any]:
    """What a report says, without writing it."""
    return facts_of(make_study(points, labels, Request(**options), "write_report"))


def decode(layout: list[list[str]], block: str) -> dict[str, NDArray[Any]]:
    """The columns of the points of a map."""
    data = base64.b64decode(block)
    n_rows = len(data) // sum(int(kind[1]) for _, kind in layout)
    columns, at = {}, 0
    for name, kind in layout:
        columns[name] = np.frombuffer(data, f"<{kind}", n_rows, at)
        at += columns[name].nbytes
    return columns
