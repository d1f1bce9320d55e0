"""A program's graph, for other tools."""

import json
import re
from io import BytesIO
from pathlib import Path

import httpx
import networkx
import pytest

from engine.interchange.messages import GraphDef
from tests.data import FOLDER
from tests.server.service import running


def program(client: httpx.Client, source: str) -> str:
    name: str = client.post("/programs", json={"source": source, "at": {"x": 3}}).json()["id"]
    return name


@pytest.fixture(scope="module")
def chain(client: httpx.Client) -> str:
    return program(client, "y = exp(sin(x))")


def test_the_essentials_are_the_mathematics_with_its_values(client: httpx.Client, chain: str) -> None:
    nodes = client.get(f"/programs/{chain}/graph", params={"detail": "essentials"}).json()["nodes"]
    assert [node["name"] for node in nodes] == [
        "x",
        "Sin",
        "Exp",
        "gradients/grad_ys_0",
        "gradients/Exp_grad/mul",
        "gradients/Sin_grad/Cos",
        "gradients/Sin_grad/mul",
    ]
    assert nodes[1]["inputs"] == ["x"]
    assert nodes[-1]["value"]["data"] == pytest.approx(-1.1400385675)


def test_the_essentials_of_a_run_have_its_updates_and_no_reads(client: httpx.Client, chain: str) -> None:
    run = client.post("/runs", json={"program": chain, "optimizer": {"name": "Momentum"}, "steps": 2}).json()
    nodes = client.get(f"/runs/{run['id']}/graph", params={"detail": "essentials"}).json()["nodes"]
    updates = [node for node in nodes if node["phase"] == "update"]
    assert "ApplyMomentum" in {node["op"] for node in updates}
    assert "Identity" not in {node["op"] for node in nodes}
    assert client.get(f"/runs/{run['id']}/graph").json() == run["program"]["graph"]


def test_without_a_wish_the_graph_is_that_of_the_program(client: httpx.Client, chain: str) -> None:
    whole = client.get(f"/programs/{chain}").json()["graph"]
    assert client.get(f"/programs/{chain}/graph").json() == whole


def test_the_text_form_is_tensorflows_own(client: httpx.Client) -> None:
    source = json.loads((FOLDER / "compose-exp-sin.json").read_text())["source"]
    answer = client.get(f"/programs/{program(client, source)}/graph", params={"format": "pbtxt"})
    assert answer.text == (FOLDER / "compose-exp-sin.pbtxt").read_text()
    assert answer.headers["content-disposition"] == 'attachment; filename="graph.pbtxt"'


def test_the_binary_form_holds_every_node(client: httpx.Client, chain: str) -> None:
    data = client.get(f"/programs/{chain}/graph", params={"format": "pb"}).content
    names = [node["name"] for node in client.get(f"/programs/{chain}").json()["graph"]["nodes"]]
    assert [node.name for node in GraphDef.FromString(data).node] == names


def test_an_event_file_has_the_name_that_tensorboard_looks_for(client: httpx.Client, chain: str) -> None:
    answer = client.get(f"/programs/{chain}/graph", params={"format": "events"})
    assert "events.out.tfevents" in answer.headers["content-disposition"]
    assert b"brain.Event:2" in answer.content


def test_a_form_that_there_is_not_is_a_problem(client: httpx.Client, chain: str) -> None:
    answer = client.get(f"/programs/{chain}/graph", params={"format": "exe"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


def test_graphviz_and_graphml_hold_every_node_and_edge(client: httpx.Client, chain: str) -> None:
    nodes = client.get(f"/programs/{chain}").json()["graph"]["nodes"]
    edges = sum(len(node["inputs"]) + len(node["control_inputs"]) for node in nodes)
    dot = client.get(f"/programs/{chain}/graph", params={"format": "dot"})
    assert dot.text.count(" -> ") == edges
    assert dot.headers["content-type"] == "text/vnd.graphviz; charset=utf-8"
    answer = client.get(f"/programs/{chain}/graph", params={"format": "graphml"})
    graph = networkx.read_graphml(BytesIO(answer.content), force_multigraph=True)
    assert (len(graph.nodes), len(graph.edges)) == (len(nodes), edges)
    assert graph.nodes["Sin"]["op"] == "Sin"
    assert answer.headers["content-disposition"] == 'attachment; filename="graph.graphml"'


@pytest.mark.parametrize(
    ("form", "kind", "sign", "file"),
    [
        ("svg", "image/svg+xml", b"<svg ", "graph.svg"),
        ("pdf", "application/pdf", b"%PDF-", "graph.pdf"),
        ("png", "image/png", b"\x89PNG", "graph.png"),
        ("tikz", "text/x-tex; charset=utf-8", rb"\documentclass", "graph.tex"),
    ],
)
def test_a_picture_is_made_in_a_worker_in_the_colours_asked_for(
    client: httpx.Client, chain: str, form: str, kind: str, sign: bytes, file: str
) -> None:
    look = {"format": form, "detail": "mathematics"}
    answer = client.get(f"/programs/{chain}/graph", params=look)
    assert answer.headers["content-type"] == kind
    assert answer.headers["content-disposition"] == f'attachment; filename="{file}"'
    assert sign in answer.content[:60]
    dark = client.get(f"/programs/{chain}/graph", params={**look, "theme": "dark"})
    assert dark.content != answer.content
    assert client.get(f"/programs/{chain}/graph", params=look).content == answer.content


def test_two_services_make_the_same_bytes_of_a_picture(
    client: httpx.Client, chain: str, tmp_path: Path
) -> None:
    look = {"format": "pdf", "detail": "essentials"}
    with running(tmp_path) as other:
        again = program(other, "y = exp(sin(x))")
        first, second = (one.get(f"/programs/{chain}/graph", params=look) for one in (client, other))
    assert again == chain
    assert first.content == second.content


def test_a_picture_of_what_is_no_picture_is_refused_with_what_there_is(
    client: httpx.Client, chain: str
) -> None:
    asked = {"program": chain, "steps": 1, "optimizer": {"name": "Adam"}}
    run = client.post("/runs", json=asked).json()["id"]
    problem = client.get(f"/runs/{run}/graph", params={"format": "svg", "detail": "torch"}).json()
    assert problem["code"] == "no_such_format"
    assert problem["hint"] == "detail is one of tensorflow, essentials, mathematics."


def test_the_scopes_of_a_picture_are_those_that_are_asked_for(client: httpx.Client, chain: str) -> None:
    def words(**asked: list[str]) -> set[str]:
        look = {"format": "svg", "detail": "tensorflow", **asked}
        return set(re.findall(r">([^<]+)</text>", client.get(f"/programs/{chain}/graph", params=look).text))

    assert {"Sin_grad", "Exp_grad"} <= words()  # gradients is open, and these in it are closed
    assert words(open=[""]) & {"Sin_grad", "Fill"} == set()
    assert "Cos" in words(open=["gradients", "gradients/Sin_grad"])
    assert {"Cos", "(x)", "read"} <= words(open=["*"])


# -- code --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("math", "y = exp(sin(x))"),
        ("latex", r"y &= \exp\left(\sin\left(x\right)\right)"),
        ("tf1", "y = tf.exp(tf.sin(x))"),
        ("tf2", "    y = tf.exp(tf.sin(x))"),
        ("numpy", "y = np.exp(np.sin(x))"),
        ("torch", "y = torch.exp(torch.sin(x))"),
        ("jax", "    y = jnp.exp(jnp.sin(x))"),
        ("generated", "        v4 = v2 * v3  # gradients/Sin_grad/mul"),
    ],
)
def test_a_program_is_written_in_another_language(
    client: httpx.Client, chain: str, language: str, line: str
) -> None:
    answer = client.get(f"/programs/{chain}/code", params={"as": language}).json()
    assert answer["language"] == language
    assert line in answer["source"].split("\n")


@pytest.mark.parametrize(("language", "title"), [("en", "Derivation"), ("zh", "推导")])
def test_a_lesson_is_a_document_of_equations(
    client: httpx.Client, chain: str, language: str, title: str
) -> None:
    asked = {"format": "latex", "language": language}
    answer = client.get(f"/programs/{chain}/lesson", params=asked)
    assert answer.headers["content-type"] == "text/x-tex; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="derivation.tex"'
    assert rf"\section*{{{title}}}" in answer.text
    assert r"\sin x &= \sin 3 = 0.1411 \\" in answer.text


def test_a_program_is_a_notebook_under_a_name_of_its_own(client: httpx.Client, chain: str) -> None:
    answer = client.get(f"/programs/{chain}/notebook")
    assert answer.headers["content-type"] == "application/x-ipynb+json"
    assert answer.headers["content-disposition"] == 'attachment; filename="program.ipynb"'
    assert answer.json()["nbformat"] == 4
    assert client.get("/programs/p_nothing/notebook").status_code == 404
    mistaken = program(client, "y = sim(x)")
    assert client.get(f"/programs/{mistaken}/notebook").json()["code"] == "program_unfinished"


def test_a_run_says_how_its_optimizer_runs(client: httpx.Client, chain: str) -> None:
    rule = {"name": "GradientDescent", "learning_rate": 0.1}
    run = client.post("/runs", json={"program": chain, "optimizer": rule, "steps": 2}).json()["id"]
    answer = client.get(f"/runs/{run}/code", params={"as": "generated"})
    assert answer.json() == client.get(f"/runs/{run}/code").json()
    assert answer.json()["language"] == "generated"
    assert (
        "x0 = x0 - (c0 * (v1 * v2))  # GradientDescent/update_x/ApplyGradientDescent"
        in answer.json()["source"]
    )
    assert client.get(f"/runs/{run}/code", params={"as": "tf1"}).status_code == 422
    assert client.get("/runs/r_nothing/code").status_code == 404


def test_what_has_no_words_is_a_problem(client: httpx.Client) -> None:
    source = "import tensorflow as tf\nA = tf.Variable([[1., 2.], [3., 4.]])\ny = tf.reduce_sum(A, 1)"
    answer = client.get(f"/programs/{program(client, source)}/code", params={"as": "math"})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_writable")
    assert answer.json()["detail"] == "Sum cannot be written in mathematics: it works along an axis."
    assert client.get(f"/programs/{program(client, 'x')}/code", params={"as": "cobol"}).status_code == 422
