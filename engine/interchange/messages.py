"""TensorFlow's own messages (GraphDef, Event), as far as a graph needs them, for the protobuf library.

Only names, numbers and types of fields stand here; protobuf itself writes the binary and the text form.
Source: tensorflow/core/framework/*.proto and tensorflow/core/util/event.proto.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "gradlens.tensorflow"

# message -> "name number type", where * repeats, and map<V> is keyed by text
FIELDS: dict[str, tuple[str, ...]] = {
    "GraphDef": ("node 1 *NodeDef", "versions 4 VersionDef"),
    "VersionDef": ("producer 1 int32", "min_consumer 2 int32"),
    "NodeDef": (
        "name 1 string",
        "op 2 string",
        "input 3 *string",
        "device 4 string",
        "attr 5 map<AttrValue>",
    ),
    "AttrValue": (
        "list 1 ListValue",
        "s 2 bytes",
        "i 3 int64",
        "f 4 float",
        "b 5 bool",
        "type 6 DataType",
        "shape 7 TensorShapeProto",
        "tensor 8 TensorProto",
    ),
    "ListValue": ("s 2 *bytes", "i 3 *int64", "type 6 *DataType", "shape 7 *TensorShapeProto"),
    "TensorShapeProto": ("dim 2 *Dim", "unknown_rank 3 bool"),
    "Dim": ("size 1 int64", "name 2 string"),
    "TensorProto": (
        "dtype 1 DataType",
        "tensor_shape 2 TensorShapeProto",
        "tensor_content 4 bytes",
        "half_val 13 *int32",
        "float_val 5 *float",
        "double_val 6 *double",
        "int_val 7 *int32",
        "int64_val 10 *int64",
        "bool_val 11 *bool",
        "string_val 8 *bytes",
    ),
    "Event": ("wall_time 1 double", "step 2 int64", "file_version 3 string", "graph_def 4 bytes"),
}

ONE_OF = {"AttrValue": "value", "Event": "what"}  # messages that hold one of their fields, and its name
NOT_IN_ONE_OF = {"wall_time", "step"}

DATA_TYPES = {
    "DT_INVALID": 0,
    "DT_FLOAT": 1,
    "DT_DOUBLE": 2,
    "DT_INT32": 3,
    "DT_UINT8": 4,
    "DT_STRING": 7,
    "DT_INT64": 9,
    "DT_BOOL": 10,
    "DT_HALF": 19,
    "DT_RESOURCE": 20,
    "DT_VARIANT": 21,
    "DT_FLOAT_REF": 101,
}

Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES,
    "int32": Field.TYPE_INT32,
    "int64": Field.TYPE_INT64,
    "float": Field.TYPE_FLOAT,
    "double": Field.TYPE_DOUBLE,
    "bool": Field.TYPE_BOOL,
}


def _file() -> descriptor_pb2.FileDescriptorProto:
    file = descriptor_pb2.FileDescriptorProto(
        name="gradlens/tensorflow.proto", package=PACKAGE, syntax="proto3"
    )
    kinds = file.enum_type.add(name="DataType")
    for name, number in DATA_TYPES.items():
        kinds.value.add(name=name, number=number)
    for name, fields in FIELDS.items():
        message = file.message_type.add(name=name)
        if name in ONE_OF:
            message.oneof_decl.add(name=ONE_OF[name])
        for field in fields:
            _add_field(message, *field.split())
    return file


def _add_field(message: descriptor_pb2.DescriptorProto, name: str, number: str, kind: str) -> None:
    field = message.field.add(name=name, number=int(number), label=Field.LABEL_OPTIONAL)
    if kind.startswith("map<"):
        kind = "*" + _map_entry(message, name, kind[4:-1])
    if kind.startswith("*"):
        field.label = Field.LABEL_REPEATED
    elif message.name in ONE_OF and name not in NOT_IN_ONE_OF:
        field.oneof_index = 0
    _set_type(field, kind.lstrip("*"))


def _set_type(field: descriptor_pb2.FieldDescriptorProto, kind: str) -> None:
    if kind in SCALARS:
        field.type = SCALARS[kind]
        return
    field.type = Field.TYPE_ENUM if kind == "DataType" else Field.TYPE_MESSAGE
    field.type_name = f".{PACKAGE}.{kind}"


def _map_entry(message: descriptor_pb2.DescriptorProto, name: str, value: str) -> str:
    """A map field is a repeated nested message of key and value."""
    entry = message.nested_type.add(name=f"{name.capitalize()}Entry")
    entry.options.map_entry = True
    _add_field(entry, "key", "1", "string")
    _add_field(entry, "value", "2", value)
    return f"{message.name}.{entry.name}"


_POOL = descriptor_pool.DescriptorPool()
_POOL.Add(_file())


def _message(name: str) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))


GraphDef = _message("GraphDef")
Event = _message("Event")
