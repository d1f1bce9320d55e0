"""Whose memory a tensor is: TensorFlow hands on a variable's buffer where it can, and does not copy it.

`w/read`, a Reshape of it and what an update returns are the buffer of w itself, and so show every later
update. Where a branch ends or a loop's turn begins, a Merge passes on one of its inputs; of which variable
that is the buffer, only the run says (`Run.merged`).
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.execution.interpreter.trace import Run
from engine.graph import Node, Tensor

PASSED_ON = frozenset({"Identity", "Enter", "RefEnter", "RefSwitch", "Switch"})  # hand on the very buffer
SHARING = frozenset(
    {"ExpandDims", "PreventGradient", "Reshape", "Squeeze", "StopGradient"}
)  # give a view of it
BETWEEN_TURNS = frozenset({"Exit", "NextIteration"})  # of a loop: these hand on what a turn has left
MERGES = ("Merge", "RefMerge")


def written_by(node: Node) -> frozenset[Node]:
    """The variables that a node gives new values."""
    return frozenset(written_at(node, index) for index in node.op.writes)


def written_at(node: Node, index: int) -> Node:
    """The variable that a node writes through this input, which may have come into a branch."""
    variable = variable_behind(node.inputs[index])
    assert variable is not None  # only references are written
    return variable


def variable_behind(tensor: Tensor) -> Node | None:
    """The variable whose buffer a tensor is, or passes on as it is, into a branch too; else None."""
    node = tensor.node
    while node.op.name in PASSED_ON:
        node = node.inputs[0].node
    return node if node.op.name == "VariableV2" else None


def buffer_behind(tensor: Tensor) -> Node | None:
    """The variable whose memory a tensor is in every run, as a view or returned by an update; else None."""
    return _owner(_source(tensor))


def buffers_behind(tensor: Tensor) -> frozenset[Node]:
    """The variables whose memory a tensor may be: through branches and turns of loops, one of several."""
    return frozenset(owner for node in way_back(tensor) if (owner := _owner(node)))


def is_merged(tensor: Tensor) -> bool:
    """Whether a branch or a turn of a loop decides if a tensor is a variable's memory, and of which."""
    return _source(tensor).op.name in MERGES and bool(buffers_behind(tensor))


def buffer_in(tensor: Tensor, run: Run) -> Node | None:
    """The variable whose memory a tensor is at this point of a run; None for a value of its own."""
    source = _source(tensor)
    return run.merged.get(source) if source.op.name in MERGES else _owner(source)


def is_in_a_turn(tensor: Tensor) -> bool:
    """Whether a tensor is what a turn of a loop began with, and has not left the loop."""
    node = tensor.node
    while node.op.name in PASSED_ON or node.op.name in SHARING:
        node = node.inputs[0].node
    return is_start_of_turns(node)


def is_start_of_turns(node: Node) -> bool:
    """Whether this is the Merge with which each turn of a loop begins."""
    back: str = node.inputs[-1].node.op.name if node.op.name == "Merge" else ""
    return back == "NextIteration"


def way_back(tensor: Tensor) -> Iterator[Node]:
    """The nodes through which its memory may have come, up to those that made it."""
    seen: set[Node] = set()
    pending = [tensor.node]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            yield node
            if node.op.name in MERGES:
                pending += [source.node for source in node.inputs]
            elif _hands_on(node):
                pending.append(node.inputs[0].node)


def _hands_on(node: Node) -> bool:
    return node.op.name in PASSED_ON or node.op.name in SHARING or node.op.name in BETWEEN_TURNS


def _owner(source: Node) -> Node | None:
    """The variable that a source of memory is, or writes and returns."""
    if source.op.writes:
        return written_at(source, source.op.writes[0])
    return source if source.op.name == "VariableV2" else None


def _source(tensor: Tensor) -> Node:
    """The node that made the memory, or that chose it."""
    node = tensor.node
    while _hands_on(node):
        node = node.inputs[0].node
    return node
