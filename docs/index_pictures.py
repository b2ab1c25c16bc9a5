"""Draw the pictures of the index pages: ``python docs/index_pictures.py``.

Four data sets with a right and a wrong labeling each, the same for all indices, and under each what
the index says of it: pages can be compared. The bytes are the same every time, so that the pictures
are kept beside the pages.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from index_sketches import INK, draw_points, draw_sketch
from numpy.typing import NDArray

from disco_cvi import IndexInfo, available_indices
from disco_cvi.exceptions import UndefinedScoreError

FOLDER = Path(__file__).resolve().parent / "indices" / "pictures"

# Two tasks to a picture: on a phone the second one stands below the first.
PICTURES = {"shapes": slice(0, 2), "traps": slice(2, 4)}

SIDE, GAP, HEAD, FOOT = 200, 12, 30, 28


class Task(NamedTuple):
    """Points with a right and a wrong labeling."""

    name: str
    wrong_by: str
    points: NDArray[np.float64]
    right: NDArray[np.int64]
    wrong: NDArray[np.int64]


@cache
def tasks() -> tuple[Task, ...]:
    """All four, standardized as is usual."""
    made = (_rings(), _discs(), _blobs(), _giant())
    return tuple(
        task._replace(points=(task.points - task.points.mean(axis=0)) / task.points.std(axis=0))
        for task in made
    )


def _disc(
    generator: np.random.Generator, size: int, center: tuple[float, float], radius: float
) -> NDArray[np.float64]:
    angles = generator.uniform(0, 2 * np.pi, size)
    radii = radius * np.sqrt(generator.uniform(size=size))
    unit = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(np.asarray(center) + radii[:, None] * unit)


def _rings() -> Task:
    """Rings around each other; wrong: cut into sectors, as k-means does."""
    generator = np.random.default_rng(0)
    angles = np.concatenate([np.linspace(0, 2 * np.pi, size, endpoint=False) for size in (50, 110)])
    radii = np.repeat([1.0, 2.2], [50, 110]) + generator.normal(0, 0.05, 160)
    points = radii[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    wrong = (points[:, 0] > 0).astype(np.int64)
    return Task("rings", "cut in half", points, np.repeat([0, 1], [50, 110]), wrong)


def _discs() -> Task:
    """A dense disc beside a wide sparse one; wrong: the near part of it goes to the dense one."""
    generator = np.random.default_rng(1)
    points = np.concatenate(
        [_disc(generator, 80, (-2.3, 0), 0.5), _disc(generator, 80, (1.5, 0), 2.3)]
    )
    wrong = (points[:, 0] > 0.4).astype(np.int64)
    return Task("unlike densities", "cut by distance", points, np.repeat([0, 1], 80), wrong)


def _blobs() -> Task:
    """Two blobs and noise; wrong: their rims are called noise as well."""
    generator = np.random.default_rng(2)
    centers = np.repeat([[-2.0, 0.0], [2.0, 0.0]], 70, axis=0)
    cluster_points = centers + generator.normal(0, 0.55, (140, 2))
    points = np.concatenate([cluster_points, generator.uniform(-4, 4, (20, 2))])
    right = np.repeat([0, 1, -1], [70, 70, 20])
    is_rim = np.linalg.norm(cluster_points - centers, axis=1) > 0.6
    wrong = np.where(np.concatenate([is_rim, np.ones(20, bool)]), -1, right)
    return Task("noise", "rims called noise", points, right, wrong)


def _giant() -> Task:
    """Three blobs and a few far points; wrong: one giant cluster beside the far points."""
    generator = np.random.default_rng(3)
    centers = np.repeat([[-1.2, 0.0], [1.2, 0.0], [0.0, 2.0]], 50, axis=0)
    far = generator.normal((0.0, -9.0), 0.1, (6, 2))
    points = np.concatenate([centers + generator.normal(0, 0.36, (150, 2)), far])
    right = np.concatenate([np.repeat([0, 1, 2], 50), np.full(6, -1)])
    wrong = np.repeat([0, 1], [150, 6])
    return Task("far points", "one giant cluster", points, right, wrong)


class Verdict(NamedTuple):
    """What an index says of the two labelings of a task."""

    task: Task
    right: str
    wrong: str
    prefers: str


@cache
def verdicts(info: IndexInfo) -> tuple[Verdict, ...]:
    """What an index says of all tasks, as pictures and tables show it."""
    return tuple(_judge(info, task) for task in tasks())


def _judge(info: IndexInfo, task: Task) -> Verdict:
    right, wrong = (_value(info, task.points, labels) for labels in (task.right, task.wrong))
    shown = ["undefined" if value is None else f"{value:.3g}" for value in (right, wrong)]
    prefers = "neither"
    if right is not None and wrong is not None and shown[0] != shown[1]:
        prefers = "right" if (right > wrong) == info.greater_is_better else "wrong"
    return Verdict(task, shown[0], shown[1], prefers)


def _value(info: IndexInfo, points: NDArray[np.float64], labels: NDArray[np.int64]) -> float | None:
    try:
        return info.function(points, labels)
    except UndefinedScoreError:
        return None


def draw(info: IndexInfo, picture: str) -> str:
    """One picture of an index as SVG."""
    found = verdicts(info)[PICTURES[picture]]
    width, height = len(found) * (SIDE + GAP) - GAP, HEAD + 2 * (SIDE + FOOT)
    size = f'viewBox="0 0 {width} {height}" width="{width * 0.735:.0f}"'
    look = f'font-family="sans-serif" font-size="16" text-anchor="middle" fill="{INK}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {look}>',
        f"<title>{describe(info, picture)}</title>",
    ]
    for column, verdict in enumerate(found):
        left = column * (SIDE + GAP)
        task = verdict.task
        parts.append(_text(task.name, left, HEAD - 10, is_bold=True))
        words = {"right": ("right", verdict.right), "wrong": (task.wrong_by, verdict.wrong)}
        for row, (kind, labels) in enumerate((("right", task.right), ("wrong", task.wrong))):
            top = HEAD + row * (SIDE + FOOT)
            is_preferred = verdict.prefers == kind
            name, value = words[kind]
            parts += [
                _panel(task.points, labels, left, top, is_preferred=is_preferred),
                _text(f"{name}: {value}", left, top + SIDE + 19, is_bold=is_preferred),
            ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def describe(info: IndexInfo, picture: str) -> str:
    """The picture in a sentence."""
    said = (
        f"{verdict.task.name}, {verdict.right} if right and {verdict.wrong} if wrong "
        f"({verdict.task.wrong_by})"
        for verdict in verdicts(info)[PICTURES[picture]]
    )
    return f"{info.title}: {'; '.join(said)}."


def _text(words: str, left: int, y: int, *, is_bold: bool) -> str:
    weight = ' font-weight="bold"' if is_bold else ""
    return f'<text x="{left + SIDE / 2:.0f}" y="{y}"{weight}>{words}</text>'


def _panel(
    points: NDArray[np.float64],
    labels: NDArray[np.int64],
    left: int,
    top: int,
    *,
    is_preferred: bool,
) -> str:
    """One labeling in a frame, which is thick where the index prefers it."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    places = (points - middle) * (SIDE - 20) / np.ptp(points, axis=0).max() * (1, -1)
    places += (left + SIDE / 2, top + SIDE / 2)
    frame = (
        f'<rect x="{left + 1.5}" y="{top + 1.5}" width="{SIDE - 3}" height="{SIDE - 3}" rx="4" '
        f'fill="none" stroke="{INK}" stroke-width="{3 if is_preferred else 0.6}"/>'
    )
    return "\n".join([frame, *draw_points(places, labels)])


def main() -> None:
    """Write the pictures of all indices."""
    FOLDER.mkdir(exist_ok=True)
    for info in available_indices():
        for picture in PICTURES:
            (FOLDER / f"{info.name}_{picture}.svg").write_text(draw(info, picture))
        sketch = draw_sketch(info.name, info.title)
        (FOLDER / f"{info.name}_sketch.svg").write_text(sketch)


if __name__ == "__main__":
    main()
