"""The program's own classes: their members and the order in which they inherit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES


@dataclass(slots=True, eq=False)
class UserClass:
    """A class: its members, and the classes that it inherits from.

    origin: who wrote it. Only a class of the program itself can be changed; those of Python and of a library
            are the same objects for every program, so their members are a read-only table.
    others: further classes that it inherits from, after `base`.
    made:   how an object is made where it is not by `__init__`: an enumeration looks its members up.
    completed: what becomes of a class that inherits from it, once its body has run.
    """

    name: str
    base: UserClass | None = None
    members: Mapping[str, Any] = field(default_factory=dict)
    origin: Literal["program", "python", "library"] = "program"
    others: tuple[UserClass, ...] = ()
    made: Callable[..., Any] | None = None
    completed: Callable[..., Any] | None = None
    doc: str | None = None
    annotations: Mapping[str, str] = field(default_factory=dict)
    order: tuple[UserClass, ...] = ()
    missing: Sequence[str] = ()  # abstract methods for which it has brought none of its own
    home: str = ""  # the module that a class of a library stands in
    is_frozen: bool = False  # whether fields of its objects are set when they are made, and never again

    def __post_init__(self) -> None:
        self.members = MappingProxyType(dict(self.members))
        self.annotations = MappingProxyType(dict(self.annotations))
        bases = ((self.base,) if self.base is not None else ()) + self.others
        self.order = (self, *merged([*(kind.order for kind in bases), bases]))
        self.made = self.made or next((kind.made for kind in self.order if kind.made), None)

    def write(self, name: str, value: Any) -> None:
        """`Name.name = value`. Raises: GradlensError where the class is none of the program's own."""
        if self.origin == "python":
            raise _immutable(self, name)
        if self.origin == "library":
            raise _of_the_library(self)
        self.members = MappingProxyType({**self.members, name: value})

    def find(self, name: str) -> Any:
        """A member of the class or of those it inherits from, or MISSING."""
        return found_in(self.order, name)

    def line(self) -> Iterator[UserClass]:
        """The class, its base, the base's base, …"""
        return iter(self.order)


def found_in(kinds: Iterable[UserClass], name: str) -> Any:
    """The member of the first class that has one of this name, or MISSING."""
    return next((kind.members[name] for kind in kinds if name in kind.members), MISSING)


def merged(lines: Sequence[Sequence[UserClass]]) -> list[UserClass]:
    """Python's order of inheritance (C3): each class before its own bases, and those in their order."""
    waiting, order = [list(line) for line in lines if line], []
    while waiting:
        first = next(
            (line[0] for line in waiting if not any(line[0] in other[1:] for other in waiting)), None
        )
        if first is None:
            raise ProgramError(
                "These classes cannot be put into one order of inheritance.",
                message_zh="这些类无法排成一个继承顺序。",
                hint="Name the class that inherits before the one that it inherits from.",
                hint_zh="请把子类写在它所继承的类之前。",
                code="type_mismatch",
            )
        order.append(first)
        waiting = [rest for line in waiting if (rest := [kind for kind in line if kind is not first])]
    return order


@dataclass(frozen=True, slots=True, eq=False)
class Wrapped:
    """A function marked `@property`, `@staticmethod`, `@classmethod` or `@functools.cached_property`.

    setter, deleter: of a property, what setting and deleting it does.
    """

    how: str
    function: Any
    setter: Any = None
    deleter: Any = None


OF_CLASSES: dict[str, Callable[[UserClass], Any]] = {
    "__name__": lambda kind: kind.name,
    "__qualname__": lambda kind: kind.name,
    "__doc__": lambda kind: kind.doc,
    "__mro__": lambda kind: kind.order,
    "__annotations__": lambda kind: dict(kind.annotations),
}


def is_property(found: Any) -> bool:
    """Whether a member of a class is computed whenever it is read."""
    return isinstance(found, Wrapped) and found.how == "property"


def missing_methods(kind: UserClass) -> list[str]:
    """The abstract methods of a class for which it has brought none of its own."""
    names = {name for one in kind.order for name in one.members}
    return sorted(name for name in names if is_abstract(kind.find(name)))


def is_abstract(member: Any) -> bool:
    """Whether a member of a class is marked with `@abstractmethod`."""
    function = member.function if isinstance(member, Wrapped) else member
    return isinstance(function, UserFunction) and function.is_abstract


def slots_of(kind: UserClass) -> set[str] | None:
    """The only names that an object may have, where every class of its line says them in `__slots__`."""
    if not all("__slots__" in one.members for one in kind.order):
        return None
    written = [one.members["__slots__"] for one in kind.order]
    return {name for names in written for name in ([names] if isinstance(names, str) else iterate(names))}


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


def _class_text(kind: UserClass) -> str:
    home = "__main__" if kind.origin == "program" else kind.home
    return f"<class '{f'{home}.' if home else ''}{kind.name}'>"


def _wrapped_text(wrapped: Wrapped) -> str:
    return f"<{wrapped.how} object>"


SHOWN[Wrapped] = (_wrapped_text, _wrapped_text)
SHOWN[UserClass] = (_class_text, _class_text)
TYPE_NAMES[Wrapped] = lambda wrapped: wrapped.how
TYPE_NAMES[UserClass] = lambda kind: "class"


class Descriptor:
    """A member of a class that each of its objects has as a method of its own."""

    __slots__ = ()

    def bound_to(self, owner: Any) -> Any:
        """The method of one object."""
        raise NotImplementedError

    def written_in(self, owned: Callable[[Any], Any]) -> Any:
        """The same, of a function that knows its class."""
        raise NotImplementedError
