"""Values in lists, tuples and dicts, one inside the other: TensorFlow's nested structures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.records import like
from engine.languages.surfaces.tensors import TensorShape


def flat(value: Any) -> Iterator[Any]:
    """The values that stand in lists, tuples and dicts; those of a dict in the order of its keys."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    if isinstance(value, (list, tuple)) and not isinstance(value, TensorShape):
        for item in value:
            yield from flat(item)
    else:
        yield value


def in_form(form: Any, values: Iterator[Any]) -> Any:
    """Values put into lists, tuples and dicts as `form` has its own."""
    if isinstance(form, dict):
        found = {key: in_form(form[key], values) for key in sorted(form)}
        return {key: found[key] for key in form}
    if isinstance(form, (list, tuple)):
        return like(form, [in_form(item, values) for item in form])
    return next(values)


def values_for(form: Any, given: Any, what: str) -> list[Any]:
    """The values of `given`, as many as `form` has.

    what: who gave them, for the message. Raises: ProgramError where there are more or fewer.
    """
    values, wanted = list(flat(given)), len(list(flat(form)))
    if len(values) != wanted:
        raise ProgramError(
            f"{what} gives {len(values)} values, but takes {wanted}.",
            message_zh=f"{what} 返回 {len(values)} 个值，但接收 {wanted} 个。",
            hint="A turn hands on to the next as many values, in the same order.",
            hint_zh="每一轮必须把同样多、同样顺序的值交给下一轮。",
            code="wrong_arguments",
        )
    return values
