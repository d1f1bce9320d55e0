"""Built-in functions about what kind of thing a value is, and its attributes by name."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any
from zlib import crc32

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import NAMES_OF, names_behind
from engine.languages.interpreter.builtins.containers import hashable
from engine.languages.interpreter.builtins.formatting import convert
from engine.languages.interpreter.builtins.functions import BUILTINS, NOTHING, Kind, builtin
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.exceptions import is_raised
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import (
    UserObject,
    attribute_of,
    delete_attribute,
    set_attribute,
)
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes.expressions import allowed_name
from engine.languages.interpreter.operators import apply_binary
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import Ignored, Module

WITH_FIELDS: dict[type, Callable[[Any], dict[str, Any]]] = {}  # what `vars` shows
NAMES_OF_A_PROGRAM = (  # besides its own
    *("__annotations__", "__builtins__", "__cached__", "__doc__", "__file__"),
    *("__loader__", "__name__", "__package__", "__spec__"),
)
FUNCTIONS = (UserFunction, Native, BoundMethod, Ignored)


@builtin("callable")
def callable_(value: Any) -> bool:
    """Whether a value can be called."""
    if isinstance(value, UserObject):
        return value.kind.find("__call__") is not MISSING
    return isinstance(value, FUNCTIONS) or type(value) in CALLABLES


@builtin("getattr")
def getattr_(interpreter: Interpreter, value: Any, name: str, default: Any = NOTHING, /) -> Any:
    """`value.name`, the name as a text; the default where there is none."""
    try:
        return attribute_of(interpreter, value, _name(interpreter, value, name))
    except ProgramError as error:
        if default is NOTHING or not is_raised(interpreter, error, "AttributeError"):
            raise
        return default


@builtin("setattr")
def setattr_(interpreter: Interpreter, value: Any, name: str, new: Any, /) -> None:
    """`value.name = new`, the name as a text."""
    set_attribute(interpreter, value, _name(interpreter, value, name), new)


@builtin("delattr")
def delattr_(interpreter: Interpreter, value: Any, name: str, /) -> None:
    """`del value.name`, the name as a text."""
    delete_attribute(value, _name(interpreter, value, name))


@builtin("hasattr")
def hasattr_(interpreter: Interpreter, value: Any, name: str, /) -> bool:
    """Whether a value has an attribute, as the tables know it."""
    if type(value) in NAMES_OF and name in NAMES_OF[type(value)](value):
        return True
    return getattr_(interpreter, value, name, MISSING) is not MISSING


def _name(interpreter: Interpreter, value: Any, name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError
    return allowed_name(interpreter, value, name) if name.startswith("__") else name


@builtin("vars")
def vars_(value: Any) -> dict[str, Any]:
    """The fields of an object, by name."""
    if isinstance(value, UserObject):
        return value.fields
    if type(value) not in WITH_FIELDS:
        raise TypeError
    return WITH_FIELDS[type(value)](value)


@builtin("dir")
def dir_(interpreter: Interpreter, value: Any = NOTHING, /) -> list[str]:
    """The names behind the dot: of an object, a class or a module; without a value, those known here."""
    if value is NOTHING:
        here = interpreter.scope
        return sorted({*here.names, *(NAMES_OF_A_PROGRAM if here is interpreter.program else ())})
    if isinstance(value, Module):
        return sorted(value.members)
    kind = value.kind if isinstance(value, UserObject) else value
    if not isinstance(kind, UserClass):
        return names_behind(value)
    fields = value.fields if isinstance(value, UserObject) else {}
    return sorted({*fields, *(name for one in kind.order for name in one.members)})


@builtin("issubclass")
def issubclass_(kind: Any, kinds: Any) -> bool:
    """Whether a class is one of others, or inherits from one."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if not isinstance(kind, UserClass):
        raise TypeError
    return any(one in kind.order or getattr(one, "name", "") == "object" for one in wanted)


@builtin("hash")
def hash_(value: Any) -> int:
    """A number that equal values share; Python's own for numbers, one of ours for texts."""
    return hash(_without_texts(hashable(value)))


def _without_texts(value: Any) -> Any:
    """The same with a number for each text: what Python makes of a text differs from run to run."""
    if isinstance(value, (str, bytes)):
        return crc32(value.encode(errors="replace") if isinstance(value, str) else value)
    if isinstance(value, (tuple, frozenset)):
        return type(value)(map(_without_texts, value)) if type(value) in (tuple, frozenset) else value
    return value


def slice_(*bounds: Any) -> slice:
    """A slice as brackets write it."""
    return slice(*bounds)


BUILTINS["NotImplemented"] = NotImplemented
BUILTINS["slice"] = Kind("slice", slice_, (slice,))


@builtin("ord")
def ord_(character: str, /) -> int:
    """The number of a character."""
    return ord(character)


@builtin("chr")
def chr_(number: int, /) -> str:
    """The character of a number."""
    return chr(number)


@builtin("ascii")
def ascii_(value: Any, /) -> str:
    """How a value looks inside a list, in ASCII letters alone."""
    return str(convert(value, "a"))


@builtin("bin")
def bin_(number: Any, /) -> str:
    """A whole number in binary digits."""
    return bin(number)


@builtin("oct")
def oct_(number: Any, /) -> str:
    """A whole number in octal digits."""
    return oct(number)


@builtin("hex")
def hex_(number: Any, /) -> str:
    """A whole number in hexadecimal digits."""
    return hex(number)


@builtin("pow")
def pow_(interpreter: Interpreter, base: Any, exp: Any, mod: Any = None) -> Any:
    """`base ** exp`, or its remainder by `mod`."""
    if mod is None:
        return apply_binary(ast.Pow, base, exp, interpreter.budget)
    if not all(type(number) is int for number in (base, exp, mod)):
        raise TypeError
    if mod == 0 or (exp < 0 and abs(mod) > 1 and base % mod == 0):
        raise ValueError
    return pow(base, exp, mod)
