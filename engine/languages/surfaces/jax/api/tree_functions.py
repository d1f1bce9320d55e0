"""`jax.tree` and `jax.tree_util`: functions of pytrees."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OWN_COMPARISONS, truth
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.jax.api.calling import trees
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.trees import LEAF, Structure
from engine.languages.surfaces.python.data_classes import fields_of

NOTHING = object()

SHOWN[Structure] = (Structure.text, Structure.text)
OWN_COMPARISONS[Structure] = lambda kind, left, right: (
    (left == right) == (kind.__name__ == "Eq") if kind.__name__ in ("Eq", "NotEq") else False
)
STRUCTURE = members_of(Structure, "PyTreeDef")
STRUCTURE.fact("num_leaves")(lambda structure: structure.count)
STRUCTURE.fact("num_nodes")(lambda structure: structure.nodes)
STRUCTURE.method("children")(lambda structure: list(structure.children))
STRUCTURE.method("unflatten")(lambda structure, leaves: tree_unflatten(structure, leaves))


def _test(interpreter: Interpreter, is_leaf: Any) -> Any:
    if is_leaf is None:
        return None
    return lambda value: truth(interpreter.call(is_leaf, [value], {}))


def tree_map(interpreter: Interpreter, f: Any, tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """A function of each leaf, or of the leaves of several trees together."""
    leaves, structure = trees().flatten(tree, _test(interpreter, is_leaf))
    others = [trees().up_to(structure, other) for other in rest]
    found = [interpreter.call(f, list(each), {}) for each in zip(leaves, *others, strict=True)]
    return trees().unflatten(structure, found)


def tree_leaves(interpreter: Interpreter, tree: Any, is_leaf: Any = None) -> list[Any]:
    """The leaves in order."""
    return trees().flatten(tree, _test(interpreter, is_leaf))[0]


def tree_structure(interpreter: Interpreter, tree: Any, is_leaf: Any = None) -> Structure:
    """The structure without the leaves."""
    return trees().flatten(tree, _test(interpreter, is_leaf))[1]


def tree_flatten(interpreter: Interpreter, tree: Any, is_leaf: Any = None) -> tuple[list[Any], Structure]:
    """The leaves, and the structure."""
    return trees().flatten(tree, _test(interpreter, is_leaf))


def tree_unflatten(treedef: Any, leaves: Any) -> Any:
    """A tree of a structure and leaves."""
    given = list(leaves)
    if len(given) != treedef.count:
        few = len(given) < treedef.count
        got = f", got {len(given)}" if few else ""
        raise value_error(
            f"Too {'few' if few else 'many'} leaves for PyTreeDef; expected {treedef.count}{got}"
            + ("" if few else "."),
            f"这个结构需要 {treedef.count} 个叶子，但得到 {len(given)} 个。",
        )
    return trees().unflatten(treedef, given)


def tree_reduce(
    interpreter: Interpreter, function: Any, tree: Any, initializer: Any = NOTHING, is_leaf: Any = None
) -> Any:
    """The leaves put together by a function of two."""
    leaves = tree_leaves(interpreter, tree, is_leaf)
    if not leaves and initializer is NOTHING:
        raise type_error(
            "reduce() of empty iterable with no initial value", "空的 pytree 没有可以归并的叶子。"
        )
    total = leaves.pop(0) if initializer is NOTHING else initializer
    for leaf in leaves:
        total = interpreter.call(function, [total, leaf], {})
    return total


def tree_all(interpreter: Interpreter, tree: Any, *, is_leaf: Any = None) -> bool:
    """Whether all leaves hold."""
    return all(truth(leaf) for leaf in tree_leaves(interpreter, tree, is_leaf))


def tree_transpose(outer_treedef: Any, inner_treedef: Any, pytree_to_transpose: Any) -> Any:
    """A tree of trees the other way round."""
    leaves, _ = trees().flatten(pytree_to_transpose)
    if inner_treedef is None:
        first = trees().up_to(outer_treedef, pytree_to_transpose)[0]
        inner_treedef = trees().flatten(first)[1]
    inner = inner_treedef.count
    rows = [leaves[i : i + inner] for i in range(0, len(leaves), inner)]
    columns = [trees().unflatten(outer_treedef, [row[i] for row in rows]) for i in range(inner)]
    return trees().unflatten(inner_treedef, columns)


# -- paths -------------------------------------------------------------------------------------------


class Step:
    """One step of a path into a tree."""

    def __init__(self, text: str, shown: str, key: Any) -> None:
        self.text = text
        self.shown = shown
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.shown)


class DictKey(Step):
    """The key of a dict."""

    def __init__(self, key: Any) -> None:
        super().__init__(f"[{to_repr(key)}]", f"DictKey(key={to_repr(key)})", key)


class SequenceKey(Step):
    """The place in a list or tuple."""

    def __init__(self, idx: Any) -> None:
        super().__init__(f"[{idx}]", f"SequenceKey(idx={idx})", idx)


class GetAttrKey(Step):
    """The name of an item of a named tuple, or of a field."""

    def __init__(self, name: Any) -> None:
        super().__init__(f".{name}", f"GetAttrKey(name={name!r})", name)


class FlattenedIndexKey(Step):
    """The place among the children of a node of the program's own."""

    def __init__(self, key: Any) -> None:
        super().__init__(f"[<flat index {key}>]", f"FlattenedIndexKey(key={key})", key)


KEYS = {
    kind.__name__: Kind(kind.__name__, kind, (kind,))
    for kind in (DictKey, SequenceKey, GetAttrKey, FlattenedIndexKey)
}


for _kind in (DictKey, SequenceKey, GetAttrKey, FlattenedIndexKey):
    SHOWN[_kind] = (lambda step: step.text, lambda step: step.shown)
    TYPE_NAMES[_kind] = lambda step: type(step).__name__
    _table = members_of(_kind, "key")
    _table.fact("key", "idx", "name")(lambda step: step.key)


def _paths(tree: Any, path: tuple[Step, ...], is_leaf: Any = None) -> list[tuple[tuple[Step, ...], Any]]:
    parts = None if is_leaf is not None and is_leaf(tree) else trees().parts(tree)
    if parts is None:
        return [(path, tree)]
    kind, extra, children = parts
    found = []
    for step, child in zip(_steps(kind, extra, len(children)), children, strict=True):
        found.extend(_paths(child, (*path, step), is_leaf))
    return found


def _steps(kind: Any, extra: Any, count: int) -> list[Step]:
    """How each child of a node is reached."""
    if kind in (dict, OrderedDict):
        return [DictKey(key) for key in extra]
    if kind in (list, tuple):
        return [SequenceKey(index) for index in range(count)]
    names = trees().names.get(kind) if isinstance(kind, UserClass) else extra
    if names is not None and isinstance(names, tuple) and len(names) == count:
        return [name if isinstance(name, Step) else GetAttrKey(name) for name in names]
    return [FlattenedIndexKey(index) for index in range(count)]


def tree_map_with_path(interpreter: Interpreter, f: Any, tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """A function of each path and leaf."""
    test = _test(interpreter, is_leaf)
    leaves, structure = trees().flatten(tree, test)
    paths = [path for path, _ in _paths(tree, (), test)]
    others = [trees().up_to(structure, other) for other in rest]
    found = [interpreter.call(f, list(each), {}) for each in zip(paths, leaves, *others, strict=True)]
    return trees().unflatten(structure, found)


def tree_leaves_with_path(interpreter: Interpreter, tree: Any, is_leaf: Any = None) -> list[Any]:
    """The leaves with their paths."""
    return _paths(tree, (), _test(interpreter, is_leaf))


def tree_flatten_with_path(interpreter: Interpreter, tree: Any, is_leaf: Any = None) -> Any:
    """The leaves with their paths, and the structure."""
    test = _test(interpreter, is_leaf)
    return _paths(tree, (), test), trees().flatten(tree, test)[1]


def keystr(keys: Any, *, simple: Any = False, separator: Any = "") -> str:
    """A path as text; simple: the keys alone, with a separator between them."""
    return str(separator).join(str(step.key) if simple else step.text for step in keys)


# -- classes of the program --------------------------------------------------------------------------


def register_pytree_node(
    interpreter: Interpreter, nodetype: Any, flatten_func: Any, unflatten_func: Any, *_: Any
) -> None:
    """A class whose objects are nodes of trees."""

    def apart(value: Any) -> Any:
        children, extra = interpreter.call(flatten_func, [value], {})
        return list(children), extra

    def together(extra: Any, children: Any) -> Any:
        return interpreter.call(unflatten_func, [extra, tuple(children)], {})

    trees().own[nodetype] = (apart, together)


def register_pytree_node_class(interpreter: Interpreter, cls: Any) -> Any:
    """The same for a class with methods tree_flatten and tree_unflatten."""

    def apart(value: Any) -> Any:
        children, extra = interpreter.call(attribute_of(interpreter, value, "tree_flatten"), [], {})
        return list(children), extra

    def together(extra: Any, children: Any) -> Any:
        return interpreter.call(
            attribute_of(interpreter, cls, "tree_unflatten"), [extra, tuple(children)], {}
        )

    trees().own[cls] = (apart, together)
    return cls


def register_dataclass(
    interpreter: Interpreter, nodetype: Any = None, data_fields: Any = None, meta_fields: Any = None, **_: Any
) -> Any:
    """The same for a dataclass."""
    if nodetype is None:
        return Native(
            "register_dataclass", lambda cls: register_dataclass(interpreter, cls, data_fields, meta_fields)
        )
    static = [one.name for one in fields_of(nodetype) if one.is_static]
    fixed = static if meta_fields is None else list(meta_fields)
    fields = (
        [one.name for one in fields_of(nodetype) if one.init and one.name not in fixed]
        if data_fields is None
        else list(data_fields)
    )

    def apart(value: UserObject) -> Any:
        return [value.fields[f] for f in fields], tuple(value.fields[f] for f in fixed)

    def together(extra: Any, children: Any) -> Any:
        made = UserObject(nodetype, interpreter.next_serial(), interpreter)
        made.fields.update(zip(fields, children, strict=True))
        made.fields.update(zip(fixed, extra, strict=True))
        return made

    trees().own[nodetype] = (apart, together)
    trees().names[nodetype] = tuple(fields)
    return nodetype


def register_static(cls: Any) -> Any:
    """A class whose objects are nodes without leaves: they stand for themselves."""
    trees().own[cls] = (lambda value: ([], value), lambda value, children: value)
    return cls


def register_pytree_with_keys_class(interpreter: Interpreter, cls: Any) -> Any:
    """A class with methods tree_flatten_with_keys and tree_unflatten."""

    def apart(value: Any) -> Any:
        pairs, extra = interpreter.call(attribute_of(interpreter, value, "tree_flatten_with_keys"), [], {})
        trees().names[cls] = tuple(key for key, _ in pairs)
        return [child for _, child in pairs], extra

    def together(extra: Any, children: Any) -> Any:
        return interpreter.call(
            attribute_of(interpreter, cls, "tree_unflatten"), [extra, tuple(children)], {}
        )

    trees().own[cls] = (apart, together)
    return cls


def register_pytree_with_keys(
    interpreter: Interpreter,
    nodetype: Any,
    flatten_with_keys: Any,
    unflatten_func: Any,
    flatten_func: Any = None,
) -> None:
    """The same by functions."""

    def apart(value: Any) -> Any:
        pairs, extra = interpreter.call(flatten_with_keys, [value], {})
        trees().names[nodetype] = tuple(key for key, _ in pairs)
        return [child for _, child in pairs], extra

    def together(extra: Any, children: Any) -> Any:
        return interpreter.call(unflatten_func, [extra, tuple(children)], {})

    trees().own[nodetype] = (apart, together)


def all_leaves(interpreter: Interpreter, iterable: Any, is_leaf: Any = None) -> bool:
    """Whether each of several values is a leaf."""
    test = _test(interpreter, is_leaf)
    return all(trees().flatten(one, test)[1].kind is LEAF for one in iterable)


def treedef_is_leaf(treedef: Any) -> bool:
    """Whether a structure has one node: a leaf, or one without children."""
    return not _structure(treedef).children


def treedef_children(treedef: Any) -> list[Any]:
    """The structures below."""
    return list(_structure(treedef).children)


def _structure(value: Any) -> Structure:
    if not isinstance(value, Structure):
        raise TypeError
    return value


def tree_broadcast(interpreter: Interpreter, prefix_tree: Any, full_tree: Any, is_leaf: Any = None) -> Any:
    """A tree that ends early, each of its leaves repeated for all below."""
    structure = trees().flatten(full_tree, _test(interpreter, is_leaf))[1]
    return trees().unflatten(structure, trees().prefix(prefix_tree, structure))


def is_class(value: Any) -> bool:
    """Whether a value is a class of the program."""
    return isinstance(value, UserClass)


def is_leaf_structure(structure: Structure) -> bool:
    """Whether a structure is a single leaf."""
    return structure.kind is LEAF


# -- one vector of all leaves ------------------------------------------------------------------------


def check_vector(shape: tuple[int, ...], count: int) -> None:
    """Raises: ValueError for other than a vector of that many elements."""
    if len(shape) == 1 and shape[0] != count:
        raise value_error(
            f"Sum of sizes {count} must be equal to dimension 0 of the operand shape {list(shape)}",
            f"需要 {count} 个元素的向量，但形状是 {shape}。",
        )


def ravel_pytree(interpreter: Interpreter, pytree: Any) -> Any:
    """All leaves as one vector, and the function that makes a tree of such a vector."""
    from engine.languages.surfaces.jax.core.values import aval_of, constant
    from engine.languages.surfaces.jax.lax.basics import convert, reshape
    from engine.languages.surfaces.jax.lax.shapes import concatenate, split
    from engine.languages.surfaces.jax.numpy.promotion import promote_types

    leaves, structure = trees().flatten(pytree)
    values = [constant(leaf) for leaf in leaves]
    flat = [reshape(x, (aval_of(x).size,)) for x in values]
    if len({aval_of(x).dtype for x in values}) > 1:
        flat = promote_types(flat)
    vector = concatenate(flat, 0)

    def unravel(given: Any) -> Any:
        check_vector(aval_of(given).shape, aval_of(vector).size)
        parts = split(constant(given), [aval_of(x).size for x in values], 0)
        pairs = zip(parts, map(aval_of, values), strict=True)
        made = [convert(reshape(part, one.shape), one.dtype) for part, one in pairs]
        return trees().unflatten(structure, made)

    return vector, Native("unravel", unravel)


class Partial(Native):
    """A function with some of its arguments given, which are the leaves of a tree."""

    kind = "Partial"  # as the trees know it

    def __init__(self, interpreter: Interpreter, func: Any, args: Any, keywords: Any) -> None:
        super().__init__("Partial", self._call)
        self.interpreter = interpreter
        self.func, self.args, self.keywords = func, tuple(args), dict(keywords)

    def _call(self, *more: Any, **further: Any) -> Any:
        return self.interpreter.call(self.func, [*self.args, *more], {**self.keywords, **further})


PARTIAL = members_of(Partial, "Partial")
PARTIAL.fact("func")(lambda one: one.func)
PARTIAL.fact("args")(lambda one: one.args)
PARTIAL.fact("keywords")(lambda one: one.keywords)


def partial(interpreter: Interpreter, func: Any, /, *args: Any, **keywords: Any) -> Partial:
    """The function with some of its arguments given."""

    def parts(one: Partial) -> tuple[Any, Any]:
        return (one.args, one.keywords), one.func

    def made(function: Any, children: Any) -> Partial:
        return Partial(interpreter, function, *children)

    trees().own.setdefault(Partial.kind, (parts, made))
    return Partial(interpreter, func, args, keywords)
