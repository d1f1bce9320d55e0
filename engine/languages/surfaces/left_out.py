"""Arguments that a function takes but does not compute with: any value but the usual one is refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from types import MappingProxyType
from typing import Any

from engine.errors import RefusedError

POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_only(**usual: tuple[Any, ...]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: refuse each of these arguments unless it is one of the values that change nothing.

    ```python
    @takes_only(mode=(None, "fill"))
    def take(a, indices, axis=None, mode=None): ...
    ```
    """

    def guard(function: Callable[..., Any]) -> Callable[..., Any]:
        parameters = tuple(inspect.signature(function).parameters.values())
        by_position = [one.name for one in parameters if one.kind in POSITIONAL]
        places = MappingProxyType({one: by_position.index(one) for one in usual if one in by_position})
        rules = MappingProxyType(usual)

        @wraps(function)
        def call(*args: Any, **keywords: Any) -> Any:
            for name, values in rules.items():
                is_by_position = name in places and places[name] < len(args)
                given = args[places[name]] if is_by_position else keywords.get(name, values[0])
                if not any(_is_same(given, value) for value in values):
                    raise _left_out(function.__name__.strip("_"), name, values)
            return function(*args, **keywords)

        return call

    return guard


def _is_same(given: Any, value: Any) -> bool:
    return given is value or (type(given) is type(value) and given == value)


def _left_out(function: str, name: str, values: tuple[Any, ...]) -> RefusedError:
    listed = " or ".join(map(repr, values))
    return RefusedError(
        f"{function}({name}=…) is supported with {listed} only.",
        message_zh=f"{function}({name}=…) 只支持 {'、'.join(map(repr, values))}。",
        hint=f"Leave `{name}` out, and compute what it would do in lines of its own.",
        hint_zh=f"请去掉 `{name}`，并用单独的语句计算它的作用。",
        code="refused_name",
    )


def refusing_others(harmless: frozenset[str], function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose `**_` takes nothing but arguments that change no number.

    harmless: the names of these. None and False are taken for what such an argument is unless it is given.
    """
    parameters = inspect.signature(function).parameters.values()
    if not any(one.kind is one.VAR_KEYWORD and not one.name.strip("_") for one in parameters):
        return function
    known = harmless | {one.name for one in parameters}
    shown = function.__name__.strip("_")

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        for name, value in keywords.items():
            if name not in known and value is not None and value is not False:
                raise _not_taken(shown, name)
        return function(*args, **keywords)

    return call


def _not_taken(function: str, name: str) -> RefusedError:
    shown = "" if function == "<lambda>" else function
    return RefusedError(
        f"{shown}({name}=…) is not supported.",
        message_zh=f"不支持 {shown}({name}=…)。",
        hint=f"Leave `{name}` out, and compute what it would do in lines of its own.",
        hint_zh=f"请去掉 `{name}`，并用单独的语句计算它的作用。",
        code="refused_name",
    )
