"""Inside a branch or a loop: what comes from outside is let in, and what has no input waits for its turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from engine.ops.base.tensors import Node, Tensor
from engine.ops.common.passing import identity
from engine.ops.control_flow import branches_and_loops as flow


class Context(ABC):
    """One branch of a `cond`, or one loop, while its nodes are made."""

    is_loop = False
    is_backward = False  # whether it is the loop of a gradient

    def __init__(self, graph: Any, pivot: Tensor, outer: Context | None) -> None:
        self.graph = graph
        self.pivot = pivot
        self.outer = outer
        self.own: set[Node] = set()
        self.let_in: dict[Tensor, Tensor] = {}

    def take(self, node: Node) -> None:
        """Make a new node part of this context."""
        node.inputs = tuple(self.value(tensor, node) for tensor in node.inputs)
        loop, outside = loop_of(self), list[Node]()
        if loop is not None:
            outside = [waited for waited in node.control_inputs if waited not in loop.own]
            node.control_inputs = tuple(waited for waited in node.control_inputs if waited in loop.own)
        waits = any(waited in self.own for waited in node.control_inputs)
        if not waits and not any(self._comes_each_time(tensor) for tensor in node.inputs):
            node.control_inputs = (*node.control_inputs, self.pivot.node)
        self.keep(node)
        if isinstance(self, Loop):
            self.wait_outside(node, outside)

    def value(self, tensor: Tensor, user: Node | None = None) -> Tensor:
        """The tensor as it is seen in here; let in, where it comes from outside, in the scope of its user."""
        if tensor.node in self.own:
            return tensor
        if tensor not in self.let_in:
            outside = self.outer.value(tensor, user) if self.outer else tensor
            scope = f"{user.name}/" if user else None
            with self.graph.control_dependencies(None), self.graph.name_scope_kept(scope):
                self._let_in(tensor, outside)
            if isinstance(self, Loop):
                self.wait_before(self.let_in[tensor].node)
        return self.let_in[tensor]

    def result(self, tensor: Tensor) -> Tensor:
        """What a branch returns, seen from in here; what comes from outside is let in like an own op."""
        if tensor.node not in self.own and tensor not in self.let_in:
            with self.graph.inside(None):
                self._let_in(tensor, self.outer.value(tensor) if self.outer else tensor)
        return self.value(tensor)

    def _let_in(self, tensor: Tensor, outside: Tensor) -> None:
        inside = self._enter(outside)
        self.keep(inside.node)
        self.let_in[tensor] = inside

    def _comes_each_time(self, tensor: Tensor) -> bool:
        """Whether this input makes its user wait for the branch or the turn."""
        return True

    def keep(self, node: Node) -> None:
        """The node stands in here, and so in all that is around."""
        node.context = self
        around: Context | None = self
        while around is not None:
            around.own.add(node)
            around = around.outer

    @abstractmethod
    def _enter(self, tensor: Tensor) -> Tensor:
        """Let a tensor from outside in."""


class Branch(Context):
    """One side of a `cond`: values come in through a Switch. branch: 1 where pred holds, else 0."""

    def __init__(self, graph: Any, pred: Tensor, pivot: Tensor, branch: int, outer: Context | None) -> None:
        super().__init__(graph, pivot, outer)
        self.pred = pred
        self.branch = branch
        self.own |= {pred.node, pivot.node}

    def _enter(self, tensor: Tensor) -> Tensor:
        if flow.is_reference(tensor):
            return flow.ref_switched(tensor, self.pred)[self.branch]
        return flow.switched(tensor, self.pred)[self.branch]


class Loop(Context):
    """A loop: values come in through an Enter and are the same in every turn.

    pivot:  what a node without inputs of its own waits for, so that it runs in every turn.
    parallel: how many turns TensorFlow may have under way at once; here they come one after the other.
    more:   the LoopCond, whether there is another turn.
    enters: the loop variables on their way in; exits: on their way out.
    """

    is_loop = True

    def __init__(self, graph: Any, frame: str, outer: Context | None, parallel: int = 10) -> None:
        self.frame = frame
        self.parallel = parallel
        self.graph = graph
        self.outer = outer
        self.own = set()
        self.let_in = {}
        self.more: Tensor | None = None
        self.enters: list[Tensor] = []
        self.exits: list[Tensor] = []

    def _comes_each_time(self, tensor: Tensor) -> bool:
        return not (tensor.node.op.name in ("Enter", "RefEnter") and tensor.node.attrs["is_constant"])

    def enter(self, tensor: Tensor, name: str = "Enter") -> Tensor:
        """A loop variable on its way in."""
        with self.graph.control_dependencies(None):
            inside = flow.enter(tensor, frame_name=self.frame, parallel_iterations=self.parallel, name=name)
        self.keep(inside.node)
        self.wait_before(inside.node)
        self.enters.append(inside)
        return inside

    def wait_before(self, node: Node) -> None:
        """Let what brings a value in wait for what the blocks around the loop wait for."""
        around = list(self._between())
        waited = [one for one in self.graph.waited_for(node) if one.context in around]
        node.control_inputs = (*node.control_inputs, *waited)

    def _between(self) -> Iterator[Context | None]:
        """What is around, as far as the next loop."""
        around = self.outer
        while around is not None and not around.is_loop:
            yield around
            around = around.outer
        yield around

    def wait_outside(self, node: Node, waited: Sequence[Node]) -> None:
        """Let a node in here wait for nodes outside, by an Identity of each, as TensorFlow does.

        One without outputs is done before the first turn.
        """
        outputs = [one.outputs[0] for one in waited if one.outputs]
        if outputs:
            with self.graph.control_dependencies(None), self.graph.inside(self):
                brought = [identity(output).node for output in outputs]
            node.control_inputs = (*node.control_inputs, *brought)

    def leave(self, tensor: Tensor, name: str = "Exit") -> Tensor:
        """A loop variable on its way out."""
        with self.graph.inside(None):
            end = flow.exit_op(tensor, name=name)
        if self.outer is not None:
            self.outer.keep(end.node)
        self.exits.append(end)
        return end

    def _enter(self, tensor: Tensor) -> Tensor:
        if flow.is_reference(tensor):
            return flow.ref_entered(tensor, self.frame, self.parallel)
        frame = {"frame_name": self.frame, "parallel_iterations": self.parallel}
        return flow.enter(tensor, is_constant=True, name="Enter", **frame)


def loop_of(context: Context | None) -> Loop | None:
    """The innermost loop that a context is, or stands in."""
    while context is not None and not isinstance(context, Loop):
        context = context.outer
    return context


def loop_left(node: Node) -> Loop | None:
    """The loop that an Exit leaves; of any other node the innermost loop that it stands in."""
    return loop_of(node.inputs[0].node.context if node.op.name == "Exit" else node.context)
