"""What decides between labelings: an index of the registry, or a function of the user."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from disco_cvi._input.clustering import Clustering
from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidInputError, InvalidTypeError
from disco_cvi.indices.index_info import IndexInfo, IndexTable, options_of
from disco_cvi.indices.registry import available_indices
from disco_cvi.results.evaluation import evaluate_in
from disco_cvi.results.parameters import check_parameters

# What `scoring` may be: a name, a function, or several of these.
Scoring = str | Callable[..., float] | list[Any] | tuple[Any, ...]


@dataclass(frozen=True)
class Criterion:
    """One number for a labeling, and its direction.

    Attributes
    ----------
    name : str
        Name of the index, or of the function.
    info : IndexInfo, or None
        The index; None: the user's function, for which greater is better.
    function : callable, or None
        The user's function of points and labels.
    options : dict
        Options of the index.
    """

    name: str
    info: IndexInfo | None = None
    function: Callable[..., float] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sign(self) -> float:
        """1 if greater is better, -1 if lower is."""
        return 1.0 if self.info is None or self.info.greater_is_better else -1.0

    def judge(self, clustering: Clustering, *, must_raise: bool) -> tuple[float, str | None]:
        """Return the value, or NaN and the reason why there is none.

        What a user's function raises is a reason too, unless it must be raised.
        """
        if self.info is not None:
            own = {self.info.name: self.options}
            (found,) = evaluate_in(clustering, IndexTable((self.info,)), own, None).values
            return math.nan if found.value is None else found.value, found.reason
        assert self.function is not None
        try:
            labels = clustering.labels.codes.astype(np.intp)
            value = float(self.function(clustering.array.copy(), labels))
        except Exception as error:
            if must_raise:
                raise
            return math.nan, f"{self.name}: {in_words(error)}"
        return value, f"{self.name} returned NaN." if math.isnan(value) else None


class HasCriterion:
    """An index with options of its own, as `scorer` makes it.

    Attributes
    ----------
    criterion : Criterion
        The index.
    of_points : list of str
        Options that say how points and labels are read.
    """

    criterion: Criterion
    of_points: list[str]


def in_words(error: Exception) -> str:
    """Return the kind of an error and what it says."""
    return f"{type(error).__name__}: {error}"


def index_criterion(
    name: object, options: Mapping[str, Any], argument: str, caller: str
) -> Criterion:
    """Return the criterion of an index by its name; its options are checked."""
    info = available_indices().find(name, argument, caller)
    table = IndexTable((info,))
    own = check_parameters({info.name: options}, None, table, caller)[info.name]
    return Criterion(info.name, info, options=own)


def read_scoring(scoring: object, min_points: int, caller: str) -> tuple[Criterion, ...]:
    """Return the criteria that a user names; all indices that have it get `min_points`."""
    several = scoring if isinstance(scoring, list | tuple) else [scoring]
    criteria = tuple(_read_one(one, min_points, caller) for one in several)
    names = [criterion.name for criterion in criteria]
    if not names or len(set(names)) < len(names):
        raise InvalidInputError(
            argument="scoring",
            caller=caller,
            rule="name one index or more, each once",
            got=describe(scoring),
        )
    return criteria


def _read_one(one: object, min_points: int, caller: str) -> Criterion:
    if isinstance(one, HasCriterion):
        if one.of_points:
            raise InvalidInputError(
                argument="scoring",
                caller=caller,
                rule=f"leave {one.of_points[0]} to {caller}, as all indices share it",
                got=repr(one),
            )
        return _with_min_points(one.criterion, min_points)
    if callable(one):
        info = _info_of(one)
        if info is None:
            return Criterion(getattr(one, "__name__", type(one).__name__), function=one)
        one = info.name
    if not isinstance(one, str):
        raise InvalidTypeError(
            argument="scoring",
            caller=caller,
            rule="be the name of an index, a function of points and labels, or a list of these",
            got=describe(one),
        )
    return _with_min_points(index_criterion(one, {}, "scoring", caller), min_points)


def _with_min_points(criterion: Criterion, min_points: int) -> Criterion:
    """Give an index that has it `min_points`, unless it was told its own."""
    if criterion.info is None or "min_points" not in options_of(criterion.info):
        return criterion
    return replace(criterion, options={"min_points": min_points, **criterion.options})


def _info_of(function: Callable[..., object]) -> IndexInfo | None:
    """Return the index that a function of ours computes, so that its direction is known."""
    name = getattr(function, "__name__", None)
    for info in available_indices():
        if name == info.function_name and function is info.function:
            return info
    return None
