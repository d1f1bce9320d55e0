"""Keras's functional way: the model between inputs and outputs, through the layers called on them."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.symbolic import Symbolic, symbols


def layers_between(inputs: Any, outputs: Any) -> list[Symbolic]:
    """Every call from the inputs to the outputs, in order.

    Raises: ProgramError for an input that is missing.
    """
    found: dict[int, Symbolic] = {}
    ends = {id(one) for one in symbols(inputs)}
    waiting = [*symbols(outputs)]
    while waiting:
        one = waiting.pop()
        if id(one) in found:
            continue
        found[id(one)] = one
        if id(one) in ends:
            continue
        if one.inputs is None:
            name = one.layer.fields["name"]
            raise ProgramError(
                f"The outputs also come from the input {name}, which is not among the inputs.",
                message_zh=f"输出还依赖于输入 {name}，但它不在 inputs 中。",
                hint="Write tf.keras.Model(inputs=[…], outputs=…) with all of them.",
                hint_zh="请写 tf.keras.Model(inputs=[…], outputs=…)，并列出所有输入。",
                code="wrong_arguments",
            )
        waiting.extend(one.sources)
    return sorted(found.values(), key=lambda one: one.order)


def run_between(interpreter: Interpreter, self: UserObject, given: Any) -> Any:
    """The outputs for the inputs' values."""
    ends = list(symbols(self.fields["_inputs"]))
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(values) != len(ends):
        raise ProgramError(
            f"The model has {len(ends)} inputs, but {len(values)} were given.",
            message_zh=f"模型有 {len(ends)} 个输入，但给了 {len(values)} 个。",
            code="wrong_arguments",
        )
    known: dict[int, Any] = {id(end): value for end, value in zip(ends, values, strict=True)}

    def value_of(part: Any) -> Any:
        if isinstance(part, (list, tuple)):
            return [value_of(one) for one in part]
        return known[id(part)]

    for one in self.fields["_calls"]:
        if id(one) in known:
            continue
        known[id(one)] = interpreter.call(one.layer, [value_of(one.inputs)], dict(one.settings))
    return value_of(self.fields["_outputs"])
