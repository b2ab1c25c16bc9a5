"""Whether it matters to DISCO how noise is distributed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from matplotlib.figure import Figure as Drawing
from numpy.typing import NDArray

from disco_cvi.plots import score_curve
from disco_paper.cells import GROUND_TRUTH, Cell, Outcomes, Scope, Spec, spec
from disco_paper.judging import Experiment, Figure, Report, Row, claim, withdraw_unknown
from disco_paper.paper import INFOS, read_texts

NAME = "fig-noise-dist"
TEXTS = read_texts(NAME)

MUS = (1, 3, 5, 7, 9, 11)
_QUICK_MUS = (1, 3, 5)
_SETS = ("Synth_high", "Synth_low")
# The noise that the data sets come with is not part of the paper's figures.
_OWN = "as generated"
_NEW = ("gaussian", "uniform", "poisson")

Curves = dict[tuple[str, str], NDArray[np.float64]]


def cells(scope: Scope) -> list[Cell]:
    """DISCO and its parts for both data sets, every kind of noise and every mu."""
    return [
        Cell(_data(name, noise), GROUND_TRUTH, _index(mu))
        for name in _sets(scope)
        for noise in (_OWN, *_NEW)
        for mu in _mus(scope)
    ]


def _data(name: str, noise: str) -> Spec:
    return spec(name) if noise == _OWN else spec(name, noise_distribution=noise)


def _index(mu: int) -> Spec:
    return spec("disco parts", min_points=mu)


def _sets(scope: Scope) -> tuple[str, ...]:
    return _SETS[:1] if scope.quick else _SETS


def _mus(scope: Scope) -> tuple[int, ...]:
    return _QUICK_MUS if scope.quick else MUS


def report(found: Outcomes, scope: Scope) -> Report:
    """The claims, the scores of both figures, and the figures."""
    mus = np.array(_mus(scope))
    disco = _curves(found, scope, "disco")
    # The noise score is the smaller of two parts, and rho_sparse is never the larger one.
    noise = _curves(found, scope, "rho_sparse")
    rows = _claims(disco, mus)
    # No claim is about the noise that the data come with.
    claimed = [curve for (_, kind), curve in disco.items() if kind != _OWN]
    of_them = Outcomes({cell: found[cell] for cell in found if cell.data.options})
    rows = withdraw_unknown(rows, claimed, of_them, cut=_CUT if scope.quick else "")
    rows += [*_score_rows(disco, mus, "DISCO"), *_score_rows(noise, mus, "Mean noise score")]
    figures = (
        Figure(
            "disco",
            "DISCO over mu for four kinds of noise; the vertical line marks the default.",
            partial(_draw, disco, mus, "DISCO"),
        ),
        Figure(
            "noise-score",
            "The mean score of the noise points over mu.",
            partial(_draw, noise, mus, "mean noise score"),
        ),
    )
    return Report(tuple(rows), figures, (TEXTS["note"],))


def _curves(found: Outcomes, scope: Scope, part: str) -> Curves:
    """One part of DISCO along mu, by data set and kind of noise; NaN where there is none."""
    curves = {}
    for name in _sets(scope):
        for noise in (_OWN, *_NEW):
            values = [
                found.value(_data(name, noise), GROUND_TRUTH, _index(mu)) for mu in _mus(scope)
            ]
            parts = [value[part] if isinstance(value, dict) else None for value in values]
            curves[name, noise] = np.array(parts, dtype=np.float64)
    return curves


def _claims(curves: Curves, mus: NDArray[np.int64]) -> list[Row]:
    names = list(dict.fromkeys(name for name, _ in curves))
    by_set = [np.array([curves[name, noise] for noise in _NEW]) for name in names]
    apart = max(float(np.ptp(scores, axis=0).max()) for scores in by_set)
    change = max(float(np.ptp(scores, axis=1).max()) for scores in by_set)
    later = max(float(np.ptp(scores[:, mus >= 3], axis=1).max()) for scores in by_set)
    return [
        _within_method(
            claim(
                "DISCO behaves very similarly for all kinds of noise",
                "yes",
                f"at most {apart:.3f} apart at any mu",
                holds=apart <= 0.05,
                note=f"Taken as 0.05 or less. {TEXTS['assumed']}",
            )
        ),
        _within_method(
            claim(
                "DISCO is very consistent from mu = 1 to 11",
                "yes",
                f"changes by {change:.3f} or less",
                holds=change <= 0.05,
                note=f"Taken as 0.05 or less. From mu = 3 on it changes by {later:.3f} or less. At "
                "mu = 1 the score of every noise point is 0, whatever its distribution; the paper "
                f"says so itself where it adds noise to other data. {TEXTS['assumed']}",
            )
        ),
    ]


def _within_method(row: Row) -> Row:
    """A claim that holds for a recipe which the paper leaves open in part."""
    return replace(row, verdict="within method") if row.verdict == "passes" else row


def _score_rows(curves: Curves, mus: NDArray[np.int64], table: str) -> list[Row]:
    return [
        Row(
            f"{name}, {noise}", f"mu = {mu}", None if np.isnan(score) else float(score), table=table
        )
        for (name, noise), curve in curves.items()
        for mu, score in zip(mus, curve, strict=True)
    ]


def _draw(curves: Curves, mus: NDArray[np.int64], axis: str) -> Drawing:
    names = list(dict.fromkeys(name for name, _ in curves))
    drawing = Drawing(figsize=(1.6 + 4.0 * len(names), 3.8), dpi=110, layout="constrained")
    for i, (ax, name) in enumerate(
        zip(drawing.subplots(1, len(names), squeeze=False)[0], names, strict=True)
    ):
        shown = {noise: curves[name, noise] for noise in (*_NEW, _OWN)}
        ax.axvline(5, color="#cc3311", linewidth=1, zorder=1)
        legend = "right" if i + 1 == len(names) else None
        score_curve(mus, shown, ax=ax, band=None, legend=legend)
        ax.set(xlabel="mu", title=name, ylim=(0.0, 1.0), xticks=mus)
    drawing.supylabel(axis, fontsize="medium")
    return drawing


_CUT = "A quick run looks at fewer values of mu and data sets: not judged."

EXPERIMENT = Experiment(INFOS[NAME], cells, report)
