"""A Python function as a program of its own: its text, what it uses, and a call with its gradient."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from engine.programs import ProgramRequest

FRAMEWORKS = ("torch", "tensorflow", "jax")  # the first of these that a function uses differentiates it
DIALECTS = {"torch": "torch", "tensorflow": "tf2", "jax": "jax"}
KNOWN = (*FRAMEWORKS, "numpy", "math")
PLAIN = (bool, int, float, str)
JAX = "jax"


def program_of(function: Callable[..., Any], at: Mapping[str, Any]) -> ProgramRequest:
    """A program that computes a function and its gradient.

    The gradient is by every argument that is a number with a point, or numbers in lists.
    at: values of its arguments; others have their defaults.
    Raises: ValueError for what has no text of its own, lacks a value, or leans on what cannot be written.
    """
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        raise ValueError("Only a function that is written with `def` has a text; give this one a name.")
    parts = Parts(function)
    values = arguments(function, at)
    framework = next((name for name in FRAMEWORKS if name in parts.modules), JAX)
    call = {"torch": _torch_call, "tensorflow": _tensorflow_call, JAX: _jax_call}[framework]
    needed = {"torch": "import torch", "tensorflow": "import tensorflow as tf", JAX: "import jax"}[framework]
    imports = list(dict.fromkeys([needed, *parts.imports]))
    lines = [*imports, "", *parts.constants, *parts.texts, *call(function.__name__, values), ""]
    return ProgramRequest("\n".join(lines), DIALECTS[framework])


def arguments(function: Callable[..., Any], at: Mapping[str, Any]) -> dict[str, Any]:
    """The value of each argument. Raises: ValueError where one has none, or there is no such argument."""
    known = inspect.signature(function).parameters
    for name in at:
        if name not in known:
            raise ValueError(f"{function.__name__} has no argument {name!r}; it has {', '.join(known)}.")
    values = {}
    for name, parameter in known.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise ValueError(f"The argument {name!r} has no name of its own to give a value by.")
        value = at.get(name, parameter.default)
        if value is parameter.empty:
            raise ValueError(f"What is {name}? Write show({function.__name__}, {name}=…).")
        values[name] = plain_value(value)
    return values


def plain_value(value: Any) -> Any:
    """A number, a text, or lists of numbers; arrays and tensors as lists. Raises: ValueError for the rest."""
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "tolist"):
        value = value.tolist()
    items = [value]
    while items:
        item = items.pop()
        if isinstance(item, (list, tuple)):
            items += item
        elif not isinstance(item, PLAIN):
            raise ValueError(f"{item!r} is no number and no list of numbers.")
    return value


class Parts:
    """What a function leans on: modules, numbers and other functions of its own module.

    modules: the first names of those that it uses; texts: of the functions, those that are called first.
    """

    def __init__(self, function: FunctionType) -> None:
        self.modules: set[str] = set()
        self.imports: list[str] = []
        self.constants: list[str] = []
        self.texts: list[str] = []
        self._seen: set[str] = set()
        self._add(function)

    def _add(self, function: FunctionType) -> None:
        if function.__closure__:
            names = ", ".join(function.__code__.co_freevars)
            raise ValueError(
                f"{function.__name__} uses {names} of the function around it; make it an argument."
            )
        self._seen.add(function.__name__)
        for name in names_in(function.__code__):
            if name in function.__globals__ and name not in self._seen:
                self._add_global(function, name, function.__globals__[name])
        self.texts += [text_of(function), ""]

    def _add_global(self, function: FunctionType, name: str, value: Any) -> None:
        self._seen.add(name)
        if isinstance(value, ModuleType):
            self._add_module(name, value.__name__)
        elif isinstance(value, FunctionType) and value.__module__ == function.__module__:
            self._add(value)
        elif isinstance(value, PLAIN):
            self.constants.append(f"{name} = {value!r}")
        else:
            raise ValueError(
                f"{function.__name__} uses {name}, which is neither a number nor a function beside it."
            )

    def _add_module(self, name: str, module: str) -> None:
        first = module.partition(".")[0]
        if first not in KNOWN:
            raise ValueError(f"The module {module} is none that Gradlens knows; it knows {', '.join(KNOWN)}.")
        self.modules.add(first)
        self.imports.append(f"import {module}" if module == name else f"import {module} as {name}")


def names_in(code: CodeType) -> Iterator[str]:
    """The names that a function, and those within it, look up outside of them."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def text_of(function: FunctionType) -> str:
    """A function's own text. Raises: ValueError where Python does not know it."""
    try:
        return textwrap.dedent(inspect.getsource(function)).rstrip()
    except (OSError, TypeError):
        raise ValueError(
            f"Python does not know the text of {function.__name__}; give the text itself, as a string."
        ) from None


# -- the call, and its gradient ----------------------------------------------------------------------------


def varies(value: Any) -> bool:
    """Whether something is differentiated by: a number with a point, or numbers in lists."""
    return isinstance(value, (float, list, tuple))


def written(value: Any) -> str:
    """A value as Python writes it, whole numbers in lists with a point."""
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(written, value))}]"
    return repr(float(value)) if isinstance(value, int) and not isinstance(value, bool) else repr(value)


def _bound(values: Mapping[str, Any], made: str) -> list[str]:
    """A line for each argument; what varies is made a tensor by a formula with `{}`."""
    return [
        f"{name} = {made.format(written(value)) if varies(value) else repr(value)}"
        for name, value in values.items()
    ]


def _torch_call(name: str, values: Mapping[str, Any]) -> list[str]:
    call = f"y = {name}({', '.join(f'{each}={each}' for each in values)})"
    return [*_bound(values, "torch.tensor({}, requires_grad=True)"), call, "y.sum().backward()"]


def _tensorflow_call(name: str, values: Mapping[str, Any]) -> list[str]:
    call = f"    y = {name}({', '.join(f'{each}={each}' for each in values)})"
    by = ", ".join(each for each, value in values.items() if varies(value))
    lines = [*_bound(values, "tf.Variable({})"), "with tf.GradientTape() as tape:", call]
    return [*lines, f"gradients = tape.gradient(y, [{by}])"]


def _jax_call(name: str, values: Mapping[str, Any]) -> list[str]:
    places = tuple(place for place, value in enumerate(values.values()) if varies(value))
    call = f"y, gradients = jax.value_and_grad({name}, argnums={places})({', '.join(values)})"
    return [*_bound(values, "jax.numpy.array({})"), call]
