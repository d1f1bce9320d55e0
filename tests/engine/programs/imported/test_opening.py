"""An imported graph as JSON, and as files for other tools."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.execution.budget import Limits
from engine.interchange.messages import GraphDef
from engine.interchange.reading import read_graph
from engine.programs.answers.graph_files import MEDIA_TYPES
from engine.programs.imported.graph_files import download_imported
from engine.programs.imported.opening import open_graph
from tests.engine.interchange.reading.graphs import SMALL, layers, small
from tests.engine.programs.imported.test_growing import file_of
from tests.limits import ROOMY

LIMITS = ROOMY


def nodes_of(data: bytes, limits: Limits = LIMITS) -> dict[str, Any]:
    return {node["name"]: node for node in open_graph(data, limits)["graph"]["nodes"]}


def test_shapes_are_worked_out_where_the_file_has_none() -> None:
    data = file_of(
        "x = tf.placeholder(tf.float32, [2, 3], name='x')\ny = tf.matmul(x, tf.ones([3, 4]), name='y')"
    )
    assert nodes_of(data)["y"]["outputs"] == [{"dtype": "float32", "shape": [2, 4]}]
    answer = open_graph(data, replace(ROOMY, nodes=2))
    assert [note["code"] for note in answer["diagnostics"]] == ["shapes_left_out"]


def test_a_constant_shows_its_value_and_gradients_their_forward_op() -> None:
    nodes = nodes_of(file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)\ng = tf.gradients(y, x)"))
    assert nodes["x/initial_value"]["value"] == {"dtype": "float32", "shape": [], "data": 3.0}
    assert (nodes["gradients/Sin_grad/mul"]["phase"], nodes["gradients/Sin_grad/mul"]["of"]) == (
        "gradient",
        "Sin",
    )


def test_ops_without_a_definition_are_named() -> None:
    message = GraphDef()
    message.node.add(name="f", op="Frobnicate")
    (note,) = open_graph(message.SerializeToString(), LIMITS)["diagnostics"]
    assert note["message"].startswith("Gradlens has no definition of 1 ops of this graph: Frobnicate.")


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
@pytest.mark.parametrize("form", MEDIA_TYPES)
def test_every_small_case_goes_out_in_every_form(path: Any, form: str) -> None:
    data = small(path.stem).SerializeToString()
    for detail in ("tensorflow", "essentials"):
        assert download_imported(data, detail, form, LIMITS)


def test_what_goes_out_is_field_for_field_what_came_in() -> None:
    message = small("exp_sin_grad")
    message.versions.producer = 26
    message.library.function.add().signature.name = "f"
    message.node[0].attr["other"].list.f.extend([0.1, 0.2])
    message.node[0].attr["_output_shapes"].list.shape.add().unknown_rank = True
    for form in ("pb", "pbtxt", "events"):
        out = download_imported(message.SerializeToString(), "tensorflow", form, LIMITS)
        assert read_graph(out, LIMITS).message == message


def test_the_essentials_hide_the_plumbing() -> None:
    data = file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)")
    nodes = json.loads(download_imported(data, "essentials", "json", LIMITS))["nodes"]
    assert [(node["name"], node["inputs"]) for node in nodes] == [("x", []), ("Sin", ["x"])]


def test_ten_thousand_nodes_have_their_gradients_paired() -> None:
    nodes = nodes_of(layers(10_000).SerializeToString())
    paired = sum(node["of"] is not None for node in nodes.values())
    assert (len(nodes), paired) == (10_000, 2 * 3_332)  # two for each of the layers
