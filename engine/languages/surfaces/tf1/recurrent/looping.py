"""`tf.nn.dynamic_rnn`: a cell in a loop of the graph, so that the graph does not grow with the turns."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.errors import ShapeError
from engine.graph.control_flow.building import while_loop
from engine.graph.graph import Graph
from engine.languages.surfaces.structures import flat, in_form
from engine.languages.surfaces.tf1.recurrent.cells import Cell, lengths
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Tensor
from engine.ops.common import measuring
from engine.ops.common.ranges import range_of
from engine.ops.control_flow.tensor_arrays import TensorArray


def turns_first(x: Tensor) -> Tensor:
    """The first two axes exchanged. Shapes: (examples, turns, *S) -> (turns, examples, *S)."""
    rest = range_of(2, measuring.rank_of(checked(x)))
    return ops.transpose(x, ops.concat([[1, 0], rest], 0))


def checked(x: Tensor) -> Tensor:
    """The inputs of all turns. Raises: ShapeError without an axis for the turns and one for the examples."""
    if x.shape is None or len(x.shape) < 2:
        raise ShapeError(
            f"Expected input tensor {x.name} to have rank at least 2, but saw shape: {written(x.shape)}.",
            message_zh=f"输入 {x.name} 至少需要两个轴，但形状是 {written(x.shape)}。",
            kind="ValueError",
        )
    return x


def rows_of(x: Tensor) -> Any:
    """How many examples there are; a tensor where that is not known. Shapes: x (turns, examples, *S)."""
    shape: Any = x.shape
    known = shape[1]
    return measuring.shape_of(x)[1] if known is None else known


def looped(graph: Graph, cell: Cell, x: Tensor, state: Any, dtype: str) -> tuple[Tensor, Any]:
    """All turns of a loop, one for each row. Shapes: x (turns, examples, *S) -> (turns, examples, units).

    Returns: the outputs, and the state after the last turn in the form of the first.
    """
    turns = measuring.shape_of(x)[0]
    rows = rows_of(x)
    ops.zeros(ops.concat(lengths(cell.output_size, rows), 0), dtype)  # what TensorFlow puts after a short end
    time = ops.constant(0, dtype="int32", name="time")
    shape: Any = x.shape
    known = None if isinstance(rows, Tensor) else rows
    made = TensorArray(dtype, turns, shape=(known, cell.output_size))
    taken = TensorArray(x.dtype, turns, shape=shape[1:]).unstack(x)
    bound = ops.minimum(turns, ops.maximum(1, turns))

    def turn(t: Tensor, made: TensorArray, *parts: Any) -> list[Any]:
        output, new = cell.turn(graph, taken.read(t), in_form(state, iter(parts)))
        kept = made.write(t, output)
        return [t + 1, kept, *flat(new)]

    first = [time, made, *(convert_to_tensor(part) for part in flat(state))]
    _, made, *last = while_loop(graph, lambda t, *_: t < bound, turn, first, most=turns)
    outputs = made.stack()
    _static_lengths(shape[0], known, cell.output_size)
    outputs.shape = (shape[0], known, cell.output_size)
    return outputs, in_form(state, iter(last))


def _static_lengths(*known: int | None) -> None:
    """The constants that TensorFlow leaves in the graph when it asks for the outputs' shape."""
    *rows, units = known
    if None not in rows:
        convert_to_tensor(rows, dtype="int32")
    convert_to_tensor([units], dtype="int32")
