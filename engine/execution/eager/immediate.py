"""A graph whose nodes run as they are made: each tensor carries its value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, NamedTuple

import numpy as np

from engine.differentiation.tape import Tape
from engine.errors import LimitError, ShapeError
from engine.execution.budget import Limits, Meter, Unmetered
from engine.execution.interpreter.sizes import output_shapes
from engine.execution.interpreter.streams import EagerStreams
from engine.execution.interpreter.trace import Run, Update
from engine.graph import Graph, Node, Tensor
from engine.graph.control_flow.contexts import Branch
from engine.graph.kernels import run_kernel
from engine.ops.base.shapes import element_count
from engine.ops.base.tensors import TEXT, Array, Shape, array_dtype
from engine.ops.base.texts import weight_of
from engine.ops.sources.random import SHARED_SEED

TRACED_ELEMENTS = 4096  # a larger value is not kept for each turn


class Cost(NamedTuple):
    """What a node's run cost with these shapes: element operations, and elements that it made."""

    key: Any
    work: int
    elements: int


class EagerTensor(Tensor):
    """A tensor with its value; a variable's buffer changes its own."""

    __slots__ = ("array",)

    def __init__(self, node: Node, index: int, dtype: str, shape: Shape) -> None:
        super().__init__(node, index, dtype, shape)
        self.array: Any = None

    def rows(self) -> Iterator[Tensor]:
        """The parts along the first axis. Raises: ShapeError where there are no axes."""
        if self.array.ndim == 0:
            raise ShapeError(
                "A tensor without axes has no rows to go through.",
                message_zh="没有轴的张量不能逐行遍历。",
            )
        return (self[row] for row in range(len(self.array)))

    @property
    def form(self) -> Array:
        """Its array for those who look at its shape and its type alone."""
        return value_of(self)  # type: ignore[no-any-return]


# The same where it is the graph itself that reads or writes a value (`Watched`).
value_of, set_value = EagerTensor.__dict__["array"].__get__, EagerTensor.__dict__["array"].__set__


class Watched:
    """A tensor's value that notes who looks at it: mixed into a kind of eager tensor."""

    __slots__ = ()

    graph: Any

    @property
    def array(self) -> Array:
        """Its value."""
        self.graph.look()
        found: Array = value_of(self)
        return found

    @array.setter
    def array(self, array: Array) -> None:
        set_value(self, array)


SINGLE = 4  # bytes of a number in single precision
SMALL = 1000  # elements up to which it does not matter whether memory is shared


class ImmediateGraph(Graph):
    """A graph that runs. What has run since somebody looked: nodes in `_executed`, tensors in `_ran`.

    tapes: the tapes that record now, innermost last.
    """

    release = 2
    output_kind: type[Tensor] = EagerTensor

    def __init__(self, meter: Meter | None, limits: Limits, seed: int) -> None:
        super().__init__(node_limit=limits.nodes)
        self.tapes: list[Tape] = []
        self.meter = meter or Unmetered()
        self._meter_reading = 0
        self._alive_limit = limits.alive_elements
        self._alive = 0
        self._counted: Node | None = None  # the latest node that counts, until it has run,
        self._counts = 0  # and how many elements
        self._costs: dict[Node, Cost] = {}
        self._streams = EagerStreams(seed)
        self._executed: list[Node] = []
        self._run = Run()
        self._ran: list[Tensor] = []

    @property
    def is_plain_here(self) -> bool:
        """A node that runs as it is made is never lazy."""
        return False

    def _count_alive(self, node: Node) -> None:
        self._counted, before = node, self._alive
        for output in node.outputs:
            self._alive += element_count(output.shape) or 0
        self._counts = self._alive - before
        if self._alive > self._alive_limit:
            raise _too_much_alive(self._alive_limit)

    def _count_shared(self, node: Node, arguments: list[Any]) -> None:
        """Of a node that has run for the first time: what shows its inputs' memory does not count again.

        A variable's memory is another one after the next update, so what shows it counts; and a number in
        double precision takes the room of two.
        """
        self._counted = None
        arrays = [output.array for output in node.outputs]  # type: ignore[attr-defined]  # eager
        large = [one for one in arrays if one is not None and one.size > SMALL and one.itemsize <= SINGLE]
        if not large:
            return
        fixed = [
            array
            for tensor, array in zip(node.inputs, arguments, strict=False)
            if isinstance(array, np.ndarray) and tensor.node.op.name != "VariableV2"
        ]
        shared = (one.size for one in large if any(np.may_share_memory(one, array) for array in fixed))
        self._alive -= min(sum(shared), self._counts)

    # -- running ---------------------------------------------------------------------------------

    def set_seed(self, seed: int) -> None:
        """The seed of the random operations from here on, whose streams begin anew."""
        super().set_seed(seed)
        self._streams.restart(seed)

    def op_seed(self) -> int:
        """The same for all operations without a seed of their own, which are given one at each call."""
        return SHARED_SEED

    @contextmanager
    def repeatable_draws(self) -> Iterator[None]:
        """Random operations in this block draw what their stream begins with."""
        with self._streams.at_their_beginning():
            yield

    def drawn_op_seed(self) -> int:
        """The seed of something else that draws, where the program has set one for all."""
        return self._streams.op_seed()

    def generator(self, node: Node) -> Any:
        """What the next draw of a random operation draws from."""
        return self._streams.generator(node)

    def _execute(self, node: Node, cost: Cost | None = None) -> None:
        """Run a node on what its inputs hold now. cost: of this run, where it is known."""
        if node.op.name == "VariableV2":
            return
        self._executed.append(node)
        arguments = [value_of(tensor) for tensor in node.inputs]
        if cost is None:
            self._charge(node, arguments)
        else:
            self._pay(cost)
        self._compute(node, arguments)

    def _compute(self, node: Node, arguments: list[Any]) -> None:
        """Run a node that is paid for, and let the tapes see it."""
        parameters = node.op.parameters(node.attrs) if node.op.attributes else {}
        if node.op.draws:
            parameters["generator"] = self._streams.generator(node)
        result = run_kernel(node, arguments, parameters)
        if node.op.name == "Merge":
            result = _way_taken(node, arguments) or result
        self._keep(node, result)
        if node is self._counted and self._counts > SMALL:
            self._count_shared(node, arguments)
        if self.turn is not None:
            self.turn.ran(node, node.inputs)
        for tape in self.tapes:
            tape.record(node)

    def cost_of(self, node: Node) -> Cost | None:
        """What a run of a node costs that has run, where its shapes decide that."""
        return self._costs.get(node)

    def _charge(self, node: Node, arguments: list[Any]) -> None:
        """Charge the meter for what is about to be made, before it is."""
        shapes = [output.shape for output in node.outputs]
        key = (*shapes, *[getattr(array, "shape", None) for array in arguments])
        cost = self._costs.get(node)
        if cost is not None and cost.key == key:
            self._pay(cost)
        else:
            self._charge_anew(node, arguments, shapes, key)
            self.meter.check_clock()

    def _pay(self, cost: Cost) -> None:
        """Charge the meter what a run is known to cost."""
        self._meter_reading += cost.work
        self.meter.spend(cost.work + cost.elements)
        self.meter.check_clock()

    def _charge_anew(self, node: Node, arguments: list[Any], shapes: Any, key: Any) -> None:
        """Work out what a run of the node costs; where its shapes decide that, for the next runs, too."""
        is_open = any(shape is None or None in shape for shape in shapes)
        if is_open:
            shapes = output_shapes(node, arguments)
        before = getattr(self.meter, "operations", 0)
        for shape in shapes:
            self.meter.check_elements(shape)
        elements = getattr(self.meter, "operations", 0) - before
        work = node.op.work([prod(shape) for shape in shapes], arguments, node.attrs)
        self._spend(work)
        if not is_open:
            self._costs[node] = Cost(key, work, elements)

    def _spend(self, operations: int) -> None:
        self._meter_reading += operations
        self.meter.spend(operations)

    def _keep(self, node: Node, result: Any) -> None:
        if node.op.writes:
            news = result if isinstance(result, tuple) else (result,)
            for index, new in zip(node.op.writes, news, strict=True):
                self._write(node, node.inputs[index], new)
            result = news[0]
        values = result if isinstance(result, (list, tuple)) else (result,)
        for tensor, value in zip(node.outputs, values, strict=False):
            array = np.asarray(value, dtype=array_dtype(tensor.dtype))
            tensor.array = array  # type: ignore[attr-defined]  # eager
            tensor.shape = array.shape
            if tensor.dtype == TEXT:
                self._keep_texts(tensor, array)
            elif array.size <= TRACED_ELEMENTS:
                self._ran.append(tensor)

    def _keep_texts(self, tensor: Any, array: Array) -> None:
        """Texts count by their bytes, for each time that they are made."""
        weight = weight_of(array)
        self._alive += weight
        if self._alive > self._alive_limit:
            raise _too_much_alive(self._alive_limit)
        self._spend(weight)
        if weight <= TRACED_ELEMENTS:
            self._ran.append(tensor)

    def _write(self, by: Node, ref: Any, new: Any) -> None:
        """Give a variable a new value."""
        value = np.array(new, dtype=array_dtype(ref.dtype))
        if ref.array is not None:
            self._run.updates.append(Update(ref.node, by, ref.array, value))
        ref.array = value

    # -- tapes and values ------------------------------------------------------------------------

    @contextmanager
    def also_recording(self, tape: Tape) -> Iterator[None]:
        """A tape sees what runs inside, though its block may be over."""
        outer = self.tapes
        self.tapes = [*outer, *([] if tape in outer else [tape])]
        try:
            yield
        finally:
            self.tapes = outer

    @contextmanager
    def not_recording(self, *tapes: Tape) -> Iterator[None]:
        """These tapes (all, where none is named) do not see what runs inside."""
        outer = self.tapes
        self.tapes = [tape for tape in outer if tapes and tape not in tapes]
        try:
            yield
        finally:
            self.tapes = outer

    @property
    def values(self) -> dict[Tensor, Array]:
        """The present value of every tensor."""
        outputs: Any = (output for node in self.nodes for output in node.outputs)
        return {output: output.array for output in outputs if output.array is not None}


def _way_taken(node: Node, arguments: Sequence[Any]) -> list[Any] | None:
    """What comes out of a `cond`, and from which side: here both have run, and the condition is known."""
    for place, way in enumerate(node.inputs):
        branch = way.node.context
        if isinstance(branch, Branch) and bool(branch.pred.array) == bool(branch.branch):  # type: ignore[attr-defined]
            return [arguments[place], place]
    return None


def _too_much_alive(limit: int) -> LimitError:
    return LimitError(
        f"The tensors of the program hold more than {limit:,} elements in all.",
        hint="Use smaller arrays or fewer steps.",
        message_zh=f"程序的张量总共超过 {limit:,} 个元素。",
        hint_zh="请使用更小的数组或更少的步数。",
        code="alive_limit",
    )
