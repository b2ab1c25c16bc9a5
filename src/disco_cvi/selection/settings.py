"""The parameters of a search become trusted."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from disco_cvi._input.kinds import is_real_number
from disco_cvi._input.options import check_count, check_jobs, check_min_points
from disco_cvi._output.words import describe
from disco_cvi.exceptions import InvalidInputError
from disco_cvi.indices.registry import available_indices
from disco_cvi.selection.criteria import Criterion, read_scoring

CALLER = "ClusteringSearch"
# The columns of results_ whatever the criteria are called; "disco" may be asked for as well.
_OWN_COLUMNS = (
    *("params", "score", "rank", "n_clusters", "noise_share", "largest_share", "adjusted_rand"),
    *("fit_time", "score_time", "error"),
)


class Settings(NamedTuple):
    """What the parameters of a search mean.

    `decisive` is the place of the criterion that decides; `error_score` is the score of a fit that
    fails, unless its error must be raised.
    """

    min_points: int
    criteria: tuple[Criterion, ...]
    decisive: int
    error_score: float
    must_raise: bool

    @property
    def criterion(self) -> Criterion:
        """The criterion that decides."""
        return self.criteria[self.decisive]

    @property
    def min_points_of_trees(self) -> set[int]:
        """The `min_points` of all trees that criteria need."""
        of_trees = [
            one for one in self.criteria if one.info is not None and one.info.needs == "tree"
        ]
        return {self.min_points, *(one.options["min_points"] for one in of_trees)}


def read_settings(search: Any, n_points: int) -> Settings:
    """Check the parameters of a search."""
    if search.n_iter is not None:
        check_count(search.n_iter, "n_iter", CALLER)
    check_jobs(search.n_jobs, CALLER)
    if not isinstance(search.verbose, bool | np.bool_):
        check_count(search.verbose, "verbose", CALLER, least=0)
    min_points = min(check_min_points(search.min_points, None, CALLER), n_points)
    criteria = read_scoring(search.scoring, min_points, CALLER)
    taken = [one.name for one in criteria if one.name in _OWN_COLUMNS]
    if taken and len(criteria) > 1:
        raise InvalidInputError(
            argument="scoring",
            caller=CALLER,
            rule="not have the name of a column of results_",
            got=repr(taken[0]),
        )
    return Settings(
        min_points,
        criteria,
        _decisive(search.refit, criteria),
        *_read_error_score(search.error_score),
    )


def _decisive(refit: object, criteria: tuple[Criterion, ...]) -> int:
    """Return the place of the criterion that decides: the first, or the one that `refit` names."""
    if isinstance(refit, bool | np.bool_):
        return 0
    names = [criterion.name for criterion in criteria]
    if isinstance(refit, str):
        if refit in names:
            return names.index(refit)
        info = available_indices().find(refit, "refit", CALLER)
        if info.name in names:
            return names.index(info.name)
    raise InvalidInputError(
        argument="refit",
        caller=CALLER,
        rule=f"be True, False, or a name out of scoring ({', '.join(names)})",
        got=describe(refit),
    )


def _read_error_score(error_score: object) -> tuple[float, bool]:
    """Return the score of a fit that fails, and whether its error is raised instead."""
    if isinstance(error_score, str) and error_score == "raise":
        return math.nan, True
    try:
        if isinstance(error_score, bool) or is_real_number(error_score):
            return float(error_score), False
    except OverflowError:  # an integer beyond all floats
        pass
    raise InvalidInputError(
        argument="error_score",
        caller=CALLER,
        rule="be 'raise' or a number",
        got=describe(error_score),
    )
