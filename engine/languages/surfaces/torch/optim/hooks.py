"""Hooks of optimizers: functions of the program that run before or after `step`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.nn.hooks import Handle

HOOKS = "_step_hooks"  # the field with the hooks, by when they run


def _register(when: str) -> Callable[..., Handle]:
    def register(interpreter: Interpreter, self: UserObject, hook: Any) -> Handle:
        if HOOKS not in self.fields:
            self.fields[HOOKS] = {}
            self.fields["step"] = _with_hooks(self, attribute_of(interpreter, self, "step"))
        hooks: dict[str, list[Any]] = self.fields[HOOKS]
        entry = (hook,)
        hooks.setdefault(when, []).append(entry)
        return Handle(hooks, when, entry)

    return register


def _with_hooks(self: UserObject, step: Any) -> Native:
    """The optimizer's own `step` with its hooks around it; a hook before it may exchange the arguments."""

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        given: Any = ((self, *args), keywords)
        for (hook,) in list(self.fields[HOOKS].get("before", ())):
            found = interpreter.call(hook, [self, *given], {})
            given = given if found is None else found
        made = interpreter.call(step, list(given[0][1:]), dict(given[1]))
        for (hook,) in list(self.fields[HOOKS].get("after", ())):
            interpreter.call(hook, [self, *given], {})
        return made

    return Native("Optimizer.step", call)


register_before, register_after = _register("before"), _register("after")
