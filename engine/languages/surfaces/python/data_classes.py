"""Python's `dataclasses`: classes that are made of the fields that their bodies list."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native, Signature
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, call_special
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import type_name
from engine.languages.surfaces.library import Library

DATACLASSES = Library("dataclasses")

NOTHING = object()
FIELDS = "__dataclass_fields__"
DATACLASSES.value(EXCEPTIONS["FrozenInstanceError"], "FrozenInstanceError")
COMPARISONS = {"__lt__": operator.lt, "__le__": operator.le, "__gt__": operator.gt, "__ge__": operator.ge}


@dataclass(frozen=True, slots=True)
class Field:
    """One field: what it is unless given, and where it takes part."""

    default: Any = NOTHING
    factory: Any = NOTHING
    init: bool = True
    repr: bool = True
    compare: bool = True
    name: str = ""
    is_static: bool = False

    @property
    def is_required(self) -> bool:
        """Whether it has to be given."""
        return self.init and self.default is NOTHING and self.factory is NOTHING


@DATACLASSES.function("field")
def field(
    *,
    default: Any = NOTHING,
    default_factory: Any = NOTHING,
    init: Any = True,
    repr: Any = True,
    hash: Any = None,
    compare: Any = True,
    metadata: Any = None,
) -> Field:
    """A field with more to say than its default."""
    return Field(
        default, default_factory, bool(init), bool(repr), bool(compare), is_static=_is_static(metadata)
    )


def _is_static(metadata: Any) -> bool:
    """Whether JAX takes the field for no part of a pytree's leaves."""
    return isinstance(metadata, dict) and bool(metadata.get("static", False))


@DATACLASSES.function("dataclass")
def data_class(
    interpreter: Interpreter,
    cls: Any = None,
    /,
    *,
    init: Any = True,
    repr: Any = True,
    eq: Any = True,
    order: Any = False,
    frozen: Any = False,
    unsafe_hash: Any = False,
) -> Any:
    """The class with the methods that its fields ask for; without a class, a decorator that does so."""
    wanted = {"init": init, "repr": repr, "eq": eq, "order": order, "frozen": frozen, "hash": unsafe_hash}
    if cls is None:
        return Native("dataclass", lambda kind: _completed(kind, wanted))
    return _completed(cls, wanted)


def _completed(kind: Any, wanted: dict[str, Any]) -> UserClass:
    if not isinstance(kind, UserClass):
        raise TypeError
    own = {name: _own_field(kind, name) for name, text in kind.annotations.items() if "ClassVar" not in text}
    inherited = fields_of(kind.base) if kind.base is not None else ()
    fields = tuple({**{one.name: one for one in inherited}, **own}.values())
    _check_order(kind, fields)
    kept = {
        name: member
        for name, member in kind.members.items()
        if not (isinstance(member, Field) and member.default is NOTHING)
    }
    defaults = {name: one.default for name, one in own.items() if one.default is not NOTHING}
    made = {name: method for name, method in _methods(kind, fields, wanted).items() if name not in kept}
    listed = {FIELDS: fields, "__match_args__": tuple(one.name for one in fields if one.init)}
    kind.members = MappingProxyType({**kept, **defaults, **made, **listed})
    kind.is_frozen = bool(wanted["frozen"])
    return kind


def _own_field(kind: UserClass, name: str) -> Field:
    given = kind.members.get(name, NOTHING)
    if isinstance(given, (list, dict, set)):
        raise ProgramError(
            f"mutable default {type(given)} for field {name} is not allowed: use default_factory",
            message_zh=f"字段 {name} 的默认值是可变的 {type_name(given)}，不允许。",
            hint=f"Write {name}: {type_name(given)} = field(default_factory={type_name(given)}).",
            hint_zh=f"请写 {name}: {type_name(given)} = field(default_factory={type_name(given)})。",
            code="bad_value",
        )
    return replace(given if isinstance(given, Field) else Field(given), name=name)


def _check_order(kind: UserClass, fields: Sequence[Field]) -> None:
    """Raises: ProgramError where a field without a default follows one that has one."""
    optional = ""
    for one in fields:
        if one.init and not one.is_required:
            optional = one.name
        elif one.is_required and optional:
            raise ProgramError(
                f"non-default argument '{one.name}' follows default argument '{optional}'",
                message_zh=f"没有默认值的字段 `{one.name}` 不能排在有默认值的 `{optional}` 之后。",
                code="type_mismatch",
            )


def fields_of(value: Any) -> tuple[Field, ...]:
    """The fields of a data class or of an object of one."""
    kind = value.kind if isinstance(value, UserObject) else value
    found = kind.find(FIELDS) if isinstance(kind, UserClass) else None
    return found if isinstance(found, tuple) else ()


def _methods(kind: UserClass, fields: tuple[Field, ...], wanted: dict[str, Any]) -> dict[str, Any]:
    compared = [one.name for one in fields if one.compare]
    made: dict[str, Any] = {}
    if wanted["init"]:
        made["__init__"] = Native(f"{kind.name}.__init__", _initialiser(kind, fields))
    if wanted["repr"]:
        made["__repr__"] = Native(f"{kind.name}.__repr__", _writer(fields))
    if wanted["eq"]:
        made["__eq__"] = Native(f"{kind.name}.__eq__", _comparer(compared, operator.eq))
        made["__hash__"] = None
    if wanted["hash"] or (wanted["eq"] and wanted["frozen"]):
        made["__hash__"] = Native(f"{kind.name}.__hash__", lambda owner: hash(_values(owner, compared)))
    if wanted["order"]:
        made |= {
            name: Native(f"{kind.name}.{name}", _comparer(compared, compare))
            for name, compare in COMPARISONS.items()
        }
    return made


def _values(owner: UserObject, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(owner.fields.get(name) for name in names)


def _initialiser(kind: UserClass, fields: tuple[Field, ...]) -> Callable[..., None]:
    """`__init__`: each field as given, else its default; then `__post_init__`."""
    taken = [one for one in fields if one.init]
    signature = Signature(
        tuple(one.name for one in taken),
        required=frozenset(one.name for one in taken if one.is_required),
    )

    def initialise(interpreter: Interpreter, owner: UserObject, /, *args: Any, **keywords: Any) -> None:
        given, _, _ = signature.bind(kind.name, args, keywords)
        for one in fields:
            if one.name in given:
                owner.fields[one.name] = given[one.name]
            elif one.factory is not NOTHING:
                owner.fields[one.name] = interpreter.call(one.factory, [], {})
            elif one.default is not NOTHING:
                owner.fields[one.name] = one.default
        call_special(interpreter, owner, "__post_init__")

    return initialise


def _writer(fields: tuple[Field, ...]) -> Callable[[UserObject], str]:
    shown = [one.name for one in fields if one.repr]

    def write(owner: UserObject) -> str:
        items = ", ".join(f"{name}={to_repr(owner.fields.get(name))}" for name in shown)
        return f"{owner.kind.name}({items})"

    return write


def _comparer(names: Sequence[str], compare: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def call(owner: UserObject, other: Any) -> Any:
        if not isinstance(other, UserObject) or other.kind is not owner.kind:
            return NotImplemented
        return compare(_values(owner, names), _values(other, names))

    return call


# -- what is asked of objects ------------------------------------------------------------------------


def _inner(value: Any, make: Callable[[Any], Any]) -> Any:
    if fields_of(value):
        return make(value)
    if type(value) in (list, tuple):
        return type(value)(_inner(item, make) for item in value)
    return {key: _inner(item, make) for key, item in value.items()} if type(value) is dict else value


@DATACLASSES.function("asdict")
def as_dict(obj: Any) -> dict[str, Any]:
    """The fields by name, those of objects inside as well."""
    return {one.name: _inner(obj.fields.get(one.name), as_dict) for one in _checked(obj)}


@DATACLASSES.function("astuple")
def as_tuple(obj: Any) -> tuple[Any, ...]:
    """The values of the fields, in order."""
    return tuple(_inner(obj.fields.get(one.name), as_tuple) for one in _checked(obj))


@DATACLASSES.function("replace")
def replaced(interpreter: Interpreter, obj: Any, /, **changes: Any) -> Any:
    """Another object with some fields changed."""
    kept = {one.name: obj.fields.get(one.name) for one in _checked(obj) if one.init}
    return interpreter.call(obj.kind, [], {**kept, **changes})


DATACLASSES.function("fields")(lambda class_or_instance: fields_of(class_or_instance))
DATACLASSES.function("is_dataclass")(lambda obj: bool(fields_of(obj)))


def _checked(value: Any) -> tuple[Field, ...]:
    """The fields. Raises: ProgramError where the value is no object of a data class."""
    fields = fields_of(value)
    if fields and isinstance(value, UserObject):
        return fields
    raise ProgramError(
        "This needs an object of a class under @dataclass.",
        message_zh="这里需要 @dataclass 类的对象。",
        code="type_mismatch",
    )
