"""How one instruction is written in Python: float64 numbers with `math`, everything else with numpy.

Every template stands here; a program's own text never becomes part of a source. Constants are handed
in under the names c0, c1, …
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.tracing.operands import type_of
from engine.execution.tracing.tracer import FLOAT64, Instruction, Tracer

# float64 numbers are Python floats. Where numpy gives an infinity or NaN, `math` may raise; then the
# interpreter takes over (`writing.py`).
OF_FLOATS: dict[Any, str] = {
    np.add: "{0} + {1}",
    np.subtract: "{0} - {1}",
    np.multiply: "{0} * {1}",
    np.true_divide: "{0} / {1}",
    np.negative: "-{0}",
    np.absolute: "abs({0})",
    np.square: "{0} * {0}",
    np.power: "pow({0}, {1})",
    np.sign: "(1.0 if {0} > 0.0 else -1.0 if {0} < 0.0 else {0} + 0.0)",
    np.maximum: "({0} if {0} >= {1} or {0} != {0} else {1})",
    np.minimum: "({0} if {0} <= {1} or {0} != {0} else {1})",
    np.arcsin: "asin({0})",
    np.arccos: "acos({0})",
    np.arctan: "atan({0})",
    np.arctan2: "atan2({0}, {1})",
    np.arcsinh: "asinh({0})",
    np.arccosh: "acosh({0})",
    np.arctanh: "atanh({0})",
    np.isfinite: "isfinite({0})",
    np.isinf: "isinf({0})",
    np.isnan: "{0} != {0}",
}
SAME_IN_MATH = "sin cos tan sinh cosh tanh exp expm1 log log1p sqrt"
OF_FLOATS |= {getattr(np, name): f"{name}({{0}})" for name in SAME_IN_MATH.split()}
COMPARISONS: dict[Any, str] = {
    np.greater: "{0} > {1}",
    np.greater_equal: "{0} >= {1}",
    np.less: "{0} < {1}",
    np.less_equal: "{0} <= {1}",
    np.equal: "{0} == {1}",
    np.not_equal: "{0} != {1}",
}
OF_FLOATS |= COMPARISONS
OF_BOOLS: dict[Any, str] = {
    np.logical_and: "{0} and {1}",
    np.logical_or: "{0} or {1}",
    np.logical_not: "not {0}",
    np.logical_xor: "bool({0}) is not bool({1})",
}
# Numbers of other types are numpy's own scalars, which round and wrap as arrays do.
OF_SCALARS: dict[Any, str] = {
    ufunc: OF_FLOATS[ufunc]
    for ufunc in (np.add, np.subtract, np.multiply, np.true_divide, np.negative, np.square, *COMPARISONS)
}
BUILTINS: dict[str, Any] = {"abs": abs, "bool": bool, "float": float, "int": int, "range": range}
NAMES: dict[str, Any] = {**vars(math), **BUILTINS, "np": np}


@dataclass(frozen=True, slots=True)
class Part:
    """A generated function that others call in the place of a kernel, with their numbers as they are."""

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)


class Texts:
    """Writes instructions; keeps the constants and the names that they use.

    name_of: the text that stands for a value.
    shares:  other texts with the same constants.
    """

    def __init__(self, name_of: Callable[[Tracer], str], shares: Texts | None = None) -> None:
        self.constants: dict[str, Any] = {} if shares is None else shares.constants
        self.uses_numpy = False
        self._name_of = name_of
        self._named: dict[Any, str] = {} if shares is None else shares._named

    def constant(self, value: Any, letter: str = "c") -> str:
        """The name under which a constant is handed in."""
        number = value[()] if isinstance(value, np.ndarray) and not value.ndim else value
        is_number = isinstance(number, (float, np.generic))  # whose `repr` is short work, unlike an array's
        key = (letter, type(value), repr(number)) if is_number else id(value)
        if key not in self._named:
            self._named[key] = f"{letter}{sum(name[0] == letter for name in self.constants)}"
            self.constants[self._named[key]] = value
        return self._named[key]

    def argument(self, item: Any, *, strong: bool = False) -> str:
        """A value, or a constant; `strong`: a float64 number must count as one beside other types."""
        if isinstance(item, Tracer):
            text = self._name_of(item)
            return f"np.float64({text})" if strong and item.is_number and item.dtype == FLOAT64 else text
        if isinstance(item, np.float64) and not strong:
            item = float(item)
        return self.constant(item)

    def expression(self, step: Instruction, out: str | None = None) -> str:
        """The right-hand side of an instruction. out: the array that takes the result, if there is one."""
        text: str = getattr(self, f"_{step.kind}")(step, out)
        return text

    # -- the kinds -------------------------------------------------------------------------------------

    def _ufunc(self, step: Instruction, out: str | None) -> str:
        output = step.outputs[0]
        if output.is_number:
            return self._number(step)
        self.uses_numpy = True
        arguments = [_as_array(item, output.dtype) for item in step.arguments]
        return f"np.{step.function.__name__}({', '.join([*self._together(arguments), *_into(out)])})"

    def _number(self, step: Instruction) -> str:
        kinds = [type_of(item) for item in step.arguments]
        if all(kind in (FLOAT64, float, int) for kind in kinds) and step.function in OF_FLOATS:
            return OF_FLOATS[step.function].format(*self._floats(step.arguments))
        if all(kind == np.bool_ for kind in kinds) and step.function in OF_BOOLS:
            return OF_BOOLS[step.function].format(*map(self.argument, step.arguments))
        self.uses_numpy = True
        template = OF_SCALARS.get(step.function)
        arguments = self._together(step.arguments)
        if template is None or all(kind in (FLOAT64, float, int, bool, np.bool_) for kind in kinds):
            template = f"np.{step.function.__name__}({', '.join(f'{{{n}}}' for n in range(len(kinds)))})"
        text = template.format(*arguments)
        return _plain(text, step.outputs[0].dtype)

    def _floats(self, arguments: tuple[Any, ...]) -> list[str]:
        return [
            self.argument(item) if isinstance(item, Tracer) else self.constant(float(item))
            for item in arguments
        ]

    def _together(self, arguments: Sequence[Any]) -> list[str]:
        """Arguments that are computed with; beside another type, float64 numbers must count as such."""
        kinds = [type_of(item) for item in arguments]
        others = any(isinstance(kind, np.dtype) and kind != FLOAT64 for kind in kinds)
        return [self.argument(item, strong=others) for item in arguments]

    def _where(self, step: Instruction, out: str | None) -> str:
        condition, (x, y) = self.argument(step.arguments[0]), self._together(step.arguments[1:])
        if step.outputs[0].is_number:
            return f"({x} if {condition} else {y})"
        self.uses_numpy = True
        return f"np.where({condition}, {x}, {y})"

    def _matmul(self, step: Instruction, out: str | None) -> str:
        self.uses_numpy = True
        left, right = map(self.argument, step.arguments)
        if len(step.outputs[0].core) > 2:
            return f"np.matmul({', '.join([left, right, *_into(out)])})"
        return f"{left}.dot({', '.join([right, *_into(out)])})"  # the same product, called faster

    def _reduce(self, step: Instruction, out: str | None) -> str:
        self.uses_numpy = True
        axis, dtype = step.options["axis"], self.constant(step.options["dtype"], "t")
        axes = repr(axis[0] if len(axis) == 1 else axis)
        keep = ["keepdims=True"] if step.options["keepdims"] else []
        given = ", ".join([self.argument(step.arguments[0]), axes, dtype, *_into(out), *keep])
        text = f"np.{step.function.__name__}.reduce({given})"
        return _plain(text, step.outputs[0].dtype) if step.outputs[0].is_number else text

    def _cast(self, step: Instruction, out: str | None) -> str:
        self.uses_numpy = True
        source, output = step.arguments[0], step.outputs[0]
        if not output.is_number:
            return f"{self.argument(source)}.astype({self.constant(output.dtype, 't')})"
        if output.dtype == FLOAT64:
            return f"float({self.argument(source)})"
        wrapped = {FLOAT64: "np.float64({0})", np.dtype(bool): "np.bool_({0})"}.get(source.dtype, "{0}")
        return wrapped.format(self.argument(source)) + f".astype({self.constant(output.dtype, 't')})"

    def _view(self, step: Instruction, out: str | None) -> str:
        source, what = self.argument(step.arguments[0]), step.options["what"]
        text = {
            "reshape": lambda: f"{source}.reshape({what!r})",
            "transpose": lambda: f"{source}.T" if what == (1, 0) else f"{source}.transpose({what!r})",
            "broadcast": lambda: f"np.broadcast_to({source}, {what!r})",
            "getitem": lambda: f"{source}[{self.constant(tuple(what), 'i')}]",
        }[step.function]()
        output = step.outputs[0]
        if not output.is_number:
            return text
        return f"float({text})" if output.dtype == FLOAT64 else f"{text}[()]"

    def _fill(self, step: Instruction, out: str | None) -> str:
        self.uses_numpy = True
        output = step.outputs[0]
        number, dtype = self.argument(step.arguments[0]), self.constant(output.dtype, "t")
        return f"np.full({output.core!r}, {number}, {dtype})"

    def _call(self, step: Instruction, out: str | None) -> str:
        self.uses_numpy = True
        kernel = self.constant(called(step), "k")
        return f"{kernel}({', '.join(self.argument(item) for item in step.arguments)})"


def _into(out: str | None) -> list[str]:
    return [f"out={out}"] if out else []


def _as_array(item: Any, dtype: np.dtype[Any]) -> Any:
    """A constant number beside arrays as an array itself, which numpy need not convert at every call."""
    weak = type(item) is float and dtype == FLOAT64
    return np.asarray(item) if weak or isinstance(item, np.generic) else item


def _plain(text: str, dtype: np.dtype[Any]) -> str:
    """A float64 number as a Python float, a truth value as Python's."""
    if dtype == FLOAT64:
        return f"float({text})"
    return f"bool({text})" if dtype == np.bool_ else text


def called(step: Instruction) -> Callable[..., Any]:
    """A kernel as the function that an instruction calls: numbers go in as arrays, results come out typed."""
    kernel, parameters, outputs = step.function, dict(step.options), step.outputs
    if isinstance(kernel, Part):
        return kernel.function

    def run(*arguments: Any) -> Any:
        result = kernel(*map(np.asarray, arguments), **parameters)
        results = result if isinstance(result, (list, tuple)) else [result]
        typed = [_as_held(item, output) for item, output in zip(results, outputs, strict=False)]
        return typed[0] if len(outputs) == 1 else typed

    return run


def _as_held(result: Any, output: Tracer) -> Any:
    array = np.asarray(result, dtype=output.dtype)
    if not output.is_number:
        return array
    return float(array) if output.dtype == FLOAT64 else array[()]
