"""Layers of pictures whose channels come first: they are moved to the end, and back again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.classes.objects import UserObject

LAST, FIRST = (0, 2, 3, 1), (0, 3, 1, 2)
ORDERS = ("channels_first", "channels_last")
Rule = Callable[..., Any]


def with_data_format(init: Rule, call: Rule, shape: Rule, build: Rule | None = None) -> Sequence[Any]:
    """The same rules for pictures in either order, by the setting `data_format`."""
    found = [_init(init), _around(call, _moved), _around(shape, _reordered)]
    return found if build is None else [*found, _before(build)]


def _init(init: Rule) -> Rule:
    own = signature(init)

    def begin(*args: Any, data_format: Any = None, **settings: Any) -> None:
        if data_format not in (None, *ORDERS):
            raise ValueRefused(
                f"`data_format` is channels_first or channels_last, not {data_format!r}.",
                message_zh=f"`data_format` 应为 channels_first 或 channels_last，而不是 {data_format!r}。",
            )
        init(*args, **settings)
        self = next(one for one in args if isinstance(one, UserObject))
        self.fields["_is_first"] = data_format == "channels_first"

    extra = Parameter("data_format", Parameter.KEYWORD_ONLY, default=None)
    begin.__signature__ = own.replace(parameters=[*own.parameters.values(), extra])  # type: ignore[attr-defined]
    return begin


def _moved(x: Any, order: Sequence[int]) -> Any:
    return ops.transpose(x, list(order))


def _reordered(shape: Any, order: Sequence[int]) -> Any:
    return tuple(shape[axis] for axis in order)


def _around(rule: Rule, move: Callable[[Any, Sequence[int]], Any]) -> Rule:
    """A rule whose last argument is moved, and whose result is moved back."""

    def call(*args: Any) -> Any:
        *others, given = args
        self = next(one for one in others if isinstance(one, UserObject))
        if not self.fields["_is_first"]:
            return rule(*args)
        return move(rule(*others, move(given, LAST)), FIRST)

    call.__signature__ = signature(rule)  # type: ignore[attr-defined]
    return call


def _before(rule: Rule) -> Rule:
    """`build`, which is given the shape as it comes, by Keras or by the rule itself."""

    def call(*args: Any) -> Any:
        *others, shape = args
        self = next(one for one in others if isinstance(one, UserObject))
        return rule(*others, _reordered(shape, LAST) if self.fields["_is_first"] else shape)

    call.__signature__ = signature(rule)  # type: ignore[attr-defined]
    return call
