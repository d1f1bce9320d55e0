"""Pytrees: nested lists, tuples, dicts and named tuples as their leaves and a structure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from engine.languages.interpreter.builtins.records import Record
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.jax.core.errors import value_error

LEAF = "leaf"


class Structure:
    """The structure of a pytree: its kind, what else it holds beside its children, and these."""

    __slots__ = ("children", "extra", "kind")

    def __init__(self, kind: Any, extra: Any, children: tuple[Structure, ...]) -> None:
        self.kind = kind
        self.extra = extra
        self.children = children

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Structure)
            and self.kind == other.kind
            and self.extra == other.extra
            and self.children == other.children
        )

    def __hash__(self) -> int:
        return hash((str(self.kind), self.children))

    @property
    def count(self) -> int:
        """How many leaves there are."""
        return 1 if self.kind is LEAF else sum(child.count for child in self.children)

    def text(self) -> str:
        """As JAX writes it."""
        return f"PyTreeDef({self._inside()})"

    def _inside(self) -> str:
        if self.kind is LEAF:
            return "*"
        inner = [child._inside() for child in self.children]
        if self.kind is type(None):
            return "None"
        if self.kind is list:
            return f"[{', '.join(inner)}]"
        if self.kind is tuple:
            return f"({inner[0]},)" if len(inner) == 1 else f"({', '.join(inner)})"
        if self.kind is dict:
            pairs = zip(self.extra, inner, strict=True)
            return "{" + ", ".join(f"{to_repr(key)}: {text}" for key, text in pairs) + "}"
        name = getattr(self.kind, "name", str(self.kind))
        if isinstance(self.extra, _RecordFields):
            return f"CustomNode(namedtuple[{name}], [{', '.join(inner)}])"
        return f"CustomNode({name}[{to_repr(self.extra)}], [{', '.join(inner)}])"


class _RecordFields(tuple[str, ...]):
    """The names of the items of a named tuple."""


THE_LEAF = Structure(LEAF, None, ())
NONE = Structure(type(None), None, ())

# Types of programs that JAX knows of: what takes an object apart, and what puts one together.
Nodes = dict[Any, tuple[Callable[[Any], tuple[Sequence[Any], Any]], Callable[[Any, Sequence[Any]], Any]]]


class Trees:
    """Takes pytrees apart. own: the types of nodes that the program has registered, by their class."""

    def __init__(self) -> None:
        self.own: Nodes = {}

    def parts(self, value: Any) -> tuple[Any, Any, Sequence[Any]] | None:
        """The kind, the rest and the children of a node; None for a leaf."""
        if value is None:
            return type(None), None, ()
        if isinstance(value, Record):
            return value.kind, _RecordFields(value.kind.fields), tuple(value)
        if type(value) is list or type(value) is tuple:
            return type(value), None, value
        if type(value) is dict:
            keys = sorted_keys(value)
            return dict, keys, [value[key] for key in keys]
        if type(value) is OrderedDict:
            return OrderedDict, tuple(value), list(value.values())
        kind = getattr(value, "kind", None)
        found = self.own.get(kind) if kind is not None and _hashable(kind) else None
        if found is None:
            return None
        children, extra = found[0](value)
        return kind, extra, children

    def flatten(
        self, value: Any, is_leaf: Callable[[Any], bool] | None = None
    ) -> tuple[list[Any], Structure]:
        """The leaves in order, and the structure."""
        leaves: list[Any] = []
        return leaves, self._flatten(value, leaves, is_leaf)

    def _flatten(self, value: Any, leaves: list[Any], is_leaf: Any) -> Structure:
        found = None if is_leaf is not None and is_leaf(value) else self.parts(value)
        if found is None:
            leaves.append(value)
            return THE_LEAF
        kind, extra, children = found
        return Structure(kind, extra, tuple(self._flatten(child, leaves, is_leaf) for child in children))

    def unflatten(self, structure: Structure, leaves: Iterable[Any]) -> Any:
        """The pytree of a structure with these leaves."""
        return self._build(structure, iter(leaves))

    def _build(self, structure: Structure, leaves: Iterator[Any]) -> Any:
        kind = structure.kind
        if kind is LEAF:
            return next(leaves)
        children = [self._build(child, leaves) for child in structure.children]
        if kind is type(None):
            return None
        if kind in (list, tuple):
            return kind(children)
        if kind in (dict, OrderedDict):
            return kind(zip(structure.extra, children, strict=True))
        if isinstance(structure.extra, _RecordFields):
            return Record(kind, children)
        return self.own[kind][1](structure.extra, children)

    def prefix(self, value: Any, structure: Structure) -> list[Any]:
        """The leaves of a tree that may end early, one for each leaf of the structure below."""
        if structure.kind is LEAF:
            return [value]
        found = self.parts(value)
        if value is None or found is None:
            return [value] * structure.count
        kind, _, children = found
        if kind != structure.kind or len(children) != len(structure.children):
            raise value_error(
                "pytree structure error: the prefix does not match the pytree.",
                "pytree 结构不一致：前缀与完整的 pytree 不匹配。",
            )
        pairs = zip(children, structure.children, strict=True)
        return [leaf for child, inner in pairs for leaf in self.prefix(child, inner)]

    def up_to(self, structure: Structure, value: Any, path: str = "tree_map tree") -> list[Any]:
        """What stands where a structure has leaves. Raises: ValueError where the value has another one."""
        if structure.kind is LEAF:
            return [value]
        found = self.parts(value)
        kind, extra, children = found or (LEAF, None, ())
        if kind != structure.kind:
            raise value_error(
                f"Expected {_name(structure.kind)}, got {to_repr(value)}.",
                f"pytree 结构不一致：应为 {_name(structure.kind)}。",
            )
        if len(children) != len(structure.children):
            raise value_error(
                f"{_name(kind)} arity mismatch: {len(children)} != {len(structure.children)}; "
                f"{_name(kind)}: {to_repr(value)}.",
                f"pytree 结构不一致：{_name(kind)} 的长度不同。",
            )
        if extra != structure.extra:
            raise value_error(
                f"{_name(kind)} key mismatch; expected keys: {to_repr(list(structure.extra))}, "
                f"{_name(kind)}: {to_repr(value)}.",
                "pytree 结构不一致：字典的键不同。",
            )
        pairs = zip(structure.children, children, strict=True)
        return [leaf for inner, child in pairs for leaf in self.up_to(inner, child, path)]


KIND_NAMES: dict[Any, str] = {list: "List", tuple: "Tuple", dict: "Dict"}


def _name(kind: Any) -> str:
    if kind is LEAF:
        return "a leaf"
    if isinstance(kind, type):
        return KIND_NAMES.get(kind) or kind.__name__
    return getattr(kind, "name", str(kind))


def _hashable(kind: Any) -> bool:
    return getattr(type(kind), "__hash__", None) is not None


def sorted_keys(value: dict[Any, Any]) -> tuple[Any, ...]:
    """The keys of a dict in order. Raises: ValueError where they cannot be compared."""
    try:
        return tuple(sorted(value))
    except TypeError:
        raise value_error(
            "Comparator raised exception while sorting pytree dictionary keys.",
            "无法对 pytree 字典的键排序。",
        ) from None
