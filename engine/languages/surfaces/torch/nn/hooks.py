"""Hooks of modules: functions of the program that run before or after `forward`, or on the way back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.state import state


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


OF_ALL = "hooks of all modules"


def hooks_of_all() -> dict[str, list[Any]]:
    """The hooks that run at every module, by when they run."""
    found: dict[str, list[Any]] = state().parts.setdefault(OF_ALL, {})
    return found


def _listed(self: UserObject, when: str) -> list[Any]:
    """The hooks of a module, after those of all modules."""
    return [*hooks_of_all().get(when, ()), *self.fields["_hooks"].get(when, ())]


def _register(when: str) -> Callable[..., Handle]:
    @takes_only(always_call=(False,))
    def register(hook: Any, *, with_kwargs: Any = False, always_call: Any = False) -> Handle:
        entry, hooks = (hook, bool(with_kwargs)), hooks_of_all()
        hooks.setdefault(when, []).append(entry)
        return Handle(hooks, when, entry)

    return register


for _name, _when in {
    "register_module_forward_hook": "after",
    "register_module_forward_pre_hook": "before",
}.items():
    torch_function(f"nn.modules.module.{_name}")(_register(_when))


def run_before(
    interpreter: Interpreter, self: UserObject, args: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of `forward`, which a hook may exchange."""
    for hook, with_keywords in _listed(self, "before"):
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
    for hook, with_keywords in _listed(self, "after"):
        given = [self, tuple(args), *([dict(keywords)] if with_keywords else ()), result]
        found = interpreter.call(hook, given, {})
        result = result if found is None else found
    return result
