"""Classes of PyTorch that a program may inherit from, and their objects."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.callables import Check, Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.functions.wrong_kinds import Call, unfit
from engine.languages.surfaces.torch.registry import UNFIT

log = logging.getLogger(__name__)

NO_CHECKS: Mapping[str, Argument] = MappingProxyType({})


class Method(Native):
    """A method of a class of PyTorch; what its arguments may be it checks by itself."""

    checked = NO_CHECKS

    def checks_of(self, count: int, named: Any) -> list[Check]:
        """None."""
        return []

    def call_checked(self, interpreter: Any, args: Any, keywords: Any, checks: Any) -> Any:
        """Call. Raises: TypeError for arguments that the method cannot work with."""
        try:
            return super().call_checked(interpreter, args, keywords, checks)
        except UNFIT as error:
            if isinstance(error, ProgramError):
                raise
            log.info("%s() could not work with its arguments.", self.name, exc_info=error)
            raise unfit(Call(self.name, False, (), "", args[1:], keywords)) from error


def library_class(
    name: str,
    base: UserClass | None = None,
    *,
    properties: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
    **methods: Callable[..., Any],
) -> UserClass:
    """A class with these methods; each takes the object first, after the interpreter where it names it."""
    members: dict[str, Any] = {key: Method(f"{name}.{key}", one) for key, one in methods.items()}
    for key, one in properties.items():
        members[key] = Wrapped("property", Method(f"{name}.{key}", one))
    return UserClass(name, base, members, origin="library")


def new_object(interpreter: Any, kind: UserClass, *args: Any, **keywords: Any) -> UserObject:
    """An object of a class, initialised."""
    made: UserObject = interpreter.call(kind, list(args), keywords)
    return made


def is_object(value: Any, kind: UserClass) -> bool:
    """Whether a value is an object of this class, or of one that inherits from it."""
    return isinstance(value, UserObject) and kind in value.kind.order


def call_method(interpreter: Any, owner: UserObject, name: str, *args: Any, **keywords: Any) -> Any:
    """Call a method of an object: the program's own where its class has one."""
    return interpreter.call(attribute_of(interpreter, owner, name), list(args), keywords)
