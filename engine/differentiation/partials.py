"""The table of derivatives: for each element-by-element op, how its output varies with each input.

A rule takes the inputs and the output and gives one factor per input. The factors are written with
numpy's functions, so the same line serves arrays (forward mode) and expressions (symbolic).
At kinks they follow TensorFlow: relu'(0) = 0, |x|'(0) = 0, a tie of maximum or minimum goes to x.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Rule = Callable[..., tuple[Any, ...]]

ONE_INPUT: Mapping[str, Rule] = {
    "Acos": lambda x, y: (-1 / np.sqrt(1 - x * x),),
    "Acosh": lambda x, y: (1 / np.sinh(y),),
    "Asin": lambda x, y: (1 / np.sqrt(1 - x * x),),
    "Asinh": lambda x, y: (1 / np.cosh(y),),
    "Atan": lambda x, y: (1 / (1 + x * x),),
    "Atanh": lambda x, y: (1 / (1 - x * x),),
    "Cos": lambda x, y: (-np.sin(x),),
    "Cosh": lambda x, y: (np.sinh(x),),
    "Exp": lambda x, y: (y,),
    "Expm1": lambda x, y: (np.exp(x),),
    "Log": lambda x, y: (1 / x,),
    "Log1p": lambda x, y: (1 / (1 + x),),
    "Neg": lambda x, y: (-1,),
    "Reciprocal": lambda x, y: (-y * y,),
    "Rsqrt": lambda x, y: (-0.5 * y * y * y,),
    "Sigmoid": lambda x, y: (y * (1 - y),),
    "Sin": lambda x, y: (np.cos(x),),
    "Sinh": lambda x, y: (np.cosh(x),),
    "Sqrt": lambda x, y: (0.5 / y,),
    "Square": lambda x, y: (2 * x,),
    "Tan": lambda x, y: (1 / (np.cos(x) * np.cos(x)),),
    "Tanh": lambda x, y: (1 - y * y,),
}

WITH_KINKS: Mapping[str, Rule] = {
    "Abs": lambda x, y: (np.sign(x),),
    "FloorMod": lambda a, b, y: (1, -np.floor(a / b)),
    "Maximum": lambda a, b, y: (a >= b, a < b),
    "Minimum": lambda a, b, y: (a <= b, a > b),
    "Relu": lambda x, y: (x > 0,),
    "Relu6": lambda x, y: ((x > 0) & (x < 6),),
    "Sign": lambda x, y: (0,),
    "Softsign": lambda x, y: (1 / (1 + np.abs(x)) ** 2,),
    "SoftsignGrad": lambda dy, x, y: (1 / (1 + np.abs(x)) ** 2, -2 * y * np.sign(x) / (1 + np.abs(x))),
}

TWO_INPUTS: Mapping[str, Rule] = {
    "Add": lambda a, b, y: (1, 1),
    "AddV2": lambda a, b, y: (1, 1),
    "Atan2": lambda a, b, y: (b / (a * a + b * b), -a / (a * a + b * b)),
    "Mul": lambda a, b, y: (b, a),
    "Pow": lambda a, b, y: (b * a ** (b - 1), y * _safe_log(a)),
    "RealDiv": lambda a, b, y: (1 / b, -y / b),
    "SquaredDifference": lambda a, b, y: (2 * (a - b), 2 * (b - a)),
    "Sub": lambda a, b, y: (1, -1),
}

PARTIALS: Mapping[str, Rule] = {**ONE_INPUT, **WITH_KINKS, **TWO_INPUTS}


def _safe_log(base: Any) -> Any:
    """log of a power's base; 0 where it is not positive, as TensorFlow has it."""
    positive = base > 0
    return np.where(positive, np.log(np.where(positive, base, 1)), 0)
