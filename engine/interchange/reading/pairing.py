"""Which nodes are gradients, of which forward op, and which are updates, by the names that TensorFlow gives.

`gradients/a/Exp_grad/mul` was made by the rule of `a/Exp`; the scope may stand inside others, as in
`train/gradients_1/…`. An optimizer writes its variables in `Adam/update_x/ApplyAdam`; what else such an op
writes are its slots.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.interchange.reading.imported import ImportedNode

GRADIENTS = re.compile(r"(?:^|/)gradients(?:_\d+)?/")
RULE = re.compile(r"_grad(?:_\d+)?/")
UPDATE = re.compile(r"^(.+?)/update_")
OPTIMIZES = re.compile(r"^(Resource)?(Sparse)?Apply[A-Z]")
VARIABLES = frozenset({"Variable", "VariableV2", "VarHandleOp"})


@dataclass(slots=True)
class Phases:
    """For each node, by its place, its phase and the forward op whose rule made it.

    phases: `forward`, `gradient`, `update`, `process` or `after`.
    """

    phases: list[str]
    of: list[str | None]


def phases_of(nodes: Sequence[ImportedNode]) -> Phases:
    """The phases of a graph's nodes."""
    places = {node.name: place for place, node in enumerate(nodes)}
    updates = frozenset(_update_scopes(nodes))
    found = Phases([], [])
    for node in nodes:
        gradient = GRADIENTS.search(node.name) if "gradients" in node.name else None
        update = not gradient and bool(updates) and _stands_in(node.name, updates)
        found.phases.append("gradient" if gradient else "update" if update else "forward")
        found.of.append(forward_of(node.name, gradient.end(), places) if gradient else None)
    _mark_process(nodes, found.phases)
    return found


def forward_of(name: str, start: int, known: Mapping[str, object]) -> str | None:
    """The forward op whose rule made a node; `start`: where what follows `gradients/` begins in its name.

    The innermost rule counts: `gradients/gradients/Sin_grad/mul_grad/Mul` is of `gradients/Sin_grad/mul`.
    """
    found = None
    for rule in RULE.finditer(name, start):
        forward = name[start : rule.start()]
        if forward in known:
            found = forward
    return found


def _update_scopes(nodes: Sequence[ImportedNode]) -> Iterator[str]:
    """The scopes of optimizers and of the slots that these write."""
    for node in nodes:
        if OPTIMIZES.match(node.op):
            if scope := UPDATE.match(node.name):
                yield scope[1]
            for place, _ in node.inputs[1:]:
                if nodes[place].op in VARIABLES:
                    yield nodes[place].name


def _stands_in(name: str, scopes: Collection[str]) -> bool:
    end = len(name)
    while end > 0 and name[:end] not in scopes:
        end = name.rfind("/", 0, end)
    return end > 0


def _mark_process(nodes: Sequence[ImportedNode], phases: list[str]) -> None:
    """What depends on a gradient and is none processes it on the way to an update, or else comes after it."""
    if "gradient" not in phases:
        return
    users: list[list[int]] = [[] for _ in nodes]
    for at, node in enumerate(nodes):
        for place, _ in node.inputs:
            users[place].append(at)
    after = _reached([at for at, phase in enumerate(phases) if phase == "gradient"], users)
    takes = [[place for place, _ in node.inputs] for node in nodes]
    feeds = _reached([at for at, phase in enumerate(phases) if phase == "update"], takes)
    for at in after:
        if phases[at] == "forward":
            phases[at] = "process" if at in feeds else "after"


def _reached(starts: Sequence[int], next_of: Sequence[Sequence[int]]) -> set[int]:
    found = set(starts)
    pending = [*starts]
    while pending:
        for place in next_of[pending.pop()]:
            if place not in found:
                found.add(place)
                pending.append(place)
    return found
