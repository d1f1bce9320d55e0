"""What follows the gradients: the program's own processing, and the first update of each variable."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import Node
from engine.languages.workspace import Clip
from engine.programs.lesson import misconceptions
from engine.programs.lesson.formulas import formula, name_latex
from engine.programs.lesson.mathematics.backward.sweep import Sweep
from engine.programs.lesson.mathematics.forward import with_numbers
from engine.programs.lesson.mathematics.notation import Piece
from engine.programs.lesson.mathematics.operations import Operation, operations_of
from engine.programs.lesson.mathematics.page import Page, equation, told
from engine.programs.lesson.mathematics.questions import of_entry, of_number
from engine.programs.lesson.mathematics.sentences import questions as ask
from engine.programs.lesson.mathematics.sentences import steps as sentences
from engine.programs.lesson.mathematics.sentences.wording import are_many, in_brackets, in_words
from engine.programs.lesson.processing import (
    Update,
    clip_facts,
    first_updates,
    in_lines,
    is_state,
    total_of_mean,
)
from engine.programs.lesson.update_sentences import DESCENT_OPS, descent_sentence, update_sentence
from engine.programs.lesson.words import Step
from engine.programs.program.result import processing_nodes
from engine.programs.training.training import rows_of


def process_steps(page: Page) -> Iterator[Step]:
    """What the program put between the gradients and the update; a clip is one step."""
    words = page.words
    between = processing_nodes(words.graph)
    clips = {c.clipped.node: c for c in words.outcome.workspace.clips if c.clipped.node in between}
    scopes = tuple(f"{node.name}/" for node in clips)
    nodes = [node for node in words.tellable(between) if node in clips or not node.name.startswith(scopes)]
    operations = operations_of(words, nodes)
    page.names.add(operations)
    for operation in operations:
        clip = clips.get(operation.last)
        yield _process_step(page, operation) if clip is None else _clip_step(page, clip)


def _process_step(page: Page, operation: Operation) -> Step:
    tensor = operation.output
    name, rule, value = page.names.of(tensor), page.names.formula(tensor), page.value(tensor)
    wrong = misconceptions.of_mean(total_of_mean(page.words, operation.last), value)
    return page.step(
        "process",
        operation.last.name,
        sentences.process_sentence(name.text, rule.text, value),
        nodes=[node.name for node in operation.nodes],
        rule=rule.latex if rule == name else f"{name.latex} = {rule.latex}",
        rule_numbers=with_numbers(page, operation),
        result=equation(name.latex, value),
        inputs=[told(source.name, page.value(source)) for source in operation.inputs],
        output=told(tensor.name, value),
        misconceptions=wrong,
        question=of_number(ask.ask_value(name.text), value, wrong) or of_entry(name.text, value, wrong),
    )


def _clip_step(page: Page, clip: Clip) -> Step:
    node, source = clip.clipped.node, rows_of(clip.tensor)
    values, bound, sentence = clip_facts(page.words, clip)
    value, g = page.value(node.outputs[0]), page.names.of(source).latex
    wrong = misconceptions.of_clip(values, bound or 0.0, value)
    return page.step(
        "process",
        node.name,
        sentence,
        nodes=[node.name],
        rule=rf"{g} \cdot \frac{{c}}{{\max(\lVert {g} \rVert, c)}}",
        upstream=told(source.name, values),
        output=told(node.outputs[0].name, value),
        misconceptions=wrong,
        question=of_number(ask.ask_processed(Piece(g).text), value, wrong),
    )


def update_steps(page: Page, sweep: Sweep) -> Iterator[Step]:
    """The first update of each variable, where the program built an optimizer."""
    for update in first_updates(page.words, sweep.fresh):
        yield _update_step(page, update)


def _update_step(page: Page, update: Update) -> Step:
    node = update.node
    variable = node.inputs[0]
    name = page.names.of(variable)
    old, new = in_words(update.before), in_words(update.after)
    wrong: list[misconceptions.Misconception] = []
    sentence = update_sentence(name.text, update.optimizer, old, None if update.after is None else new)
    is_long = update.after is not None and are_many(update.before, update.after)
    if update.after is not None and is_long:
        sentence = sentences.large_update_sentence(name.text, update.optimizer, update.after.size)
    if node.op.name in DESCENT_OPS:
        rate, slope = (page.value(tensor) for tensor in node.inputs[1:3])
        gradient = page.names.of(node.inputs[2]).text
        if update.after is not None and are_many(update.before, slope, update.after):
            sentence = sentences.large_descent_sentence(
                name.text, in_words(rate), gradient, update.after.size
            )
        else:
            sentence = descent_sentence(name.text, old, in_words(rate), in_brackets(in_words(slope)), new)
        wrong = misconceptions.of_descent(update.before, rate, slope, update.after)
    return page.step(
        "update",
        node.name,
        sentence,
        nodes=[node.name],
        of=variable.node.name,
        rule=in_lines(formula(node, _symbols(page, node))),
        result=equation(name.latex, update.after),
        output=told(node.outputs[0].name, update.after),
        misconceptions=wrong,
        question=of_number(ask.ask_new(name.text), update.after, wrong)
        or of_entry(name.text, update.after, wrong),
    )


def _symbols(page: Page, node: Node) -> list[str]:
    """An update's inputs: the optimizer's own variables as its rule calls them, all else by its name."""
    names = node.op.input_names
    known = len(names) == len(node.inputs)
    return [
        name_latex(names[place])
        if known and is_state(page.words.resolved(tensor).node)
        else page.names.of(tensor).latex
        for place, tensor in enumerate(node.inputs)
    ]
