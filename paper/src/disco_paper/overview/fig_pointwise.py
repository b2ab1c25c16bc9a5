"""Pointwise DISCO on cluto-t8-8k: the truth against k-means."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import pointwise_map
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, cross, spec
from disco_paper.drawing import open_drawing
from disco_paper.judging import Experiment, Figure, Report, Row, claim
from disco_paper.paper import INFOS
from disco_paper.sources import FloatArray, Source, make_points, shuffle_seeds

NAME = "fig-pointwise"


_DATA = spec("cluto-t8-8k", shuffle=0)
# Noise counts as one of the true labels.
_K_MEANS = spec("k-means after the shuffle", k=9)
_SAMPLES, _LABELS = spec("disco samples"), spec("labels")
# What we call a high score, and a low or mediocre one below it.
_HIGH = 0.2
_ELSEWHERE = "The printed value is that of tab-noise, where it is judged."


def cells(scope: Scope) -> list[Cell]:  # noqa: ARG001 - a quick run is a full run here
    """The labels and the score of every point."""
    return cross([_DATA], [GROUND_TRUTH, _K_MEANS], [_SAMPLES, _LABELS])


def _k_means_after(source: Source, k: int) -> NDArray[np.int64]:
    """K-means that draws its start from the generator that has just shuffled the rows."""
    from sklearn.cluster import KMeans

    generator = np.random.RandomState(shuffle_seeds(1)[0])
    generator.permutation(len(source.points))
    found = KMeans(n_clusters=k, random_state=generator, n_init="auto").fit_predict(source.points)
    return np.asarray(found, np.int64)


LABELINGS = {_K_MEANS.name: _k_means_after}


# --- report --------------------------------------------------------------------------------------


def report(found: Outcomes, scope: Scope) -> Report:  # noqa: ARG001
    """Means by cluster, the claims on the picture, and the picture."""
    truth, k_means = (_scores(found, labeling) for labeling in (GROUND_TRUTH, _K_MEANS))
    if truth is None or k_means is None:
        reason = found.reason(_DATA, GROUND_TRUTH, _SAMPLES)
        return Report((Row("all points", "ground truth", None, "0.30", note=reason),))
    rows = [
        Row("all points", "ground truth", float(truth[0].mean()), "0.30", note=_ELSEWHERE),
        Row("all points", "k-means", float(k_means[0].mean())),
        *_by_cluster(*truth, "ground truth"),
        *_by_cluster(*k_means, "k-means"),
        *_claims(*truth, k_means[0]),
    ]
    caption = (
        "The score of every point under the truth (left) and under k-means (right), whose borders "
        "are drawn: orange is low, brown 0, dark blue high."
    )
    return Report(tuple(rows), (Figure("", caption, lambda: _draw(truth[0], k_means)),))


def _scores(found: Outcomes, labeling: Spec) -> tuple[FloatArray, NDArray[np.int64]] | None:
    samples, labels = (found.value(_DATA, labeling, index) for index in (_SAMPLES, _LABELS))
    if not isinstance(samples, list) or not isinstance(labels, list):
        return None
    return np.array(samples, np.float64), np.array(labels, np.int64)


def _by_cluster(scores: FloatArray, labels: NDArray[np.int64], column: str) -> list[Row]:
    return [
        Row(
            "noise points" if name == -1 else f"cluster {name}",
            column,
            float(scores[labels == name].mean()),
        )
        for name in np.unique(labels)
    ]


def _claims(scores: FloatArray, labels: NDArray[np.int64], k_means: FloatArray) -> list[Row]:
    """What caption and text say of the colors."""
    clustered, noise = scores[labels != -1], scores[labels == -1]
    names = np.unique(labels[labels != -1]).tolist()
    means = {name: float(scores[labels == name].mean()) for name in names}
    lowest = min(means, key=lambda name: means[name])
    others = min(mean for name, mean in means.items() if name != lowest)
    high_noise = float((noise > 0).mean())
    return [
        claim(
            "Truth: points of clusters",
            "most have high scores",
            f"{(clustered > _HIGH).mean():.0%} above {_HIGH}",
            holds=bool((clustered > _HIGH).mean() > 0.5),
        ),
        claim(
            "Truth: clusters",
            "one of them has mediocre scores",
            f"cluster {lowest} has mean {means[lowest]:.2f}, all others {others:.2f} or more",
            holds=bool(abs(means[lowest]) < 0.1 < others),
        ),
        claim(
            "Truth: noise points",
            "most have high scores",
            f"{high_noise:.0%} above 0, {(noise > _HIGH).mean():.0%} above {_HIGH}; "
            f"mean {noise.mean():.2f}",
            holds=bool((noise > _HIGH).mean() > 0.5),
            note=f"Which scores are high is for the reader to say; we took those above {_HIGH}. "
            "The point of a cluster with the sparsest surroundings decides the score of all "
            "noise points, and some points of clusters lie as sparsely as noise.",
        ),
        claim(
            "k-means",
            "almost all points have low or mediocre scores",
            f"{(k_means < _HIGH).mean():.0%} below {_HIGH}",
            holds=bool((k_means < _HIGH).mean() > 0.9),
        ),
    ]


def _draw(scores: FloatArray, k_means: tuple[FloatArray, NDArray[np.int64]]) -> Drawing:
    points = make_points(_DATA).points
    drawing = open_drawing(10.5, 4.2)
    left, right = drawing.subplots(1, 2)
    pointwise_map(points, scores, ax=left, colorbar=False)
    left.set_title(f"ground truth: DISCO {scores.mean():.2f}", fontsize=10)
    pointwise_map(points, k_means[0], ax=right)
    right.set_title(f"k-means: DISCO {k_means[0].mean():.2f}", fontsize=10)
    centers = [points[k_means[1] == name].mean(axis=0) for name in np.unique(k_means[1])]
    _draw_borders(np.array(centers), points, right)
    return drawing


def _draw_borders(centers: FloatArray, points: FloatArray, ax: Axes) -> None:
    """Draw where two centers are equally near and no other center is nearer."""
    box = np.array([points.min(axis=0) - 0.1, points.max(axis=0) + 0.1])
    for c, e in combinations(range(len(centers)), 2):
        middle, across = (centers[c] + centers[e]) / 2, centers[e] - centers[c]
        along = np.array([-across[1], across[0]]) / np.hypot(*across)
        others = np.delete(centers, [c, e], axis=0) - centers[c]
        # On the line middle + t * along, all of these hold: slope * t <= offset. First: nearer to
        # c than to the others; then: inside the box.
        slopes = np.concatenate([others @ along, along, -along])
        nearer = (others * others).sum(axis=1) / 2 - others @ (middle - centers[c])
        offsets = np.concatenate([nearer, box[1] - middle, middle - box[0]])
        left, right, across_it = slopes < 0, slopes > 0, slopes == 0
        begin = (offsets[left] / slopes[left]).max()
        stop = (offsets[right] / slopes[right]).min()
        if begin < stop and (offsets[across_it] >= 0).all():
            ends = np.array([middle + begin * along, middle + stop * along])
            ax.plot(ends[:, 0], ends[:, 1], color="#222222", linewidth=0.8)


EXPERIMENT = Experiment(INFOS[NAME], cells, report, labelings=LABELINGS)
