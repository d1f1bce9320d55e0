"""Gradients through `tf.while_loop`: a second loop that goes back through the turns of the first.

The first loop gets a counter, and a stack for each value that the gradient needs: it puts the value of
every turn there. The second loop takes as many turns and takes the values off again, last one first.
Source: TensorFlow 1.15, control_flow_state.py and control_flow_ops.py, node for node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import Graph, Node, Tensor
from engine.graph.control_flow.contexts import Branch, Context, Loop, loop_of
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import is_static
from engine.ops.common import constants, measuring
from engine.ops.control_flow import branches_and_loops as flow
from engine.ops.elementwise import arithmetic, comparison

OF_SHAPES = frozenset({"Shape", "Size", "Rank"})  # these run beside the value that they ask, turn by turn


class BackwardLoop(Loop):
    """The loop that goes backward: what it takes from the first loop comes off that one's stacks."""

    is_backward = True

    def __init__(self, graph: Graph, frame: str, outer: Context | None, gradient: LoopGradient) -> None:
        super().__init__(graph, frame, outer, gradient.forward.parallel)
        self.gradient = gradient

    def take(self, node: Node) -> None:
        """Make a new node part of this loop, or of the first one where it asks for a shape there."""
        if node.op.name in OF_SHAPES and self._is_forward(node.inputs[0]):
            node.inputs[0].node.context.take(node)
        else:
            super().take(node)

    def value(self, tensor: Tensor, user: Node | None = None) -> Tensor:
        """The tensor as it is seen in here."""
        if tensor.node not in self.own and tensor not in self.let_in and self._is_forward(tensor):
            with self.graph.name_scope_kept(f"{user.name}/" if user else None):
                self.let_in[tensor] = self.gradient.real_value(tensor)
        return super().value(tensor, user)

    def _is_forward(self, tensor: Tensor) -> bool:
        return loop_of(tensor.node.context) is self.gradient.forward

    # -- what the rules of a loop's ops ask for ----------------------------------------------------

    def came_through(self, switch: Node, after: Tensor | None, back: Tensor | None) -> Tensor | None:
        """The gradient of a loop variable at the end of a turn, from its Exit; later, from its next turn."""
        merged = self.gradient.merges.get(switch)
        if merged is not None:
            if back is not None:
                flow.back_edge(merged, flow.next_iteration(back))
            return None
        if after is not None:
            self.gradient.merges[switch] = flow.merge.node([after, after], name="b_switch").outputs[0]
        return self.gradient.merges.get(switch)

    def recalled(self, pred: Tensor) -> Tensor:
        """Which branch of a `cond` inside the loop was taken in the turn that is gone through."""
        return self.gradient.real_value(pred)

    def add_up(self, source: Tensor, dy: Any) -> Tensor:
        """The sum over all turns of the gradients of something that is the same in each."""
        dy = convert_to_tensor(dy)
        with self.graph.inside(self.outer):
            if is_static(dy.shape):
                start = convert_to_tensor(np.zeros(dy.shape, dy.dtype), name="b_acc")
            else:
                start = constants.zeros(measuring.shape_op(source, name="Shape"), dy.dtype)
        entered = self.enter(start, name="b_acc")
        merged = flow.merge.node([entered, entered], name="b_acc").outputs[0]
        done, turn = flow.switch.node(merged, self.more).outputs
        flow.back_edge(merged, flow.next_iteration(arithmetic.add(turn, dy)))
        return self.leave(done, name="b_acc")


class LoopGradient:
    """What belongs to the gradient of one loop: both loops, their counters, and the values remembered.

    known:   the values of the first loop, as the second has them.
    merges:  for each Switch of a loop variable, the Merge that its gradient goes round through.
    waiting: how many Exits have yet to report; deferred: those that have; unused: those without a use.
    """

    backward: BackwardLoop
    forward_step: Tensor  # the counters on their way into the next turn
    backward_step: Tensor

    def __init__(
        self, graph: Graph, forward: Loop, outer: LoopGradient | None, called_in: Context | None
    ) -> None:
        self.graph = graph
        self.forward = forward
        self.outer = outer
        self.called_in = called_in
        self.known: dict[Tensor, Tensor] = {}
        self.merges: dict[Node, Tensor] = {}
        self.exits = list(forward.exits)
        self.waiting = len(self.exits)
        self.deferred: list[Tensor] = []
        self.unused: list[Tensor] = []
        self._syncs: dict[Loop, Node] = {}
        with graph.inside(forward.outer):
            turns = self._count_turns()
        count = turns
        if outer is not None:
            kept = outer.remember(turns)
        with graph.inside(forward.outer if outer is None else outer.backward):
            around = forward.outer if outer is None else outer.backward
            self.backward = BackwardLoop(graph, graph.names.unique(forward.frame), around, self)
            if outer is not None:
                count = outer.recall(kept, turns)
            self._count_back(count)

    def _count_turns(self) -> Tensor:
        """The first loop counts its turns. Returns: how many there were."""
        zero = constants.constant(0, name="f_count")
        if self.outer is not None:
            _wait(zero.node, self.outer.forward_step.node.inputs[0].node)
        entered = self.forward.enter(zero, name="f_count")
        with self.graph.inside(self.forward):
            merged = flow.merge([entered, entered])
            done, turn = flow.switch.node(merged, self.forward.more).outputs
            self.forward_step = flow.next_iteration(arithmetic.add(turn, 1))
        flow.back_edge(merged, self.forward_step)
        return self.forward.leave(done, name="f_count")

    def _count_back(self, turns: Tensor) -> None:
        """The second loop goes on while there are turns left."""
        loop, one = self.backward, constants.constant(1, name="b_count")
        entered = loop.enter(turns, name="b_count")
        with self.graph.control_dependencies(None):
            merged = flow.merge([entered, entered])
        loop.keep(merged.node)
        loop.pivot = merged
        with self.graph.inside(loop):
            loop.more = flow.loop_cond(comparison.greater_equal(merged, one), name="b_count")
            done, turn = flow.switch.node(merged, loop.more).outputs
            loop.pivot = arithmetic.sub(turn, one)
            self.backward_step = flow.next_iteration(loop.pivot)
        flow.back_edge(merged, self.backward_step)
        end = loop.leave(done, name="b_count")
        if self.outer is not None:
            _wait(self.outer.sync(self.outer.backward), end.node)

    def sync(self, loop: Loop) -> Node:
        """The node that holds back a loop's next turn until all pushes, or pops, of this one are done."""
        if loop not in self._syncs:
            first = loop is self.forward
            with self.graph.control_dependencies(None):
                self._syncs[loop] = flow.control_trigger.node(name="f_sync" if first else "b_sync")
            loop.keep(self._syncs[loop])
            _wait((self.forward_step if first else self.backward_step).node, self._syncs[loop])
        return self._syncs[loop]

    # -- values of earlier turns -------------------------------------------------------------------

    def real_value(self, value: Tensor) -> Tensor:
        """A value of the first loop, as it was in the turn that the second one goes through."""
        if value not in self.known:
            self.known[value] = self._found(value)
        return self.known[value]

    def _found(self, value: Tensor) -> Tensor:
        at: LoopGradient = self
        while (source := _the_same_in_every_turn(value)) is not None:
            value = source
            if at.outer is None:
                return self.backward.value(value)
            at = at.outer
        if value.node.op.name == "Const":
            return constants.constant(value.node.attrs["value"], dtype=value.dtype)
        with self.graph.inside(self.called_in):
            kept = at.remember(value)
        with self.graph.inside(self.backward):
            real = at.recall(kept, value)
            return real if at is self else self.backward.value(real)

    def remember(self, value: Tensor, *, untaken: bool = False) -> Tensor:
        """A stack that the first loop puts this value on in every turn."""
        here, context = self.graph.context, value.node.context
        with self.graph.control_dependencies(None):
            with self.graph.inside(here), self.graph.colocate_with(value.node):
                size = constants.constant(-1)
                stack = flow.stack(size, elem_type=value.dtype, name="f_acc")
            entered = self.forward.value(stack)
            with self.graph.inside(context.outer if untaken else context):
                push = flow.stack_push(entered, value).node
        if context is self.forward:
            _wait(self.forward_step.node, push)
        else:
            _wait(self.sync(self.forward), push)
        _wait(push, self.forward_step.node.inputs[0].node)
        return stack

    def recall(self, kept: Tensor, value: Tensor, *, untaken: bool = False) -> Tensor:
        """The last value on the stack; of a branch, only where that branch was taken."""
        branch = _branch_around(value.node.context, kept.node.context)
        with self.graph.control_dependencies(None), self.graph.inside(self.backward):
            if branch is not None:
                side = 1 - branch.branch if untaken else branch.branch
                kept = flow.switched(kept, self._pred_of(branch))[side]
            popped = flow.stack_pop(kept, elem_type=value.dtype)
            popped.shape = value.shape
        _wait(self.sync(self.backward), popped.node)
        return popped

    def _pred_of(self, branch: Branch) -> Tensor:
        at: LoopGradient | None = self
        while at is not None:
            if branch.pred in at.known:
                return at.known[branch.pred]
            at = at.outer
        return branch.pred

    # -- zeros ---------------------------------------------------------------------------------------

    def zeros_like(self, node: Node, index: int) -> Tensor:
        """What an output that nothing used sends back, in the turn that is gone through."""
        output, is_branch = node.outputs[index], node.op.name in ("Switch", "RefSwitch")
        if is_static(output.shape):
            zeros: Tensor = constants.constant(np.zeros(output.shape, output.dtype))
            if not is_branch:
                return zeros
            untaken: int = 1 - node.context.branch
            return flow.switched(zeros, self._pred_of(node.context))[untaken]
        with self.graph.inside(node.context.outer if is_branch else node.context):
            if is_branch:
                output = flow.switched(node.inputs[0], node.context.pred)[1 - node.context.branch]
            shape = measuring.shape_op(output)
        if is_branch:
            output.node.context = shape.node.context = node.context
        with self.graph.inside(self.called_in):
            kept = self.remember(shape, untaken=is_branch)
        return constants.zeros(self.recall(kept, shape, untaken=is_branch), output.dtype)

    def finish(self) -> None:
        """Loop variables whose gradient does not go through a turn begin each turn with zeros."""
        for merged in self.merges.values():
            first, back = merged.node.inputs
            if first is back:
                with self.graph.inside(self.backward):
                    zeros = self._zeros_to_start(first)
                    flow.back_edge(merged, flow.next_iteration(zeros))

    def _zeros_to_start(self, first: Tensor) -> Tensor:
        if is_static(first.shape):
            return constants.constant(np.zeros(first.shape, first.dtype))
        with self.graph.inside(self.backward.outer):
            return constants.zeros(measuring.shape_op(first.node.inputs[0]), first.dtype)


def _the_same_in_every_turn(value: Tensor) -> Tensor | None:
    """What stands outside of the loop for a value that no turn changes, else None."""
    node = value.node
    while node.op.name in ("Identity", "Switch", "RefSwitch"):
        node = node.inputs[0].node
    return node.inputs[0] if node.op.name == "Enter" and node.attrs["is_constant"] else None


def _wait(node: Node, for_: Node) -> None:
    """One more node that a node waits for."""
    node.control_inputs = (*node.control_inputs, for_)


def _branch_around(context: Context | None, outermost: Context | None) -> Branch | None:
    while context is not None and context is not outermost:
        if isinstance(context, Branch):
            return context
        context = context.outer
    return None
