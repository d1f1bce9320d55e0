"""Files of graphs that other programs wrote: what opens, what is refused, and why."""

from __future__ import annotations

import gzip
import zipfile
from io import BytesIO
from typing import Any

import pytest
from google.protobuf import text_format

from engine.execution.budget import Limits
from engine.interchange.events import events_of, framed
from engine.interchange.messages import Event, GraphDef, MetaGraphDef, SavedModel
from engine.interchange.reading import FileRefused, ImportedGraph, read_graph
from tests.engine.interchange.reading.graphs import SMALL, layers, small, two

EXP = two()
PB = EXP.SerializeToString()
HOSTILE = GraphDef()
HOSTILE.node.add(name="<script>alert(1)</script>", op="<b>Exp</b>")


def opened(data: bytes, **limits: int) -> ImportedGraph:
    return read_graph(data, Limits(**limits))


def why(data: bytes, **limits: int) -> tuple[str, str]:
    """The code and the message of a refusal, which are in Chinese, too."""
    with pytest.raises(FileRefused) as refused:
        opened(data, **limits)
    error = refused.value
    assert error.message_zh != error.message
    return error.code, error.message


def zipped(**files: bytes) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("_pb", ".pb").replace("__", "/"), data)
    return made.getvalue()


def saved_model(*graphs: Any) -> bytes:
    model = SavedModel(saved_model_schema_version=1)
    for place, graph in enumerate(graphs):
        meta = model.meta_graphs.add(graph_def=graph)
        meta.meta_info_def.tags.append("serve" if place == 0 else "train")
    return bytes(model.SerializeToString())


def meta_graph(graph: Any) -> bytes:
    meta = MetaGraphDef(graph_def=graph)
    meta.meta_info_def.tensorflow_version = "1.15.5"
    return bytes(meta.SerializeToString())


@pytest.mark.parametrize(
    ("form", "data"),
    [
        ("pb", PB),
        ("pbtxt", text_format.MessageToString(EXP).encode()),
        ("saved_model", saved_model(EXP)),
        ("meta_graph", meta_graph(EXP)),
        ("events", events_of(PB)),
        ("pb", gzip.compress(PB)),
        ("pb", zipped(graph_pb=PB, readme=b"words")),
        ("saved_model", zipped(model__saved_model_pb=saved_model(EXP), other_pb=PB)),
        ("saved_model", text_format.MessageToString(SavedModel.FromString(saved_model(EXP))).encode()),
    ],
    ids=["pb", "pbtxt", "saved_model", "meta", "events", "gzip", "zip", "zipped model", "model in text"],
)
def test_a_file_is_read_as_what_its_bytes_are(form: str, data: bytes) -> None:
    graph = opened(data)
    assert (graph.form, [node.name for node in graph.nodes]) == (form, ["x", "y"])
    assert graph.nodes[1].inputs == [(0, 0)]  # output 0 of the first node


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_every_small_case_opens_in_both_forms(path: Any) -> None:
    message = small(path.stem)
    binary = opened(message.SerializeToString())
    text = opened(text_format.MessageToString(message).encode())
    assert len(binary.nodes) == len(message.node)
    assert binary.nodes == text.nodes


def test_x_times_x_has_two_edges() -> None:
    graph = opened(small("mul_x_x").SerializeToString())
    (mul,) = [node for node in graph.nodes if node.name == "mul"]
    read = next(place for place, node in enumerate(graph.nodes) if node.name == "Variable/read")
    assert mul.inputs == [(read, 0), (read, 0)]


@pytest.mark.parametrize("count", [100, 1_000, 10_000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_graphs_of_every_size_open(count: int) -> None:
    assert len(opened(layers(count).SerializeToString()).nodes) == count


def test_bytes_that_begin_like_a_text_are_read_as_bytes() -> None:
    message = GraphDef()
    message.node.add(name="node_name", op="NoOpNoOp", device="d" * 7)
    data = message.SerializeToString()
    assert data[:4] == b"\n\x1e\n\t"  # nearly white space, then "node"
    message.node[0].device += "dd"
    assert message.SerializeToString().lstrip().startswith(b"node")
    assert opened(message.SerializeToString()).form == "pb"


def test_the_last_graph_of_an_event_file_is_read_and_a_record_that_is_being_written_is_left() -> None:
    later = framed(Event(graph_def=two("x", "z").SerializeToString()).SerializeToString())
    graph = opened(events_of(PB) + later + later[:20])
    assert [node.name for node in graph.nodes] == ["x", "z"]


def test_of_several_graphs_in_a_model_a_note_names_the_others() -> None:
    (note,) = opened(saved_model(EXP, two("a", "b", into_second=["a"]))).notes
    assert note.message == "The model holds 2 graphs (serve; train); the first is shown."


def test_names_with_markup_are_names() -> None:
    (node,) = opened(HOSTILE.SerializeToString()).nodes
    assert (node.name, node.op) == ("<script>alert(1)</script>", "<b>Exp</b>")


@pytest.mark.parametrize("end", [1, 5, len(PB) - 1])
def test_a_truncated_file_is_damaged(end: int) -> None:
    assert why(PB[:end])[0] == "damaged_file"
    assert why(events_of(PB)[: -end - 1])[0] == "damaged_file"
    assert why(gzip.compress(PB)[: -end - 1])[0] == "damaged_file"


def test_an_event_file_with_a_changed_byte_is_damaged() -> None:
    data = bytearray(events_of(PB))
    data[-10] ^= 1
    assert why(bytes(data))[0] == "damaged_file"


def test_two_nodes_of_one_name_are_refused_with_their_places() -> None:
    code, message = why(two("x", "x").SerializeToString())
    assert (code, message) == ("duplicate_name", "Nodes 1 and 2 of the file are both named 'x'.")


def test_a_circle_is_refused_with_the_nodes_on_it() -> None:
    code, message = why(two(into_first=["y"]).SerializeToString())
    assert code == "cyclic_graph"
    assert message == "These nodes wait for each other in a circle: 'x' → 'y' → 'x'."


def test_a_control_input_closes_a_circle_too() -> None:
    assert why(two(into_first=["^y"]).SerializeToString())[0] == "cyclic_graph"


def test_the_end_of_a_loops_turn_may_lead_back() -> None:
    loop = GraphDef()
    loop.node.add(name="enter", op="Enter")
    loop.node.add(name="merge", op="Merge", input=["enter", "next"])
    loop.node.add(name="next", op="NextIteration", input=["merge"])
    assert [node.inputs for node in opened(loop.SerializeToString()).nodes] == [
        [],
        [(0, 0), (2, 0)],
        [(1, 0)],
    ]


def test_an_input_that_is_not_there_is_refused() -> None:
    code, message = why(two(into_second=["z:1"]).SerializeToString())
    assert (code, message) == ("unknown_input", "Node 'y' takes 'z', which is not in the file.")


def test_an_absurd_output_number_is_refused() -> None:
    assert why(two(into_second=["x:99999999999"]).SerializeToString())[0] == "unknown_input"


def test_a_million_nodes_are_counted_before_any_is_read() -> None:
    code, message = why(b"\x0a\x00" * 1_000_000)
    assert (code, message) == ("too_many_nodes", "The graph has 1,000,000 nodes; at most 50,000 are opened.")
    assert why(b'node { name: "a" }\n' * 60_000)[0] == "too_many_nodes"


def test_more_inputs_than_ten_for_each_node_that_there_may_be_are_refused() -> None:
    assert why(two(into_second=["x"] * 31).SerializeToString(), import_nodes=3)[0] == "too_many_nodes"


def test_a_node_of_a_thousand_attributes_is_the_largest() -> None:
    message = two()
    for i in range(1_001):
        message.node[0].attr[f"a{i}"].i = i
    code, said = why(message.SerializeToString())
    assert (code, said) == (
        "too_many_nodes",
        "The graph has 1,001 attributes on node 'x'; at most 1,000 are opened.",
    )


def test_a_bomb_is_not_unpacked_beyond_the_limit() -> None:
    assert why(gzip.compress(bytes(1_000_000)), import_bytes=100_000)[0] == "file_too_large"
    assert why(zipped(graph_pb=bytes(1_000_000)), import_bytes=100_000)[0] == "file_too_large"


def test_a_file_over_the_limit_is_refused() -> None:
    assert why(PB, import_bytes=10)[1] == "This file is over 10 bytes."


def test_an_archive_of_several_graphs_is_refused() -> None:
    assert why(zipped(a_pb=PB, b_pb=PB))[1] == "This compressed file holds 2 graphs, not one."


def test_a_packed_file_in_a_packed_file_is_refused() -> None:
    twice = gzip.compress(gzip.compress(PB))
    assert why(twice) == ("bad_archive", "This compressed file holds another compressed file.")
    assert why(zipped(graph_pb=gzip.compress(PB)))[0] == "bad_archive"


def test_a_text_that_an_editor_on_windows_wrote_is_read() -> None:
    text = text_format.MessageToString(EXP).replace("\n", "\r\n")
    assert [node.name for node in opened(b"\xef\xbb\xbf" + text.encode()).nodes] == ["x", "y"]


def test_messages_nested_a_hundred_deep_are_refused_as_that() -> None:
    deep = two()
    value = deep.node[1].attr["f"]
    for _ in range(60):
        value.func.name = "f"
        value = value.func.attr["f"]
    code, message = why(deep.SerializeToString())
    assert (code, message) == (
        "nested_too_deep",
        "Something in this file is nested more deeply than can be read.",
    )


@pytest.mark.parametrize(
    "tail",
    [b"\x0a" + b"\xff" * 9 + b"\x7f", b"\x0a" + b"\x80" * 9 + b"\x01", b"\x0f\x01", b"\x0b\x01", b"\x00\x01"],
    ids=[
        "a number of over 64 bits",
        "a length of 2^63",
        "a kind that there is not",
        "half a group",
        "field 0",
    ],
)
def test_bytes_that_no_message_has_are_damaged(tail: bytes) -> None:
    assert why(PB + tail)[0] == "damaged_file"


def test_deep_nesting_is_refused_in_both_forms() -> None:
    deep = b"node { attr { value { func { " + b"attr { value { func { " * 2_000
    assert why(deep)[0] in ("nested_too_deep", "bad_text")
    assert why(two("/".join("a" * 100)).SerializeToString())[0] == "nested_too_deep"


@pytest.mark.parametrize(
    "data",
    [b"", b"versions {\n  producer: 26\n}\n", saved_model(GraphDef())],
    ids=["nothing", "versions", "model"],
)
def test_a_graph_without_nodes_says_so(data: bytes) -> None:
    assert why(data)[0] == "empty_graph"


@pytest.mark.parametrize(
    "data",
    [b"hello", b'{"nodes": []}', b"%PDF-1.7", b"\x89PNG\r\n\x1a\n" + bytes(50)],
    ids=["text", "json", "pdf", "png"],
)
def test_other_files_are_refused(data: bytes) -> None:
    assert why(data)[0] in ("damaged_file", "not_a_graph", "bad_name")


@pytest.mark.parametrize("name", ["", "^x", "a:0", "n" * 2_001])
def test_names_that_no_input_could_hold_are_refused(name: str) -> None:
    assert why(two(name).SerializeToString())[0] == "bad_name"


def test_a_wrong_text_is_refused_with_its_line() -> None:
    code, message = why(b'node {\n  name: "x"\n  op: 3\n}\n')
    assert code == "bad_text"
    assert message.startswith("Line 3, column")
