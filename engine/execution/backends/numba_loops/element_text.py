"""The texts of nests and of reductions: functions of memory and numbers, of literal lengths.

Their names are given in order of use, so that two layers of a network that do the same have one text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.layouts import Layout, merged
from engine.execution.backends.numba_loops.nests import Nest
from engine.execution.backends.numpy_calls.text import OF_BOOLS, OF_FLOATS
from engine.execution.tracing.operands import type_of
from engine.execution.tracing.tracer import FLOAT64, Instruction, Lengths, NotLowered, Value

BOOL = np.dtype(bool)
UNROLLED = range(8, 48, 8)  # an inner loop of so many turns is written out by a compiler that knows it
OF_TRUTHS = OF_BOOLS | {np.logical_and: "{0} & {1}", np.logical_or: "{0} | {1}", np.logical_xor: "{0} != {1}"}
MOST_NUMBERS = {"rows": 16_384, "columns": 4_096}  # of the second matrix of a small product, as it stands
STARTS = {
    np.add: "0.0",
    np.multiply: "1.0",
    np.maximum: "-inf",
    np.minimum: "inf",
    np.logical_and: "True",
    np.logical_or: "False",
}  # of a reduction

Placed = Callable[[Layout], str]  # the text of the address at which an array starts


@dataclass(slots=True)
class Called:
    """A function and what it is called with: addresses and numbers, as they are named where it is called.

    opened: its lines that make arrays of addresses.
    """

    name: str
    text: str = ""
    arguments: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def array(self, address: str, dtype: np.dtype[Any]) -> str:
        """Its own name for the array that starts at an address."""
        new = address not in self.arguments
        name = self.taken(address)
        if new:
            self.opened.append(f"{name} = {'floats' if dtype == FLOAT64 else 'truths'}({name}p)")
        return name

    def taken(self, name: str) -> str:
        """Its own name for an argument."""
        if name not in self.arguments:
            self.arguments.append(name)
        return f"a{self.arguments.index(name)}"


def expression(step: Instruction, arguments: Sequence[str]) -> str:
    """The result of one step, of numbers: float64 or truth values."""
    kinds = [type_of(item) for item in step.arguments]
    if step.kind == "where":
        return "({1} if {0} else {2})".format(*arguments)
    if step.kind in ("copy", "fill"):
        return arguments[0]
    if step.kind == "cast":
        return (
            f"(1.0 if {arguments[0]} else 0.0)"
            if step.outputs[0].dtype == FLOAT64
            else f"({arguments[0]} != 0.0)"
        )
    table = OF_TRUTHS if all(kind in (BOOL, bool) for kind in kinds) else OF_FLOATS
    if table is OF_FLOATS and not all(kind in (FLOAT64, float, int) for kind in kinds):
        raise NotLowered("numbers and truth values together")
    if step.function in table:
        return table[step.function].format(*arguments)
    return f"np.{step.function.__name__}({', '.join(arguments)})"


def nest_text(
    nest: Nest,
    stored: set[int],
    layouts: dict[int, Layout],
    placed: Placed,
    name_of: Callable[[Any], str],
    length_named: Callable[[int], str],
) -> Called:
    """A function that takes the steps of a nest for each element.

    name_of: the name of a number where the function is called. length_named: that of a length which the
             compiler is not to know: of a short loop that it knows it writes out every turn, and then finds
             no vectors in what is left, which takes twice as long.
    """
    called = Called("nest")
    own = {step.outputs[0].number: f"v{n}" for n, step in enumerate(nest.steps)}
    read: dict[int, Layout] = {}
    dtypes = {step.outputs[0].number: step.outputs[0].dtype for step in nest.steps}
    for step in nest.steps:
        for item in step.arguments:
            if isinstance(item, Value) and item.number in layouts and item.number not in own:
                read[item.number], dtypes[item.number] = layouts[item.number], item.dtype
    kept = [step.outputs[0].number for step in nest.steps if step.outputs[0].number in stored]
    places = [*read.items(), *((number, layouts[number]) for number in kept)]
    lengths, strides = merged(nest.shape, [layout.stretched(nest.shape) for _, layout in places])
    elements = [
        f"{called.array(placed(layout), dtypes[number])}[{_index(steps)}]"
        for (number, layout), steps in zip(places, strides, strict=True)
    ]
    texts = dict(zip(read, elements, strict=False))

    def named(item: Any) -> str:
        if isinstance(item, Value) and item.number in own:
            return own[item.number]
        if isinstance(item, Value) and item.number in texts:
            return texts[item.number]
        return called.taken(name_of(item))

    body = [
        f"{own[step.outputs[0].number]} = {expression(step, list(map(named, step.arguments)))}"
        for step in nest.steps
    ]
    body += [
        f"{element} = {own[number]}" for number, element in zip(kept, elements[len(read) :], strict=True)
    ]
    bounds = list(map(str, lengths))
    if len(lengths) > 1 and lengths[-1] in UNROLLED:
        bounds[-1] = called.taken(length_named(lengths[-1]))
    called.text = _function(called, _looped(bounds, range(len(lengths)), body))
    return called


def reduction_text(step: Instruction, layouts: dict[int, Layout], placed: Placed) -> Called:
    """A function that combines elements along axes; one number is given back, an array put into memory."""
    (source,), output = step.arguments, step.outputs[0]
    layout, start = layouts[source.number], STARTS.get(step.function)
    if start is None or step.options["dtype"] != source.dtype:
        raise NotLowered("a reduction in another type")
    axes = step.options["axis"]
    if output.is_number:
        outward: Lengths = (0,) * len(layout.shape)
    else:
        left = iter(layouts[output.number].strides)
        keep = step.options["keepdims"]
        outward = tuple(_outward(left, n in axes, keep) for n in range(len(layout.shape)))
    lengths, (inner, outer) = merged(layout.shape, [layout.stretched(layout.shape), outward])
    reduced = [n for n in range(len(lengths)) if not outer[n]]
    kept = [n for n in range(len(lengths)) if outer[n]]
    called = Called("reduction")
    element = f"{called.array(placed(layout), source.dtype)}[{_index(inner)}]"
    text = (OF_TRUTHS if source.dtype == BOOL else OF_FLOATS)[step.function]
    if output.is_number:
        body = [f"s = {start}", *_looped(lengths, reduced, [f"s = {text.format('s', element)}"]), "return s"]
    else:
        result = f"{called.array(placed(layouts[output.number]), output.dtype)}[{_index(outer)}]"
        if reduced and reduced[-1] == len(lengths) - 1:
            one = [f"s = {start}", *_looped(lengths, reduced, [f"s = {text.format('s', element)}"])]
            body = _looped(lengths, kept, [*one, f"{result} = s"])
        else:
            body = _looped(lengths, kept, [f"{result} = {start}"])
            body += _looped(lengths, range(len(lengths)), [f"{result} = {text.format(result, element)}"])
    called.text = _function(called, body)
    return called


def product_text(step: Instruction, layouts: dict[int, Layout], placed: Placed) -> Called:
    """A function that multiplies two matrices, each in rows or in columns."""
    called = Called("product")
    left, right, result = found = [layouts[item.number] for item in (*step.arguments, step.outputs[0])]
    called.arguments += map(placed, found)
    order = {layout: "rows" if layout.in_rows else "columns" for layout in found}
    (rows, inner), columns = left.shape, right.shape[1]
    if result.in_rows and 1 < columns <= MOST_NUMBERS[order[right]] // inner:
        shape = f"{rows}, {inner}, {columns}, {order[left]!r}, {order[right]!r}"
        called.text = _function(called, [f"small_product(a0, a1, a2, {shape})"])
    else:
        called.text = _function(called, [f"np.dot({', '.join(map(_matrix_text, range(3), found))})"])
    return called


def _matrix_text(number: int, layout: Layout) -> str:
    rows, columns = layout.shape
    return (
        f"matrix(a{number}, {rows}, {columns})"
        if layout.in_rows
        else f"matrix(a{number}, {columns}, {rows}).T"
    )


def _outward(left: Any, reduced: bool, keep: bool) -> int:
    """The step in the result for one along an axis of what is reduced."""
    if reduced:
        if keep:
            next(left)
        return 0
    return int(next(left))


def _index(strides: Lengths) -> str:
    terms = [f"i{n} * {step}" if step != 1 else f"i{n}" for n, step in enumerate(strides) if step]
    return " + ".join(terms) or "0"


def _looped(lengths: Sequence[int | str], axes: Sequence[int], body: list[str]) -> list[str]:
    """Lines within loops over these axes. lengths: as numbers, or by name."""
    for axis in reversed(axes):
        body = [f"for i{axis} in range({lengths[axis]}):", *(f" {line}" for line in body)]
    return body


def _function(called: Called, body: list[str]) -> str:
    opened = {line.split(" ")[0] for line in called.opened}
    names = [f"a{n}" for n in range(len(called.arguments))]
    head = f"def {called.name}({', '.join(f'{n}p' if n in opened else n for n in names)}):"
    return "\n".join([head, *(f" {line}" for line in [*called.opened, *body])])
