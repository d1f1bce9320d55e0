"""`tf.keras.layers`: layers that repeat, turn, cut off or fill up, without a number of their own."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.masks import counted_turns, set_mask
from engine.ops.base.shapes import whole_number


def _name_alone(
    interpreter: Interpreter, self: UserObject, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)


# -- RepeatVector: (n, features) -> (n, times, features) ---------------------------------------------


def _repeat_init(
    interpreter: Interpreter, self: UserObject, n: Any, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["n"] = whole_number(n, "n")


def _repeat_call(self: UserObject, inputs: Any) -> Any:
    return ops.tile(ops.expand_dims(inputs, 1), [1, self.fields["n"], 1])


def _repeat_shape(self: UserObject, input_shape: Any) -> Any:
    return (input_shape[0], self.fields["n"], input_shape[1])


# -- Permute: the axes behind the first in another order, counted from 1 -----------------------------


def _permute_init(
    interpreter: Interpreter, self: UserObject, dims: Any, input_shape: Any = None, name: Any = None
) -> None:
    """Raises: ValueRefused for axes that are not 1 to n, each once."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    order = tuple(whole_number(one, "dims") for one in (dims if isinstance(dims, (list, tuple)) else [dims]))
    if sorted(order) != list(range(1, len(order) + 1)):
        raise ValueRefused(
            f"`dims` of Permute has each axis from 1 on once, not {order}.",
            message_zh=f"Permute 的 `dims` 应包含从 1 开始的每个轴各一次，不能是 {order}。",
            hint="(2, 1) swaps the two axes behind that of the examples.",
            hint_zh="(2, 1) 交换样本轴之后的两个轴。",
            code="bad_value",
        )
    self.fields["dims"] = order


def _permute_call(self: UserObject, inputs: Any) -> Any:
    return ops.transpose(inputs, [0, *self.fields["dims"]])


def _permute_shape(self: UserObject, input_shape: Any) -> Any:
    return (input_shape[0], *(input_shape[axis] for axis in self.fields["dims"]))


# -- Cropping2D and ZeroPadding1D --------------------------------------------------------------------


def _sides(given: Any, name: str, axes: int) -> tuple[tuple[int, int], ...]:
    """How much there is before and behind along each axis: one number, one for each axis, or both."""
    listed = given if isinstance(given, (list, tuple)) else [given] * axes
    if axes == 1 and len(listed) == 2:
        listed = [tuple(listed)]
    pairs = [one if isinstance(one, (list, tuple)) else (one, one) for one in listed]
    if len(pairs) != axes or any(len(pair) != 2 for pair in pairs):
        raise ValueRefused(
            f"`{name}` is one number, or two for each of the {axes} axes.",
            message_zh=f"`{name}` 是一个数，或为 {axes} 个轴各给两个数。",
            code="bad_value",
        )
    return tuple((whole_number(first, name), whole_number(last, name)) for first, last in pairs)


def _cropping_init(
    interpreter: Interpreter,
    self: UserObject,
    cropping: Any = ((0, 0), (0, 0)),
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["cropping"] = _sides(cropping, "cropping", 2)


def _cropping_call(self: UserObject, inputs: Any) -> Any:
    shape = inputs.shape
    (top, bottom), (left, right) = self.fields["cropping"]
    return inputs[:, top : shape[1] - bottom, left : shape[2] - right, :]


def _cropped_shape(self: UserObject, input_shape: Any) -> Any:
    count, *lengths, channels = input_shape
    sides = zip(lengths, self.fields["cropping"], strict=True)
    return (count, *(length and length - sum(side) for length, side in sides), channels)


def _padding_init(
    interpreter: Interpreter, self: UserObject, padding: Any = 1, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["padding"] = _sides(padding, "padding", 1)


def _padding_call(self: UserObject, inputs: Any) -> Any:
    return ops.pad(inputs, [(0, 0), *self.fields["padding"], (0, 0)])


def _padded_shape(self: UserObject, input_shape: Any) -> Any:
    count, length, channels = input_shape
    return (count, length and length + sum(self.fields["padding"][0]), channels)


# -- UpSampling1D and Identity -----------------------------------------------------------------------


def _upsampling_init(
    interpreter: Interpreter, self: UserObject, size: Any = 2, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["size"] = whole_number(size, "size")


def _upsampling_call(self: UserObject, inputs: Any) -> Any:
    return ops.repeat(inputs, self.fields["size"], axis=1)


def _upsampled_shape(self: UserObject, input_shape: Any) -> Any:
    count, length, channels = input_shape
    return (count, length and length * self.fields["size"], channels)


# -- Masking: turns whose numbers are all one value do not count -------------------------------------


def _masking_init(
    interpreter: Interpreter,
    self: UserObject,
    mask_value: Any = 0.0,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["mask_value"] = mask_value


def _masking_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """The inputs, 0 where a turn does not count."""
    counts = counted_turns(self, inputs)
    result = inputs * ops.cast(ops.expand_dims(counts, -1), inputs.dtype)
    set_mask(interpreter, result, counts)
    return result


SHAPING = {
    "Masking": layer_class("Masking", _masking_init, _masking_call, same_shape),
    "RepeatVector": layer_class("RepeatVector", _repeat_init, _repeat_call, _repeat_shape),
    "Permute": layer_class("Permute", _permute_init, _permute_call, _permute_shape),
    "Cropping2D": layer_class("Cropping2D", _cropping_init, _cropping_call, _cropped_shape),
    "ZeroPadding1D": layer_class("ZeroPadding1D", _padding_init, _padding_call, _padded_shape),
    "UpSampling1D": layer_class("UpSampling1D", _upsampling_init, _upsampling_call, _upsampled_shape),
    "Identity": layer_class("Identity", _name_alone, lambda self, inputs: inputs, same_shape),
}
