"""A graph as TensorFlow's GraphDef, in text (`pbtxt`) and binary (`pb`): TensorBoard and Netron open both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from google.protobuf import text_format

from engine.graph.essentials import SeenNode
from engine.interchange.messages import DATA_TYPES, GraphDef
from engine.interchange.values import dtype_name
from engine.ops.base.tensors import Array, Shape

PRODUCER = 134  # the GraphDef version that TensorFlow 1.15 writes
TYPE_NAMES = {
    "float16": "DT_HALF",
    "float32": "DT_FLOAT",
    "float64": "DT_DOUBLE",
    "int32": "DT_INT32",
    "int64": "DT_INT64",
    "int8": "DT_INT8",
    "int16": "DT_INT16",
    "uint8": "DT_UINT8",
    "bool": "DT_BOOL",
    "resource": "DT_RESOURCE",
    "variant": "DT_VARIANT",
    "string": "DT_STRING",
}
VALUE_FIELDS = {
    "float32": "float_val",
    "float64": "double_val",
    "int32": "int_val",
    **dict.fromkeys(("int8", "int16", "uint8"), "int_val"),
    "int64": "int64_val",
    "bool": "bool_val",
}


def graph_def(nodes: Iterable[SeenNode]) -> Any:
    """The GraphDef message of some nodes, in the order given."""
    message = GraphDef()
    for seen in nodes:
        _add_node(message, seen)
    message.versions.producer = PRODUCER
    return message


def to_pbtxt(nodes: Iterable[SeenNode]) -> str:
    """The GraphDef as text."""
    return str(text_format.MessageToString(graph_def(nodes)))


def node_to_pbtxt(seen: SeenNode) -> str:
    """One node's NodeDef as text."""
    return str(text_format.MessageToString(graph_def([seen]).node[0]))


def to_pb(nodes: Iterable[SeenNode]) -> bytes:
    """The GraphDef as bytes, the same for the same graph."""
    return bytes(graph_def(nodes).SerializeToString(deterministic=True))


def inputs_of(seen: SeenNode) -> list[str]:
    """What a node takes and waits for, as a NodeDef lists it."""
    waits = sorted(other.name for other in seen.control_inputs)
    return [*(tensor.edge_name for tensor in seen.inputs), *(f"^{name}" for name in waits)]


def _add_node(message: Any, seen: SeenNode) -> None:
    node = seen.node
    entry = message.node.add(name=node.name, op=node.op.name, device=node.device)
    entry.input.extend(inputs_of(seen))
    for key, value in node.attrs.items():
        _set_attribute(entry.attr[key], key, value)
    if node.colocate:
        entry.attr["_class"].list.s.extend(f"loc:@{name}".encode() for name in node.colocate)


def _set_attribute(attribute: Any, key: str, value: Any) -> None:
    if isinstance(value, np.ndarray):
        _set_tensor(attribute.tensor, value)
    elif key in ("shape", "element_shape"):
        _set_shape(attribute.shape, value)
    elif isinstance(value, bool):
        attribute.b = value
    elif isinstance(value, (int, np.integer)):
        attribute.i = int(value)
    elif isinstance(value, float):
        attribute.f = value
    elif isinstance(value, (list, tuple)):
        attribute.list.SetInParent()
        if key == "output_shapes":
            for shape in value:
                _set_shape(attribute.list.shape.add(), shape)
        elif all(item in TYPE_NAMES for item in value):
            attribute.list.type.extend(DATA_TYPES[TYPE_NAMES[item]] for item in value)
        else:
            attribute.list.i.extend(int(item) for item in value)
    elif value in TYPE_NAMES:
        attribute.type = DATA_TYPES[TYPE_NAMES[value]]
    else:
        attribute.s = str(value).encode()


def _set_shape(message: Any, shape: Shape) -> None:
    message.SetInParent()
    if shape is None:
        message.unknown_rank = True
        return
    for length in shape:
        message.dim.add(size=-1 if length is None else length)


def _set_tensor(message: Any, array: Array) -> None:
    """One number, also where it fills the whole shape, has a field of its own; several stand as bytes."""
    dtype = dtype_name(array)
    message.dtype = DATA_TYPES[TYPE_NAMES[dtype]]
    _set_shape(message.tensor_shape, array.shape)
    if array.size == 0:
        return
    first = array.reshape(-1)[0]
    if dtype == "string":
        message.string_val.extend(
            text if isinstance(text, bytes) else str(text).encode() for text in array.flat
        )
    elif array.size > 1 and any(array.strides):
        message.tensor_content = np.ascontiguousarray(array).tobytes()
    elif dtype == "float16":
        message.half_val.append(int(first.view(np.uint16)))
    else:
        getattr(message, VALUE_FIELDS[dtype]).append(first.item())
