"""Keras's functional way: the model between inputs and outputs, through the layers called on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import ops
from engine.errors import ProgramError
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.masks import keeping_masks
from engine.languages.surfaces.keras.symbolic import Symbolic, mapped, part_of, symbols


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


def layers_by_depth(inputs: Any, outputs: Any) -> list[UserObject]:
    """The layers as Keras lists them: the farthest from the outputs first, then as met from there."""
    calls = layers_between(inputs, outputs)
    ends = {id(one) for one in symbols(inputs)}
    depth: dict[int, int] = {id(one): 0 for one in calls}
    for one in reversed(calls):
        for source in one.sources if id(one) not in ends else ():
            depth[id(source)] = max(depth[id(source)], depth[id(one)] + 1)
    deepest: dict[int, int] = {}
    for one in calls:
        deepest[id(one.layer)] = max(deepest.get(id(one.layer), 0), depth[id(one)])
    met = _met_from(outputs, ends)
    return sorted(met, key=lambda layer: -deepest[id(layer)])


def _met_from(outputs: Any, ends: set[int]) -> list[UserObject]:
    """Each layer once, in the order in which they are met on the way from the outputs to the inputs."""
    met: dict[int, UserObject] = {}
    seen: set[int] = set()
    if isinstance(outputs, Mapping):
        outputs = [outputs[key] for key in sorted(outputs)]  # as Keras takes them
    waiting = list(reversed(list(symbols(outputs))))
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        met.setdefault(id(one.layer), one.layer)
        if id(one) not in ends:
            waiting.extend(reversed(one.sources))
    return list(met.values())


def is_a_chain(calls: list[Symbolic], ends: list[Symbolic]) -> bool:
    """Whether each call is on the one before it alone, and no layer is called twice."""
    layers = {id(one.layer) for one in calls}
    feeding = [source for one in calls if one not in ends for source in one.sources]
    once = len({id(one) for one in feeding}) == len(feeding) == len(calls) - 1
    return len(ends) == 1 and once and len(layers) == len(calls)


def of_the_rank(known: Any, value: Any) -> Any:
    """An input with a last axis of length 1 more or less, where the model was made for such a one."""
    shape = getattr(value, "shape", None)
    if known is None or shape is None:
        return value
    rank = len(tuple(shape))
    if rank == len(known) - 1 and known[-1] == 1:
        return ops.expand_dims(value, -1)
    if rank == len(known) + 1 and tuple(shape)[-1] == 1:
        return ops.squeeze(value, [-1])
    return value


def _values_for(inputs: Any, given: Any) -> list[Any]:
    """The value of each input: in their order, or by name.

    Raises: ProgramError where one is missing, or there are more.
    """
    ends = list(symbols(inputs))
    if isinstance(given, Mapping):
        keys = list(inputs) if isinstance(inputs, Mapping) else [one.layer.fields["name"] for one in ends]
        absent = [key for key in keys if key not in given]
        if absent:
            raise ProgramError(
                f"There is no value for the input '{absent[0]}'; there are: {', '.join(map(str, given))}.",
                message_zh=f"没有输入“{absent[0]}”的值；已有：{'、'.join(map(str, given))}。",
                code="wrong_arguments",
                kind="ValueError",
            )
        return [given[key] for key in keys]
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(values) != len(ends):
        raise ProgramError(
            f"The model has {len(ends)} inputs, but {len(values)} were given.",
            message_zh=f"模型有 {len(ends)} 个输入，但给了 {len(values)} 个。",
            code="wrong_arguments",
            kind="ValueError",
        )
    return values


def _with_training(interpreter: Interpreter, settings: dict[str, Any]) -> dict[str, Any]:
    """What a layer is called with: whether it is training as the model is, as in Keras."""
    said, own = interpreter.workspace.in_training, settings.get("training")
    if said is None or own is None:
        return settings
    if bool(said) != bool(own):
        interpreter.note(
            "training_of_the_model",
            f"A layer was called with training={bool(own)} when the model was made; in fit() and predict() "
            "Keras 3.15 calls it with the model's own.",
            f"建立模型时某层以 training={bool(own)} 调用；在 fit() 和 predict() 中，"
            "Keras 3.15 使用模型自己的 training。",
            "Set layer.trainable = False for normalization that shall stay as it is.",
            "如需让归一化层保持不变，请设置 layer.trainable = False。",
        )
    return {key: value for key, value in settings.items() if key != "training"}


def run_between(interpreter: Interpreter, self: UserObject, given: Any) -> Any:
    """The outputs for the inputs' values."""
    ends = list(symbols(self.fields["_inputs"]))
    values = [
        of_the_rank(end.shape, value)
        for end, value in zip(ends, _values_for(self.fields["_inputs"], given), strict=True)
    ]
    known: dict[int, Any] = {id(end): value for end, value in zip(ends, values, strict=True)}

    done: dict[int, Any] = {}

    def value_of(part: Any) -> Any:
        return mapped(lambda one: known[id(one)], part)

    for one in self.fields["_calls"]:
        if id(one) in known:
            continue
        if one.order not in done:
            given = [value_of(argument) for argument in (one.inputs, *one.further)]
            with keeping_masks(interpreter):
                settings = _with_training(interpreter, value_of(one.settings))
                done[one.order] = interpreter.call(one.layer, given, settings)
        known[id(one)] = part_of(done[one.order], one.path)
    return value_of(self.fields["_outputs"])
