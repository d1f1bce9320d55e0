"""What operators, loops and `with` do with objects of the program's own classes: their special methods."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, ProgramError
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, iterate, not_iterable
from engine.languages.interpreter.builtins.formatting import WRITTEN_BY
from engine.languages.interpreter.classes.exceptions import as_exception, is_stop
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import HOLDS
from engine.languages.interpreter.scope import MISSING


class Opened(AbstractContextManager[Any]):
    """A `with` block on an object with `__enter__` and `__exit__`."""

    def __init__(self, interpreter: Interpreter, owner: UserObject) -> None:
        self.interpreter = interpreter
        self.exit = attribute_of(interpreter, owner, "__exit__")
        self.enter = attribute_of(interpreter, owner, "__enter__")

    def __enter__(self) -> Any:
        return self.interpreter.call(self.enter, [], {})

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is not None and (isinstance(error, NOT_CAUGHT) or not isinstance(error, GradlensError)):
            return False
        given: list[Any] = [None, None, None]
        if error is not None:
            value = as_exception(self.interpreter, error)
            given = [value.kind, value, None]
        return bool(self.interpreter.call(self.exit, given, {}))


def items_of_object(value: UserObject) -> Any:
    """What a loop over an object goes through: what its `__iter__` gives, or its items by number."""
    if value.kind.find("__iter__") is MISSING and value.kind.find("__getitem__") is not MISSING:
        return by_number(value)
    found = value.special("__iter__")
    if found is NotImplemented:
        raise not_iterable(value)
    is_own = isinstance(found, UserObject) and found.kind.find("__next__") is not MISSING
    return one_by_one(found) if is_own else iterate(found)


def one_by_one(value: UserObject) -> Iterator[Any]:
    """What `__next__` gives, until it raises StopIteration."""
    while True:
        value.interpreter.budget.step()
        try:
            item = value.special("__next__")
        except GradlensError as error:
            if not is_stop(error):
                raise
            return
        yield item


def by_number(value: UserObject) -> Iterator[Any]:
    """The items 0, 1, 2, … until there is none of that number."""
    index = 0
    while True:
        value.interpreter.budget.step()
        try:
            item = value.special("__getitem__", index)
        except NOT_CAUGHT:
            raise
        except GradlensError as error:
            if not is_stop(error, "IndexError"):
                raise
            return
        yield item
        index += 1


def has_item(container: UserObject, item: Any) -> bool:
    """`item in container`."""
    own = container.special("__contains__", item)
    if own is not NotImplemented:
        return bool(own)
    return any(one is item or one == item for one in items_of_object(container))


def _item(owner: UserObject, key: Any) -> Any:
    return _needed(owner, "__getitem__", key)


def _set_item(owner: UserObject, key: Any, new: Any) -> None:
    _needed(owner, "__setitem__", key, new)


def _delete_item(owner: UserObject, key: Any) -> None:
    _needed(owner, "__delitem__", key)


def _length(owner: UserObject) -> int:
    return int(_needed(owner, "__len__"))


LACKING = {
    "__len__": "object of type '{}' has no len()",
    "__getitem__": "'{}' object is not subscriptable",
    "__setitem__": "'{}' object does not support item assignment",
    "__delitem__": "'{}' object doesn't support item deletion",
}


def _needed(owner: UserObject, name: str, *args: Any) -> Any:
    """What the special method gives. Raises: ProgramError where the class has none."""
    found = owner.special(name, *args)
    if found is not NotImplemented:
        return found
    raise ProgramError(
        f"The class {owner.kind.name} has no method `{name}`, which this needs.",
        message_zh=f"类 {owner.kind.name} 没有这里需要的方法 `{name}`。",
        code="not_subscriptable",
        said=LACKING[name].format(owner.kind.name),
    )


def _formatted(owner: UserObject, spec: str) -> str:
    return str(_needed(owner, "__format__", spec))


WRITTEN_BY[UserObject] = _formatted
ITEMS[UserObject] = Items(_item, _set_item, _delete_item, _length)
ITERATORS[UserObject] = items_of_object
HOLDS[UserObject] = has_item
CONTEXTS[UserObject] = Opened
