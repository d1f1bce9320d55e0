"""Following branches and loops: which values are dead, and what each turn of a loop begins with.

A Switch sends its value one way; what would come the other way is dead, and so is all that takes it.
A Merge takes the value that is alive. A loop goes on until its condition fails; then its Exits are alive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.execution.interpreter.buffers import MERGES, buffer_in, is_start_of_turns
from engine.execution.interpreter.order import ENTERS, Loop
from engine.execution.interpreter.trace import Run
from engine.graph import Node, Tensor


def dies(node: Node, trace: Run) -> bool:
    """Whether a node takes, or waits for, something dead; then it and its outputs are dead as well.

    A ControlTrigger waits for both branches, of which one is dead.
    """
    if not trace.dead or node.op.name == "ControlTrigger":
        return False
    taken = [tensor in trace.dead for tensor in node.inputs]
    dead = all(taken) if node.op.name in MERGES else any(taken)
    if dead or any(waited in trace.dead for waited in node.control_inputs):
        trace.dead.update((node, *node.outputs))
        return True
    return False


def alive(node: Node, arguments: list[Any], trace: Run) -> list[Any]:
    """The arguments; of a Merge only the one that is alive."""
    if node.op.name not in MERGES or not trace.dead:
        return arguments
    return [value for tensor, value in zip(node.inputs, arguments, strict=True) if tensor not in trace.dead]


def send(node: Node, trace: Run) -> None:
    """A Switch has run: the output that its condition does not choose is dead."""
    condition = trace.values[node.inputs[1]]
    if np.size(condition) != 1:
        raise ValueRefused(
            f"{node.name} chooses by one truth value, but its condition has {np.size(condition)} elements.",
            message_zh=f"{node.name} 按一个真假值选择，但它的条件有 {np.size(condition)} 个元素。",
            node=node.name,
        )
    chosen = int(bool(condition))
    trace.dead.add(node.outputs[1 - chosen])
    trace.dead.discard(node.outputs[chosen])


def merge(node: Node, trace: Run) -> None:
    """A Merge has run: its second output is the number of the one alive, whose memory it hands on."""
    came = next(place for place, tensor in enumerate(node.inputs) if tensor not in trace.dead)
    trace.values[node.outputs[1]] = np.asarray(came, dtype="int32")
    trace.merged[node] = buffer_in(node.inputs[came], trace)


def turns(loop: Loop, trace: Run) -> Iterator[Sequence[Node | Loop]]:
    """For each turn the steps to run; between turns the values go back to the start.

    A loop in a branch that is not taken, or beyond the last turn of another, has no turn: all of it is dead.
    """
    inside = list(loop.nodes())
    own = [step for step in loop.steps if isinstance(step, Node)]
    merges = [node for node in own if is_start_of_turns(node)]
    enters = {node for node in own if node.op.name in ENTERS}
    goes_on = next((node for node in own if node.op.name == "LoopCond"), None)
    if goes_on is None or not merges:
        raise _unfinished(own[0])
    yield [step for step in loop.steps if step in enters]
    rest = [step for step in loop.steps if step not in enters and step not in merges]
    turning = [node for node in inside if node not in enters]  # what entered dead stays so
    start = [node.inputs[0] for node in merges]
    if any(tensor in trace.dead for tensor in start):
        for node in inside:
            trace.dead.update((node, *node.outputs))
        return
    while True:
        trace.merged.update({m: buffer_in(tensor, trace) for m, tensor in zip(merges, start, strict=True)})
        for node, tensor in zip(merges, start, strict=True):
            trace.values[node.outputs[0]] = trace.values[tensor]
            trace.values[node.outputs[1]] = np.asarray(0, dtype="int32")
        for node in turning:
            trace.dead.difference_update((node, *node.outputs))
        yield rest
        if not trace.values[goes_on.outputs[0]].all():
            return
        start = [node.inputs[1] for node in merges]


def _unfinished(node: Node) -> ValueRefused:
    return ValueRefused(
        "A mistake in the program left this loop unfinished.",
        message_zh="程序中的错误使这个循环没有写完。",
        code="cannot_fetch",
        node=node.name,
    )


def untaken(tensor: Tensor) -> ValueRefused:
    """The error of a fetch of a dead value."""
    return ValueRefused(
        f"{tensor.name} belongs to the branch that was not taken in this run.",
        hint="Fetch what tf.cond returned.",
        message_zh=f"{tensor.name} 属于本次运行没有走到的分支。",
        hint_zh="请获取 tf.cond 返回的张量。",
        code="cannot_fetch",
        node=tensor.node.name,
    )
