"""`collections.namedtuple`: tuples whose items have names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.nested_sizes import CONTAINERS
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import TYPE_NAMES


@dataclass(frozen=True, slots=True, eq=False)
class RecordKind:
    """A type of such tuples: its name, the items' names, and what the last of them are unless given."""

    name: str
    fields: tuple[str, ...]
    defaults: Mapping[str, Any] = field(default_factory=dict)


class Record(tuple[Any, ...]):
    """One of them."""

    kind: RecordKind

    def __new__(cls, kind: RecordKind, items: Iterable[Any]) -> Record:
        """The items in the order of their names."""
        made = super().__new__(cls, items)
        made.kind = kind
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.kind, tuple(self)

    def named(self) -> dict[str, Any]:
        """The items by name."""
        return dict(zip(self.kind.fields, self, strict=True))


def like(form: Any, items: Iterable[Any]) -> Any:
    """A list or tuple of the type that `form` has, with other items."""
    if isinstance(form, Record):
        return type(form)(form.kind, items)
    return type(form)(*items) if hasattr(form, "_fields") else type(form)(items)


def make_record(
    interpreter: Any, kind: RecordKind, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Record:
    """`Point(1, y=2)`. Raises: ProgramError where an item is missing, given twice, or none of them."""
    if len(args) > len(kind.fields):
        raise ProgramError(
            f"{kind.name} has {len(kind.fields)} items, but {len(args)} are given.",
            message_zh=f"{kind.name} 有 {len(kind.fields)} 项，但给出了 {len(args)} 项。",
            code="wrong_arguments",
        )
    first = dict(zip(kind.fields, args, strict=False))
    for name in keywords:
        if name in first or name not in kind.fields:
            raise _wrong_name(kind, name, name in first)
    given = {**kind.defaults, **first, **keywords}
    missing = [name for name in kind.fields if name not in given]
    if missing:
        listed = ", ".join(missing)
        raise ProgramError(
            f"{kind.name} lacks {listed}.",
            message_zh=f"{kind.name} 缺少 {listed}。",
            hint=f"Write {kind.name}({', '.join(f'{name}=…' for name in kind.fields)}).",
            hint_zh=f"请写 {kind.name}({', '.join(f'{name}=…' for name in kind.fields)})。",
            code="wrong_arguments",
        )
    return Record(kind, [given[name] for name in kind.fields])


def _wrong_name(kind: RecordKind, name: str, is_given: bool) -> ProgramError:
    if is_given:
        return ProgramError(
            f"{kind.name} is given `{name}` twice.",
            message_zh=f"{kind.name} 的 `{name}` 给出了两次。",
            code="wrong_arguments",
        )
    hint, hint_zh = did_you_mean(name, kind.fields)
    return ProgramError(
        f"{kind.name} has no item named `{name}`.",
        message_zh=f"{kind.name} 没有名为 `{name}` 的项。",
        hint=hint,
        hint_zh=hint_zh,
        code="wrong_arguments",
    )


def replaced(record: Record, **changes: Any) -> Record:
    """`p._replace(x=3)`: the same with other items."""
    for name in changes:
        if name not in record.kind.fields:
            raise _wrong_name(record.kind, name, False)
    return Record(record.kind, {**record.named(), **changes}.values())


def record_kind(name: str, fields: Any, defaults: Sequence[Any]) -> RecordKind:
    """The type of that name; the names of its items in a list or in one text. Raises: ProgramError."""
    names = fields.replace(",", " ").split() if isinstance(fields, str) else list(fields)
    for one in [name, *names]:
        if not isinstance(one, str) or not one.isidentifier() or iskeyword(one) or one.startswith("__"):
            raise _no_name(one)
    if (
        len(set(names)) < len(names)
        or any(one.startswith("_") for one in names)
        or len(defaults) > len(names)
    ):
        raise ProgramError(
            f"The items of {name} need names of their own that begin with a letter, and no more defaults.",
            message_zh=f"{name} 的各项需要互不相同、以字母开头的名称，默认值也不能更多。",
            hint='Write namedtuple("Point", ["x", "y"]).',
            hint_zh='请写 namedtuple("Point", ["x", "y"])。',
            code="wrong_arguments",
        )
    last = names[len(names) - len(defaults) :]
    return RecordKind(name, tuple(names), dict(zip(last, defaults, strict=True)))


def _no_name(given: Any) -> ProgramError:
    return ProgramError(
        f"{to_repr(given):.60} cannot be a name.",
        message_zh=f"{to_repr(given):.60} 不能用作名称。",
        hint='Write namedtuple("Point", ["x", "y"]).',
        hint_zh='请写 namedtuple("Point", ["x", "y"])。',
        code="wrong_arguments",
    )


def _text(record: Record) -> str:
    return (
        f"{record.kind.name}({', '.join(f'{name}={to_repr(item)}' for name, item in record.named().items())})"
    )


CALLABLES[RecordKind] = make_record
SHOWN[Record] = (_text, _text)
CONTAINERS.add(Record)
TYPE_NAMES[Record] = lambda record: record.kind.name
TYPE_NAMES[RecordKind] = lambda kind: "type"
