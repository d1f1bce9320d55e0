"""Functions that are given references: what they leave in them is a result of what is traced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import function_name, trees
from engine.languages.surfaces.jax.api.references.reference import Ref, check_inside
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.trees import Structure


def cells_among(leaves: Sequence[Any]) -> dict[int, Ref]:
    """The references among arguments, by their places. Raises: ValueError where one is there twice."""
    found = {place: leaf for place, leaf in enumerate(leaves) if isinstance(leaf, Ref)}
    check_once(list(found.values()))
    return found


def check_once(cells: Sequence[Ref]) -> None:
    """Raises: ValueError for a reference that a function reaches in two ways."""
    if len({id(cell.here()) for cell in cells}) < len(cells):
        said = "only one reference to a mutable array may be passed to a traced function"
        raise value_error(
            said,
            "同一个引用只能传给被追踪的函数一次。",
            "Give the reference once, or use it from outside.",
            "请只传一次，或直接使用外面的引用。",
        )


def without_cells(leaves: Sequence[Any], cells: Mapping[int, Ref]) -> list[Any]:
    """The arguments with the array of each of these references in its place."""
    return [cells[i].here().value if i in cells else leaf for i, leaf in enumerate(leaves)]


def taking_arrays(
    interpreter: Interpreter, function: Any, cells: Sequence[int], known: Mapping[int, Ref]
) -> Native:
    """The function of arrays in place of references, which gives its result, and what it leaves in them.

    known: references that it is given as they are.
    """

    def call(*args: Any, **keywords: Any) -> Any:
        leaves, structure = trees().flatten((tuple(args), keywords))
        made = [Ref(x) if i in cells else known.get(i, x) for i, x in enumerate(leaves)]
        positional, named = trees().unflatten(structure, made)
        result = interpreter.call(function, list(positional), named)
        return result, tuple(made[i].value for i in cells)

    return Native(function_name(function), call)


def leave(cells: Sequence[Ref], values: Sequence[Any]) -> None:
    """Put what a function left into the references that it was given, or used from outside."""
    for cell, value in zip(cells, values, strict=True):
        inner = cell.here()
        check_inside(inner, value)
        inner.value, inner.is_written = value, True


def leaving(
    interpreter: Interpreter,
    on_arrays: Native,
    structure: Structure,
    leaves: Sequence[Any],
    cells: Mapping[int, Ref],
    kept: Mapping[int, Ref],
) -> Any:
    """The result of a function that takes arrays for some references, which then hold what it left in them.

    kept: references that it was given as they are: a number takes the place of each.
    """
    arrays = [0 if i in kept else x for i, x in enumerate(without_cells(leaves, cells))]
    positional, named = trees().unflatten(structure, arrays)
    result, left = on_arrays.call(interpreter, list(positional), named)
    leave(tuple(cells.values()), left)
    return result


def no_jaxpr() -> ProgramError:
    """The refusal to write a jaxpr with references, which here are arrays that go in and come out."""
    return ProgramError(
        "A function that takes or uses references from outside has no jaxpr here.",
        message_zh="使用外面引用的函数在这里没有 jaxpr。",
        hint="Call it: jax.jit(f)(x) runs it.",
        hint_zh="请直接调用：jax.jit(f)(x) 可以运行它。",
        code="unsupported",
    )


def used_from_outside(jaxpr: Jaxpr, given: Sequence[Ref]) -> list[Any]:
    """The arrays in the references from outside that a traced function used: its last arguments."""
    cells = [cell for cell, _ in jaxpr.cells]
    if cells and given:
        check_once([*cells, *given])
    return [cell.here().value for cell in cells]
