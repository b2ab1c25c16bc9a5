"""How numba is used here, decided once.

Kernels are compiled on first use and kept on disk. They release the GIL, so that plain threads run
them side by side, and they never use fast-math: it reorders sums, and scores must agree to the
last bit.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import config, event
from numba.core.registry import CPUDispatcher

from disco_cvi._compute.compiler import KnownAnswers, make_inline
from disco_cvi._compute.source_files import files_behind

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": False,
    # Nobody calls a kernel from C.
    "no_cfunc_wrapper": True,
}
# Counting references is said for each, because numba hands it down from the kernel that calls.
_KERNEL: dict[str, Any] = {"_nrt": True, **_OPTIONS}
_INLINE: dict[str, Any] = {
    "_nrt": False,
    "forceinline": True,
    "no_cpython_wrapper": True,
    **_OPTIONS,
}

_ROOM = 32 << 20  # bytes, for all kernels together, which take about 20 MB

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function of arrays and numbers; kernels trust their input."""
    compiled = njit(**_KERNEL)(function)
    # Without the compiler there is nothing to keep; without a folder to write to, kernels are
    # compiled anew in each process.
    with contextlib.suppress(AttributeError, RuntimeError), _kept_by_environment():
        compiled.enable_caching()
        _make_careful(compiled._cache, _stamp(function))  # noqa: SLF001 - numba offers no other way
    return cast(Function, compiled)


@contextlib.contextmanager
def _kept_by_environment() -> Iterator[None]:
    """Let the environment alone say where kernels are kept.

    numba also asks `.numba_config.yaml` in the working folder, which may have come with the data,
    and reads what is kept there as pickles.
    """
    names = [name for name in ("CACHE_DIR", "CACHE_LOCATOR_CLASSES") if hasattr(config, name)]
    asked = {name: getattr(config, name) for name in names}
    try:
        for name in names:
            setattr(config, name, os.environ.get(f"NUMBA_{name}", ""))
        yield
    finally:
        for name, value in asked.items():
            setattr(config, name, value)


def _make_careful(cache: Any, stamp: tuple[tuple[str, str], ...]) -> None:
    """Let a cache that cannot be read or written cost time and nothing else.

    And let it notice changes in any file that the kernel may come from: numba looks at its own
    file only, but kernels call each other across files.
    """
    load, save = cache.load_overload, cache.save_overload
    cache._cache_file._source_stamp = stamp  # noqa: SLF001 - as above

    def careful_load(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # noqa: BLE001 - whatever a damaged file makes numba raise
            with contextlib.suppress(OSError):
                cache.flush()
            return None

    def careful_save(*arguments: Any) -> None:
        with contextlib.suppress(OSError):
            save(*arguments)

    cache.load_overload, cache.save_overload = careful_load, careful_save


def _stamp(function: Callable[..., Any]) -> tuple[tuple[str, str], ...]:
    """Names and digests of all files that a kernel may come from.

    Not their times: layers of a container image keep these by the second only.
    """
    files = files_behind(Path(function.__code__.co_filename))
    return tuple((str(path), _digest(path)) for path in files)


@functools.cache
def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def kept_in(compiled: Callable[..., Any]) -> Path | None:
    """Return the folder in which a kernel is kept, None if there is none that can be written."""
    folder = getattr(getattr(compiled, "_cache", None), "cache_path", None)
    return None if folder is None else Path(folder)


def inline_kernel(function: Function) -> Function:
    """Compile a function that kernels call, and nobody else, and that makes and returns no arrays.

    A call that passes arrays counts references to them; in the innermost loops of a search that
    doubled the time. So references are not counted here, and LLVM puts the code where it is
    called. (numba's own `inline` copies the source instead, which is then compiled at each place:
    half as long again.)
    """
    compiled = njit(**_INLINE)(function)
    if isinstance(compiled, CPUDispatcher):
        make_inline(compiled)
    return cast(Function, compiled)


class _Compilation(event.Listener):
    """What happens around each compilation, one at a time: numba holds a lock.

    The first in a process says that it takes seconds. Garbage is not collected meanwhile: the
    collector would look again and again at all that the compiler knows, a fifth of the time.
    """

    said = False
    depth = 0
    collects = False
    answers = KnownAnswers()

    def on_start(self, happening: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.collects = gc.isenabled()
            gc.disable()
        dispatcher = happening.data.get("dispatcher")
        compiled = getattr(dispatcher, "py_func", None)
        if not getattr(compiled, "__module__", "").startswith("disco_cvi"):
            return
        if self.depth == 1:
            self.answers.begin()
        if not self.said:
            self.said = True
            self._say(dispatcher)

    @staticmethod
    def _say(dispatcher: Any) -> None:
        folder = kept_in(dispatcher)
        kept = "and they are kept"
        if folder is None or not os.access(folder, os.W_OK):
            kept = (
                "each time anew: there is no folder to keep them in that can be written to; let "
                "NUMBA_CACHE_DIR name one"
            )
        elif shutil.disk_usage(folder).free < _ROOM:
            kept = (
                f"each time anew where there is no room: the disk of {str(folder)!r} is almost "
                "full; let NUMBA_CACHE_DIR name a folder on another"
            )
        if sys.stderr is not None:  # closed: `print` would take the output in its place
            said = f"disco-cvi: compiling its kernels; this takes some seconds, {kept}."
            print(said, file=sys.stderr)

    def on_end(self, happening: Any) -> None:  # noqa: ARG002 - numba says what has happened
        self.depth -= 1
        if self.depth > 0:
            return
        self.answers.end()
        if self.collects:
            gc.enable()


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]
