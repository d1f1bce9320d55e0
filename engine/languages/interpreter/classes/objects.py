"""Objects of the program's own classes: their attributes, methods and operators."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.attributes import method_in_tables, read_attribute, write_attribute
from engine.languages.interpreter.builtins.records import Record
from engine.languages.interpreter.builtins.text import SHOWN, to_repr, to_str
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.kinds import (
    OF_CLASSES,
    Descriptor,
    UserClass,
    Wrapped,
    found_in,
    is_property,
    slots_of,
)
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES, Module, OfRun, a_kind, type_name


@dataclass(slots=True, eq=False)
class UserObject:
    """An object of a class, with its own fields; by its serial number sets keep one order in every run.

    Python itself compares such objects where they lie in lists, dicts and sets, so the special methods that
    it asks for then are answered by those of the class.
    """

    kind: UserClass
    serial: int
    interpreter: Interpreter
    fields: dict[str, Any] = field(default_factory=dict)
    text: str = ""  # how it is written when the program is over

    def keep_text(self) -> None:
        """Write it now, for those who look at it when the program is over."""
        self.text = to_repr(self)

    def special(self, name: str, *args: Any) -> Any:
        """What the class's own special method gives, or NotImplemented where it has none."""
        if self.interpreter.is_over:
            return NotImplemented  # no line of a program runs after it
        found = call_special(self.interpreter, self, name, *args)
        return NotImplemented if found is MISSING else found

    def __hash__(self) -> int:
        own = self.special("__hash__")
        if own is not NotImplemented:
            return hash(own)
        if self.kind.find("__eq__") is not MISSING:
            raise TypeError
        return self.serial

    def __eq__(self, other: object) -> Any:
        return self.special("__eq__", other)

    def __ne__(self, other: object) -> Any:
        own = self.special("__ne__", other)
        return object.__ne__(self, other) if own is NotImplemented else own

    def __lt__(self, other: Any) -> Any:
        return self.special("__lt__", other)

    def __le__(self, other: Any) -> Any:
        return self.special("__le__", other)

    def __gt__(self, other: Any) -> Any:
        return self.special("__gt__", other)

    def __ge__(self, other: Any) -> Any:
        return self.special("__ge__", other)

    def __bool__(self) -> bool:
        own = self.special("__bool__")
        own = self.special("__len__") if own is NotImplemented else own
        return True if own is NotImplemented else bool(own)


@dataclass(slots=True, eq=False)
class UserMethod:
    """A function of a class, taken from an object. (Not frozen: each call makes one.)"""

    function: UserFunction
    owner: Any

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.name


@dataclass(frozen=True, slots=True, eq=False)
class Super:
    """`super()`: the members of the base, for the same object."""

    after: UserClass
    owner: Any

    def kinds(self) -> Iterator[UserClass]:
        """The classes that come after it, for this object or class."""
        kind = self.owner.kind if isinstance(self.owner, UserObject) else self.owner
        return itertools.islice(kind.order, kind.order.index(self.after) + 1, None)


# -- objects -----------------------------------------------------------------------------------------


def make_object(
    interpreter: Interpreter, kind: UserClass, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """`Name(...)`: a new object, initialised."""
    if kind.made is not None:
        return kind.made(interpreter, kind, args, keywords)
    if kind.missing:
        raise _abstract(kind, kind.missing)
    new = kind.find("__new__")
    made: Any = UserObject(kind, interpreter.next_serial(), interpreter)
    if new is not MISSING:
        made = interpreter.call(getattr(new, "function", new), [kind, *args], keywords)
        if not isinstance(made, UserObject) or kind not in made.kind.order:
            return made
    if kind.find("__init__") is not MISSING:
        interpreter.call(attribute_of(interpreter, made, "__init__"), args, keywords)
    elif (args or keywords) and new is MISSING:
        raise ProgramError(
            f"{kind.name}() takes no arguments, because the class has no __init__.",
            message_zh=f"{kind.name}() 不接受参数，因为这个类没有 __init__。",
            code="wrong_arguments",
            kind="TypeError",
            said=f"{kind.name}() takes no arguments",
        )
    return made


def _abstract(kind: UserClass, missing: Sequence[str]) -> ProgramError:
    listed = ", ".join(missing)
    several = "s" if len(missing) > 1 else ""
    return ProgramError(
        f"Can't instantiate abstract class {kind.name} with abstract method{several} {listed}",
        message_zh=f"不能创建抽象类 {kind.name} 的对象：它缺少方法 {listed}。",
        hint="Write a class that inherits from it and has these methods.",
        hint_zh="请写一个继承它并实现这些方法的类。",
        code="type_mismatch",
    )


LOOK_FOR_THEMSELVES = (Record, UserObject, Super, UserClass)  # beside or before the tables


def method_of(kind: type, name: str) -> Native | None:
    """The method that all values of a type have under a name; None where that is up to the value."""
    return None if issubclass(kind, LOOK_FOR_THEMSELVES) else method_in_tables(kind, name)


def attribute_of(interpreter: Interpreter, value: Any, name: str) -> Any:
    """`value.name`, for objects and classes of the program as for all others."""
    if type(value) is Module:
        return _of_module(interpreter, value, name)
    if not isinstance(value, LOOK_FOR_THEMSELVES):
        found = read_attribute(value, name)
        return interpreter.of_run(found) if type(found) is OfRun else found
    if isinstance(value, Record) and name in value.kind.fields:
        return value[value.kind.fields.index(name)]
    if isinstance(value, UserObject):
        return _of_object(interpreter, value, name)
    if isinstance(value, Super):
        return _from_base(interpreter, value, name)
    if isinstance(value, UserClass):
        if name in OF_CLASSES:
            return OF_CLASSES[name](value)
        if name == "__new__" and value.find(name) is MISSING:
            return new_object(interpreter)
        if value.find(name) is MISSING:
            error = no_attribute(value, name)
            error.said = f"type object '{value.name}' has no attribute '{name}'"
            raise error
        found = value.find(name)
        return _bound(interpreter, value, found) if isinstance(found, Wrapped) else found
    found = read_attribute(value, name)
    return interpreter.of_run(found) if type(found) is OfRun else found


def _of_module(interpreter: Interpreter, module: Module, name: str) -> Any:
    if (module.name, name) in interpreter.names_in_modules:
        return interpreter.names_in_modules[module.name, name]
    found = read_attribute(module, name)
    return interpreter.of_run(found) if type(found) is OfRun else found


def _of_object(interpreter: Interpreter, value: UserObject, name: str) -> Any:
    found = value.kind.find(name)
    if name in value.fields and not is_property(found):
        return value.fields[name]
    if name == "__dict__":
        return value.fields
    if name in ("__class__", "__doc__"):
        return value.kind if name == "__class__" else value.kind.doc
    if found is MISSING and value.kind.find("__getattr__") is not MISSING:
        return call_special(interpreter, value, "__getattr__", name)
    return _bound(interpreter, value, _member(value.kind, found, name), name)


def _from_base(interpreter: Interpreter, value: Super, name: str) -> Any:
    found = found_in(value.kinds(), name)
    if found is MISSING and name in ("__init__", "__init_subclass__"):
        return Native(f"object.{name}", lambda *args: None)
    if found is MISSING and name == "__new__":
        return new_object(interpreter)
    if name == "__new__":
        return found
    if name == "__init_subclass__":  # a method of the class, marked or not
        return UserMethod(getattr(found, "function", found), value.owner)
    kind = value.owner.kind if isinstance(value.owner, UserObject) else value.owner
    return _bound(interpreter, value.owner, _member(kind, found, name))


def new_object(interpreter: Interpreter) -> Native:
    """`object.__new__`: an object of a class, not initialised."""

    def new(kind: Any, *args: Any, **keywords: Any) -> UserObject:
        if not isinstance(kind, UserClass) or kind.made is not None:
            raise RefusedError(
                f"object.__new__ makes objects of the program's own classes, not of {type_name(kind)}.",
                message_zh=f"object.__new__ 只能创建程序自己的类的对象，不能创建 {type_name(kind)} 的对象。",
                code="refused_attribute",
            )
        return UserObject(kind, interpreter.next_serial(), interpreter)

    return Native("object.__new__", new)


def _bound(interpreter: Interpreter, owner: Any, found: Any, name: str = "") -> Any:
    """A member as its owner gives it out: functions take the owner first."""
    is_object = isinstance(owner, UserObject)
    if isinstance(found, UserFunction):
        return UserMethod(found, owner)
    if isinstance(found, Native):
        return BoundMethod(found, owner)
    if isinstance(found, Descriptor):
        return found.bound_to(owner)
    if not isinstance(found, Wrapped):
        return found
    if found.how == "classmethod":
        return UserMethod(found.function, owner.kind if is_object else owner)
    if found.how == "staticmethod":
        return found.function
    value = interpreter.call(found.function, [owner], {}) if is_object else found
    if is_object and found.how == "cached_property":
        owner.fields[name] = value
    return value


def _member(kind: UserClass, found: Any, name: str) -> Any:
    if found is not MISSING:
        return found
    raise no_attribute(kind, name)


def private_name(interpreter: Interpreter, name: str) -> str:
    """`__x` inside a class is the class's own: `_Name__x`."""
    if not name.startswith("__") or name.endswith("__"):
        return name
    kind = interpreter.scope.find("__class__")
    return f"_{kind.name.lstrip('_')}{name}" if isinstance(kind, UserClass) else name


def no_attribute(kind: UserClass, name: str) -> ProgramError:
    """The error for a name that neither an object nor its class has."""
    hint, hint_zh = did_you_mean(name, [member for one in kind.line() for member in one.members], prefix=".")
    return ProgramError(
        f"`{kind.name}` has no attribute `{name}`.",
        message_zh=f"{kind.name} 没有属性 `{name}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_attribute",
        said=f"'{kind.name}' object has no attribute '{name}'",
    )


def set_attribute(interpreter: Interpreter, value: Any, name: str, new: Any) -> None:
    """`value.name = new`; a module takes names that it has not, for this program alone."""
    if isinstance(value, Module) and name not in value.members and name not in value.refused:
        interpreter.names_in_modules[value.name, name] = new
    elif isinstance(value, UserClass):
        value.write(name, new)
    elif not isinstance(value, UserObject):
        write_attribute(value, name, new)
    elif is_property(found := value.kind.find(name)):
        value.interpreter.call(_changing(found.setter, value, name, "set", "设置"), [value, new], {})
    elif any(kind.is_frozen for kind in value.kind.order):
        raise ProgramError(
            f"cannot assign to field '{name}'",
            message_zh=f"不能给字段 `{name}` 赋值：这个类是冻结的（frozen=True）。",
            hint="Make another object: dataclasses.replace(…).",
            hint_zh="请用 dataclasses.replace(…) 另建一个对象。",
            code="unknown_attribute",
            kind="FrozenInstanceError",
        )
    elif (slots := slots_of(value.kind)) is not None and name not in slots:
        raise no_attribute(value.kind, name)
    elif (
        call_special(interpreter, value, "__setattr__", name, new) is MISSING
    ):  # a library's class may have it
        value.fields[name] = new


def delete_attribute(value: Any, name: str) -> None:
    """`del value.name`."""
    if not isinstance(value, UserObject):
        raise RefusedError(
            f"`.{name}` of {a_kind(value)} cannot be deleted.",
            message_zh=f"不能删除 {type_name(value)} 的 `.{name}`。",
            code="refused_assignment",
        )
    if is_property(found := value.kind.find(name)):
        value.interpreter.call(_changing(found.deleter, value, name, "deleted", "删除"), [value], {})
    elif name in value.fields:
        del value.fields[name]
    else:
        raise no_attribute(value.kind, name)


def _changing(function: Any, owner: UserObject, name: str, done: str, done_zh: str) -> Any:
    """What sets or deletes a property, where there is such a function."""
    if function is not None:
        return function
    raise ProgramError(
        f"The property `{name}` of {owner.kind.name} cannot be {done}: the class has no function for it.",
        message_zh=f"{owner.kind.name} 的属性 `{name}` 不能{done_zh}：类里没有相应的函数。",
        hint=f"Write @{name}.{'setter' if done == 'set' else 'deleter'} above another function of this name.",
        hint_zh=f"请在另一个同名函数上面写 @{name}.{'setter' if done == 'set' else 'deleter'}。",
        code="unknown_attribute",
    )


def call_special(interpreter: Interpreter, value: Any, name: str, *args: Any) -> Any:
    """Call a special method of an object, or MISSING where its class has none."""
    if not isinstance(value, UserObject) or (found := value.kind.find(name)) in (MISSING, None):
        return MISSING
    return interpreter.call(_bound(interpreter, value, found), list(args), {})


def _object_str(value: UserObject) -> str:
    own = value.special("__str__")
    return _object_repr(value) if own is NotImplemented else to_str(own)


def _object_repr(value: UserObject) -> str:
    own = value.special("__repr__")
    return value.text or f"<{value.kind.name} object>" if own is NotImplemented else to_str(own)


SHOWN[UserObject] = (_object_str, _object_repr)
PYTHON_NAMES[UserObject] = lambda value: value.kind.name
PYTHON_NAMES[UserClass] = lambda _: "type"
PYTHON_NAMES[UserMethod] = lambda _: "method"
TYPE_NAMES[UserObject] = lambda value: value.kind.name

CALLABLES[UserClass] = make_object
CALLABLES[UserMethod] = lambda interpreter, method, args, keywords: interpreter.call(
    method.function, [method.owner, *args], keywords
)


def _call_object(
    interpreter: Interpreter, value: UserObject, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """`value(...)`, where its class has a method for it."""
    if value.kind.find("__call__") is MISSING:
        error = no_attribute(value.kind, "__call__")
        error.kind, error.said = "TypeError", f"'{value.kind.name}' object is not callable"
        raise error
    return interpreter.call(attribute_of(interpreter, value, "__call__"), args, keywords)


CALLABLES[UserObject] = _call_object
