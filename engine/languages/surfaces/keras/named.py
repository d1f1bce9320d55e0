"""What Keras knows by name: activations, and rules for the first values of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError, quoted
from engine.graph.variables import initializers
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.keras.fitting.logits import knows_logits
from engine.languages.surfaces.keras.namespaces.activations import FURTHER
from engine.languages.surfaces.keras.seeds import fixed_seed
from engine.languages.surfaces.tf1.scopes import as_initializer
from engine.languages.surfaces.tf2.strict import check_range
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.tensors import FLOATS, Operators
from engine.ops.networks.activations import leaky_relu
from engine.ops.sources.draws import FixedSeed

CONNECTIONS = (
    "Leave it out; the connections are counted along the last two axes.",
    "请去掉它；连接数按最后两个轴计算。",
)


def _of_x(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of one tensor, which Keras calls x."""
    return lambda x: compute(x)


def _of_floats(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same where whole numbers and truth values are taken as float32."""

    def call(x: Any) -> Any:
        value = ops.convert_to_tensor(x)
        return compute(value if value.dtype in FLOATS else ops.cast(value, "float32"))

    return call


def _relu(x: Any, negative_slope: Any = 0.0, max_value: Any = None, threshold: Any = 0.0) -> Any:
    """0 up to the threshold (or a line of a small slope), x beyond, and no more than a largest value."""
    if threshold == 0 and max_value is None:
        return ops.relu(x) if negative_slope == 0 else leaky_relu(x, negative_slope)
    x = ops.convert_to_tensor(x)
    above = ops.relu(x) if threshold == 0 else x * ops.cast(ops.greater(x, threshold), x.dtype)
    if max_value is not None:
        above = ops.clip_by_value(above, 0.0, max_value)
    return above - negative_slope * ops.relu(threshold - x) if negative_slope else above


def _elu(x: Any, alpha: Any = 1.0) -> Any:
    """x where it is positive, else α (e^x - 1)."""
    x = ops.convert_to_tensor(x)
    return ops.elu(x) if alpha == 1 else ops.where(x > 0, x, alpha * ops.elu(x))


def _leaky_relu(x: Any, negative_slope: Any = 0.2) -> Any:
    """x where it is positive, else a share of it."""
    return leaky_relu(x, negative_slope)


def _gelu(x: Any, approximate: Any = False) -> Any:
    """x times the share of a normal distribution that lies below x."""
    x = ops.convert_to_tensor(x)
    if approximate:
        inner = float(np.sqrt(2.0 / np.pi)) * (x + 0.044715 * x * x * x)
        return 0.5 * x * (1.0 + ops.tanh(inner))
    return 0.5 * x * (1.0 + ops.erf(x / float(np.sqrt(2.0))))


def _hard_sigmoid(x: Any) -> Any:
    """0 up to -3, 1 from 3 on, a line in between."""
    return ops.relu6(ops.convert_to_tensor(x) + 3.0) / 6.0


def _silu(x: Any) -> Any:
    """x sigmoid(x)."""
    x = ops.convert_to_tensor(x)
    return x * ops.sigmoid(x)


def _mish(x: Any) -> Any:
    """x tanh(log(1 + e^x))."""
    x = ops.convert_to_tensor(x)
    return x * ops.tanh(ops.softplus(x))


def _log_softmax(x: Any, axis: Any = -1) -> Any:
    return ops.log_softmax(x, axis)


ACTIVATIONS: Mapping[str, Callable[..., Any]] = {
    "linear": lambda x: x,
    "relu": _relu,
    "relu6": _of_x(ops.relu6),
    "tanh": _of_floats(ops.tanh),
    "sigmoid": knows_logits(_of_x(ops.sigmoid)),
    "softmax": knows_logits(lambda x, axis=-1: ops.softmax(x, axis)),
    "elu": _elu,
    "selu": _of_x(ops.selu),
    "softplus": _of_x(ops.softplus),
    "softsign": _of_x(ops.softsign),
    "exponential": _of_floats(ops.exp),
    "leaky_relu": _leaky_relu,
    "gelu": _gelu,
    "hard_sigmoid": _hard_sigmoid,
    "silu": _silu,
    "swish": _silu,
    "mish": _mish,
    "log_softmax": _log_softmax,
    **FURTHER,
}


def _random_normal(interpreter: Interpreter, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    return initializers.RandomNormal(mean, stddev, fixed_seed(interpreter, seed))


def _truncated_normal(interpreter: Interpreter, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    return initializers.TruncatedNormal(mean, stddev, fixed_seed(interpreter, seed))


def _random_uniform(
    interpreter: Interpreter, minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None
) -> Any:
    return initializers.RandomUniform(minval, maxval, fixed_seed(interpreter, seed))


def normal_rule(mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None) -> Any:
    """`tf.random_normal_initializer`: without a seed it draws anew each time."""
    return initializers.RandomNormal(mean, stddev, seed if seed is None else FixedSeed(seed))


def uniform_rule(minval: Any = -0.05, maxval: Any = 0.05, seed: Any = None) -> Any:
    """`tf.random_uniform_initializer`: without a seed it draws anew each time."""
    return initializers.RandomUniform(minval, maxval, seed if seed is None else FixedSeed(seed))


def _constant(value: Any = 0.0) -> Any:
    if not isinstance(value, Operators):
        check_range(value)
    return initializers.Filling(value)


def serialized_activation(activation: Any) -> Any:
    """The name of one of Keras' activations. Raises: ProgramError for a function of the program."""
    if not isinstance(activation, Native):
        raise ProgramError(
            "activations.serialize() takes one of Keras' own activations here.",
            message_zh="这里的 activations.serialize() 只接受 Keras 自带的激活函数。",
            code="bad_value",
        )
    return activation.name.rpartition(".")[2]


class NamedSpread(initializers.VarianceScaling):
    """One that has a name of its own, such as Glorot's."""

    __slots__ = ()


CALLABLES[NamedSpread] = CALLABLES[initializers.VarianceScaling]  # called by a program as the others are


def _spread(scale: float, mode: str, distribution: str = "truncated_normal") -> Callable[..., Any]:
    """Spread by the number of connections, which Keras 3 can also count along other axes."""

    def make(
        interpreter: Interpreter, seed: Any = None, input_axes: Any = None, output_axes: Any = None
    ) -> Any:
        refuse_given("Initializer", {"input_axes": input_axes, "output_axes": output_axes}, *CONNECTIONS)
        return NamedSpread(scale, mode, distribution, fixed_seed(interpreter, seed))

    return make


def _variance_scaling(
    interpreter: Interpreter,
    scale: Any = 1.0,
    mode: Any = "fan_in",
    distribution: Any = "truncated_normal",
    seed: Any = None,
) -> Any:
    kind = "truncated_normal" if distribution == "normal" else distribution
    return initializers.VarianceScaling(scale, mode, kind, fixed_seed(interpreter, seed))


def _identity(gain: Any = 1.0) -> Any:
    return initializers.Identity(gain)


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """Rows or columns at right angles to each other, from numbers drawn by a normal distribution."""

    gain: float = 1.0
    seed: Any = None

    def __call__(self, shape: Any, dtype: Any = "float32", partition_info: Any = None) -> Any:
        normal = initializers.RandomNormal(0.0, 1.0, self.seed)
        rows, columns = int(np.prod(shape[:-1])), shape[-1]
        drawn = concrete(normal((max(rows, columns), min(rows, columns)), dtype))
        q, r = np.linalg.qr(np.asarray(drawn))
        q = q * np.sign(np.diag(r))
        return ops.constant(self.gain * (q.T if rows < columns else q).reshape(shape), dtype)


def _orthogonal(interpreter: Interpreter, gain: Any = 1.0, seed: Any = None) -> Orthogonal:
    return Orthogonal(gain, fixed_seed(interpreter, seed))


CALLABLES[Orthogonal] = CALLABLES[initializers.RandomNormal]  # called by a program as the others are


INITIALIZERS: Mapping[str, Callable[..., Any]] = {
    "zeros": initializers.Zeros,
    "ones": initializers.Ones,
    "constant": _constant,
    "identity": _identity,
    "random_normal": _random_normal,
    "random_uniform": _random_uniform,
    "truncated_normal": _truncated_normal,
    "glorot_uniform": _spread(1.0, "fan_avg", "uniform"),
    "glorot_normal": _spread(1.0, "fan_avg"),
    "he_uniform": _spread(2.0, "fan_in", "uniform"),
    "he_normal": _spread(2.0, "fan_in"),
    "lecun_uniform": _spread(1.0, "fan_in", "uniform"),
    "lecun_normal": _spread(1.0, "fan_in"),
    "orthogonal": _orthogonal,
    "variance_scaling": _variance_scaling,
    "uniform": _random_uniform,
    "normal": _random_normal,
}


def _named(table: Mapping[str, Any], given: Any, what: str, what_zh: str) -> Any:
    """What a text names, anything else as it is. Raises: ProgramError with the nearest name."""
    if not isinstance(given, str):
        return given
    if given not in table:
        hint, hint_zh = did_you_mean(given, list(table))
        raise ProgramError(
            f"There is no {what} named {quoted(given)}.",
            hint=hint,
            message_zh=f"没有名为 {quoted(given)} 的{what_zh}。",
            hint_zh=hint_zh,
            code="bad_value",
        )
    return table[given]


def activation_named(given: Any) -> Any:
    found = _named(ACTIVATIONS, "linear" if given is None else given, "activation", "激活函数")
    name = "linear" if given is None else given
    return Native(name, found) if isinstance(name, str) else found


CLASSES = {"".join(part.capitalize() for part in name.split("_")): name for name in INITIALIZERS}


def spread_over(rule: Any, into: int) -> Any:
    """A rule for a kernel whose first so many axes lead into it, and the others out of it."""
    if not isinstance(rule, initializers.VarianceScaling):
        return rule
    return lambda shape, dtype: ops.reshape(rule((prod(shape[:into]), prod(shape[into:])), dtype), shape)


def _made(interpreter: Interpreter, make: Callable[..., Any]) -> Any:
    """A rule with its usual settings."""
    return make(interpreter) if "interpreter" in signature(make).parameters else make()


SHARED_AXES: Mapping[str, Any] = MappingProxyType({"input_axes": None, "output_axes": None})


def initializer_of_config(interpreter: Interpreter, config: Any) -> Any:
    """The rule of a dictionary that `serialize` gives. Raises: ProgramError for one that names no rule."""
    name = config.get("class_name") if isinstance(config, Mapping) else None
    make = INITIALIZERS.get(CLASSES.get(name, name)) if isinstance(name, str) else None
    if make is None:
        raise ProgramError(
            f"Could not interpret initializer identifier: {config}",
            message_zh=f"无法识别的初始化方法：{config}",
            code="bad_value",
            kind="ValueError",
        )
    given = {key: one for key, one in (config.get("config") or {}).items() if key not in SHARED_AXES}
    return interpreter.call(Native(f"tf.keras.initializers.{name}", make), [], given)


def initializer_named(interpreter: Interpreter, given: Any) -> Any:
    """The rule of a name, of a class or of a dictionary; a function as it is."""
    if isinstance(given, Mapping):
        return initializer_of_config(interpreter, given)
    given = (
        CLASSES.get(given, given) if isinstance(given, str) else given
    )  # "RandomNormal" as "random_normal"
    found = _named(INITIALIZERS, given, "initializer", "初始化方法")
    if isinstance(found, Native) and found.function in INITIALIZERS.values():
        return _made(interpreter, found.function)  # a class in place of an object of it
    rule = _made(interpreter, found) if isinstance(given, str) else as_initializer(interpreter, found)
    if not callable(rule):
        raise ProgramError(
            "An initializer is a name such as 'ones', or a function of a shape.",
            message_zh="初始化方法是名称（例如 'ones'）或以形状为参数的函数。",
            code="bad_value",
        )
    return rule
