"""Measures of points with far more features than points, after turning the axes.

So many points span fewer dimensions than there are of them. Turned into these, they keep all their
distances, up to rounding; what depends on distances alone is then computed in a fraction of the
time. Labels are still those of the points as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from disco_cvi._neighbors.nearest_points import nearest_points
from disco_paper.cells.cell import Option, Spec, Value, spec
from disco_paper.cells.measures import measure
from disco_paper.cells.source import Case, Source

_NAME = "with turned axes"
# S_Dbw looks at single features, and so is not among them.
_TURNABLE = (
    *("disco", "dcsi", "mmj_sc", "lccv", "viasckde", "cvdd", "cvnn", "silhouette"),
    *("cdbw", "dbcv"),
)
# Fewer features per point than this are not worth the turning.
_MANY_FEATURES = 4
# A half to this power is 0 in double precision.
_VANISHING_POWER = 1100


def name_turned(index: Spec) -> Spec:
    """The name of an index that is measured with the axes turned.

    >>> print(name_turned(spec("dcsi", variant="published")))
    with turned axes (index=dcsi, variant=published)
    """
    return spec(_NAME, index=index.name, **dict(index.options))


def _measure_turned(case: Case, *, index: str, **options: Option) -> Value:
    """An index of the turned points, where turning is worth it and changes nothing."""
    name, asked = index, spec(index, **options)
    n_points, n_features = case.source.points.shape
    if name not in _TURNABLE or n_features < _MANY_FEATURES * n_points:
        return measure(asked, case)
    points = case.source.once(_turn)
    if name == "cdbw" and options.get("variant") == "published":
        asked = spec(name, n_features=n_features, **options)
    elif name == "dbcv" and not (bool(options) and points.once(_vanish)):
        return measure(asked, case)
    return measure(asked, Case(points, case.labels))


def _turn(source: Source) -> Source:
    centered = source.points - source.points.mean(axis=0)
    # The columns of R are the points by the axes that are the columns of Q, which nobody needs.
    by_axes = np.asarray(np.linalg.qr(centered.T, mode="r"))
    return Source(source.data, np.ascontiguousarray(by_axes.T), source.truth)


def _vanish(turned: Source) -> bool:
    """Whether the published DBCV is the same for any number of features.

    It raises distances to the power of that number; where all these powers vanish, one number is
    as good as another. The original takes the number into account in earnest.
    """
    nearest = nearest_points(turned.checked, 1).in_units().min()
    return bool(turned.points.shape[1] >= _VANISHING_POWER and nearest**2 > 2)


MEASURES: dict[str, Callable[..., Value]] = {_NAME: _measure_turned}
