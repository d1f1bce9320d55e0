"""`tf.keras.layers`: the kinds of layers, each by what it makes and what it computes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from math import prod
from typing import Any

from engine import ops
from engine.errors import ShapeError, ValueRefused
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.fitting.regularizers import regularizer_named
from engine.languages.surfaces.keras.layer import layer_init
from engine.languages.surfaces.keras.layering.shapes import build_layer
from engine.languages.surfaces.keras.layering.weights import set_values
from engine.languages.surfaces.keras.layers import normalization
from engine.languages.surfaces.keras.layers.channels import with_data_format
from engine.languages.surfaces.keras.layers.plain import each_reshaped, layer_class, same_shape
from engine.languages.surfaces.keras.named import activation_named, initializer_named
from engine.languages.surfaces.keras.seeds import seed_generator
from engine.languages.surfaces.keras.weights import add_weight
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.shapes import whole_number, written
from engine.ops.networks.along_rows import conv2d_transpose
from engine.ops.networks.convolution import conv2d_op
from engine.ops.networks.windows import axes_of_windows, checked_padding, four, windowed


def _dense_init(
    interpreter: Interpreter,
    self: UserObject,
    units: Any,
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    input_shape: Any = None,
    input_dim: Any = None,
    name: Any = None,
) -> None:
    """How many units, and what follows the product."""
    layer_init(interpreter, self, name, input_shape=(input_dim,) if input_dim else input_shape)
    count = _at_least_one(units, "units")
    self.fields.update(units=count, activation=activation_named(activation), use_bias=bool(use_bias))
    self.fields["_rules"] = _rules(interpreter, kernel_initializer, bias_initializer)
    _penalized(self, kernel_regularizer, bias_regularizer)


def _penalized(self: UserObject, kernel: Any, bias: Any) -> None:
    """What is added to the loss for large numbers in kernel and bias."""
    self.fields.update(kernel_regularizer=regularizer_named(kernel), bias_regularizer=regularizer_named(bias))


def _rules(interpreter: Interpreter, kernel: Any, bias: Any) -> tuple[Any, Any]:
    """What kernel and bias begin with."""
    return initializer_named(interpreter, kernel), initializer_named(interpreter, bias)


def _at_least_one(given: Any, what: str) -> int:
    count = whole_number(given, what)
    if count < 1:
        raise ValueRefused(
            f"`{what}` is at least 1, not {count}.",
            message_zh=f"`{what}` 至少是 1，不能是 {count}。",
            code="bad_value",
        )
    return count


def _dense_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    if len(input_shape) < 2:
        raise ShapeError(
            f"Layer {self.fields['name']} takes rows of features, but its input is {written(input_shape)}.",
            hint="One example is a row, too: tf.reshape(x, [1, -1]).",
            message_zh=f"层 {self.fields['name']} 需要由特征组成的行，但输入是 {written(input_shape)}。",
            hint_zh="单个样本也是一行：tf.reshape(x, [1, -1])。",
        )
    make_kernel(interpreter, self, (input_shape[-1], self.fields["units"]), self.fields["units"])


def make_kernel(interpreter: Interpreter, self: UserObject, kernel: tuple[int, ...], units: int) -> None:
    """Kernel and bias."""
    self.fields["built"] = True
    first, offset = self.fields["_rules"]
    fields = self.fields
    penalty = {"regularizer": fields["kernel_regularizer"]}
    fields["kernel"] = add_weight(interpreter, self, kernel, first, name="kernel", **penalty)
    self.fields["bias"] = None
    if self.fields["use_bias"]:
        penalty = {"regularizer": fields["bias_regularizer"]}
        fields["bias"] = add_weight(interpreter, self, (units,), offset, name="bias", **penalty)


def _dense_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    kernel = self.fields["kernel"]
    inputs = ops.cast(inputs, kernel.dtype)
    if not inputs.shape or inputs.shape[-1] != kernel.shape[0]:
        raise ShapeError(
            f"The layer {self.fields['name']} was made for {kernel.shape[0]} features, "
            f"but its input is {written(inputs.shape)}.",
            message_zh=f"层 {self.fields['name']} 按 {kernel.shape[0]} 个特征创建，"
            f"但输入是 {written(inputs.shape)}。",
        )
    rank = len(inputs.shape)
    if rank > 2:
        return finished(interpreter, self, ops.tensordot(inputs, kernel, [[rank - 1], [0]]))
    return finished(interpreter, self, ops.matrix_product(inputs, kernel))


def finished(interpreter: Interpreter, self: UserObject, product: Any) -> Any:
    """The product with its bias, activated."""
    offset = self.fields["bias"]
    result = product if offset is None else ops.bias_add(product, offset)
    return interpreter.call(self.fields["activation"], [result], {})


def conv_init(
    interpreter: Interpreter,
    self: UserObject,
    filters: Any,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: Any = "valid",
    *,
    dilation_rate: Any = (1, 1),
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    kernel_regularizer: Any = None,
    bias_regularizer: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many filters, how large, how they move, and how far apart their points lie."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields.update(filters=_at_least_one(filters, "filters"), use_bias=bool(use_bias))
    self.fields.update(activation=activation_named(activation), _size=four(kernel_size, "kernel_size"))
    self.fields.update(_strides=four(strides, "strides"), _padding=checked_padding(_upper(padding)))
    self.fields["_dilations"] = four(dilation_rate, "dilation_rate")
    self.fields["_rules"] = _rules(interpreter, kernel_initializer, bias_initializer)
    _penalized(self, kernel_regularizer, bias_regularizer)


def _upper(padding: Any) -> Any:
    return padding.upper() if isinstance(padding, str) else padding


def _conv_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    count = self.fields["filters"]
    make_kernel(interpreter, self, (*self.fields["_size"][1:3], input_shape[-1], count), count)


def _conv_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    n, *lengths, channels = inputs.shape
    build_layer(interpreter, self, (n, channels, *lengths) if self.fields.get("_is_first") else inputs.shape)
    inputs = ops.cast(inputs, self.fields["kernel"].dtype)
    how = {name: self.fields[f"_{name}"] for name in ("strides", "padding", "dilations")}
    return finished(interpreter, self, conv2d_op(inputs, self.fields["kernel"], **how))


def _transposed_init(*args: Any, dilation_rate: Any = None, **settings: Any) -> None:
    refuse_given("Conv2DTranspose", {"dilation_rate": dilation_rate}, "Leave it out: 1.", "请去掉它：即 1。")
    conv_init(*args, **settings)


_transposed_init.__signature__ = signature(conv_init)  # type: ignore[attr-defined]


def _transposed_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    count = self.fields["filters"]
    make_kernel(interpreter, self, (*self.fields["_size"][1:3], count, input_shape[-1]), count)


def _transposed_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """What a convolution of these filters hands back to its images, made larger by the strides."""
    build_layer(interpreter, self, inputs.shape)
    fields = self.fields
    inputs = ops.cast(inputs, fields["kernel"].dtype)
    count, *lengths = _transposed_shape(self, inputs.shape)
    if count is not None:
        shape: Any = [count, *lengths]
    else:  # in a function that is traced for any number of examples
        shape = ops.stack([ops.shape_of(inputs)[0], *lengths])
    made = conv2d_transpose(inputs, fields["kernel"], shape, fields["_strides"], fields["_padding"])
    if count is None:
        made = ops.reshape(made, [-1, *lengths])  # so that the other lengths are known
    return finished(interpreter, self, made)


def _transposed_shape(self: UserObject, input_shape: Any) -> tuple[int | None, ...]:
    fields = self.fields
    sides = zip(input_shape[1:3], fields["_size"][1:3], fields["_strides"][1:3], strict=True)
    more = fields["_padding"] == "VALID"
    lengths = [
        None if side is None else side * step + (max(size - step, 0) if more else 0)
        for side, size, step in sides
    ]
    return (input_shape[0], *lengths, fields["filters"])


def _windows_shape(self: UserObject, shape: Any) -> tuple[int | None, ...]:
    fields = self.fields
    apart = fields.get("_dilations", (1, 1, 1, 1))
    axes = axes_of_windows(fields["_size"], fields["_strides"], fields["_padding"], apart)
    return windowed(tuple(shape), axes, fields.get("filters", shape[-1])) or ()


def pool_init(
    interpreter: Interpreter,
    self: UserObject,
    pool_size: Any = (2, 2),
    strides: Any = None,
    padding: Any = "valid",
    name: Any = None,
) -> None:
    """How large the windows are, and how they move: by default by their own size."""
    layer_init(interpreter, self, name)
    size = four(pool_size, "pool_size")
    steps = size if strides is None else four(strides, "strides")
    self.fields.update(_size=size, _strides=steps, _padding=checked_padding(_upper(padding)))


def needing_size(init: Callable[..., None]) -> Callable[..., None]:
    """The same `__init__`, to which the size of the windows has to be given, as for averages in Keras."""
    own = signature(init)
    needed = [
        one.replace(default=Parameter.empty) if one.name == "pool_size" else one
        for one in own.parameters.values()
    ]

    @wraps(init)
    def call(*args: Any, **keywords: Any) -> None:
        init(*args, **keywords)

    call.__signature__ = own.replace(parameters=needed)  # type: ignore[attr-defined]
    return call


def _pool_call(pool: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: UserObject, inputs: Any) -> Any:
        return pool(inputs, self.fields["_size"], self.fields["_strides"], self.fields["_padding"])

    return call


def _flatten_init(
    interpreter: Interpreter, self: UserObject, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape)


def _flatten_call(self: UserObject, inputs: Any) -> Any:
    return each_reshaped(inputs, (-1,))


def _dropout_init(
    interpreter: Interpreter, self: UserObject, rate: Any, seed: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name)
    self.fields.update(rate=rate, _seed=seed_generator(interpreter, seed) if rate else None)


def _dropout_call(self: UserObject, inputs: Any, training: Any = False) -> Any:
    if not training:
        return inputs
    return ops.dropout(inputs, rate=self.fields["rate"], seed=self.fields["_seed"])


def _activation_init(interpreter: Interpreter, self: UserObject, activation: Any, name: Any = None) -> None:
    layer_init(interpreter, self, name)
    self.fields["activation"] = activation_named(activation)


def _activation_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    return interpreter.call(self.fields["activation"], [inputs], {})


def _input_init(
    interpreter: Interpreter, self: UserObject, shape: Any = None, input_shape: Any = None, name: Any = None
) -> None:
    layer_init(interpreter, self, name, input_shape=input_shape if shape is None else shape)


def _embedding_init(
    interpreter: Interpreter,
    self: UserObject,
    input_dim: Any,
    output_dim: Any,
    embeddings_initializer: Any = "uniform",
    embeddings_regularizer: Any = None,
    mask_zero: Any = False,
    weights: Any = None,
    input_length: Any = None,
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many rows there are to choose from, and how long each is."""
    layer_init(interpreter, self, name, input_shape=input_shape)
    self.fields["input_dim"] = _at_least_one(input_dim, "input_dim")
    self.fields["output_dim"] = _at_least_one(output_dim, "output_dim")
    self.fields["_rule"] = initializer_named(interpreter, embeddings_initializer)
    self.fields.update(mask_zero=bool(mask_zero), _begins_with=weights)
    self.fields["embeddings_regularizer"] = regularizer_named(embeddings_regularizer)


def _embedding_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    self.fields["built"] = True
    size = (self.fields["input_dim"], self.fields["output_dim"])
    rule = self.fields["_rule"]
    penalty = {"regularizer": self.fields["embeddings_regularizer"]}
    self.fields["embeddings"] = add_weight(interpreter, self, size, rule, name="embeddings", **penalty)
    if self.fields["_begins_with"] is not None:
        given = self.fields["_begins_with"]
        set_values(self, given if isinstance(given, (list, tuple)) else [given])


def _embedding_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    return ops.gather(self.fields["embeddings"], ops.cast(inputs, "int32"))


def _embedded_shape(self: UserObject, input_shape: Any) -> Any:
    return (*input_shape, self.fields["output_dim"])


def _unit_shape(self: UserObject, input_shape: Any) -> Any:
    return (*input_shape[:-1], self.fields["units"])


def _flat_shape(self: UserObject, input_shape: Any) -> Any:
    return (input_shape[0], prod(input_shape[1:]))


MAX_POOLING = layer_class(
    "MaxPooling2D", *with_data_format(pool_init, _pool_call(ops.max_pool), _windows_shape)
)
AVERAGE_POOLING = layer_class(
    "AveragePooling2D", *with_data_format(needing_size(pool_init), _pool_call(ops.avg_pool), _windows_shape)
)
CONVOLUTION = layer_class("Conv2D", *with_data_format(conv_init, _conv_call, _windows_shape, _conv_build))
TRANSPOSED = layer_class(
    "Conv2DTranspose", _transposed_init, _transposed_call, _transposed_shape, _transposed_build
)
INPUT = layer_class("InputLayer", _input_init, lambda self, inputs: inputs, same_shape)
BATCH_NORMALIZATION = layer_class(
    "BatchNormalization",
    normalization.batch_init,
    normalization.batch_call,
    same_shape,
    normalization.build,
)
BASIC: Mapping[str, UserClass] = {
    "BatchNormalization": BATCH_NORMALIZATION,
    "LayerNormalization": layer_class(
        "LayerNormalization",
        normalization.layer_norm_init,
        normalization.layer_norm_call,
        same_shape,
        normalization.build,
    ),
    "Embedding": layer_class(
        "Embedding", _embedding_init, _embedding_call, _embedded_shape, _embedding_build
    ),
    "Dense": layer_class("Dense", _dense_init, _dense_call, _unit_shape, _dense_build),
    **dict.fromkeys(("Conv2DTranspose", "Convolution2DTranspose"), TRANSPOSED),
    **dict.fromkeys(("Conv2D", "Convolution2D"), CONVOLUTION),
    **dict.fromkeys(("MaxPooling2D", "MaxPool2D"), MAX_POOLING),
    **dict.fromkeys(("AveragePooling2D", "AvgPool2D"), AVERAGE_POOLING),
    "Flatten": layer_class("Flatten", _flatten_init, _flatten_call, _flat_shape),
    "Dropout": layer_class("Dropout", _dropout_init, _dropout_call, same_shape),
    "Activation": layer_class("Activation", _activation_init, _activation_call, same_shape),
    **dict.fromkeys(("InputLayer", "Input"), INPUT),
}
