"""`tf.keras.backend`: functions of tensors under Keras's older names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.graph import Variable
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import truth
from engine.languages.surfaces.argument_kinds import LIST, VARIABLE
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras import losses
from engine.languages.surfaces.keras.layer import clear_session
from engine.languages.surfaces.keras.named import ACTIVATIONS
from engine.languages.surfaces.keras.optimizers.optimizer import LearningRate
from engine.languages.surfaces.keras.symbolic import Symbolic
from engine.languages.surfaces.tf1.variables import CALLED
from engine.languages.surfaces.tf2.eager import array_of, numbers_of
from engine.languages.surfaces.tf2.variables import EagerVariable
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Operators, Tensor
from engine.ops.sources import state

EPSILON = 1e-07
FLOATX = "float32"
Build = Callable[..., Any]


def _reduction(build: Build) -> Build:
    return lambda x, axis=None, keepdims=False: build(x, axis, keepdims=bool(keepdims))


def _unary(build: Build) -> Build:
    return lambda x: build(x)


def _pair(build: Build) -> Build:
    return lambda x, y: build(x, y)


def _along(build: Build) -> Build:
    return lambda x, axis=-1: build(x, axis)


def _root(x: Any) -> Tensor:
    """The square root, of a negative number 0."""
    return ops.sqrt(ops.maximum(x, 0.0))


def _mean(x: Any, axis: Any = None, keepdims: Any = False) -> Tensor:
    """The mean; truth values count as 1 and 0."""
    x = convert_to_tensor(x)
    x = ops.cast(x, FLOATX) if x.dtype == "bool" else x
    return ops.reduce_mean(x, axis, keepdims=bool(keepdims))


def set_floatx(value: Any) -> None:
    """The type of floats that layers compute in. Raises: ProgramError for another than float32."""
    if value != FLOATX:
        raise ProgramError(
            f"Layers compute in {FLOATX} here.",
            message_zh=f"层在这里使用 {FLOATX} 计算。",
            code="bad_value",
        )


def _set_value(x: Any, value: Any) -> None:
    """`K.set_value(variable, value)`, also of an optimizer's learning rate."""
    if isinstance(x, LearningRate):
        x.optimizer.set_rate(float(numbers_of(value)))
        return
    state.assign(x.ref, convert_to_tensor(numbers_of(value).astype(x.dtype)))


def _value(x: Any) -> Any:
    array = array_of(x)
    return array[()] if array.ndim == 0 else array.copy()


def _shape(x: Any) -> tuple[int | None, ...] | None:
    """The lengths of the axes; None where even their number is not known."""
    shape = x.shape if hasattr(x, "shape") else convert_to_tensor(x).shape
    return None if shape is None else tuple(shape)


def _rank(x: Any) -> int | None:
    """How many axes there are."""
    shape = _shape(x)
    return None if shape is None else len(shape)


def _of_tracebacks() -> None:
    """Nothing: errors here name the program's own lines alone."""


def _constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Tensor:
    """Numbers as floats, unless a type is named."""
    return ops.constant(value, dtype_name(dtype) or FLOATX, shape, name=name)


def _variable(value: Any, dtype: Any = None, name: Any = None) -> Variable:
    made = EagerVariable(convert_to_tensor(numbers_of(value).astype(dtype_name(dtype) or FLOATX)), name=name)
    made.given_name = name or "Variable"
    return made


def _normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Numbers drawn from a normal distribution."""
    return ops.random_normal(shape, mean, stddev, dtype_name(dtype) or FLOATX, seed)


def _uniform(shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None) -> Tensor:
    """Numbers drawn evenly from an interval."""
    return ops.random_uniform(shape, minval, maxval, dtype_name(dtype) or FLOATX, seed)


def _rows(x: Any) -> Tensor:
    """Each example in one row."""
    x = convert_to_tensor(x)
    return ops.reshape(x, [-1, prod(length or 0 for length in (x.shape or ())[1:])])


def _chosen(interpreter: Interpreter, condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two values, or of what two functions give."""
    chosen = then_expression if truth(condition) else else_expression
    return interpreter.call(chosen, [], {}) if isinstance(chosen, CALLED) else chosen


BACKEND: Mapping[str, Build] = MappingProxyType(
    {
        "epsilon": lambda: EPSILON,
        "floatx": lambda: FLOATX,
        "image_data_format": lambda: "channels_last",
        "image_dim_ordering": lambda: "tf",
        "set_floatx": set_floatx,
        "clear_session": clear_session,
        "mean": _mean,
        "sum": _reduction(ops.reduce_sum),
        "prod": _reduction(ops.reduce_prod),
        "max": _reduction(ops.reduce_max),
        "min": _reduction(ops.reduce_min),
        "std": _reduction(ops.reduce_std),
        "var": _reduction(ops.reduce_variance),
        "argmax": _along(ops.argmax),
        "argmin": _along(ops.argmin),
        "abs": _unary(ops.absolute),
        "square": _unary(ops.square),
        "sqrt": _root,
        "exp": _unary(ops.exp),
        "log": _unary(ops.log),
        "sign": _unary(ops.sign),
        "sin": _unary(ops.sin),
        "cos": _unary(ops.cos),
        "tanh": _unary(ops.tanh),
        "sigmoid": _unary(ops.sigmoid),
        "softplus": _unary(ops.softplus),
        "softsign": _unary(ops.softsign),
        "transpose": _unary(ops.transpose),
        "stop_gradient": lambda variables: ops.stop_gradient(variables),
        "softmax": lambda x, axis=-1: ops.softmax(x, axis),
        "relu": lambda x, alpha=0.0, max_value=None, threshold=0.0: ACTIVATIONS["relu"](
            x, alpha, max_value, threshold
        ),
        "elu": lambda x, alpha=1.0: ACTIVATIONS["elu"](x, alpha),
        "pow": lambda x, a: ops.power(x, a),
        "clip": lambda x, min_value, max_value: ops.clip_by_value(x, min_value, max_value),
        "maximum": _pair(ops.maximum),
        "minimum": _pair(ops.minimum),
        "equal": _pair(ops.equal),
        "not_equal": _pair(ops.not_equal),
        "greater": _pair(ops.greater),
        "less": _pair(ops.less),
        "dot": _pair(ops.matrix_product),
        "reshape": lambda x, shape: ops.reshape(x, shape),
        "flatten": lambda x: ops.reshape(x, [-1]),
        "batch_flatten": _rows,
        "permute_dimensions": lambda x, pattern: ops.transpose(x, pattern),
        "expand_dims": _along(ops.expand_dims),
        "squeeze": lambda x, axis: ops.squeeze(x, axis),
        "concatenate": lambda tensors, axis=-1: ops.concat(list(tensors), axis),
        "stack": lambda x, axis=0: ops.stack(list(x), axis),
        "cast": lambda x, dtype: ops.cast(x, dtype_name(dtype) or FLOATX),
        "cast_to_floatx": lambda x: numbers_of(x).astype(FLOATX),
        "zeros_like": _unary(ops.zeros_like),
        "ones_like": _unary(ops.ones_like),
        "one_hot": lambda indices, num_classes: ops.one_hot(indices, num_classes),
        "gather": lambda reference, indices: ops.gather(reference, indices),
        "l2_normalize": lambda x, axis=None: ops.l2_normalize(x, axis),
        "categorical_crossentropy": lambda target, output, from_logits=False, axis=-1: (
            losses.categorical_crossentropy(target, output, from_logits=from_logits, axis=axis)
        ),
        "sparse_categorical_crossentropy": lambda target, output, from_logits=False, axis=-1: (
            losses.sparse_categorical_crossentropy(target, output, from_logits=from_logits, axis=axis)
        ),
        "random_normal": _normal,
        "random_uniform": _uniform,
        "constant": _constant,
        "variable": _variable,
        "int_shape": _shape,
        "ndim": _rank,
        "shape": lambda x: ops.shape_of(x),
        "eval": _value,
        "get_value": _value,
        "is_keras_tensor": lambda x: isinstance(x, Symbolic),
        "set_value": _set_value,
        "switch": _chosen,
    }
)
OF_TRACEBACKS = (
    "disable_traceback_filtering",
    "enable_traceback_filtering",
)  # how much of Keras's own code an error lists, which is nothing here
SETTABLE = replace(VARIABLE, fits=lambda value: VARIABLE.fits(value) or isinstance(value, LearningRate))
SHAPED = Argument(
    "a tensor",
    "张量",
    lambda value: isinstance(value, (Operators, Symbolic, np.ndarray)),
    "Make it with tf.constant(…) or tf.Variable(…).",
    "请用 tf.constant(…) 或 tf.Variable(…) 创建。",
)
ARGUMENTS: Mapping[str, Mapping[str, Argument]] = MappingProxyType(
    {
        "keras.backend.concatenate": {"tensors": LIST},
        "keras.backend.stack": {"x": LIST},
        "keras.backend.int_shape": {"x": SHAPED},
        "keras.backend.ndim": {"x": SHAPED},
        "keras.backend.set_value": {"x": SETTABLE},
    }
)  # what parameters take, where their names alone do not say it


def members() -> Mapping[str, Build]:
    """The names below `tf.` that this file offers."""
    found = {f"keras.backend.{name}": function for name, function in BACKEND.items()}
    for name in ("epsilon", "floatx", "image_data_format", "set_floatx"):
        found[f"keras.config.{name}"] = BACKEND[name]
    for name in OF_TRACEBACKS:
        found[f"keras.config.{name}"] = _of_tracebacks
    return found
