"""`tf.map_fn`, `tf.scan`, `tf.foldl`, `tf.foldr`: a function over the rows of tensors, as one loop.

The rows stand in arrays of tensors, which the loop reads one by one; results are written to another.
All functions take and give lists of tensors: `elems` go through side by side, as `state` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import ValueRefused
from engine.graph.control_flow.building import while_loop
from engine.graph.graph import Graph
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Tensor
from engine.ops.common import measuring
from engine.ops.common.constants import constant
from engine.ops.control_flow.tensor_arrays import TensorArray

Row = Callable[[list[Tensor]], Sequence[Any]]
Step = Callable[[list[Tensor], list[Tensor]], Sequence[Any]]


def map_fn(
    graph: Graph, function: Row, elems: Sequence[Any], dtypes: Sequence[str] | None, name: str | None = None
) -> list[Tensor]:
    """The function of each row, side by side along a new first axis.

    dtypes:  of what the function gives; None: those of the rows.

    Shapes: elems (n, *S) -> (n, *T), for results (*T) of the function.
    """
    with graph.name_scope(name or "map"):
        tensors = rows_of(elems)
        count = _count(tensors[0])
        rows = [TensorArray(tensor.dtype, count) for tensor in tensors]
        rows = [array.unstack(tensor) for array, tensor in zip(rows, tensors, strict=True)]
        start = constant(0)
        made = [TensorArray(dtype, count) for dtype in dtypes or [tensor.dtype for tensor in tensors]]

        def turn(i: Tensor, *made: TensorArray) -> list[Any]:
            found = function([array.read(i) for array in rows])
            written = [array.write(i, value) for array, value in zip(made, found, strict=True)]
            return [i + 1, *written]

        _, *made = while_loop(graph, lambda i, *_: i < count, turn, [start, *made], most=count)
        return [_stacked(array, tensors[0]) for array in made]


def scan(
    graph: Graph,
    function: Step,
    elems: Sequence[Any],
    state: Sequence[Any] | None = None,
    *,
    reverse: bool = False,
    name: str | None = None,
) -> list[Tensor]:
    """What the state is after each row, from the first row (or the last) on; without one it is that row.

    Shapes: elems (n, *S), state (*T) -> (n, *T).
    """
    with graph.name_scope(name or "scan"):
        tensors = rows_of(elems)
        count = _count(tensors[0])
        shapes = [None if tensor.shape is None else tensor.shape[1:] for tensor in tensors]
        rows = [TensorArray(tensor.dtype, count, shape=s) for tensor, s in zip(tensors, shapes, strict=True)]
        rows = [array.unstack(tensor) for array, tensor in zip(rows, tensors, strict=True)]
        first = count - 1 if reverse else 0
        if state is None:
            begun = [array.read(first) for array in rows]
        else:
            begun = [convert_to_tensor(value) for value in state]
        made = [TensorArray(value.dtype, count, shape=value.shape) for value in begun]
        if state is None:
            made = [array.write(first, value) for array, value in zip(made, begun, strict=True)]

        def turn(i: Tensor, *values: Any) -> list[Any]:
            before, made = list(values[: len(begun)]), values[len(begun) :]
            after = function(before, [array.read(i) for array in rows])
            written = [array.write(i, value) for array, value in zip(made, after, strict=True)]
            return [i - 1 if reverse else i + 1, *after, *written]

        done = 0 if state is not None else 1
        start = count - 1 - done if reverse else done
        ends = while_loop(
            graph,
            lambda i, *_: i >= 0 if reverse else i < count,
            turn,
            [start, *begun, *made],
            most=count,
        )
        return [_stacked(array, tensors[0]) for array in ends[1 + len(begun) :]]


def fold(
    graph: Graph,
    function: Step,
    elems: Sequence[Any],
    state: Sequence[Any] | None = None,
    *,
    from_right: bool = False,
    name: str | None = None,
) -> list[Tensor]:
    """What the state is after all rows, from the first on or from the last; without one it is that row.

    Shapes: elems (n, *S), state (*T) -> (*T).
    """
    with graph.name_scope(name or ("foldr" if from_right else "foldl")):
        tensors = rows_of(elems)
        count = _count(tensors[0])
        rows = [TensorArray(tensor.dtype, count).unstack(tensor) for tensor in tensors]
        left = count if from_right else None
        if state is None:
            left = None if left is None else left - 1
            state = [array.read(0 if left is None else left) for array in rows]
            start = constant(1) if left is None else left
        else:
            start = constant(0) if left is None else left

        def turn(i: Tensor, *before: Tensor) -> list[Any]:
            following = i - 1 if from_right else i
            after = function(list(before), [array.read(following) for array in rows])
            return [following if from_right else i + 1, *after]

        _, *ends = while_loop(
            graph, lambda i, *_: i > 0 if from_right else i < count, turn, [start, *state], most=count
        )
        return ends


def rows_of(elems: Sequence[Any]) -> list[Tensor]:
    """The tensors whose rows are gone through. Shapes: each (n, *S), with any n.

    Raises: ValueRefused where there is none, or one is a single number.
    """
    tensors = [convert_to_tensor(elem, name="elem") for elem in elems]
    if not tensors or any(tensor.shape == () for tensor in tensors):
        raise ValueRefused(
            "The rows of tensors are gone through, but a single number has none.",
            message_zh="这里会逐行处理张量，但单个数没有行。",
            hint="A list means several tensors side by side; for one write tf.constant([1.0, 2.0]).",
            hint_zh="列表表示并列的多个张量；若只有一个张量，请写 tf.constant([1.0, 2.0])。",
        )
    return tensors


def _count(tensor: Tensor) -> Any:
    """How many rows there are: a number where that is known."""
    known = tensor.shape[0] if tensor.shape else None
    return measuring.shape_of(tensor)[0] if known is None else known


def _stacked(array: TensorArray, rows: Tensor) -> Tensor:
    stacked = array.stack()
    if stacked.shape is not None:
        stacked.shape = (rows.shape[0] if rows.shape else None, *stacked.shape[1:])
    return stacked
