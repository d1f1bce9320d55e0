"""Reverse mode: add to a graph the nodes of its gradient, in TensorFlow's own order and names."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from engine.errors import NoGradientError, ValueRefused
from engine.graph import Adjoint, Graph, Node, Tensor, Variable
from engine.ops.arithmetic import add_n_op
from engine.ops.arrays import fill, shape_of, zeros_like, zeros_like_op
from engine.ops.building import convert_to_tensor
from engine.ops.control import identity, tuple_of
from engine.ops.tensors import FLOATS


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    *,
    name: str = "gradients",
    gate: bool = False,
    colocate: bool = False,
    stop_gradients: Sequence[Any] | None = None,
    unconnected_gradients: str = "none",
) -> list[Tensor | None]:
    """Add to the graph the nodes that compute d(sum of ys)/dx for each x.

    Visits the nodes between xs and ys once, first in first out among those whose consumers have all
    reported; a tensor with several consumers receives the sum of their contributions. With `gate`,
    the gradients of one node are given out together, as `compute_gradients` asks for.

    Shapes:  each result is shaped like its x; grad_ys like ys (ones when omitted).
    Returns: one tensor per x, or None where no path joins x to y.
    Raises:  NoGradientError if a node on a path has no gradient rule.
    Source:  Griewank & Walther, Evaluating Derivatives, 2nd ed., ch. 3.
    """
    y_list = [_source(y) for y in _as_list(ys)]
    x_list = [_target(x) for x in _as_list(xs)]
    _check_floats(y_list)
    graph = (y_list + x_list)[0].graph
    stops = {_target(stop).node for stop in _as_list(stop_gradients or [])}
    with graph.as_default(), graph.making("gradient"):
        with graph.name_scope(name) as scope:
            graph.names.unique("uid")
            sweep = Sweep(graph, scope, y_list, x_list, stops, gate=gate, colocate=colocate)
            sweep.seed(_as_list(grad_ys) if grad_ys is not None else [None] * len(y_list))
            sweep.run()
            found = [sweep.gradient_of(x) for x in x_list]
        if unconnected_gradients == "zero":
            zeros: Any = zeros_like  # of the same concrete type as every tensor of this graph
            return [zeros(x) if g is None else g for g, x in zip(found, x_list, strict=True)]
        return found


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def _source(y: Any) -> Tensor:
    tensor = y.as_tensor() if isinstance(y, Variable) else y
    if not isinstance(tensor, Tensor):
        raise ValueRefused(
            "The ys of tf.gradients are tensors.",
            hint="Differentiate what an operation returned, not a Python number.",
            message_zh="tf.gradients 的 ys 必须是张量。",
            hint_zh="请对运算返回的张量求导，而不是 Python 数字。",
        )
    return tensor


def _target(x: Any) -> Tensor:
    """What the gradient is asked for: a variable's buffer, or the tensor itself."""
    return x.ref if isinstance(x, Variable) else _source(x)


def _check_floats(ys: Iterable[Tensor]) -> None:
    for y in ys:
        if y.dtype not in FLOATS:
            raise NoGradientError(
                f"{y.name} is {y.dtype}; only floats have gradients.",
                hint="Make it a float, for example with tf.cast(…, tf.float32) or a decimal point.",
                message_zh=f"{y.name} 的类型是 {y.dtype}；只有浮点数才有梯度。",
                hint_zh="请把它变为浮点数，例如用 tf.cast(…, tf.float32) 或写上小数点。",
                code="integer_gradient",
            )


class Sweep:
    """One backward sweep: what every tensor has received so far, and which nodes may go next."""

    def __init__(
        self,
        graph: Graph,
        scope: str,
        ys: Sequence[Tensor],
        xs: Sequence[Tensor],
        stops: set[Node],
        *,
        gate: bool,
        colocate: bool,
    ) -> None:
        self.graph = graph
        self.scope = scope
        self.ys = ys
        self.xs = xs
        self.gate = gate
        self.colocate = colocate
        self.received: dict[Tensor, list[Tensor]] = {}
        reached = _reached_from(graph, xs)
        self.between = _between(ys, reached)
        self.pending = _pending_counts(self.between)
        self.stops = _stopping_nodes(xs, stops, self.between)

    def seed(self, grad_ys: Sequence[Any]) -> None:
        """Give every y its first gradient: ones, or what the caller says."""
        for index, (y, given) in enumerate(zip(self.ys, grad_ys, strict=True)):
            start: Any
            with _maybe_colocated(self.graph, y.node, self.colocate):
                if given is None:
                    one = np.asarray(1, dtype=y.dtype)
                    start = fill(shape_of(y), convert_to_tensor(one, name=f"grad_ys_{index}"))
                else:
                    start = identity(convert_to_tensor(given, dtype=y.dtype), name=f"grad_ys_{index}")
            self._receive(y, start)

    def run(self) -> None:
        """Take the nodes in the order in which the last of their consumers has reported."""
        ready: deque[Node] = deque()
        for y in self.ys:
            if y.node in self.between and self.pending[y.node] == 0 and y.node not in ready:
                ready.append(y.node)
        while ready:
            node = ready.popleft()
            self._visit(node)
            for tensor in node.inputs:
                source = tensor.node
                if source in self.between:
                    self.pending[source] -= 1
                    if self.pending[source] == 0:
                        ready.append(source)

    def gradient_of(self, x: Tensor) -> Tensor | None:
        """What x received in all."""
        return self._aggregate(x)

    def _receive(self, tensor: Tensor, gradient: Tensor) -> None:
        self.received.setdefault(tensor, []).append(gradient)

    def _aggregate(self, tensor: Tensor) -> Tensor | None:
        """The sum of what a tensor received; several contributions become one AddN."""
        parts = self.received.get(tensor, [])
        if len(parts) > 1:
            with self.graph.name_scope(self.scope), self.graph.colocate_with(parts[0].node):
                self.received[tensor] = parts = [add_n_op(parts)]
        return parts[0] if parts else None

    def _visit(self, node: Node) -> None:
        upstream = [self._aggregate(output) for output in node.outputs]
        if all(dy is None for dy in upstream) or node in self.stops:
            return
        rule = node.op.gradient_rule
        if rule is None:
            if node.op.name in PASSES_NOTHING:
                return
            raise _no_rule(node)
        with _maybe_colocated(self.graph, node, self.colocate), self.graph.making("gradient", of=node):
            dys = [self._or_zeros(node, i, dy) for i, dy in enumerate(upstream)]
            with self.graph.name_scope(f"{node.name}_grad"):
                found = self._gated(list(rule(node, *dys)))
        self.graph.adjoints.append(Adjoint(node, tuple(dys), tuple(found)))
        self._hand_down(node, found)

    def _or_zeros(self, node: Node, index: int, dy: Tensor | None) -> Tensor:
        """An unused output of a node with several sends back zeros."""
        if dy is not None:
            return dy
        output = node.outputs[index]
        with self.graph.name_scope(self.scope):
            return zeros_like_op(output, name="zeros_like")

    def _gated(self, found: list[Any]) -> list[Any]:
        present = [gradient for gradient in found if gradient is not None]
        if self.gate and len(present) > 1:
            return tuple_of(found)
        return found

    def _hand_down(self, node: Node, found: Sequence[Any]) -> None:
        for tensor, gradient in zip(node.inputs, found, strict=True):
            if gradient is not None:
                self._receive(tensor, gradient)


PASSES_NOTHING = frozenset(
    {
        "BroadcastGradientArgs",
        "Const",
        "Equal",
        "Fill",
        "Greater",
        "GreaterEqual",
        "IsFinite",
        "Less",
        "LessEqual",
        "NoOp",
        "NotEqual",
        "Placeholder",
        "Range",
        "Rank",
        "Shape",
        "Size",
        "StopGradient",
        "VariableV2",
    }
)


def _reached_from(graph: Graph, xs: Sequence[Tensor]) -> set[Node]:
    """All nodes that some x flows into (nodes stand in order of creation, so one pass is enough)."""
    reached = {x.node for x in xs}
    for node in graph.nodes:
        if any(tensor.node in reached for tensor in node.inputs):
            reached.add(node)
    return reached


def _between(ys: Sequence[Tensor], reached: set[Node]) -> set[Node]:
    """The nodes on a path from an x to a y."""
    between: set[Node] = set()
    pending = [y.node for y in ys]
    while pending:
        node = pending.pop()
        if node in reached and node not in between:
            between.add(node)
            pending.extend(tensor.node for tensor in node.inputs)
    return between


def _pending_counts(between: set[Node]) -> Counter[Node]:
    """How many uses of each node's outputs have yet to report."""
    return Counter(tensor.node for node in between for tensor in node.inputs if tensor.node in between)


def _stopping_nodes(xs: Sequence[Tensor], stops: set[Node], between: set[Node]) -> set[Node]:
    """The xs that depend on no other x, and what the caller wants treated as constant."""
    ends = {x.node for x in xs}
    return {node for node in ends if not any(t.node in between for t in node.inputs)} | stops


def _maybe_colocated(graph: Graph, node: Node, wanted: bool) -> AbstractContextManager[None]:
    return graph.colocate_with(node) if wanted else nullcontext()


def _no_rule(node: Node) -> NoGradientError:
    reason = node.op.no_gradient or "no rule is known for it"
    return NoGradientError(
        f"{node.op.name} has no gradient: {reason}.",
        hint="Take another path from x to y, or stop the gradient on purpose with tf.stop_gradient.",
        message_zh=f"{node.op.name} 没有梯度规则。",
        hint_zh="请换一条从 x 到 y 的路径，或用 tf.stop_gradient 明确停止梯度。",
        node=node.name,
    )
