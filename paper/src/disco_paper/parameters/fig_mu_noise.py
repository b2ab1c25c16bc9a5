"""How DISCO changes with its parameter mu while more and more noise is added."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Figure, Report, Row, claim, withdraw_unknown
from disco_paper.paper import INFOS, read_texts

NAME = "fig-mu-noise"
TEXTS = read_texts(NAME)

_DEFAULT = 5
MUS = (1, 3, 5, 7, 9, 11)
_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
_QUICK_SHARES = (0.0, 0.1)
_QUICK_MUS = (1, 3, 5)


def cells(scope: Scope) -> list[Cell]:
    """The true labels for every share of noise and every mu; the largest data first."""
    return [
        Cell(_data(share), GROUND_TRUTH, spec("disco", min_points=mu))
        for share in reversed(_shares(scope))
        for mu in _mus(scope)
    ]


def _data(share: float) -> Spec:
    return spec("densired", noise=share)


def _shares(scope: Scope) -> tuple[float, ...]:
    return _QUICK_SHARES if scope.quick else _SHARES


def _mus(scope: Scope) -> tuple[int, ...]:
    return _QUICK_MUS if scope.quick else MUS


def report(found: Outcomes, scope: Scope) -> Report:
    """The claims, the scores and the figure."""
    shares, mus = _shares(scope), _mus(scope)
    scores = np.array(
        [
            [found.value(_data(share), GROUND_TRUTH, spec("disco", min_points=mu)) for mu in mus]
            for share in shares
        ],
        dtype=np.float64,
    )
    rows = _claims(scores, np.array(mus))
    rows = withdraw_unknown(rows, scores, found, cut=_CUT if scope.quick else "")
    rows += [
        Row(_name(share), f"mu = {mu}", None if np.isnan(score) else float(score), table="DISCO")
        for share, of_share in zip(shares, scores, strict=True)
        for mu, score in zip(mus, of_share, strict=True)
    ]
    figure = Figure(
        "",
        "DISCO over mu, a line for each amount of noise in per cent of the 5000 cluster points; "
        "the vertical line marks the default.",
        partial(_draw, {_name(s): curve for s, curve in zip(shares, scores, strict=True)}, mus),
    )
    return Report(tuple(rows), (figure,), (TEXTS["note"],))


def _name(share: float) -> str:
    return f"{100 * share:.0f} % noise"


def _claims(scores: NDArray[np.float64], mus: NDArray[np.int64]) -> list[Row]:
    stable = np.ptp(scores[:, mus >= 3], axis=1).max()
    first, default = scores[:, 0], scores[:, list(mus).index(_DEFAULT)]
    shares = np.array(_SHARES[: len(scores)])
    singletons = np.abs(first - first[0] / (1 + shares)).max()
    return [
        claim(
            "DISCO is stable for mu of 3 or more at every noise level",
            "yes",
            f"changes by {stable:.4f} or less",
            holds=bool(stable <= 0.01),
            note="Taken as 0.01 or less. What does change is its level: noise points score better "
            f"than cluster points here, so that DISCO rises with noise, from {default[0]:.3f} to "
            f"{default[-1]:.3f} at mu = {_DEFAULT}.",
        ),
        claim(
            "At mu = 1 DISCO falls as noise grows",
            "yes",
            f"from {first[0]:.4f} to {first[-1]:.4f}",
            holds=bool((np.diff(first) < 0).all()),
            note="At mu = 1 the score of every noise point is 0, so that DISCO is the score "
            "without noise divided by 1 plus the share of noise, "
            + ("to the last digits." if singletons < 1e-12 else f"up to {singletons:.1e}."),
        ),
    ]


def _draw(curves: dict[str, NDArray[np.float64]], mus: tuple[int, ...]) -> Drawing:
    drawing = Drawing(figsize=(6.8, 4.0), dpi=110, layout="constrained")
    ax = drawing.add_subplot()
    ax.axvline(_DEFAULT, color="#cc3311", linewidth=1, zorder=1)
    score_curve(mus, curves, ax=ax, band=None)
    ax.set(xlabel="mu", ylabel="DISCO", ylim=(0.0, 1.0), xticks=mus)
    return drawing


_CUT = "A quick run looks at fewer values of mu and levels of noise: not judged."

EXPERIMENT = Experiment(INFOS[NAME], cells, report)
