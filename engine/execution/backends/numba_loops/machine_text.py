"""The text of a function for machine code: calls of helpers, each given addresses and numbers.

The function knows arrays by the addresses where they start. So its text stays short work for a compiler,
which would take most of a minute over as many arrays as a deep network has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops.element_text import (
    Called,
    expression,
    nest_text,
    product_text,
    reduction_text,
)
from engine.execution.backends.numba_loops.laying_out import LaidOut
from engine.execution.backends.numba_loops.layouts import Layout
from engine.execution.backends.numba_loops.memory import Kind, Memory, assign_memory, steps_of
from engine.execution.backends.numba_loops.nests import Item, Nest
from engine.execution.backends.numpy_calls.scratch import Scratch
from engine.execution.backends.numpy_calls.writing import Line, Written, text_of
from engine.execution.tracing.tracer import FLOAT64, NotLowered, Value
from engine.execution.tracing.walk import Lowered

LINE_BYTES = 64  # of the processor's cache


@dataclass(frozen=True, slots=True)
class MachineText:
    """What is compiled, and the Python around it.

    code:     of the function `machine`; helpers: of those that it calls, by their names.
    around:   a function like the one of numpy's calls, which calls `machine`.
    examples: what `machine` can be called with.
    shown:    the text for people.
    """

    code: str
    helpers: Mapping[str, str]
    around: Written
    examples: tuple[Any, ...]
    shown: str


class MachineWriter:
    """Writes the lines of `machine`.

    laid:    the steps and the layouts of their arrays.
    names:   of arguments and computed numbers, by the numbers of their values.
    head:    the lines before the first step, which name addresses.
    helpers: the texts of the functions that are called.
    numbers: constants.
    """

    def __init__(self, lowered: Lowered) -> None:
        if not lowered.arguments:
            raise NotLowered("nothing that differs from call to call")
        self.laid = LaidOut(lowered.arguments[0].recorder)
        self.names = {value.number: f"x{n}" for n, value in enumerate(lowered.arguments)}
        self.head: list[Line] = []
        self.helpers: dict[str, str] = {}
        self.numbers: dict[str, Any] = {}
        self.memory = Memory({}, set())
        self.scratch_bytes = 0

    # -- names -----------------------------------------------------------------------------------------

    def named(self, item: Any) -> str:
        """A number: one that is computed, or a constant."""
        if isinstance(item, Value):
            return self.names.setdefault(item.number, f"v{item.number}")
        number = item if isinstance(item, bool) else float(item)
        name = next((n for n, known in self.numbers.items() if repr(known) == repr(number)), None)
        if name is None:
            name = f"c{len(self.numbers)}"
            self.numbers[name] = number
        return name

    def length_named(self, length: int) -> str:
        """A length that is handed in as a constant is."""
        name = f"n{length}"
        self.numbers[name] = length
        return name

    def address(self, layout: Layout) -> str:
        """Where an array starts."""
        name = self.memory.of[layout.root]
        return (
            f"{name} + {layout.start * self.laid.values[layout.root].dtype.itemsize}"
            if layout.start
            else name
        )

    def given(self, values: Sequence[Value]) -> list[str]:
        """The names under which values are handed in. Those of arrays then stand for their addresses."""
        arrays = [self.names[value.number] for value in values if not value.is_number]
        self.head += [Line(f"{name} = address(y{name})") for name in arrays]
        return [("" if value.is_number else "y") + self.names[value.number] for value in values]

    # -- memory ----------------------------------------------------------------------------------------

    def assign(
        self,
        items: Sequence[Item],
        fixed: Mapping[int, str],
        last: Collection[int],
        wanted: Mapping[int, int],
    ) -> dict[str, Kind]:
        """Give every array memory. Returns: what is needed beyond what there is."""
        constants = {value.number: f"k{n}" for n, (value, _) in enumerate(self.laid.constants)}
        self.head += [Line(f"{name} = address(y{name})") for name in constants.values()]
        self.memory = assign_memory(items, self.laid.layouts, {**constants, **fixed}, last, wanted)
        return self.memory.made

    def scratch(self, name: str, kind: Kind) -> None:
        """Take memory of a name out of what is handed in as `scratch`."""
        size, dtype = kind
        self.head.append(Line(f"{name} = scratch + {self.scratch_bytes}"))
        self.scratch_bytes += -(-size * dtype.itemsize // LINE_BYTES) * LINE_BYTES

    # -- lines -----------------------------------------------------------------------------------------

    def line(self, item: Item) -> Line:
        """What one item does."""
        about = ", ".join(dict.fromkeys(step.node.name for step in steps_of(item) if step.node))
        return Line(self._text(item), about)

    def _text(self, item: Item) -> str:
        layouts = self.laid.layouts
        if isinstance(item, Nest):
            return self._call(
                nest_text(item, self.memory.stored, layouts, self.address, self.named, self.length_named)
            )
        output = item.outputs[0]
        if item.kind == "matmul":
            return self._call(product_text(item, layouts, self.address))
        result = f"{self.named(output)} = " if output.is_number else ""
        if item.kind == "reduce":
            return result + self._call(reduction_text(item, layouts, self.address))
        if item.kind == "pick":
            layout = layouts[item.arguments[0].number]
            kind = "floats" if output.dtype == FLOAT64 else "truths"
            return f"{result}{kind}({self.memory.of[layout.root]})[{item.options['start']}]"
        return result + expression(item, list(map(self.named, item.arguments)))

    def _call(self, called: Called) -> str:
        """A call of a helper, which is new unless one of the same text is there."""
        name = next((n for n, text in self.helpers.items() if text == called.text), None)
        if name is None:
            name = f"{called.name}{len(self.helpers)}"
            self.helpers[name] = called.text
        return f"{name}({', '.join(called.arguments)})"

    # -- the whole -------------------------------------------------------------------------------------

    def constants(self) -> dict[str, Any]:
        """What is handed in last, by its names there."""
        arrays = {f"yk{n}": np.ascontiguousarray(array) for n, (_, array) in enumerate(self.laid.constants)}
        return arrays | self.numbers

    def finish(
        self, given: Sequence[str], examples: Sequence[Any], body: Sequence[Line], around: Written
    ) -> MachineText:
        """All texts. given: the names of what is handed in before scratch memory and constants."""
        constants = self.constants()
        scratch = Scratch([((self.scratch_bytes + LINE_BYTES,), np.dtype(np.uint8))])
        head = f"def machine({', '.join([*given, 'yscratch', *constants])}):"
        start = Line(f"scratch = address(yscratch) + {LINE_BYTES - 1} & -{LINE_BYTES}")
        lines = [start, *self.head, *body]
        code = text_of(head, lines)
        shown = [line.told for line in lines]
        helpers = [f"def {name}{text[text.index('(') :]}" for name, text in self.helpers.items()]
        around.names |= constants | {"scratch": scratch}
        return MachineText(
            code,
            self.helpers,
            around,
            (*examples, *scratch.arrays, *constants.values()),
            "\n\n".join([*helpers, "\n".join([head, *shown])]) + "\n",
        )


def example(value: Value) -> Any:
    """An argument of the same type and shape."""
    if value.is_number:
        return 0.0 if value.dtype == FLOAT64 else False
    return np.zeros(value.core, value.dtype)
