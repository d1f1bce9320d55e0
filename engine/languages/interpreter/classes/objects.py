"""Objects of the program's own classes: their attributes, methods and operators."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.attributes import read_attribute, write_attribute
from engine.languages.interpreter.builtins.records import Record
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.machine import Interpreter
from engine.languages.interpreter.operators import apply_binary
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.tables import CALLABLES
from engine.languages.interpreter.values import TYPE_NAMES

# The special methods that we call; any other name in double underscores is refused.
OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.USub: "neg",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
SPECIAL = frozenset(
    {"__init__", "__call__", "__str__", "__repr__", "__len__", "__getitem__"}
    | {f"__{prefix}{word}__" for word in OPERATORS.values() for prefix in ("", "r", "i")}
)


@dataclass(slots=True, eq=False)
class UserClass:
    """A class: its members, and the class that it inherits from.

    origin: who wrote it. Only a class of the program itself can be changed; those of Python and of a library
            are the same objects for every program, so their members are a read-only table.
    """

    name: str
    base: UserClass | None = None
    members: Mapping[str, Any] = field(default_factory=dict)
    origin: Literal["program", "python", "library"] = "program"

    def __post_init__(self) -> None:
        self.members = MappingProxyType(dict(self.members))

    def write(self, name: str, value: Any) -> None:
        """`Name.name = value`. Raises: GradlensError where the class is none of the program's own."""
        if self.origin == "python":
            raise _immutable(self, name)
        if self.origin == "library":
            raise _of_the_library(self)
        self.members = MappingProxyType({**self.members, name: value})

    def find(self, name: str) -> Any:
        """A member of the class or of those it inherits from, or MISSING."""
        for kind in self.line():
            if name in kind.members:
                return kind.members[name]
        return MISSING

    def line(self) -> Iterator[UserClass]:
        """The class, its base, the base's base, …"""
        kind: UserClass | None = self
        while kind is not None:
            yield kind
            kind = kind.base


@dataclass(slots=True, eq=False)
class UserObject:
    """An object of a class, with its own fields; by its serial number sets keep one order in every run."""

    kind: UserClass
    serial: int
    fields: dict[str, Any] = field(default_factory=dict)

    def __hash__(self) -> int:
        return self.serial


@dataclass(frozen=True, slots=True, eq=False)
class UserMethod:
    """A function of a class, taken from an object."""

    function: UserFunction
    owner: Any

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.name


@dataclass(frozen=True, slots=True, eq=False)
class Super:
    """`super()`: the members of the base, for the same object."""

    start: UserClass | None
    owner: UserObject


@dataclass(frozen=True, slots=True, eq=False)
class Wrapped:
    """A function marked `@property`, `@staticmethod` or `@classmethod`."""

    how: str
    function: Any


# -- objects -----------------------------------------------------------------------------------------


def make_object(
    interpreter: Interpreter, kind: UserClass, args: Sequence[Any], keywords: Mapping[str, Any]
) -> UserObject:
    """`Name(...)`: a new object, initialised."""
    made = UserObject(kind, interpreter.next_serial())
    if kind.find("__init__") is not MISSING:
        interpreter.call(attribute_of(interpreter, made, "__init__"), args, keywords)
    elif args or keywords:
        raise ProgramError(
            f"{kind.name}() takes no arguments, because the class has no __init__.",
            message_zh=f"{kind.name}() 不接受参数，因为这个类没有 __init__。",
            code="wrong_arguments",
        )
    return made


def attribute_of(interpreter: Interpreter, value: Any, name: str) -> Any:
    """`value.name`, for objects and classes of the program as for all others."""
    if isinstance(value, Record) and name in value.kind.fields:
        return value[value.kind.fields.index(name)]
    if isinstance(value, UserObject):
        if name in value.fields:
            return value.fields[name]
        return _bound(interpreter, value, _member(value.kind, value.kind.find(name), name))
    if isinstance(value, Super):
        return _from_base(interpreter, value, name)
    if isinstance(value, UserClass):
        if name == "__name__":
            return value.name
        found = _member(value, value.find(name), name)
        return _bound(interpreter, value, found) if isinstance(found, Wrapped) else found
    return read_attribute(value, name)


def _from_base(interpreter: Interpreter, value: Super, name: str) -> Any:
    found = value.start.find(name) if value.start else MISSING
    if found is MISSING and name == "__init__":
        return Native("object.__init__", lambda *args: None)
    return _bound(interpreter, value.owner, _member(value.owner.kind, found, name))


def _bound(interpreter: Interpreter, owner: Any, found: Any) -> Any:
    """A member as its owner gives it out: functions take the owner first."""
    if isinstance(found, UserFunction):
        return UserMethod(found, owner)
    if isinstance(found, Native):
        return BoundMethod(found, owner)
    if not isinstance(found, Wrapped):
        return found
    if found.how == "property":
        is_object = isinstance(owner, UserObject)
        return interpreter.call(found.function, [owner], {}) if is_object else found
    if found.how == "classmethod":
        return UserMethod(found.function, owner.kind if isinstance(owner, UserObject) else owner)
    return found.function


def _member(kind: UserClass, found: Any, name: str) -> Any:
    if found is not MISSING:
        return found
    known = [member for one in kind.line() for member in one.members]
    hint, hint_zh = did_you_mean(name, known, prefix=".")
    raise ProgramError(
        f"`{kind.name}` has no attribute `{name}`.",
        message_zh=f"{kind.name} 没有属性 `{name}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_attribute",
    )


def set_attribute(value: Any, name: str, new: Any) -> None:
    """`value.name = new`."""
    if isinstance(value, UserObject):
        value.fields[name] = new
    elif isinstance(value, UserClass):
        value.write(name, new)
    else:
        write_attribute(value, name, new)


def _immutable(kind: UserClass, name: str) -> ProgramError:
    return ProgramError(
        f"cannot set '{name}' attribute of immutable type '{kind.name}'",
        hint=f"Write class Mine({kind.name}): and change the class of your own.",
        message_zh=f"不能设置不可变类型 {kind.name} 的属性 `{name}`。",
        hint_zh=f"请写 class Mine({kind.name}):，然后修改自己的类。",
        code="type_mismatch",
    )


def _of_the_library(kind: UserClass) -> RefusedError:
    return RefusedError(
        f"The class {kind.name} of the library cannot be changed.",
        hint="Inherit from it, and change the class of your own.",
        message_zh=f"不能修改库里的类 {kind.name}。",
        hint_zh="请继承它，然后修改自己的类。",
        code="refused_assignment",
    )


# -- operators ---------------------------------------------------------------------------------------


def own_operator(interpreter: Interpreter, kind: type[ast.AST], left: Any, right: Any) -> Any:
    """`left op right` where one of them has a method for it, else MISSING."""
    word = OPERATORS.get(kind)
    for value, other, prefix in ((left, right, ""), (right, left, "r")):
        if word and isinstance(value, UserObject) and value.kind.find(f"__{prefix}{word}__") is not MISSING:
            return call_special(interpreter, value, f"__{prefix}{word}__", other)
    return MISSING


def combine(interpreter: Interpreter, kind: type[ast.operator], left: Any, right: Any) -> Any:
    """`left op right`, by a method of the program's own class where there is one."""
    found = own_operator(interpreter, kind, left, right)
    return apply_binary(kind, left, right, interpreter.budget) if found is MISSING else found


def call_special(interpreter: Interpreter, value: Any, name: str, *args: Any) -> Any:
    """Call a special method of an object, or MISSING where its class has none."""
    if not isinstance(value, UserObject) or value.kind.find(name) is MISSING:
        return MISSING
    return interpreter.call(attribute_of(interpreter, value, name), list(args), {})


def text_of(interpreter: Interpreter, value: Any) -> str:
    """A value as text; an object as its own `__str__` or `__repr__` says."""
    for name in ("__str__", "__repr__"):
        told = call_special(interpreter, value, name)
        if told is not MISSING:
            return to_str(told)
    return to_str(value)


def _object_text(value: UserObject) -> str:
    return f"<{value.kind.name} object>"


def _class_text(kind: UserClass) -> str:
    return f"<class '{kind.name}'>"


def _wrapped_text(wrapped: Wrapped) -> str:
    return f"<{wrapped.how} object>"


SHOWN[Wrapped] = (_wrapped_text, _wrapped_text)
SHOWN[UserObject] = (_object_text, _object_text)
SHOWN[UserClass] = (_class_text, _class_text)
TYPE_NAMES[Wrapped] = lambda wrapped: wrapped.how
TYPE_NAMES[UserObject] = lambda value: value.kind.name
TYPE_NAMES[UserClass] = lambda kind: "class"

CALLABLES[UserClass] = make_object
CALLABLES[UserMethod] = lambda interpreter, method, args, keywords: interpreter.call(
    method.function, [method.owner, *args], keywords
)
CALLABLES[UserObject] = lambda interpreter, value, args, keywords: interpreter.call(
    attribute_of(interpreter, value, "__call__"), args, keywords
)
