"""Ops that pass a value on, wait, or stop a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.ops.base.building import current_graph, name_scope
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import same, written_lengths
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Array, Node, Operators, Shape, Tensor


@op(
    "Identity",
    inputs="input",
    accepts="any",
    shape=same,
    latex="{input}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
    form="linear",
    symbolic=lambda x: x,
    passes_on=True,
)
@in_chinese("原样的值；变量的 `read` 就是它。")
def identity_op(input: Array) -> Any:
    """The same value; a variable's `read` is one. Shapes: input (*S) -> y (*S)."""
    return input


@identity_op.gradient
def identity_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [dy]


def identity(x: Any, name: str | None = None) -> Tensor:
    """`tf.identity`: the same value as a node of its own, with a name. Shapes: x (*S) -> (*S)."""
    return identity_op(x, name=name)


def _declared_shape(input: Shape, *, attributes: Any) -> Shape:
    shape: Shape = attributes["shape"]
    return shape


@op(
    "PlaceholderWithDefault",
    inputs="input",
    types="dtype",
    accepts="any",
    outputs=("dtype",),
    shape=_declared_shape,
    stateful=True,
    latex="{input}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
)
@in_chinese("运行时可以给出的值；没有给出时就是输入。")
def placeholder_with_default_op(input: Array, shape: Shape = None) -> Any:
    """A value that may be fed in a run, and is the input where it is not. Shapes: input (*S) -> y (*S)."""
    return input


@placeholder_with_default_op.gradient
def placeholder_with_default_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [dy]


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`tf.placeholder_with_default`: shape None means anything, None for an axis any length."""
    return placeholder_with_default_op(input, shape=written_lengths(shape), name=name)


def _each(*shapes: Shape) -> list[Shape]:
    return list(shapes)


@op(
    "IdentityN",
    inputs="*input",
    types="T[]",
    accepts="any",
    outputs=lambda attributes: attributes["T"],
    shape=_each,
    latex="{input}",
    adjoints=[r"\bar{y}_i"],
    derivative=["1"],
    form="linear",
    passes_on=True,
)
@in_chinese("原样的若干值；`tf.custom_gradient` 用自己的规则代替它的规则。")
def identity_n(*input: Array) -> Any:
    """The same values; `tf.custom_gradient` puts its own rule in place of this one's. Shapes: as they are."""
    return list(input)


@identity_n.gradient
def identity_n_gradient(node: Node, *dys: Tensor) -> Sequence[Tensor]:
    return dys


@op(
    "StopGradient",
    inputs="input",
    accepts="any",
    shape=same,
    latex=r"\mathrm{stop}({input})",
    no_gradient=("it is there to stop the gradient", "它的作用就是停止梯度"),
    ends_path=True,
    names={"tf": "stop_gradient", "jax": "jax.lax.stop_gradient", "math": "stop_gradient"},
)
@in_chinese("原样的值，对任何梯度来说都是常量。")
def stop_gradient(input: Array) -> Any:
    """The same value, as a constant to every gradient. Shapes: input (*S) -> y (*S)."""
    return input


@op(
    "PreventGradient",
    inputs="input",
    accepts="any",
    shape=same,
    latex="{input}",
    no_gradient=("it stands where TensorFlow has no second derivative", "TensorFlow 在这里没有二阶导数"),
    passes_on=True,
)
@in_chinese("原样的值，但拒绝求导。")
def prevent_gradient(input: Array, message: str = "") -> Any:
    """The same value, which refuses to be differentiated. Shapes: input (*S) -> y (*S)."""
    return input


@op(
    "NoOp",
    inputs="",
    outputs=(),
    shape=list,
    latex=r"\varnothing",
    no_gradient=("it has no output", "它没有输出"),
)
@in_chinese("什么也不算；只让它等待的节点都运行。")
def no_op() -> Any:
    """Does nothing; what it waits for runs."""
    return []


def group(*operations: Any, name: str | None = None) -> Node:
    """`tf.group`: one node that waits for all of these; of several devices, one for each of them first."""
    with name_scope(name, "group_deps") as scope:
        by_device: dict[str, list[Any]] = {}
        for operation in operations:
            by_device.setdefault(_device_of(operation), []).append(operation)
        if len(by_device) < 2:
            return _waiting(operations, next(iter(by_device), ""), scope)
        gates = [_waiting(by_device[device], device, None) for device in sorted(by_device)]
        return _waiting(gates, "", scope)


def _device_of(operation: Any) -> str:
    node = _node_of(operation)
    return "" if node is None else str(node.device)


def _node_of(operation: Any) -> Any:
    return operation if isinstance(operation, Node) else getattr(operation, "node", None)


def _waiting(operations: Sequence[Any], device: str, name: str | None) -> Node:
    graph = current_graph()
    with graph.control_dependencies(operations), graph.device(device):
        return no_op.node(name=name)


def tuple_of(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] = ()
) -> list[Any]:
    """`tf.tuple`: the same tensors, each given out only when all have been computed; None stays None.

    control_inputs: what they wait for besides; the gate names all of it in the order of making.
    """
    with name_scope(name, "tuple") as scope:
        present = [tensor for tensor in (*tensors, *control_inputs) if tensor is not None]
        gate = group(*sorted(present, key=lambda one: getattr(_node_of(one), "index", 0)))
        del scope
        return [None if tensor is None else _gated(tensor, gate) for tensor in tensors]


def _gated(tensor: Any, gate: Node) -> Any:
    if isinstance(tensor, IndexedSlices):
        return IndexedSlices(_gated(tensor.values, gate), tensor.indices, tensor.dense_shape)
    graph = current_graph()
    source = tensor.as_tensor() if isinstance(tensor, Operators) else tensor
    with graph.colocate_with(source.node), graph.control_dependencies([gate]):
        return identity_op(source, name="control_dependency")
