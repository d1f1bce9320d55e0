"""`module._parameters`, `_modules`, `_buffers`: what a module holds, as dicts that write to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.languages.interpreter.builtins.nested_sizes import CONTAINERS
from engine.languages.interpreter.classes.objects import UserObject

Own = Callable[[UserObject], Iterator[tuple[str, Any]]]


class Held(dict[str, Any]):
    """What a module holds of one kind; what is set or deleted here, is in the module."""

    def __init__(self, module: UserObject, own: Own) -> None:
        super().__init__(own(module))
        self.module = module

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        if hasattr(self, "module"):
            self.module.fields[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self.module.fields.pop(name, None)


CONTAINERS.add(Held)
