"""`class` itself, and the built-in functions that go with it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError, RefusedError, Span
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import BUILTINS, KINDS_OF, Kind, builtin, type_
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import (
    Descriptor,
    UserClass,
    Wrapped,
    found_in,
    missing_methods,
)
from engine.languages.interpreter.classes.objects import Super, UserObject
from engine.languages.interpreter.classes.special import SPECIAL
from engine.languages.interpreter.dispatch import executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.scope import MISSING, Scope
from engine.languages.interpreter.values import Ignored, type_name


@executes(ast.ClassDef)
def define_class(interpreter: Interpreter, node: ast.ClassDef) -> None:
    """`class Name(Base, Other):`, with what its bases and its decorators make of it."""
    settings = {str(word.arg): interpreter.evaluate(word.value) for word in node.keywords}
    _check_metaclass(settings.pop("metaclass", None))
    bases = [_base(interpreter.evaluate(one), interpreter.source.span(one)) for one in node.bases]
    scope = Scope.of_class(interpreter.scope)
    outer, interpreter.scope = interpreter.scope, scope
    try:
        interpreter.execute(node.body)
    finally:
        interpreter.scope = outer
    value = _made(interpreter, node.name, bases, scope.names, ast.get_docstring(node), scope.annotations)
    _completed_by_bases(interpreter, value, settings)
    for decorator in reversed(node.decorator_list):
        value = interpreter.call(interpreter.evaluate(decorator), [value], {})
    interpreter.scope.write(node.name, value)


def _made(
    interpreter: Interpreter,
    name: str,
    bases: Sequence[UserClass | None],
    members: Mapping[str, Any],
    doc: str | None = None,
    annotations: Mapping[str, str] = MappingProxyType({}),
) -> Any:
    """A class with what its body has defined, and what its bases make of it."""
    known = [base for base in bases if base is not None]
    made = UserClass(name, known[0] if known else None, others=tuple(known[1:]))
    for key, value in members.items():
        made.write(_own_name(made, key), _owned(value, made))
    made.doc = doc
    made.annotations = dict(annotations)
    made.missing = missing_methods(made)
    _check_special(made)
    completed = next((kind.completed for kind in made.order if kind.completed), None)
    return made if completed is None else completed(interpreter, made)


def _type(interpreter: Interpreter, value: Any, *body: Any) -> Any:
    """`type(value)`, or `type("Name", (Base,), {"member": …})`: a class made without a `class` statement."""
    if not body:
        return type_(value)
    if len(body) != 2 or not isinstance(value, str) or not isinstance(body[1], dict):
        raise ProgramError(
            "type() takes a value, or a name, a tuple of base classes and a dict of members.",
            message_zh="type() 的参数是一个值，或者类名、基类元组和成员字典。",
            code="wrong_arguments",
            kind="TypeError",
            said="type() takes 1 or 3 arguments",
        )
    bases, members = body
    return _made(interpreter, value, [_base(one) for one in iterate(bases)], members)


TYPE = Kind("type", _type, (UserClass, Kind))
BUILTINS["type"] = TYPE
KINDS_OF.update({UserClass: TYPE, Kind: TYPE})


def _own_name(kind: UserClass, name: str) -> str:
    """A member `__x` is the class's own: `_Name__x`."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{kind.name.lstrip('_')}{name}" if is_private else name


def _completed_by_bases(interpreter: Interpreter, made: Any, settings: Mapping[str, Any]) -> None:
    """Call the `__init_subclass__` of the bases, with the settings of `class Name(Base, x=1)`."""
    kinds = made.order[1:] if isinstance(made, UserClass) else ()
    found = found_in(kinds, "__init_subclass__")
    if found is not MISSING:
        interpreter.call(getattr(found, "function", found), [made], settings)
    elif settings:
        raise ProgramError(
            f"{made.name}.__init_subclass__() takes no keyword arguments",
            message_zh=f"{made.name} 的基类没有 __init_subclass__，不接受关键字参数。",
            code="wrong_arguments",
            kind="TypeError",
            said=f"{made.name}.__init_subclass__() takes no keyword arguments",
        )


def _check_metaclass(value: Any) -> None:
    if value is not None and not isinstance(value, Ignored):
        raise RefusedError(
            "Metaclasses are not supported.",
            message_zh="不支持元类。",
            hint="Write `class Name:` or `class Name(Base):`.",
            hint_zh="请写 `class Name:` 或 `class Name(Base):`。",
            code="refused_construct",
        )


def _base(value: Any, where: Span | None = None) -> UserClass | None:
    """A class to inherit from, None for `object`. Raises: RefusedError for anything else."""
    if isinstance(value, UserClass):
        return value
    if isinstance(value, Kind) and value.name == "object":
        return None
    raise RefusedError(
        f"A class cannot inherit from a {type_name(value)}.",
        message_zh=f"类不能继承 {type_name(value)}。",
        hint="Inherit from a class of the program, or from nothing.",
        hint_zh="请继承程序自己的类，或不继承。",
        code="refused_base",
        where=where,
    )


def _owned(value: Any, kind: UserClass) -> Any:
    """A function knows the class that it was written in, for `super()`."""
    if isinstance(value, Descriptor):
        return value.written_in(lambda function: _owned(function, kind))
    if isinstance(value, Wrapped):
        parts = {part: _owned(getattr(value, part), kind) for part in ("function", "setter", "deleter")}
        return replace(value, **parts)
    return replace(value, owner=kind) if isinstance(value, UserFunction) else value


def _check_special(kind: UserClass) -> None:
    for name in kind.members:
        if name.startswith("__") and name.endswith("__") and name not in SPECIAL:
            hint, hint_zh = did_you_mean(name, SPECIAL)
            raise RefusedError(
                f"The special method `{name}` is not supported.",
                message_zh=f"不支持特殊方法 `{name}`。",
                hint=hint,
                hint_zh=hint_zh,
                code="refused_construct",
            )


@builtin("super")
def super_(interpreter: Interpreter, kind: Any = None, owner: Any = None) -> Super:
    """The members of the base class, for this object."""
    if kind is None:
        kind = interpreter.scope.find("__class__")
        owner = interpreter.scope.find("__self__")
    line = owner.kind if isinstance(owner, UserObject) else owner
    if not isinstance(kind, UserClass) or not isinstance(line, UserClass) or kind not in line.order:
        raise ProgramError(
            "super() works inside a method only.",
            message_zh="super() 只能在方法里使用。",
            code="wrong_arguments",
        )
    return Super(kind, owner)


def _property(fget: Any = None, fset: Any = None, fdel: Any = None, doc: Any = None) -> Wrapped:
    return Wrapped("property", fget, fset, fdel)


def _wrapper(how: str) -> Native:
    return Native(how, lambda function: Wrapped(how, function))


PROPERTY = members_of(Wrapped, "property")
PROPERTY.method("getter")(lambda wrapped, function: replace(wrapped, function=function))
PROPERTY.method("setter")(lambda wrapped, function: replace(wrapped, setter=function))
PROPERTY.method("deleter")(lambda wrapped, function: replace(wrapped, deleter=function))
BUILTINS.update({how: _wrapper(how) for how in ("staticmethod", "classmethod")})
BUILTINS["property"] = Native("property", _property)


def _plain_object(interpreter: Interpreter) -> UserObject:
    """An object without fields."""
    return UserObject(UserClass("object"), interpreter.next_serial(), interpreter)


BUILTINS["object"] = Kind("object", _plain_object, (object,))
