"""`jax.tree` and `jax.tree_util`: functions of pytrees."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.operators import OWN_COMPARISONS, truth
from engine.languages.surfaces.jax.api.calling import trees
from engine.languages.surfaces.jax.core.trees import LEAF, Structure
from engine.languages.surfaces.left_out import takes_only

NOTHING = object()

SHOWN[Structure] = (Structure.text, Structure.text)
OWN_COMPARISONS[Structure] = lambda kind, left, right: (
    (left == right) == (kind.__name__ == "Eq") if kind.__name__ in ("Eq", "NotEq") else False
)
STRUCTURE = members_of(Structure, "PyTreeDef")
STRUCTURE.fact("num_leaves")(lambda structure: structure.count)
STRUCTURE.method("unflatten")(lambda structure, leaves: trees().unflatten(structure, list(leaves)))


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
    return trees().unflatten(treedef, list(leaves))


def tree_reduce(
    interpreter: Interpreter, function: Any, tree: Any, initializer: Any = NOTHING, is_leaf: Any = None
) -> Any:
    """The leaves put together by a function of two."""
    leaves = tree_leaves(interpreter, tree, is_leaf)
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


SHOWN[Step] = (lambda step: step.text, lambda step: step.shown)
STEP = members_of(Step, "key")
STEP.fact("key", "idx", "name")(lambda step: step.key)


def _paths(tree: Any, path: tuple[Step, ...]) -> list[tuple[tuple[Step, ...], Any]]:
    parts = trees().parts(tree)
    if parts is None:
        return [(path, tree)]
    kind, extra, children = parts
    found = []
    for index, child in enumerate(children):
        if kind is dict:
            key = extra[index]
            step = Step(f"[{to_repr(key)}]", f"DictKey(key={to_repr(key)})", key)
        elif extra is not None and isinstance(extra, tuple) and kind not in (list, tuple):
            step = Step(f".{extra[index]}", f"GetAttrKey(name={extra[index]!r})", extra[index])
        else:
            step = Step(f"[{index}]", f"SequenceKey(idx={index})", index)
        found.extend(_paths(child, (*path, step)))
    return found


@takes_only(is_leaf=(None,))
def tree_map_with_path(interpreter: Interpreter, f: Any, tree: Any, *rest: Any, is_leaf: Any = None) -> Any:
    """A function of each path and leaf."""
    leaves, structure = trees().flatten(tree)
    paths = [path for path, _ in _paths(tree, ())]
    others = [trees().up_to(structure, other) for other in rest]
    found = [interpreter.call(f, list(each), {}) for each in zip(paths, leaves, *others, strict=True)]
    return trees().unflatten(structure, found)


@takes_only(is_leaf=(None,))
def tree_leaves_with_path(tree: Any, is_leaf: Any = None) -> list[Any]:
    """The leaves with their paths."""
    return _paths(tree, ())


@takes_only(is_leaf=(None,))
def tree_flatten_with_path(tree: Any, is_leaf: Any = None) -> Any:
    """The leaves with their paths, and the structure."""
    return _paths(tree, ()), trees().flatten(tree)[1]


def keystr(keys: Any, **_: Any) -> str:
    """A path as text."""
    return "".join(step.text for step in keys)


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
    fixed = list(meta_fields or ())
    fields = (
        list(data_fields) if data_fields is not None else [f for f in nodetype.annotations if f not in fixed]
    )

    def apart(value: UserObject) -> Any:
        return [value.fields[f] for f in fields], tuple(value.fields[f] for f in fixed)

    def together(extra: Any, children: Any) -> Any:
        made = UserObject(nodetype, interpreter.next_serial(), interpreter)
        made.fields.update(zip(fields, children, strict=True))
        made.fields.update(zip(fixed, extra, strict=True))
        return made

    trees().own[nodetype] = (apart, together)
    return nodetype


def is_class(value: Any) -> bool:
    """Whether a value is a class of the program."""
    return isinstance(value, UserClass)


def is_leaf_structure(structure: Structure) -> bool:
    """Whether a structure is a single leaf."""
    return structure.kind is LEAF


# -- one vector of all leaves ------------------------------------------------------------------------


def ravel_pytree(interpreter: Interpreter, pytree: Any) -> Any:
    """All leaves as one vector, and the function that makes a tree of such a vector."""
    from engine.languages.surfaces.jax.core.values import aval_of, constant
    from engine.languages.surfaces.jax.lax.basics import convert, reshape, shape_of
    from engine.languages.surfaces.jax.lax.shapes import concatenate, slice_in_dim
    from engine.languages.surfaces.jax.numpy.promotion import promote_types

    leaves, structure = trees().flatten(pytree)
    values = [constant(leaf) for leaf in leaves]
    flat = [reshape(x, (aval_of(x).size,)) for x in promote_types(values)]
    vector = concatenate(flat, 0)

    def unravel(given: Any) -> Any:
        parts, start = [], 0
        for x in values:
            size = aval_of(x).size
            part = reshape(slice_in_dim(given, start, start + size), shape_of(x))
            parts.append(convert(part, aval_of(x).dtype))
            start += size
        return trees().unflatten(structure, parts)

    return vector, Native("unravel", unravel)


def partial(interpreter: Interpreter, func: Any, /, *args: Any, **keywords: Any) -> Native:
    """The function with some of its arguments given."""

    def call(*more: Any, **further: Any) -> Any:
        return interpreter.call(func, [*args, *more], {**keywords, **further})

    return Native("Partial", call)
