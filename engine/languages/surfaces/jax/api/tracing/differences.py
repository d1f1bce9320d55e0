"""In what two pytrees of one function differ: their structures, and the types of their leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.trees import LEAF, Structure

LEAF_OF_CARRY = "a <class 'jax._src.core.ShapedArray'>"  # what a loop says of an array
LEAF_OF_BRANCH = "a pytree leaf"


def structure_differences(
    a: Structure, b: Structure, leaf: str, path: str = ""
) -> Iterator[tuple[str, str, str, str]]:
    """Where two structures differ: the path, what each has there, and why they do not match."""
    if a.kind != b.kind:
        yield path, _said(a, leaf), _said(b, leaf), "their Python types differ"
    elif len(a.children) != len(b.children) and a.kind is dict:
        here, there = (_counted(one, leaf) for one in (a, b))
        only = {*a.extra} ^ {*b.extra}
        reason = "the numbers of children do not match, with the symmetric difference of key sets: "
        yield path, here, there, reason + to_repr(only)
    elif len(a.children) != len(b.children):
        kind = a.kind.__name__ if isinstance(a.kind, type) else to_repr(a.kind)
        here, there = (f"a {kind} of length {len(one.children)}" for one in (a, b))
        yield path, here, there, "the lengths do not match"
    elif a.extra != b.extra:
        here, there = (f"{_said(one, leaf)} with pytree metadata {to_repr(one.extra)}" for one in (a, b))
        yield path, here, there, "the pytree node metadata does not match"
    else:
        for key, one, other in zip(_keys(a), a.children, b.children, strict=True):
            yield from structure_differences(one, other, leaf, path + key)


def _counted(one: Structure, leaf: str) -> str:
    count = len(one.children)
    return f"{_said(one, leaf)} with {count} child{'ren' if count != 1 else ''}"


def _said(one: Structure, leaf: str) -> str:
    """What stands at a node."""
    if one.kind is LEAF:
        return leaf
    kind = f"<class '{one.kind.__name__}'>" if isinstance(one.kind, type) else _of_program(one)
    return f"a {kind}"


def _of_program(one: Structure) -> str:
    return f"<class '__main__.{getattr(one.kind, 'name', one.kind)}'>"


def _keys(one: Structure) -> list[str]:
    """How each child is reached."""
    if one.kind is dict:
        return [f"[{to_repr(key)}]" for key in one.extra]
    if isinstance(one.extra, tuple) and len(one.extra) == len(one.children) and one.kind is not tuple:
        return [f".{name}" for name in one.extra]
    return [f"[{place}]" for place in range(len(one.children))]


def leaf_paths(one: Structure, path: str = "") -> list[str]:
    """How each leaf is reached."""
    if one.kind is LEAF:
        return [path]
    pairs = zip(_keys(one), one.children, strict=True)
    return [each for key, child in pairs for each in leaf_paths(child, path + key)]


def why_not(a: Aval, b: Aval) -> str:
    """In what two types differ."""
    dtypes, shapes = "the dtypes do not match", "the shapes do not match"
    if a.dtype != b.dtype and a.shape != b.shape:
        return f"{dtypes}, and {shapes}"
    return dtypes if a.dtype != b.dtype else shapes


def as_list(lines: Sequence[str], capital: bool = True) -> str:
    """One difference as a sentence, several as a list."""
    if len(lines) == 1:
        return f"{lines[0][0].upper()}{lines[0][1:]}." if capital else f"{lines[0]}."
    return "\n".join(f"  * {line}{'.' if line is lines[-1] else ';'}" for line in lines)
