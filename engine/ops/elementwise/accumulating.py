"""The sum that TensorFlow forms as its terms arrive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops.base.building import convert_to_tensor
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import merge
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import passing as control


def _all_merge(*shapes: Shape) -> Shape:
    total: Shape = None
    for shape in shapes:
        total = merge(total, shape)
    return total


@op(
    "AccumulateNV2",
    inputs="*inputs",
    shape=_all_merge,
    latex=r"\sum_i {x}_i",
    adjoints=[r"\bar{z}"],
    derivative=["1"],
    form="linear",
    accepts="numbers",
)
@in_chinese("形状相同的若干张量之和，每个一算好就加上。")
def accumulate_n_op(*inputs: Array, shape: Shape = None) -> Any:
    """Sum of tensors of one shape, each added as soon as it is there. Shapes: N times (*S) -> (*S)."""
    return sum(inputs[1:], inputs[0])


@accumulate_n_op.gradient
def accumulate_n_gradient(node: Node, dz: Tensor) -> Sequence[Tensor]:
    return [dz] * len(node.inputs)


def accumulate_n(
    inputs: Sequence[Any], shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Tensor:
    """`tf.accumulate_n`: the sum of a list of tensors; a list of one is that tensor."""
    tensors = [convert_to_tensor(item) for item in inputs]
    if len(tensors) == 1:
        return control.identity(tensors[0], name=name) if name else tensors[0]
    stated = None if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    total = merge(_all_merge(*(tensor.shape for tensor in tensors)), stated)
    return accumulate_n_op(tensors, shape=total, name=name)
