"""The nodes of a side as they are matched: which attributes make a node another one, and which follow."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np

from engine.graph import Node
from engine.graph.matching import PlainGraph, PlainNode
from engine.graph.matching.changes import INITIAL, VALUE
from engine.ops.base.tensors import FIXED, array_dtype
from engine.programs.differences.sides import Side

STAGES: Mapping[str, int] = {"forward": 0, "gradient": 1}
AFTERWARDS = 2  # of updates, of what processes gradients, and of all that is made later
NAMES = frozenset({"_class", "_output_shapes", "container", "frame_name", "shared_name", "stack_name"})
COUNTS = frozenset({"N"})  # how many inputs there are


def plain_graph(side: Side) -> PlainGraph:
    """The graph of a side, its nodes in their order."""
    places = {item.node: place for place, item in enumerate(side.seen)}

    def plain(item: Any) -> PlainNode:
        node: Node = item.node
        return PlainNode(
            node.name,
            node.op.name,
            tuple((places[tensor.node], tensor.index) for tensor in item.inputs),
            tuple(places[waited] for waited in item.control_inputs),
            dict(_facts(node, side)),
            tuple((tensor.dtype, tensor.shape) for tensor in node.outputs),
            STAGES.get(node.phase, AFTERWARDS),
            places.get(node.of) if node.of is not None else None,
            side.names.get(node),
        )

    return PlainGraph(plain(item) for item in side.seen)


def _facts(node: Node, side: Side) -> Iterator[tuple[str, Hashable]]:
    """Attributes without what is only a name, and without types that follow from the inputs."""
    following = set(node.op.types) | {"T"} if node.inputs else set()
    for name, value in node.attrs.items():
        if name not in NAMES and name not in COUNTS and name not in following:
            yield name, hashable(constant_of(node) if name == VALUE else value)
    if node in side.initial:
        yield INITIAL, hashable(side.initial[node])


def constant_of(node: Node) -> Any:
    """A constant's value as an array of its type, however it was written."""
    value, dtype = node.attrs["value"], node.attrs.get("dtype")
    return np.asarray(value, array_dtype(dtype)) if isinstance(dtype, str) and dtype in FIXED else value


def hashable(value: Any) -> Hashable:
    """A value of an attribute as something equal values have in common: of arrays type, shape and bytes."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O":
            return "text", value.shape, tuple(map(repr, value.reshape(-1).tolist()))
        return value.dtype.str, value.shape, np.ascontiguousarray(value).tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(map(hashable, value))
    if isinstance(value, (bool, int, float, np.generic)):
        return type(value).__name__, repr(value)
    return value if value is None or isinstance(value, (str, bytes)) else type(value).__name__
