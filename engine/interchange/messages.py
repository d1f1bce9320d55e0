"""TensorFlow's own messages (GraphDef, SavedModel, Event), as far as a graph needs them, for protobuf.

Only names, numbers and types of fields stand here; protobuf itself reads and writes the binary and the text
form, and keeps the fields of a binary file that are not listed.
Source: tensorflow/core: framework/*.proto, protobuf/saved_model.proto and meta_graph.proto, util/event.proto.
"""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PACKAGE = "gradlens.tensorflow"

# message -> "name number type", where * repeats, and map<V> is keyed by text
FIELDS: dict[str, tuple[str, ...]] = {
    "GraphDef": (
        "node 1 *NodeDef",
        "library 2 FunctionDefLibrary",
        "version 3 int32",
        "versions 4 VersionDef",
    ),
    # a GraphDef again, of which less is read: to count its nodes, or to read attributes that are alike once
    "GraphCount": ("node 1 *bytes",),
    "GraphOutline": ("node 1 *NodeOutline", "library 2 LibraryOutline"),
    "LibraryOutline": ("function 1 *bytes",),
    "NodeOutline": ("name 1 string", "op 2 string", "input 3 *string", "device 4 string", "attr 5 *bytes"),
    "AttrEntry": ("key 1 string", "value 2 AttrValue"),
    "VersionDef": ("producer 1 int32", "min_consumer 2 int32", "bad_consumers 3 *int32"),
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
        "placeholder 9 string",
        "func 10 NameAttrList",
    ),
    "ListValue": (
        "s 2 *bytes",
        "i 3 *int64",
        "f 4 *float",
        "b 5 *bool",
        "type 6 *DataType",
        "shape 7 *TensorShapeProto",
        "tensor 8 *TensorProto",
        "func 9 *NameAttrList",
    ),
    "NameAttrList": ("name 1 string", "attr 2 map<AttrValue>"),
    "TensorShapeProto": ("dim 2 *Dim", "unknown_rank 3 bool"),
    "Dim": ("size 1 int64", "name 2 string"),
    "TensorProto": (
        "dtype 1 DataType",
        "tensor_shape 2 TensorShapeProto",
        "version_number 3 int32",
        "tensor_content 4 bytes",
        "half_val 13 *int32",
        "float_val 5 *float",
        "double_val 6 *double",
        "int_val 7 *int32",
        "int64_val 10 *int64",
        "bool_val 11 *bool",
        "string_val 8 *bytes",
        "scomplex_val 9 *float",
        "dcomplex_val 12 *double",
        "uint32_val 16 *uint32",
        "uint64_val 17 *uint64",
    ),
    "FunctionDefLibrary": ("function 1 *FunctionDef", "gradient 2 *GradientDef"),
    "FunctionDef": (
        "signature 1 OpDef",
        "node_def 3 *NodeDef",
        "ret 4 map<string>",
        "attr 5 map<AttrValue>",
    ),
    "GradientDef": ("function_name 1 string", "gradient_func 2 string"),
    "OpDef": ("name 1 string", "input_arg 2 *ArgDef", "output_arg 3 *ArgDef", "is_stateful 17 bool"),
    "ArgDef": ("name 1 string", "type 3 DataType", "type_attr 4 string", "number_attr 5 string"),
    "SavedModel": ("saved_model_schema_version 1 int64", "meta_graphs 2 *MetaGraphDef"),
    "MetaGraphDef": ("meta_info_def 1 MetaInfoDef", "graph_def 2 GraphDef"),
    "MetaInfoDef": ("tags 4 *string", "tensorflow_version 5 string"),
    "Event": (
        "wall_time 1 double",
        "step 2 int64",
        "file_version 3 string",
        "graph_def 4 bytes",
        "meta_graph_def 9 bytes",
    ),
}

ONE_OF = {"AttrValue": "value", "Event": "what"}  # messages that hold one of their fields, and its name
NOT_IN_ONE_OF = {"wall_time", "step"}

_NUMBERED = {
    "FLOAT": 1,
    "DOUBLE": 2,
    "INT32": 3,
    "UINT8": 4,
    "INT16": 5,
    "INT8": 6,
    "STRING": 7,
    "COMPLEX64": 8,
    "INT64": 9,
    "BOOL": 10,
    "QINT8": 11,
    "QUINT8": 12,
    "QINT32": 13,
    "BFLOAT16": 14,
    "QINT16": 15,
    "QUINT16": 16,
    "UINT16": 17,
    "COMPLEX128": 18,
    "HALF": 19,
    "RESOURCE": 20,
    "VARIANT": 21,
    "UINT32": 22,
    "UINT64": 23,
    "FLOAT8_E5M2": 24,
    "FLOAT8_E4M3FN": 25,
    "INT4": 29,
    "UINT4": 30,
}
REFERENCES = 100  # what the number of a variable's buffer is above that of its elements
DATA_TYPES = {
    "DT_INVALID": 0,
    **{f"DT_{name}": number for name, number in _NUMBERED.items()},
    **{f"DT_{name}_REF": number + REFERENCES for name, number in _NUMBERED.items()},
}

Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    "string": Field.TYPE_STRING,
    "bytes": Field.TYPE_BYTES,
    "int32": Field.TYPE_INT32,
    "int64": Field.TYPE_INT64,
    "uint32": Field.TYPE_UINT32,
    "uint64": Field.TYPE_UINT64,
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
GraphCount = _message("GraphCount")
GraphOutline = _message("GraphOutline")
AttrEntry = _message("AttrEntry")
NodeDef = _message("NodeDef")
AttrValue = _message("AttrValue")
SavedModel = _message("SavedModel")
MetaGraphDef = _message("MetaGraphDef")
Event = _message("Event")
