"""Hooks of modules: functions of the program that run before or after `forward`, or on the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter


class Handle:
    """What registering a hook gives: a way to take it away again."""

    def __init__(self, hooks: dict[str, list[Any]], when: str, entry: Any) -> None:
        self.hooks, self.when, self.entry = hooks, when, entry

    def remove(self) -> None:
        """Take the hook away."""
        listed = self.hooks.get(self.when, [])
        self.hooks[self.when] = [one for one in listed if one is not self.entry]
        if not self.hooks[self.when]:
            del self.hooks[self.when]


members_of(Handle, "RemovableHandle").method("remove")(Handle.remove)


def add_hook(self: UserObject, when: str, hook: Any, first: bool, with_keywords: bool) -> Handle:
    """Register a hook. when: `before` or `after` forward, `backward`, or `before backward`."""
    hooks: dict[str, list[Any]] = self.fields["_hooks"]
    listed, entry = hooks.setdefault(when, []), (hook, with_keywords)
    listed.insert(0 if first else len(listed), entry)
    return Handle(hooks, when, entry)


def run_before(
    interpreter: Interpreter, self: UserObject, args: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of `forward`, which a hook may exchange."""
    for hook, with_keywords in list(self.fields["_hooks"].get("before", ())):
        given = [self, tuple(args), dict(keywords)] if with_keywords else [self, tuple(args)]
        found = interpreter.call(hook, given, {})
        if found is None:
            continue
        if with_keywords:
            args, keywords = found
        else:
            args = found if isinstance(found, tuple) else (found,)
    return args, keywords


def run_after(
    interpreter: Interpreter, self: UserObject, args: Sequence[Any], keywords: Mapping[str, Any], result: Any
) -> Any:
    """The result of `forward`, which a hook may exchange."""
    for hook, with_keywords in list(self.fields["_hooks"].get("after", ())):
        given = [self, tuple(args), *([dict(keywords)] if with_keywords else ()), result]
        found = interpreter.call(hook, given, {})
        result = result if found is None else found
    return result
