"""Updates that are alike, done at once: the arrays of several variables, laid end to end.

An optimizer takes the same dozen steps for every weight and bias, element by element. On one array that
holds them all, each of these steps is one call instead of one for every variable.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.execution.interpreter.buffers import variable_behind
from engine.execution.interpreter.plan import Plan
from engine.execution.tracing.tracer import Lengths, Tracer
from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array

ELEMENT_BY_ELEMENT = frozenset({"ufunc", "where", "cast", "pack"})  # kinds that do not mind the layout


@dataclass(slots=True, eq=False)
class Pack:
    """The values of several variables as one array.

    whole: before the update; after: after it. parts: each variable's own value before, a part of `whole`.
    """

    whole: Tracer
    parts: tuple[Tracer, ...]
    after: Any = None


def alike(plan: Plan, state: Collection[Node], record: Collection[Tensor]) -> dict[Node, tuple[Node, ...]]:
    """For each update that may be done together with others, all of these, in order.

    They are the same op with the same parameters and the same numbers, on different arrays of one type;
    and nothing of the same step looks at what they write.
    """
    nodes = [step for step in plan.steps if isinstance(step, Node)]
    used = {tensor for node in nodes for tensor in node.inputs} | set(record)
    watched = set(_watched(nodes, plan))
    groups: dict[Any, list[Node]] = {}
    for node in nodes:
        variables = [node.inputs[index].node for index in node.op.writes]
        alone = not variables or node.op.name == "Assign" or not used.isdisjoint(node.outputs)
        if not alone and watched.isdisjoint(variables) and all(variable in state for variable in variables):
            key = _likeness(node)
            if key is not None:
                groups.setdefault(key, []).append(node)
    return {node: tuple(group) for group in groups.values() if len(group) > 1 for node in group}


def _watched(nodes: Sequence[Node], plan: Plan) -> Iterator[Node]:
    """Variables that are read by a node after their update in the same step, or updated twice."""
    written: set[Node] = set()
    for node in nodes:
        for position, tensor in enumerate(node.inputs):
            variable = variable_behind(tensor)
            if variable is None:
                continue
            if position in node.op.writes:
                if variable in written:
                    yield variable
                written.add(variable)
            elif variable in plan.sees_written[node]:
                yield variable


def _likeness(node: Node) -> Any:
    """What updates have in common that can be done at once; None where one stands alone."""
    shape, dtype = node.inputs[node.op.writes[0]].shape, node.inputs[node.op.writes[0]].dtype
    if not shape or None in shape or not dtype.startswith("float"):
        return None
    numbers = []
    for position, tensor in enumerate(node.inputs):
        if tensor.shape == ():
            numbers.append((position, tensor))
        elif tensor.shape != shape or tensor.dtype != dtype:
            return None
    parameters = tuple((name, repr(value)) for name, value in node.op.parameters(node.attrs).items())
    return node.op.name, parameters, dtype, tuple(numbers)


def parts_of(whole: Array, shapes: Sequence[Lengths]) -> list[Array]:
    """The parts of an array that holds several end to end, each in its own shape; no copies."""
    ends = np.cumsum([int(np.prod(shape, dtype=np.int64)) for shape in shapes])
    starts = [0, *ends[:-1]]
    return [
        whole[..., start:end].reshape((*whole.shape[:-1], *shape))
        for start, end, shape in zip(starts, ends, shapes, strict=True)
    ]


def end_to_end(arrays: Sequence[Any]) -> Array:
    """Several arrays as one."""
    return np.concatenate([np.ravel(array) for array in arrays])
