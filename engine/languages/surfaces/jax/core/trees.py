"""Pytrees: nested lists, tuples, dicts and named tuples as their leaves and a structure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import ndiff
from typing import Any

from engine.languages.interpreter.builtins.records import Record
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.values import python_name
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

    @property
    def nodes(self) -> int:
        """How many nodes there are, leaves among them."""
        return 1 + sum(child.nodes for child in self.children)

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
        if self.kind is OrderedDict:
            return f"CustomNode(OrderedDict[{to_repr(self.extra)}], [{', '.join(inner)}])"
        name = getattr(self.kind, "name", str(self.kind))
        if isinstance(self.extra, _RecordFields):
            return f"CustomNode(namedtuple[{name}], [{', '.join(inner)}])"
        return f"CustomNode({name}[{to_str(self.extra)}], [{', '.join(inner)}])"


class _RecordFields(tuple[str, ...]):
    """The names of the items of a named tuple."""


THE_LEAF = Structure(LEAF, None, ())
NONE = Structure(type(None), None, ())

# Types of programs that JAX knows of: what takes an object apart, and what puts one together.
Nodes = dict[Any, tuple[Callable[[Any], tuple[Sequence[Any], Any]], Callable[[Any, Sequence[Any]], Any]]]


class Trees:
    """Takes pytrees apart.

    own:   the types of nodes that the program has registered, by their class.
    names: how the children of some of them are reached.
    """

    def __init__(self) -> None:
        self.own: Nodes = {}
        self.names: dict[Any, tuple[Any, ...]] = {}

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

    def prefix(self, value: Any, structure: Structure, path: str = "tree_map tree") -> list[Any]:
        """The leaves of a tree that may end early, one for each leaf of the structure below.

        path: how it is called in messages. Raises: ValueError where it is a tree of another form.
        """
        found = self.parts(value)
        if value is None or found is None:
            return [value] * structure.count
        kind, extra, children = found
        own = Structure(kind, extra, (THE_LEAF,) * len(children))
        top = path.partition("[")[0]
        if kind != structure.kind:
            whole = "jax._src.api_util.PytreeLeaf" if structure.kind is LEAF else _name(structure.kind)
            raise different_kinds(path, kind, whole, top)
        if len(children) != len(structure.children):
            raise different_counts(path, own, len(structure.children), structure.extra, top)
        if extra != structure.extra:
            raise different_keys(path, own, structure.extra, top)
        steps = zip(children, structure.children, self._places(structure), strict=True)
        return [leaf for child, inner, at in steps for leaf in self.prefix(child, inner, f"{path}{at}")]

    def up_to(self, structure: Structure, value: Any, path: str = "tree_map tree") -> list[Any]:
        """What stands where a structure has leaves. Raises: ValueError where the value has another one."""
        if structure.kind is LEAF:
            return [value]
        found = self.parts(value)
        kind, extra, children = found or (LEAF, None, ())
        if kind != structure.kind:
            raise different_kinds(path, structure.kind, python_name(value))
        if len(children) != len(structure.children):
            raise different_counts(path, structure, len(children), extra)
        if extra != structure.extra:
            raise different_keys(path, structure, extra)
        pairs = zip(self._places(structure), structure.children, children, strict=True)
        return [leaf for at, inner, child in pairs for leaf in self.up_to(inner, child, f"{path}{at}")]

    def _places(self, structure: Structure) -> list[str]:
        """How each child is reached: `['w']`, `[0]` or `.w`."""
        if structure.kind is dict:
            return [f"[{to_repr(key)}]" for key in structure.extra]
        if isinstance(structure.extra, _RecordFields):
            return [f".{name}" for name in structure.extra]
        return [f"[{place}]" for place in range(len(structure.children))]


# -- two trees that differ ---------------------------------------------------------------------------


def _name(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else getattr(kind, "name", str(kind))


PREFIX = "At that key path, the prefix pytree {top} has a subtree of type"
FULL = "but at the same key path the full pytree has a subtree of"


def _differ(what: str, path: str, said: str, said_zh: str, top: str) -> Exception:
    error: Exception = value_error(
        f"pytree structure error: different {what} at key path\n    {path}\n{PREFIX.format(top=top)}{said}",
        f"两个 pytree 的结构不同：在 {path} 处{said_zh}。",
    )
    return error


def different_kinds(path: str, kind: Any, found: str, top: str = "tree_map tree") -> Exception:
    """A list stands where another tree has a tuple, and the like."""
    said = f"\n    <class '{_name(kind)}'>\n{FULL} different type\n    <class '{found}'>."
    return _differ("types", path, said, f"一个是 {_name(kind)}，另一个是 {found}", top)


def different_counts(
    path: str, structure: Structure, count: int, keys: Any, top: str = "tree_map tree"
) -> Exception:
    """A list is longer than that of another tree, or a dict has more keys."""
    kind, wanted = _name(structure.kind), len(structure.children)
    said_zh = f"一个有 {wanted} 项，另一个有 {count} 项"
    if structure.kind is not dict:
        short = FULL.replace("at the same key path ", "")
        said = f" {kind} of length {wanted}, {short} the same type but of length {count}."
        return _differ(f"lengths of {kind}", path, said, said_zh, top)
    differ = sorted(set(structure.extra) ^ set(keys), key=str)
    mine, other, between = (" ".join(map(str, some)) for some in (structure.extra, keys, differ))
    said = (
        f"\n    <class 'dict'>\nwith {wanted} child keys\n    {mine}\n{FULL} the same type but with {count} "
        f"child keys\n    {other}\nso the symmetric difference on key sets is\n    {between}"
    )
    return _differ("numbers of pytree children", path, said, said_zh, top)


def different_keys(path: str, structure: Structure, keys: Any, top: str = "tree_map tree") -> Exception:
    """A dict has as many keys as that of another tree, but others."""
    mine, other = to_repr(structure.extra), to_repr(keys)
    compared = "\n".join(
        f"    {line}" for line in ndiff([mine], [other])
    )  # one with marks ends its line itself
    said = (
        f"\n    <class '{_name(structure.kind)}'>\nwith metadata\n    {mine}\n{FULL} the same type but with "
        f"metadata\n    {other}\nso the diff in the metadata at these pytree nodes is\n{compared}"
    )
    return _differ("pytree metadata", path, said, f"的键一个是 {mine}，另一个是 {other}", top)


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
