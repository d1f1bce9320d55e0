"""The texts of what machine code calls: a loop over elements for several steps, a reduction, a product.

Each is a function of addresses and numbers; with arrays for arguments a compiler took four times as long.
Names are given in order of use, so that two layers of a network that do the same have one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.places import ELEMENTWISE, Place
from engine.execution.backends.numpy_calls.text import OF_BOOLS, OF_FLOATS
from engine.execution.tracing.operands import type_of
from engine.execution.tracing.tracer import BOOL, FLOAT64, Instruction, Lengths, NotLowered, Tracer

UNROLLED = range(8, 48, 8)  # an inner loop of so many turns is written out by a compiler that knows it
OF_TRUTHS = OF_BOOLS | {np.logical_and: "{0} & {1}", np.logical_or: "{0} | {1}", np.logical_xor: "{0} != {1}"}
STARTS = {
    np.add: "0.0",
    np.multiply: "1.0",
    np.maximum: "-inf",
    np.minimum: "inf",
    np.logical_and: "True",
    np.logical_or: "False",
}  # of a reduction


# -- which steps share a loop -----------------------------------------------------------------------------


@dataclass(slots=True)
class Nest:
    """Steps that one nest of loops takes for each element."""

    shape: Lengths
    steps: list[Instruction]


Item = Nest | Instruction


def in_nests(steps: Sequence[Instruction], places: Mapping[int, Place]) -> list[Item]:
    """The steps, with neighbours that work element by element on one shape put together.

    A nest ends with the next product of matrices. What else comes before that stands behind the nest if it
    needs something from it, and in front of it if not.
    """
    found: list[Item] = []
    nest, at = Nest((), []), 0
    inside: set[int] = set()  # what the nest computes
    behind: set[int] = set()  # what comes of that behind it
    for step in steps:
        output = step.outputs[0]
        numbers = {item.number for item in step.arguments if isinstance(item, Tracer)}
        viewed = {places[n].source for n in numbers if n in places and places[n].source != n}
        needs = numbers | viewed
        if step.kind in ELEMENTWISE and not output.is_number:
            if nest.steps and nest.shape == output.core and not needs & behind and not viewed & inside:
                nest.steps.append(step)
            else:
                nest, at, inside, behind = Nest(output.core, [step]), len(found), set(), set()
                found.append(nest)
            inside.add(output.number)
        elif step.kind != "matmul" and nest.steps and not needs & (inside | behind):
            found.insert(at, step)
            at += 1
        else:
            found.append(step)
            behind.add(output.number)
            if step.kind == "matmul":
                nest = Nest((), [])
    return found


def steps_of(item: Item) -> Sequence[Instruction]:
    """The instructions of a nest, or the one that stands alone."""
    return item.steps if isinstance(item, Nest) else [item]


def read_by(item: Item) -> Iterator[Tracer]:
    """What an item takes from outside of it."""
    own = {step.outputs[0].number for step in steps_of(item)}
    for step in steps_of(item):
        for argument in step.arguments:
            if isinstance(argument, Tracer) and argument.number not in own:
                yield argument


# -- their texts ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Called:
    """A function and what it is called with: addresses and numbers, as they are named where it is called.

    opened: its lines that make arrays of addresses.
    """

    name: str
    text: str = ""
    arguments: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    def taken(self, name: str) -> str:
        """Its own name for an argument."""
        if name not in self.arguments:
            self.arguments.append(name)
        return f"a{self.arguments.index(name)}"

    def array(self, address: str) -> str:
        """Its own name for the numbers from an address on."""
        opens = f"= floats({self.taken(address)})"
        found = next((line for line in self.opened if line.endswith(opens)), None)
        if found is None:
            found = f"n{len(self.opened)} {opens}"
            self.opened.append(found)
        return found.split(" ")[0]

    def matrix(self, address: str, place: Place) -> str:
        """A matrix, as BLAS takes it."""
        rows, columns = place.view.shape
        if place.is_contiguous:
            return f"matrix({self.taken(address)}, {rows}, {columns})"
        return f"matrix({self.taken(address)}, {columns}, {rows}).T"

    def finish(self, body: Sequence[str]) -> Called:
        """The whole text."""
        names = ", ".join(f"a{n}" for n in range(len(self.arguments)))
        lines = [f"def {self.name}({names}):", *(f" {line}" for line in [*self.opened, *body])]
        self.text = "\n".join(lines)
        return self


def expression(step: Instruction, arguments: Sequence[str]) -> str:
    """The result of one step, of numbers: float64 or truth values."""
    kinds = [type_of(item) for item in step.arguments]
    if step.kind == "where":
        return "({1} if {0} else {2})".format(*arguments)
    if step.kind in ("copy", "fill"):
        return arguments[0]
    if step.kind == "cast":
        template = "(1.0 if {0} else 0.0)" if step.outputs[0].dtype == FLOAT64 else "({0} != 0.0)"
        return template.format(*arguments)
    table = OF_TRUTHS if all(kind in (BOOL, bool) for kind in kinds) else OF_FLOATS
    if table is OF_FLOATS and not all(kind in (FLOAT64, float, int) for kind in kinds):
        raise NotLowered("numbers and truth values together")
    if step.function in table:
        return table[step.function].format(*arguments)
    return f"np.{step.function.__name__}({', '.join(arguments)})"


class Loops:
    """Writes them.

    address: the text of where an array begins; name_of: of a number, computed or known.
    """

    def __init__(
        self, places: Mapping[int, Place], address: Callable[[int], str], name_of: Callable[[Any], str]
    ) -> None:
        self._places, self._address, self._name_of = places, address, name_of

    def nest(self, nest: Nest, stored: set[int]) -> Called:
        """A function that takes the steps of a nest for each element, and puts some results into memory."""
        called = Called("nest")
        own = {step.outputs[0].number: f"v{n}" for n, step in enumerate(nest.steps)}
        read = list({item.number: item for item in read_by(nest) if item.number in self._places}.values())
        kept = [step.outputs[0] for step in nest.steps if step.outputs[0].number in stored]
        arrays = [*read, *kept]
        lengths, strides = merged(nest.shape, [self._places[v.number].strides(nest.shape) for v in arrays])
        elements = [
            f"{called.array(self._address(value.number))}[{_index(steps)}]"
            for value, steps in zip(arrays, strides, strict=True)
        ]
        texts = {v.number: loaded(e, v) for v, e in zip(read, elements, strict=False)} | own

        def named(item: Any) -> str:
            known = texts.get(item.number) if isinstance(item, Tracer) else None
            return known or called.taken(self._name_of(item))

        body = [
            f"{own[step.outputs[0].number]} = {expression(step, list(map(named, step.arguments)))}"
            for step in nest.steps
        ]
        body += [
            f"{element} = {put(own[value.number], value)}"
            for value, element in zip(kept, elements[len(read) :], strict=True)
        ]
        bounds = list(map(str, lengths))
        if len(lengths) > 1 and lengths[-1] in UNROLLED:
            # it would write out every turn, and then find no vectors in what is left: twice the time
            bounds[-1] = f"int({called.taken(self._name_of(lengths[-1]))})"
        return called.finish(_looped(bounds, range(len(lengths)), body))

    def reduction(self, step: Instruction) -> Called:
        """A function that combines elements along axes; a number is given back, an array put into memory."""
        (source,), output = step.arguments, step.outputs[0]
        start = STARTS.get(step.function)
        if start is None or step.options["dtype"] != source.dtype:
            raise NotLowered("a reduction in another type")
        called, view = Called("reduction"), self._places[source.number].view
        lengths, (inner, outer) = merged(view.shape, [view.strides, self._outward(step, view.ndim)])
        reduced = [n for n in range(len(lengths)) if not outer[n]]
        kept = [n for n in range(len(lengths)) if outer[n]]
        element = loaded(f"{called.array(self._address(source.number))}[{_index(inner)}]", source)
        text = (OF_TRUTHS if source.dtype == BOOL else OF_FLOATS)[step.function]
        one = [f"s = {start}", *_looped(lengths, reduced, [f"s = {text.format('s', element)}"])]
        if output.is_number:
            return called.finish([*one, "return s"])
        result = f"{called.array(self._address(output.number))}[{_index(outer)}]"
        if source.dtype == BOOL or (reduced and reduced[-1] == len(lengths) - 1):
            return called.finish(_looped(lengths, kept, [*one, f"{result} = {put('s', output)}"]))
        body = _looped(lengths, kept, [f"{result} = {start}"])
        body += _looped(lengths, range(len(lengths)), [f"{result} = {text.format(result, element)}"])
        return called.finish(body)

    def product(self, step: Instruction) -> Called:
        """A function that multiplies two matrices."""
        called = Called("product")
        numbers = [item.number for item in (*step.arguments, step.outputs[0])]
        matrices = [called.matrix(self._address(number), self._places[number]) for number in numbers]
        return called.finish([f"np.dot({', '.join(matrices)})"])

    def _outward(self, step: Instruction, rank: int) -> Lengths:
        """The step in the result for one along each axis of what is reduced."""
        output, axes = step.outputs[0], step.options["axis"]
        if output.is_number:
            return (0,) * rank
        strides = iter(self._places[output.number].view.strides)
        if step.options["keepdims"]:
            return tuple(0 if n in axes else own for n, own in enumerate(strides))
        return tuple(0 if n in axes else next(strides) for n in range(rank))


def merged(shape: Lengths, strides: Sequence[Lengths]) -> tuple[Lengths, list[Lengths]]:
    """The same elements with as few axes as can be, for arrays that are gone through together.

    Two neighbouring axes are one where every array has the same step at their seam as within them.
    """
    lengths: list[int] = []
    kept: list[list[int]] = []
    for axis in (n for n, length in enumerate(shape) if length != 1):
        steps = [own[axis] for own in strides]
        if lengths and kept[-1] == [step * shape[axis] for step in steps]:
            lengths[-1] *= shape[axis]
            kept[-1] = steps
        else:
            lengths.append(shape[axis])
            kept.append(steps)
    return tuple(lengths), [tuple(steps[n] for steps in kept) for n in range(len(strides))]


def loaded(element: str, value: Tracer) -> str:
    """The text of an element in memory, where truth values are 1 and 0."""
    return f"({element} != 0.0)" if value.dtype == BOOL else element


def put(name: str, value: Tracer) -> str:
    """The text of what is put into memory for a number."""
    return f"1.0 if {name} else 0.0" if value.dtype == BOOL else name


def _index(strides: Lengths) -> str:
    terms = [f"i{n} * {step}" if step != 1 else f"i{n}" for n, step in enumerate(strides) if step]
    return " + ".join(terms) or "0"


def _looped(lengths: Sequence[int | str], axes: Sequence[int], body: list[str]) -> list[str]:
    """Lines within loops over these axes. lengths: as numbers, or by name."""
    for axis in reversed(axes):
        body = [f"for i{axis} in range({lengths[axis]}):", *(f" {line}" for line in body)]
    return body
