"""Results that are computed once and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

Owner = TypeVar("Owner", bound="Cache")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False, kw_only=True)
class Cache:
    """An object that keeps what was computed of it."""

    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False, init=False)

    def once(
        self,
        function: Callable[Concatenate[Self, Arguments], Result],
        *arguments: Arguments.args,
        **_none: Arguments.kwargs,
    ) -> Result:
        """Return ``function(self, *arguments)``, computed once and kept under these."""
        key = (function, arguments)
        if key not in self._kept:
            self._kept[key] = function(self, *arguments, **_none)
        return cast("Result", self._kept[key])
