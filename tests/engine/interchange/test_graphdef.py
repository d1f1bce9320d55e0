"""Graphs written for TensorBoard: text for text what TensorFlow 1.15.5 wrote."""

import pytest

from engine import ops
from engine.graph import Graph, Variable
from engine.graph.control_flow.building import assert_true
from engine.graph.essentials import essentials, everything
from engine.interchange.graphdef import to_pb, to_pbtxt
from engine.interchange.messages import GraphDef
from engine.programs import ProgramRequest
from engine.programs.program.running import run_request
from tests.data import FOLDER
from tests.engine.test_tensorflow_oracle import CASES
from tests.limits import ROOMY

WRITTEN = sorted(path.stem for path in FOLDER.glob("*.pbtxt"))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_text_is_tensorflows_own(name):
    outcome = run_request(ProgramRequest(CASES[name]["source"], gradients=False), ROOMY)
    assert to_pbtxt(everything(outcome.workspace.graph)) == (FOLDER / f"{name}.pbtxt").read_text()


def test_the_bytes_hold_the_same_nodes_and_never_vary():
    with Graph().as_default() as graph:
        y = ops.square(Variable(3.0, name="x"))
        with graph.control_dependencies([y]):
            ops.constant([1.0, 2.0], name="after")
    message = GraphDef.FromString(to_pb(everything(graph)))
    assert [node.name for node in message.node] == [node.name for node in graph.nodes]
    assert list(message.node[-1].input) == ["^Square"]
    assert to_pb(everything(graph)) == to_pb(everything(graph))


def test_an_unknown_length_is_written_as_minus_one_and_an_unknown_rank_as_such():
    with Graph().as_default() as graph:
        ops.placeholder("float32", (None, 3), name="rows")
        ops.placeholder("float32", None, name="anything")
    rows, anything = GraphDef.FromString(to_pb(everything(graph))).node
    assert [dim.size for dim in rows.attr["shape"].shape.dim] == [-1, 3]
    assert anything.attr["shape"].shape.unknown_rank


def test_the_essentials_can_be_written_too():
    with Graph().as_default() as graph:
        ops.sin(Variable(3.0, name="x"))
    message = GraphDef.FromString(to_pb(essentials(graph)))
    assert [(node.name, list(node.input)) for node in message.node] == [("x", []), ("Sin", ["x"])]


def test_texts_and_lists_of_types_are_written_as_tensorflow_writes_them():
    with Graph().as_default() as graph:
        x = Variable(3.0, name="x")
        assert_true(graph, ops.greater(x, 1.0), ["too small:", x])
    text = to_pbtxt(everything(graph))
    assert 'string_val: "too small:"' in text
    assert "list {\n        type: DT_STRING\n        type: DT_FLOAT\n      }" in text
