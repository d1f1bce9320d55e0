"""What follows the gradients, told: the program's own processing, and the first update of each variable."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.errors import GradlensError
from engine.graph import Node
from engine.languages.workspace import Clip
from engine.ops.base.tensors import Array
from engine.programs.lesson import misconceptions, sentences
from engine.programs.lesson.formulas import formula, name_latex, number_text, value_text
from engine.programs.lesson.words import Step, Words
from engine.programs.program.items import value_json
from engine.programs.program.result import processing_nodes
from engine.programs.program.static_values import FreshRun
from engine.programs.training.training import rows_of


def process_steps(words: Words) -> Iterator[Step]:
    """What the program put between the gradients and the update; a clip is one step."""
    between = processing_nodes(words.graph)
    clips = [clip for clip in words.outcome.workspace.clips if clip.clipped.node in between]
    for clip in clips:
        yield _clip_step(words, clip)
    scopes = tuple(f"{clip.clipped.node.name}/" for clip in clips)
    ends = {clip.clipped.node for clip in clips}
    for node in words.tellable(between):
        if node not in ends and not node.name.startswith(scopes):
            sentence = sentences.process_sentence(node.name, words.plain(node), words.text(node.outputs[0]))
            wrong = misconceptions.of_mean(_total(words, node), words.values.get(node.outputs[0]))
            yield words.step("process", node, sentence, **words.formulas(node), misconceptions=wrong)


def _total(words: Words, node: Node) -> Array | None:
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


def _clip_step(words: Words, clip: Clip) -> Step:
    node = clip.clipped.node
    values, bound = words.values.get(rows_of(clip.tensor)), _bound(words, clip)
    norm = None if values is None else float(np.sqrt(np.sum(np.square(values, dtype=np.float64))))
    rule = r"g \cdot \frac{c}{\max(\lVert g \rVert, c)}"
    return words.step(
        "process",
        node,
        _clip_sentence(norm, bound),
        rule=rule,
        upstream=words.told(rows_of(clip.tensor)),
        misconceptions=misconceptions.of_clip(values, bound or 0.0, words.values.get(node.outputs[0])),
    )


def _bound(words: Words, clip: Clip) -> float | None:
    """The bound as a number; None where it is a tensor that is not known."""
    known = words.values.get(clip.bound.as_tensor()) if hasattr(clip.bound, "as_tensor") else clip.bound
    return None if known is None or np.ndim(known) else float(known)


def _clip_sentence(norm: float | None, bound: float | None) -> sentences.Sentence:
    if norm is None or bound is None:
        return sentences.bound_sentence("c" if bound is None else number_text(bound))
    return sentences.clip_sentence(number_text(norm), number_text(bound), norm > bound)


def update_steps(words: Words, fresh: FreshRun) -> Iterator[Step]:
    """The first update of each variable, where the program built an optimizer."""
    calls = [c for c in words.outcome.workspace.updates if c.train_op.graph is words.graph]
    if not calls:
        return
    call = calls[-1]
    before = dict(fresh.session.variables)
    try:
        fresh.session.run(call.train_op, fresh.feeds)
    except GradlensError:
        return  # the program's own diagnostics say why it cannot run
    for node in words.graph.nodes:
        if node.phase == "update" and node.op.name.startswith("Apply") and node.op.writes:
            yield _update_step(words, fresh, node, call.optimizer.name, before)


def _update_step(
    words: Words, fresh: FreshRun, node: Node, optimizer: str, before: dict[Node, Array]
) -> Step:
    variable = node.inputs[0]
    written = fresh.session.variables.get(variable.node)
    name, old, new = words.label(variable), value_text(before.get(variable.node)), value_text(written)
    if node.op.name == "ApplyGradientDescent":
        rate, gradient = (words.text(tensor) for tensor in node.inputs[1:3])
        sentence = sentences.descent_sentence(name, old, rate, gradient, new)
        step, slope = (words.values.get(tensor) for tensor in node.inputs[1:3])
        wrong = misconceptions.of_descent(before.get(variable.node), step, slope, written)
    else:
        wrong = []
        sentence = sentences.update_sentence(name, optimizer, old, new)
    rule = _in_lines(formula(node, _symbols(words, node)))
    output = {"tensor": node.outputs[0].name, "value": value_json(written)}
    of = variable.node.name
    return words.step("update", node, sentence, rule=rule, of=of, output=output, misconceptions=wrong)


def _symbols(words: Words, node: Node) -> list[str]:
    """An update's inputs: the optimizer's own variables as its rule calls them, all else as everywhere."""
    names = node.op.input_names
    if len(names) != len(node.inputs):
        return [words.symbol(tensor) for tensor in node.inputs]
    return [
        name_latex(name) if _is_state(words.resolved(tensor).node) else words.symbol(tensor)
        for name, tensor in zip(names, node.inputs, strict=True)
    ]


def _is_state(node: Node) -> bool:
    return node.op.name == "VariableV2" and node.phase == "update"


def _in_lines(rule: str) -> str:
    """What is done one after the other, one beneath the other."""
    lines = rule.split(r";\ ")
    if len(lines) == 1:
        return rule
    beneath = r" \\ ".join(f"& {line}" for line in lines)
    return rf"\begin{{aligned}} {beneath} \end{{aligned}}"
