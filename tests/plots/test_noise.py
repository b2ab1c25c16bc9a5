"""Is the noise rightly noise: zones, counts and cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from disco_cvi import explain
from disco_cvi.plots import NoiseDisplay
from disco_cvi.plots.noise import MOST_POINTS, ZONES

# A cluster at 0, one at 100; noise: far away, a dense group apart, within a cluster.
X = np.array([0.0, 1, 2, 3, 4, 100, 101, 102, 103, 300, 500, 500.5, 501, 2.5])[:, None]
LABELS = [0] * 5 + [1] * 4 + [-1] * 5


def random_display(n_noise: int) -> NoiseDisplay:
    random = np.random.default_rng(0)
    rho_sparse = random.uniform(-1, 1, n_noise)
    rho_far = rho_sparse + (1 - rho_sparse) * random.uniform(0, 1, n_noise) ** 2
    rho_far[:5] = rho_sparse[:5] = [0, -1, 1, 0.5, -0.5]
    rho_far[5:10], rho_sparse[5:10] = 0.0, [-1, -0.7, -0.3, -0.2, 0]
    return NoiseDisplay(rho_sparse, rho_far, n_noise, 2 * n_noise)


def test_zones_are_those_of_the_explanation() -> None:
    explanation = explain(X, LABELS, min_points=2)
    display = NoiseDisplay.from_explanation(explanation)
    rightly, dense, joined = display.counts
    assert (dense, joined) == (explanation.noise.n_dense_apart, explanation.noise.n_claimed)
    assert rightly + dense + joined == explanation.noise.size == display.n_noise
    assert min(display.counts) >= 1
    assert (display.rho_far >= display.rho_sparse).all()
    # Rightly noise is what scores 0 or more.
    assert ((display.zones == 0) == (display.rho_sparse >= 0)).all()


def test_cells_hold_all_points_and_none_lies_in_two_zones() -> None:
    display = random_display(5000)
    cells = display.count_cells()
    assert cells.counts.sum() == 5000
    for number in range(3):
        assert cells.counts[cells.zones == number].sum() == display.counts[number]
    middle_x, middle_y = cells.x + cells.side / 2, cells.y + cells.side / 2
    expected = np.where(middle_y < 0, 2, np.where(middle_x < 0, 1, 0))
    assert (cells.zones == expected).all()
    assert ((cells.x >= -1) & (cells.x + cells.side <= 1 + 1e-9)).all()


@pytest.mark.parametrize("n_noise", [MOST_POINTS, MOST_POINTS + 1])
def test_many_points_are_counted_in_cells_and_the_facts_say_so(n_noise: int) -> None:
    display: Any = random_display(n_noise).plot()
    told = "Counts per cell" in " ".join(display.facts)
    assert display.has_cells == told == (n_noise > MOST_POINTS)
    n_drawn = sum(len(part.get_paths()) for part in display.points_)
    assert n_drawn == (len(display.count_cells().counts) if told else 3)  # one marker per zone


def test_zones_have_names_markers_and_counts() -> None:
    display: Any = NoiseDisplay.from_predictions(X, LABELS, min_points=2).plot()
    written = [text.get_text() for text in display.ax_.texts]
    for zone, n_points in zip(ZONES, display.counts, strict=True):
        assert f"{zone.name}  {n_points}" in written
    assert len({zone.marker for zone in ZONES}) == 3
    shapes = {len(part.get_paths()[0].vertices) for part in display.points_}
    assert len(shapes) == 3, "never color alone"
    drawn = [len(part.get_offsets()) for part in display.points_]
    assert tuple(drawn) == display.counts


def test_the_scale_is_fixed_and_the_impossible_half_is_shaded() -> None:
    ax: Any = NoiseDisplay.from_predictions(X, LABELS, min_points=2).plot().ax_
    assert ax.get_xlim() == ax.get_ylim() == (-1.03, 1.03)
    corners = ax.collections[0].get_paths()[0].vertices
    assert (corners[:, 1] <= corners[:, 0] + 1e-9).all()


@pytest.mark.parametrize(
    ("labels", "title", "facts"),
    [
        ([0] * 7 + [1] * 7, "No point is noise", "0 noise points of 14 points."),
        (
            [-1] * 14,
            "All points are noise, with no cluster to compare",
            "14 noise points of 14 points.",
        ),
    ],
)
def test_no_noise_and_nothing_but_noise(labels: list[int], title: str, facts: str) -> None:
    display = NoiseDisplay.from_predictions(X, labels, min_points=2).plot()
    assert (display.title, display.facts, display.counts) == (title, (facts,), (0, 0, 0))


def test_the_title_says_what_most_of_the_noise_is() -> None:
    assert NoiseDisplay([-0.5, -0.5, 0.5], [-0.1, -0.2, 0.5], 3, 9).title == (
        "67% of the noise is joined to a cluster"
    )
