"""`keras.ops` of TensorFlow's functions: under Keras' names of arguments, and in Keras' types.

Where TensorFlow wants two tensors of one type, Keras takes the type that both fit in, a whole number beside a
float as a float; where TensorFlow wants floats, it makes floats of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import FLOATS, TEXT, Operators

REQUIRED = Parameter.empty
REDUCING = "x axis=None keepdims=False"

# Keras' arguments, in the order in which the function behind takes its own.
TAKES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "x1 x2": (
            *("add", "divide", "equal", "greater", "greater_equal", "less", "less_equal", "logical_and"),
            *("logical_or", "maximum", "minimum", "multiply", "not_equal", "subtract", "power"),
            *("true_divide", "arctan2", "logical_xor", "mod", "floor_divide"),
        ),
        "x": (
            *("abs", "absolute", "cos", "cosh", "exp", "expm1", "floor", "ceil", "log", "log1p", "sign"),
            *("sin", "sinh", "sqrt", "square", "tan", "tanh", "erf", "rsqrt", "logical_not", "isnan"),
            *("isfinite", "isinf", "negative", "reciprocal", "arcsin", "arccos", "arctan", "arcsinh"),
            *("arccosh", "arctanh", "relu", "relu6", "selu", "softplus", "softsign", "silu", "det", "inv"),
            *("cholesky", "eigh", "logdet", "size"),
        ),
        REDUCING: (
            *("mean", "sum", "max", "min", "amax", "amin", "prod", "any", "all", "std", "var"),
            "logsumexp",
        ),
        "x ord=None axis=None keepdims=False": ("norm",),
        "x axis": ("expand_dims",),
        "x axis=None": ("squeeze",),
        "x axis=-1": ("log_softmax", "sort", "argsort"),
        "x newshape": ("reshape",),
        "x shape": ("broadcast_to",),
        "x axes=None": ("transpose",),
        "x1 x2 axes=2": ("tensordot",),
        "x dtype": ("cast",),
        "x dtype=None": ("zeros_like", "ones_like", "convert_to_tensor", "array"),
        "x repeats axis=None": ("repeat",),
        "x num=None axis=0": ("unstack",),
        "x k sorted=True": ("top_k",),
        "x negative_slope=0.2": ("leaky_relu",),
        "x x_min x_max": ("clip",),
        "variable": ("stop_gradient",),
        "a b": ("solve",),
        "inputs start_indices shape": ("slice",),
        "indices values shape": ("scatter",),
        "function elements": ("vectorized_map",),
        "targets predictions k": ("in_top_k",),
    }
)
# Whose whole numbers become floats, and whose arguments are brought to one type.
IN_FLOATS = frozenset(
    {
        *("divide", "true_divide", "arctan2", "cos", "cosh", "exp", "expm1", "floor", "ceil", "log", "log1p"),
        *("sin", "sinh", "sqrt", "tan", "tanh", "erf", "rsqrt", "reciprocal", "arcsin", "arccos", "arctan"),
        *("arcsinh", "arccosh", "arctanh", "selu", "softplus", "softsign", "silu", "leaky_relu"),
        *("log_softmax", "mean", "std", "var", "logsumexp", "norm", "det", "inv"),
    }
)
OF_ONE_TYPE = frozenset(
    name for takes in ("x1 x2", "x1 x2 axes=2", "x x_min x_max") for name in TAKES[takes]
) - {"logical_and", "logical_or", "logical_xor"}
OF_TRUTHS = frozenset({"any", "all", "logical_and", "logical_or", "logical_xor", "logical_not"})


def in_floats(value: Any) -> Any:
    """A tensor of floats, of whole numbers and truths in single precision."""
    tensor = convert_to_tensor(value)
    return tensor if tensor.dtype in FLOATS else ops.cast(tensor, "float32")


def of_one_type(values: Sequence[Any]) -> list[Any]:
    """Tensors of the type that all fit in; numbers of Python's own take that of the tensors.

    A whole number beside a float is a float, of the float's precision; texts stay what they are.
    """
    made: list[Any] = [one if type(one) in (bool, int, float) else convert_to_tensor(one) for one in values]
    kinds = [one.dtype for one in made if not isinstance(one, (bool, int, float))]
    written = [type(one) for one in made if isinstance(one, (bool, int, float))]
    if TEXT in kinds:
        return made
    kind = _joined(kinds, written)
    return [ops.cast(one, kind) if isinstance(one, Operators) else _constant(one, kind) for one in made]


def _constant(value: Any, kind: str) -> Any:
    return ops.constant(value if kind == "bool" else value + 0, kind)


def _joined(kinds: Sequence[str], written: Sequence[type]) -> str:
    floats = [one for one in kinds if one in FLOATS]
    if floats:
        return np.result_type(*floats).name
    if float in written:
        return "float32"
    whole = [one for one in kinds if one != "bool"]
    if whole:
        return np.result_type(*whole).name
    return "int32" if int in written else "bool"


def _prepared(name: str, given: Sequence[Any], several: int) -> list[Any]:
    """The tensors among the arguments, the first `several`, in the types that Keras computes in."""
    tensors, rest = list(given[:several]), list(given[several:])
    if name in OF_ONE_TYPE:
        tensors = of_one_type(tensors)
    if name in IN_FLOATS:
        tensors = [in_floats(one) for one in tensors]
    if name in OF_TRUTHS:
        tensors = [ops.cast(convert_to_tensor(one), "bool") for one in tensors]
    if name in ("sum", "prod") and convert_to_tensor(tensors[0]).dtype == "bool":
        tensors = [ops.cast(tensors[0], "int32")]
    return tensors + rest


def _parameters(takes: str) -> tuple[Parameter, ...]:
    """`x axis=None` as parameters."""
    found = []
    for word in takes.split():
        name, is_given, default = word.partition("=")
        value = DEFAULTS.get(default, default) if is_given else REQUIRED
        found.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=value))
    return tuple(found)


DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"None": None, "False": False, "True": True, "-1": -1, "0": 0, "2": 2, "0.2": 0.2}
)


def _under(name: str, takes: str, behind: Native) -> Callable[..., Any]:
    """The function behind under Keras' arguments; those that are not given are left to it."""
    parameters = _parameters(takes)
    several = max(sum(one.name in ("x", "x1", "x2", "x_min", "x_max", "a", "b") for one in parameters), 1)
    own = behind.signature.positional

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        bound = Signature(parameters).bind(*args, **keywords)
        bound.apply_defaults()
        given = _prepared(name, list(bound.arguments.values()), several)
        named = dict(zip(own, given, strict=False))
        kept = {
            key: value
            for (key, value), one in zip(named.items(), parameters, strict=True)
            if value is not None or one.default is REQUIRED
        }
        return behind.call(interpreter, (), kept)

    first = Parameter("interpreter", Parameter.POSITIONAL_OR_KEYWORD)
    call.__signature__ = Signature([first, *parameters])  # type: ignore[attr-defined]
    return call


def renamed(name: str, behind: Any) -> Any:
    """A function of TensorFlow's as `keras.ops` has it; one with the same arguments under the other name."""
    takes = next((takes for takes, names in TAKES.items() if name in names), None)
    if not isinstance(behind, Native):
        return behind
    if takes is None:
        return behind.called(f"tf.keras.ops.{name}")
    return Native(f"tf.keras.ops.{name}", _under(name, takes, behind), arguments=behind.arguments)
