"""`tf.keras.layers`: parts of a network that make their own variables when they see their first input.

A layer is an object of a class that a program may inherit from: `build` makes its variables, `call`
computes, and calling the layer does the one once and then the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from math import prod
from typing import Any

from engine import ops
from engine.errors import ProgramError, RefusedError, ShapeError, ValueRefused
from engine.graph import initializers
from engine.ops.building import convert_to_tensor, current_graph, name_scope
from engine.ops.convolution import conv2d_op
from engine.ops.shapes import whole_number, whole_numbers, written
from engine.ops.tensors import FLOATS, Tensor
from engine.ops.windows import axes_of_windows, checked_padding, four, windowed
from engine.programs.interpreter.attributes import members_of
from engine.programs.interpreter.callables import Native
from engine.programs.interpreter.classes import UserClass, UserObject, Wrapped, attribute_of
from engine.programs.interpreter.machine import Interpreter
from engine.programs.interpreter.scope import MISSING
from engine.programs.interpreter.suggestions import did_you_mean
from engine.programs.interpreter.text import SHOWN

from .tensors import written_shape
from .tf1_scopes import as_initializer
from .tf2_eager import EagerShape
from .tf2_variables import EagerVariable


class KerasVariable(EagerVariable):
    """A layer's variable, which Keras names by the layer and by itself."""

    __slots__ = ("path",)
    __hash__ = object.__hash__
    path: str


VARIABLE = members_of(KerasVariable, "Variable")
VARIABLE.fact("name")(lambda variable: variable.given_name)
VARIABLE.fact("path")(lambda variable: variable.path)


def _variable_text(variable: KerasVariable) -> str:
    shape = written_shape(variable.shape)
    return f"<Variable path={variable.path}, shape={shape}, dtype={variable.dtype}, value={variable.array}>"


SHOWN[KerasVariable] = (_variable_text, _variable_text)


# -- activations and initial values by name --------------------------------------------------------

ACTIVATIONS: Mapping[str, Callable[..., Any]] = {
    "linear": lambda x: x,
    "relu": ops.relu,
    "relu6": ops.relu6,
    "tanh": ops.tanh,
    "sigmoid": ops.sigmoid,
    "softmax": ops.softmax,
    "elu": ops.elu,
    "selu": ops.selu,
    "softplus": ops.softplus,
    "softsign": ops.softsign,
    "exponential": ops.exp,
}


def _scaled(scale: float, mode: str, distribution: str = "truncated_normal") -> Callable[..., Any]:
    def make(seed: Any = None) -> Any:
        return initializers.VarianceScaling(scale, mode, distribution, seed)

    return make


def _random_normal(mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    return initializers.RandomNormal(mean, stddev, seed)


def _truncated_normal(mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    return initializers.TruncatedNormal(mean, stddev, seed)


def _random_uniform(minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> Any:
    return initializers.RandomUniform(minval, maxval, seed)


def _constant(value: Any = 0.0) -> Any:
    return initializers.Constant(value)


INITIALIZERS: Mapping[str, Callable[..., Any]] = {
    "zeros": initializers.Zeros,
    "ones": initializers.Ones,
    "constant": _constant,
    "random_normal": _random_normal,
    "random_uniform": _random_uniform,
    "truncated_normal": _truncated_normal,
    "glorot_uniform": _scaled(1.0, "fan_avg", "uniform"),
    "glorot_normal": _scaled(1.0, "fan_avg"),
    "he_uniform": _scaled(2.0, "fan_in", "uniform"),
    "he_normal": _scaled(2.0, "fan_in"),
    "lecun_uniform": _scaled(1.0, "fan_in", "uniform"),
    "lecun_normal": _scaled(1.0, "fan_in"),
}


def _named(table: Mapping[str, Any], given: Any, what: str, what_zh: str) -> Any:
    """What a text names, anything else as it is. Raises: ProgramError with the nearest name."""
    if not isinstance(given, str):
        return given
    if given not in table:
        hint, hint_zh = did_you_mean(given, list(table))
        raise ProgramError(
            f"There is no {what} named {given!r}.",
            hint=hint,
            message_zh=f"没有名为 {given!r} 的{what_zh}。",
            hint_zh=hint_zh,
            code="bad_value",
        )
    return table[given]


def _activation(given: Any) -> Any:
    found = _named(ACTIVATIONS, "linear" if given is None else given, "activation", "激活函数")
    return Native(str(given), found) if isinstance(given, str) or given is None else found


def _rule(interpreter: Interpreter, given: Any) -> Any:
    found = _named(INITIALIZERS, given, "initializer", "初始化方法")
    if isinstance(found, Native) and found.function in INITIALIZERS.values():
        return found.function()  # a class in place of an object of it
    rule = found() if isinstance(given, str) else as_initializer(interpreter, found)
    if not callable(rule):
        raise ProgramError(
            "An initializer is a name such as 'ones', or a function of a shape.",
            message_zh="初始化方法是名称（例如 'ones'）或以形状为参数的函数。",
            code="bad_value",
        )
    return rule


# -- what every layer has --------------------------------------------------------------------------


def layer_init(self: UserObject, name: Any = None, **settings: Any) -> None:
    """The name, and no variables yet."""
    graph: Any = current_graph()
    own = name or graph.names.unique(_spelled(self.kind.name))
    self.fields.update(name=own, built=False, _weights=[], _input_shape=_told(settings.get("input_shape")))


def _told(shape: Any) -> tuple[int | None, ...] | None:
    """The shape of one example, where the program tells it."""
    if shape is None:
        return None
    lengths = shape if isinstance(shape, (list, tuple)) else [shape]
    return tuple(None if length is None else whole_number(length, "input_shape") for length in lengths)


def _spelled(name: str) -> str:
    """`MaxPooling2D` as `max_pooling2d`, as Keras names its layers."""
    small = [f"_{c.lower()}" if c.isupper() and name[i - 1 : i].islower() else c for i, c in enumerate(name)]
    return "".join(small).lower()


def add_weight(
    interpreter: Interpreter,
    self: UserObject,
    shape: Any = (),
    initializer: Any = None,
    dtype: Any = None,
    trainable: Any = True,
    name: Any = None,
) -> KerasVariable:
    """A variable of the layer; left out, its first value is Glorot's."""
    rule = _rule(interpreter, "glorot_uniform" if initializer is None else initializer)
    lengths = tuple(int(length) for length in whole_numbers(shape, "shape").reshape(-1))
    interpreter.budget.check_elements(list(lengths))
    own = name or "variable"
    made = KerasVariable(lambda: _first(rule, lengths), name=own, trainable=bool(trainable))
    made.given_name, made.path = own, f"{self.fields['name']}/{own}"
    self.fields["_weights"].append(made)
    return made


def _first(rule: Callable[..., Any], lengths: tuple[int, ...]) -> Tensor:
    """A variable's first value. Raises: ShapeError where the rule gives one of another shape."""
    value = convert_to_tensor(rule(lengths, "float32"))
    if value.shape != lengths:
        raise ShapeError(
            f"The initializer was to give the shape {written(lengths)}, but gave {written(value.shape)}.",
            message_zh=f"初始化方法应给出形状 {written(lengths)}，却给出了 {written(value.shape)}。",
        )
    return value


def call_layer(interpreter: Interpreter, self: UserObject, *inputs: Any, **settings: Any) -> Any:
    """Make the variables at the first call, and compute."""
    if any(is_layer(value) for value in inputs):
        raise _functional()
    given = [_as_input(value) for value in inputs]
    with name_scope(f"{self.fields['name']}/", ""):
        if given and isinstance(given[0], Tensor):
            build_layer(interpreter, self, given[0].shape or ())
        return interpreter.call(_computation(interpreter, self), given, settings)


def _computation(interpreter: Interpreter, self: UserObject) -> Any:
    if self.kind.find("call") is MISSING:
        raise ProgramError(
            f"{self.kind.name} has no method `call`, which computes what the layer gives.",
            hint="Write def call(self, x): …",
            message_zh=f"{self.kind.name} 没有计算输出的 `call` 方法。",
            hint_zh="请写 def call(self, x): …",
            code="unknown_attribute",
        )
    return attribute_of(interpreter, self, "call")


def _as_input(value: Any) -> Any:
    """A tensor, floats as float32, which Keras computes in; several of them as they are."""
    if isinstance(value, (list, tuple)) and any(isinstance(one, Tensor) for one in value):
        return value
    x = convert_to_tensor(value)
    return ops.cast(x, "float32") if x.dtype in FLOATS else x


def build_layer(interpreter: Interpreter, self: UserObject, shape: Any) -> None:
    """Its variables, unless they are there already."""
    if not self.fields["built"]:
        self.fields["built"] = True
        interpreter.call(attribute_of(interpreter, self, "build"), [EagerShape(shape)], {})


def variables_of(value: Any, seen: set[int]) -> Iterator[KerasVariable]:
    """The variables of a layer, and then those of the layers among its attributes; each part once."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if is_layer(value):
        yield from value.fields.get("_weights", ())
        parts: Any = [part for name, part in value.fields.items() if name != "_weights"]
    else:
        parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        if is_layer(part) or isinstance(part, (list, tuple, dict)):
            yield from variables_of(part, seen)


def is_layer(value: Any) -> bool:
    """Whether it is an object of a layer's class."""
    return isinstance(value, UserObject) and LAYER in value.kind.line()


def _all(self: UserObject) -> list[KerasVariable]:
    return list(dict.fromkeys(variables_of(self, set())))


def _trainable(self: UserObject) -> list[KerasVariable]:
    return [variable for variable in _all(self) if variable.trainable]


def _frozen(self: UserObject) -> list[KerasVariable]:
    return [variable for variable in _all(self) if not variable.trainable]


def _count(self: UserObject) -> int:
    return sum(prod(variable.array.shape) for variable in _all(self))


def _values(self: UserObject) -> list[Any]:
    return [variable.array.copy() for variable in _all(self)]


def _fact(function: Callable[..., Any]) -> Wrapped:
    return Wrapped("property", Native(function.__name__, function))


def methods(kind: str, **functions: Callable[..., Any]) -> dict[str, Any]:
    """Functions of ours as the methods of a class, which see objects of such classes only."""
    return {
        name: Native(f"{kind}.{name}", function if name == "__init__" else _guarded(function))
        for name, function in functions.items()
    }


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function. Raises: ProgramError where `self` is no layer, or one that was not initialised."""

    @wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        own = next((one for one in arguments[:2] if not isinstance(one, Interpreter)), None)
        if not isinstance(own, UserObject) or not is_layer(own):
            raise ProgramError(
                "A method of a layer is called on a layer: layer(x).",
                message_zh="层的方法要在层上调用：layer(x)。",
                code="wrong_arguments",
            )
        if "_weights" not in own.fields:
            raise _not_initialised(own)
        return function(*arguments, **keywords)

    return call


def _not_initialised(layer: UserObject) -> ProgramError:
    return ProgramError(
        f"{layer.kind.name}.__init__ has not called super().__init__().",
        hint="Make it the first line of __init__.",
        message_zh=f"{layer.kind.name}.__init__ 没有调用 super().__init__()。",
        hint_zh="请把它写在 __init__ 的第一行。",
        code="not_initialised",
    )


LAYER = UserClass(
    "Layer",
    None,
    {
        **methods("Layer", __init__=layer_init, __call__=call_layer, add_weight=add_weight),
        **methods("Layer", build=lambda self, input_shape: None, count_params=_count, get_weights=_values),
        **dict.fromkeys(("variables", "weights"), _fact(_all)),
        **dict.fromkeys(("trainable_variables", "trainable_weights"), _fact(_trainable)),
        **dict.fromkeys(("non_trainable_variables", "non_trainable_weights"), _fact(_frozen)),
    },
    fixed=True,
)


# -- the layers ------------------------------------------------------------------------------------


def _dense_init(
    interpreter: Interpreter,
    self: UserObject,
    units: Any,
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    input_dim: Any = None,
    name: Any = None,
) -> None:
    """How many units, and what follows the product."""
    layer_init(self, name, input_shape=(input_dim,) if input_dim else input_shape)
    count = _at_least_one(units, "units")
    self.fields.update(units=count, activation=_activation(activation), use_bias=bool(use_bias))
    self.fields["_rules"] = (_rule(interpreter, kernel_initializer), _rule(interpreter, bias_initializer))


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
    _make(interpreter, self, (input_shape[-1], self.fields["units"]), self.fields["units"])


def _make(interpreter: Interpreter, self: UserObject, kernel: tuple[int, ...], units: int) -> None:
    """Kernel and bias."""
    self.fields["built"] = True
    first, offset = self.fields["_rules"]
    self.fields["kernel"] = add_weight(interpreter, self, kernel, first, name="kernel")
    self.fields["bias"] = None
    if self.fields["use_bias"]:
        self.fields["bias"] = add_weight(interpreter, self, (units,), offset, name="bias")


def _dense_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    kernel = self.fields["kernel"]
    inputs = ops.cast(inputs, kernel.dtype)
    if inputs.shape[-1] != kernel.shape[0]:
        raise ShapeError(
            f"The layer {self.fields['name']} was made for {kernel.shape[0]} features, "
            f"but its input is {written(inputs.shape)}.",
            message_zh=f"层 {self.fields['name']} 按 {kernel.shape[0]} 个特征创建，"
            f"但输入是 {written(inputs.shape)}。",
        )
    rank = len(inputs.shape)
    if rank > 2:
        return _finished(interpreter, self, ops.tensordot(inputs, kernel, [[rank - 1], [0]]))
    return _finished(interpreter, self, ops.matrix_product(inputs, kernel))


def _finished(interpreter: Interpreter, self: UserObject, product: Any) -> Any:
    offset = self.fields["bias"]
    result = product if offset is None else ops.bias_add(product, offset)
    return interpreter.call(self.fields["activation"], [result], {})


def _conv_init(
    interpreter: Interpreter,
    self: UserObject,
    filters: Any,
    kernel_size: Any,
    strides: Any = (1, 1),
    padding: Any = "valid",
    activation: Any = None,
    use_bias: Any = True,
    kernel_initializer: Any = "glorot_uniform",
    bias_initializer: Any = "zeros",
    input_shape: Any = None,
    name: Any = None,
) -> None:
    """How many filters, how large, and how they move."""
    layer_init(self, name, input_shape=input_shape)
    self.fields.update(filters=_at_least_one(filters, "filters"), use_bias=bool(use_bias))
    self.fields.update(activation=_activation(activation), _size=four(kernel_size, "kernel_size"))
    self.fields.update(_strides=four(strides, "strides"), _padding=checked_padding(_upper(padding)))
    self.fields["_rules"] = (_rule(interpreter, kernel_initializer), _rule(interpreter, bias_initializer))


def _upper(padding: Any) -> Any:
    return padding.upper() if isinstance(padding, str) else padding


def _conv_build(interpreter: Interpreter, self: UserObject, input_shape: Any) -> None:
    count = self.fields["filters"]
    _make(interpreter, self, (*self.fields["_size"][1:3], input_shape[-1], count), count)


def _conv_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    build_layer(interpreter, self, inputs.shape)
    inputs = ops.cast(inputs, self.fields["kernel"].dtype)
    how = {"strides": self.fields["_strides"], "padding": self.fields["_padding"]}
    return _finished(interpreter, self, conv2d_op(inputs, self.fields["kernel"], **how))


def _windows_shape(self: UserObject, shape: Any) -> tuple[int | None, ...]:
    axes = axes_of_windows(self.fields["_size"], self.fields["_strides"], self.fields["_padding"])
    return windowed(tuple(shape), axes, self.fields.get("filters", shape[-1])) or ()


def _pool_init(
    self: UserObject, pool_size: Any = (2, 2), strides: Any = None, padding: Any = "valid", name: Any = None
) -> None:
    """How large the windows are, and how they move: by their own size, unless told."""
    layer_init(self, name)
    size = four(pool_size, "pool_size")
    steps = size if strides is None else four(strides, "strides")
    self.fields.update(_size=size, _strides=steps, _padding=checked_padding(_upper(padding)))


def _pool_call(pool: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: UserObject, inputs: Any) -> Any:
        return pool(inputs, self.fields["_size"], self.fields["_strides"], self.fields["_padding"])

    return call


def _flatten_init(self: UserObject, input_shape: Any = None, name: Any = None) -> None:
    layer_init(self, name, input_shape=input_shape)


def _flatten_call(self: UserObject, inputs: Any) -> Any:
    return ops.reshape(inputs, (inputs.shape[0], -1))


def _dropout_init(self: UserObject, rate: Any, seed: Any = None, name: Any = None) -> None:
    layer_init(self, name)
    self.fields.update(rate=rate, _seed=seed)


def _dropout_call(self: UserObject, inputs: Any, training: Any = False) -> Any:
    if not training:
        return inputs
    return ops.dropout(inputs, rate=self.fields["rate"], seed=self.fields["_seed"])


def _activation_init(self: UserObject, activation: Any, name: Any = None) -> None:
    layer_init(self, name)
    self.fields["activation"] = _activation(activation)


def _activation_call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    return interpreter.call(self.fields["activation"], [inputs], {})


def _input_init(self: UserObject, shape: Any = None, input_shape: Any = None, name: Any = None) -> None:
    layer_init(self, name, input_shape=input_shape if shape is None else shape)


def _functional() -> RefusedError:
    return RefusedError(
        "Layers are called on values here, not on tf.keras.Input.",
        hint="Put the layers into tf.keras.Sequential([…]), or into a class with a method call.",
        message_zh="这里的层只能作用于数值，不能作用于 tf.keras.Input。",
        hint_zh="请把各层放进 tf.keras.Sequential([…])，或写成带有 call 方法的类。",
        code="refused_name",
    )


def _same_shape(self: UserObject, input_shape: Any) -> Any:
    return tuple(input_shape)


def _layer(
    name: str,
    init: Callable[..., Any],
    call: Callable[..., Any],
    shape: Callable[..., Any] = _same_shape,
    build: Callable[..., Any] | None = None,
) -> UserClass:
    own = methods(name, __init__=init, call=call, compute_output_shape=shape)
    return UserClass(name, LAYER, {**own, **(methods(name, build=build) if build else {})}, fixed=True)


def _unit_shape(self: UserObject, input_shape: Any) -> Any:
    return (*input_shape[:-1], self.fields["units"])


def _flat_shape(self: UserObject, input_shape: Any) -> Any:
    return (input_shape[0], prod(input_shape[1:]))


MAX_POOLING = _layer("MaxPooling2D", _pool_init, _pool_call(ops.max_pool), _windows_shape)
AVERAGE_POOLING = _layer("AveragePooling2D", _pool_init, _pool_call(ops.avg_pool), _windows_shape)
INPUT = _layer("InputLayer", _input_init, lambda self, inputs: inputs)
LAYERS: Mapping[str, UserClass] = {
    "Layer": LAYER,
    "Dense": _layer("Dense", _dense_init, _dense_call, _unit_shape, _dense_build),
    "Conv2D": _layer("Conv2D", _conv_init, _conv_call, _windows_shape, _conv_build),
    **dict.fromkeys(("MaxPooling2D", "MaxPool2D"), MAX_POOLING),
    **dict.fromkeys(("AveragePooling2D", "AvgPool2D"), AVERAGE_POOLING),
    "Flatten": _layer("Flatten", _flatten_init, _flatten_call, _flat_shape),
    "Dropout": _layer("Dropout", _dropout_init, _dropout_call),
    "Activation": _layer("Activation", _activation_init, _activation_call),
    **dict.fromkeys(("InputLayer", "Input"), INPUT),
}
