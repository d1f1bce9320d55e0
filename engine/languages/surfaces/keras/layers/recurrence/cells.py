"""`tf.keras.layers.RNN`: a cell, Keras' or the program's own, turn by turn along the second axis.

A cell gives (output, states after it) for (input, states before it); `state_size` says how long they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import ops
from engine.errors import ProgramError, ShapeError
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layering.parts import is_layer
from engine.languages.surfaces.keras.layering.shapes import build_layer, inside_layer
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.masks import mask_of
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number, written


def _stacked_init(interpreter: Interpreter, self: UserObject, cells: Any, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["cells"] = list(cells)
    self.fields["state_size"] = state_sizes(interpreter, self)


def _init(
    interpreter: Interpreter,
    self: UserObject,
    cell: Any,
    return_sequences: Any = False,
    return_state: Any = False,
    go_backwards: Any = False,
    stateful: Any = False,
    unroll: Any = False,
    zero_output_for_mask: Any = False,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """The cell, or several that stand on each other. Raises: ProgramError for what is none."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    refuse_given(
        "RNN", {"stateful": stateful or None}, "Leave it out, or use LSTM.", "请去掉它，或使用 LSTM。"
    )
    if isinstance(cell, (list, tuple)):
        cell = interpreter.call(STACKED, [list(cell)], {})
    if not is_layer(cell) or attribute(interpreter, cell, "state_size") is MISSING:
        raise ProgramError(
            "The RNN cell should have a `state_size` attribute (single integer or list of integers, one "
            "integer per RNN state), and a method `call`.",
            message_zh="RNN 的单元应是一个层，并有属性 `state_size`（一个整数，或每个状态一个整数）。",
            code="bad_value",
            kind="ValueError",
        )
    self.fields.update(cell=cell, return_sequences=bool(return_sequences), return_state=bool(return_state))
    self.fields.update(go_backwards=bool(go_backwards), zero_output_for_mask=bool(zero_output_for_mask))


def attribute(interpreter: Interpreter, cell: UserObject, name: str) -> Any:
    """An attribute of a cell; MISSING where it has none."""
    known = name in cell.fields or cell.kind.find(name) is not MISSING
    return attribute_of(interpreter, cell, name) if known else MISSING


def state_sizes(interpreter: Interpreter, cell: UserObject) -> list[Any]:
    """How long each state of a cell is; of cells on each other a list for each."""
    if "cells" in cell.fields:
        return [state_sizes(interpreter, one) for one in cell.fields["cells"]]
    given = attribute(interpreter, cell, "state_size")
    return [_length(one) for one in (given if isinstance(given, (list, tuple)) else [given])]


def _length(given: Any) -> int:
    """A number, or a shape of one axis, which Keras takes as well."""
    return whole_number(given[0] if isinstance(given, (list, tuple)) else given, "state_size")


def output_size(interpreter: Interpreter, cell: UserObject) -> int:
    """How long the output of a cell is: what it says, else its first state."""
    if "cells" in cell.fields:
        return output_size(interpreter, cell.fields["cells"][-1])
    said = attribute(interpreter, cell, "output_size")
    return state_sizes(interpreter, cell)[0] if said is MISSING else _length(said)


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    _check_turns(self, input_shape)
    _build_cell(interpreter, self.fields["cell"], (input_shape[0], input_shape[-1]))


def _build_cell(interpreter: Interpreter, cell: UserObject, shape: Any) -> None:
    """The variables of a cell, and of those on each other one after the other."""
    with inside_layer(interpreter, cell):
        for one in cell.fields.get("cells", ()):
            _build_cell(interpreter, one, shape)
            shape = (shape[0], output_size(interpreter, one))
        build_layer(interpreter, cell, shape)


def _check_turns(self: UserObject, input_shape: Any) -> None:
    """Raises: ShapeError for any other input than one tensor of turns."""
    if len(input_shape) != 3 or any(isinstance(length, (list, tuple)) for length in input_shape):
        name, given = self.fields["name"], written(tuple(input_shape))
        raise ShapeError(
            f"Layer {name} takes (examples, turns, features), but its input is {given}.",
            message_zh=f"层 {name} 需要（样本, 时间步, 特征），但输入是 {given}。",
        )


def _zeros(sizes: list[Any], like: Any) -> list[Any]:
    return [
        _zeros(one, like) if isinstance(one, list) else ops.zeros((like.shape[0], one), like.dtype)
        for one in sizes
    ]


def _call(
    interpreter: Interpreter,
    self: UserObject,
    inputs: Any,
    initial_state: Any = None,
    mask: Any = None,
) -> Any:
    build_layer(interpreter, self, inputs.shape)
    fields, cell = self.fields, self.fields["cell"]
    mask = mask_of(interpreter, inputs) if mask is None else mask
    counts = None if mask is None else ops.unstack(ops.cast(mask, "bool"), axis=1)
    states = (
        _zeros(state_sizes(interpreter, cell), inputs) if initial_state is None else _listed(initial_state)
    )
    turns, outputs = ops.unstack(inputs, axis=1), list[Any]()
    order = range(len(turns))
    for turn in reversed(order) if fields["go_backwards"] else order:
        interpreter.budget.step()
        output, after = interpreter.call(cell, [turns[turn], states], {})
        after = _listed(after)
        if counts is not None:
            goes_on = outputs and not fields["zero_output_for_mask"]
            output = _chosen(counts[turn], output, outputs[-1] if goes_on else ops.zeros_like(output))
            after = _chosen(counts[turn], after, states)
        states = after
        outputs.append(output)
    _forget(cell)
    result = ops.stack(outputs, 1) if fields["return_sequences"] else outputs[-1]
    return [result, *states] if fields["return_state"] else result


def _listed(states: Any) -> list[Any]:
    return list(states) if isinstance(states, (list, tuple)) else [states]


def _chosen(counts: Any, new: Any, old: Any) -> Any:
    """What holds behind a turn: the new values of the examples that have it, the others' as before."""
    if isinstance(new, (list, tuple)):
        return [_chosen(counts, one, before) for one, before in zip(new, old, strict=True)]
    wide = ops.tile(ops.expand_dims(counts, -1), [1, new.shape[-1]])
    return ops.where(wide, new, old)


def _forget(cell: UserObject) -> None:
    """What a cell leaves out in training is drawn anew for the next sequence."""
    cell.fields.pop("_factors", None)
    for one in cell.fields.get("cells", ()):
        _forget(one)


def _stacked_call(interpreter: Interpreter, self: UserObject, inputs: Any, states: Any) -> Any:
    """Through one cell after the other, each with its own states."""
    after = []
    for cell, own in zip(self.fields["cells"], states, strict=True):
        inputs, new = interpreter.call(cell, [inputs, own], {})
        after.append(_listed(new))
    return inputs, after


def _shape(interpreter: Interpreter, self: UserObject, input_shape: Any) -> Any:
    _check_turns(self, input_shape)
    fields, cell = self.fields, self.fields["cell"]
    turns = (input_shape[1],) if fields["return_sequences"] else ()
    whole = (input_shape[0], *turns, output_size(interpreter, cell))
    if not fields["return_state"]:
        return whole
    return [whole, *[(input_shape[0], size) for size in _flat(state_sizes(interpreter, cell))]]


def _flat(sizes: list[Any]) -> list[int]:
    return [n for one in sizes for n in (_flat(one) if isinstance(one, list) else [one])]


STACKED = layer_class("StackedRNNCells", _stacked_init, _stacked_call)
CELLS: Mapping[str, UserClass] = {
    "RNN": layer_class("RNN", _init, _call, _shape, _build),
    "StackedRNNCells": STACKED,
}
