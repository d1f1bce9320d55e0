"""Python's `enum`: classes whose members are a fixed list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, not_iterable
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, call_special
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import HOLDS
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.library import Library

ENUM = Library("enum")
AUTO = ("auto",)  # what `auto()` gives until the class is complete


def _completed(interpreter: Interpreter, made: UserClass) -> UserClass:
    """The class with an object for each value that its body lists."""
    listed: dict[str, UserObject] = {}
    last: Any = 0
    for name, value in made.members.items():
        if name.startswith("_") or isinstance(value, (UserFunction, Native, Wrapped, BoundMethod)):
            continue
        last = last + 1 if value is AUTO else value
        same = next((member for member in listed.values() if member.fields["value"] == last), None)
        listed[name] = same or _member(interpreter, made, name, last)
    made.members = MappingProxyType({**made.members, **listed, "__members__": MappingProxyType(listed)})
    return made


def _member(interpreter: Interpreter, kind: UserClass, name: str, value: Any) -> UserObject:
    member = UserObject(kind, interpreter.next_serial(), interpreter, {"name": name, "value": value})
    call_special(interpreter, member, "__init__", *(value if isinstance(value, tuple) else (value,)))
    return member


def _listed(kind: UserClass) -> Mapping[str, UserObject] | None:
    found = kind.find("__members__")
    return None if found is MISSING else found


def _members(kind: UserClass) -> list[UserObject]:
    listed = _listed(kind)
    if listed is None:
        raise not_iterable(kind)
    return list(dict.fromkeys(listed.values()))


def _by_value(interpreter: Interpreter, kind: UserClass, args: Sequence[Any], keywords: Any) -> Any:
    """`Color(2)`: the member with that value."""
    value = args[0] if args else None
    for member in _members(kind):
        if member is value or member.fields["value"] == value:
            return member
    raise ProgramError(
        f"{to_repr(value)} is not a valid {kind.name}",
        message_zh=f"{to_repr(value)} 不是 {kind.name} 的成员。",
        code="bad_value",
    )


def _by_name(kind: UserClass, name: Any) -> Any:
    """`Color["RED"]`; of any other class a type in brackets says nothing that a run looks at."""
    listed = _listed(kind)
    if listed is None:
        return kind
    if name not in listed:
        raise ProgramError(
            f"{kind.name} has no member {to_repr(name)}.",
            message_zh=f"{kind.name} 没有成员 {to_repr(name)}。",
            code="missing_key",
        )
    return listed[name]


def _text(member: UserObject) -> str:
    return f"{member.kind.name}.{member.fields['name']}"


def _shown(member: UserObject) -> str:
    return f"<{_text(member)}: {to_repr(member.fields['value'])}>"


ENUM.value(
    UserClass(
        "Enum",
        None,
        {"__str__": Native("Enum.__str__", _text), "__repr__": Native("Enum.__repr__", _shown)},
        origin="library",
        made=_by_value,
        completed=_completed,
    ),
    "Enum",
)
ENUM.function("auto")(lambda: AUTO)
ENUM.function("unique")(lambda enumeration: enumeration)
ENUM.refuse(
    ["IntEnum", "Flag", "IntFlag", "StrEnum"],
    "Use Enum, and .value for the number.",
    "请使用 Enum，并用 .value 取数值。",
)
ITERATORS[UserClass] = _members
ITEMS[UserClass] = Items(read=_by_name, count=lambda kind: len(_members(kind)))
HOLDS[UserClass] = lambda kind, item: any(member is item for member in _members(kind))
