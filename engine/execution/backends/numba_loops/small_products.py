"""Products of small matrices as vector instructions, for machine code on arrays.

A library's product is made for large matrices: it brings both into an order of its own before it multiplies,
and in a network that fits on a blackboard this takes longer than the product. Here a few rows of the result
stay in registers from their first number to their last.
Source: Goto & van de Geijn, Anatomy of High-Performance Matrix Multiplication, ACM TOMS 34 (2008), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

FLOAT, INDEX = ir.DoubleType(), ir.IntType(64)
LANES_AND_REGISTERS = {"avx512f": (8, 32), "avx": (4, 16), "neon": (2, 32)}  # of 64-bit numbers


@intrinsic(prefer_literal=True)
def small_product(
    context: Any, a: Any, b: Any, c: Any, rows: Any, inner: Any, columns: Any, left: Any, right: Any
) -> Any:
    """Multiply two matrices at addresses a and b into memory at c: (rows, inner) by (inner, columns).

    left, right: whether a matrix stands in "rows" or in "columns"; the result stands in rows.
    """
    shape = Shape(*(item.literal_value for item in (rows, inner, columns)))
    turned = [item.literal_value == "columns" for item in (left, right)]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        first, second, result = (builder.inttoptr(x, FLOAT.as_pointer()) for x in arguments[:3])
        steps = (1, shape.rows) if turned[0] else (shape.inner, 1)
        if turned[1]:
            second = _in_rows(builder, second, shape)
        writing = _Writing(builder, shape, first, steps, second, result)
        lanes, registers = lanes_and_registers()
        width = lanes * registers // 8
        whole, rest = divmod(shape.columns, width)
        with cgutils.for_range(builder, INDEX(whole)) as loop:
            writing.columns(builder.mul(loop.index, INDEX(width)), widths_of(width, lanes), registers)
        if rest:
            writing.columns(INDEX(shape.columns - rest), widths_of(rest, lanes), registers)
        return context.get_dummy_value()

    return types.void(a, b, c, rows, inner, columns, left, right), generate


@dataclass(frozen=True, slots=True)
class Shape:
    """Of a product of (rows, inner) by (inner, columns)."""

    rows: int
    inner: int
    columns: int


def lanes_and_registers() -> tuple[int, int]:
    """How many numbers a vector of this processor holds, and how many vectors it can hold at a time."""
    known = binding.get_host_cpu_features()
    return next((size for name, size in LANES_AND_REGISTERS.items() if known.get(name)), (2, 16))


def widths_of(columns: int, lanes: int) -> list[int]:
    """Vectors for so many columns: as long as the processor's, then halves, quarters and so on."""
    widths: list[int] = []
    while left := columns - sum(widths):
        widths.append(min(lanes, 1 << left.bit_length() - 1))
    return widths


@dataclass(frozen=True, slots=True)
class _Writing:
    """Writes the instructions. steps: from a row, and from a column, of `first` to the next."""

    builder: Any
    shape: Shape
    first: Any
    steps: tuple[int, int]
    second: Any
    result: Any

    def columns(self, begin: Any, widths: Sequence[int], registers: int) -> None:
        """Some columns of the result. Three quarters of the registers hold sums, the others factors."""
        count = registers * 3 // 4 // len(widths)
        blocks, left = divmod(self.shape.rows, count)
        with cgutils.for_range(self.builder, INDEX(blocks)) as loop:
            self._block(self.builder.mul(loop.index, INDEX(count)), count, begin, widths)
        if left:
            self._block(INDEX(self.shape.rows - left), left, begin, widths)

    def _block(self, begin: Any, count: int, column: Any, widths: Sequence[int]) -> None:
        """So many rows of these columns, each number from its first product to its last."""
        builder = self.builder
        rows = [builder.add(begin, INDEX(n)) for n in range(count)]
        sums = [[cgutils.alloca_once(builder, _vector(width)) for width in widths] for _ in rows]
        for held in sums:
            for place, width in zip(held, widths, strict=True):
                builder.store(ir.Constant(_vector(width), None), place)
        with cgutils.for_range(builder, INDEX(self.shape.inner)) as loop:
            places = self._vectors(self.second, loop.index, column, widths)
            parts = [builder.load(place, align=8) for place in places]
            for row, held in zip(rows, sums, strict=True):
                number = builder.load(_at(builder, self.first, (row, loop.index), self.steps))
                for part, place in zip(parts, held, strict=True):
                    builder.store(_added(builder, number, part, builder.load(place)), place)
        for row, held in zip(rows, sums, strict=True):
            for target, place in zip(self._vectors(self.result, row, column, widths), held, strict=True):
                builder.store(builder.load(place), target, align=8)

    def _vectors(self, matrix: Any, row: Any, column: Any, widths: Sequence[int]) -> list[Any]:
        """Where vectors of a row stand, from a column on, of a matrix as wide as the result."""
        start = _at(self.builder, matrix, (row, column), (self.shape.columns, 1))
        places = [self.builder.gep(start, [INDEX(n)]) for n in accumulate(widths, initial=0)]
        return [
            self.builder.bitcast(place, _vector(width).as_pointer())
            for place, width in zip(places, widths, strict=False)
        ]


def _vector(width: int) -> Any:
    return ir.VectorType(FLOAT, width)


def _at(builder: Any, matrix: Any, place: Sequence[Any], steps: Sequence[int]) -> Any:
    """The address of an element."""
    row, column = (builder.mul(n, INDEX(step)) for n, step in zip(place, steps, strict=True))
    return builder.gep(matrix, [builder.add(row, column)])


def _added(builder: Any, number: Any, part: Any, total: Any) -> Any:
    """number · part + total, rounded once where the processor can do that."""
    kind, nothing = part.type, ir.Constant(part.type, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.IntType(32)(0))
    everywhere = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None)
    spread = builder.shuffle_vector(first, nothing, everywhere)
    name = f"llvm.fmuladd.v{kind.count}f64"
    fused = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(fused, [spread, part, total])


def _in_rows(builder: Any, matrix: Any, shape: Shape) -> Any:
    """A copy of the second matrix, which stands in columns."""
    copy = cgutils.alloca_once(builder, FLOAT, size=INDEX(shape.inner * shape.columns))
    with (
        cgutils.for_range(builder, INDEX(shape.columns)) as column,
        cgutils.for_range(builder, INDEX(shape.inner)) as row,
    ):
        place = row.index, column.index
        value = builder.load(_at(builder, matrix, place, (1, shape.inner)))
        builder.store(value, _at(builder, copy, place, (shape.columns, 1)))
    return copy
