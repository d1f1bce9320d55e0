"""What a call of a recorded turn was given, and whether another call is given the same.

A number or an array of the program may be another one where a constant of the call is made of it; everything
else has to be equal, and tensors have to come from the same place of the turn.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np

from engine.differentiation.tape import Tape
from engine.execution.eager.sameness import SMALL
from engine.graph import Node, Tensor, Variable

MOST_COMPARED = 4096  # elements of an array that is compared one by one
NUMBERS = frozenset({float, int})
LARGEST = 2**31  # of the whole numbers that are taken up as any other
PLAIN = frozenset({bool, int, str, type(None)})


class NotRecorded(Exception):  # not a mistake: a call that its nodes stand for
    """A call of which another one cannot be compared with it."""


class Kind(Enum):
    """How an argument is compared."""

    PLACE = "a tensor of this turn"
    TAPE = "a tape of this turn"
    SAME = "this very object"
    EQUAL = "an equal value"
    NUMBER = "any number of this type"
    ARRAY = "any array of this type and shape"
    BYTES = "an array of these elements"
    LISTED = "a list of such"


Pattern = tuple[Kind, Any]
PLACE, TAPE, SAME, EQUAL, NUMBER, ARRAY, BYTES, LISTED = Kind


def is_free(value: Any) -> bool:
    """Whether a constant may be made of it whose value is no part of the structure."""
    if type(value) in NUMBERS:
        return abs(value) < LARGEST or type(value) is float
    return type(value) is np.ndarray and not (value.dtype.kind in "iu" and value.size <= SMALL)


def pattern(value: Any, turn: Any, *, free: bool = False) -> Pattern:
    """How to compare an argument with the one of the same call in a later turn. Raises: NotRecorded."""
    if isinstance(value, Tensor):
        source = turn.source(value)
        return (PLACE, source) if isinstance(source, int) else (SAME, value)
    if isinstance(value, Tape):
        return TAPE, turn.place_of_tape(value)
    if type(value) in PLAIN or type(value) is float:
        return (NUMBER, type(value)) if free else (EQUAL, value)
    if type(value) is np.ndarray and value.dtype.kind in "fiub":
        if not free and value.size > MOST_COMPARED:
            raise NotRecorded
        return (ARRAY, (value.dtype, value.shape)) if free else (BYTES, _bytes(value))
    if type(value) in (list, tuple):
        return LISTED, (type(value), tuple(pattern(item, turn) for item in value))
    if isinstance(value, (Variable, Node)) or _is_frozen(value):
        return SAME, value
    raise NotRecorded


def _is_frozen(value: Any) -> bool:
    """Whether it is a record that never changes, such as an element type."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return parameters is not None and bool(parameters.frozen)


def _bytes(array: Any) -> Any:
    return array.dtype, array.shape, array.tobytes()


def fits(known: Pattern, value: Any, turn: Any) -> bool:
    """Whether an argument is the same in this turn."""
    kind, what = known
    if kind is PLACE:
        return turn.tensors[what] is value
    if kind is SAME:
        return value is what
    if kind is EQUAL:
        return type(value) is type(what) and value == what and (value != 0 or repr(value) == repr(what))
    if kind is NUMBER:
        return type(value) is what and is_free(value)
    if kind is ARRAY:
        return type(value) is np.ndarray and value.dtype == what[0] and value.shape == what[1]
    if kind is LISTED:
        if type(value) is not what[0] or len(value) != len(what[1]):
            return False
        for one, item in zip(what[1], value, strict=True):  # noqa: SIM110  # `all` takes longer
            if not fits(one, item, turn):
                return False
        return True
    if kind is TAPE:
        return turn.opened[what] is value
    return type(value) is np.ndarray and _bytes(value) == what
