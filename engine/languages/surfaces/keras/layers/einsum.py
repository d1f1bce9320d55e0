"""`tf.keras.layers.EinsumDense`: a kernel by Einstein's summation, `abc,cd->abd`."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.named import activation_named, initializer_named, spread_over
from engine.languages.surfaces.keras.weights import add_weight
from engine.ops.base.building import convert_to_tensor


def _init(
    interpreter: Interpreter,
    self: UserObject,
    equation: Any,
    output_shape: Any,
    activation: Any = None,
    bias_axes: Any = None,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """The equation in its three parts, and the lengths of the output without the examples."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    lengths = output_shape if isinstance(output_shape, (list, tuple)) else (output_shape,)
    self.fields.update(equation=equation, _parts=_parts(equation), _lengths=tuple(lengths))
    self.fields.update(activation=activation_named(activation), bias_axes=bias_axes)
    rules = (kernel_initializer, bias_initializer)
    self.fields["_rules"] = [initializer_named(interpreter, rule) for rule in rules]


def _parts(equation: Any) -> tuple[str, str, str]:
    """Input, kernel and output. Raises: ValueRefused for another form."""
    text = str(equation).replace(" ", "")
    given, arrow, out = text.partition("->")
    x, comma, kernel = given.partition(",")
    if not (arrow and comma) or "..." in kernel or x.startswith("...") != out.startswith("..."):
        raise ValueRefused(
            f"Invalid einsum equation {quoted(equation)}. Equations must be in the form 'X,Y->Z', "
            "'...X,Y->...Z', or 'X...,Y->Z...'.",
            message_zh=f"无效的 einsum 公式 {quoted(equation)}：应为 'X,Y->Z' 或 '...X,Y->...Z'。",
        )
    if "..." in x and not x.startswith("..."):
        raise ValueRefused(
            f"The equation {quoted(equation)} leaves out axes at its end, which is not supported here.",
            hint="Write letters for them.",
            message_zh=f"这里不支持在末尾省略轴的公式 {quoted(equation)}。",
            hint_zh="请写出这些轴的字母。",
        )
    return x, kernel, out


def _known(self: UserObject, input_shape: Any) -> dict[str, Any]:
    """The length of each axis by its letter."""
    x, _, out = (part.removeprefix("...") for part in self.fields["_parts"])
    lengths = dict(zip(reversed(x), reversed(tuple(input_shape)), strict=False))
    said = dict(zip(reversed(out), reversed(self.fields["_lengths"]), strict=False))
    return {**said, **{letter: n for letter, n in lengths.items() if n is not None or letter not in said}}


def _build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    fields, known = self.fields, _known(self, input_shape)
    x, kernel, out = fields["_parts"]
    shape = tuple(known[letter] for letter in kernel)
    summed = [letter for letter in kernel if letter in x and letter not in out]
    rule = fields["_rules"][0]
    if summed and list(kernel[: len(summed)]) == summed:
        rule = spread_over(rule, len(summed))
    fields["kernel"] = add_weight(interpreter, self, shape, rule, name="kernel")
    fields["bias"] = None
    axes = fields["bias_axes"]
    if axes is not None:
        own = out.removeprefix("...")
        behind = own[min(own.index(letter) for letter in axes) :]
        shape = tuple(known[letter] if letter in axes else 1 for letter in behind)
        fields["bias"] = add_weight(interpreter, self, shape, fields["_rules"][1], name="bias")


def _call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    fields = self.fields
    found = ops.einsum(fields["equation"], inputs, convert_to_tensor(fields["kernel"]))
    if fields["bias"] is not None:
        found = found + fields["bias"]
    return interpreter.call(fields["activation"], [found], {})


def _shape(self: UserObject, input_shape: Any) -> Any:
    x, _, out = self.fields["_parts"]
    known = _known(self, input_shape)
    left_out = len(input_shape) - len(x.removeprefix("...")) if x.startswith("...") else 0
    return (*tuple(input_shape)[:left_out], *(known[letter] for letter in out.removeprefix("...")))


EINSUM_DENSE = layer_class("EinsumDense", _init, _call, _shape, _build)
