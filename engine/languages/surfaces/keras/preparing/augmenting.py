"""`tf.keras.layers`: pictures changed at random, also where a call does not say whether it is training.

They pass as they are in `predict`, `evaluate` and calls with `training=False`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import check_rank, number_of
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.preparing.pictures import crop_init, resized, sized
from engine.languages.surfaces.keras.seeds import default_seed, seed_generator

HORIZONTAL, VERTICAL = "horizontal", "vertical"
MODES = (HORIZONTAL, VERTICAL, "horizontal_and_vertical")
LARGEST = 255.0  # of a colour


def _flip_init(
    interpreter: Interpreter,
    self: UserObject,
    mode: Any = MODES[2],
    seed: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """Along which sides pictures are turned over."""
    if mode not in MODES:
        raise ValueRefused(
            f"`mode` is one of {', '.join(MODES)}.",
            message_zh=f"`mode` 可以是 {'、'.join(MODES)}。",
        )
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(mode=mode, _seed=seed_generator(interpreter, seed))


def _one_for_each(self: UserObject, x: Any, least: float, most: float) -> Any:
    """One number for each picture."""
    shape: Any = (*x.shape[:-3], 1, 1, 1)
    if None in shape:
        shape = ops.concat([ops.shape_of(x)[:1], [1, 1, 1]], 0)
    return ops.random_uniform(shape, least, most, seed=self.fields["_seed"])


def _flip_call(self: UserObject, inputs: Any, training: Any = True) -> Any:
    """Each picture with probability 1/2, along both sides where both are meant."""
    x: Any = ops.cast(inputs, "float32")
    check_rank(self, x.shape, 3, 4)
    if not training:
        return x
    turned = ops.cast(_one_for_each(self, x, 0.0, 1.0) <= 0.5, "float32")
    for word, axis in ((VERTICAL, -3), (HORIZONTAL, -2)):
        if word in self.fields["mode"]:
            x = turned * ops.reverse(x, [axis % len(x.shape)]) + (1.0 - turned) * x
    return x


def _factor_init(
    interpreter: Interpreter,
    self: UserObject,
    factor: Any,
    value_range: Any = (0, LARGEST),
    seed: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """factor: by how much pictures change at most, or from how much to how much.

    Contrast changes by 1 - a to 1 + b, and where one number is given, only upwards, as Keras has it.
    """
    layer_init(interpreter, self, name, input_shape=input_shape)
    is_contrast = self.kind.name == "RandomContrast"
    if isinstance(factor, (list, tuple)):
        least, most = _pair(factor, "factor")
    else:
        most = number_of(factor, "factor")
        least = 0.0 if is_contrast else -most
    bounds = (1.0 - least, 1.0 + most) if is_contrast else (least, most)
    self.fields.update(factor=bounds, _seed=seed_generator(interpreter, seed))
    self.fields["value_range"] = _pair(value_range, "value_range")


def _pair(given: Any, name: str) -> tuple[float, float]:
    """The least and the most. Raises: ValueRefused for anything else than two numbers."""
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise ValueRefused(
            f"`{name}` is two numbers, such as (0, 1).", message_zh=f"`{name}` 应是两个数，例如 (0, 1)。"
        )
    return number_of(given[0], name), number_of(given[1], name)


def _changed(name: str, change: Callable[[UserObject, Any, Any], Any]) -> UserClass:
    def call(self: UserObject, inputs: Any, training: Any = True) -> Any:
        x = ops.cast(inputs, "float32")
        check_rank(self, x.shape, 3, 4)
        if not training:
            return x
        changed = change(self, x, _one_for_each(self, x, *self.fields["factor"]))
        return ops.clip_by_value(changed, *self.fields["value_range"])

    return layer_class(name, _factor_init, call, same_shape)


def _contrast(self: UserObject, x: Any, share: Any) -> Any:
    """Farther from the mean of each colour, or nearer to it."""
    mean = ops.reduce_mean(x, [-3, -2], keepdims=True)
    return (x - mean) * share + mean


def _brightness(self: UserObject, x: Any, share: Any) -> Any:
    """Lighter or darker by a share of the range of values."""
    least, most = self.fields["value_range"]
    return x + share * (most - least)


def _random_crop_init(
    interpreter: Interpreter,
    self: UserObject,
    height: Any,
    width: Any,
    seed: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    crop_init(interpreter, self, height, width, input_shape, name)
    shown = default_seed(interpreter) if seed is None else seed  # in Keras another one than it draws with
    self.fields.update(seed=shown, _seed=seed_generator(interpreter, seed))


def _random_crop_call(self: UserObject, inputs: Any, training: Any = True) -> Any:
    """The same part of each picture of a batch; of smaller ones the middle, made as large as asked."""
    check_rank(self, inputs.shape, 3, 4)
    if not training:
        return inputs
    x: Any = ops.cast(inputs, "float32")
    height, width = self.fields["height"], self.fields["width"]
    spare = (x.shape[-3] - height, x.shape[-2] - width)
    if min(spare) > 0:
        for axis, length, left in ((-3, height, spare[0]), (-2, width, spare[1])):
            first = ops.random_uniform((), 0.0, float(left + 1), seed=self.fields["_seed"])
            places = ops.cast(first, "int32") + np.arange(length, dtype=np.int32)
            x = ops.gather(x, places, axis % len(x.shape))
        return x
    top, left = _middle(x.shape[-3], x.shape[-2], height, width)
    cut = x[..., top : top + height, left : left + width, :]
    is_right = tuple(cut.shape[-3:-1]) == (height, width)
    return cut if is_right else resized(cut, height, width, "bilinear")


def _middle(rows: int, columns: int, height: int, width: int) -> tuple[int, int]:
    """Where the largest part with these proportions begins that stands in the middle of a picture."""
    high = max(min(rows, int(columns * height / width)), 1)
    wide = max(min(columns, int(rows * width / height)), 1)
    return int((rows - high) / 2), int((columns - wide) / 2)


AUGMENTING = {
    "RandomCrop": layer_class("RandomCrop", _random_crop_init, _random_crop_call, sized),
    "RandomFlip": layer_class("RandomFlip", _flip_init, _flip_call, same_shape),
    "RandomContrast": _changed("RandomContrast", _contrast),
    "RandomBrightness": _changed("RandomBrightness", _brightness),
}
