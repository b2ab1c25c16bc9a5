"""What a clustering is worth along its parameter: score, number of clusters, noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from disco_cvi.plots.style import FAINT, NOISE_COLOR, PALETTE, open_axes, quiet_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def path_curves(path: Any, *, ax: Axes | None = None) -> Axes:
    """Draw an eps path or a size path: pair score and DISCO, clusters, noise.

    Parameters
    ----------
    path : EpsPath or SizePath
        What `DensityTree.eps_path` or `DensityTree.size_path` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw the scores alone; None: a new figure with all three above each other.

    Returns
    -------
    matplotlib.axes.Axes
        The axes with the scores.

    Examples
    --------
    >>> from disco_cvi import DensityTree
    >>> from disco_cvi.plots import path_curves
    >>> tree = DensityTree([[0.0], [1], [2], [10], [11], [12], [40], [41]], min_points=2)
    >>> path_curves(tree.eps_path()).get_ylabel()
    'score'
    """
    is_new = ax is None
    ax = open_axes(ax, "path_curves", (7.2, 5.6))
    name = "eps" if hasattr(path, "eps") else "min_cluster_size"
    values = getattr(path, name)
    is_shown = values > 0
    where: Any = "pre" if name == "eps" else "post"
    x = values[is_shown]
    for label, title, width in (("pair", "pair score", 2.0), ("disco", "DISCO", 1.0)):
        y = path.score if label == "pair" else path.disco
        ax.step(x, y[is_shown], where=where, color=PALETTE[label], label=title, linewidth=width)
    best = path.best
    ax.plot(getattr(best, name), best.score, "o", color=PALETTE["pair"])
    ax.set_xscale("log")
    ax.set_ylabel("score")
    ax.legend(frameon=False, fontsize="small")
    quiet_axes(ax)
    if is_new:
        _draw_counts(path, ax, x, is_shown, where)
    else:
        ax.set_xlabel(name)
    return ax


def _draw_counts(path: Any, ax: Axes, x: Any, is_shown: Any, where: Any) -> None:
    """Number of clusters and share of noise, in axes of their own below the scores."""
    figure: Any = ax.figure
    grid = figure.add_gridspec(3, 1, height_ratios=[3, 1, 1])
    ax.set_subplotspec(grid[0])
    clusters = figure.add_subplot(grid[1], sharex=ax)
    clusters.step(x, path.n_clusters[is_shown], where=where, color=FAINT)
    clusters.set_yscale("symlog")
    clusters.set_ylabel("clusters")
    noise = figure.add_subplot(grid[2], sharex=ax)
    step = {"pre": "pre", "post": "post"}[where]
    noise.fill_between(x, path.noise_share[is_shown], step=step, color=NOISE_COLOR, linewidth=0)
    noise.set_ylim(0, 1)
    noise.set_ylabel("noise")
    noise.set_xlabel("eps" if hasattr(path, "eps") else "min_cluster_size")
    for axes in (clusters, noise):
        quiet_axes(axes)
