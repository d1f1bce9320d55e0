"""`tf.Module`, a base class that knows the variables among its objects' attributes, and name scopes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.graph import Variable
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.workspace import Workspace
from engine.ops.base.building import current_graph


def _init(self: UserObject, name: Any = None) -> None:
    """The name, as TensorFlow gives it: that of the class, `MyModel` as `my_model`."""
    self.fields.setdefault("name", name or snake_case(self.kind.name))


def snake_case(name: str) -> str:
    """`MyModel2D` as `my_model2d`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])|(?<=.)([A-Z])(?=[a-z])", r"_\1\2", name).lower()


def name_scope(interpreter: Interpreter, name: str) -> Block:
    """Nodes and variables made inside the block have names that begin with this one."""
    return Block(lambda: _opened_scope(interpreter.workspace, name))


@contextmanager
def _opened_scope(workspace: Workspace, name: str) -> Iterator[str]:
    """What names in the block begin with: below the scopes around it, from the top where it ends in `/`."""
    outer = workspace.name_scope
    workspace.name_scope = name if name.endswith("/") or not name else f"{outer}{name}/"
    try:
        with current_graph().name_scope(name or None):
            yield workspace.name_scope
    finally:
        workspace.name_scope = outer


def _scope_of(interpreter: Interpreter, self: UserObject) -> Block:
    return name_scope(interpreter, self.fields["name"])


def _with_name_scope(interpreter: Interpreter, method: Any) -> Native:
    """The method, run in the name scope of its object."""

    def call(interpreter: Interpreter, self: UserObject, *inputs: Any, **settings: Any) -> Any:
        with _scope_of(interpreter, self).open():
            return interpreter.call(method, [self, *inputs], settings)

    return Native("tf.Module.with_name_scope", call, arguments={"self": AN_OBJECT, "inputs": ANY})


def _variables(self: UserObject) -> tuple[Variable, ...]:
    """Its own variables, then those of its parts."""
    found = [one for module in (self, *_submodules(self)) for one in _held(module, (Variable,))]
    return tuple(dict.fromkeys(found))


def _trainable(self: UserObject) -> tuple[Variable, ...]:
    return tuple(variable for variable in _variables(self) if variable.trainable)


def _frozen(self: UserObject) -> tuple[Variable, ...]:
    return tuple(variable for variable in _variables(self) if not variable.trainable)


def _submodules(self: UserObject) -> tuple[UserObject, ...]:
    """The modules among its attributes, each followed by its own, none twice."""
    found: dict[int, UserObject] = {id(self): self}
    _enter(self, found)
    return tuple(found.values())[1:]


def _enter(module: UserObject, found: dict[int, UserObject]) -> None:
    for part in _held(module, (UserObject,)):
        if id(part) not in found and is_module(part):
            found[id(part)] = part
            _enter(part, found)


def is_module(value: Any) -> bool:
    """Whether it is an object of a class of modules."""
    return isinstance(value, UserObject) and MODULE in value.kind.line()


def _held(module: UserObject, kinds: tuple[type, ...]) -> Iterator[Any]:
    """What of these kinds stands in its attributes, in alphabetical order, also in lists and dicts."""
    for name in sorted(module.fields):
        yield from _inside(module.fields[name], kinds)


def _inside(value: Any, kinds: tuple[type, ...]) -> Iterator[Any]:
    if isinstance(value, kinds):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _inside(item, kinds)
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _inside(value[key], kinds)


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
        "non_trainable_variables": Wrapped("property", Native("tf.Module.non_trainable_variables", _frozen)),
        "submodules": Wrapped("property", Native("tf.Module.submodules", _submodules)),
        "name_scope": Wrapped("property", Native("tf.Module.name_scope", _scope_of)),
        "with_name_scope": Wrapped("staticmethod", Native("tf.Module.with_name_scope", _with_name_scope)),
    },
    origin="library",
)
