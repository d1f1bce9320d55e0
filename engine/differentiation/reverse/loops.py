"""The loops on the way of a backward sweep: which are gone through, and when each of their Exits may go."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from engine.differentiation.reverse.loop_gradients import BackwardLoop, LoopGradient
from engine.errors import NoGradientError
from engine.graph import Graph, Node, Tensor
from engine.graph.control_flow.contexts import Loop, loop_left, loop_of
from engine.ops.base.shapes import is_static
from engine.ops.common import constants, measuring

Beside = Callable[[Node], AbstractContextManager[None]]


class LoopGradients:
    """The loops that one backward sweep goes through; without any it changes nothing.

    beside: where the nodes that belong to a node of the loop are placed.
    """

    def __init__(self, graph: Graph, ys: Sequence[Tensor], between: set[Node], beside: Beside) -> None:
        self.graph = graph
        self.called_in = graph.context
        self.by_loop: dict[Loop, LoopGradient] = {}
        for node in _exits(ys, between):
            with beside(node):
                self._add(node, between)

    def _add(self, node: Node, between: set[Node]) -> None:
        loop = loop_left(node)
        if loop is None or loop in self.by_loop:
            return
        if isinstance(loop, BackwardLoop):
            raise _second_order(node)
        outer = loop_of(loop.outer)
        above = None if outer is None else self.by_loop.get(outer)
        self.by_loop[loop] = made = LoopGradient(self.graph, loop, above, self.called_in)
        between.update(end.node for end in made.exits)

    def of(self, node: Node) -> LoopGradient | None:
        """The gradient of the loop that a node stands in, or leaves."""
        loop = loop_left(node) if self.by_loop else None
        return None if loop is None else self.by_loop.get(loop)

    def backward(self, node: Node) -> AbstractContextManager[None]:
        """Where the nodes of this node's gradient are made."""
        gradient = self.of(node)
        return nullcontext() if gradient is None else self.graph.inside(gradient.backward)

    def collecting(self, node: Node) -> AbstractContextManager[None]:
        """Where the gradients that have come to this node are added up: of an Exit, outside of its loop."""
        gradient = self._around(node) if node.op.name == "Exit" else self.of(node)
        return nullcontext() if gradient is None else self.graph.inside(gradient.backward)

    def _around(self, end: Node) -> LoopGradient | None:
        """The gradient of the loop that stands around the one which this Exit leaves."""
        loop = loop_left(end)
        outer = None if loop is None else loop_of(loop.outer)
        return None if outer is None else self.by_loop.get(outer)

    @contextmanager
    def finishing(self) -> Iterator[None]:
        """A whole sweep."""
        yield
        for gradient in self.by_loop.values():
            gradient.finish()

    # -- which Exits go when -------------------------------------------------------------------------

    def unasked(self, pending: Counter[Node], ys: set[Node]) -> list[Tensor]:
        """The Exits that nothing uses, of loops all of whose other Exits are ys: they begin with zeros."""
        found: list[Tensor] = []
        for gradient in self.by_loop.values():
            for end in gradient.exits:
                if pending[end.node] == 0:
                    gradient.waiting -= 1
                    if end.node not in ys:
                        gradient.unused.append(end)
                    if gradient.waiting == 0:
                        found += gradient.unused
            for entered in gradient.forward.enters:
                pending[entered.node] = pending[entered.node] or 1
        return found

    def released(self, end: Node, received: Any) -> tuple[list[Node], list[Tensor]]:
        """An Exit has all its gradients. Returns: the Exits that go now, and those that need zeros first."""
        gradient = self.of(end)
        assert gradient is not None
        gradient.deferred.append(end.outputs[0])
        gradient.waiting -= 1
        if gradient.waiting:
            return [], []
        used = [each for each in gradient.deferred if received.get(each)]
        gradient.unused += [each for each in gradient.deferred if not received.get(each)]
        ready = [each.node for each in (*used, *gradient.unused)]
        return ready, gradient.unused if used else []

    def zeros_for_exit(self, end: Tensor) -> Tensor:
        """What an Exit that nothing uses begins with, if its loop variable is needed for another."""
        gradient = self._around(end.node)
        if gradient is None:
            return (
                constants.zeros(end.shape, end.dtype) if is_static(end.shape) else constants.zeros_like(end)
            )
        if is_static(end.shape):
            with self.graph.inside(gradient.backward):
                return constants.zeros(end.shape, end.dtype)
        with self.graph.inside(end.node.context):
            shape = measuring.shape_op(end)
        kept = gradient.remember(shape)
        with self.graph.inside(gradient.backward):
            return constants.zeros(gradient.recall(kept, shape), end.dtype)


def _exits(ys: Sequence[Tensor], between: set[Node]) -> list[Node]:
    """The Exits between, nearest to the ys first."""
    found: list[Node] = []
    seen: set[Node] = set()
    queue = deque(y.node for y in ys)
    while queue:
        node = queue.popleft()
        if node in between and node not in seen:
            seen.add(node)
            queue.extend(tensor.node for tensor in node.inputs)
            if node.op.name == "Exit":
                found.append(node)
    return found


def _second_order(node: Node) -> NoGradientError:
    return NoGradientError(
        "A gradient through tf.while_loop cannot be differentiated again, as in TensorFlow 1.",
        hint="Write the loop in Python, or as operations on arrays.",
        message_zh="与 TensorFlow 1 一样，经过 tf.while_loop 的梯度不能再次求导。",
        hint_zh="请用 Python 写循环，或写成对数组的运算。",
        node=node.name,
    )
