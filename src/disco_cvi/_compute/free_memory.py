"""How much memory this process may still take, and an error where work certainly needs more.

Asked before the work: a system that has no memory left ends a process without a word.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

from disco_cvi._output.words import megabytes
from disco_cvi.exceptions import NotEnoughMemoryError

# "unlimited": nothing is refused beforehand.
VARIABLE = "DISCO_MEMORY"
# Less than this is not worth a look at the system's files, which takes a millisecond or two; a
# limit of the process is known at once.
_SMALL = 50_000_000
_FILES = Path("/")
_FEWER_ROWS = "Take a random sample of the rows, or n_jobs=1, which needs least."

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def free_bytes() -> int | None:
    """Return what is free: of the machine, of its swap, of the group and of the process.

    None where the system does not say.
    """
    found = [_machine(), _group_version_2(), _group_version_1(), _process()]
    return min((free for free in found if free is not None), default=None)


def refuse_beyond_free(needed: float, *, argument: str, caller: str, remedy: str) -> None:
    """Raise if work needs more than is free; asked before it begins."""
    free = None
    if needed and os.environ.get(VARIABLE) != "unlimited":
        free = free_bytes() if needed >= _SMALL else _process()
    if free is not None and needed > free:
        raise NotEnoughMemoryError(
            argument=argument,
            caller=caller,
            problem=f"needs about {megabytes(needed)} of memory beside itself; {megabytes(free)} "
            "is free",
            remedy=f"{remedy} {VARIABLE}=unlimited in the environment tries it nevertheless.",
        )


@contextmanager
def enough_memory(needed: float, *, argument: str, caller: str, remedy: str) -> Iterator[None]:
    """Raise before the block if it needs more than is free, and in our words if it runs out."""
    refuse_beyond_free(needed, argument=argument, caller=caller, remedy=remedy)
    try:
        yield
    except NotEnoughMemoryError:
        raise
    except MemoryError as error:
        raise _ran_out(error, argument=argument, caller=caller, remedy=remedy) from error


def tell_memory(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let a public function of points say in our words that memory ran out, wherever it did."""
    if next(iter(inspect.signature(function).parameters), None) != "X":
        return function

    @functools.wraps(function)
    def told(*arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        try:
            return function(*arguments, **options)
        except NotEnoughMemoryError:
            raise
        except MemoryError as error:
            raise _ran_out(
                error, argument="X", caller=function.__name__, remedy=_FEWER_ROWS
            ) from error

    return told


def _ran_out(
    error: MemoryError, *, argument: str, caller: str, remedy: str
) -> NotEnoughMemoryError:
    """Say what was asked for in vain, and what is free."""
    asked, free = getattr(error, "_total_size", 0), free_bytes()  # NumPy says how much
    problem = "needs more memory than there is"
    if asked:
        problem += f": {megabytes(asked)} more at once"
    if free is not None and (free < asked or not asked):  # else some was given back meanwhile
        problem += f"; {megabytes(free)} is free"
    return NotEnoughMemoryError(argument=argument, caller=caller, problem=problem, remedy=remedy)


def _machine() -> int | None:
    """What Linux can give without taking it from anybody, and the swap."""
    facts = {}
    with suppress(OSError, ValueError):
        for line in (_FILES / "proc/meminfo").read_text().splitlines():
            name, _, amount = line.partition(":")
            facts[name] = int(amount.split()[0]) * 1024
    if "MemAvailable" not in facts:
        return None
    return facts["MemAvailable"] + facts.get("SwapFree", 0)


def _group_version_2() -> int | None:
    """What is left to the control group of this process, or to one that it is in."""
    path = _group_of("")
    if path is None:
        return None
    found = []
    for folder in (path, *path.parents):
        limit, used = _number(folder / "memory.max"), _number(folder / "memory.current")
        if limit is not None and used is not None:
            found.append(limit - used + _cached(folder / "memory.stat", "inactive_file"))
    return min(found, default=None)


def _group_version_1() -> int | None:
    path = _group_of("memory")
    if path is None or not path.exists():  # a container sees its own group at the root
        path = _FILES / "sys/fs/cgroup/memory"
    limit = _number(path / "memory.limit_in_bytes")
    used = _number(path / "memory.usage_in_bytes")
    if limit is None or used is None:
        return None
    return limit - used + _cached(path / "memory.stat", "total_inactive_file")


def _process() -> int | None:
    """What `ulimit -v` leaves."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    with suppress(OSError, ValueError):
        pages = int((_FILES / "proc/self/statm").read_text().split()[0])
        return max(0, limit - pages * resource.getpagesize()) + _held_by_allocator()
    return None


def _held_by_allocator() -> int:
    """Bytes that were given back, but only to glibc, which holds up to 64 MB for whoever is next.

    0 where the system's library does not say.
    """
    import ctypes

    class Facts(ctypes.Structure):
        # Ten sizes, of which the ninth is what is free.
        _fields_ = (("before", ctypes.c_size_t * 8), ("free", ctypes.c_size_t * 2))

    with suppress(OSError, AttributeError, TypeError):
        ask = ctypes.CDLL(None).mallinfo2
        ask.restype = Facts
        return int(ask().free[0])
    return 0


def _group_of(controller: str) -> Path | None:
    """Return the folder of the control group of this process; version 2 has no controllers."""
    with suppress(OSError):
        for line in (_FILES / "proc/self/cgroup").read_text().splitlines():
            _, controllers, name = line.split(":", 2)
            if controller in controllers.split(","):
                return _FILES / "sys/fs/cgroup" / controller / name.lstrip("/")
    return None


def _number(path: Path) -> int | None:
    with suppress(OSError, ValueError):  # "max" is no limit
        return int(path.read_text())
    return None


def _cached(path: Path, name: str) -> int:
    """Bytes of files that the system keeps in memory as long as nobody needs it."""
    with suppress(OSError, ValueError):
        for line in path.read_text().splitlines():
            word, _, amount = line.partition(" ")
            if word == name:
                return int(amount)
    return 0
