"""A plan: the nodes that a set of fetches needs, in the order in which they run.

Nodes run in order of creation, which is a topological order: a node's inputs and what it waits for
exist before it does (branches and loops apart; `order.py` sorts those). Each node knows which writes
to variables come before it on some path, data or control; it sees those writes done, and all other
variables as they were before the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.execution.interpreter.buffers import written_by
from engine.execution.interpreter.order import Loop, in_order, nodes_of
from engine.graph import Node, Tensor
from engine.ops.sources.datasets import iterator_get_next, iterator_of


@dataclass(frozen=True, slots=True)
class Plan:
    """What runs, in order, and for each node the variables whose writes it has waited for.

    prepared: what a session has worked out of each node at its first run.
    lasting:  the values that come from constants alone, kept from the second run; changing: the steps that
              a later run still has to take.
    repeats:  how often it ran with feeds of some shapes, or the function for such runs.
    reads_on: the nodes that take the next element of a dataset, whatever else the run does.
    """

    steps: tuple[Node | Loop, ...]
    sees_written: Mapping[Node, frozenset[Node]]
    prepared: dict[Node, Any] = field(default_factory=dict)
    lasting: dict[Tensor, Any] = field(default_factory=dict)
    changing: list[Node | Loop] = field(default_factory=list)
    repeats: dict[Any, Any] = field(default_factory=dict)
    reads_on: tuple[Node, ...] = ()

    def keep_lasting(self, values: Mapping[Tensor, Any], fed: Iterable[Tensor]) -> None:
        """Remember from a run what every later run would compute again."""
        lasting = _from_constants(self.steps, frozenset(fed))
        self.lasting.update({tensor: values[tensor] for node in lasting for tensor in node.outputs})
        self.changing.extend(step for step in self.steps if step not in lasting)


def make_plan(targets: Iterable[Node], fed: frozenset[Tensor] = frozenset()) -> Plan:
    """The nodes that the targets need, cut at what is fed.

    Returns: a plan whose steps stand in an order in which each node's inputs come before it.
    """
    needed = _needed(targets, fed)
    if any(node.graph.out_of_order for node in needed):
        steps = in_order(needed)
        nodes = [node for step in steps for node in nodes_of(step)]
        return Plan(steps, _writes_before(nodes, fed), reads_on=_reads_on(nodes))
    order = tuple(sorted(needed, key=lambda node: node.index))
    return Plan(order, _writes_before(order, fed), reads_on=_reads_on(order))


def _reads_on(nodes: Sequence[Node]) -> tuple[Node, ...]:
    return tuple([node for node in nodes if node.op is iterator_get_next and iterator_of(node) is not None])


def _from_constants(steps: Iterable[Node | Loop], fed: frozenset[Tensor]) -> dict[Node, None]:
    """The nodes whose values no run can change: constants, and what is computed of such alone.

    What waits for a branch that is not taken has no value in some runs.
    """
    steps = list(steps)
    branches = any(isinstance(step, Loop) or step.op.name in ("Switch", "RefSwitch") for step in steps)
    found: dict[Node, None] = {}
    for node in steps:
        if isinstance(node, Loop) or node.context is not None or node.op.stateful or node.op.writes:
            continue
        if branches and node.control_inputs:
            continue
        sources = [tensor.node for tensor in node.inputs]
        constant = bool(sources) or node.op.name == "Const"
        if constant and fed.isdisjoint((*node.inputs, *node.outputs)) and all(s in found for s in sources):
            found[node] = None
    return found


def _needed(targets: Iterable[Node], fed: frozenset[Tensor]) -> set[Node]:
    fed_nodes = {tensor.node for tensor in fed}
    needed: set[Node] = set()
    pending = list(targets)
    while pending:
        node = pending.pop()
        if node in needed or (node in fed_nodes and all(output in fed for output in node.outputs)):
            continue
        needed.add(node)
        pending += [tensor.node for tensor in node.inputs if tensor not in fed]
        pending += node.control_inputs
    return needed


def _writes_before(order: Sequence[Node], fed: frozenset[Tensor]) -> dict[Node, frozenset[Node]]:
    """For each node, the variables that some node before it on a path has written."""
    nothing: frozenset[Node] = frozenset()
    until_first = 1 + next((place for place, node in enumerate(order) if node.op.writes), len(order))
    seen = dict.fromkeys(order[:until_first], nothing)
    for node in order[until_first:]:
        before = [t.node for t in node.inputs if t not in fed] + list(node.control_inputs)
        found = nothing
        for earlier in before:
            more = seen.get(earlier, nothing)
            if earlier.op.writes:
                more = more | written_by(earlier)
            found = more if not found else found | more
        seen[node] = found
    return seen
