"""The nodes of a plan, each kernel run once on arrays that are not there yet.

Shapes, axes and whatever else depends on known numbers only are known after the walk; nodes that pass
their input on (reads, gates, reshapes to the same shape) leave no instruction behind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.execution.budget import Meter, Unmetered
from engine.execution.interpreter.buffers import SHARING, buffer_behind, variable_behind
from engine.execution.interpreter.order import Loop
from engine.execution.interpreter.plan import Plan, make_plan
from engine.execution.interpreter.prepared import NOT_NUMBERS
from engine.execution.tracing.fuse import ELEMENT_BY_ELEMENT, Pack, alike
from engine.execution.tracing.numpy_rules import new_recorder
from engine.execution.tracing.recorder import Recorder
from engine.execution.tracing.tracer import Instruction, NotLowered, Tracer
from engine.graph import Node, Tensor
from engine.graph.kernels import parameters_of, results_of
from engine.ops.base.tensors import Array, array_dtype

MAX_NODES = 20_000  # a longer function takes longer to compile than to interpret
FLOWING = frozenset(
    {"Switch", "Merge", "RefSwitch", "RefMerge", "Enter", "RefEnter", "Exit", "NextIteration", "LoopCond"}
)
REFUSED = (
    ArithmeticError,
    AttributeError,
    GradlensError,
    IndexError,
    NotImplementedError,
    NotLowered,
    TypeError,
    ValueError,
)

Held = Any  # a tracer, or the array itself where it is known


@dataclass(slots=True)
class Lowered:
    """What a walk found.

    arguments: what the function takes, in order.
    fetches:   what it gives back, tracers or known arrays.
    state:     for a loop, each variable's value before and after one step; of one in a pack, before only.
    packs:     for a loop, variables that are updated together.
    """

    instructions: list[Instruction]
    arguments: list[Tracer]
    fetches: list[Held]
    state: dict[Node, tuple[Tracer, Held]] = field(default_factory=dict)
    packs: list[Pack] = field(default_factory=list)

    @property
    def changes(self) -> list[tuple[Tracer, Held]]:
        """For a loop, each variable that stands alone and each pack, before and after one step."""
        packed = {part.number for pack in self.packs for part in pack.parts}
        alone = [pair for pair in self.state.values() if pair[0].number not in packed]
        return [*alone, *((pack.whole, pack.after) for pack in self.packs)]


def lowered_program(
    fetches: Sequence[Tensor],
    arguments: Sequence[Tensor],
    shapes: Sequence[tuple[int, ...]],
    feeds: Mapping[Tensor, Array],
    *,
    meter: Meter | None = None,
) -> Lowered:
    """The fetches as instructions on arguments of these shapes.

    Raises: NotLowered where a part must stay with the interpreter.
    """
    recorder = new_recorder()
    walk = Walk(recorder, meter)
    given: list[Tracer] = []
    for tensor, shape in zip(arguments, shapes, strict=True):
        value = recorder.value(shape, tensor.dtype)
        given.append(value)
        walk.give(tensor, value)
    for tensor, array in feeds.items():
        walk.give(tensor, array)
    cut = frozenset(walk.known)
    plan = make_plan([tensor.node for tensor in fetches if tensor not in cut], cut)
    walk.all(plan)
    results = [recorder.whole(walk.result(tensor)) for tensor in fetches]
    return Lowered(recorder.instructions, given, results)


def lowered_loop(
    plan: Plan,
    record: Sequence[Tensor],
    state: Mapping[Node, tuple[int, ...]],
    feeds: Mapping[Tensor, Array],
    *,
    meter: Meter | None = None,
) -> Lowered:
    """The step that a train op plans, as instructions on the variables, given their shapes.

    Raises: NotLowered where a part must stay with the interpreter.
    """
    recorder = new_recorder()
    walk = Walk(recorder, meter)
    arguments: list[Tracer] = []
    for variable, shape in state.items():
        value = recorder.value(shape, variable.outputs[0].dtype)
        arguments.append(value)
        walk.before[variable] = walk.current[variable] = value
    for tensor, array in feeds.items():
        walk.give(tensor, array)
    walk.together = alike(plan, state, record)
    walk.all(plan)
    fetches = [recorder.whole(walk.before_update(tensor)) for tensor in record]
    after = {
        variable: (argument, recorder.whole(walk.current[variable]))
        for variable, argument in zip(state, arguments, strict=True)
    }
    return Lowered(recorder.instructions, arguments, fetches, after, walk.packs)


class Walk:
    """What is known of each tensor and of each variable so far.

    What a node sees of a variable follows the rule of `session.py`.
    """

    def __init__(self, recorder: Recorder, meter: Meter | None = None) -> None:
        self.recorder = recorder
        self.known: dict[Tensor, Held] = {}
        self.before: dict[Node, Held] = {}
        self.current: dict[Node, Held] = {}
        self.together: Mapping[Node, tuple[Node, ...]] = {}
        self.packs: list[Pack] = []
        self._waiting: dict[Node, list[Held]] = {}
        self._meter = meter or Unmetered()

    def give(self, tensor: Tensor, held: Held) -> None:
        """A tensor that is not computed; one that reads a variable stands for the variable's value."""
        variable = variable_behind(tensor)
        if variable is None:
            self.known[tensor] = held
        else:
            self.before[variable] = self.current[variable] = held

    def result(self, tensor: Tensor) -> Held:
        """What a fetch gives."""
        if tensor.node.op.name == "VariableV2":
            return self._buffer(self.current, tensor.node)
        return self.known[tensor]

    def before_update(self, tensor: Tensor) -> Held:
        """What a step records of a tensor; of a variable, its value before."""
        variable = variable_behind(tensor)
        return self.known[tensor] if variable is None else self._buffer(self.before, variable)

    def all(self, plan: Plan) -> None:
        """Every node of the plan."""
        if len(plan.steps) > MAX_NODES:
            raise NotLowered("so many nodes are interpreted")
        with np.errstate(all="ignore"):
            for step in plan.steps:
                if isinstance(step, Loop):
                    raise NotLowered("a loop")
                if step.op.name != "VariableV2":
                    self._check(step)
                    self._node(step, plan.sees_written[step])

    def _check(self, node: Node) -> None:
        """Raises: NotLowered for a node that has to be interpreted."""
        if node.op.name in FLOWING or node.op.draws:
            raise NotLowered("branches, loops and random numbers stay with the session")
        if node.op.name == "Placeholder" or any(output.dtype in NOT_NUMBERS for output in node.outputs):
            raise NotLowered("a placeholder that is not fed, a list of tensors, or a text")
        if node.op.stateful and not node.outputs:
            raise NotLowered("what stops a run, or shows something in it")

    def _node(self, node: Node, sees: frozenset[Node]) -> None:
        self.recorder.node = node
        arguments = [self._input(node, place, tensor, sees) for place, tensor in enumerate(node.inputs)]
        group = self.together.get(node)
        if group is None:
            self._keep(node, self._results(node, arguments))
            return
        self._waiting[node] = arguments
        if node is group[-1] and not self._at_once(group):
            for each in group:
                self._keep(each, self._results(each, self._waiting[each]))

    def _keep(self, node: Node, results: Sequence[Held]) -> None:
        if node.op.writes:
            for index, new in zip(node.op.writes, results, strict=True):
                variable = node.inputs[index].node
                self.current[variable] = self._typed(new, variable.outputs[0].dtype)
        for tensor, result in zip(node.outputs, results, strict=False):
            self.known[tensor] = self._typed(result, tensor.dtype)
        if node.op.writes and node.outputs:
            self.known[node.outputs[0]] = self.current[node.inputs[node.op.writes[0]].node]

    def _at_once(self, group: Sequence[Node]) -> bool:
        """Updates that are alike as one, if their kernel works element by element."""
        recorder, (first, *_) = self.recorder, group
        shapes = [np.shape(self._waiting[node][first.op.writes[0]]) for node in group]
        mark, arguments, packs = recorder.mark(), list[Held](), list[Pack]()
        for position, tensor in enumerate(first.inputs):
            parts = [self._waiting[node][position] for node in group]
            if position in first.op.writes:
                count = sum(int(np.prod(shape, dtype=np.int64)) for shape in shapes)
                packs.append(Pack(recorder.value((count,), tensor.dtype), tuple(parts)))
                arguments.append(packs[-1].whole)
            else:
                arguments.append(parts[0] if tensor.shape == () else recorder.end_to_end(parts, shapes))
        results = self._results(first, arguments)
        made = recorder.instructions[mark:]
        if any(step.kind not in ELEMENT_BY_ELEMENT for step in made):
            recorder.forget(mark)
            return False
        for pack, result in zip(packs, results, strict=True):
            pack.after = recorder.whole(self._typed(result, pack.whole.dtype.name))
        self.packs += packs
        return True

    def _results(self, node: Node, arguments: list[Held]) -> Sequence[Held]:
        """The kernel run on values; where it cannot be, an instruction that calls it."""
        traced = any(isinstance(argument, Tracer) for argument in arguments)
        mark = self.recorder.mark()
        try:
            self._check_size(node, arguments)
            results = results_of(node, arguments)
            if traced and any(
                not isinstance(item, Tracer) and np.asarray(item).dtype == object for item in results
            ):
                raise NotLowered("something else than arrays")
        except REFUSED as error:
            if not traced:
                raise NotLowered("a mistake for the interpreter to report") from error
            self.recorder.forget(mark)
            return self._call(node, arguments)
        return results

    def _check_size(self, node: Node, arguments: Sequence[Held]) -> None:
        """What becomes known now is made now, so it must fit the budget."""
        for output in node.outputs:
            if output.shape is not None and None not in output.shape:
                self._meter.check_elements(output.shape)  # type: ignore[arg-type]  # no length is None

    def _typed(self, result: Held, dtype: str) -> Held:
        if isinstance(result, Tracer):
            return self.recorder.cast(result, array_dtype(dtype))
        return np.asarray(result, dtype=array_dtype(dtype))

    def _call(self, node: Node, arguments: Sequence[Held]) -> Sequence[Held]:
        """The whole kernel as one instruction; its results have the shapes that the graph knows."""
        arguments = [self.recorder.whole(argument) for argument in arguments]
        shapes = self._shapes(node, arguments)
        written = [node.inputs[index] for index in node.op.writes]
        kinds = [
            (shape, array_dtype(t.dtype)) for shape, t in zip(shapes, written or node.outputs, strict=True)
        ]
        return self.recorder.call(node.op.kernel, arguments, kinds, parameters_of(node))

    def _shapes(self, node: Node, arguments: Sequence[Held]) -> list[tuple[int, ...]]:
        return result_shapes(node, arguments)

    def _input(self, node: Node, position: int, tensor: Tensor, sees: frozenset[Node]) -> Held:
        passes_on = tensor.node.op.name in ("Identity", "VariableV2")
        if tensor in self.known and not passes_on:
            return self._unchanged(tensor, sees)
        variable = variable_behind(tensor)
        if variable is None or (tensor in self.known and variable not in sees):
            return self.known[tensor]
        written = position in node.op.writes
        if written and node.op.name == "Assign":
            return self.current.get(variable, np.zeros(()))  # its kernel does not look at it
        return self._buffer(self.current if written or variable in sees else self.before, variable)

    def _unchanged(self, tensor: Tensor, sees: frozenset[Node]) -> Held:
        """What was computed before. Raises: NotLowered for a variable's memory that was written since."""
        shares = tensor.node.op.writes or tensor.node.op.name in SHARING
        variable = buffer_behind(tensor) if shares and sees else None
        if variable in sees and self.known[tensor] is not self.current[variable]:
            raise NotLowered("a view of a variable that is written")
        return self.known[tensor]

    def _buffer(self, buffers: Mapping[Node, Held], variable: Node) -> Held:
        if variable not in buffers:
            raise NotLowered(f"{variable.name} has no value")
        return buffers[variable]


def result_shapes(node: Node, arguments: Sequence[Held]) -> list[tuple[int, ...]]:
    """The shapes of what a kernel gives, from the graph or from the op's own rule on what is known here."""
    if node.op.writes:
        return [np.shape(arguments[index]) for index in node.op.writes]
    found = [output.shape for output in node.outputs]
    if any(shape is None or None in shape for shape in found):
        try:
            rule = node.op.infer_shapes([_stand_in(argument) for argument in arguments], node.attrs)
        except GradlensError as error:
            raise NotLowered("a mistake for the interpreter to report") from error
        found = rule if isinstance(rule, list) else [rule]
    if any(shape is None or None in shape for shape in found):
        raise NotLowered("a shape that depends on the values")
    return found  # type: ignore[return-value]  # every length is known


def _stand_in(argument: Held) -> Any:
    """What a shape rule looks at: a constant where the array is known, else something with a shape."""
    known = not isinstance(argument, Tracer)
    op = SimpleNamespace(name="Const" if known else "Unknown", stateful=True, writes=())
    node = SimpleNamespace(op=op, attrs={"value": argument if known else None}, inputs=())
    return SimpleNamespace(node=node, index=0, shape=np.shape(argument), dtype=argument.dtype.name)
