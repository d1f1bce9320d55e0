"""Python's `collections`, as far as tutorials use it."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items, hashable
from engine.languages.interpreter.builtins.functions import Kind, bounded, entries_of
from engine.languages.interpreter.builtins.nested_sizes import CONTAINERS
from engine.languages.interpreter.builtins.records import (
    Record,
    RecordKind,
    make_record,
    record_kind,
    replaced,
)
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import HOLDS, OPERANDS
from engine.languages.interpreter.values import Stream
from engine.languages.surfaces.library import Library

COLLECTIONS = Library("collections", borrowed=True)


def _plainly(name: str) -> Callable[[Any], Any]:
    """A method that takes nothing."""
    return lambda values: getattr(deque, name)(values)


def _with_one(name: str) -> Callable[[Any, Any], Any]:
    """A method that takes one value."""

    def call(values: Any, value: Any = 1, /) -> Any:
        return getattr(deque, name)(values, value)

    return call


def counter(interpreter: Interpreter, iterable: Any = (), **counts: Any) -> Counter[Any]:
    """How often each item occurs."""
    made: Counter[Any] = Counter()
    update(interpreter, made, iterable)
    made.update(counts)
    return made


def update(interpreter: Interpreter, made: Counter[Any], iterable: Any = ()) -> None:
    """Count more items, or add the counts of a dict."""
    if isinstance(iterable, dict):
        made.update(iterable)
    else:
        made.update(map(hashable, interpreter.budget.paced(bounded(interpreter, iterable))))


def default_dict(
    interpreter: Interpreter, default_factory: Any = None, entries: Any = (), /, **named: Any
) -> defaultdict[Any, Any]:
    """A dict that makes a value for a missing key."""
    factory = None if default_factory is None else Factory(interpreter, default_factory)
    return defaultdict(factory, entries_of(interpreter, entries), **named)


class Factory:
    """What makes a value for a missing key: a function of the program, called by Python."""

    def __init__(self, interpreter: Interpreter, function: Any) -> None:
        self.interpreter = interpreter
        self.function = function

    def __call__(self) -> Any:
        return self.interpreter.call(self.function, [], {})


def ordered_dict(interpreter: Interpreter, entries: Any = (), /, **named: Any) -> OrderedDict[Any, Any]:
    """A dict; every dict keeps its order."""
    return OrderedDict(entries_of(interpreter, entries), **named)


COLLECTIONS.value(Kind("collections.Counter", counter, (Counter,)), "Counter")
COLLECTIONS.value(Kind("collections.defaultdict", default_dict, (defaultdict,)), "defaultdict")
COLLECTIONS.value(Kind("collections.OrderedDict", ordered_dict, (OrderedDict,)), "OrderedDict")
COLLECTIONS.refuse(
    ["ChainMap", "UserDict", "UserList"], "Use a dict, or a small class.", "请使用字典或小的类。"
)


@COLLECTIONS.function("namedtuple", field_names=ANY, defaults=ANY)
def named_tuple(
    interpreter: Interpreter,
    typename: Any,
    field_names: Any,
    rename: Any = False,
    defaults: Any = None,
    module: Any = None,
) -> RecordKind:
    """A type of tuples whose items have names."""
    fields = field_names if isinstance(field_names, str) else list(bounded(interpreter, field_names))
    return record_kind(typename, fields, [] if defaults is None else list(bounded(interpreter, defaults)))


RECORD = members_of(Record, "namedtuple")
RECORD.fact("_fields")(lambda record: record.kind.fields)
RECORD.method("_asdict")(lambda record: record.named())
RECORD.method("_replace")(replaced)
RECORD_KIND = members_of(RecordKind, "namedtuple")
RECORD_KIND.fact("_fields")(lambda kind: kind.fields)
RECORD_KIND.fact("__name__")(lambda kind: kind.name)


@RECORD_KIND.method("_make")
def made_of(interpreter: Interpreter, kind: RecordKind, iterable: Any) -> Record:
    """One of these with the items of an iterable."""
    return make_record(interpreter, kind, list(bounded(interpreter, iterable)), {})


COUNTER = members_of(Counter, "Counter")
COUNTER.method("update")(update)
COUNTER.method("most_common")(lambda counts, n=None: counts.most_common(n))
COUNTER.method("elements")(lambda counts: Stream(counts.elements()))
COUNTER.method("total")(lambda counts: counts.total())


@COUNTER.method("subtract")
def subtract(interpreter: Interpreter, made: Counter[Any], iterable: Any = ()) -> None:
    """Take counts away."""
    made.subtract(counter(interpreter, iterable))


OPERANDS[Counter] = "+-&|"
ORDERED = members_of(OrderedDict, "OrderedDict")
ORDERED.method("move_to_end")(lambda entries, key, last=True: entries.move_to_end(key, bool(last)))
ORDERED.method("popitem")(lambda entries, last=True: entries.popitem(bool(last)))


def deque_of(interpreter: Interpreter, iterable: Any = (), maxlen: Any = None) -> deque[Any]:
    """A sequence that grows and shrinks at both ends."""
    return deque(bounded(interpreter, iterable), maxlen)


COLLECTIONS.value(Kind("collections.deque", deque_of, (deque,)), "deque")
DEQUE = members_of(deque, "deque")
for name in ("pop", "popleft", "clear", "reverse", "copy"):
    DEQUE.method(name)(_plainly(name))
for name in ("append", "appendleft", "count", "index", "remove", "rotate"):
    DEQUE.method(name)(_with_one(name))
DEQUE.fact("maxlen")(lambda values: values.maxlen)


@DEQUE.method("extend")
def extend(interpreter: Interpreter, values: deque[Any], iterable: Any) -> None:
    """Add items at the right end."""
    values.extend(bounded(interpreter, iterable))


@DEQUE.method("extendleft")
def extend_left(interpreter: Interpreter, values: deque[Any], iterable: Any) -> None:
    """Add items at the left end, one after the other."""
    values.extendleft(bounded(interpreter, iterable))


def _deque_item(values: deque[Any], key: Any) -> Any:
    return values[key] if -len(values) <= key < len(values) else _outside(values, key)


def _set_deque_item(values: deque[Any], key: Any, new: Any) -> None:
    _deque_item(values, key)
    values[key] = new


def _outside(values: deque[Any], key: Any) -> Any:
    raise ProgramError(
        f"Index {key} is outside of this deque of length {len(values)}.",
        message_zh=f"下标 {key} 超出了长度为 {len(values)} 的 deque。",
        code="index_out_of_range",
    )


def _deque_text(values: deque[Any]) -> str:
    most = "" if values.maxlen is None else f", maxlen={values.maxlen}"
    return f"deque({to_repr(list(values))}{most})"


ITERATORS[deque] = list
ITEMS[deque] = Items(_deque_item, _set_deque_item, count=len)
HOLDS[deque] = lambda values, item: item in values
SHOWN[deque] = (_deque_text, _deque_text)
CONTAINERS.add(deque)


def _counter_text(counts: Counter[Any]) -> str:
    inner = ", ".join(f"{to_repr(key)}: {to_repr(count)}" for key, count in counts.most_common())
    return f"Counter({{{inner}}})" if inner else "Counter()"


def _ordered_text(entries: OrderedDict[Any, Any]) -> str:
    return f"OrderedDict({to_repr(list(entries.items()))})" if entries else "OrderedDict()"


def _default_text(entries: defaultdict[Any, Any]) -> str:
    factory = entries.default_factory
    made_by = to_repr(factory.function) if isinstance(factory, Factory) else "None"
    return f"defaultdict({made_by}, {to_repr(dict(entries))})"


SHOWN[Counter] = (_counter_text, _counter_text)
SHOWN[OrderedDict] = (_ordered_text, _ordered_text)
SHOWN[defaultdict] = (_default_text, _default_text)
