"""The synthetic sets of the DISCO paper in 100 dimensions, drawn by the DENSIRED generator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from disco_cvi._input.options import check_choice, check_number
from disco_paper.datasets.labeled_points import LabeledPoints

# What `densired_set` draws.
DRAWN = ("Synth_high", "Synth_low", "Synth_no_noise")

_VERSION = "1.1.0"
_N_POINTS = 5000
_COMMON: dict[str, Any] = {
    "dim": 100,
    "clunum": 10,
    "core_num": 200,
    "seed": 6,
    "dens_factors": [1, 1, 0.5, 0.3, 2, 1.2, 0.9, 0.6, 1.4, 1.1],
    "square": True,
    "max_retry": 5,
    "safety": False,
    "domain_size": 20,
    "random_start": False,
}
_SHAPES: dict[str, dict[str, float]] = {
    "stretched": {"momentum": 0.8, "step": 1.5, "branch": 0.1, "star": 1},
    "compact": {"momentum": 0, "step": 1, "branch": 0, "star": 0},
}


def densired_set(name: Literal["Synth_high", "Synth_low", "Synth_no_noise"]) -> LabeledPoints:
    """Draw a synthetic data set of the paper again.

    All three have 5000 points in 100 dimensions and ten clusters. The values equal those of the
    authors' files up to rounding (4e-16 in the two that are scaled to lie between 0 and 1).

    Parameters
    ----------
    name : {"Synth_high", "Synth_low", "Synth_no_noise"}
        Stretched clusters or compact ones, each with 500 noise points; or stretched ones without
        noise, as drawn.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    ImportError
        If the generator is not installed, or in a version that draws other data.
    InvalidInputError
        If there is no such set.

    Examples
    --------
    >>> from disco_paper.datasets import densired_set
    >>> drawn = densired_set("Synth_high")
    >>> drawn.points.shape, int((drawn.labels == -1).sum())
    ((5000, 100), 500)
    """
    check_choice(name, DRAWN, "name", "densired_set")
    if name == "Synth_no_noise":
        return densired_noise(noise=0.0)
    shapes = {"Synth_high": "stretched", "Synth_low": "compact"}
    points, labels = _draw(shapes[name], _N_POINTS, ratio_noise=0.1)
    extent = points.max() - points.min()
    return LabeledPoints((points - points.min(axis=0)) / extent, labels)


def densired_noise(*, noise: float) -> LabeledPoints:
    """Draw 5000 points in ten stretched clusters, and noise besides.

    The cluster points are the same for every amount of noise, and more noise holds less noise: its
    points are added to those that are there. Nothing is scaled.

    Parameters
    ----------
    noise : float
        How many noise points there are, as a share of the 5000 cluster points: 0.1 gives 500.

    Returns
    -------
    LabeledPoints

    Raises
    ------
    ImportError
        If the generator is not installed, or in a version that draws other data.
    InvalidInputError
        If `noise` is negative, or above 100.

    Examples
    --------
    >>> from disco_paper.datasets import densired_noise
    >>> densired_noise(noise=0.1).points.shape
    (5500, 100)
    """
    noise = check_number(noise, "noise", "densired_noise", least=0, most=100)
    return _draw("stretched", round(_N_POINTS * (1 + noise)), ratio_noise=noise / (1 + noise))


def _draw(shape: str, n_points: int, ratio_noise: float) -> LabeledPoints:
    """Call the generator; the last column of what it returns is the label."""
    generate = _find_generator()
    with _global_generator_kept():
        made = generate(**_COMMON, **_SHAPES[shape], ratio_noise=ratio_noise)
        table: NDArray[np.float64] = made.generate_data(n_points)
    labels = table[:, -1].astype(np.int64)
    return LabeledPoints(np.ascontiguousarray(table[:, :-1]), labels)


def _find_generator() -> Any:
    """The generator's class, if it is the version that draws the paper's data."""
    remedy = "Run 'pip install disco-paper'."
    try:
        from densired import __version__, densityDataGen
    except ImportError as error:
        message = f"this data set needs densired {_VERSION}, which is not installed. {remedy}"
        raise ImportError(message) from error
    if __version__ != _VERSION:
        message = (
            f"this data set needs densired {_VERSION}, because other versions may draw other data; "
            f"found {__version__}. {remedy}"
        )
        raise ImportError(message)
    return densityDataGen


@contextmanager
def _global_generator_kept() -> Iterator[None]:
    """Put NumPy's global generator back afterwards: the package seeds and uses it."""
    state = np.random.get_state()  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(state)  # noqa: NPY002
