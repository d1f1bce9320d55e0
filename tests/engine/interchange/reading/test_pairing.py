"""Gradients are paired with their forward ops by the names that TensorFlow gives."""

from __future__ import annotations

import pytest
from google.protobuf import text_format

from engine.interchange.messages import GraphDef
from engine.interchange.reading import read_graph
from engine.interchange.reading.pairing import forward_of, phases_of
from engine.programs import ProgramRequest, run_program
from tests.data import FOLDER
from tests.engine.test_tensorflow_oracle import CASES
from tests.limits import ROOMY

NOT_BY_NAME = {  # nodes that stand in no scope that says so: zeros for unused outputs, scopes of other names
    "array-unstack",
    "loss-softmax-ce",
    "opt-hessian",
    "opt-name",
    "opt-split-outputs",
    "opt-unconnected-zero",
}
WRITTEN = sorted(path.stem for path in FOLDER.glob("*.pbtxt") if path.stem not in NOT_BY_NAME)


@pytest.mark.parametrize(
    ("name", "forward"),
    [
        ("gradients/Sin_grad/mul", "Sin"),
        ("gradients/a/Exp_grad/mul", "a/Exp"),
        ("gradients/Exp_grad_1/mul", "Exp"),
        ("gradients/AddN", None),
        ("gradients/Tan_grad/mul", None),  # there is no Tan
        ("gradients/gradients/Sin_grad/mul_grad/Mul", "gradients/Sin_grad/mul"),
    ],
)
def test_whose_rule_made_a_node(name: str, forward: str | None) -> None:
    known = dict.fromkeys(["Sin", "Exp", "a/Exp", "gradients/Sin_grad/mul"])
    assert forward_of(name, len("gradients/"), known) == forward


def test_scopes_around_gradients_and_updates_are_found() -> None:
    message = GraphDef()
    message.node.add(name="w", op="VariableV2")
    message.node.add(name="w/Adam", op="VariableV2")
    message.node.add(name="w/Adam/read", op="Identity", input=["w/Adam"])
    message.node.add(name="train/gradients_1/Sin_grad/mul", op="Mul")
    message.node.add(name="clip", op="Mul", input=["train/gradients_1/Sin_grad/mul"])
    message.node.add(name="norm", op="L2Loss", input=["train/gradients_1/Sin_grad/mul"])
    message.node.add(name="train/Adam/update_w/ApplyAdam", op="ApplyAdam", input=["w", "w/Adam", "clip"])
    phases = phases_of(read_graph(message.SerializeToString(), ROOMY).nodes).phases
    assert phases == ["forward", "update", "update", "gradient", "process", "after", "update"]


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_names_say_what_the_program_says(name: str) -> None:
    """Of the graphs that TensorFlow wrote: the gradient nodes, and of each whose rule made it."""
    graph = read_graph((FOLDER / f"{name}.pbtxt").read_bytes(), ROOMY)
    found = phases_of(graph.nodes)
    nodes = run_program(ProgramRequest(CASES[name]["source"], gradients=False))["graph"]["nodes"]
    theirs = [(node["name"], node["phase"] == "gradient", node["of"]) for node in nodes]
    ours = [
        (node.name, phase == "gradient", of)
        for node, phase, of in zip(graph.nodes, found.phases, found.of, strict=True)
    ]
    assert ours == theirs


def test_a_text_and_its_graph_have_the_same_nodes() -> None:
    text = (FOLDER / f"{WRITTEN[0]}.pbtxt").read_text()
    assert read_graph(text.encode(), ROOMY).message == text_format.Parse(text, GraphDef())
