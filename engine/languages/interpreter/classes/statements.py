"""`class` itself, and the built-in functions that go with it."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.builtins.functions import BUILTINS, Kind, builtin
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.objects import SPECIAL, Super, UserClass, UserObject, Wrapped
from engine.languages.interpreter.dispatch import executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.scope import Scope
from engine.languages.interpreter.values import type_name


@executes(ast.ClassDef)
def define_class(interpreter: Interpreter, node: ast.ClassDef) -> None:
    """`class Name(Base):`."""
    if node.keywords or node.decorator_list or len(node.bases) > 1:
        raise RefusedError(
            "Metaclasses, class decorators and several base classes are not supported.",
            message_zh="不支持元类、类装饰器和多重继承。",
            hint="Write `class Name:` or `class Name(Base):`.",
            hint_zh="请写 `class Name:` 或 `class Name(Base):`。",
            code="refused_construct",
        )
    base = _base(interpreter, node.bases[0]) if node.bases else None
    made = UserClass(node.name, base)
    outer, interpreter.scope = interpreter.scope, Scope(interpreter.scope, is_class=True)
    try:
        interpreter.execute(node.body)
        made.members = {name: _owned(value, made) for name, value in interpreter.scope.names.items()}
    finally:
        interpreter.scope = outer
    _check_special(made)
    interpreter.scope.write(node.name, made)


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
    if not isinstance(kind, UserClass) or not isinstance(owner, UserObject):
        raise ProgramError(
            "super() works inside a method only.",
            message_zh="super() 只能在方法里使用。",
            code="wrong_arguments",
        )
    return Super(kind.base, owner)


def _wrapper(how: str) -> Native:
    return Native(how, lambda function: Wrapped(how, function))


BUILTINS.update({how: _wrapper(how) for how in ("property", "staticmethod", "classmethod")})


def _plain_object(interpreter: Interpreter) -> UserObject:
    """An object without fields."""
    return UserObject(UserClass("object"), interpreter.next_serial())


BUILTINS["object"] = Kind("object", _plain_object, (object,))
