"""An imported graph as one of the engine's own: written again, it is what was read."""

from __future__ import annotations

import pytest

from engine.graph.essentials import everything
from engine.interchange.graphdef import graph_def
from engine.interchange.messages import GraphDef
from engine.interchange.reading import read_graph
from engine.programs.imported.rebuilding import rebuilt
from tests.data import FOLDER
from tests.limits import ROOMY

WRITTEN = sorted(path.stem for path in FOLDER.glob("*.pbtxt"))


@pytest.mark.parametrize("name", WRITTEN)
def test_what_tensorflow_wrote_comes_out_as_it_went_in(name: str) -> None:
    imported = read_graph((FOLDER / f"{name}.pbtxt").read_bytes(), ROOMY)
    made = rebuilt(imported)
    assert made.faults == {}
    written = graph_def(everything(made.graph))
    ours = {node.name: node.SerializeToString(deterministic=True) for node in written.node}
    theirs = {node.name: node.SerializeToString(deterministic=True) for node in imported.message.node}
    assert ours == theirs


def test_a_node_that_does_not_fit_its_op_stays_in_its_place() -> None:
    message = GraphDef()
    message.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
    message.node.add(name="y", op="MatMul", input=["x"]).attr["T"].type = 1  # it takes two
    message.node.add(name="z", op="Exp", input=["y"])
    made = rebuilt(read_graph(message.SerializeToString(), ROOMY))
    assert [node.name for node in made.faults] == ["y"]
    assert [tensor.name for tensor in made.nodes[2].inputs] == ["y:0"]


@pytest.mark.parametrize(
    "op", ["Const", "Placeholder", "VariableV2", "Cast", "Sum", "Split", "Conv2D", "Switch", "Merge"]
)
def test_attributes_of_wrong_kinds_are_the_nodes_fault(op: str) -> None:
    message = GraphDef()
    message.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
    entry = message.node.add(name="y", op=op, input=["x", "x"])
    for key in ("dtype", "shape", "value", "T", "DstT", "num_split", "strides", "padding", "N", "axis"):
        entry.attr[key].s = b"\xff<script>"
    made = rebuilt(read_graph(message.SerializeToString(), ROOMY))
    assert [node.name for node in made.nodes] == ["x", "y"]
