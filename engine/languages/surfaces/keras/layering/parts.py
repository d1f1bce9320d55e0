"""The layers that stand in a layer: among its attributes, in their lists, and in turn in those."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject


def is_layer(value: Any) -> bool:
    """Whether it is an object of a layer's class."""
    return isinstance(value, UserObject) and any(
        kind.name == "Layer" and kind.origin == "library" for kind in value.kind.line()
    )


def _layers_of(value: Any, seen: set[int]) -> Iterator[UserObject]:
    """A layer, and then the layers among its attributes; each once."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if is_layer(value):
        yield value
        parts: Any = [part for name, part in value.fields.items() if name not in ("_weights", "_losses")]
    else:
        parts = value.values() if isinstance(value, dict) else value
    for part in parts:
        if is_layer(part) or isinstance(part, (list, tuple, dict)):
            yield from _layers_of(part, seen)


def layers_in(self: UserObject) -> Iterator[UserObject]:
    """A layer, and then those among its attributes; each once."""
    return _layers_of(self, set())


def parts_of(fields: Mapping[str, Any]) -> Iterator[UserObject]:
    """The layers among the attributes of a layer, without those that they have in turn."""
    seen: set[int] = set()
    waiting = [part for name, part in fields.items() if name not in ("_weights", "_losses")]
    while waiting:
        part = waiting.pop(0)
        if id(part) in seen:
            continue
        seen.add(id(part))
        if is_layer(part):
            yield part
        elif isinstance(part, (list, tuple, dict)):
            waiting += part.values() if isinstance(part, dict) else part
