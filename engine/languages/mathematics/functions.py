"""The functions of the math dialect: each builds what its `tf.` namesake builds."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ProgramError
from engine.languages.mathematics.characters import SUBSCRIPTS

LOGARITHM = re.compile(r"log_?(?:(?<=_)(\d+(?:\.\d+)?)|([₀-₉]+))")
CONSTANTS: dict[str, float] = {"pi": math.pi, "π": math.pi, "e": math.e, "tau": math.tau, "τ": math.tau}


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function by its written name: how many arguments it takes, and what it builds of them."""

    build: Callable[..., Any]
    least: int = 1
    most: int | None = 1


def log10(x: Any) -> Any:
    """The logarithm to base 10, as `tf.log(x) / np.log(10)`."""
    return ops.log(x) / math.log(10)


def log2(x: Any) -> Any:
    """The logarithm to base 2, as `tf.log(x) / np.log(2)`."""
    return ops.log(x) / math.log(2)


def cbrt(x: Any) -> Any:
    """The real cube root, negative for a negative x."""
    return ops.sign(x) * ops.absolute(x) ** (1 / 3)


def root(x: Any, n: Any) -> Any:
    """The real n-th root; for an odd n it is negative for a negative x."""
    if isinstance(n, float) and n % 2 == 1:
        return ops.sign(x) * ops.absolute(x) ** (1 / n)
    return x ** (1 / n)


def normal_distribution(x: Any) -> Any:
    """The share of the standard normal distribution below x."""
    return 0.5 * ops.erfc(-x / math.sqrt(2))


def dot(a: Any, b: Any) -> Any:
    """The sum of the products, element by element."""
    return ops.reduce_sum(ops.mul(a, b))


def remainder(a: Any, b: Any) -> Any:
    """What is left of a after division by b, with the sign of b."""
    return a % b


def larger(*values: Any) -> Any:
    """The largest of several values, or of the elements of one."""
    return _fold(ops.maximum, ops.reduce_max, values)


def smaller(*values: Any) -> Any:
    """The smallest of several values, or of the elements of one."""
    return _fold(ops.minimum, ops.reduce_min, values)


def _fold(pair: Callable[..., Any], whole: Callable[..., Any], values: Sequence[Any]) -> Any:
    return whole(values[0]) if len(values) == 1 else reduce(pair, values)


def choice(*arguments: Any) -> Any:
    """`if(c1, a1, c2, a2, …, otherwise)`: the first value whose condition holds; nan where none does."""
    otherwise = arguments[-1] if len(arguments) % 2 else math.nan
    pairs = list(zip(arguments[:-1:2], arguments[1::2], strict=False))
    for condition, value in reversed(pairs):
        otherwise = _chosen(condition, value, otherwise)
    return otherwise


def _chosen(condition: Any, value: Any, otherwise: Any) -> Any:
    if isinstance(condition, bool):
        return value if condition else otherwise
    if not hasattr(condition, "as_tensor") or condition.dtype != "bool":
        raise _no_condition()
    shapes = [np.shape(one) if isinstance(one, (float, list)) else one.shape for one in (value, otherwise)]
    wide = np.broadcast_shapes(*(shape or () for shape in (condition.shape, *shapes)))
    chosen, other = [
        one if shape == wide or None in wide else ops.broadcast_to(ops.convert_to_tensor(one), wide)
        for one, shape in zip((value, otherwise), shapes, strict=True)
    ]
    return ops.where(condition, chosen, other)


def _no_condition() -> ProgramError:
    return ProgramError(
        "The first argument of if(…) is a condition, as in if(x > 0, x, 0).",
        message_zh="if(…) 的第一个参数是条件，例如 if(x > 0, x, 0)。",
        code="wrong_arguments",
    )


FUNCTIONS: dict[str, MathFunction] = {
    "exp": MathFunction(ops.exp),
    "log": MathFunction(ops.log),
    "ln": MathFunction(ops.log),
    "lg": MathFunction(log10),
    **dict.fromkeys(("log10", "log_10"), MathFunction(log10)),
    **dict.fromkeys(("log2", "log_2"), MathFunction(log2)),
    "log1p": MathFunction(ops.log1p),
    "expm1": MathFunction(ops.expm1),
    "sqrt": MathFunction(ops.sqrt),
    "rsqrt": MathFunction(ops.rsqrt),
    "cbrt": MathFunction(cbrt),
    "square": MathFunction(ops.square),
    "abs": MathFunction(ops.absolute),
    "sign": MathFunction(ops.sign),
    "sgn": MathFunction(ops.sign),
    "floor": MathFunction(ops.floor),
    "ceil": MathFunction(ops.ceil),
    "round": MathFunction(ops.round_of),
    "mod": MathFunction(remainder, 2, 2),
    "root": MathFunction(root, 2, 2),
    "reciprocal": MathFunction(ops.reciprocal),
    "sin": MathFunction(ops.sin),
    "cos": MathFunction(ops.cos),
    "tan": MathFunction(ops.tan),
    "tg": MathFunction(ops.tan),
    **dict.fromkeys(("sinh", "sh"), MathFunction(ops.sinh)),
    **dict.fromkeys(("cosh", "ch"), MathFunction(ops.cosh)),
    **dict.fromkeys(("tanh", "th"), MathFunction(ops.tanh)),
    "sech": MathFunction(lambda x: 1 / ops.cosh(x)),
    "csch": MathFunction(lambda x: 1 / ops.sinh(x)),
    **dict.fromkeys(("cot", "ctg", "cotan"), MathFunction(lambda x: 1 / ops.tan(x))),
    "sec": MathFunction(lambda x: 1 / ops.cos(x)),
    **dict.fromkeys(("csc", "cosec"), MathFunction(lambda x: 1 / ops.sin(x))),
    **dict.fromkeys(("coth", "cth"), MathFunction(lambda x: 1 / ops.tanh(x))),
    **dict.fromkeys(("asin", "arcsin"), MathFunction(ops.asin)),
    **dict.fromkeys(("acos", "arccos"), MathFunction(ops.acos)),
    **dict.fromkeys(("atan", "arctan", "arctg"), MathFunction(ops.atan)),
    **dict.fromkeys(("atan2", "arctan2"), MathFunction(ops.atan2, 2, 2)),
    **dict.fromkeys(("asinh", "arsinh", "arcsinh"), MathFunction(ops.asinh)),
    **dict.fromkeys(("acosh", "arcosh", "arccosh"), MathFunction(ops.acosh)),
    **dict.fromkeys(("atanh", "artanh", "arctanh"), MathFunction(ops.atanh)),
    "sigmoid": MathFunction(ops.sigmoid),
    "Phi": MathFunction(normal_distribution),
    **dict.fromkeys(("relu", "ReLU"), MathFunction(ops.relu)),
    "relu6": MathFunction(ops.relu6),
    "elu": MathFunction(ops.elu),
    "selu": MathFunction(ops.selu),
    "softplus": MathFunction(ops.softplus),
    "softsign": MathFunction(ops.softsign),
    "softmax": MathFunction(ops.softmax),
    "logsoftmax": MathFunction(ops.log_softmax),
    "logsumexp": MathFunction(ops.reduce_logsumexp),
    "erf": MathFunction(ops.erf),
    "erfc": MathFunction(ops.erfc),
    "lgamma": MathFunction(ops.lgamma),
    "digamma": MathFunction(ops.digamma),
    "clip": MathFunction(ops.clip_by_value, 3, 3),
    "stop_gradient": MathFunction(ops.stop_gradient),
    "pow": MathFunction(lambda x, y: x**y, 2, 2),
    "max": MathFunction(larger, 1, None),
    "min": MathFunction(smaller, 1, None),
    "if": MathFunction(choice, 2, None),
    "sum": MathFunction(ops.reduce_sum),
    "prod": MathFunction(ops.reduce_prod),
    "mean": MathFunction(ops.reduce_mean),
    "norm": MathFunction(ops.norm),
    "dot": MathFunction(dot, 2, 2),
    "transpose": MathFunction(ops.transpose),
    **dict.fromkeys(("inv", "inverse"), MathFunction(ops.matrix_inverse)),
    "det": MathFunction(ops.matrix_determinant),
    **dict.fromkeys(("trace", "tr"), MathFunction(ops.trace)),
}


def logarithm_name(text: str) -> str:
    """`log_3` of `log_3` or `log₃`, a logarithm to a base that can be one; otherwise nothing."""
    found = LOGARITHM.fullmatch(text)
    base = (found[1] or found[2].translate(SUBSCRIPTS)) if found else "0"
    return f"log_{base}" if float(base) not in (0, 1) else ""


def function_named(name: str) -> MathFunction:
    """The function of a name; `log_3` is the logarithm to base 3, as `tf.log(x) / np.log(3)`."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    base = float(name.removeprefix("log_"))
    return MathFunction(lambda x: ops.log(x) / math.log(base))
