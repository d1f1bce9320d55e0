"""`tf.keras.layers`: more layers without variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from engine import ops
from engine.errors import ShapeError
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import with_common_settings
from engine.languages.surfaces.keras.fitting.logits import knows_logits
from engine.languages.surfaces.keras.layer import LAYER, layer_init, methods
from engine.languages.surfaces.keras.masks import mask_of
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number, written
from engine.ops.common.measuring import shape_of


def layer_class(
    name: str,
    init: Callable[..., Any],
    call: Callable[..., Any],
    shape: Callable[..., Any] | None = None,
    build: Callable[..., Any] | None = None,
) -> UserClass:
    """A layer by what it keeps, what it computes, and the shape that comes out for a shape that goes in.

    Without that rule the shape is found by tracing what it computes.
    """
    own = methods(name, __init__=with_common_settings(init), call=call)
    own |= {} if shape is None else methods(name, compute_output_shape=shape)
    return UserClass(name, LAYER, {**own, **(methods(name, build=build) if build else {})}, origin="library")


def same_shape(self: UserObject, input_shape: Any) -> Any:
    """Of a layer that works on each element by itself."""
    return tuple(input_shape)


def _reshape_init(
    interpreter: Interpreter, self: UserObject, target_shape: Any, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["target_shape"] = tuple(whole_number(length, "target_shape") for length in target_shape)


def _reshape_call(self: UserObject, inputs: Any) -> Any:
    return each_reshaped(inputs, self.fields["target_shape"])


def each_reshaped(inputs: Any, lengths: Sequence[int]) -> Any:
    """Each example in another shape; their number need not be known yet. One length may be -1."""
    count, *each = inputs.shape
    if count is not None:
        return ops.reshape(inputs, (count, *lengths))
    if -1 in lengths and None not in each:
        rest = prod(each) // prod(length for length in lengths if length != -1)
        lengths = [rest if length == -1 else length for length in lengths]
    return ops.reshape(inputs, (-1 if -1 not in lengths else shape_of(inputs)[0], *lengths))


def _reshape_shape(self: UserObject, input_shape: Any) -> Any:
    wanted = self.fields["target_shape"]
    if -1 not in wanted or None in input_shape[1:]:
        return (input_shape[0], *(None if length == -1 else length for length in wanted))
    known = prod(length for length in wanted if length != -1)
    rest = prod(input_shape[1:]) // known
    return (input_shape[0], *(rest if length == -1 else length for length in wanted))


def _relu_init(
    interpreter: Interpreter,
    self: UserObject,
    max_value: Any = None,
    negative_slope: Any = 0.0,
    threshold: Any = 0.0,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name)
    self.fields.update(max_value=max_value, negative_slope=negative_slope, threshold=threshold)


def _relu_call(self: UserObject, inputs: Any) -> Any:
    """f(x) = x above the threshold, slope * (x - threshold) below, cut off at the largest value."""
    fields = self.fields
    if not fields["threshold"]:
        slope = fields["negative_slope"]
        result = ops.relu(inputs) if not slope else ops.leaky_relu(inputs, slope)
    else:
        slope, threshold = fields["negative_slope"], fields["threshold"]
        below = slope * (inputs - threshold) if slope else ops.zeros_like(inputs)
        result = ops.where(inputs > threshold, inputs, below)
    return result if fields["max_value"] is None else ops.minimum(result, fields["max_value"])


def _leaky_init(
    interpreter: Interpreter, self: UserObject, negative_slope: Any = 0.3, alpha: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name)
    self.fields["negative_slope"] = negative_slope if alpha is None else alpha


def _leaky_call(self: UserObject, inputs: Any) -> Any:
    return ops.leaky_relu(inputs, self.fields["negative_slope"])


def _elu_init(interpreter: Interpreter, self: UserObject, alpha: Any = 1.0, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["alpha"] = alpha


def _elu_call(self: UserObject, inputs: Any) -> Any:
    """f(x) = x above 0, alpha * (e^x - 1) below."""
    alpha = self.fields["alpha"]
    return ops.elu(inputs) if alpha == 1 else ops.where(inputs > 0, inputs, alpha * ops.expm1(inputs))


SOFTMAX = knows_logits(ops.softmax)


def _softmax_init(interpreter: Interpreter, self: UserObject, axis: Any = -1, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["axis"] = axis


def _softmax_call(self: UserObject, inputs: Any, mask: Any = None) -> Any:
    """The shares of what counts; 0 for what a mask leaves out."""
    if mask is None:
        return SOFTMAX(inputs, self.fields["axis"])
    counts = ops.broadcast_to(ops.cast(mask, "float32") > 0.5, inputs.shape)
    shares = ops.softmax(ops.where(counts, inputs, -1e9 * ops.ones_like(inputs)), self.fields["axis"])
    return ops.where(counts, shares, ops.zeros_like(shares))


def _rescaling_init(
    interpreter: Interpreter,
    self: UserObject,
    scale: Any,
    offset: Any = 0.0,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(scale=scale, offset=offset)


def _rescaling_call(self: UserObject, inputs: Any) -> Any:
    return ops.cast(inputs, "float32") * self.fields["scale"] + self.fields["offset"]


def _lambda_init(
    interpreter: Interpreter,
    self: UserObject,
    function: Any,
    output_shape: Any = None,
    mask: Any = None,
    arguments: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """output_shape: of one example; it need not be given, the function is traced in any case."""
    refuse_given(
        "tf.keras.layers.Lambda",
        {"mask": mask},
        "Leave it out, or write a layer with compute_mask.",
        "请去掉它，或写一个带 compute_mask 的层。",
    )
    layer_init(interpreter, self, name, input_shape=input_shape)
    one_example = output_shape if isinstance(output_shape, (tuple, list)) else None
    self.fields.update(function=function, _arguments=arguments or {}, _one_example=one_example)


def _lambda_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """Raises: ShapeError for a result of another shape than `output_shape` says."""
    result = interpreter.call(self.fields["function"], [inputs], dict(self.fields["_arguments"]))
    claimed, shape = self.fields["_one_example"], getattr(result, "shape", None)
    if claimed is not None and shape is not None and not _agree(tuple(shape)[1:], tuple(claimed)):
        given, said = written(tuple(shape)[1:]), written(tuple(claimed))
        raise ShapeError(
            f"The function of the layer {self.fields['name']} gives examples of the shape {given}, "
            f"but output_shape says {said}.",
            message_zh=f"层 {self.fields['name']} 的函数给出的样本形状是 {given}，"
            f"但 output_shape 写的是 {said}。",
            hint="Leave `output_shape` out.",
            hint_zh="请去掉 `output_shape`。",
        )
    return result


def _agree(shape: Sequence[Any], claimed: Sequence[Any]) -> bool:
    """Whether the lengths are the same where both are known."""
    pairs = zip(shape, claimed, strict=False)
    return len(shape) == len(claimed) and all(a is None or b is None or a == b for a, b in pairs)


def _pooled_init(
    interpreter: Interpreter,
    self: UserObject,
    keepdims: Any = False,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["keepdims"] = bool(keepdims)


def _pooled(name: str, reduce: Callable[..., Any], axes: Sequence[int]) -> UserClass:
    """One figure for each channel."""

    def call(self: UserObject, inputs: Any) -> Any:
        return reduce(inputs, list(axes), self.fields["keepdims"])

    def call_with_mask(interpreter: Interpreter, self: UserObject, inputs: Any, mask: Any = None) -> Any:
        mask = mask_of(interpreter, inputs) if mask is None else mask
        if mask is None:
            return call(self, inputs)
        counts = ops.expand_dims(ops.cast(mask, inputs.dtype), -1)
        total = ops.reduce_sum(inputs * counts, 1, self.fields["keepdims"])
        return total / ops.reduce_sum(counts, 1, self.fields["keepdims"])

    def shape(self: UserObject, input_shape: Any) -> Any:
        kept = [1] * len(axes) if self.fields["keepdims"] else []
        return (input_shape[0], *kept, input_shape[-1])

    takes_mask = name == "GlobalAveragePooling1D"
    return layer_class(name, _pooled_init, call_with_mask if takes_mask else call, shape)


def _two(given: Any, name: str) -> tuple[int, int]:
    rows, columns = given if isinstance(given, (tuple, list)) else (given, given)
    return whole_number(rows, name), whole_number(columns, name)


def _upsampling_init(
    interpreter: Interpreter,
    self: UserObject,
    size: Any = (2, 2),
    data_format: Any = None,
    interpolation: Any = "nearest",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    refuse_given(
        "tf.keras.layers.UpSampling2D",
        {
            "data_format": None if data_format == "channels_last" else data_format,
            "interpolation": None if interpolation == "nearest" else interpolation,
        },
        "Each pixel is repeated here: leave it out.",
        "这里只重复每个像素：请去掉它。",
    )
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["size"] = _two(size, "size")


def _upsampling_call(self: UserObject, inputs: Any) -> Any:
    rows, columns = self.fields["size"]
    return ops.repeat(ops.repeat(inputs, rows, axis=1), columns, axis=2)


def _upsampled_shape(self: UserObject, input_shape: Any) -> Any:
    count, *lengths, channels = input_shape
    times = zip(lengths, self.fields["size"], strict=True)
    return (count, *(length and length * factor for length, factor in times), channels)


def _padding_init(
    interpreter: Interpreter,
    self: UserObject,
    padding: Any = (1, 1),
    data_format: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    refuse_given(
        "tf.keras.layers.ZeroPadding2D",
        {"data_format": None if data_format == "channels_last" else data_format},
        "The channels come last here: leave it out.",
        "这里通道在最后：请去掉它。",
    )
    layer_init(interpreter, self, name, input_shape=input_shape)
    both = padding if isinstance(padding, (tuple, list)) else (padding, padding)
    self.fields["padding"] = tuple(_two(side, "padding") for side in both)


def _padding_call(self: UserObject, inputs: Any) -> Any:
    return ops.pad(inputs, [(0, 0), *self.fields["padding"], (0, 0)])


def _padded_shape(self: UserObject, input_shape: Any) -> Any:
    count, *lengths, channels = input_shape
    sides = zip(lengths, self.fields["padding"], strict=True)
    return (count, *(length and length + sum(side) for length, side in sides), channels)


POOLED = {
    _pooled(names[0], reduce, axes): names
    for names, reduce, axes in (
        (("GlobalAveragePooling1D", "GlobalAvgPool1D"), ops.reduce_mean, (1,)),
        (("GlobalAveragePooling2D", "GlobalAvgPool2D"), ops.reduce_mean, (1, 2)),
        (("GlobalMaxPooling1D", "GlobalMaxPool1D"), ops.reduce_max, (1,)),
        (("GlobalMaxPooling2D", "GlobalMaxPool2D"), ops.reduce_max, (1, 2)),
    )
}

PLAIN = {
    "Reshape": layer_class("Reshape", _reshape_init, _reshape_call, _reshape_shape),
    "ReLU": layer_class("ReLU", _relu_init, _relu_call, same_shape),
    "LeakyReLU": layer_class("LeakyReLU", _leaky_init, _leaky_call, same_shape),
    "ELU": layer_class("ELU", _elu_init, _elu_call, same_shape),
    "Softmax": layer_class("Softmax", _softmax_init, _softmax_call, same_shape),
    "Rescaling": layer_class("Rescaling", _rescaling_init, _rescaling_call, same_shape),
    "UpSampling2D": layer_class("UpSampling2D", _upsampling_init, _upsampling_call, _upsampled_shape),
    "ZeroPadding2D": layer_class("ZeroPadding2D", _padding_init, _padding_call, _padded_shape),
    "Lambda": layer_class("Lambda", _lambda_init, _lambda_call),
    **{name: kind for kind, names in POOLED.items() for name in names},
}
