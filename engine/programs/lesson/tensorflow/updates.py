"""What follows the gradients, told: the program's own processing, and the first update of each variable."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import Node
from engine.languages.workspace import Clip
from engine.programs.lesson import misconceptions
from engine.programs.lesson.formulas import formula, name_latex, value_text
from engine.programs.lesson.processing import (
    Update,
    clip_facts,
    first_updates,
    in_lines,
    is_state,
    total_of_mean,
)
from engine.programs.lesson.tensorflow import sentences
from engine.programs.lesson.update_sentences import DESCENT_OPS, descent_sentence, update_sentence
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
            wrong = misconceptions.of_mean(total_of_mean(words, node), words.values.get(node.outputs[0]))
            yield words.step("process", node, sentence, **words.formulas(node), misconceptions=wrong)


def _clip_step(words: Words, clip: Clip) -> Step:
    node = clip.clipped.node
    values, bound, sentence = clip_facts(words, clip)
    return words.step(
        "process",
        node,
        sentence,
        rule=r"g \cdot \frac{c}{\max(\lVert g \rVert, c)}",
        upstream=words.told(rows_of(clip.tensor)),
        misconceptions=misconceptions.of_clip(values, bound or 0.0, words.values.get(node.outputs[0])),
    )


def update_steps(words: Words, fresh: FreshRun) -> Iterator[Step]:
    """The first update of each variable, where the program built an optimizer."""
    for update in first_updates(words, fresh):
        yield _update_step(words, update)


def _update_step(words: Words, update: Update) -> Step:
    node = update.node
    variable = node.inputs[0]
    name, old, new = words.label(variable), value_text(update.before), value_text(update.after)
    if node.op.name in DESCENT_OPS:
        rate, gradient = (words.text(tensor) for tensor in node.inputs[1:3])
        sentence = descent_sentence(name, old, rate, gradient, new)
        step, slope = (words.values.get(tensor) for tensor in node.inputs[1:3])
        wrong = misconceptions.of_descent(update.before, step, slope, update.after)
    else:
        wrong = []
        sentence = update_sentence(name, update.optimizer, old, None if update.after is None else new)
    rule = in_lines(formula(node, _symbols(words, node)))
    output = {"tensor": node.outputs[0].name, "value": value_json(update.after)}
    of = variable.node.name
    return words.step("update", node, sentence, rule=rule, of=of, output=output, misconceptions=wrong)


def _symbols(words: Words, node: Node) -> list[str]:
    """An update's inputs: the optimizer's own variables as its rule calls them, all else as everywhere."""
    names = node.op.input_names
    if len(names) != len(node.inputs):
        return [words.symbol(tensor) for tensor in node.inputs]
    return [
        name_latex(name) if is_state(words.resolved(tensor).node) else words.symbol(tensor)
        for name, tensor in zip(names, node.inputs, strict=True)
    ]
