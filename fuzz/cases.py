"""From a seed and a number to a call."""

from __future__ import annotations

import inspect
import reprlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import disco_cvi
from disco_cvi import available_indices
from disco_cvi.indices.index_info import options_of
from fuzz import subjects
from fuzz.commands import precompile_line, write_line
from fuzz.doors import PRECOMPILE, Target, public_objects, targets
from fuzz.draws import Draws
from fuzz.table import find_draw

# Seconds of work each: less often than the others.
SELDOM = {
    **dict.fromkeys(("report.write_report", "disco report"), 0.5),
    **dict.fromkeys(("distributed.density_tree", "distributed.disco_score"), 0.2),
    **dict.fromkeys(("distributed.explain", "distributed.pair_score", "disco demo"), 0.1),
    **dict.fromkeys(("available_indices", "datasets.three_rings"), 0.05),
    "plots.EpsCurveDisplay.from_suggestion": 0.3,
    PRECOMPILE: 0.1,
}
# What matters most: more often.
OFTEN = {"disco_score": 6, "disco_samples": 4, "pair_score": 3, "evaluate": 4, "compare": 3}
OFTEN |= {"explain": 3, "DensityTree": 6, "disco score": 6, "disco compare": 4, "disco explain": 3}
OPTION_NAMES = {name for info in available_indices() for name in options_of(info)}

_SHORT = reprlib.Repr()
_SHORT.maxlevel, _SHORT.maxlist, _SHORT.maxtuple, _SHORT.maxdict = 3, 4, 4, 4
_SHORT.maxstring, _SHORT.maxother = 60, 90


@dataclass
class Call:
    """A function and its arguments.

    Attributes
    ----------
    function : callable
        What is called.
    arguments : dict of str to object
        By name; a command has its words under "arguments".
    words : frozenset of str
        The names that an error may speak of.
    draws : Draws
        Where they came from.
    asked : list of str
        In which other ways the same was asked.
    """

    function: Callable[..., Any]
    arguments: dict[str, Any]
    words: frozenset[str]
    draws: Draws
    asked: list[str] = field(default_factory=list)

    def shown(self, name: str) -> str:
        """The call in short."""
        given = ", ".join(f"{key}={show(value)}" for key, value in self.arguments.items())
        return f"{name}({given})"


def show(value: object) -> str:
    """Return a value in short, in one line, whatever it is."""
    if isinstance(value, np.ndarray):
        head = f"array {value.shape} {value.dtype}"
        return f"<{head}: {_show(value.ravel()[:4].tolist())}>"
    return _show(value)


def _show(value: object) -> str:
    try:
        words = _SHORT.repr(value)
    except Exception as error:  # noqa: BLE001 - 10**5000 has no words, nor have some strange objects
        return f"<{type(value).__name__}: {type(error).__name__}>"
    return " ".join(words.encode("ascii", "backslashreplace").decode().split())[:300]


@dataclass(frozen=True)
class Case:
    """What is called, from a seed and a number alone."""

    seed: int
    number: int

    @cached_property
    def target(self) -> Target:
        """What is called."""
        everything = targets()
        weights = [SELDOM.get(name, OFTEN.get(name, 1)) for name in everything]
        place = np.searchsorted(np.cumsum(weights), self._random().random() * sum(weights))
        return list(everything.values())[int(place)]

    def _random(self) -> np.random.Generator:
        return np.random.default_rng([self.seed, self.number])

    def build(self, folder: Path) -> Call:
        """Draw the arguments; files that they need are written to the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        random = self._random()
        random.random()  # has chosen the target
        draws = Draws(random, folder)
        if self.target.is_command:
            is_disco = self.target.name != PRECOMPILE
            line = write_line(draws, self.target.command) if is_disco else precompile_line(draws)
            return Call(self.target.function, {"arguments": line}, frozenset(), draws)
        if self.target.is_estimator:
            return _estimator_call(self.target, draws)
        arguments = draw_arguments(self.target.name, self.target.parameters, draws)
        words = frozenset(self.target.parameters) | _more_words(self.target)
        return Call(_function(self.target, draws), arguments, words, draws)


def case(seed: int, number: int) -> Case:
    """Return a case.

    Parameters
    ----------
    seed : int
        The seed of a run.
    number : int
        The number of the case in it.

    Returns
    -------
    Case
    """
    return Case(seed, number)


def draw_arguments(
    target: str, parameters: dict[str, inspect.Parameter], draws: Draws
) -> dict[str, Any]:
    """Draw the arguments that are needed and some of the others; one or two of some are wild."""
    empty, several = inspect.Parameter.empty, inspect.Parameter.VAR_KEYWORD
    given = [
        name
        for name, each in parameters.items()
        if each.kind is not several and (each.default is empty or draws.chance(0.3))
    ]
    if ".from_" in target and "options" in parameters and draws.chance(0.3):
        given += ["min_points", "n_jobs"]
    wild: set[str] = set()
    if given and draws.chance(0.5):
        wild = {draws.one_of(given) for _ in range(draws.whole(1, 2))}
    # The metric says what points must be, and the points what else must be.
    for name in sorted(given, key=lambda name: (name != "metric", name != "X")):
        draw = find_draw(target, name)
        assert draw is not None, f"nobody has said what {name} of {target} may be"
        draws.known[name] = draw(draws, name in wild)
    return {name: draws.known[name] for name in given}


def _more_words(target: Target) -> frozenset[str]:
    """Names beside its own parameters that an error of a function may speak of."""
    words = set()
    # They hand options on to indices, which refuse them by their own names.
    if target.name in ("evaluate", "compare", "scorer"):
        words |= OPTION_NAMES
    # Whatever they do not know they hand on to `explain`.
    if any(each.kind is each.VAR_KEYWORD for each in target.parameters.values()):
        words |= set(inspect.signature(disco_cvi.explain).parameters) | {"kind"}
    return frozenset(words)


def _function(target: Target, draws: Draws) -> Callable[..., Any]:
    """Return what is called; a method's object is made first, as a part of the call."""
    if not target.owner:
        return target.function
    method = target.name.rpartition(".")[2]

    def function(**arguments: Any) -> Any:
        return getattr(subjects.SUBJECTS[target.owner](draws), method)(**arguments)

    return function


def _estimator_call(target: Target, draws: Draws) -> Call:
    """Make an estimator with some options, and call its method."""
    owner, _, method = target.name.rpartition(".")
    build = public_objects()[owner]
    parameters = dict(inspect.signature(build).parameters)
    made = draw_arguments(owner, parameters, draws)
    given = draw_arguments(target.name, target.parameters, draws)

    def function(**arguments: Any) -> Any:
        options = {name: arguments.pop(name) for name in made}
        if method == "set_params":
            needed = [name for name, each in parameters.items() if each.default is each.empty]
            estimator = build(**{name: options[name] for name in needed})
            return estimator.set_params(**options).get_params(deep=False)
        estimator = build(**options)
        if method == "predict":
            estimator.fit(**arguments)
        return getattr(estimator, method)(**arguments)

    words = frozenset({*parameters, *target.parameters})
    return Call(function, made | given, words, draws)
