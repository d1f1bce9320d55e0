"""`tf.keras.layers`: layers that bring their inputs to mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import ops
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.named import initializer_named
from engine.languages.surfaces.keras.weights import add_weight
from engine.ops.networks import normalizing


def keep_rules(interpreter: Interpreter, self: UserObject, begins: Mapping[str, Any]) -> None:
    """What the layer's weights begin with, by name; None for one that it has not."""
    self.fields["_rules"] = {
        part: None if rule is None else initializer_named(interpreter, rule) for part, rule in begins.items()
    }


def batch_init(
    interpreter: Interpreter,
    self: UserObject,
    axis: Any = -1,
    momentum: Any = 0.99,
    epsilon: Any = 1e-3,
    center: Any = True,
    scale: Any = True,
    beta_initializer: Any = "zeros",
    gamma_initializer: Any = "ones",
    moving_mean_initializer: Any = "zeros",
    moving_variance_initializer: Any = "ones",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """What the inputs are brought to, and how fast the moving averages follow."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(axis=axis, momentum=momentum, epsilon=epsilon)
    begins = {"gamma": gamma_initializer if scale else None, "beta": beta_initializer if center else None}
    begins.update(moving_mean=moving_mean_initializer, moving_variance=moving_variance_initializer)
    keep_rules(interpreter, self, begins)


def layer_norm_init(
    interpreter: Interpreter,
    self: UserObject,
    axis: Any = -1,
    epsilon: Any = 1e-3,
    center: Any = True,
    scale: Any = True,
    beta_initializer: Any = "zeros",
    gamma_initializer: Any = "ones",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """What each example is brought to."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(axis=axis, epsilon=epsilon)
    begins = {"gamma": gamma_initializer if scale else None, "beta": beta_initializer if center else None}
    keep_rules(interpreter, self, begins)


def _axes(self: UserObject) -> list[int]:
    """The axes of the features, one or several."""
    axis = self.fields["axis"]
    return list(axis) if isinstance(axis, (list, tuple)) else [axis]


def build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    """Scale and offset, and the moving averages, one number of each for each feature."""
    self.fields["built"] = True
    size = tuple(input_shape[axis] for axis in _axes(self))
    for part, rule in self.fields["_rules"].items():
        trained = not part.startswith("moving")
        made = (
            None if rule is None else add_weight(interpreter, self, size, rule, trainable=trained, name=part)
        )
        self.fields[part] = made


def batch_call(interpreter: Interpreter, self: UserObject, inputs: Any, training: Any = False) -> Any:
    """By the batch's own moments in training, which move the averages; by the averages otherwise.

    A layer that is not trained goes by the averages in training, too.
    """
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    others = [axis for axis in range(len(inputs.shape)) if axis != fields["axis"] % len(inputs.shape)]
    mean, variance = fields["moving_mean"], fields["moving_variance"]
    if training and fields.get("trainable", True):
        moments = normalizing.moments(inputs, others)
        for average, moment in zip((mean, variance), moments, strict=True):
            kept = fields["momentum"]
            interpreter.call(
                attribute_of(interpreter, average, "assign"), [average * kept + moment * (1.0 - kept)], {}
            )
        mean, variance = moments
    shape = [1 if axis in others else -1 for axis in range(len(inputs.shape))]

    def along(part: Any) -> Any:
        """A number for each feature, in the shape in which it meets the inputs."""
        return part if part is None or shape[-1] == -1 else ops.reshape(part, shape)

    offset, scale = along(fields["beta"]), along(fields["gamma"])
    return normalizing.batch_normalization(
        inputs, along(mean), along(variance), offset, scale, fields["epsilon"]
    )


def layer_norm_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """Each example by its own moments."""
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    rank = len(inputs.shape)
    axes = [axis % rank for axis in _axes(self)]
    mean, variance = normalizing.moments(inputs, axes, keepdims=True)
    shape = [inputs.shape[axis] if axis in axes else 1 for axis in range(rank)]

    def along(part: Any) -> Any:
        """The numbers in the shape in which they meet the inputs."""
        return part if part is None or axes == [rank - 1] else ops.reshape(part, shape)

    offset, scale = along(fields["beta"]), along(fields["gamma"])
    return normalizing.batch_normalization(inputs, mean, variance, offset, scale, fields["epsilon"])
