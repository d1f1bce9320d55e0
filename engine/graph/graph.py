"""The one intermediate representation: the graph that TensorFlow 1.15 would have built.

Every dialect builds it and everything else reads it. Nodes stand in order of creation; each knows its
inputs, its control inputs, the phase that made it, the forward node whose gradient it belongs to, and
the stretch of source text that it comes from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Self

from engine.errors import GraphError, LimitError, ShapeError, quoted
from engine.graph.lazy_nodes import LazyNodes
from engine.graph.lazy_tensors import Place
from engine.graph.names import Names
from engine.graph.surroundings import Surroundings, Waiting
from engine.ops.base.building import default_float_now, enter_graph, leave_graph
from engine.ops.base.definition import OpDef
from engine.ops.base.shapes import is_shape
from engine.ops.base.tensors import Node, Shape, Tensor


@dataclass(frozen=True, slots=True)
class Adjoint:
    """One visit of a backward sweep, kept so that a lesson can go through the sweep step by step.

    upstream: the gradient that each output of the forward node received; None where it received none.
    passed:   what its rule gave to each input; None where nothing was passed on.
    """

    node: Node
    upstream: tuple[Tensor | None, ...]
    passed: tuple[Tensor | None, ...]

    @property
    def received(self) -> Tensor:
        """The gradient of the first output that received one; every node that is visited has one."""
        return next(gradient for gradient in self.upstream if gradient is not None)


class Graph(Surroundings):
    """Nodes in order of creation, and the scopes that new ones are made in."""

    release = 1  # of TensorFlow whose gradient rules hold
    turn: Any = None  # of an eager graph: the turn that is recorded or replayed, if one is
    takes_in = False
    output_kind: type[Tensor] = Tensor  # what its nodes give

    def __init__(self, *, default_float: str | None = None, node_limit: int | None = None) -> None:
        super().__init__()
        self.default_float = default_float or default_float_now()
        self._nodes: list[Node] = []
        self._adjoints: list[Adjoint] = []
        self.collections: dict[str, list[Any]] = {}
        self.broadcast_cache: dict[tuple[Shape, Shape], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.reduction_cache: dict[tuple[Any, Any], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.gradient_rules: MutableMapping[str, Any] = {}
        self.seed: int | None = None
        self._node_limit = sys.maxsize if node_limit is None else node_limit
        self.lazy = LazyNodes(self, self._nodes, self._node_limit)
        self._by_name: dict[str, Node] = {}

    # -- looking up ------------------------------------------------------------------------------

    def set_seed(self, seed: int) -> None:
        """The seed of the random operations that are made from here on."""
        self.seed = seed

    def op_seed(self) -> int:
        """The seed of a random operation that was given none, where the graph has one: its place."""
        return len(self.nodes)

    def repeatable_draws(self) -> AbstractContextManager[None]:
        """Random operations in this block draw the same each time; in a graph they have their own nodes."""
        return nullcontext()

    @property
    def nodes(self) -> list[Node]:
        """All nodes in order of creation."""
        self.lazy.materialize()
        return self._nodes

    @property
    def adjoints(self) -> list[Adjoint]:
        """The visits of all backward sweeps, in order."""
        self.lazy.materialize()
        return self._adjoints

    @adjoints.setter
    def adjoints(self, adjoints: list[Adjoint]) -> None:
        self._adjoints = adjoints

    @property
    def names(self) -> Names:
        """The names in use."""
        self.lazy.materialize()
        return self._names

    def node(self, name: str) -> Node:
        """The node called `name`. Raises: GraphError where there is none."""
        try:
            return self._named()[name]
        except KeyError:
            raise GraphError(
                f"The graph has no node named {quoted(name)}.",
                message_zh=f"图中没有名为 {quoted(name)} 的节点。",
                code="unknown_node",
                kind="KeyError",
                said=f"The name {name!r} refers to an Operation not in the graph.",
            ) from None

    def tensor(self, name: str) -> Tensor:
        """The tensor called `name` (`Exp:0`; a bare node name means its output 0)."""
        node_name, _, index = name.partition(":")
        outputs = self.node(node_name).outputs
        number = int(index) if index.isdigit() else 0
        if number >= len(outputs):
            raise GraphError(
                f"{node_name} has {len(outputs)} outputs, so there is no {quoted(name)}.",
                message_zh=f"{node_name} 只有 {len(outputs)} 个输出，没有 {quoted(name)}。",
                code="unknown_node",
            )
        return outputs[number]

    def __contains__(self, name: object) -> bool:
        return name in self._named()

    def _named(self) -> dict[str, Node]:
        """The nodes by name."""
        for node in self.nodes[len(self._by_name) :]:
            self._by_name[node.name] = node
        return self._by_name

    def collection(self, name: str) -> list[Any]:
        """The list that TensorFlow keeps under this key, such as `trainable_variables`."""
        return self.collections.setdefault(name, [])

    def hold(self, variable: Any) -> None:
        """A variable has its node from here on; where the graph runs, another one may have had it before."""

    def reading(self, variable: Any) -> Tensor:
        """What an operation on a variable takes: the read that was made with the variable."""
        read: Tensor = variable.first_read
        return read

    @contextmanager
    def as_default(self) -> Iterator[Self]:
        """Make this the graph that new nodes without inputs go to."""
        token = enter_graph(self)
        try:
            yield self
        finally:
            leave_graph(token)

    # -- adding ----------------------------------------------------------------------------------

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node, beside the variables that it writes.

        A name that ends in a slash is the current scope's own and is used as it is.
        Raises: ShapeError where the inputs' shapes do not fit; LimitError beyond the node budget;
                GraphError where an input belongs to another graph.
        """
        self.lazy.materialize()
        if len(self._nodes) >= self._node_limit:
            raise _too_many_nodes(self._node_limit)
        full = name[:-1] if name.endswith("/") else self._fresh(name)
        if op.name in self._overrides:
            attributes = {**attributes, "_gradient_op_type": self._overrides[op.name]}
        node = Node(self, len(self._nodes), full, op, attributes)
        node.inputs = tuple(inputs)
        self._check_inputs(node)
        node.outputs = self._outputs(node)
        if self._waiting is not None:
            node.control_inputs = self._control_inputs(node, self._waiting)
        node.phase, node.of, node.span, node.device = self._phase, self._of, self._span, self._device
        if self._beside or op.writes:
            self._place(node)
        self._nodes.append(node)
        if self.context is not None:
            self.context.take(node)
        if self._waiting is not None:
            for block in self._waiting.blocks():
                block.made.add(node)
        return node

    def put(
        self,
        name: str,
        op: OpDef,
        attrs: Mapping[str, Any],
        inputs: tuple[Tensor, ...],
        place: Place | None = None,
    ) -> Node:
        """Add a node of which everything is known and right already, but for its outputs.

        place: where it belongs; here, where none is given.
        """
        node = Node(self, len(self._nodes), name, op, attrs)
        node.inputs = inputs
        if place is None:
            node.phase, node.of, node.span, node.device = self._phase, self._of, self._span, self._device
        else:
            node.phase, node.of, node.span, node.device = place.phase, place.of, place.span, place.device
        self._nodes.append(node)
        return node

    def adopt(
        self, name: str, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], outputs: int = 0
    ) -> Node:
        """Add a node that another program made, under its very name. outputs: how many it has at least.

        Raises: ShapeError, DtypeError or GraphError where it does not fit; then nothing is added.
        """
        self.lazy.materialize()
        node = Node(self, len(self._nodes), name, op, attributes)
        node.inputs = tuple(inputs)
        self._check_inputs(node)
        node.outputs = self._outputs(node)
        if len(node.outputs) < outputs:
            raise GraphError(
                f"{name} has {len(node.outputs)} outputs, not {outputs}.",
                message_zh=f"{name} 有 {len(node.outputs)} 个输出，而不是 {outputs} 个。",
            )
        _check_kinds(node)
        self.names.counts.setdefault(name.lower(), 1)
        self._nodes.append(node)
        return node

    def _fresh(self, name: str) -> str:
        names = self.names
        names.check(name)
        return names.unique(name)

    def _check_inputs(self, node: Node) -> None:
        for tensor in node.inputs:
            if tensor.graph is not self:
                raise GraphError(
                    f"{tensor.name} belongs to another graph than {node.name}.",
                    hint="Build both in the same `with tf.Graph().as_default():` block.",
                    message_zh=f"{tensor.name} 与 {node.name} 不属于同一个图。",
                    hint_zh="请在同一个 `with tf.Graph().as_default():` 代码块中构建它们。",
                    code="other_graph",
                )

    def _outputs(self, node: Node) -> tuple[Tensor, ...]:
        if callable(node.op.output_types) and len(node.op.output_types(node.attrs)) > self._node_limit:
            raise _too_many_nodes(self._node_limit)
        try:
            shapes = node.op.infer_shapes(node.inputs, node.attrs)
        except ShapeError as error:
            error.node = error.node or node.name
            raise
        kind = node.op.output_type
        if kind is not None and not isinstance(shapes, list):
            return (self.output_kind(node, 0, node.attrs.get(kind, kind), shapes),)
        dtypes = node.op.output_dtypes(node.attrs)
        if shapes is None or len(shapes) != len(dtypes):
            shapes = [None] * len(dtypes)
        return tuple(
            self.output_kind(node, i, *pair) for i, pair in enumerate(zip(dtypes, shapes, strict=True))
        )

    def waited_for(self, node: Node) -> tuple[Node, ...]:
        """What the open blocks would make this node wait for."""
        return () if self._waiting is None else self._control_inputs(node, self._waiting)

    def _control_inputs(self, node: Node, waiting: Waiting) -> tuple[Node, ...]:
        """What the open blocks make this node wait for.

        A block is passed over where one of the node's inputs was made inside it (that input waits
        already), and a node that is a data input is not waited for twice.
        """
        sources = {tensor.node for tensor in node.inputs}
        found: dict[Node, None] = {}
        for block in waiting.blocks():
            if block.made.isdisjoint(sources):
                found.update((waited, None) for waited in block.on if waited not in sources)
        return tuple(found)

    def _place(self, node: Node) -> None:
        """Place a node beside what the blocks around name, and beside the variables that it writes.

        Its device is that of the last of them that has one; a placement counts for more than the devices
        around.
        """
        written = [node.inputs[index].node for index in node.op.writes]
        beside = (*self._beside, *written)
        names: set[str] = set()
        for one in beside:
            names.update((one,) if isinstance(one, str) else one.colocation_groups)
        node.colocate = tuple(sorted(names))
        devices = (one.device for one in reversed(beside) if isinstance(one, Node) and one.device)
        node.device = next(devices, "" if written else self._device)


def _check_kinds(node: Node) -> None:
    """Raises: GraphError where attributes of another kind have made an output without a shape or a type."""
    if not all(is_shape(output.shape) and isinstance(output.dtype, str) for output in node.outputs):
        raise GraphError(
            f"Its attributes make no shape and type for each output of {node.name}.",
            message_zh=f"由它的属性得不出 {node.name} 每个输出的形状和类型。",
            node=node.name,
        )


def _too_many_nodes(limit: int) -> LimitError:
    return LimitError(
        f"The graph has reached its limit of {limit} nodes.",
        hint="Build the repeated part once, outside the loop.",
        message_zh=f"图已达到 {limit} 个节点的上限。",
        hint_zh="请把重复的部分放到循环之外，只构建一次。",
        code="node_limit",
    )
