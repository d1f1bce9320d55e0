"""`tf.keras.layers`: convolutions with filters for each channel, and slopes that are trained."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import check_rank
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.layers.basic import finished
from engine.languages.surfaces.keras.layers.plain import layer_class, same_shape
from engine.languages.surfaces.keras.named import activation_named, initializer_named
from engine.languages.surfaces.keras.weights import add_weight
from engine.ops.base.shapes import whole_number
from engine.ops.networks.convolution import conv2d_op
from engine.ops.networks.depthwise import depthwise_conv2d_native
from engine.ops.networks.windows import axes_of_windows, checked_padding, four, windowed

EVERY = (1, 1, 1, 1)
ROWS = "SeparableConv1D"


def _begin(
    interpreter: Interpreter,
    self: UserObject,
    kernel_size: Any,
    strides: Any,
    padding: Any,
    depth_multiplier: Any,
    activation: Any,
    use_bias: Any,
) -> None:
    """What both kinds have."""
    upper = padding.upper() if isinstance(padding, str) else padding
    self.fields.update(_size=four(kernel_size, "kernel_size"), _strides=four(strides, "strides"))
    self.fields.update(_padding=checked_padding(upper), use_bias=bool(use_bias))
    self.fields.update(
        depth_multiplier=whole_number(depth_multiplier, "depth_multiplier"),
        activation=activation_named(activation),
    )


def _depthwise_init(
    interpreter: Interpreter,
    self: UserObject,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: Any = "valid",
    depth_multiplier: Any = 1,
    activation: Any = None,
    use_bias: Any = True,
    depthwise_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How large the filters are, how they move, and how many each channel has."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    _begin(interpreter, self, kernel_size, strides, padding, depth_multiplier, activation, use_bias)
    begins = (depthwise_initializer, bias_initializer)
    self.fields["_rules"] = [initializer_named(interpreter, one) for one in begins]


def _depthwise_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    fields, channels = self.fields, input_shape[-1]
    fields["built"] = True
    kernel, offset = fields["_rules"]
    shape = (*fields["_size"][1:3], channels, fields["depth_multiplier"])
    fields["kernel"] = add_weight(interpreter, self, shape, kernel, name="kernel")
    fields["bias"] = None
    if fields["use_bias"]:
        wide = (channels * fields["depth_multiplier"],)
        fields["bias"] = add_weight(interpreter, self, wide, offset, name="bias")


def _depthwise_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    x = ops.cast(inputs, self.fields["kernel"].dtype)
    return finished(interpreter, self, _under(self, x, self.fields["kernel"]))


def _under(self: UserObject, x: Any, kernel: Any) -> Any:
    """Each channel under its filters."""
    how = {"strides": self.fields["_strides"], "padding": self.fields["_padding"]}
    return depthwise_conv2d_native(x, ops.convert_to_tensor(kernel), **how)


def _windows(self: UserObject, shape: Any, channels: int) -> Any:
    axes = axes_of_windows(self.fields["_size"], self.fields["_strides"], self.fields["_padding"])
    return windowed(tuple(shape), axes, channels) or ()


def _depthwise_shape(self: UserObject, input_shape: Any) -> Any:
    return _windows(self, input_shape, input_shape[-1] * self.fields["depth_multiplier"])


def _separable_init(
    interpreter: Interpreter,
    self: UserObject,
    filters: Any,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: Any = "valid",
    depth_multiplier: Any = 1,
    activation: Any = None,
    use_bias: Any = True,
    depthwise_initializer: Any = "glorot_uniform",
    pointwise_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many filters, how large those of the channels are, and how they move."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    _begin(interpreter, self, kernel_size, strides, padding, depth_multiplier, activation, use_bias)
    self.fields["filters"] = whole_number(filters, "filters")
    begins = (depthwise_initializer, pointwise_initializer, bias_initializer)
    self.fields["_rules"] = [initializer_named(interpreter, one) for one in begins]


def _separable_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    check_rank(self, input_shape, 4)
    fields = self.fields
    fields["built"] = True
    depthwise, pointwise, offset = fields["_rules"]
    channels, multiplier, count = input_shape[-1], fields["depth_multiplier"], fields["filters"]
    sides = fields["_size"][1:3] if self.kind.name != ROWS else fields["_size"][2:3]
    first, last = (*sides, channels, multiplier), (*[1] * len(sides), channels * multiplier, count)
    fields["depthwise_kernel"] = add_weight(interpreter, self, first, depthwise, name="depthwise_kernel")
    fields["pointwise_kernel"] = add_weight(interpreter, self, last, pointwise, name="pointwise_kernel")
    fields["bias"] = None
    if fields["use_bias"]:
        fields["bias"] = add_weight(interpreter, self, (count,), offset, name="bias")


def _separable_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """Each channel under its filters, then all of them in one point."""
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    x = ops.cast(inputs, fields["depthwise_kernel"].dtype)
    apart = _under(self, x, fields["depthwise_kernel"])
    return finished(
        interpreter, self, conv2d_op(apart, fields["pointwise_kernel"], strides=EVERY, padding="VALID")
    )


def _separable_shape(self: UserObject, input_shape: Any) -> Any:
    return _windows(self, input_shape, self.fields["filters"])


# -- SeparableConv1D: the same along rows (examples, places, channels) -------------------------------


def _rows_init(
    interpreter: Interpreter,
    self: UserObject,
    filters: Any,
    kernel_size: Any,
    strides: Any = 1,
    padding: Any = "valid",
    depth_multiplier: Any = 1,
    activation: Any = None,
    use_bias: Any = True,
    depthwise_initializer: Any = "glorot_uniform",
    pointwise_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many filters, how long those of the channels are, and how they move."""
    size, step = (_alone(one, word) for one, word in ((kernel_size, "kernel_size"), (strides, "strides")))
    moves = ((1, size), (step, step), padding, depth_multiplier, activation, use_bias)
    begins = (depthwise_initializer, pointwise_initializer, bias_initializer)
    _separable_init(interpreter, self, filters, *moves, *begins, input_shape, name)


def _alone(given: Any, name: str) -> int:
    return whole_number(given[0] if isinstance(given, (list, tuple)) and len(given) == 1 else given, name)


def _rows_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    check_rank(self, input_shape, 3)
    examples, places, channels = input_shape
    _separable_build(interpreter, self, (examples, 1, places, channels))


def _rows_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    x = ops.expand_dims(ops.cast(inputs, fields["depthwise_kernel"].dtype), 1)
    apart = _under(self, x, ops.expand_dims(fields["depthwise_kernel"], 0))
    point = ops.expand_dims(fields["pointwise_kernel"], 0)
    made = conv2d_op(apart, point, strides=EVERY, padding="VALID")
    return finished(interpreter, self, ops.squeeze(made, [1]))


def _rows_shape(self: UserObject, input_shape: Any) -> Any:
    examples, places, channels = input_shape
    examples, _, count, filters = _windows(self, (examples, 1, places, channels), self.fields["filters"])
    return (examples, count, filters)


# -- PReLU: x where it is positive, else a x, with an own a for each place ---------------------------


def _prelu_init(
    interpreter: Interpreter,
    self: UserObject,
    alpha_initializer: Any = "zeros",
    shared_axes: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """What the slopes begin with, and along which axes one slope serves all."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    listed = shared_axes if isinstance(shared_axes, (list, tuple)) else [shared_axes]
    shared = [] if shared_axes is None else [whole_number(axis, "shared_axes") for axis in listed]
    self.fields.update(shared_axes=shared, _rule=initializer_named(interpreter, alpha_initializer))


def _prelu_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    self.fields["built"] = True
    shared = self.fields["shared_axes"]
    shape = tuple(1 if axis in shared else length for axis, length in enumerate(input_shape) if axis)
    self.fields["alpha"] = add_weight(interpreter, self, shape, self.fields["_rule"], name="alpha")


def _prelu_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    return ops.relu(inputs) - self.fields["alpha"] * ops.relu(-inputs)


SEPARABLE = {
    "DepthwiseConv2D": layer_class(
        "DepthwiseConv2D", _depthwise_init, _depthwise_call, _depthwise_shape, _depthwise_build
    ),
    **dict.fromkeys(
        ("SeparableConv2D", "SeparableConvolution2D"),
        layer_class("SeparableConv2D", _separable_init, _separable_call, _separable_shape, _separable_build),
    ),
    **dict.fromkeys(
        (ROWS, "SeparableConvolution1D"),
        layer_class(ROWS, _rows_init, _rows_call, _rows_shape, _rows_build),
    ),
    "PReLU": layer_class("PReLU", _prelu_init, _prelu_call, same_shape, _prelu_build),
}
