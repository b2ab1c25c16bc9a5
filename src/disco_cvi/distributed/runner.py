"""Who runs tasks: the contract of a runner, and one that runs every task at once.

A task is a pure function of its arguments, so that a lost result can be computed again anywhere.
What it needs of other tasks it gets as futures, also inside lists and tuples one level deep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np


class Runner(Protocol):
    """Runs tasks, wherever that is."""

    n_workers: int

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the future of a call. Futures among the arguments become their results.

        The task is best run where its first argument lies, if that is a future.
        """

    def spread(self, function: Callable[..., Any], n_results: int, *arguments: Any) -> list[Any]:
        """Return one future for each of the `n_results` results in the tuple of one call."""

    def gather(self, futures: Iterable[Any]) -> list[Any]:
        """Return the results of futures, in their order."""

    def release(self, futures: Iterable[Any]) -> None:
        """Forget results that no further task needs."""

    def told(self, step: str, n_tasks: int) -> None:
        """Hear which step begins, and of how many tasks it is: words for a progress bar."""


class Done(NamedTuple):
    """The future of a task that has been run; `place`: the number of the worker that ran it."""

    value: Any
    place: int
    number: int


CLIENT = -1


@dataclass
class ImmediateRunner:
    """Runs every task when it is submitted, in this process, and counts.

    As if there were a worker for every block: a task runs where its first argument lies, and on a
    worker of its own if that is no future. A result moves to a worker once, however often it is
    used there.

    Attributes
    ----------
    tasks : dict
        How many tasks there were of each function.
    messages : list of (str, str, int)
        What moved between workers, or between a worker and the client: the step, the function whose
        arguments it was ("gather": what the client gathered), its bytes.
    steps : list of str
        What was told.
    """

    n_workers: int = 1
    tasks: dict[str, int] = field(default_factory=dict)
    messages: list[tuple[str, str, int]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    _places: int = 0
    _results: int = 0
    _sent: set[tuple[int, int]] = field(default_factory=set)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Done:
        """Call the function."""
        name = function.__name__
        self.tasks[name] = self.tasks.get(name, 0) + 1
        futures = [future for argument in arguments for future in _futures_in(argument)]
        first = arguments[0] if arguments else None
        place = first.place if isinstance(first, Done) else self._new_place()
        for future in futures:
            if future.place != place:
                self._move(future, place, name)
        plain = sum(bytes_of(argument) for argument in arguments)
        if plain:
            self.messages.append((self._step, name, plain))
        return self._done(function(*map(_resolve, arguments)), place)

    def spread(self, function: Callable[..., Any], n_results: int, *arguments: Any) -> list[Done]:
        """Call the function; each of its results lies where it was made."""
        values, place, _ = self.submit(function, *arguments)
        return [self._done(values[part], place) for part in range(n_results)]

    def gather(self, futures: Iterable[Done]) -> list[Any]:
        """Return what the calls returned."""
        listed = list(futures)
        for future in listed:
            self._move(future, CLIENT, "gather")
        return [future.value for future in listed]

    def release(self, futures: Iterable[Done]) -> None:
        """Nothing to do: what nobody refers to is gone."""

    def told(self, step: str, n_tasks: int) -> None:  # noqa: ARG002 - the contract of a runner
        """Remember the step."""
        self.steps.append(step)

    @property
    def _step(self) -> str:
        return self.steps[-1] if self.steps else ""

    def _new_place(self) -> int:
        self._places += 1
        return self._places

    def _done(self, value: object, place: int) -> Done:
        self._results += 1
        return Done(value, place, self._results)

    def _move(self, future: Done, place: int, name: str) -> None:
        known = (future.number, place)
        if known not in self._sent:
            self._sent.add(known)
            self.messages.append((self._step, name, bytes_of(future.value)))


def bytes_of(value: object) -> int:
    """Bytes of the arrays in a value; a future among its parts counts nothing."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, Done):
        return 0
    if isinstance(value, dict):
        return sum(map(bytes_of, value.values()))
    return sum(map(bytes_of, value)) if isinstance(value, list | tuple) else 0


def _futures_in(argument: object) -> Sequence[Done]:
    if isinstance(argument, Done):
        return [argument]
    if isinstance(argument, list | tuple):
        return [part for part in argument if isinstance(part, Done)]
    return []


def _resolve(argument: Any) -> Any:
    if isinstance(argument, Done):
        return argument.value
    if type(argument) in (list, tuple) and any(isinstance(part, Done) for part in argument):
        return type(argument)(part.value if isinstance(part, Done) else part for part in argument)
    return argument
