"""Between functions of a program and those of flat values that transformations work on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.functions import KINDS_OF, type_
from engine.languages.interpreter.builtins.objects import callable_
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.tracing.differences import leaf_paths
from engine.languages.surfaces.jax.core.errors import integer_conversion, type_error
from engine.languages.surfaces.jax.core.operands import OfPython
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.trees import Structure, Trees
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    Tracer,
    constant,
    in_python,
    known,
    typed_number,
)

NUMBERS = (bool, int, float, complex, np.generic, np.ndarray)


def trees() -> Trees:
    """What takes the program's pytrees apart."""
    found = run_now().caches.get("trees")
    if found is None:
        found = run_now().caches["trees"] = Trees()
    made: Trees = found
    return made


def is_array(value: Any) -> bool:
    """Whether a value is an array of JAX, or what it takes for one."""
    return isinstance(value, (JaxArray, Constant, Tracer, *NUMBERS))


def class_text(value: Any) -> str:
    """`<class '__main__.P'>`: the type of a value, as it prints."""
    if type(value) in KINDS_OF:
        return to_repr(type_(value))
    if type(value) in (Native, BoundMethod):
        return "<class 'builtin_function_or_method'>"
    return to_repr(type_(value)) if isinstance(value, UserObject) else f"<class '{python_name(value)}'>"


def as_value(value: Any, end: str = "") -> Any:
    """A leaf as a value of primitives. Raises: TypeError where it is none; end: of its sentence."""
    if not is_array(value):
        raise type_error(
            f"Argument {quoted(value)} of type {class_text(value)} is not a valid JAX type{end}",
            f"参数 {to_repr(value)} 的类型（{python_name(value)}）不是 JAX 可以处理的类型。",
        )
    return constant(value)


def quoted(value: Any) -> str:
    """A value in a message, an object of the program in quotes."""
    return f"'{to_repr(value)}'" if isinstance(value, UserObject) else to_repr(value)


def function_name(function: Any) -> str:
    """The name of a function of the program, as JAX writes it."""
    wrapped = getattr(function, "wrapped", None)
    if wrapped is not None:
        return function_name(wrapped)
    if isinstance(function, (UserFunction, Native, BoundMethod)) or hasattr(function, "name"):
        return str(function.name).rpartition(".")[2]
    return type(function).__name__


def checked_callable(function: Any) -> Any:
    """What a transformation is given. Raises: TypeError where it cannot be called."""
    if not callable_(function):
        raise type_error(
            f"Expected a callable value, got {to_str(function)}",
            f"需要一个函数，但得到 {to_str(function)}。",
            "Give the function itself: jax.grad(f), then call it: jax.grad(f)(x).",
            "请给出函数本身：jax.grad(f)，再调用：jax.grad(f)(x)。",
        )
    return function


def parameter_names(function: Any) -> tuple[str, ...]:
    """The names of the parameters of a function, as far as they are known."""
    while getattr(function, "wrapped", None) is not None:
        function = function.wrapped
    signature = getattr(function, "signature", None)
    return () if signature is None else tuple(signature.positional)


class Flat:
    """A function of the program as one of flat values.

    structure: that of the last results; aux: what the function gave beside them.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        function: Any,
        structure: Structure,
        has_aux: bool = False,
        check: Callable[[Any], Any] = as_value,
    ) -> None:
        self.interpreter = interpreter
        self.function = function
        self.arguments = structure
        self.has_aux = has_aux
        self.check = check
        self.structure: Structure | None = None
        self.aux: Any = None

    def __call__(self, *leaves: Any) -> list[Any]:
        args, keywords = trees().unflatten(self.arguments, leaves)
        result = self.interpreter.call(self.function, list(args), keywords)
        if self.has_aux:
            result, self.aux = _pair(result)
        flat, self.structure = trees().flatten(result)
        return [self._checked(leaf, place) for place, leaf in enumerate(flat)]

    def _checked(self, leaf: Any, place: int) -> Any:
        """A result as a value. Raises: TypeError, which says where it stands if the function is traced."""
        trace = run_now().trace
        if is_array(leaf) or not getattr(trace, "name", ""):
            return self.check(leaf)
        assert self.structure is not None
        path = leaf_paths(self.structure)[place]
        component = f" at output component {path}" if path else ""
        raise type_error(
            f"function {trace.name} traced for {trace.what} returned a value of type {class_text(leaf)}"
            f"{component}, which is not a valid JAX type",
            f"函数 {trace.name} 返回了 {python_name(leaf)}，它不是 JAX 可以处理的类型。",
        )

    def result(self, leaves: Sequence[Any]) -> Any:
        """The results in the structure in which the function gave them."""
        assert self.structure is not None
        return trees().unflatten(self.structure, map(visible, leaves))


def _pair(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise type_error(
            "expected function with aux output to return a two-element tuple, but got type "
            f"{class_text(result)} with value {to_repr(result)}",
            "has_aux=True 时函数必须返回两个值组成的元组。",
        )
    return result[0], result[1]


def visible(value: Any) -> Any:
    """A value as the program sees it: what Python computed is a number of Python."""
    number = getattr(value, "number", None) if isinstance(value, JaxArray) else None
    if number is None:
        return in_python(value)
    return number if isinstance(number, OfPython) else typed_number(value)


def beside(value: Any, as_seen: Callable[[Any], Any]) -> Any:
    """What a function gave beside its results, without the tracers of a trace that is over.

    as_seen: how the program sees an argument that came back: `typed_number` where the function was
             linearized for the way backward, `in_python` where it was not.
    """
    leaves, structure = trees().flatten(value)
    return trees().unflatten(structure, [as_seen(_outside(leaf)) for leaf in leaves])


def _outside(value: Any) -> Any:
    while isinstance(value, Tracer) and value.trace.is_over and value.lowered() is not value:
        value = value.lowered()
    return value


def flat_arguments(args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[list[Any], Structure]:
    """The leaves of arguments by position and by name."""
    return trees().flatten((tuple(args), dict(keywords)))


def whole(value: Any, what: str) -> int:
    """A whole number. Raises: ProgramError where it is none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        array = getattr(value, "array", None)
        if array is not None and array.ndim == 0 and array.dtype.kind in "iu":
            return int(array)
        if isinstance(value, Tracer):
            raise integer_conversion(value)
        raise ProgramError(
            f"{what} must be a whole number, not {to_repr(value)}.",
            message_zh=f"{what} 必须是整数，不能是 {to_repr(value)}。",
            code="wrong_arguments",
            kind="TypeError",
            said=f"'{python_name(value)}' object cannot be interpreted as an integer",
        )
    return int(value)


def many(value: Any, what: str) -> tuple[int, ...]:
    """One whole number, or several in a list."""
    if isinstance(value, (tuple, list)):
        return tuple(whole(one, what) for one in value)
    array = known(value) if isinstance(value, (JaxArray, Constant)) else value
    if isinstance(array, np.ndarray) and array.ndim == 1 and array.dtype.kind in "iu":
        return tuple(int(one) for one in array)
    return (whole(value, what),)
