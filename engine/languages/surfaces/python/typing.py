"""Python's `typing`, `abc`, `copy` and `contextlib`."""

from __future__ import annotations

import copy
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

import numpy as np

from engine.errors import NOT_CAUGHT, GradlensError, ProgramError, RefusedError
from engine.languages.interpreter.builtins.containers import ITEMS, Items
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.nested_sizes import check_weight
from engine.languages.interpreter.builtins.records import RecordKind, record_kind
from engine.languages.interpreter.builtins.text import MAX_WEIGHT, SHOWN
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.exceptions import as_exception
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, call_special
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OPERANDS
from engine.languages.interpreter.values import TYPE_NAMES, Block, Ignored, Module, Stream, a_kind, type_name
from engine.languages.surfaces.library import Library

TYPING = Library("typing")
ABC = Library("abc")
COPY = Library("copy")
CONTEXTLIB = Library("contextlib")


# -- typing ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hint:
    """What an annotation says: nothing that a run looks at."""

    name: str


NAMES = (
    *("Any", "List", "Dict", "Tuple", "Set", "FrozenSet", "Optional", "Union", "Callable", "Iterable"),
    *(
        "Iterator",
        "Sequence",
        "Mapping",
        "MutableMapping",
        "Generator",
        "Type",
        "Literal",
        "Final",
        "ClassVar",
    ),
    *("Generic", "Protocol", "Deque", "DefaultDict", "Text", "NoReturn", "Annotated", "Self", "Hashable"),
)
for name in NAMES:
    TYPING.value(Hint(name), name)
TYPING.value(False, "TYPE_CHECKING")
TYPING.function("TypeVar", "NewType")(lambda name, *of, **how: Hint(str(name)))
TYPING.function("cast")(lambda typ, val: val)
TYPING.function("overload", "final", "no_type_check", "runtime_checkable")(lambda function: function)

ITEMS[Hint] = Items(read=lambda hint, key: hint)
ITEMS[Kind] = Items(read=lambda kind, key: Hint(kind.name))
OPERANDS[Hint] = OPERANDS[Kind] = ""
SHOWN[Hint] = (lambda hint: f"typing.{hint.name}", lambda hint: f"typing.{hint.name}")
TYPE_NAMES[Hint] = lambda hint: "type hint"


def _as_record(interpreter: Interpreter, made: UserClass) -> RecordKind:
    """`class P(NamedTuple):` with its items and their defaults."""
    fields = list(made.annotations)
    others = [name for name in made.members if name not in made.annotations and name != "__doc__"]
    if others:
        raise RefusedError(
            f"A NamedTuple with members besides its items ({', '.join(others)}) is not supported.",
            message_zh=f"不支持除各项之外还有其他成员（{', '.join(others)}）的 NamedTuple。",
            hint="Write functions outside of the class, or a plain class.",
            hint_zh="请把函数写在类外，或使用普通的类。",
            code="refused_construct",
        )
    return record_kind(made.name, fields, [made.members[name] for name in fields if name in made.members])


TYPING.value(UserClass("NamedTuple", origin="library", completed=_as_record), "NamedTuple")


# -- abc ---------------------------------------------------------------------------------------------


@ABC.function("abstractmethod")
def abstract_method(funcobj: Any) -> Any:
    """A method that a class has to bring of its own."""
    if isinstance(funcobj, Wrapped):
        return replace(funcobj, function=abstract_method(funcobj.function))
    return replace(funcobj, is_abstract=True) if isinstance(funcobj, UserFunction) else funcobj


ABC.value(UserClass("ABC", origin="library"), "ABC")
ABC.value(Ignored("abc.ABCMeta"), "ABCMeta")


# -- copy --------------------------------------------------------------------------------------------

CONTAINERS = (list, tuple, dict, set, frozenset)
UNCHANGING = (type(None), bool, int, float, str, bytes, range, np.generic, UserFunction, Native, BoundMethod)
UNCHANGING_TOO = (UserClass, Module, RecordKind, Ignored)


@COPY.function("copy")
def shallow(interpreter: Interpreter, x: Any) -> Any:
    """A new container with the same items, a new object with the same fields."""
    if isinstance(x, UserObject):
        return UserObject(x.kind, interpreter.next_serial(), interpreter, dict(x.fields))
    if type(x) in CONTAINERS or isinstance(x, np.ndarray):
        return x.copy() if hasattr(x, "copy") else x
    return _itself(x)


@COPY.function("deepcopy")
def deep(interpreter: Interpreter, x: Any) -> Any:
    """A copy of a value and of all that is in it."""
    return copied(interpreter, x, DEEP_COPIES)


Copying = Callable[[Callable[[Any], Any], Any], Any]
DEEP_COPIES: dict[type, Copying] = {}  # of values of other files' types


def copied(interpreter: Interpreter, x: Any, ways: Mapping[type, Copying]) -> Any:
    """The same, where values of other files' types are copied in these ways."""
    check_weight(x, MAX_WEIGHT)
    return _Copier(interpreter, ways).of(x)


class _Copier:
    """One deep copy: what it meets twice is copied once."""

    def __init__(self, interpreter: Interpreter, ways: Mapping[type, Copying]) -> None:
        self.interpreter = interpreter
        self.ways = ways
        self.made: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        if id(value) not in self.made:
            self.interpreter.budget.step()
            self.made[id(value)] = self._new(value)
        return self.made[id(value)]

    def _new(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            self.interpreter.budget.check_elements(value.shape)
            return value.copy()
        if type(value) in (tuple, set, frozenset):
            return type(value)(map(self.of, value))
        if type(value) is list:
            items: list[Any] = []
            return self._filled(value, items, lambda: items.extend(map(self.of, value)))
        if type(value) in (dict, OrderedDict, defaultdict):
            pairs = ((self.of(key), self.of(item)) for key, item in value.items())
            entries: dict[Any, Any] = copy.copy(value)
            entries.clear()
            return self._filled(value, entries, lambda: entries.update(pairs))
        if isinstance(value, UserObject):
            made = UserObject(value.kind, self.interpreter.next_serial(), self.interpreter)
            return self._filled(value, made, lambda: made.fields.update(self.of(value.fields)))
        for kind in type(value).__mro__:
            if kind in self.ways:
                return self.ways[kind](self.of, value)
        return _itself(value)

    def _filled(self, value: Any, made: Any, fill: Any) -> Any:
        """What has been made, entered before it is filled: it may hold itself."""
        self.made[id(value)] = made
        fill()
        return made


def _itself(value: Any) -> Any:
    """A value that nothing can change is its own copy. Raises: RefusedError for any other one."""
    if isinstance(value, (*UNCHANGING, *UNCHANGING_TOO)) or hasattr(value, "node"):
        return value
    raise RefusedError(
        f"{a_kind(value, start=True)} cannot be copied here.",
        message_zh=f"这里不能复制 {type_name(value)}。",
        hint="Copy the lists, arrays or numbers that it is made of.",
        hint_zh="请复制组成它的列表、数组或数字。",
        code="refused_name",
    )


# -- contextlib --------------------------------------------------------------------------------------


class Section(AbstractContextManager[Any]):
    """A `with` block around the `yield` of a generator function."""

    def __init__(self, interpreter: Interpreter, stream: Stream) -> None:
        self.interpreter = interpreter
        self.items: Any = stream.items

    def __enter__(self) -> Any:
        return next(self.items)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            next(self.items, None)
            return False
        try:
            self.items.throw(error)
        except StopIteration:
            return True
        except GradlensError as left:
            if left is not error:
                raise
        return False


@CONTEXTLIB.function("contextmanager")
def context_manager(interpreter: Interpreter, func: Any) -> Native:
    """A generator function as something that `with` opens."""

    def opened(*args: Any, **keywords: Any) -> Block:
        stream = interpreter.call(func, args, keywords)
        if not isinstance(stream, Stream):
            raise ProgramError(
                "A function under @contextmanager needs a `yield`.",
                message_zh="@contextmanager 下的函数需要一个 `yield`。",
                code="type_mismatch",
            )
        return Block(lambda: Section(interpreter, stream))

    return Native(getattr(func, "name", "contextmanager"), opened)


@CONTEXTLIB.function("suppress")
def suppress(interpreter: Interpreter, *exceptions: Any) -> Block:
    """Goes on after the block where one of these errors ends it."""

    @contextmanager
    def opened() -> Iterator[None]:
        try:
            yield
        except NOT_CAUGHT:
            raise
        except GradlensError as error:
            if not any(kind in as_exception(interpreter, error).kind.order for kind in exceptions):
                raise

    return Block(opened)


@CONTEXTLIB.function("nullcontext")
def null_context(enter_result: Any = None) -> Block:
    """A block that opens nothing."""
    return Block(lambda: nullcontext(enter_result))


@CONTEXTLIB.function("closing")
def closing(interpreter: Interpreter, thing: Any) -> Block:
    """Closes an object after the block."""

    @contextmanager
    def opened() -> Iterator[Any]:
        try:
            yield thing
        finally:
            call_special(interpreter, thing, "close")

    return Block(opened)
