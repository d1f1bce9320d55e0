"""`tf.Module`: a base class that knows the variables among its objects' attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.graph import Variable
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject


def _init(self: UserObject, name: Any = None) -> None:
    """The name, as TensorFlow gives it."""
    self.fields.setdefault("name", name or self.kind.name.lower())


def _variables(self: UserObject) -> tuple[Variable, ...]:
    return tuple(dict.fromkeys(_found(self, {id(self)})))


def _trainable(self: UserObject) -> tuple[Variable, ...]:
    return tuple(variable for variable in _variables(self) if variable.trainable)


def _found(value: Any, seen: set[int]) -> Iterator[Variable]:
    """The variables of an object, its attributes in alphabetical order, those of its parts included."""
    if isinstance(value, Variable):
        yield value
    elif isinstance(value, UserObject):
        for name in sorted(value.fields):
            yield from _unless_seen(value.fields[name], seen)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _unless_seen(item, seen)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _unless_seen(item, seen)


def _unless_seen(value: Any, seen: set[int]) -> Iterator[Variable]:
    if id(value) not in seen:
        seen.add(id(value))
        yield from _found(value, seen)


AN_OBJECT = Argument(
    "an object of the class",
    "该类的对象",
    lambda value: isinstance(value, UserObject),
    "Write super().__init__().",
    "请写 super().__init__()。",
    "type_mismatch",
)
MODULE = UserClass(
    "Module",
    None,
    {
        "__init__": Native("tf.Module.__init__", _init, arguments={"self": AN_OBJECT}),
        "variables": Wrapped("property", Native("tf.Module.variables", _variables)),
        "trainable_variables": Wrapped("property", Native("tf.Module.trainable_variables", _trainable)),
    },
    origin="library",
)
