"""What requests are made of: names, tensors, tables; of bounded lengths, and refused at the first mistake."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, WithJsonSchema
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

T = TypeVar("T")

NAMES_FOR_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
MAX_NAME = 1_000  # characters
MAX_NAMES = 1_000  # variables, placeholders or tables that one request gives values for
MAX_ARGUMENTS = 64  # of an optimizer, a schedule or a step in between
MAX_FEW = 16  # steps in between, or indices
MAX_RANK = 32  # lists within lists of a tensor
MAX_ITEMS = 1_000_000  # of one list of a tensor
MAX_LINES = 1_000  # that `input()` reads
MAX_LINE = 10_000  # characters of one
MAX_DATA_CHARACTERS = 1_000_000
MAX_SOURCE_CHARACTERS = 2_000_000  # a program over 256 kB is refused in its answer, not here


def check_tensor(value: Any, axes_left: int = MAX_RANK) -> Any:
    """A number, or lists of numbers within lists; the three texts that stand for what JSON cannot hold."""
    if isinstance(value, list):
        if not axes_left:
            raise PydanticCustomError("tensor_too_deep", "too deep")
        check_length(value, MAX_ITEMS)
        return [item if type(item) is float else check_tensor(item, axes_left - 1) for item in value]
    if isinstance(value, str) and value in NAMES_FOR_NOT_FINITE:
        return NAMES_FOR_NOT_FINITE[value]
    if not isinstance(value, int | float):
        raise PydanticCustomError("tensor_type", "not a tensor")
    return value


def check_table(value: Any) -> Any:
    """Numbers in nested lists, or CSV text."""
    if isinstance(value, str) and value not in NAMES_FOR_NOT_FINITE:
        if len(value) > MAX_DATA_CHARACTERS:
            raise PydanticCustomError("table_too_long", "too long")
        return value
    return check_tensor(value)


def check_argument(value: Any) -> Any:
    """What an optimizer's or a schedule's argument may be: a text, null, or a tensor as it was written."""
    if isinstance(value, str):
        if len(value) > MAX_NAME:
            raise PydanticKnownError("string_too_long", {"max_length": MAX_NAME})
    elif value is not None:
        check_tensor(value)
    return value


def check_length(value: Any, limit: int) -> Any:
    """Refuse a list or an object with more items than that before any of them is looked at."""
    if isinstance(value, list | dict) and len(value) > limit:
        raise PydanticKnownError("too_long", too_long(len(value), limit))
    return value


def at_most(limit: int) -> BeforeValidator:
    """`check_length`, as a type's annotation."""
    return BeforeValidator(lambda value: check_length(value, limit))


def too_long(length: int, limit: int) -> dict[str, Any]:
    """The context of the error for a list or an object with too many items."""
    return {"field_type": "List", "max_length": limit, "actual_length": length}


def refuse_unknown(fields: Mapping[str, bool], value: Any) -> Any:
    """Refuse an object with an entry that is no field, before any other entry is looked at.

    fields: by name, whether it is required; a missing one is the first mistake all the same.
    """
    if isinstance(value, dict):
        unknown = next((name for name in value if name not in fields), None)
        if unknown is not None:
            missing = next(
                (name for name, required in fields.items() if required and name not in value), None
            )
            raise (
                mistake_at(unknown, "extra_forbidden") if missing is None else mistake_at(missing, "missing")
            )
    return value


def mistake_at(name: str, kind: str) -> ValidationError:
    """One mistake, in the entry of this name."""
    found: InitErrorDetails = {"type": kind, "loc": (name,), "input": None}
    return ValidationError.from_exception_data("request", [found])


Numbers = {"anyOf": [{"type": "number"}, {"type": "array", "items": {}}]}
Name = Annotated[str, Field(max_length=MAX_NAME)]
Line = Annotated[str, Field(max_length=MAX_LINE)]
Tensor = Annotated[Any, AfterValidator(check_tensor), WithJsonSchema(Numbers)]
DataSet = Annotated[
    Any, AfterValidator(check_table), WithJsonSchema({"anyOf": [*Numbers["anyOf"], {"type": "string"}]})
]
Argument = Annotated[Any, AfterValidator(check_argument), WithJsonSchema({})]
ByName = Annotated[dict[Name, T], Field(fail_fast=True, max_length=MAX_NAMES), at_most(MAX_NAMES)]
Arguments = Annotated[dict[Name, T], Field(fail_fast=True, max_length=MAX_ARGUMENTS), at_most(MAX_ARGUMENTS)]
Few = Annotated[list[T], Field(fail_fast=True, max_length=MAX_FEW)]  # of what a request names a few of
