"""Lists, texts, dicts and arrays as a program sees them: going through them, taking and setting items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from engine.errors import GradlensError, ProgramError, SymbolicError
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins.nested_sizes import CONTAINERS, check_weight
from engine.languages.interpreter.builtins.text import MAX_WEIGHT, ordered
from engine.languages.interpreter.values import (
    TEXTS,
    Ignored,
    Lazy,
    Stream,
    a_kind,
    concrete,
    python_name,
    type_name,
)

ITERABLE = (list, tuple, str, range, dict, set, frozenset)


@dataclass(frozen=True, slots=True)
class Items:
    """What a type of another file does with `value[key]`, setting and deleting it, and `len`.

    make: as `read`, where what is read is made for it, within a budget.
    """

    read: Callable[[Any, Any], Any] | None = None
    write: Callable[[Any, Any, Any], None] | None = None
    delete: Callable[[Any, Any], None] | None = None
    count: Callable[[Any], int] | None = None
    make: Callable[[Any, Any, Budget], Any] | None = None


ITEMS: dict[type, Items] = {
    Ignored: Items(
        read=lambda value, key: replace(value, name=f"{value.name}[…]"),
        write=lambda value, key, new: None,
        delete=lambda value, key: None,
    )
}
NO_ITEMS = Items()
ITERATORS: dict[type, Callable[[Any], Iterable[Any]]] = {}  # how types of other layers are gone through
ITERATORS[Ignored] = lambda value: ()


def iterate(value: Any) -> Iterable[Any]:
    """What a `for` goes through; a ProgramError where the value is no sequence."""
    if isinstance(value, Lazy):
        return value.take()
    if isinstance(value, Stream):
        return value.items
    if isinstance(value, (set, frozenset)):
        return ordered(value)
    if isinstance(value, ITERABLE):
        return value
    if isinstance(value, np.ndarray) and value.ndim:
        return value.tolist() if value.ndim == 1 and value.dtype.kind in "SU" else list(value)
    for kind in type(value).__mro__:
        if kind in ITERATORS:
            return ITERATORS[kind](value)
    array = concrete(value)
    if array is not None and array.ndim:
        return [value[index] for index in range(len(array))]
    raise not_iterable(value)


def taken(value: Any, budget: Budget) -> Sequence[Any]:
    """All items of a value, their number within the budget; one that is made as it is taken is a step."""
    items = iterate(value)
    if isinstance(items, Sized):
        budget.check_length(len(items))
        return items  # type: ignore[return-value]  # what has a length here is a sequence, a set or a dict
    return list(budget.counted(items))


UNHASHABLE: set[type] = set()  # values of libraries that cannot be keys, whatever of them the engine keeps


def hashable(value: Any) -> Any:
    """The value, where it can be a key."""
    if type(value) in UNHASHABLE:
        raise _unhashable(value)
    if type(value) in CONTAINERS:
        check_weight(value, MAX_WEIGHT)
    try:
        hash(value)
    except TypeError:
        raise _unhashable(value) from None
    return value


def _unhashable(value: Any) -> ProgramError:
    return ProgramError(
        f"{a_kind(value, start=True)} cannot be a key or a member of a set.",
        message_zh=f"{type_name(value)} 不能作为键或集合的成员。",
        hint="Use a number, a text or a tuple.",
        hint_zh="请使用数字、文本或元组。",
        code="type_mismatch",
        said=f"unhashable type: '{python_name(value)}'",
    )


def set_of(items: Iterable[Any], budget: Budget) -> set[Any]:
    """The different items. Numbers may be chosen so that each meets all others: the clock is looked at."""
    return set(budget.paced(items))


def dict_of(pairs: Iterable[tuple[Any, Any]], budget: Budget) -> dict[Any, Any]:
    """A dict of pairs, the clock looked at on the way as for a set."""
    return dict(budget.paced(pairs))


def not_iterable(value: Any) -> GradlensError:
    """The error for a value that has no items."""
    kind = type_name(value)
    message = f"{a_kind(value, start=True)} cannot be gone through item by item."
    message_zh = f"不能逐项遍历 {kind}。"
    if not hasattr(value, "as_tensor"):
        return ProgramError(
            message,
            hint="Use range(n) to count.",
            message_zh=message_zh,
            hint_zh="计数请用 range(n)。",
            code="not_iterable",
            said=f"'{python_name(value)}' object is not iterable",
        )
    return SymbolicError(
        message,
        hint="A symbolic tensor has no items yet: use tf.unstack, or loop over `sess.run(...)`.",
        message_zh=message_zh,
        hint_zh="符号张量还没有具体的元素：请用 tf.unstack，或遍历 `sess.run(...)` 的结果。",
        code="not_iterable",
    )


def no_next_item() -> ProgramError:
    """The error at the end of the items."""
    return ProgramError("There is no next item.", message_zh="没有下一项了。", code="no_next_item", said=())


def subscript(value: Any, key: Any, budget: Budget) -> Any:
    """`value[key]`."""
    if hasattr(value, "as_tensor"):
        return value[key]
    if isinstance(value, np.ndarray):
        return _array_item(value, key, budget)
    if isinstance(value, (list, tuple, str, range, dict)):
        if isinstance(key, slice) and isinstance(value, (list, tuple, str)):
            budget.check_length(_slice_length(value, key))
        try:
            return value[key]
        except (IndexError, KeyError, TypeError, ValueError):
            raise _no_item(value, key) from None
    read = items_of_type(value).read
    if read is not None:
        return read(value, key)
    if items_of_type(value).make is not None:
        return _made(value, key, budget)
    raise ProgramError(
        f"{a_kind(value, start=True)} has no items.",
        message_zh=f"{type_name(value)} 不能用下标访问。",
        code="not_subscriptable",
        said=f"'{python_name(value)}' object is not subscriptable",
    )


def items_of_type(value: Any) -> Items:
    """What its type does with subscripts, where another file says so."""
    return next((ITEMS[kind] for kind in type(value).__mro__ if kind in ITEMS), NO_ITEMS)


def _made(value: Any, key: Any, budget: Budget) -> Any:
    make = items_of_type(value).make
    assert make is not None
    try:
        return make(value, key, budget)
    except (IndexError, KeyError, TypeError, ValueError):
        raise _no_item(value, key) from None


def _slice_length(value: Any, key: slice) -> int:
    try:
        return len(range(*key.indices(len(value))))
    except (TypeError, ValueError):
        raise _no_item(value, key) from None


def store(value: Any, key: Any, new: Any, budget: Budget) -> None:
    """`value[key] = new`."""
    check_weight(new, budget.limits.alive_items)
    write = items_of_type(value).write
    if write is not None:
        write(value, key, new)
        return
    if not isinstance(value, (list, dict, np.ndarray)):
        raise ProgramError(
            f"Items of a {type_name(value)} cannot be set.",
            message_zh=f"不能给 {type_name(value)} 的元素赋值。",
            hint="Change a variable with `.assign(...)` inside a run; make a tuple or a text anew.",
            hint_zh="变量请在运行中用 `.assign(...)` 修改；元组和文本请重新构造。",
            code="not_settable",
            said=f"'{python_name(value)}' object does not support item assignment",
        )
    if isinstance(value, np.ndarray):
        new = _as_numbers(new)
        if value.dtype.kind in TEXTS:
            _check_text(value, new)
    if isinstance(value, list) and isinstance(key, slice) and isinstance(new, Sized):
        budget.check_length(len(value) + len(new))
    try:
        value[key] = new
    except (IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(value, np.ndarray) and not isinstance(error, IndexError):
            raise _does_not_fit(value, new, error) from None
        raise _no_item(value, key) from None


def _does_not_fit(array: Any, new: Any, error: Exception) -> ProgramError:
    """What is written into an array is no number of its type, or too many of them."""
    return ProgramError(
        f"{a_kind(new, start=True)} cannot be written there: {error}.".replace("..", "."),
        message_zh=f"不能把 {type_name(new)} 写到那里：{error}",
        hint=f"The array has shape {array.shape} and holds {array.dtype.name}.",
        hint_zh=f"数组的形状是 {array.shape}，元素类型是 {array.dtype.name}。",
        code="bad_value",
    )


def _as_numbers(new: Any) -> Any:
    """What is written into an array of numpy's: of a tensor, also in a list, the array that it holds."""
    if isinstance(new, (list, tuple)):
        return [_as_numbers(item) for item in new]
    array = concrete(new)
    if np.ndim(array) and hasattr(new, "check_for_numpy"):
        new.check_for_numpy()  # of a number alone numpy asks its float, which does not look at gradients
    return new if array is None else array


def _check_text(array: Any, new: Any) -> None:
    """Raises: ProgramError where what is to stand among texts, or bytes, is something else."""
    if array.dtype.kind == "U" and not isinstance(new, str):
        raise ProgramError(
            "An array of texts takes texts.",
            message_zh="文字数组的元素必须是文字。",
            code="bad_value",
        )
    if array.dtype.kind != "U" and not isinstance(new, bytes):
        raise ProgramError(
            "An array of texts takes bytes: b'…'.",
            message_zh="文字数组的元素是字节串：b'…'。",
            code="bad_value",
        )


def delete_item(value: Any, key: Any) -> None:
    """`del value[key]`."""
    delete = items_of_type(value).delete
    if delete is not None:
        delete(value, key)
        return
    if not isinstance(value, (list, dict)):
        raise _no_item(value, key)
    try:
        del value[key]
    except (IndexError, KeyError, TypeError):
        raise _no_item(value, key) from None


def _array_item(value: Any, key: Any, budget: Budget) -> Any:
    budget.check_elements(_item_shape(value.shape, key if isinstance(key, tuple) else (key,)))
    try:
        found = value[_as_key(key)]
    except (IndexError, TypeError, ValueError):
        raise _no_item(value, key) from None
    if isinstance(found, np.ndarray):
        budget.hold(found)
    elif isinstance(found, (np.str_, np.bytes_)):
        return found.item()  # one of Python's own
    return found


def _as_key(key: Any) -> Any:
    """A subscript of numpy's: of a tensor, also among several, the array that it holds."""
    if isinstance(key, tuple):
        return tuple(map(_as_key, key))
    return _as_numbers(key) if hasattr(key, "as_tensor") else key


def _item_shape(shape: tuple[int, ...], key: tuple[Any, ...]) -> tuple[int, ...]:
    """A bound for the shape that indexing gives: arrays and lists among the keys pick their own length."""
    picked = [np.size(part) for part in key if isinstance(part, (list, np.ndarray))]
    if not picked:
        return ()  # a view of what is there
    rest = prod(shape[len(key) :])
    kept = [length for length, part in zip(shape, key, strict=False) if isinstance(part, slice)]
    return (max(picked), *kept, rest)


def _no_item(value: Any, key: Any) -> ProgramError:
    if isinstance(value, dict):
        return _no_key(value, key)
    kind = type_name(value)
    if isinstance(key, (int, np.integer)) and hasattr(value, "__len__"):
        length = len(value)
        return ProgramError(
            f"Index {key} is outside of this {kind} of length {length}.",
            message_zh=f"下标 {key} 超出了长度为 {length} 的 {kind}。",
            hint="Counting starts at 0.",
            hint_zh="下标从 0 开始。",
            code="index_out_of_range",
        )
    return ProgramError(
        f"{a_kind(value, start=True)} cannot be indexed by {a_kind(key)} like this.",
        message_zh=f"{kind} 不能这样用 {type_name(key)} 作下标。",
        code="bad_index",
    )


def _no_key(value: dict[Any, Any], key: Any) -> ProgramError:
    known = ", ".join(repr(k) for k in list(value)[:8] if isinstance(k, (str, int, float)))
    return ProgramError(
        f"The dict has no key {key!r}."
        if isinstance(key, (str, int, float))
        else "The dict has no such key.",
        message_zh="字典中没有这个键。"
        if not isinstance(key, (str, int, float))
        else f"字典中没有键 {key!r}。",
        hint=f"Its keys are: {known}." if known else "",
        hint_zh=f"它的键有：{known}。" if known else "",
        code="missing_key",
    )
