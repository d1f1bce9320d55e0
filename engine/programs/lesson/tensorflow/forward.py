"""The forward pass, told: the variables that it starts from, then every operation in order."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import Node
from engine.programs.lesson.formulas import name_latex, value_latex
from engine.programs.lesson.tensorflow import sentences
from engine.programs.lesson.words import Step, Words

GIVEN = frozenset({"VariableV2", "Placeholder"})


def forward_steps(words: Words) -> Iterator[Step]:
    """Variables and operations that the target needs, in order."""
    nodes = words.tellable(words.forward)
    for number, node in enumerate(nodes, start=1):
        position = f"{number}/{len(nodes)}"
        if node.op.name in GIVEN:
            yield _given_step(words, position, node)
        else:
            value = words.text(node.outputs[0])
            sentence = sentences.forward_sentence(position, node.name, words.plain(node), value)
            yield words.step("forward", node, sentence, **words.formulas(node))


def _given_step(words: Words, position: str, node: Node) -> Step:
    """A variable or a placeholder with its value."""
    tensor = node.outputs[0]
    name, written = words.label(tensor), value_latex(words.values.get(tensor))
    sentence = (
        sentences.unfed_sentence(position, name)
        if node.op.name == "Placeholder" and written is None and tensor not in words.values
        else sentences.variable_sentence(position, name, words.text(tensor))
    )
    numbers = f"{name_latex(name)} = {written}" if written else None
    return words.step("forward", node, sentence, rule=name_latex(name), rule_numbers=numbers)
