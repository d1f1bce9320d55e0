"""Second derivatives as TensorFlow draws them: a loop that differentiates each element of the gradient."""

from __future__ import annotations

from typing import Any

from engine.differentiation.gradients import gradients
from engine.errors import NoGradientError
from engine.graph import Graph, Tensor, Variable
from engine.graph.control_flow import building as control_flow
from engine.ops.arrays import joining, reshaping
from engine.ops.base.building import convert_to_tensor
from engine.ops.common import measuring
from engine.ops.control_flow.tensor_arrays import TensorArray


def hessians(ys: Any, xs: Any, *, gate: bool = False, colocate: bool = False) -> list[Tensor]:
    """For each x the matrix of second derivatives of the sum of ys, row by row in a loop.

    Shapes: x (*S) -> (*S, *S).
    Raises: NoGradientError where an x is not joined to the ys.
    """
    x_list = list(xs) if isinstance(xs, (list, tuple)) else [xs]
    first = gradients(ys, x_list, gate=gate, colocate=colocate)
    return [_hessian(gradient, x, gate, colocate) for gradient, x in zip(first, x_list, strict=True)]


def _hessian(gradient: Any, x: Any, gate: bool, colocate: bool) -> Tensor:
    if gradient is None:
        raise NoGradientError(
            f"{x.name} is not connected to the ys, so there are no second derivatives.",
            message_zh=f"{x.name} 与 ys 没有连接，因此没有二阶导数。",
        )
    graph: Graph = x.graph
    with graph.as_default(), graph.making("gradient"):
        flat = reshaping.reshape(gradient, [-1])
        source: Tensor = x.as_tensor() if isinstance(x, Variable) else x
        count = measuring.size_of(source)
        start = convert_to_tensor(0, dtype="int32")
        rows = TensorArray(source.dtype, count)

        def turn(place: Tensor, rows: TensorArray) -> list[Any]:
            following = place + 1
            row = gradients(flat[place], x, gate=gate, colocate=colocate)[0]
            return [following, rows.write(place, _row(row, source))]

        _, filled = control_flow.while_loop(graph, lambda place, _: place < count, turn, [start, rows])
        shape = measuring.shape_of(source)
        return reshaping.reshape(filled.stack(), joining.concat([shape, shape], 0))


def _row(row: Any, x: Tensor) -> Tensor:
    """Raises: NoGradientError where the first derivatives do not depend on x, as TensorFlow does."""
    if row is None:
        raise NoGradientError(
            f"The first derivatives do not depend on {x.name}, so TensorFlow finds no second ones.",
            hint="The ys are linear in it: all second derivatives are 0.",
            message_zh=f"一阶导数不依赖于 {x.name}，因此 TensorFlow 得不到二阶导数。",
            hint_zh="ys 对它是线性的：二阶导数全为 0。",
        )
    return convert_to_tensor(row)
