"""`tf.keras.layers`: filters and windows along rows (examples, places, channels)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import ops
from engine.errors import ValueRefused, quoted
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.layers.basic import (
    conv_init,
    finished,
    make_kernel,
    needing_size,
    pool_init,
)
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.ops.base.shapes import whole_number
from engine.ops.networks.along_rows import avg_pool1d, conv1d, max_pool1d
from engine.ops.networks.windows import Axis


def _one(given: Any, what: str) -> int:
    """A whole number, which may stand in a list by itself. Raises: ValueRefused."""
    number = given[0] if isinstance(given, (list, tuple)) and len(given) == 1 else given
    count = whole_number(number, what)
    if count < 1:
        raise ValueRefused(
            f"`{what}` is at least 1, not {quoted(given)}.",
            message_zh=f"`{what}` 至少是 1，不能是 {quoted(given)}。",
            code="bad_value",
        )
    return count


def _conv_init(
    interpreter: Interpreter,
    self: UserObject,
    filters: Any,
    kernel_size: Any,
    strides: Any = 1,
    padding: Any = "valid",
    dilation_rate: Any = 1,
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many filters, how long, and how they move; causal ones see only what came before."""
    size, step = _one(kernel_size, "kernel_size"), _one(strides, "strides")
    causal = padding == "causal"
    conv_init(
        interpreter,
        self,
        filters,
        (1, size),
        (1, step),
        "valid" if causal else padding,
        activation=activation,
        use_bias=use_bias,
        kernel_initializer=kernel_initializer,
        bias_initializer=bias_initializer,
        kernel_regularizer=kernel_regularizer,
        bias_regularizer=bias_regularizer,
        input_shape=input_shape,
        name=name,
    )
    apart = _one(dilation_rate, "dilation_rate")
    self.fields.update(_length=size, _step=step, _apart=apart, _before=(size - 1) * apart if causal else 0)


def _conv_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    count = self.fields["filters"]
    make_kernel(interpreter, self, (self.fields["_length"], input_shape[-1], count), count)


def _conv_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    x = ops.cast(inputs, fields["kernel"].dtype)
    if fields["_before"]:
        x = ops.pad(x, [(0, 0), (fields["_before"], 0), (0, 0)])
    how = {"stride": fields["_step"], "padding": fields["_padding"], "dilations": fields["_apart"]}
    return finished(interpreter, self, conv1d(x, fields["kernel"], **how))


def _windows(self: UserObject, input_shape: Any) -> Any:
    """(examples, windows, channels)."""
    examples, length, channels = input_shape
    fields = self.fields
    axis = Axis(fields["_length"], fields["_step"], fields["_apart"], fields["_padding"] == "SAME")
    count = None if length is None else axis.count(length + fields["_before"])
    return (examples, count, fields.get("filters", channels))


def _pool_init(
    interpreter: Interpreter,
    self: UserObject,
    pool_size: Any = 2,
    strides: Any = None,
    padding: Any = "valid",
    name: Any = None,
) -> None:
    """How long the windows are, and how they move: by default by their own length."""
    size = _one(pool_size, "pool_size")
    step = size if strides is None else _one(strides, "strides")
    pool_init(interpreter, self, (1, size), (1, step), padding, name)
    self.fields.update(_length=size, _step=step, _apart=1, _before=0)


def _pool_call(pool: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: UserObject, inputs: Any) -> Any:
        return pool(inputs, self.fields["_length"], self.fields["_step"], self.fields["_padding"])

    return call


CONVOLUTION = layer_class("Conv1D", _conv_init, _conv_call, _windows, _conv_build)
MAX_POOLING = layer_class("MaxPooling1D", _pool_init, _pool_call(max_pool1d), _windows)
AVERAGE_POOLING = layer_class("AveragePooling1D", needing_size(_pool_init), _pool_call(avg_pool1d), _windows)
ALONG_ROWS = {
    **dict.fromkeys(("Conv1D", "Convolution1D"), CONVOLUTION),
    **dict.fromkeys(("MaxPooling1D", "MaxPool1D"), MAX_POOLING),
    **dict.fromkeys(("AveragePooling1D", "AvgPool1D"), AVERAGE_POOLING),
}
