"""`tf.nest`: lists, tuples and dicts of tensors, taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.structures import flat, in_form


def flatten(structure: Any, expand_composites: Any = False) -> list[Any]:
    """`tf.nest.flatten`: the values in a row."""
    return list(flat(structure))


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: Any = False) -> Any:
    """`tf.nest.pack_sequence_as`: a row of values as a structure."""
    values = list(flat_sequence)
    if len(values) != len(flatten(structure)):
        raise _other_count(len(flatten(structure)), len(values))
    return in_form(structure, iter(values))


def map_structure(interpreter: Interpreter, func: Any, *structure: Any) -> Any:
    """`tf.nest.map_structure`: a function of the values at the same places of structures."""
    rows = [flatten(one) for one in structure]
    if len({len(row) for row in rows}) != 1:
        raise _other_count(len(rows[0]) if rows else 0, len(rows[-1]) if rows else 0)
    found = [interpreter.call(func, list(values), {}) for values in zip(*rows, strict=True)]
    return in_form(structure[0], iter(found))


def _other_count(wanted: int, given: int) -> ProgramError:
    return ProgramError(
        f"The structure holds {wanted} values, but {given} are given.",
        message_zh=f"该结构包含 {wanted} 个值，但给了 {given} 个。",
        code="bad_value",
    )


MEMBERS: dict[str, Callable[..., Any]] = {
    "nest.flatten": flatten,
    "nest.pack_sequence_as": pack_sequence_as,
    "nest.map_structure": map_structure,
    "nest.is_nested": lambda structure: isinstance(structure, (list, tuple, dict)),
}
