"""Draw docs/rings.svg: one data set, two clusterings, their scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from disco_cvi import disco_samples, disco_score
from disco_cvi.datasets import three_rings

COLORS = ("#2f6fb5", "#e08a1e", "#3a9a5b")
NOISE = "#9a9a9a"
SIZE = 330
MARGIN = 40
LEGEND = 34


def panel(points: NDArray[np.float64], labels: NDArray[np.int64], left: int, title: str) -> str:
    """One clustering: discs are cluster points, faint where they score below 0; rings are noise."""
    scale = (SIZE - 20) / np.ptp(points, axis=0).max()
    x, y = ((points - points.min(axis=0)) * scale + 10).T
    scores = disco_samples(points, labels)
    marks = []
    for i, label in enumerate(labels):
        place = f'cx="{left + x[i]:.1f}" cy="{MARGIN + SIZE - y[i]:.1f}"'
        if label < 0:
            marks.append(
                f'<circle {place} r="2.4" fill="none" stroke="{NOISE}" stroke-width="1.2"/>'
            )
        else:
            faint = 1.0 if scores[i] >= 0 else 0.45
            marks.append(f'<circle {place} r="2.6" fill="{COLORS[label]}" fill-opacity="{faint}"/>')
    text = f"{title}: DISCO {disco_score(points, labels):.2f}"
    caption = f'<text x="{left + SIZE / 2:.0f}" y="26" text-anchor="middle">{text}</text>'
    return "\n".join([caption, *marks])


def legend(width: int, top: int) -> str:
    """What the marks mean: color is the cluster, pale a score below 0, a ring noise."""
    middle = top + LEGEND / 2 - 2
    texts = ("cluster point, score 0 or more", "pale: score below 0", "ring: noise")
    lefts = (width / 2 - 280, width / 2 + 10, width / 2 + 205)
    place = f'cx="{lefts[2] + 18:.0f}" cy="{middle:.0f}"'
    marks = [
        *(_disc(lefts[0] + 9 * i, middle, color, 1.0) for i, color in enumerate(COLORS)),
        *(_disc(lefts[1] + 9 * i, middle, color, 0.45) for i, color in enumerate(COLORS)),
        f'<circle {place} r="3.4" fill="none" stroke="{NOISE}" stroke-width="1.4"/>',
    ]
    words = [
        f'<text x="{left + 28:.0f}" y="{middle + 5:.0f}" font-size="14">{text}</text>'
        for left, text in zip(lefts, texts, strict=True)
    ]
    return "\n".join([*marks, *words])


def _disc(x: float, y: float, color: str, opacity: float) -> str:
    return f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3.6" fill="{color}" fill-opacity="{opacity}"/>'


def main() -> None:
    """Write the picture; the same bytes every time."""
    rings = three_rings()
    width, height = 2 * SIZE + MARGIN, SIZE + MARGIN + LEGEND
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = 'font-family="sans-serif" font-size="17"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        '<rect width="100%" height="100%" fill="white"/>',
        panel(rings.points, rings.good_labels, 0, "rings and noise"),
        panel(rings.points, rings.bad_labels, SIZE + MARGIN, "k-means"),
        legend(width, SIZE + MARGIN),
        "</svg>",
    ]
    (Path(__file__).parent / "rings.svg").write_text("\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
