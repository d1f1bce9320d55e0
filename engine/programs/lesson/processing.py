"""What follows the gradients: the program's own processing, and the first update. The same at both levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node
from engine.languages.workspace import Clip, UpdateCall
from engine.ops.base.tensors import Array
from engine.programs.lesson.formulas import number_text
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.update_sentences import bound_sentence, clip_sentence
from engine.programs.lesson.words import Words
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of


@dataclass(frozen=True, slots=True)
class Update:
    """One write of a variable by an optimizer: by which node, and the value before and after."""

    node: Node
    optimizer: str
    before: Array | None
    after: Array | None


def first_updates(words: Words, fresh: FreshRun) -> Iterator[Update]:
    """The first update of each variable, where the program built an optimizer; the session is one on."""
    calls = [c for c in words.outcome.workspace.updates if c.train_op.graph is words.graph]
    if not calls:
        return
    before: Mapping[Node, Array] = dict(fresh.session.variables)
    first = next(call for call in calls if _written_by(call) == _written_by(calls[-1]))
    applied = _applied(words, calls, is_later=fresh.is_later)
    try:
        fresh.session.run([first.train_op, *applied.values()], fresh.feeds)
    except GradlensError:
        return  # the program's own diagnostics say why it cannot run
    own = _written_later(fresh, before, applied) if fresh.is_later else {}
    for variable, node in applied.items():
        keeps = any(is_state(words.resolved(tensor).node) for tensor in node.inputs[1:])
        computed = None if fresh.is_later and keeps else fresh.session.variables.get(variable)
        yield Update(node, first.optimizer.name, before.get(variable), own.get(variable, computed))


def _applied(words: Words, calls: Sequence[UpdateCall], *, is_later: bool) -> dict[Node, Node]:
    """By variable the first update; of a later turn, the one with the gradients that the optimizer took last.

    Where gradients add up, or turns have examples of other shapes, each turn has nodes of its own.
    """
    found: dict[Node, list[Node]] = {}
    for node in words.graph.nodes:
        if node.phase == "update" and node.op.name.startswith("Apply") and node.op.writes:
            found.setdefault(node.inputs[0].node, []).append(node)
    if not is_later or all(len(nodes) == 1 for nodes in found.values()):
        return {variable: nodes[0] for variable, nodes in found.items()}
    taken = {v.ref.node: rows_of(g) for call in calls for g, v in call.pairs if g is not None}
    return {
        variable: next((node for node in nodes if taken.get(variable) in node.inputs), nodes[-1])
        for variable, nodes in found.items()
    }


def _written_later(
    fresh: FreshRun, before: Mapping[Node, Array], applied: Mapping[Node, Node]
) -> Mapping[Node, Array]:
    """What the program's optimizer wrote after a turn, by variable; nothing where it only wrote before."""
    found = {
        variable: fresh.values[node.outputs[0]]
        for variable, node in applied.items()
        if node.outputs[0] in fresh.values
    }
    moved = any(not np.array_equal(value, before[variable]) for variable, value in found.items())
    return found if moved else {}


def _written_by(call: UpdateCall) -> list[Any]:
    """The variables that an update writes."""
    return [variable for _, variable in call.pairs]


def clip_facts(words: Words, clip: Clip) -> tuple[Array | None, float | None, Sentence]:
    """What is clipped, the bound (None where it is a tensor that is not known), and a sentence about it."""
    values, bound = words.values.get(rows_of(clip.tensor)), _bound(words, clip)
    norm = None if values is None else float(np.sqrt(np.sum(np.square(values, dtype=np.float64))))
    if norm is None or bound is None:
        return values, bound, bound_sentence("c" if bound is None else number_text(bound))
    return values, bound, clip_sentence(number_text(norm), number_text(bound), norm > bound)


def _bound(words: Words, clip: Clip) -> float | None:
    known = words.values.get(clip.bound.as_tensor()) if hasattr(clip.bound, "as_tensor") else clip.bound
    return None if known is None or np.ndim(known) else float(known)


def total_of_mean(words: Words, node: Node) -> Array | None:
    """What a mean of gradients is the mean of, added up; None where a node is none of the usual means."""
    first, *others = (words.resolved(tensor) for tensor in node.inputs)
    parts, mean = words.values.get(first), words.values.get(node.outputs[0])
    if parts is None or mean is None:
        return None
    if node.op.name == "Mean" and mean.size:
        return np.asarray(mean * (parts.size / mean.size))
    if node.op.name == "RealDiv" and first.node.op.name == "AddN":
        count = words.values.get(others[0])
        return parts if count is not None and np.all(count == len(first.node.inputs)) else None
    return None


def is_state(node: Node) -> bool:
    """Whether a node is one of an optimizer's own variables."""
    return node.op.name == "VariableV2" and node.phase == "update"


def in_lines(rule: str) -> str:
    """What is done one after the other, one beneath the other."""
    lines = rule.split(r";\ ")
    if len(lines) == 1:
        return rule
    beneath = r" \\ ".join(f"& {line}" for line in lines)
    return rf"\begin{{aligned}} {beneath} \end{{aligned}}"
