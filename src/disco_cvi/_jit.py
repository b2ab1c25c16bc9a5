"""How numba is used here, decided once.

Kernels are compiled on first use and kept on disk. They release the GIL, so that plain threads run
them side by side, and they never use fast-math: it reorders sums, and scores must agree to the
last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core import event

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": False}

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function of arrays and numbers; kernels trust their input."""
    try:
        return cast(Function, njit(cache=True, **_OPTIONS)(function))
    except RuntimeError:
        # numba found no folder that it may write to: compile anew in each process instead.
        return cast(Function, njit(**_OPTIONS)(function))


def inline_kernel(function: Function) -> Function:
    """Compile a small function into each kernel that calls it.

    A call that passes arrays counts references to them; in the innermost loops of a search that
    doubled the time.
    """
    return cast(Function, njit(inline="always", **_OPTIONS)(function))


class _CompilationNotice(event.Listener):
    """Says once per process that a kernel is being compiled: the first call takes seconds."""

    said = False

    def on_start(self, happening: Any) -> None:
        compiled = getattr(happening.data.get("dispatcher"), "py_func", None)
        if self.said or not getattr(compiled, "__module__", "").startswith("disco_cvi"):
            return
        self.said = True
        print(
            "disco-cvi: compiling its kernels; this takes some seconds, once per installation.",
            file=sys.stderr,
        )

    def on_end(self, happening: Any) -> None:
        """Nothing to do; numba asks for the method."""


event.register("numba:compile", _CompilationNotice())  # type: ignore[no-untyped-call]
