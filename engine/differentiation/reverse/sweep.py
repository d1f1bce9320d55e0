"""Reverse mode: one visit of each node between xs and ys, in TensorFlow's own order and names."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from engine.differentiation.reverse.aggregation import Gradient, total
from engine.differentiation.reverse.counting import pending_counts, stopping_nodes
from engine.differentiation.reverse.loops import LoopGradients
from engine.errors import NoGradientError, ShapeError, quoted
from engine.graph import Adjoint, Graph, Node, Tensor
from engine.graph.reachability import between
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import REGISTRY
from engine.ops.base.shapes import merge, written
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import FLOATS
from engine.ops.common.constants import fill
from engine.ops.common.measuring import shape_of
from engine.ops.common.passing import identity, tuple_of
from engine.ops.control_flow.branches_and_loops import is_loop_switch, zeros_for_output


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
        method: int,
    ) -> None:
        self.graph = graph
        self.scope = scope
        self.ys = ys
        self.gate = gate
        self.colocate = colocate
        self.method = method
        self.received: dict[Tensor, list[Gradient]] = {}
        self.between = between(graph, [x.node for x in xs], [y.node for y in ys], FLOATS)
        self.stops = stopping_nodes(xs, stops, self.between)

    def seed(self, grad_ys: Sequence[Any]) -> None:
        """Give every y its first gradient: ones, or what the caller says."""
        for index, (y, given) in enumerate(zip(self.ys, grad_ys, strict=True)):
            with self._beside(y.node):
                self._receive(y, first_gradient(y, given, f"grad_ys_{index}"))

    def run(self) -> None:
        """Take the nodes in the order in which the last of their consumers has reported."""
        self.loops = LoopGradients(self.graph, self.ys, self.between, self._beside)
        pending = pending_counts(self.between)
        first = dict.fromkeys(y.node for y in self.ys if y.node in self.between)
        ready = deque(node for node in first if pending[node] == 0)
        unasked = self.loops.unasked(pending, set(first))
        ready.extend(self._with_zeros(unasked))
        with self.loops.finishing():
            while ready:
                node = ready.popleft()
                self._visit(node)
                for tensor in node.inputs:
                    pending[tensor.node] -= 1
                    ready.extend(self._released(tensor.node, pending[tensor.node]))

    def _released(self, node: Node, pending: int) -> Iterable[Node]:
        """What may go, once one more use of this node has reported and so many have yet to.

        The Switch of a loop variable goes twice. A loop's Exits go together.
        """
        if pending and not (pending > 0 and self.loops.of(node) and is_loop_switch(node)):
            return []
        if node.op.name != "Exit":
            return [node]
        ends, unused = self.loops.released(node, self.received)
        self._with_zeros(unused)
        return ends

    def _with_zeros(self, ends: Iterable[Tensor]) -> list[Node]:
        """The Exits that nothing uses, each given zeros for a gradient."""
        ends = [end for end in ends if end.dtype in FLOATS]
        for end in ends:
            with self.graph.name_scope(self.scope):
                self._receive(end, self.loops.zeros_for_exit(end))
        return [end.node for end in ends]

    def total(self, tensor: Tensor) -> Gradient | None:
        """What a tensor received in all, added up once."""
        parts = self.received.get(tensor)
        if not parts:
            return None
        if len(parts) > 1:
            with self.graph.name_scope(self.scope):
                summed = total(self.graph, parts, self.method, tensor.node.name)
                parts[:] = [] if summed is None else [summed]
        return parts[0]

    def _receive(self, tensor: Tensor, gradient: Gradient) -> None:
        self.received.setdefault(tensor, []).append(gradient)

    def _visit(self, node: Node) -> None:
        with self._beside(node):
            with self.loops.collecting(node):
                upstream = [self.total(output) for output in node.outputs]
            if all(dy is None for dy in upstream) or node in self.stops:
                return
            rule = _rule_of(node)
            if rule is None:
                return
            with self.loops.backward(node), self.graph.making("gradient", of=node):
                dys = [self._or_zeros(node, i, dy) for i, dy in enumerate(upstream)]
                with self.graph.name_scope(f"{node.name}_grad"):
                    found = self._gated(node, list(rule(node, *dys)))
        for tensor, gradient in zip(node.inputs, found, strict=True):
            if gradient is not None:
                _take_shape(node, tensor, gradient)
                self._receive(tensor, gradient)
        self.graph.adjoints.append(Adjoint(node, tuple(dys), tuple(found)))

    def _or_zeros(self, node: Node, index: int, dy: Gradient | None) -> Any:
        """An unused float output of a node with several sends back zeros."""
        if dy is not None or node.outputs[index].dtype not in FLOATS:
            return dy
        if is_loop_switch(node):
            return None
        loop = self.loops.of(node)
        with self.graph.name_scope(self.scope):
            return zeros_for_output(node, index) if loop is None else loop.zeros_like(node, index)

    def _gated(self, node: Node, found: list[Any]) -> list[Any]:
        """With gating, none of a node's gradients is given out before all are there."""
        if not self.gate or sum(gradient is not None for gradient in found) < 2:
            return found
        with self.graph.device(None), self.graph.colocate_with(None, alone=True):
            return tuple_of(found)

    def _beside(self, node: Node) -> AbstractContextManager[None]:
        return self.graph.colocate_with(node) if self.colocate else nullcontext()


def first_gradient(y: Tensor, given: Any, name: str) -> Gradient:
    """What a y begins with: ones, or what the caller gives."""
    if given is None:
        one = np.asarray(1, dtype=y.dtype)
        return fill(shape_of(y), convert_to_tensor(one, name=name))
    if isinstance(given, IndexedSlices):
        values = identity(given.values, name=f"{name}_values")
        return IndexedSlices(values, identity(given.indices, name=f"{name}_indices"), given.dense_shape)
    return identity(given, name=name)


def _rule_of(node: Node) -> Callable[..., Any] | None:
    """The rule of a node's op, or the one that the program put in its place; None where a path ends.

    Raises: NoGradientError for an op that says why it has none.
    """
    override = node.attrs.get("_gradient_op_type")
    if override is not None:
        rule: Callable[..., Any] | None = node.graph.gradient_rules.get(override) or _rule_of_op(override)
        if rule is None:
            raise _unknown_rule(node, override)
        return rule
    if node.op.gradient_rule is None and not node.op.ends_path:
        raise _no_rule(node)
    found: Callable[..., Any] | None = node.op.gradient_rule
    return found


def _rule_of_op(name: str) -> Callable[..., Any] | None:
    """The rule of the op of this name, borrowed by another: a Sign that passes gradients as Identity does."""
    return REGISTRY[name].gradient_rule if name in REGISTRY else None


def _take_shape(node: Node, tensor: Tensor, gradient: Gradient) -> None:
    """A gradient is shaped like its tensor, so what is known of either shape holds for both.

    Raises: ShapeError where they contradict each other.
    """
    if not isinstance(gradient, Tensor) or gradient.shape == tensor.shape:
        return
    try:
        gradient.shape = merge(gradient.shape, tensor.shape)
    except ShapeError:
        raise ShapeError(
            f"The gradient of {node.op.name} towards {tensor.name} has the shape {written(gradient.shape)}, "
            f"but {tensor.name} has {written(tensor.shape)}.",
            hint="A gradient has the shape of what it belongs to; reduce it to that shape.",
            message_zh=f"{node.op.name} 对 {tensor.name} 的梯度形状为 {written(gradient.shape)}，"
            f"而 {tensor.name} 的形状为 {written(tensor.shape)}。",
            hint_zh="梯度的形状必须与它所属的张量相同；请把它归约到该形状。",
            node=node.name,
        ) from None


def _no_rule(node: Node) -> NoGradientError:
    return NoGradientError(
        f"{node.op.name} has no gradient: {node.op.no_gradient}.",
        hint="Take another path from x to y, or stop the gradient on purpose with tf.stop_gradient.",
        message_zh=f"{node.op.name} 没有梯度：{node.op.no_gradient_zh}。",
        hint_zh="请换一条从 x 到 y 的路径，或用 tf.stop_gradient 明确停止梯度。",
        node=node.name,
    )


def _unknown_rule(node: Node, name: str) -> NoGradientError:
    return NoGradientError(
        f"No gradient is registered under the name {quoted(name)}, which {node.name} asks for.",
        hint=f"Define it first: @tf.RegisterGradient({quoted(name)}) above a function of (op, grad).",
        message_zh=f"没有以 {quoted(name)} 为名注册的梯度，而 {node.name} 需要它。",
        hint_zh=f"请先定义：在形如 (op, grad) 的函数上方写 @tf.RegisterGradient({quoted(name)})。",
        node=node.name,
    )
