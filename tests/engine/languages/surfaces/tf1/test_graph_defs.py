"""A graph's definition, printed and listed as TensorFlow 1.15.5 does."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

GRAPH = """\
import tensorflow as tf
x = tf.placeholder(tf.float32, [2], name="x")
with tf.control_dependencies([x]):
    y = tf.Variable([1.0, 2.0], name="v") * x
"""


def printed(rest: str) -> list[str]:
    answer = run_program(ProgramRequest(source=GRAPH + rest))
    assert answer["status"] == "ok", answer["diagnostics"]
    return list(answer["printed"])


def test_the_nodes_of_a_definition_have_names_ops_and_the_texts_of_their_inputs() -> None:
    assert printed(
        "for n in tf.get_default_graph().as_graph_def().node:\n    print(n.name, n.op, n.input)"
    ) == [
        "x Placeholder []",
        "v/initial_value Const []",
        "v VariableV2 []",
        "v/Assign Assign ['v', 'v/initial_value']",
        "v/read Identity ['v']",
        "mul Mul ['v/read', 'x']",
    ]


def test_a_definition_does_not_grow_with_the_graph() -> None:
    assert printed("d = tf.get_default_graph().as_graph_def()\nz = y + 1.0\nprint(len(d.node))") == ["6"]


def test_a_definition_prints_as_protobuf_text() -> None:
    lines = printed("print(tf.get_default_graph().as_graph_def())")
    assert lines[:3] == ["node {", '  name: "x"', '  op: "Placeholder"']
    assert lines[-4:] == ["versions {", "  producer: 134", "}", ""]


def test_an_operation_prints_as_its_definition() -> None:
    assert printed("print(y.op)") == [
        'name: "mul"', 'op: "Mul"', 'input: "v/read"', 'input: "x"',
        "attr {", '  key: "T"', "  value {", "    type: DT_FLOAT", "  }", "}", "",
    ]  # fmt: skip
