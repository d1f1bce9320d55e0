"""The one intermediate representation: the graph that TensorFlow 1.15 would have built.

Every dialect builds it and everything else reads it. Nodes stand in order of creation; each knows its
inputs, its control inputs, the phase that made it, the forward node whose gradient it belongs to, and
the stretch of source text that it comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from engine.errors import GraphError, LimitError, ShapeError, Span
from engine.graph.devices import merged_device
from engine.graph.names import Names
from engine.ops.building import default_float_now, enter_graph, leave_graph
from engine.ops.definition import OpDef
from engine.ops.slices import IndexedSlices
from engine.ops.tensors import Node, Shape, Tensor


@dataclass(frozen=True, slots=True)
class Adjoint:
    """One visit of a backward sweep, kept so that the sweep can be told step by step.

    upstream: the gradient that each output of the forward node received.
    passed:   what its rule gave to each input; None where nothing was passed on.
    """

    node: Node
    upstream: tuple[Tensor, ...]
    passed: tuple[Tensor | None, ...]


class Waiting:
    """One open `control_dependencies` block: what to wait for, and what was made inside."""

    def __init__(self, on: Sequence[Node], outer: Waiting | None) -> None:
        self.on = on
        self.outer = outer
        self.made: set[Node] = set()

    def blocks(self) -> Iterator[Waiting]:
        """This block and those around it, outermost first."""
        if self.outer is not None:
            yield from self.outer.blocks()
        yield self


class Graph:
    """Nodes in order of creation, and the scopes that new ones are made in."""

    def __init__(self, *, default_float: str | None = None, node_limit: int | None = None) -> None:
        self.default_float = default_float or default_float_now()
        self.nodes: list[Node] = []
        self.adjoints: list[Adjoint] = []
        self.names = Names()
        self.collections: dict[str, list[Any]] = {}
        self.broadcast_cache: dict[tuple[Shape, Shape], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.reduction_cache: dict[tuple[Any, Any], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.gradient_rules: MutableMapping[str, Any] = {}
        self.out_of_order = False  # whether inputs may have been made after their users
        self.context: Any = None
        self.seed: int | None = None
        self._node_limit = node_limit
        self._by_name: dict[str, Node] = {}
        self._waiting: Waiting | None = None
        self._beside: tuple[Node | str, ...] = ()
        self._device = ""
        self._overrides: Mapping[str, str] = {}
        self._phase = "forward"
        self._of: Node | None = None
        self._span: Span | None = None

    # -- looking up ------------------------------------------------------------------------------

    def node(self, name: str) -> Node:
        """The node called `name`. Raises: GraphError where there is none."""
        try:
            return self._by_name[name]
        except KeyError:
            raise GraphError(
                f"The graph has no node named {name!r}.",
                message_zh=f"图中没有名为 {name!r} 的节点。",
                code="unknown_node",
            ) from None

    def tensor(self, name: str) -> Tensor:
        """The tensor called `name` (`Exp:0`; a bare node name means its output 0)."""
        node_name, _, index = name.partition(":")
        outputs = self.node(node_name).outputs
        number = int(index) if index.isdigit() else 0
        if number >= len(outputs):
            raise GraphError(
                f"{node_name} has {len(outputs)} outputs, so there is no {name!r}.",
                message_zh=f"{node_name} 只有 {len(outputs)} 个输出，没有 {name!r}。",
                code="unknown_node",
            )
        return outputs[number]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def collection(self, name: str) -> list[Any]:
        """The list that TensorFlow keeps under this key, such as `trainable_variables`."""
        return self.collections.setdefault(name, [])

    def reading(self, variable: Any) -> Tensor:
        """What an operation on a variable takes: the read that was made with the variable."""
        read: Tensor = variable.first_read
        return read

    # -- adding ----------------------------------------------------------------------------------

    def create_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        """Add a node. A name that ends in a slash is the current scope's own and is used as it is.

        Raises: ShapeError where the inputs' shapes do not fit; LimitError beyond the node budget;
                GraphError where an input belongs to another graph.
        """
        if self._node_limit is not None and len(self.nodes) >= self._node_limit:
            raise _too_many_nodes(self._node_limit)
        full = name[:-1] if name.endswith("/") else self._fresh(name)
        if op.name in self._overrides:
            attributes = {**attributes, "_gradient_op_type": self._overrides[op.name]}
        node = Node(self, full, op, attributes)
        node.inputs = tuple(inputs)
        self._check_inputs(node)
        node.outputs = self._outputs(node)
        node.control_inputs = self._control_inputs(node)
        if self._beside:
            node.colocate = self._colocation(node)
        node.device = self._device_for() if self._beside else self._device
        node.phase, node.of, node.span = self._phase, self._of, self._span
        self.nodes.append(node)
        self._by_name[full] = node
        if self.context is not None:
            self.context.take(node)
        if self._waiting is not None:
            for block in self._waiting.blocks():
                block.made.add(node)
        return node

    def _fresh(self, name: str) -> str:
        self.names.check(name)
        return self.names.unique(name)

    def _check_inputs(self, node: Node) -> None:
        for tensor in node.inputs:
            if tensor.node.graph is not self:
                raise GraphError(
                    f"{tensor.name} belongs to another graph than {node.name}.",
                    hint="Build both in the same `with tf.Graph().as_default():` block.",
                    message_zh=f"{tensor.name} 与 {node.name} 不属于同一个图。",
                    hint_zh="请在同一个 `with tf.Graph().as_default():` 代码块中构建它们。",
                    code="other_graph",
                )

    def _outputs(self, node: Node) -> tuple[Tensor, ...]:
        dtypes = node.op.output_dtypes(node.attrs)
        try:
            shapes = node.op.infer_shapes(node.inputs, node.attrs)
        except ShapeError as error:
            error.node = error.node or node.name
            raise
        if len(dtypes) == 1 and not isinstance(shapes, list):
            return (Tensor(node, 0, dtypes[0], shapes),)
        if shapes is None or len(shapes) != len(dtypes):
            shapes = [None] * len(dtypes)
        return tuple(Tensor(node, i, *pair) for i, pair in enumerate(zip(dtypes, shapes, strict=True)))

    def _control_inputs(self, node: Node) -> tuple[Node, ...]:
        """What the open blocks make this node wait for.

        A block is passed over where one of the node's inputs was made inside it (that input waits
        already), and a node that is a data input is not waited for twice.
        """
        if self._waiting is None:
            return ()
        sources = {tensor.node for tensor in node.inputs}
        found: dict[Node, None] = {}
        for block in self._waiting.blocks():
            if block.made.isdisjoint(sources):
                found.update((waited, None) for waited in block.on if waited not in sources)
        return tuple(found)

    def _device_for(self) -> str:
        """The device of the last node that it is placed beside and that has one, else the scope's own."""
        return next(
            (node.device for node in reversed(self._beside) if isinstance(node, Node) and node.device),
            self._device,
        )

    def _colocation(self, node: Node) -> tuple[str, ...]:
        names: set[str] = set()
        for beside in self._beside:
            names.update((beside,) if isinstance(beside, str) else beside.colocation_groups)
        return tuple(sorted(names))

    # -- scopes ----------------------------------------------------------------------------------

    @contextmanager
    def as_default(self) -> Iterator[Self]:
        """Make this the graph that new nodes without inputs go to."""
        token = enter_graph(self)
        try:
            yield self
        finally:
            leave_graph(token)

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Open a name scope, made unique; a name that ends in a slash enters that very scope again.

        Returns: the scope's name with a slash at its end ("" for the outermost).
        """
        outer = self.names.scope
        if not name:
            self.names.scope = ""
        elif name.endswith("/"):
            self.names.scope = name[:-1]
        else:
            self.names.scope = self._fresh(name)
        try:
            yield self.names.scope and self.names.scope + "/"
        finally:
            self.names.scope = outer

    @contextmanager
    def name_scope_kept(self, name: str | None) -> Iterator[None]:
        """Enter an existing scope by its full name with a slash; None stays where it is."""
        outer = self.names.scope
        self.names.scope = outer if name is None else name[:-1]
        try:
            yield
        finally:
            self.names.scope = outer

    @contextmanager
    def inside(self, context: Any) -> Iterator[None]:
        """Nodes made inside belong to this branch or loop."""
        outer, self.context = self.context, context
        self.out_of_order = True
        try:
            yield
        finally:
            self.context = outer

    @contextmanager
    def control_dependencies(self, on: Iterable[Any] | None) -> Iterator[None]:
        """Nodes made inside wait for these nodes or tensors; None lifts the blocks around."""
        outer, outer_context = self._waiting, self.context
        if on is None:
            self._waiting = self.context = None
        else:
            nodes = [_node_of(item) for item in on]
            self._waiting = Waiting(list(dict.fromkeys(nodes)), outer)
        try:
            yield
        finally:
            self._waiting, self.context = outer, outer_context

    @contextmanager
    def colocate_with(self, node: Node | str | None, *, alone: bool = False) -> Iterator[None]:
        """Place what is made inside beside `node` (its `_class` attribute), or beside one to come, by name.

        alone: beside nothing else; else beside what the blocks around name, too. A placement counts for
               more than a device, so the devices around do not hold inside, unless it stands alone.
        """
        outer_beside, outer_device = self._beside, self._device
        self._beside = (*(() if alone else outer_beside), *([node] if node else []))
        if not alone:
            self._device = ""
        try:
            yield
        finally:
            self._beside, self._device = outer_beside, outer_device

    @contextmanager
    def device(self, name: str | None) -> Iterator[None]:
        """Record `name` as the device of the nodes made inside; None lifts the devices around."""
        outer = self._device
        self._device = "" if name is None else merged_device(outer, name)
        try:
            yield
        finally:
            self._device = outer

    @contextmanager
    def gradient_override_map(self, rules: Mapping[str, str]) -> Iterator[None]:
        """Nodes made inside whose op type stands in `rules` take the gradient registered under that name."""
        outer = self._overrides
        self._overrides = {**outer, **rules}
        try:
            yield
        finally:
            self._overrides = outer

    @contextmanager
    def making(self, phase: str, of: Node | None = None) -> Iterator[None]:
        """Nodes made inside belong to this phase and to the gradient of this forward node.

        Once a gradient was built, whatever the program makes outside of such a block is `after`.
        """
        outer_phase, outer_of = self._phase, self._of
        self._phase, self._of = phase, of
        try:
            yield
        finally:
            self._phase = "after" if outer_phase == "forward" else outer_phase
            self._of = outer_of

    @contextmanager
    def at(self, span: Span | None) -> Iterator[None]:
        """Nodes made inside come from this stretch of source text."""
        outer, self._span = self._span, span
        try:
            yield
        finally:
            self._span = outer


def _node_of(item: Any) -> Node:
    """The node of a node, a tensor or a variable."""
    if isinstance(item, Node):
        return item
    if isinstance(item, Tensor):
        return item.node
    if isinstance(item, IndexedSlices):
        return item.values.node
    if hasattr(item, "ref"):
        ref: Tensor = item.ref
        return ref.node
    raise GraphError(
        "Control dependencies are operations and tensors.",
        message_zh="控制依赖只能是运算和张量。",
        code="bad_value",
    )


def _too_many_nodes(limit: int) -> LimitError:
    return LimitError(
        f"The graph has reached its limit of {limit} nodes.",
        hint="Build the repeated part once, outside the loop.",
        message_zh=f"图已达到 {limit} 个节点的上限。",
        hint_zh="请把重复的部分放到循环之外，只构建一次。",
        code="node_limit",
    )
