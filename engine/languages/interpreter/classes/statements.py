"""`class` itself, and the built-in functions that go with it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import BUILTINS, Kind, builtin
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import Descriptor, UserClass, Wrapped, missing_methods
from engine.languages.interpreter.classes.objects import Super, UserObject
from engine.languages.interpreter.classes.special import SPECIAL
from engine.languages.interpreter.dispatch import executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.scope import Scope
from engine.languages.interpreter.values import Ignored, type_name


@executes(ast.ClassDef)
def define_class(interpreter: Interpreter, node: ast.ClassDef) -> None:
    """`class Name(Base, Other):`, with what its bases and its decorators make of it."""
    for keyword in node.keywords:
        _check_metaclass(interpreter, keyword)
    bases = [base for one in node.bases if (base := _base(interpreter, one)) is not None]
    made = UserClass(node.name, bases[0] if bases else None, others=tuple(bases[1:]))
    scope = Scope.of_class(interpreter.scope)
    outer, interpreter.scope = interpreter.scope, scope
    try:
        interpreter.execute(node.body)
    finally:
        interpreter.scope = outer
    made = _filled(interpreter, made, scope, ast.get_docstring(node))
    completed = next((kind.completed for kind in made.order if kind.completed), None)
    value = made if completed is None else completed(interpreter, made)
    for decorator in reversed(node.decorator_list):
        value = interpreter.call(interpreter.evaluate(decorator), [value], {})
    interpreter.scope.write(node.name, value)


def _filled(interpreter: Interpreter, made: UserClass, scope: Scope, doc: str | None) -> UserClass:
    """The class with what its body has defined."""
    for name, value in scope.names.items():
        made.write(_own_name(made, name), _owned(value, made))
    made.doc = doc
    made.annotations = dict(scope.annotations)
    made.missing = missing_methods(made)
    _check_special(made)
    return made


def _own_name(kind: UserClass, name: str) -> str:
    """A member `__x` is the class's own: `_Name__x`."""
    is_private = name.startswith("__") and not name.endswith("__")
    return f"_{kind.name.lstrip('_')}{name}" if is_private else name


def _check_metaclass(interpreter: Interpreter, keyword: ast.keyword) -> None:
    value = interpreter.evaluate(keyword.value)
    if keyword.arg != "metaclass" or not isinstance(value, Ignored):
        raise RefusedError(
            "Metaclasses are not supported.",
            message_zh="不支持元类。",
            hint="Write `class Name:` or `class Name(Base):`.",
            hint_zh="请写 `class Name:` 或 `class Name(Base):`。",
            code="refused_construct",
        )


def _base(interpreter: Interpreter, node: ast.expr) -> UserClass | None:
    value = interpreter.evaluate(node)
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
        where=interpreter.source.span(node),
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
