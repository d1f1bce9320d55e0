"""An array of tensors that a loop fills, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops import ranges
from engine.ops.building import current_graph, name_scope
from engine.ops.definition import op
from engine.ops.shapes import constant_value, merge, scalar
from engine.ops.tensors import Array, Shape, Tensor

STORED = "it keeps tensors for a loop; the loop itself has no gradient"


def _handle_and_flow(size: Shape) -> list[Shape]:
    return [(2,), ()]


@op(
    "TensorArrayV3",
    inputs="size",
    types="int32",
    outputs=("resource", "float32"),
    shape=_handle_and_flow,
    stateful=True,
    latex=r"[\,]_{{size}}",
    no_gradient=STORED,
    ends_path=True,
)
def tensor_array_op(
    size: Array,
    dtype: str = "float32",
    element_shape: Shape = None,
    dynamic_size: bool = False,
    clear_after_read: bool = True,
    identical_element_shapes: bool = True,
    tensor_array_name: str = "",
) -> Any:
    """An empty array of tensors, and the flow that orders what happens to it. Shapes: () -> (2,), ()."""
    handle = np.empty((), dtype=object)
    handle[()] = [None] * int(size)
    return [handle, np.float32(0)]


def _flow(*_: Shape) -> Shape:
    return ()


@op(
    "TensorArrayWriteV3",
    inputs="handle index value flow_in",
    types="resource int32 T float32",
    outputs=("float32",),
    shape=_flow,
    stateful=True,
    latex=r"{handle}_{{index}} \leftarrow {value}",
    no_gradient=STORED,
)
def tensor_array_write(handle: Array, index: Array, value: Array, flow_in: Array) -> Any:
    """Keeps a tensor at a place. Shapes: (2,), (), value (*S), () -> flow ()."""
    handle[()][int(index)] = value
    return flow_in


@op(
    "TensorArraySizeV3",
    inputs="handle flow_in",
    types="resource float32",
    outputs=("int32",),
    shape=scalar,
    stateful=True,
    latex=r"\#{handle}",
    no_gradient=STORED,
    ends_path=True,
)
def tensor_array_size(handle: Array, flow_in: Array) -> Any:
    """How many places there are. Shapes: (2,), () -> ()."""
    return len(handle[()])


def _gathered(
    handle: Shape, indices: Shape, flow: Shape, *, inputs: Sequence[Tensor], attributes: Any
) -> Shape:
    element = attributes["element_shape"]
    places = constant_value(inputs[1])
    return None if element is None else (None if places is None else len(places), *element)


@op(
    "TensorArrayGatherV3",
    inputs="handle indices flow_in",
    types="resource int32 float32",
    outputs=("dtype",),
    shape=_gathered,
    stateful=True,
    latex=r"{handle}_{{indices}}",
    no_gradient=STORED,
)
def tensor_array_gather(
    handle: Array, indices: Array, flow_in: Array, dtype: str = "float32", element_shape: Shape = None
) -> Any:
    """The tensors at these places, stacked. Shapes: (2,), (n,), () -> (n, *S)."""
    kept = [handle[()][int(index)] for index in indices]
    if any(value is None for value in kept):
        raise ValueRefused(
            "A place of the array was never written.",
            message_zh="数组中有的位置从未写入。",
        )
    return np.stack(kept) if kept else np.zeros((0, *(n or 0 for n in element_shape or ())), dtype=dtype)


class TensorArray:
    """`tf.TensorArray`: a handle, and the flow that its next use waits for."""

    def __init__(self, dtype: str, size: Any, *, handle: Tensor | None = None, flow: Any = None) -> None:
        self.dtype = dtype
        self.element_shape: Shape = None
        if handle is None:
            handle, flow = tensor_array_op.node(size, dtype=dtype, name="TensorArray").outputs
        self.handle = handle
        self.flow: Tensor = flow

    def with_flow(self, flow: Tensor) -> TensorArray:
        """The same array after what `flow` comes from."""
        later = TensorArray(self.dtype, None, handle=self.handle, flow=flow)
        later.element_shape = self.element_shape
        return later

    def write(self, index: Any, value: Tensor) -> TensorArray:
        """The array with a tensor at this place."""
        with name_scope(None, "TensorArrayWrite"), current_graph().colocate_with(value.node):
            flow = tensor_array_write(self.handle, index, value, self.flow)
        later = self.with_flow(flow)
        later.element_shape = merge(self.element_shape, value.shape)
        return later

    def stack(self) -> Tensor:
        """All tensors along a new first axis."""
        with current_graph().colocate_with(self.handle.node), name_scope(None, "TensorArrayStack"):
            places = ranges.range_of(0, tensor_array_size(self.handle, self.flow))
            return tensor_array_gather(
                self.handle, places, self.flow, dtype=self.dtype, element_shape=self.element_shape
            )
