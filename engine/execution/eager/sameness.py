"""What makes a node the same one when a program comes by its place again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine.graph import Node, Tensor
from engine.ops.base.definition import OpDef

SMALL = 16  # elements of an integer constant that belong to the structure: an axis, a shape, an index
PASSING = frozenset({"seed", "seed2", "_gradient_op_type"})  # attributes that differ from turn to turn
NUMBER_AT_END = re.compile(r"(_\d+)?/?$")


@lru_cache(maxsize=1024)
def own_name(name: str) -> str:
    """The last part of a name, without what makes it different from turn to turn."""
    return NUMBER_AT_END.sub("", name).rpartition("/")[2]


def origins_of(tensors: Sequence[Tensor]) -> tuple[Any, ...]:
    """Where a node's inputs come from."""
    return tuple([(tensor.node.index, tensor.index, tensor.shape) for tensor in tensors])


def kind_of(op: OpDef, inputs: Sequence[Tensor], facts: Any) -> Any:
    """What decides the types and shapes of a node's outputs, and what its run costs; None where more may."""
    if not op.deciding:
        return None if op.deciding is None else (op, facts, *[(one.dtype, one.shape) for one in inputs])
    values = [inputs[place].node for place in op.deciding]
    if any(node.op.name != "Const" or node.attrs["value"].size > SMALL for node in values):
        return None
    decide = [node.attrs["value"].tobytes() for node in values]
    return (op, facts, *[(one.dtype, one.shape) for one in inputs], *decide)


def always_same(nodes: Sequence[Node]) -> dict[Node, None]:
    """The nodes that depend on nothing but constants of the same call."""
    same: dict[Node, None] = {}
    for node in nodes:
        fixed = all(tensor.node in same for tensor in node.inputs)
        if fixed and not node.op.stateful and not node.op.writes and not node.op.draws:
            same[node] = None
    return same


def facts_of(attributes: Mapping[str, Any], phase: str, *, is_data: bool = False) -> Any:
    """What of a node's attributes is its structure: all but the numbers of the program's constants.

    is_data: whether a constant holds numbers of a tensor, so that none of them is an axis or a shape.
    """
    if "value" in attributes:
        array = np.asarray(attributes["value"])
        structural = (
            not is_data
            and array.size <= SMALL
            and ((phase == "gradient" and array.dtype != object) or array.dtype.kind in "iu")
        )
        return array.dtype, array.shape, array.tobytes() if structural else b""
    facts = tuple(item for item in attributes.items() if item[0] not in PASSING)
    try:
        hash(facts)
    except TypeError:
        return repr(facts)
    return facts
