"""`tf.keras.layers`: layers that add noise, or leave out parts, while it is trained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.seeds import seed_generator


def _noise_init(
    interpreter: Interpreter,
    self: UserObject,
    stddev: Any,
    seed: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(stddev=float(stddev), seed=seed_generator(interpreter, seed) if stddev else None)


def _noise_call(self: UserObject, inputs: Any, training: Any = False) -> Any:
    """x + n, n drawn by a normal distribution around 0."""
    if not training:
        return inputs
    fields = self.fields
    return inputs + ops.random_normal(inputs.shape, 0.0, fields["stddev"], inputs.dtype, seed=fields["seed"])


def _rate_init(
    interpreter: Interpreter,
    self: UserObject,
    rate: Any,
    seed: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(rate=float(rate), seed=seed_generator(interpreter, seed) if rate else None)


def _gaussian_call(self: UserObject, inputs: Any, training: Any = False) -> Any:
    """x n, n drawn by a normal distribution around 1 with the variance rate / (1 - rate)."""
    rate = self.fields["rate"]
    if not training or not rate:
        return inputs
    spread = (rate / (1.0 - rate)) ** 0.5
    return inputs * ops.random_normal(inputs.shape, 1.0, spread, inputs.dtype, seed=self.fields["seed"])


SELU_FLOOR = -1.7580993408473766  # what selu gives far below 0: -scale times alpha


def _alpha_call(self: UserObject, inputs: Any, training: Any = False) -> Any:
    """a x + b, x at selu's floor where it is dropped; a and b bring mean and variance back to what they were.

    Source: Klambauer et al. (2017), Self-normalizing neural networks.
    """
    rate = self.fields["rate"]
    if not training or not rate:
        return inputs
    a = ((1.0 - rate) * (1.0 + rate * SELU_FLOOR**2)) ** -0.5
    b = -a * SELU_FLOOR * rate
    drawn = ops.random_uniform(inputs.shape, 0.0, 1.0, inputs.dtype, seed=self.fields["seed"])
    kept = ops.cast(ops.greater_equal(drawn, rate), inputs.dtype)
    return a * (inputs * kept + SELU_FLOOR * (1.0 - kept)) + b


def _whole_channels(name: str) -> UserClass:
    """Dropout of whole channels: one draw for each channel of each example."""

    def call(self: UserObject, inputs: Any, training: Any = False) -> Any:
        if not training:
            return inputs
        shape = inputs.shape
        noise = [shape[0], *[1] * (len(shape) - 2), shape[-1]]
        return ops.dropout(inputs, rate=self.fields["rate"], noise_shape=noise, seed=self.fields["seed"])

    made: Callable[..., UserClass] = layer_class
    return made(name, _rate_init, call, same_shape)


NOISE = {
    "GaussianNoise": layer_class("GaussianNoise", _noise_init, _noise_call, same_shape),
    "GaussianDropout": layer_class("GaussianDropout", _rate_init, _gaussian_call, same_shape),
    "AlphaDropout": layer_class("AlphaDropout", _rate_init, _alpha_call, same_shape),
    "SpatialDropout1D": _whole_channels("SpatialDropout1D"),
    "SpatialDropout2D": _whole_channels("SpatialDropout2D"),
}
