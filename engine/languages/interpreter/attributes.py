"""What stands behind a dot: explicit tables, never Python's own attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import ProgramError, RefusedError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.callables import BoundMethod, Native
from engine.languages.interpreter.reading.meanings import meant
from engine.languages.interpreter.reading.suggestions import did_you_mean, meant_instead, nearest
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import Ignored, Module, a_kind, python_name, type_name


@dataclass(frozen=True, slots=True)
class Members:
    """What a program may ask of one type: facts, and methods to call."""

    name: str
    borrowed: bool = False
    facts: dict[str, Callable[[Any], Any]] = field(default_factory=dict)
    methods: dict[str, Native] = field(default_factory=dict)
    settable: dict[str, Callable[[Any, Any], None]] = field(default_factory=dict)

    def fact(self, *names: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
        """Decorator: `value.name` without a call."""

        def enter(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
            self.facts.update(dict.fromkeys(names, function))
            return function

        return enter

    def method(
        self, *names: str, **arguments: Argument
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Decorator: `value.name(...)`; the function takes the value first (after the interpreter).

        arguments: what its parameters take, where their names alone do not say it.
        """

        def enter(function: Callable[..., Any]) -> Callable[..., Any]:
            for name in names:
                self.methods[name] = Native(
                    f"{self.name}.{name}", function, borrowed=self.borrowed, arguments=arguments
                )
            return function

        return enter


TABLES: dict[type, Members] = {}
WRITES: dict[type, Callable[[Any, str, Any], None]] = {}  # types that take an attribute of any name
LOOKUPS: dict[type, Callable[[Any, str], Any]] = {}  # what else stands behind the dot, or MISSING
NAMES_OF: dict[type, Callable[[Any], list[str]]] = {}  # the names of what else stands there


def members_of(kind: type, name: str, *, borrowed: bool = False) -> Members:
    """Open the table of a type, to be filled by decorators.

    borrowed: whether its methods check their arguments in the words of their own library, as numpy's do.
    """
    return TABLES.setdefault(kind, Members(name, borrowed or is_borrowed(kind)))


def is_borrowed(kind: type) -> bool:
    """Whether a type is Python's or numpy's."""
    return kind.__module__.partition(".")[0] != "engine"


def read_attribute(value: Any, name: str) -> Any:
    """`value.name`, from the tables; a ProgramError with the nearest name where there is none."""
    if isinstance(value, Module):
        return _member(value, name)
    if isinstance(value, Ignored):
        return replace(value, name=f"{value.name}.{name}")
    for kind in type(value).__mro__:  # as `_tables`, which would take longer to call
        table = TABLES.get(kind)
        if table is None:
            continue
        if name in table.facts:
            return table.facts[name](value)
        if name in table.methods:
            return BoundMethod(table.methods[name], value)
    found = LOOKUPS[type(value)](value, name) if type(value) in LOOKUPS else MISSING
    if found is not MISSING:
        return found
    raise _no_attribute(value, name)


def method_in_tables(kind: type, name: str) -> Native | None:
    """The method that all values of a type have under a name; None where they have none, or each its own."""
    if issubclass(kind, (Module, Ignored)):
        return None
    tables = (TABLES[one] for one in kind.__mro__ if one in TABLES)
    first = next((table for table in tables if name in table.facts or name in table.methods), None)
    return None if first is None or name in first.facts else first.methods[name]


def write_attribute(value: Any, name: str, new: Any) -> None:
    """`value.name = new`, where the type allows it."""
    if isinstance(value, Ignored):
        return
    for table in _tables(value):
        if name in table.settable:
            table.settable[name](value, new)
            return
    if type(value) in WRITES:
        WRITES[type(value)](value, name, new)
        return
    raise RefusedError(
        f"`.{name}` of a {type_name(value)} cannot be set.",
        message_zh=f"不能设置 {type_name(value)} 的 `.{name}`。",
        code="refused_assignment",
    )


def _tables(value: Any) -> Iterator[Members]:
    for kind in type(value).__mro__:
        if kind in TABLES:
            yield TABLES[kind]


def names_behind(value: Any) -> list[str]:
    """The names that a value has behind the dot, in order."""
    own = NAMES_OF[type(value)](value) if type(value) in NAMES_OF else []
    return sorted({*own, *(name for table in _tables(value) for name in (*table.facts, *table.methods))})


def _member(module: Module, name: str) -> Any:
    if name in module.members:
        return module.members[name]
    full = f"{module.name}.{name}"
    known = _same_meaning(module, name) or nearest(name, module.members)
    hints = module.refused.get(name, None if known else module.others)
    if hints is not None:
        hint, hint_zh = hints
        raise RefusedError(
            f"`{full}` is not supported.",
            message_zh=f"不支持 `{full}`。",
            hint=hint,
            hint_zh=hint_zh,
            code="refused_name",
        )
    path = _path_meant(module, name)
    hint, hint_zh = module.gone[name] if name in module.gone else _module_hint(module, name, path)
    raise ProgramError(
        f"`{module.name}` has no member `{name}`.",
        message_zh=f"`{module.name}` 中没有 `{name}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_attribute",
        said=f"module '{_own_name(module.name)}' has no attribute '{name}'",
        instead=None if path is None or name in module.gone else (name, path),
    )


def _own_name(module: str) -> str:
    """What a module is called by Python, whatever a program calls it."""
    root, _, rest = module.partition(".")
    if root == "np":
        return f"numpy.{rest}" if rest else "numpy"
    return module if root != "tf" else f"tensorflow._api.v2.{rest}" if rest else "tensorflow"


def _path_meant(module: Module, name: str) -> str | None:
    """A name of the same meaning, a near one, or the same one further inside."""
    if name == module.name:
        return None
    near = nearest(name, module.members)
    inside = dict(_inside(module))
    return _same_meaning(module, name) or near or inside.get(name) or inside.get(nearest(name, inside) or "")


def _module_hint(module: Module, name: str, path: str | None) -> tuple[str, str]:
    """The name that was meant, or the module written twice."""
    if name == module.name:
        return f"`{name}.` is written twice.", f"`{name}.` 写了两次。"
    if path is None:
        return "", ""
    return f"Did you mean `{module.name}.{path}`?", f"是不是想写 `{module.name}.{path}`？"


def _same_meaning(module: Module, name: str) -> str | None:
    """Where a module keeps what a name means under another name; None where it has nothing of the kind."""
    return next((path for path in meant(name) if _has(module, path)), None)


def _has(module: Module, path: str) -> bool:
    name, _, rest = path.partition(".")
    member = module.members.get(name)
    return member is not None and (not rest or (isinstance(member, Module) and _has(member, rest)))


INNER_PATHS = "python"  # of TensorFlow: known, but nothing to advise


def _inside(module: Module, path: str = "") -> Iterator[tuple[str, str]]:
    for name, member in module.members.items():
        if isinstance(member, Module):
            yield from () if name == INNER_PATHS else _inside(member, f"{path}{name}.")
        elif path:
            yield name, path + name


def _no_attribute(value: Any, name: str) -> ProgramError:
    known = [known for table in _tables(value) for known in (*table.facts, *table.methods)]
    hint, hint_zh = did_you_mean(name, known, prefix=".")
    kind = type_name(value)
    return ProgramError(
        f"{a_kind(value, start=True)} has no attribute `{name}`.",
        message_zh=f"{kind} 没有属性 `{name}`。",
        hint=hint,
        hint_zh=hint_zh,
        code="unknown_attribute",
        said=f"'{python_name(value)}' object has no attribute '{name}'",
        instead=meant_instead(name, known),
    )
