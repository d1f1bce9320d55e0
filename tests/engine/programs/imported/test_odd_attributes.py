"""Files whose attributes are of another kind than their ops have: drawn, and given out again."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.errors import GradlensError
from engine.interchange.messages import DATA_TYPES, GraphDef
from engine.programs.imported.graph_files import download_imported
from engine.programs.imported.growing import grow_gradients
from engine.programs.imported.opening import open_graph
from engine.programs.imported.valuing import compute_values
from tests.limits import ROOMY

LIMITS = ROOMY
FORMS = ("pb", "pbtxt", "events", "dot", "graphml", "json")
OPS = (
    "Exp",
    "Const",
    "VariableV2",
    "MatMul",
    "Conv2D",
    "Sum",
    "Reshape",
    "Split",
    "Cast",
    "Fill",
    "Switch",
    "Odd",
)
KEYS = (
    "T",
    "dtype",
    "shape",
    "value",
    "N",
    "axis",
    "strides",
    "_output_shapes",
    "_class",
    "num_split",
    "DstT",
)
PLAIN = {"i": -7, "f": float("nan"), "b": True, "s": b"\xff\x00<b>"}


def put(attribute: Any, kind: str) -> None:
    """Set an attribute to a value of a kind that it may or may not have."""
    if kind == "tensor":
        attribute.tensor.dtype = DATA_TYPES["DT_FLOAT"]
        attribute.tensor.tensor_shape.dim.add(size=2)
        attribute.tensor.float_val.extend([1.0, float("inf")])
    elif kind == "shape":
        attribute.shape.dim.add(size=-1)
    elif kind == "absurd shape":
        attribute.shape.dim.add(size=2**62)
        attribute.shape.dim.add(size=-5)
    elif kind == "list":
        attribute.list.i.extend([-1, 2**62])
    elif kind == "names":
        attribute.list.func.add(name="f")
    elif kind == "func":
        attribute.func.name = "f"
    else:
        setattr(attribute, kind, PLAIN[kind])


KINDS = (*PLAIN, "tensor", "shape", "absurd shape", "list", "names", "func")


def odd(op: str, kind: str) -> bytes:
    """The file of a node of this op, whose attributes are all of this kind, behind a placeholder like it."""
    message = GraphDef()
    message.node.add(name="x", op="Placeholder")
    message.node.add(name="y", op=op, input=["x", "x:1", "^x"] if op != "Const" else [])
    for node in message.node:
        for key in KEYS:
            put(node.attr[key], kind)
    return bytes(message.SerializeToString())


def clear(act: Any) -> Any:
    """What is done, or the refusal in both languages."""
    try:
        return act()
    except GradlensError as error:
        refused = error
    assert refused.message
    assert refused.message_zh != refused.message
    return None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("op", OPS)
def test_it_is_drawn_and_given_out_in_every_form(op: str, kind: str) -> None:
    data = odd(op, kind)
    body = open_graph(data, LIMITS)
    assert json.loads(json.dumps(body, allow_nan=False))["nodes"] == 2
    for form in FORMS:
        for detail in ("tensorflow", "essentials"):
            assert download_imported(data, detail, form, LIMITS)
    clear(lambda: compute_values(data, {}, {}, LIMITS))
    clear(lambda: grow_gradients(data, "y", ["x"], LIMITS))


@pytest.mark.parametrize("kind", KINDS)
def test_the_essentials_of_a_file_have_the_attributes_that_stand_in_it(kind: str) -> None:
    data = odd("Exp", kind)
    found = GraphDef.FromString(download_imported(data, "essentials", "pb", LIMITS))
    before = {node.name: node for node in GraphDef.FromString(data).node}
    assert [node.name for node in found.node] == ["x", "y"]
    for node in found.node:
        assert dict(node.attr).keys() == dict(before[node.name].attr).keys()
        assert all(repr(node.attr[key]) == repr(before[node.name].attr[key]) for key in node.attr)  # NaN, too


def test_names_that_xml_cannot_hold_are_escaped_and_stay_apart() -> None:
    message = GraphDef()
    for name in ("a\x00", "a\x01"):
        message.node.add(name=name, op="NoOp", device="\x02")
    text = download_imported(message.SerializeToString(), "tensorflow", "graphml", LIMITS).decode()
    assert 'id="a\\u0000"' in text
    assert 'id="a\\u0001"' in text


def test_a_text_of_twenty_million_characters_is_shown_by_its_beginning() -> None:
    message = GraphDef()
    message.node.add(name="x", op="Placeholder").attr["s"].s = b"x" * 20_000_000
    value = message.node.add(name="c", op="Const").attr["value"].tensor
    value.dtype = message.node[1].attr["dtype"].type = DATA_TYPES["DT_STRING"]
    value.string_val.append(b"y" * 1_000_000)
    first, second = open_graph(message.SerializeToString(), LIMITS)["graph"]["nodes"]
    assert first["attrs"]["s"] == "x" * 1_000 + "…"
    assert len(json.dumps(second)) < 5_000
