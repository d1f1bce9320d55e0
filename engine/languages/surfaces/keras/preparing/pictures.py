"""`tf.keras.layers`: pictures made larger or smaller, and cut out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ShapeError, ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import at_least_one, check_rank
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Array


def _two_init(
    interpreter: Interpreter,
    self: UserObject,
    height: Any,
    width: Any,
    interpolation: Any = "bilinear",
    crop_to_aspect_ratio: Any = False,
    data_format: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How high and how wide the pictures become."""
    other = {"crop_to_aspect_ratio": crop_to_aspect_ratio or None}
    other["data_format"] = None if data_format == "channels_last" else data_format
    refuse_given("tf.keras.layers.Resizing", other, "Leave it out.", "请去掉它。")
    if interpolation not in ("bilinear", "nearest"):
        raise ValueRefused(
            f"`interpolation` is 'bilinear' or 'nearest' here, not {interpolation!r}.",
            message_zh=f"这里的 `interpolation` 是 'bilinear' 或 'nearest'，不能是 {interpolation!r}。",
        )
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(height=at_least_one(height, "height"), width=at_least_one(width, "width"))
    self.fields["interpolation"] = interpolation


def crop_init(
    interpreter: Interpreter,
    self: UserObject,
    height: Any,
    width: Any,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How high and how wide the pictures become that are cut out."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(height=at_least_one(height, "height"), width=at_least_one(width, "width"))


def sized(self: UserObject, input_shape: Any) -> Any:
    """The shape of pictures as high and as wide as the layer makes them."""
    return (*input_shape[:-3], self.fields["height"], self.fields["width"], input_shape[-1])


def shares_of_lines(old: int, new: int, how: str) -> Array:
    """How much of each old row goes into each new one, whose middle lies at (i + 1/2) old / new - 1/2."""
    made = np.zeros((new, old), np.float32)
    if how == "nearest":
        made[np.arange(new), np.minimum(((np.arange(new) + 0.5) * old / new).astype(int), old - 1)] = 1
        return made
    places = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
    before = np.floor(places).astype(int)
    share = (places - before).astype(np.float32)
    made[np.arange(new), before] += 1 - share
    made[np.arange(new), np.minimum(before + 1, old - 1)] += share
    return made


def _resize_call(self: UserObject, inputs: Any) -> Any:
    """Shapes: (*S, rows, columns, channels) -> (*S, height, width, channels)."""
    x: Any = ops.cast(inputs, "float32")
    check_rank(self, x.shape, 3, 4)
    return resized(x, self.fields["height"], self.fields["width"], self.fields["interpolation"])


def resized(x: Any, height: int, width: int, how: str) -> Any:
    """Pictures of another size. Shapes: x (*S, rows, columns, channels) -> (*S, height, width, channels)."""
    rows = shares_of_lines(x.shape[-3], height, how)
    columns = shares_of_lines(x.shape[-2], width, how)
    one = len(x.shape) == 3
    wide = ops.einsum("ij,bjkc,lk->bilc", rows, ops.expand_dims(x, 0) if one else x, columns)
    return ops.squeeze(wide, [0]) if one else wide


def _center_call(self: UserObject, inputs: Any) -> Any:
    """The middle of each picture. Raises: ShapeError for pictures that are smaller."""
    return _cut(self, inputs, lambda spare: spare // 2)


def _cut(self: UserObject, inputs: Any, begins: Callable[[int], int]) -> Any:
    check_rank(self, inputs.shape, 3, 4)
    height, width = self.fields["height"], self.fields["width"]
    spare = (inputs.shape[-3] - height, inputs.shape[-2] - width)
    if min(spare) < 0:
        shape = written(tuple(inputs.shape))
        raise ShapeError(
            f"Layer {self.fields['name']} cuts {height} by {width} out, but its input is {shape}.",
            message_zh=f"层 {self.fields['name']} 要裁出 {height} × {width}，但输入是 {shape}。",
            hint="Let the pictures be at least as large: Resizing first.",
            hint_zh="图像至少要有这么大：请先用 Resizing。",
        )
    top, left = map(begins, spare)
    return inputs[..., top : top + height, left : left + width, :]


PICTURES = {
    "Resizing": layer_class("Resizing", _two_init, _resize_call, sized),
    "CenterCrop": layer_class("CenterCrop", crop_init, _center_call, sized),
}
