"""The client against a real service: typed answers, runs with their progress, problems in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gradlens import Client, ClientError
from gradlens.columns import Columns
from server.schemas.answers.runs import RunAnswer
from tests.engine.interchange.reading.graphs import small
from tests.engine.programs.imported.test_growing import file_of
from tests.limits import PATIENT
from tests.server.service import ROOT, running

SOURCE = "y = exp(sin(x))"
ADAM = {"name": "Adam", "learning_rate": 0.1}


def test_columns_that_come_in_chunks_are_blank_where_they_are_not_there() -> None:
    columns = Columns()
    columns.add({"steps": [0, 1], "loss": [4.0, 3.0], "slots": {}})
    columns.add({"steps": [2], "loss": [2.0], "slots": {"x": {"m": [0.5]}}})
    columns.add({"steps": [3], "loss": [1.0], "slots": {}})
    assert columns.whole() == {
        "steps": [0, 1, 2, 3],
        "loss": [4.0, 3.0, 2.0, 1.0],
        "slots": {"x": {"m": [None, None, 0.5, None]}},
    }


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("data"), cwd=ROOT, **PATIENT) as service:
        yield str(service.base_url).removesuffix("/").removesuffix("/api/v1")


@pytest.mark.slow
def test_a_program_its_lesson_code_and_graph(url: str) -> None:
    client = Client(url)
    program = client.program(SOURCE, at={"x": 0})
    assert (program.status, program.gradients[0].value["data"]) == ("ok", 1.0)  # e^sin 0 · cos 0
    assert client.lesson(program.id).steps[0].phase == "forward"
    assert "tf.exp" in client.code(program.id, "tf2")
    assert b'"nbformat": 4' in client.notebook(program.id)
    assert client.tensor(program.id, "Exp").data == 1.0
    assert client.graph(program.id).startswith(b"node {")
    assert b'fill="#191f28"' in client.graph(program.id, "svg", "essentials", "dark")
    assert rb"\begin{align*}" in client.derivation(program.id)
    assert client.compare(program.id).automatic.value == 1.0
    assert client.differences(program.id, {"source": "y = exp(-sin(x))"}).added[0] == "Neg"


@pytest.mark.slow
def test_a_run_reports_how_far_it_is_and_is_the_answer_of_one_that_comes_whole(url: str) -> None:
    reports: list[tuple[int, int]] = []
    client = Client(url, report=lambda done, rows: reports.append((done, rows)))
    program = client.program(SOURCE, at={"x": 3})
    run = client.run(program.id, steps=200, optimizer=ADAM)
    assert (reports[-1], len(run.loss)) == ((201, 201), 201)
    whole = client._posted(RunAnswer, "/runs", {"program": program.id, "steps": 200, "optimizer": ADAM})
    assert run == whole


@pytest.mark.slow
def test_a_file_is_opened_grown_and_run(url: str, tmp_path: Path) -> None:
    client, file = Client(url), tmp_path / "graph.pb"
    file.write_bytes(file_of("x = tf.Variable(3.0, name='x')\ny = tf.sin(x)"))
    grown = client.gradients(client.open(file).id, "Sin", ["x"])
    values = client.values(grown.id, variables={"x": 0.0}).values
    assert values[f"{grown.gradients[0].tensor}"]["data"] == 1.0  # cos 0
    assert client.graph(client.open(small("mul_x_x").SerializeToString()).id, "dot").startswith(b"digraph")


@pytest.mark.slow
def test_a_problem_is_an_error_with_its_document(url: str) -> None:
    with pytest.raises(ClientError) as refused:
        Client(url).open(b"hello")
    assert refused.value.problem is not None
    assert refused.value.problem.code == "not_a_graph"
    with pytest.raises(ClientError, match="No answer from"):
        Client("http://127.0.0.1:9").program(SOURCE)
