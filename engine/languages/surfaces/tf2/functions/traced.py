"""The graph that a function is traced into: tensors without values, and the steps that a call takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from engine.differentiation.tape import Tape
from engine.errors import ShapeError, Span
from engine.execution.eager.graph import EagerGraph
from engine.execution.eager.sameness import NUMBER_AT_END
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.reachability import closure
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import FORMATTED, SHOWN, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import PYTHON_NAMES
from engine.languages.surfaces.dtypes import DType
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.steps import CallStep, OpStep, ReadStep, Step
from engine.ops.base.building import current_graph
from engine.ops.base.definition import OpDef
from engine.ops.base.registry import REGISTRY
from engine.ops.base.tensors import Shape
from engine.ops.sources.draws import OpSeed

PASSED = OpDef("StatefulPartitionedCall", lambda: None, {"inputs": "", "latex": ""})  # never runs


class TracedTensor(Tensor):
    """A tensor of a function that is being traced: it has a type and a shape, and a value at each call."""

    __slots__ = ()
    is_traced = True

    def rows(self) -> Iterator[Tensor]:
        """Raises: ProgramError, since how many rows there are is only known at a call."""
        raise mistakes.not_allowed("Iterating over a symbolic `tf.Tensor`", "对符号张量的遍历")


class TracedShape(TensorShape):
    """A shape as TensorFlow 2 shows it, in which a length may be unknown."""


class TracedGraph(Graph):
    """What a trace is made of.

    steps: the list that is being filled: the body's, or that of a branch or loop inside of it.
    trail: the places of the program that lead from the function's call to where it is now.
    made:  the steps that are nodes of their own.
    variables_read: those whose values it takes, by itself or by the functions that it calls.
    """

    release = 2

    def __init__(self, eager: EagerGraph) -> None:
        super().__init__(node_limit=eager.node_limit)
        self.eager = eager
        self.gradient_rules = eager.gradient_rules
        self.tapes: list[Tape] = []
        self.variables_read: dict[Variable, None] = {}
        self.steps: list[Step] = []
        self.trail: tuple[Span | None, ...] = ()
        self.place = 0
        self.made: dict[Node, OpStep] = {}
        self._requested = ""
        self.seed = eager.seed
        self._seeded = 0

    @property
    def is_plain_here(self) -> bool:
        """A node that is a step is never lazy."""
        return False

    def op_seed(self) -> int:
        """How many such operations the function has already; each goes on from call to call."""
        seed = OpSeed(self._seeded)
        seed.owner = self
        self._seeded += 1
        return seed

    # -- nodes -----------------------------------------------------------------------------------

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node that runs at every call; one of a function around goes to the innermost trace."""
        innermost = self.eager.tracing
        if innermost is not self:
            if innermost is None:
                raise mistakes.out_of_scope(f"<tf.Tensor '{inputs[0].name}'>")
            made: Node = innermost.create_node(op, inputs, attributes, name)
            return made
        node = super().create_node(op, inputs, attributes, name)
        wanted = NUMBER_AT_END.sub("", node.name) if name.endswith("/") else self._requested
        self.made[node] = OpStep(self.trail, node, dict(attributes), wanted)
        self.add(self.made[node])
        self._record(node)
        return node

    def see_read(self, variable: Variable) -> None:
        """A variable is about to be read, here or by a function that is called here."""
        self.variables_read[variable] = None
        for tape in self.tapes:
            tape.see_read(variable)

    def reading(self, variable: Variable) -> Tensor:
        """The value that a variable has at this step."""
        self.see_read(variable)
        full = f"{variable.node.name}/read"
        node = self._put(REGISTRY["Identity"], (variable.ref,), {"T": variable.dtype}, full)
        node.outputs = (TracedTensor(node, 0, variable.dtype, variable.shape),)
        self.add(ReadStep(self.trail, variable, node.outputs[0]))
        self._record(node)
        return node.outputs[0]

    def passed(
        self, inputs: Sequence[Tensor], kinds: Sequence[tuple[str, Shape]], name: str
    ) -> list[TracedTensor]:
        """Tensors of these types and shapes that come of others in a way that is known at a call only."""
        plain = name if name.isascii() and name.isidentifier() and name[0] != "_" else "value"
        node = self._put(PASSED, tuple(inputs), {}, self._fresh(plain))
        made = tuple(TracedTensor(node, index, *kind) for index, kind in enumerate(kinds))
        node.outputs = made
        self._record(node)
        return list(made)

    def later(self, value: Callable[[], Any], dtype: str, shape: Shape, name: str) -> TracedTensor:
        """A tensor whose value is asked for at every call."""
        (made,) = self.passed([], [(dtype, shape)], name)
        self.add(CallStep(self.trail, Native(name, value), (), {}, made))
        return made

    def steps_behind(self, tensor: Tensor) -> list[Step]:
        """What computes a tensor that depends on no argument. Raises: ProgramError where it does on one."""
        nodes = {one.node for one in closure([tensor], lambda one: one.node.inputs)}
        inside = sorted((one for one in nodes if one.graph is self), key=lambda node: node.index)
        if any(node not in self.made for node in inside):
            raise mistakes.not_liftable()
        return [self.made[node] for node in inside]

    def _put(self, op: OpDef, inputs: tuple[Tensor, ...], attributes: dict[str, Any], name: str) -> Node:
        node = Node(self, len(self._nodes), name, op, attributes)
        node.inputs = inputs
        node.span, node.phase = self._span, self._phase
        self._nodes.append(node)
        return node

    def _record(self, node: Node) -> None:
        for tape in self.tapes:
            tape.record(node)

    def _fresh(self, name: str) -> str:
        self._requested = f"{self._names.scope}/{name}" if self._names.scope else name
        return super()._fresh(name)

    def _check_inputs(self, node: Node) -> None:
        """A function may take tensors from around it."""

    def _outputs(self, node: Node) -> tuple[Tensor, ...]:
        return tuple(TracedTensor(node, t.index, t.dtype, t.shape) for t in super()._outputs(node))

    # -- steps -----------------------------------------------------------------------------------

    def add(self, step: Step) -> None:
        """The next step of what is being traced."""
        self.steps.append(step)

    @contextmanager
    def block(self, steps: list[Step] | None = None) -> Iterator[list[Step]]:
        """Steps made inside go to a list of their own: a branch, a loop, or what is only tried."""
        outer, self.steps = self.steps, [] if steps is None else steps
        try:
            yield self.steps
        finally:
            self.steps = outer

    @contextmanager
    def entered(self) -> Iterator[None]:
        """The program is being traced: what it computes goes to this graph."""
        outer, self.eager.tracing = self.eager.tracing, self
        try:
            with self.as_default():
                yield
        finally:
            self.eager.tracing = outer

    def go_to(self, span: Span | None) -> Any:
        """From now on steps come from this stretch of source text, by way of the calls around it."""
        outer = self.trail, super().go_to(span)
        self.trail = (*self.trail, span)
        return outer

    def go_back(self, outer: Any) -> None:
        """Steps come from where they came from before."""
        self.trail, span = outer
        super().go_back(span)

    @contextmanager
    def recording(self, tape: Tape, place: int = 0) -> Iterator[Tape]:
        """Let a tape see what is traced inside."""
        self.tapes.append(tape)
        try:
            yield tape
        finally:
            self.stop(tape)

    def stop(self, tape: Tape) -> None:
        """The tape sees nothing more."""
        self.tapes = [other for other in self.tapes if other is not tape]

    @contextmanager
    def not_recording(self, *tapes: Tape) -> Iterator[None]:
        """These tapes (all, where none is named) do not see what is traced inside."""
        outer = self.tapes
        self.tapes = [tape for tape in outer if tapes and tape not in tapes]
        try:
            yield
        finally:
            self.tapes = outer


def tracing_now() -> TracedGraph | None:
    """The graph of the function that is being traced, if one is."""
    graph: Any = current_graph()
    return graph if isinstance(graph, TracedGraph) else None


def outside() -> AbstractContextManager[Any]:
    """What is computed inside has its value at once, also while a function is traced."""
    graph: Any = current_graph()
    return _lifted(graph) if isinstance(graph, TracedGraph) else graph.as_default()


@contextmanager
def _lifted(graph: TracedGraph) -> Iterator[None]:
    outer, graph.eager.tracing = graph.eager.tracing, None
    try:
        with graph.eager.as_default():
            yield
    finally:
        graph.eager.tracing = outer


# -- as a program sees them --------------------------------------------------------------------------


def written(shape: Shape) -> str:
    """`(None, 2)`, or `<unknown>`."""
    return "<unknown>" if shape is None else to_str(tuple(shape))


def _text(tensor: TracedTensor) -> str:
    shape = "" if tensor.shape is None else f", shape={written(tensor.shape)}"
    return f'Tensor("{tensor.name}"{shape}, dtype={tensor.dtype})'


def _repr(tensor: TracedTensor) -> str:
    shape = "<unknown>" if tensor.shape is None else written(tensor.shape)
    return f"<tf.Tensor '{tensor.name}' shape={shape} dtype={tensor.dtype}>"


def _listed(shape: TracedShape) -> str:
    return f"TensorShape({list(shape)})" if shape.known else "TensorShape(None)"


PYTHON_NAMES[TracedTensor] = lambda _: "SymbolicTensor"
TENSOR = members_of(TracedTensor, "Tensor")
TENSOR.fact("shape")(lambda tensor: TracedShape.of(tensor.shape))
TENSOR.method("get_shape")(lambda tensor: TracedShape.of(tensor.shape))
TENSOR.fact("ndim")(lambda tensor: None if tensor.shape is None else len(tensor.shape))
TENSOR.fact("dtype")(lambda tensor: DType(tensor.dtype))
SHOWN[TracedTensor] = (_text, _repr)
SHOWN[TracedShape] = (lambda shape: written(tuple(shape) if shape.known else None), _listed)
FORMATTED[TracedTensor] = _text


@TENSOR.method("set_shape")
def set_shape(tensor: TracedTensor, shape: Any) -> None:
    """What is known of its shape from now on. Raises: ShapeError where it is another one."""
    given, known = tuple(shape), tensor.shape
    if known is None:
        tensor.shape = given
        return
    both = list(zip(known, given, strict=False))
    if len(known) != len(given) or any(None not in pair and pair[0] != pair[1] for pair in both):
        raise ShapeError(
            f"Tensor's shape {written(known)} is not compatible with supplied shape {written(given)}.",
            message_zh=f"张量的形状 {written(known)} 与给出的形状 {written(given)} 不相容。",
            kind="ValueError",
        )
    tensor.shape = tuple(one if one is not None else other for one, other in both)


@TENSOR.method("numpy")
def numpy(tensor: TracedTensor) -> Any:
    """Raises: ProgramError, as there is no value yet."""
    raise mistakes.no_attribute("numpy")
