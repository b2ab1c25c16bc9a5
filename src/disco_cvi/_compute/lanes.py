"""Sums of squared differences along rows of coordinates, in vectors of four.

The compiler keeps the order of a sum, so it makes no vectors of one. The order here is four partial
sums, one for each coordinate of four, and what is left over goes to the first: that is one vector.
Each function is plain Python, which says what it computes; below stands how kernels compute the
same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from disco_cvi._compute.arrays import FloatArray

_LANES = 4
_DOUBLE, _NUMBER = ir.DoubleType(), ir.IntType(64)
_VECTOR = ir.VectorType(_DOUBLE, _LANES)
_NOTHING = ir.Constant(_VECTOR, [0.0] * _LANES)
_ARRAY, _INTEGER = types.Array, types.Integer


def sum_squares(points: FloatArray, i: int, j: int) -> float:
    """Squared distance of two rows."""
    return _sum([x - y for x, y in zip(points[i], points[j], strict=True)])


def sum_squares_to_box(
    points: FloatArray, lower: FloatArray, upper: FloatArray, node: int, i: int
) -> float:
    """Squared distance of row i to the box of a node."""
    sides = zip(points[i], lower[node], upper[node], strict=True)
    return _sum([max(low - x, x - high, 0.0) for x, low, high in sides])


def sum_squares_of_boxes(lower: FloatArray, upper: FloatArray, a: int, b: int) -> float:
    """Squared distance of the boxes of two nodes."""
    sides = zip(lower[a], upper[a], lower[b], upper[b], strict=True)
    return _sum([max(x - v, u - y, 0.0) for x, y, u, v in sides])


def _sum(differences: list[float]) -> float:
    parts = [0.0] * _LANES
    whole = len(differences) - len(differences) % _LANES
    for c, x in enumerate(differences):
        parts[c % _LANES if c < whole else 0] += x * x
    return (parts[0] + parts[1]) + (parts[2] + parts[3])


class _Row:
    """A row of an array, whose coordinates are read one by one or as vectors."""

    def __init__(self, builder: Any, array: Any, number: Any) -> None:
        self._builder = builder
        self.length = builder.extract_value(array.shape, 1)
        step = builder.extract_value(array.strides, 0)
        start = builder.ptrtoint(array.data, _NUMBER)
        self._start = builder.add(start, builder.mul(step, number))

    def read(self, place: Any, kind: Any) -> Any:
        byte = self._builder.add(self._start, self._builder.shl(place, _NUMBER(3)))
        return self._builder.load(self._builder.inttoptr(byte, kind.as_pointer()), align=8)


def _room(builder: Any, kind: Any) -> Any:
    return cgutils.alloca_once(builder, kind)  # type: ignore[no-untyped-call]


def _add_up(builder: Any, rows: list[_Row], differ: Callable[..., Any]) -> Any:
    """Add up the squares of what `differ` makes of the coordinates of rows."""

    def add_squares(begin: Any, stop: Any, step: int, total: Any, kind: Any) -> None:
        loop = cgutils.for_range_slice(builder, begin, stop, _NUMBER(step))
        with loop as (place, _):
            x = differ(builder, *(row.read(place, kind) for row in rows))
            builder.store(builder.fadd(builder.load(total), builder.fmul(x, x)), total)

    whole = builder.and_(rows[0].length, _NUMBER(-_LANES))
    parts = _room(builder, _VECTOR)
    builder.store(_NOTHING, parts)
    add_squares(_NUMBER(0), whole, _LANES, parts, _VECTOR)
    lanes = [builder.extract_element(builder.load(parts), _NUMBER(t)) for t in range(_LANES)]
    first = _room(builder, _DOUBLE)
    builder.store(lanes[0], first)
    add_squares(whole, rows[0].length, 1, first, _DOUBLE)
    even = builder.fadd(builder.load(first), lanes[1])
    return builder.fadd(even, builder.fadd(lanes[2], lanes[3]))


def _larger(builder: Any, x: Any, y: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", x, y), x, y)


def _gap(builder: Any, x: Any, y: Any) -> Any:
    nothing = _DOUBLE(0.0) if x.type == _DOUBLE else _NOTHING
    return _larger(builder, _larger(builder, x, y), nothing)


def _from_point(builder: Any, x: Any, y: Any) -> Any:
    return builder.fsub(x, y)


def _from_box(builder: Any, x: Any, low: Any, high: Any) -> Any:
    return _gap(builder, builder.fsub(low, x), builder.fsub(x, high))


def _between_boxes(builder: Any, low: Any, high: Any, other_low: Any, other_high: Any) -> Any:
    return _gap(builder, builder.fsub(low, other_high), builder.fsub(other_low, high))


def _compile(
    function: Callable[..., Any], differ: Callable[..., Any], *pairs: tuple[int, int]
) -> None:
    """Let kernels call a function; pairs of its arguments, array and number, are its rows."""
    arguments = signature(function)

    def find(*kinds: Any) -> Any:
        arrays = [kind for kind in kinds if isinstance(kind, _ARRAY)]
        # Others are not side by side in memory.
        return types.float64 if all(kind.layout == "C" for kind in arrays) else None

    find.__signature__ = arguments  # type: ignore[attr-defined]
    type_callable(function)(lambda _: find)
    are_arrays = {array for array, _ in pairs}
    n_arguments = len(arguments.parameters)
    kinds = [_ARRAY if place in are_arrays else _INTEGER for place in range(n_arguments)]

    @lower_builtin(function, *kinds)  # type: ignore[no-untyped-call, untyped-decorator]
    def lower(context: Any, builder: Any, given: Any, values: Any) -> Any:
        rows = []
        for place, number in pairs:
            array = context.make_array(given.args[place])(context, builder, values[place])
            wide = context.cast(builder, values[number], given.args[number], types.int64)
            rows.append(_Row(builder, array, wide))
        return _add_up(builder, rows, differ)


_compile(sum_squares, _from_point, (0, 1), (0, 2))
_compile(sum_squares_to_box, _from_box, (0, 4), (1, 3), (2, 3))
_compile(sum_squares_of_boxes, _between_boxes, (0, 2), (1, 2), (0, 3), (1, 3))
