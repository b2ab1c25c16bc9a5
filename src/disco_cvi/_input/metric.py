"""The metrics there are, and the parameters that they take."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from disco_cvi._compute.arrays import FloatArray
from disco_cvi._input.arrays import as_array, as_real, is_real_number, wrong_type, wrong_value
from disco_cvi._output.words import describe, did_you_mean, shorten
from disco_cvi.exceptions import ArgumentError, InvalidInputError, InvalidTypeError

MetricName = str | Callable[..., float]

# Points have no missing values, so that "nan_euclidean" is the Euclidean distance.
_EUCLIDEAN = ("euclidean", "l2", "nan_euclidean", "sqeuclidean", "cosine", "haversine")
BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
# Multiplying the points by a number multiplies these distances by it, or leaves them as they are.
PROPORTIONAL = ("chebyshev", "cityblock", "l1", "manhattan", "minkowski")
SCALE_FREE = ("braycurtis", "canberra", "correlation")
# These estimate a scale from the points unless it is given; then they are free of scale too.
ESTIMATED = {"seuclidean": "V", "mahalanobis": "VI"}
_OTHER = ("hamming",)
_PARAMETERS = {
    "minkowski": ("p", "w"),
    "seuclidean": ("V",),
    "mahalanobis": ("VI",),
    "hamming": ("w",),
    **dict.fromkeys((*BOOLEAN, *SCALE_FREE, "chebyshev"), ("w",)),
}
METRIC_NAMES = tuple(
    sorted((*_EUCLIDEAN, *BOOLEAN, *PROPORTIONAL, *SCALE_FREE, *ESTIMATED, *_OTHER, "precomputed"))
)


class Metric(NamedTuple):
    """A metric by name or as a function, and its parameters."""

    name: MetricName
    params: dict[str, Any]

    @property
    def is_euclidean(self) -> bool:
        """Whether pairs are ordered as by the Euclidean distance.

        That of unit rows for cosine, that of places on the unit sphere for haversine.
        """
        return isinstance(self.name, str) and self.name in _EUCLIDEAN

    @property
    def is_plain(self) -> bool:
        """Whether it is the Euclidean distance itself."""
        return self.is_euclidean and self.name not in ("sqeuclidean", "cosine", "haversine")

    @property
    def shown(self) -> str:
        """The metric as messages show it."""
        name = self.name
        return repr(name) if isinstance(name, str) else str(getattr(name, "__name__", name))


def check_metric(metric: object, metric_params: object, caller: str) -> Metric:
    """Return the metric, with a dict of parameters."""
    if metric_params is not None and not isinstance(metric_params, dict):
        rule = "be a dict of the metric's parameters or None"
        raise wrong_type("metric_params", caller, rule, describe(metric_params))
    params = dict(metric_params or {})
    if callable(metric):
        return Metric(metric, params)
    if not isinstance(metric, str):
        raise wrong_type("metric", caller, "be a name or a function", describe(metric))
    if metric not in METRIC_NAMES:
        rule = f"be a function or one of {', '.join(METRIC_NAMES)}"
        remedy = did_you_mean(metric, METRIC_NAMES)
        raise wrong_value("metric", caller, rule, shorten(metric), remedy)
    allowed = _PARAMETERS.get(metric, ())
    if not params.keys() <= set(allowed):
        named = f"{' and '.join(allowed)} only" if allowed else "nothing"
        rule = f"hold {named} for the metric {metric!r}"
        raise wrong_value("metric_params", caller, rule, shorten(params))
    return Metric(metric, params)


def check_parameters(params: dict[str, Any], dimension: int, caller: str) -> dict[str, Any]:
    """Return the parameters of a metric that has a name, for points of so many columns.

    SciPy reads arrays of them unchecked, beyond their end if they are too short.
    """
    checked = dict(params)
    if "p" in params:
        checked["p"] = _check_power(params["p"], caller)
    shapes = {"V": (dimension,), "w": (dimension,), "VI": (dimension, dimension)}
    for name, shape in shapes.items():
        if name in params:
            checked[name] = _check_values(params[name], name, shape, caller)
    return checked


def _check_power(p: object, caller: str) -> float:
    """Return the p of 'minkowski'; infinity is one."""
    rule = "p must be a number above 0"
    if not is_real_number(p):
        raise _parameter_error(InvalidTypeError, rule, describe(p), caller)
    try:
        power = float(p)
    except OverflowError:  # an integer or a fraction
        power, rule = math.nan, f"{rule} that a float can hold, or infinity"
    if not power > 0:
        raise _parameter_error(InvalidInputError, rule, shorten(p), caller)
    return power


def _check_values(value: object, name: str, shape: tuple[int, ...], caller: str) -> FloatArray:
    """Return an array of parameters; weights and variances are not negative."""
    sign = " of 0 or more" if name in ("V", "w") else ""
    rule = f"{name} must be an array of finite numbers{sign}, of shape {shape}"
    try:
        given = as_array(value, "metric_params", caller)
        values = np.ascontiguousarray(as_real(value, given, "metric_params", caller), np.float64)
    except InvalidTypeError:
        raise _parameter_error(InvalidTypeError, rule, shorten(value), caller) from None
    except InvalidInputError:  # rows that differ in length, integers beyond all floats
        raise _parameter_error(InvalidInputError, rule, shorten(value), caller) from None
    is_right = values.shape == shape and bool(np.isfinite(values).all())
    if not is_right or (sign and bool((values < 0).any())):
        raise _parameter_error(InvalidInputError, rule, shorten(value), caller)
    return values


def _parameter_error(kind: type[ArgumentError], rule: str, got: str, caller: str) -> ArgumentError:
    problem = f": {rule}; got {got}"
    return kind(argument="metric_params", caller=caller, problem=problem)
