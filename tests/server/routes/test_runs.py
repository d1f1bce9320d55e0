"""Runs over REST: columns with a row for the start and one for each update."""

from __future__ import annotations

import io
from typing import Any

import httpx
import pyarrow.parquet
import pytest

from server.schemas.answers.runs import RunAnswer

SQUARE = {"source": "y = x^2", "at": {"x": 3}}
DESCENT = {"name": "GradientDescent", "learning_rate": 0.01}


def run(client: httpx.Client, **fields: Any) -> Any:
    """The answer to one run."""
    response = client.post("/runs", json=fields)
    assert response.status_code == 200, response.text
    return response.json()


def test_gradient_descent_on_a_square(client: httpx.Client) -> None:
    columns = run(client, program=SQUARE, optimizer=DESCENT, steps=100)
    assert columns["steps"] == list(range(101))
    assert columns["variables"]["x"][:2] == [3, pytest.approx(2.94)]  # 3 - 0.01 * 6
    assert columns["variables"]["x"][100] == pytest.approx(0.39786, abs=1e-5)  # 3 * 0.98^100
    assert columns["loss"][0] == 9
    assert columns["gradients"]["x"][0] == 6


def test_clipping_stands_between_the_gradient_and_the_update(client: httpx.Client) -> None:
    columns = run(client, program=SQUARE, optimizer=DESCENT, steps=1, process=[{"clip_by_norm": 5}])
    assert columns["gradients"]["x"][0] == 6
    assert columns["processed"]["x"][0] == 5
    assert columns["variables"]["x"][1] == pytest.approx(2.95)  # 3 - 0.01 * 5


@pytest.mark.parametrize(
    ("optimizer", "after"),
    [
        ({"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5}, 1.62),  # 2.4 - 0.1 * (3 + 4.8)
        ({"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5, "use_nesterov": True}, 1.32),
        ({"name": "keras.SGD", "learning_rate": 0.1}, 1.92),  # 3 * 0.8^2
    ],
)
def test_every_optimizer_of_the_catalogue_can_be_named(
    client: httpx.Client, optimizer: dict[str, Any], after: float
) -> None:
    columns = run(client, program=SQUARE, optimizer=optimizer, steps=2)
    assert columns["variables"]["x"][2] == pytest.approx(after)


def test_a_schedule_changes_the_rate_from_step_to_step(client: httpx.Client) -> None:
    halving = {"name": "exponential_decay", "decay_steps": 1, "decay_rate": 0.5}
    optimizer = {"name": "GradientDescent", "learning_rate": 0.5}
    columns = run(
        client, program={"source": "4 * x", "at": {"x": 8}}, optimizer=optimizer, steps=2, schedule=halving
    )
    assert columns["variables"]["x"] == [8, 6, 5]  # 0.5 * 4, then 0.25 * 4


def test_a_program_may_be_named_by_its_id(client: httpx.Client) -> None:
    program = client.post("/programs", json=SQUARE).json()["id"]
    by_id = run(client, program=program, optimizer=DESCENT, steps=2)
    assert by_id == run(client, program=SQUARE, optimizer=DESCENT, steps=2)
    assert by_id["program"]["id"] == program
    ops = {node["op"] for node in by_id["program"]["graph"]["nodes"]}
    assert "ApplyGradientDescent" in ops  # the program, grown by the optimizer


def test_a_runs_answer_is_as_documented(client: httpx.Client) -> None:
    RunAnswer.model_validate(run(client, program=SQUARE, optimizer=DESCENT, steps=3))


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"program": "p_nothing", "steps": 1}, 404, "unknown_program"),
        ({"program": SQUARE, "steps": -1}, 422, "bad_field"),
        ({"program": SQUARE, "steps": 100_001}, 422, "bad_field"),
        ({"program": SQUARE}, 422, "missing_field"),
        ({"program": {"sauce": "x"}, "steps": 1}, 422, "missing_field"),
        ({"program": SQUARE, "steps": 1, "record": "some"}, 422, "bad_field"),
    ],
)
def test_a_request_that_does_not_fit_is_a_problem(
    client: httpx.Client, fields: dict[str, Any], status: int, code: str
) -> None:
    response = client.post("/runs", json=fields)
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_every_tensor_of_one_step_is_computed_again(client: httpx.Client) -> None:
    name = run(client, program=SQUARE, optimizer=DESCENT, steps=3, record="variables")["id"]
    step = client.get(f"/runs/{name}/steps/1").json()
    assert step["step"] == 1
    assert step["nodes"]["pow:0"] == {"dtype": "float64", "shape": [], "data": pytest.approx(8.6436)}


def test_a_step_names_the_tensors_of_its_pairs(client: httpx.Client) -> None:
    momentum = {"name": "Momentum", "learning_rate": 0.01, "momentum": 0.5}
    name = run(client, program=SQUARE, optimizer=momentum, steps=3)["id"]
    step = client.get(f"/runs/{name}/steps/1").json()
    pair = step["pairs"]["x"]
    values = {kind: step["nodes"][pair[kind]]["data"] for kind in ("variable", "gradient", "processed")}
    assert values == {
        kind: pytest.approx(value) for kind, value in zip(values, (2.94, 5.88, 5.88), strict=True)
    }
    assert step["nodes"][pair["slots"]["momentum"]]["data"] == pytest.approx(6)  # 0.5 * 0 + 6


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/runs/{run}/steps/4", 404, "unknown_step"),
        ("/runs/{run}/steps/x", 422, "bad_field"),
        ("/runs/r_nothing/steps/1", 404, "unknown_run"),
    ],
)
def test_a_step_that_there_is_not_is_a_problem(
    client: httpx.Client, path: str, status: int, code: str
) -> None:
    name = run(client, program=SQUARE, optimizer=DESCENT, steps=3)["id"]
    response = client.get(path.format(run=name))
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_a_run_goes_on_from_a_row_with_its_velocity(client: httpx.Client) -> None:
    momentum = {"name": "Momentum", "learning_rate": 0.1, "momentum": 0.5}
    on = run(
        client, program=SQUARE, optimizer=momentum, steps=1, start={"x": 2.4}, slots={"x": {"momentum": 6}}
    )
    assert on["variables"]["x"] == [2.4, pytest.approx(1.62)]  # 2.4 - 0.1 * (0.5 * 6 + 4.8)
    assert on["slots"]["x"]["momentum"] == [6, pytest.approx(7.8)]


def test_the_log_of_a_negative_number_ends_a_run_with_a_remedy(client: httpx.Client) -> None:
    columns = run(client, program={"source": "log(x)", "at": {"x": 0.05}}, optimizer=DESCENT, steps=9)
    RunAnswer.model_validate(columns)
    stop = columns["stopped_at"]
    assert (columns["status"], stop["step"], stop["node"]) == ("non_finite", 1, "Log")
    assert "negative number, −0.15" in stop["reason"]


def test_a_name_that_is_nearly_an_optimizers_is_refused_with_that_name(client: httpx.Client) -> None:
    body = {"program": SQUARE, "steps": 1, "optimizer": {"name": "Adm", "learning_rate": 0.1}}
    problem = client.post("/runs", json=body).json()
    assert (problem["code"], problem["hint"]) == ("unknown_optimizer", "Did you mean Adam?")
    body["optimizer"] = {"name": "Adam", "learnrate": 0.1}
    problem = client.post("/runs", json=body).json()
    assert (problem["code"], problem["hint"]) == ("unknown_argument", "Did you mean learning_rate?")


def test_a_run_is_a_table_for_spreadsheets_and_for_pandas(client: httpx.Client) -> None:
    descent = {"name": "GradientDescent", "learning_rate": 0.25}
    name = run(client, program=SQUARE, optimizer=descent, steps=2)["id"]
    answer = client.get(f"/runs/{name}", params={"format": "csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="run.csv"'
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert lines == ["step,loss,x,gradient by x", "0,9.0,3.0,6.0", "1,2.25,1.5,3.0", "2,0.5625,0.75,1.5"]
    table = client.get(f"/runs/{name}", params={"format": "parquet"})
    assert table.headers["content-type"] == "application/vnd.apache.parquet"
    columns = pyarrow.parquet.read_table(io.BytesIO(table.content)).to_pydict()
    assert columns["x"] == [3.0, 1.5, 0.75]
