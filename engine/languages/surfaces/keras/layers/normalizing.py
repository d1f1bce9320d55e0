"""`tf.keras.layers`: layers that bring each example, or groups of its features, to one size.

GroupNormalization: mean 0 and variance 1 over the places and features of a group.
UnitNormalization:  length 1 along the axes.
RMSNormalization:   root mean square 1 along the axis.
"""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.layers.normalization import keep_rules
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.weights import add_weight
from engine.ops.base.shapes import whole_number
from engine.ops.networks import normalizing


def _group_init(
    interpreter: Interpreter,
    self: UserObject,
    groups: Any = 32,
    axis: Any = -1,
    epsilon: Any = 1e-3,
    center: Any = True,
    scale: Any = True,
    beta_initializer: Any = "zeros",
    gamma_initializer: Any = "ones",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many groups the features stand in; -1 for one each."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(groups=whole_number(groups, "groups"), axis=axis, epsilon=epsilon)
    begins = {"gamma": gamma_initializer if scale else None, "beta": beta_initializer if center else None}
    keep_rules(interpreter, self, begins)


def _group_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    """Scale and offset for each feature. Raises: ValueRefused where they do not fill the groups."""
    fields = self.fields
    width = input_shape[fields["axis"]]
    groups = width if fields["groups"] == -1 else fields["groups"]
    if width % groups:
        raise ValueRefused(
            f"Number of groups ({groups}) must be a divisor of the number of channels ({width}).",
            message_zh=f"组数（{groups}）必须能整除通道数（{width}）。",
            kind="ValueError",
        )
    fields.update(built=True, groups=groups)
    for part, rule in fields["_rules"].items():
        fields[part] = None if rule is None else add_weight(interpreter, self, (width,), rule, name=part)


def _group_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """Shapes: (B, …, C) -> the same."""
    build_layer(interpreter, self, inputs.shape)
    fields, rank = self.fields, len(inputs.shape)
    axis = fields["axis"] % rank
    lengths = ops.unstack(ops.shape_of(inputs), rank)
    width = inputs.shape[axis] // fields["groups"]
    apart = ops.reshape(inputs, [*lengths[:axis], fields["groups"], width, *lengths[axis + 1 :]])
    others = [place for place in range(1, rank + 1) if place != axis]
    mean, variance = normalizing.moments(apart, others, keepdims=True)

    def along(part: Any) -> Any:
        """A number for each feature, in the shape in which it meets the groups."""
        shape = [1] * (rank + 1)
        shape[axis : axis + 2] = [fields["groups"], width]
        return part if part is None else ops.reshape(part, shape)

    offset, scale = along(fields["beta"]), along(fields["gamma"])
    result = normalizing.batch_normalization(apart, mean, variance, offset, scale, fields["epsilon"])
    return ops.reshape(result, ops.shape_of(inputs))


def _unit_init(interpreter: Interpreter, self: UserObject, axis: Any = -1, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["axis"] = axis


def _unit_call(self: UserObject, inputs: Any) -> Any:
    """x / ‖x‖."""
    axis = self.fields["axis"]
    return ops.l2_normalize(inputs, list(axis) if isinstance(axis, (list, tuple)) else axis, 1e-12)


def _root_init(
    interpreter: Interpreter, self: UserObject, axis: Any = -1, epsilon: Any = 1e-6, name: Any = None
) -> None:
    layer_init(interpreter, self, name)
    self.fields.update(axis=axis, epsilon=epsilon)


def _root_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    """A scale for each feature."""
    self.fields["built"] = True
    size = (input_shape[self.fields["axis"]],)
    self.fields["scale"] = add_weight(interpreter, self, size, "ones", name="scale")


def _root_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """x / √(mean of x² + ε), times the scale."""
    build_layer(interpreter, self, inputs.shape)
    fields, rank = self.fields, len(inputs.shape)
    axis = fields["axis"] % rank
    mean = ops.reduce_mean(ops.square(inputs), axis, keepdims=True)
    shape = [-1 if place == axis else 1 for place in range(rank)]
    return inputs * ops.rsqrt(mean + fields["epsilon"]) * ops.reshape(fields["scale"], shape)


SIZES = {
    "GroupNormalization": layer_class(
        "GroupNormalization", _group_init, _group_call, same_shape, _group_build
    ),
    "UnitNormalization": layer_class("UnitNormalization", _unit_init, _unit_call, same_shape),
    "RMSNormalization": layer_class("RMSNormalization", _root_init, _root_call, same_shape, _root_build),
}
