"""Reading a graph as a pure function: from known tensors to wanted ones, node after node.

Forward mode, differences and symbols are three readers of one graph. Each says what a node makes of
its arguments; the walk is the same. Nothing is written and no session is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.graph import Node, Tensor
from engine.graph.kernels import results_of
from engine.graph.reachability import ancestors, in_order
from engine.ops.base.tensors import FLOATS, Array, array_dtype

Compute = Callable[[Node, Sequence[Any]], Sequence[Any]]
LOOPS = frozenset(
    {"Enter", "RefEnter", "Exit", "LoopCond", "Merge", "NextIteration", "RefMerge", "RefSwitch", "Switch"}
)


def walk(targets: Iterable[Tensor], known: Mapping[Tensor, Any], compute: Compute) -> dict[Tensor, Any]:
    """What every tensor between the known ones and the targets is, the known ones included.

    Raises: ProgramError where a target needs a variable, a placeholder or a loop that is not known.
    """
    found = dict(known)
    with np.errstate(all="ignore"):
        for node in needed(targets, known):
            made = compute(node, [found[tensor] for tensor in node.inputs])
            found.update(zip(node.outputs, made, strict=False))
    return found


def needed(targets: Iterable[Tensor], known: Mapping[Tensor, Any]) -> list[Node]:
    """The nodes to run, in order of creation, which is an order of dependence."""
    nodes = in_order(ancestors(targets, known.__contains__))
    for node in nodes:
        if node.op.name in LOOPS or node.op.name in ("VariableV2", "Placeholder") or node.op.writes:
            raise _not_a_function(node)
    return nodes


def moving(targets: Iterable[Tensor], xs: Iterable[Tensor]) -> list[Node]:
    """The nodes between the xs and the targets: those that have to run again when an x moves."""
    reached = set(xs)
    between = []
    for node in in_order(ancestors(targets, reached.__contains__)):
        if not reached.isdisjoint(node.inputs):
            between.append(node)
            reached.update(node.outputs)
    return between


def values_beside(
    targets: Sequence[Tensor], xs: Sequence[Tensor], known: Mapping[Tensor, Any], compute: Compute
) -> dict[Tensor, Any]:
    """What the nodes between the xs and the targets need beside the xs, computed once.

    known: values at one point; those that depend on an x are left out, since they will be computed anew.
    """
    between = moving(targets, xs)
    changing = {output for node in between for output in node.outputs} | set(xs)
    fixed = {tensor: value for tensor, value in known.items() if tensor not in changing}
    wanted = [tensor for node in between for tensor in node.inputs] + list(targets)
    beside = [tensor for tensor in wanted if tensor not in changing]
    found = walk(beside, fixed, compute)
    return {tensor: found[tensor] for tensor in beside}


def kernel(node: Node, arguments: Sequence[Any]) -> list[Array]:
    """A `Compute` that gives the values of the graph itself."""
    outputs = zip(node.outputs, results_of(node, arguments), strict=False)
    return [np.asarray(value, dtype=array_dtype(tensor.dtype)) for tensor, value in outputs]


def kernel_in(dtype: str) -> Compute:
    """A `Compute` in which every float has this type; a complex one serves complex steps."""

    def compute(node: Node, arguments: Sequence[Any]) -> list[Array]:
        changes = {"DstT": dtype} if node.op.name == "Cast" and node.attrs["DstT"] in FLOATS else {}
        outputs = zip(node.outputs, results_of(node, arguments, **changes), strict=False)
        return [in_type(tensor, value, dtype) for tensor, value in outputs]

    return compute


def in_type(tensor: Tensor, value: Any, dtype: str) -> Array:
    """The value in `dtype` where the tensor is a float, else in the tensor's own type."""
    with np.errstate(all="ignore"):  # too large for float32 is infinite there
        return np.asarray(value, dtype=dtype if tensor.dtype in FLOATS else array_dtype(tensor.dtype))


def _not_a_function(node: Node) -> ProgramError:
    if node.op.name in LOOPS:
        return ProgramError(
            f"{node.name} belongs to a loop or a branch of the graph, which cannot be read as a formula.",
            hint="Compare a target that is computed without tf.while_loop and tf.cond.",
            message_zh=f"{node.name} 属于图中的循环或分支，不能作为公式来读。",
            hint_zh="请选择不经过 tf.while_loop 和 tf.cond 的目标。",
            code="not_a_formula",
            node=node.name,
        )
    return ProgramError(
        f"{node.name} has no value here.",
        hint="Feed the placeholder or initialise the variable first.",
        message_zh=f"{node.name} 在这里没有值。",
        hint_zh="请先喂入占位符或初始化变量。",
        code="missing_value",
        node=node.name,
    )
