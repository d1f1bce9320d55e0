"""The one intermediate representation: the graph that TensorFlow 1.15 would have built.

Every dialect builds it and everything else reads it. Nodes stand in order of creation; each knows its
inputs, its control inputs, the phase that made it, the forward node whose gradient it belongs to, and
the stretch of source text that it comes from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Self

from engine.errors import GradlensError, GraphError, LimitError, ShapeError, quoted
from engine.graph.lazy_nodes import LARGEST, NUMBERS, Place, Promise, Recipe, Unmade, collector_at_rest
from engine.graph.names import Names
from engine.graph.surroundings import Surroundings, Waiting
from engine.ops.base.building import attributes_of, default_float_now, enter_graph, leave_graph
from engine.ops.base.definition import OpDef
from engine.ops.base.tensors import FLOATS, Node, Shape, Tensor

MANY = 1000  # promises that are made at once


@dataclass(frozen=True, slots=True)
class Adjoint:
    """One visit of a backward sweep, kept so that the sweep can be told step by step.

    upstream: the gradient that each output of the forward node received.
    passed:   what its rule gave to each input; None where nothing was passed on.
    """

    node: Node
    upstream: tuple[Tensor, ...]
    passed: tuple[Tensor | None, ...]


class Graph(Surroundings):
    """Nodes in order of creation, and the scopes that new ones are made in."""

    release = 1  # of TensorFlow whose gradient rules hold

    def __init__(self, *, default_float: str | None = None, node_limit: int | None = None) -> None:
        super().__init__()
        self.default_float = default_float or default_float_now()
        self._nodes: list[Node] = []
        self._adjoints: list[Adjoint] = []
        self._promises: list[
            Any
        ] = []  # whatever has a method `make` and says how many nodes that adds, in order
        self._surely = 0  # so many nodes and promises fit without counting what the promises come to
        self._settling = self._sweep_promised = False
        self._kinds: dict[Any, tuple[Mapping[str, Any], str, Shape]] = {}
        self.collections: dict[str, list[Any]] = {}
        self.broadcast_cache: dict[tuple[Shape, Shape], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.reduction_cache: dict[tuple[Any, Any], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self.gradient_rules: MutableMapping[str, Any] = {}
        self.seed: int | None = None
        self._node_limit = sys.maxsize if node_limit is None else node_limit
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
        self.settle()
        return self._nodes

    @property
    def adjoints(self) -> list[Adjoint]:
        """The visits of all backward sweeps, in order."""
        self.settle()
        return self._adjoints

    @adjoints.setter
    def adjoints(self, adjoints: list[Adjoint]) -> None:
        self._adjoints = adjoints

    @property
    def names(self) -> Names:
        """The names in use."""
        self.settle()
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
        if not op.writes:
            return self._add_node(op, inputs, attributes, name)
        with ExitStack() as places:
            for written in op.writes:
                places.enter_context(self.colocate_with(inputs[written].node))
            return self._add_node(op, inputs, attributes, name)

    def _add_node(
        self, op: OpDef, inputs: Sequence[Tensor], attributes: Mapping[str, Any], name: str
    ) -> Node:
        if self._promises:
            self.settle()
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
        if self._beside:
            node.colocate = self._colocation(node)
        node.device = self._device_for() if self._beside else self._device
        node.phase, node.of, node.span = self._phase, self._of, self._span
        self._nodes.append(node)
        if self.context is not None:
            self.context.take(node)
        if self._waiting is not None:
            for block in self._waiting.blocks():
                block.made.add(node)
        return node

    def put(
        self, name: str, op: OpDef, attrs: Mapping[str, Any], inputs: tuple[Tensor, ...], place: Place
    ) -> Node:
        """Add a node of which everything is known and right already, but for its outputs."""
        node = Node(self, len(self._nodes), name, op, attrs)
        node.inputs = inputs
        node.phase, node.of, node.span, node.device = place.phase, place.of, place.span, place.device
        self._nodes.append(node)
        return node

    # -- promising -------------------------------------------------------------------------------

    def promise(
        self,
        op: OpDef,
        base: str,
        first: Tensor,
        second: Tensor | None = None,
        number: Any = None,
        place: int | None = None,
    ) -> Tensor | None:
        """The output of a node to come, or None where the node has to be made at once.

        base:   its name, before it is made unique.
        first, second: the operands that are tensors.
        number: the operand at `place` where that is a plain number, which becomes a constant.
        """
        key: tuple[Any, ...]
        if second is not None:
            key = (op, base, first.dtype, first.shape, second.dtype, second.shape, first is second)
            if second.graph is not self:
                return None
        elif place is None:
            key = (op, base, first.dtype, first.shape)
        else:
            key = (op, base, first.dtype, first.shape, type(number), place)
            if type(number) not in NUMBERS or not -LARGEST < number < LARGEST:
                return None
        recipe = self._recipes_here.get(key) or self._recipe(key, first, second, place)
        if recipe is None or first.graph is not self:
            return None
        promises = self._promises
        index = len(self._nodes) + len(promises)
        if index >= self._surely and not self._fits(recipe.nodes):
            return None
        promised: Promise = Promise()
        promised.graph = self
        promised.dtype = recipe.dtype
        promised.shape = recipe.shape
        promised.recipe = recipe
        promised.place = index
        promised.first = first
        promised.second = second
        promised.number = number
        promises.append(promised)
        return promised

    def _fits(self, nodes: int) -> bool:
        """Whether a promise of so many nodes is within the budget.

        A promise of the operators is one or two, so it need not be asked again for half as many promises.
        """
        room = self._node_limit - self._count
        self._surely = len(self._nodes) + len(self._promises) + room // 2
        return nodes <= room

    def _recipe(
        self, key: tuple[Any, ...], first: Tensor, second: Tensor | None, number: int | None
    ) -> Recipe | None:
        """A new recipe for the present place; None where something around has a say in each node.

        key: what it will be found by: the op, the base of its name, what is asked of the operands, and
             whether both are one tensor, since a square has another gradient than a product.
        number: which operand is a plain number.
        """
        if not self.is_plain_here or self._phase == "gradient" or self._settling:
            return None
        op, base = key[:2]
        if key not in self._kinds:
            operands = [first] if second is None else [first, second]
            if number is not None:
                if first.dtype not in FLOATS:
                    return None
                operands.insert(number, Unmade(self, first.dtype, ()))
            try:
                attrs: Mapping[str, Any] = attributes_of(op, operands, {})
                self._kinds[key] = attrs, op.output_dtypes(attrs)[0], op.infer_shapes(operands, attrs)
            except GradlensError:
                return None  # the ordinary way says what is wrong, and where
        attrs, dtype, shape = self._kinds[key]
        recipe = Recipe(op, base, attrs, dtype, shape, number, 1 if number is None else 2, self.here())
        self._recipes_here[key] = recipe
        return recipe

    def take_promise(self, promise: Any) -> None:
        """Take what has a method `make` that adds a gradient, and says of how many nodes."""
        self._promises.append(promise)
        self._surely, self._sweep_promised = 0, True
        self.leave_forward()

    @property
    def _count(self) -> int:
        """How many nodes there are, promised ones included."""
        promised: int = sum(promise.count for promise in self._promises)
        return len(self._nodes) + promised

    def has_room_for(self, count: int) -> bool:
        """Whether so many nodes more are within the budget."""
        fits = len(self._nodes) + len(self._promises) + count // 2 < self._surely
        return fits or self._count + count <= self._node_limit

    def has_at_least(self, count: int) -> bool:
        """Whether there are so many nodes, promised ones included."""
        return len(self._nodes) + len(self._promises) >= count or self._count >= count

    def makers(self) -> tuple[list[Node], list[Promise]]:
        """What tensors come from, in order of creation: the nodes made, and the promises that follow them."""
        if self._sweep_promised:
            self.settle()
        return self._nodes, self._promises

    def settle(self) -> None:
        """Make every node that was promised."""
        if not self._promises:
            return
        promises, self._promises = self._promises, []
        self._settling, self._sweep_promised = True, False
        scope = self._names.scope
        try:
            with collector_at_rest() if len(promises) > MANY else nullcontext():
                for promised in promises:
                    promised.make()
        finally:
            self._names.scope, self._settling = scope, False

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
            return (Tensor(node, 0, node.attrs.get(kind, kind), shapes),)
        dtypes = node.op.output_dtypes(node.attrs)
        if shapes is None or len(shapes) != len(dtypes):
            shapes = [None] * len(dtypes)
        return tuple(Tensor(node, i, *pair) for i, pair in enumerate(zip(dtypes, shapes, strict=True)))

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


def _too_many_nodes(limit: int) -> LimitError:
    return LimitError(
        f"The graph has reached its limit of {limit} nodes.",
        hint="Build the repeated part once, outside the loop.",
        message_zh=f"图已达到 {limit} 个节点的上限。",
        hint_zh="请把重复的部分放到循环之外，只构建一次。",
        code="node_limit",
    )
