"""An array of tensors that a loop fills, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.derivatives import PLACED, TAKEN
from engine.ops.base.shapes import constant_value, merge, scalar
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import measuring, ranges
from engine.ops.common import passing as control

STORED = (
    "it describes the array that keeps tensors, not the tensors",
    "它说的是保存张量的数组，而不是其中的张量",
)


def _handle_and_flow(size: Shape) -> list[Shape]:
    return [(2,), ()]


MOST_PLACES = 1_000_000


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
@in_chinese("一个空的张量数组，以及决定其读写次序的 flow。")
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
    if not 0 <= int(size) <= MOST_PLACES:
        raise ValueRefused(
            f"An array of tensors has from 0 to {MOST_PLACES:,} places, not {int(size):,}.",
            message_zh=f"张量数组可以有 0 到 {MOST_PLACES:,} 个位置，不能是 {int(size):,} 个。",
        )
    return [_handle_of(Places([None] * int(size))), np.float32(0)]


class Places(list[Any]):
    """The tensors of an array; those of its gradients, and, of a gradient, the places it belongs to."""

    def __init__(self, values: Sequence[Any], of: Places | None = None) -> None:
        super().__init__(values)
        self.of = of
        self.gradients: dict[str, Places] = {}

    def put(self, index: int, value: Array) -> None:
        """Keep a tensor; in a gradient, add it to what is there."""
        adds = self.of is not None and self[index] is not None
        self[index] = self[index] + value if adds else value

    def at(self, index: int) -> Array:
        """The tensor at a place; in a gradient, zeros where none has come.

        Raises: ValueRefused where nothing was written.
        """
        value: Array | None = self[index]
        if value is None and self.of is not None:
            return np.zeros_like(self.of.at(index))
        if value is None:
            raise ValueRefused(
                "A place of the array was never written.",
                message_zh="数组中有的位置从未写入。",
            )
        return value


def _handle_of(places: Places) -> Array:
    handle = np.empty((), dtype=object)
    handle[()] = places
    return handle


def _gradient_handle(handle: Shape, flow: Shape) -> list[Shape]:
    return [(2,), ()]


@op(
    "TensorArrayGradV3",
    inputs="handle flow_in",
    types="resource float32",
    outputs=("resource", "float32"),
    shape=_gradient_handle,
    stateful=True,
    latex=r"\bar{{handle}}",
    no_gradient=STORED,
    ends_path=True,
)
@in_chinese("数组中各张量的梯度组成的数组，每次调用 tf.gradients（`source`）一个。")
def tensor_array_grad(handle: Array, flow_in: Array, source: str = "gradients") -> Any:
    """The array of the gradients of an array's tensors, one for each call of tf.gradients (`source`).

    Shapes: (2,), () -> (2,), ().
    """
    places: Places = handle.item()
    if source not in places.gradients:
        places.gradients[source] = Places([None] * len(places), of=places)
    return [_handle_of(places.gradients[source]), flow_in]


def _flow(*_: Shape) -> Shape:
    return ()


@op(
    "TensorArrayWriteV3",
    inputs="handle index value flow_in",
    types="resource int32 T float32",
    accepts="any",
    outputs=("float32",),
    shape=_flow,
    stateful=True,
    latex=r"{handle}_{{index}} \leftarrow {value}",
    adjoints=["0", "0", r"\bar{{handle}}_{{index}}", r"\bar{y}"],
    derivative=["0", "0", PLACED, "1"],
)
@in_chinese("把一个张量放到某个位置上。")
def tensor_array_write(handle: Array, index: Array, value: Array, flow_in: Array) -> Any:
    """Keeps a tensor at a place. Shapes: (2,), (), value (*S), () -> flow ()."""
    handle.item().put(int(index), value)
    return flow_in


@tensor_array_write.gradient
def tensor_array_write_gradient(node: Node, dflow: Tensor) -> Sequence[Tensor | None]:
    handle, index, *_ = node.inputs
    return [None, None, _gradient_array(handle, dflow, node.attrs["T"], dflow).read(index), dflow]


@op(
    "TensorArrayScatterV3",
    inputs="handle indices value flow_in",
    types="resource int32 T float32",
    accepts="any",
    outputs=("float32",),
    shape=_flow,
    stateful=True,
    latex=r"{handle}_{{indices}} \leftarrow {value}",
    adjoints=["0", "0", r"\bar{{handle}}_{{indices}}", r"\bar{y}"],
    derivative=["0", "0", PLACED, "1"],
)
@in_chinese("把每一行放到它的位置上。")
def tensor_array_scatter(handle: Array, indices: Array, value: Array, flow_in: Array) -> Any:
    """Keeps each row at its place. Shapes: (2,), (n,), value (n, *S), () -> flow ()."""
    for index, row in zip(indices, value, strict=True):
        handle.item().put(int(index), row)
    return flow_in


@tensor_array_scatter.gradient
def tensor_array_scatter_gradient(node: Node, dflow: Tensor) -> Sequence[Tensor | None]:
    handle, indices, *_ = node.inputs
    return [None, None, _gradient_array(handle, dflow, node.attrs["T"], dflow).gather(indices), dflow]


def _element_shape(handle: Shape, index: Shape, flow: Shape, *, inputs: Sequence[Tensor]) -> Shape:
    """The shape that the array was made for; one of gradients knows what its array does."""
    made = inputs[0].node
    while made.inputs and made.op is not tensor_array_op:
        made = made.inputs[0].node
    if "value" in made.attrs:  # in a run the array itself is at hand
        return next((np.shape(value) for value in made.attrs["value"].item() if value is not None), None)
    shape: Shape = made.attrs.get("element_shape")
    return shape


@op(
    "TensorArrayReadV3",
    inputs="handle index flow_in",
    types="resource int32 float32",
    outputs=("dtype",),
    shape=_element_shape,
    stateful=True,
    latex=r"{handle}_{{index}}",
    adjoints=["0", "0", r"\bar{y} \text{ at its place}"],
    derivative=["0", "0", TAKEN],
)
@in_chinese("某个位置上的张量。")
def tensor_array_read(handle: Array, index: Array, flow_in: Array, dtype: str = "float32") -> Any:
    """The tensor at a place. Shapes: (2,), (), () -> (*S)."""
    return handle.item().at(int(index))


@tensor_array_read.gradient
def tensor_array_read_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    handle, index, flow = node.inputs
    return [None, None, _gradient_array(handle, flow, node.attrs["dtype"], dy).write(index, dy).flow]


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
@in_chinese("有多少个位置。")
def tensor_array_size(handle: Array, flow_in: Array) -> Any:
    """How many places there are. Shapes: (2,), () -> ()."""
    return len(handle[()])


def _gathered(
    handle: Shape, indices: Shape, flow: Shape, *, inputs: Sequence[Tensor], attributes: Any
) -> Shape:
    element = merge(attributes["element_shape"], _element_shape(handle, indices, flow, inputs=inputs))
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
    adjoints=["0", "0", r"\bar{y} \text{ at their places}"],
    derivative=["0", "0", TAKEN],
)
@in_chinese("这些位置上的张量，叠在一起。")
def tensor_array_gather(
    handle: Array, indices: Array, flow_in: Array, dtype: str = "float32", element_shape: Shape = None
) -> Any:
    """The tensors at these places, stacked. Shapes: (2,), (n,), () -> (n, *S)."""
    kept = [handle.item().at(int(index)) for index in indices]
    return np.stack(kept) if kept else np.zeros((0, *(n or 0 for n in element_shape or ())), dtype=dtype)


@tensor_array_gather.gradient
def tensor_array_gather_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    handle, indices, flow = node.inputs
    return [None, None, _gradient_array(handle, flow, node.attrs["dtype"], dy).scatter(indices, dy).flow]


def _gradient_array(handle: Tensor, flow: Tensor, dtype: str, dy: Tensor) -> TensorArray:
    """The array of gradients that belongs to the call of tf.gradients in which `dy` was made."""
    steps = dy.name.partition(":")[0].split("/")
    calls = [place for place, step in enumerate(steps) if step.startswith("gradients")]
    source = "/".join(steps[: calls[-1] + 1] if calls else steps[:1])
    graph = current_graph()
    with name_scope(None, "TensorArrayGrad"), graph.colocate_with(handle.node):
        made = tensor_array_grad.node(handle, flow, source=source).outputs[0]
        with graph.control_dependencies([made]):
            after = control.identity(flow, name="gradient_flow")
    return TensorArray(dtype, None, handle=made, flow=after)


@dataclass(slots=True)
class Known:
    """What all uses of one array know: the shape of a tensor in it, and what the writes stand beside.

    beside: the value that was written first; None of an array whose writes stand where they are.
    """

    shape: Shape = None
    beside: list[Tensor] | None = None


class TensorArray:
    """`tf.TensorArray`: a handle, and the flow that its next use waits for."""

    def __init__(
        self, dtype: str, size: Any, *, shape: Shape = None, handle: Tensor | None = None, flow: Any = None
    ) -> None:
        self.dtype = dtype
        self.known = Known(shape, beside=[] if handle is None else None)
        if handle is None:
            graph = current_graph()
            alone = graph.colocate_with(None, alone=True)
            with name_scope(None, "TensorArray") as scope, graph.device(None), alone:
                made = tensor_array_op.node(size, dtype=dtype, element_shape=shape, name=scope)
            handle, flow = made.outputs
        self.handle = handle
        self.flow: Tensor = flow

    def with_flow(self, flow: Tensor) -> TensorArray:
        """The same array after what `flow` comes from."""
        later = TensorArray(self.dtype, None, handle=self.handle, flow=flow)
        later.known = self.known
        return later

    def _beside(self, value: Tensor) -> AbstractContextManager[None]:
        if self.known.beside is None:
            return nullcontext()
        self.known.beside = self.known.beside or [value]
        return current_graph().colocate_with(self.known.beside[0].node)

    def read(self, index: Any) -> Tensor:
        """The tensor at this place."""
        value = tensor_array_read(self.handle, index, self.flow, dtype=self.dtype)
        value.shape = merge(value.shape, self.known.shape)
        return value

    def write(self, index: Any, value: Any) -> TensorArray:
        """The array with a tensor at this place."""
        with name_scope(None, "TensorArrayWrite"):
            value = convert_to_tensor(value, dtype=self.dtype, name="value")
            with self._beside(value):
                flow = tensor_array_write(self.handle, index, value, self.flow)
        self.known.shape = merge(self.known.shape, value.shape)
        return self.with_flow(flow)

    def scatter(self, indices: Any, value: Any) -> TensorArray:
        """The array with the rows of a tensor at these places."""
        with name_scope(None, "TensorArrayScatter"):
            value = convert_to_tensor(value, dtype=self.dtype, name="value")
            with self._beside(value):
                flow = tensor_array_scatter(self.handle, indices, value, self.flow)
        self.known.shape = merge(self.known.shape, None if value.shape is None else value.shape[1:])
        return self.with_flow(flow)

    def unstack(self, value: Any) -> TensorArray:
        """The array with the rows of a tensor, one at each place."""
        with name_scope(None, "TensorArrayUnstack"):
            count = measuring.shape_of(value)[0]
            return self.scatter(ranges.range_of(0, count), value)

    def size(self) -> Tensor:
        """How many places there are."""
        return tensor_array_size(self.handle, self.flow)

    def gather(self, indices: Any) -> Tensor:
        """The tensors at these places along a new first axis."""
        return tensor_array_gather(
            self.handle, indices, self.flow, dtype=self.dtype, element_shape=self.known.shape
        )

    def stack(self) -> Tensor:
        """All tensors along a new first axis."""
        with current_graph().colocate_with(self.handle.node), name_scope(None, "TensorArrayStack"):
            return self.gather(ranges.range_of(0, self.size()))
