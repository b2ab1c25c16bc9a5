"""What numba's compiler need not do here: a quarter of what a first call takes.

To find out what ``a + b`` means, numba tries dozens of candidates, at every place anew: while our
kernels are compiled, its answers are remembered. And it makes machine code of every function, also
of those that only kernels call and that LLVM puts in their places: these get none of their own.
Neither changes an instruction of a kernel.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from numba import types
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.core.types import functions

# What stands here is numba's own, and has no types that hold for long.
_FUNCTION: Any = functions.BaseFunction


class InlineKernel(CPUDispatcher):
    """A function that kernels alone call: typed and lowered, but no machine code is made of it."""

    def __call__(self, *_: Any, **_by_name: Any) -> Any:
        """Refuse: without code that takes Python's objects, a call would end the process."""
        raise RuntimeError(f"{self.py_func.__name__} can be called by kernels only")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Take all integers as the widest: else it is compiled for each kind and each constant."""
        return super().get_call_template(tuple(map(_widened, args)), kws)

    def add_overload(self, cres: Any) -> None:
        """Offer what was compiled to kernels, which link it into their own code.

        Refuses what returns arrays: the caller would give back references never taken.
        """
        if "array" in str(cres.signature.return_type).lower():
            raise RuntimeError(f"{self.py_func.__name__} returns arrays: make it a kernel")
        library = cres.library
        library._optimize_final_module = _leave_to_the_kernel  # noqa: SLF001 - as below
        library._finalize_final_module = partial(_finish, library)  # noqa: SLF001
        target: Any = self.targetctx
        name = object()  # by which numba finds it; else that is the machine code
        target.insert_user_function(name, cres.fndesc, [library])
        self.overloads[tuple(cres.signature.args)] = cres._replace(entry_point=name)


def make_inline(compiled: Any) -> None:
    """Let a function be compiled for kernels alone."""
    compiled.__class__ = InlineKernel
    compiled._compiler._customize_flags = _stop_early  # noqa: SLF001 - numba offers no other way


def _stop_early(flags: Any) -> Any:
    flags.no_compile = True
    return flags


def _leave_to_the_kernel() -> None:
    """Optimize nothing: LLVM does so once more with the kernel that it is put into."""


def _finish(library: Any) -> None:
    library._finalize_dynamic_globals()  # noqa: SLF001 - as numba does, but for the machine code
    library._verify_declare_only_symbols()  # noqa: SLF001
    library._finalized = True  # noqa: SLF001


def _widened(kind: Any) -> Any:
    plain = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if plain in types.signed_domain else kind


class KnownAnswers:
    """What functions of numba return for which types; used from `begin` to `end`.

    Not always, for numba may be used by others in this process. Whoever compiles holds numba's
    lock, so there is one at a time.
    """

    def __init__(self) -> None:
        self._ask = _FUNCTION.get_call_type
        self._known: dict[Any, tuple[Any, Any]] = {}
        self._flags: Any = None
        self._shown_flags = ""

    def begin(self) -> None:
        """Let numba ask here first."""

        def answer(*question: Any) -> Any:
            return self._answer(*question)

        _FUNCTION.get_call_type = answer

    def end(self) -> None:
        """Let numba find everything by itself again."""
        _FUNCTION.get_call_type = self._ask

    def _answer(self, function: Any, context: Any, args: Any, kws: Any) -> Any:
        question = (function, context, tuple(args), tuple(kws.items()), self._options())
        if question not in self._known:
            signature = self._ask(function, context, args, kws)
            self._known[question] = signature, function.get_impl_key(signature)
            return signature
        signature, implementation = self._known[question]
        # The same types may have been asked with other options in between.
        function._impl_keys[signature.args] = implementation  # noqa: SLF001 - numba offers no other way
        return signature

    def _options(self) -> str:
        """What the function that is being compiled asks of the compiler."""
        flags = ConfigStack.top_or_none()  # type: ignore[no-untyped-call]
        if flags is not self._flags:
            self._flags, self._shown_flags = flags, repr(flags)
        return self._shown_flags
