"""The forward pass: what it starts from, then every operation that the learner wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from engine.graph import Node
from engine.ops.base.tensors import Array
from engine.programs.lesson.mathematics.blocks import Blocks
from engine.programs.lesson.mathematics.control_flow.text_turns import TextTurns
from engine.programs.lesson.mathematics.control_flow.turns_of_a_tape import are_turns_unlike
from engine.programs.lesson.mathematics.notation import Piece, composed, measured_piece, value_piece
from engine.programs.lesson.mathematics.operations import RESHAPING, Operation
from engine.programs.lesson.mathematics.page import Page, equation, told
from engine.programs.lesson.mathematics.questions import of_result
from engine.programs.lesson.mathematics.sentences import steps as sentences
from engine.programs.lesson.mathematics.turns import Turns
from engine.programs.lesson.sentence import Sentence
from engine.programs.lesson.words import Step


def forward_steps(
    page: Page,
    turns: Turns | None = None,
    outline: Blocks | TextTurns | None = None,
    decided: Sequence[tuple[int, Step]] = (),
) -> Iterator[Step]:
    """Variables and operations that the target needs, in order; of loops and branches, as a run took them.

    decided: what the program's own `if` decided, each before which node of the graph.
    """
    given = {node.index: node for node in page.given}
    if turns is not None:
        yield from _in_turns(page, list(given.values()), turns, decided)
        return
    if isinstance(outline, Blocks):
        yield from _in_blocks(page, list(given.values()), outline)
        return
    made = {operation.last.index: operation for operation in page.operations}
    before: Operation | None = None
    for index in sorted({*given, *made}):
        if index in given:
            yield _given_step(page, given[index])
            continue
        operation = made[index]
        if outline is not None:
            yield from outline.heading(page, before, operation)
        yield from (step for at, step in decided if at == index)
        step = operation_step(page, operation)
        yield step if outline is None else {**step, "turns": outline.turns_of(operation)}
        before = operation
    yield from (step for at, step in decided if at >= page.words.graph.nodes[-1].index + 1)


def _in_blocks(page: Page, given: Sequence[Node], blocks: Blocks) -> Iterator[Step]:
    """What is given, then each operation that is told, and a step for those that are not."""
    yield from (_given_step(page, node) for node in given)
    for block, operations in groupby(page.operations, blocks.block):
        if block is not None:
            yield blocks.forward(page, block)
        else:
            yield from (operation_step(page, operation) for operation in operations)


def _in_turns(
    page: Page, given: Sequence[Node], turns: Turns, of_text: Sequence[tuple[int, Step]]
) -> Iterator[Step]:
    """What is given, then what the run did and decided."""
    yield from (_given_step(page, node) for node in given)
    decided = sorted([*turns.forward(page), *of_text], key=lambda placed: placed[0])
    for operation in page.operations:
        while decided and decided[0][0] <= operation.nodes[0].index:
            yield decided.pop(0)[1]
        if turns.is_told(operation):
            step = operation_step(page, operation)
            yield {**step, "turns": [number for _, number in turns.path(operation)]}
    yield from (step for _, step in decided)


def _given_step(page: Page, node: Node) -> Step:
    """A variable or a placeholder with its value."""
    tensor = node.outputs[0]
    name, value = page.names.of(tensor), page.value(tensor)
    if value is None and node.op.name == "Placeholder":
        sentence = sentences.unfed_sentence(name.text)
    else:
        is_variable, is_later = node.op.name == "VariableV2", are_turns_unlike(page.words.outcome)
        sentence = sentences.given_sentence(name.text, value, is_variable, is_later=is_later)
    return page.step(
        "forward",
        node.name,
        sentence,
        nodes=[node.name],
        rule=name.latex,
        result=equation(name.latex, value),
        output=told(tensor.name, value),
    )


def operation_step(page: Page, operation: Operation) -> Step:
    """One operation: its formula, with the numbers put in, and its result."""
    tensor = operation.output
    name, formula, value = page.names.of(tensor), page.names.formula(tensor), page.value(tensor)
    sentence = _sentence(page, operation, name, formula, value)
    parts = [t for t in operation.last.outputs if t.dtype == tensor.dtype]
    if len(parts) > 1 and operation.last.op.name != "IdentityN":
        named = [(page.names.of(part).text, page.value(part)) for part in parts]
        sentence = sentences.parts_sentence(page.names.whole(tensor).text, named)
    return page.step(
        "forward",
        operation.last.name,
        sentence,
        nodes=[node.name for node in operation.nodes],
        rule=formula.latex if formula == name else f"{name.latex} = {formula.latex}",
        rule_numbers=with_numbers(page, operation),
        result=equation(name.latex, value),
        inputs=[told(source.name, page.value(source)) for source in operation.inputs],
        output=told(tensor.name, value),
        question=of_result(
            name.text, _left(name, formula), value, [page.value(source) for source in operation.inputs]
        ),
    )


def _sentence(page: Page, operation: Operation, name: Piece, formula: Piece, value: Array | None) -> Sentence:
    """What an operation gives; a choice and a condition are told in words."""
    node = operation.core
    if node is not None and value is not None:
        if node.op.name == "Select" and (holds := page.value(node.inputs[0])) is not None and holds.size == 1:
            condition, choice = (page.names.of(node.inputs[n]).text for n in (0, 1 if holds.item() else 2))
            whole = name.text if name != formula else choice
            return sentences.chosen_sentence(whole, condition, choice, value, holds=bool(holds.item()))
        if value.dtype == bool and value.size == 1:
            return sentences.truth_sentence(formula.text, holds=bool(value.item()))
        if node.op.name in RESHAPING and value.size > 1:
            source = formula if name != formula else page.names.of(node.inputs[0])
            return sentences.reshaped_sentence(name.text, source.text, value)
    return sentences.forward_sentence(name.text, formula.text, value)


def _left(name: Piece, formula: Piece) -> str:
    return formula.text if name == formula else f"{name.text} = {formula.text}"


def with_numbers(page: Page, operation: Operation) -> str | None:
    """The operation's formula with the values of its inputs, where they are single numbers."""
    node = operation.core
    if node is None:
        return None
    values = [page.value(tensor) for tensor in node.inputs]
    if any(value is None or value.ndim for value in values):
        return None
    pieces = [
        value_piece(value) if tensor.node.op.name == "Const" else measured_piece(value)
        for tensor, value in zip(node.inputs, values, strict=True)
    ]
    return composed(node, pieces).latex
